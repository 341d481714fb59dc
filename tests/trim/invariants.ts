/**
 * Checks the properties that hold for the copy of every trim.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { isObject, type JsonObject } from "../../src/core/record.ts";
import { jsonText, placeEntries } from "../../src/transcript/entry.ts";
import { readLines } from "../../src/transcript/lines.ts";
import { sentChars } from "./build_session.ts";
import { cutCount, trimByLength, type TrimCounts, type TrimOptions } from "./by_length.ts";

interface TrimmedFiles {
  readonly input: string;
  readonly output: string;
}

export interface NumberedEntry {
  /** The line of the file, from 1. */
  readonly number: number;
  readonly text: string;
  readonly raw: JsonObject;
}

export function entriesOf(path: string): NumberedEntry[] {
  using file = Deno.openSync(path);
  const found: NumberedEntry[] = [];
  for (const { bytes, number } of readLines(file)) {
    for (const { entry, start, end } of placeEntries(bytes)) {
      const text = new TextDecoder().decode(bytes.subarray(start, end));
      found.push({ number, text, raw: entry.raw });
    }
  }
  return found;
}

/** Checks that the copy has the same entries. Returns the changed entries, each with its original. */
export function assertSameEntries(
  { input, output }: TrimmedFiles,
): (readonly [original: NumberedEntry, copy: NumberedEntry])[] {
  const [before, after] = [entriesOf(input), entriesOf(output)];
  assertEquals(after.length, before.length, "every entry is copied");
  const changed = before.flatMap((original, index) => {
    const copy = after[index] ?? original;
    return copy.text === original.text ? [] : [[original, copy] as const];
  });
  for (const [original, copy] of changed) {
    // Compares JSON text, because assertEquals() overflows the stack on deeply nested entries.
    assertEquals(jsonText(skeletonOf(copy.raw)), jsonText(skeletonOf(original.raw)));
  }
  return changed;
}

export function assertExactCounts({ input, output }: TrimmedFiles, counts: TrimCounts): void {
  const [before, after] = [sentChars(input), sentChars(output)];
  assertEquals(counts.context_chars, { before: before.chars, after: after.chars });
  assertEquals(after.entries, before.entries);
  const { target, tokens } = counts;
  if (cutCount(counts) === 0) assertEquals(tokens.after, tokens.before);
  if (target !== null) assertEquals(target.is_reached, tokens.after <= target.tokens);
}

export function assertNoSecondCut(copy: string, options: Partial<TrimOptions>): void {
  const again = trimByLength({ ...options, input: copy });
  assertEquals(cutCount(again), 0, "a second trim changes nothing");
  assertEquals(again.bytes.after, again.bytes.before);
}

/** Returns an entry without the fields and the content that a trim may change. */
function skeletonOf(raw: JsonObject): unknown {
  const { message } = raw;
  return {
    ...raw,
    toolUseResult: undefined,
    trim_metadata: undefined,
    sessionId: undefined,
    contextTokens: undefined,
    message: isObject(message)
      ? { ...message, usage: undefined, content: blockSkeletons(message.content) }
      : undefined,
  };
}

/**
 * Omits content that a trim may change: thinking, arguments and the text of results. A picture, a document,
 * and the line that replaces one get the same form.
 */
function blockSkeletons(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.flatMap((block) => {
    if (!isObject(block)) return [block];
    const { type, input, content, text, ...others } = block;
    if (type === "thinking" || type === "redacted_thinking") return [];
    if (type === "tool_use") return [{ type, ...others, keys: Object.keys(Object(input)) }];
    if (type === "tool_result") return [{ type, ...others, isList: Array.isArray(content) }];
    const isMediaLine = typeof text === "string" &&
      /^\[(?:image|document) result masked -- /.test(text);
    return [type === "image" || type === "document" || isMediaLine ? { type: "text" } : block];
  });
}
