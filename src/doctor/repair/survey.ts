/** Collects facts about a broken session that depend on several lines, such as calls without a result. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { asString } from "../../transcript/entry.ts";
import { type ByteSource, readLines } from "../../transcript/lines.ts";
import { CallTable } from "./calls.ts";
import { callIdsOf, reasonToLeaveOut } from "./entry.ts";
import { LinkFinder, type Links } from "./links.ts";
import { splitLine } from "./pieces.ts";
import { wellFormedEntry } from "./surrogates.ts";

/** Matches the API's error about invalid thinking, as the client records it. */
const THINKING_REFUSED = /\b400\b.*(?:\bsignature\b|\bthinking\b)/s;

export interface Survey extends Links {
  calls: CallTable;
  isThinkingRefused: boolean;
}

export function surveySession(source: ByteSource, size: number): Survey {
  const finder = new LinkFinder();
  const calls = new CallTable();
  let isThinkingRefused = false;
  for (const line of readLines(source, { limitBytes: size })) {
    for (const { raw: given, start, end } of splitLine(line.bytes).pieces) {
      const { raw } = wellFormedEntry(given, line.bytes.subarray(start, end));
      finder.add(raw, reasonToLeaveOut(raw) !== undefined);
      calls.add(callIdsOf(raw));
      isThinkingRefused ||= refusesThinking(raw);
    }
  }
  return { ...finder.finish(), calls, isThinkingRefused };
}

export function refusesThinking(raw: JsonObject): boolean {
  return raw.isApiErrorMessage === true && THINKING_REFUSED.test(textOf(raw));
}

function textOf(raw: JsonObject): string {
  const content = isObject(raw.message) ? raw.message.content : undefined;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  return blocks.map((block) => isObject(block) ? asString(block.text) ?? "" : "").join("\n");
}
