/**
 * Builds transcripts from a short notation, for tests of the tree.
 *
 * The notation has one word for each line of the file:
 *
 *     u1 a1<u1 u2<a1        a user line at the root, its answer, the next prompt
 *     t1/m<u1 r1<t1         a line that calls a tool, of message "m", and its result
 *     x1<a1 y1<a1 p1<a1     an attachment, a system line, a progress line
 *     n1<a1                 a line of an unknown type
 *     b1 b1<a1              the boundary of a compaction
 *     b1{s:u2,a2}           a boundary with the lines that it preserved and their anchor
 *     b1{s:u2..a2}          a boundary with a preserved segment
 *     u2~<a1                a line of a subagent
 *     u2<a1@20              a line written at second 20; by default, one second after the previous line
 *     u2<a1@none            a line without a time
 *     a2<u2=20              an answer of 20 tokens; by default, 10
 *     lp(a1) lp()           the client's record of the last prompt, with or without its leaf
 *     m(5,100)              metadata with a usage of 5 tokens and a window of 100
 *
 * @module
 */

import type { JsonObject } from "../../src/core/record.ts";

const WORD =
  /^([uatrxynpb]\w*)(~)?(?:\/(\w+))?(?:<(\w+))?(?:=(\d+))?(?:@([\d.]+|none))?(?:\{(\w*):([\w,]*|\w+\.\.\w+)\})?$/;

const START_MS = Date.UTC(2026, 0, 1);

const TYPES: Readonly<Record<string, JsonObject>> = {
  u: { type: "user" },
  r: { type: "user" },
  a: { type: "assistant" },
  t: { type: "assistant" },
  x: { type: "attachment", attachment: { type: "hook_additional_context", content: ["x"] } },
  y: { type: "system", subtype: "informational", content: "y" },
  n: { type: "novelty" },
  p: { type: "progress", data: { type: "hook_progress" } },
  b: { type: "system", subtype: "compact_boundary", content: "Conversation compacted" },
};

export function linesOf(text: string): JsonObject[] {
  let second = 0;
  return text.trim().split(/\s+/).map((word) => {
    const lastPrompt = /^lp\((\w*)\)$/.exec(word);
    if (lastPrompt !== null) {
      return { type: "last-prompt", ...(lastPrompt[1] === "" ? {} : { leafUuid: lastPrompt[1] }) };
    }
    const numbers = /^m\((\d+),(\d+)\)$/.exec(word)?.slice(1).map(Number);
    if (numbers !== undefined) {
      return { contextTokens: numbers[0], maxContextTokens: numbers[1] };
    }
    const match = WORD.exec(word);
    if (match === null) throw new SyntaxError(`Cannot read the line ${word}`);
    const [, uuid = "", side, messageId, parent, tokens = 10, time, anchor, kept] = match;
    second = time === undefined || time === "none" ? second + 1 : Number(time);
    return {
      parentUuid: parent ?? null,
      isSidechain: side !== undefined,
      ...TYPES[uuid.slice(0, 1)],
      ...messageOf(uuid, messageId ?? `msg_${uuid}`, parent ?? "", Number(tokens)),
      ...(kept === undefined ? {} : { compactMetadata: keptOf(anchor ?? "", kept) }),
      uuid,
      ...(time === "none" ? {} : { timestamp: new Date(START_MS + second * 1000).toISOString() }),
    };
  });
}

export function textOf(lines: readonly JsonObject[]): string {
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

function messageOf(uuid: string, id: string, call: string, tokens: number): JsonObject {
  const text = [{ type: "text", text: uuid }];
  const usage = { input_tokens: tokens, output_tokens: 1 };
  switch (uuid.slice(0, 1)) {
    case "u":
      return { message: { role: "user", content: uuid } };
    case "r": {
      const content = [{ type: "tool_result", tool_use_id: call, content: uuid }];
      return { message: { role: "user", content } };
    }
    case "a":
      return { message: { id, role: "assistant", model: "claude-x", content: text, usage } };
    case "t": {
      const content = [{ type: "tool_use", id: uuid, name: "Bash", input: {} }];
      return { message: { id, role: "assistant", model: "claude-x", content, usage } };
    }
    default:
      return {};
  }
}

function keptOf(anchorUuid: string, kept: string): JsonObject {
  const [headUuid, tailUuid] = kept.split("..");
  return tailUuid === undefined
    ? { preservedMessages: { anchorUuid, uuids: kept === "" ? [] : kept.split(",") } }
    : { preservedSegment: { headUuid, anchorUuid, tailUuid } };
}
