/** Cuts the arguments of calls that write text into files. */

import { countChars, indexOfChar } from "../core/chars.ts";
import { digestOf } from "../core/digest.ts";
import { isWorthCutting, WRITTEN_DIGEST } from "../core/need.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { REPLACED_ARGUMENT, WRITERS } from "../core/tools.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { type NoticePlace, remainderText, SAMPLE_LINE, unitsToKeep } from "./remainder.ts";
import type { Keep } from "./trim_options.ts";

/** In characters; a shorter argument is not worth a notice. */
const MIN_UNNEEDED_ARGUMENT_CHARS = 200;

interface InputCut {
  readonly keep: Keep;
  readonly threshold: number;
  /** Names of arguments that are no longer needed; only these are cut. @default {all} */
  readonly argumentNames?: readonly string[] | undefined;
  readonly onCut?: (before: string, after: string) => void;
}

export function cutArguments<T>(
  toolName: string,
  input: T,
  cut: InputCut & NoticePlace,
): T | JsonObject {
  const names = WRITERS.get(toolName);
  if (names === undefined || !isObject(input)) return input;
  if (toolName !== "MultiEdit") return cutMembers(input, names, cut);
  const items = Array.isArray(input.edits) ? input.edits : [];
  const edits = items.map((item) => isObject(item) ? cutMembers(item, names, cut) : item);
  return edits.every((item, index) => item === items[index]) ? input : { ...input, edits };
}

function cutMembers(
  input: JsonObject,
  names: readonly string[],
  cut: InputCut & NoticePlace,
): JsonObject {
  let result = input;
  for (const name of names) {
    const text = input[name];
    if (typeof text !== "string" || cut.argumentNames?.includes(name) === false) continue;
    const remainder = cutText(name, text, cut);
    if (remainder === text) continue;
    cut.onCut?.(text, remainder);
    result = { ...result, [name]: remainder };
  }
  return result;
}

function cutText(name: string, text: string, cut: InputCut & NoticePlace): string {
  const isUnneeded = cut.argumentNames !== undefined;
  const threshold = isUnneeded
    ? Math.min(cut.threshold, MIN_UNNEEDED_ARGUMENT_CHARS)
    : cut.threshold;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  const fixed = unitsToKeep(text);
  if (fixed >= text.length) return text;
  const isDigested = isUnneeded && name !== REPLACED_ARGUMENT;
  // With `line`, and for a text that an edit replaced, only a notice remains.
  const kept = cut.keep === "head" && !isUnneeded ? threshold : 0;
  const remainder = isDigested
    ? { digest: digestOf(text, { sizes: WRITTEN_DIGEST, listed: new Set() }) }
    : { headUnits: Math.max(fixed, indexOfChar(text, kept)) };
  const shortened = remainderText(text, remainder, cut);
  return isWorthCutting(chars, countChars(shortened)) ? shortened : text;
}

export function inputSavings(
  toolName: string,
  input: unknown,
  cut: InputCut & { readonly parentFile: string },
): number | undefined {
  let saved: number | undefined;
  const onCut = (before: string, after: string): void => {
    saved = (saved ?? 0) + estimateTextTokens(before) - estimateTextTokens(after);
  };
  cutArguments(toolName, input, { ...cut, lineNumber: SAMPLE_LINE, onCut });
  return saved;
}

/** Measures a value as JSON, which is how the client sends it. */
export function jsonChars(value: unknown): number {
  return countChars(JSON.stringify(value));
}
