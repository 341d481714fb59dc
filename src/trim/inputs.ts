/** Cuts the arguments of calls that write text into files. */

import { countChars } from "../core/chars.ts";
import { digestOf } from "../core/digest.ts";
import { isWorthCutting, WRITTEN_DIGEST } from "../core/need.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import {
  digestNotice,
  fixedUnits,
  type NoticePlace,
  SAMPLE_LINE,
  truncateContent,
} from "./left.ts";
import type { Keep } from "./trim_options.ts";

interface CutArguments {
  readonly texts: readonly string[];
  readonly list?: { readonly name: string; readonly texts: readonly string[] };
}

const REPLACED_TEXT = "old_string";

const EDIT_TEXTS = [REPLACED_TEXT, "new_string"];

const CUT_ARGUMENTS: ReadonlyMap<string, CutArguments> = new Map<string, CutArguments>([
  ["Write", { texts: ["content"] }],
  ["Edit", { texts: EDIT_TEXTS }],
  ["MultiEdit", { texts: [], list: { name: "edits", texts: EDIT_TEXTS } }],
  ["NotebookEdit", { texts: ["new_source"] }],
]);

/** In characters; a shorter argument is not worth a notice. */
const MIN_DEAD_INPUT_CHARS = 200;

interface InputCut {
  readonly keep: Keep;
  readonly threshold: number;
  /** Arguments that are no longer needed; only these are cut. @default {all} */
  readonly texts?: readonly string[] | undefined;
}

/** Returns the given object if nothing is cut. */
export function cutArguments<T>(
  toolName: string,
  input: T,
  cut: InputCut & NoticePlace,
): T | JsonObject {
  const rule = CUT_ARGUMENTS.get(toolName);
  if (rule === undefined || !isObject(input)) return input;
  const result = cutMembers(input, rule.texts, cut);
  const { list } = rule;
  const items = list === undefined ? undefined : result[list.name];
  if (list === undefined || !Array.isArray(items)) return result;
  const cutItems = items.map((item) => isObject(item) ? cutMembers(item, list.texts, cut) : item);
  return cutItems.every((item, index) => item === items[index])
    ? result
    : { ...result, [list.name]: cutItems };
}

function cutMembers(
  input: JsonObject,
  names: readonly string[],
  cut: InputCut & NoticePlace,
): JsonObject {
  let result = input;
  for (const name of names) {
    const text = input[name];
    if (typeof text !== "string" || cut.texts?.includes(name) === false) continue;
    const remainder = cutText(name, text, cut);
    if (remainder !== text) result = { ...result, [name]: remainder };
  }
  return result;
}

function cutText(name: string, text: string, cut: InputCut & NoticePlace): string {
  const { texts } = cut;
  const isDead = texts !== undefined;
  const threshold = isDead ? Math.min(cut.threshold, MIN_DEAD_INPUT_CHARS) : cut.threshold;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  // A masked argument is replaced entirely by a notice.
  const kept = cut.keep === "head" && !isDead ? threshold : 0;
  let remainder: string;
  if (isDead && name !== REPLACED_TEXT) {
    if (fixedUnits(text) >= text.length) return text;
    const digest = digestOf(text, { sizes: WRITTEN_DIGEST, listed: new Set() });
    remainder = digest + digestNotice(chars, countChars(digest), cut);
  } else {
    remainder = truncateContent(text, { ...cut, threshold: kept });
  }
  return isWorthCutting(chars, countChars(remainder)) ? remainder : text;
}

/** Returns tokens before calibration; undefined if nothing is cut. */
export function inputSavings(
  toolName: string,
  input: unknown,
  cut: InputCut & { readonly parentFile: string },
): number | undefined {
  const remainder = cutArguments(toolName, input, { ...cut, lineNumber: SAMPLE_LINE });
  if (remainder === input) return undefined;
  const after = textsOf(toolName, remainder);
  return textsOf(toolName, input).reduce((saved, text, index) => {
    const rest = after[index] ?? "";
    return rest === text ? saved : saved + estimateTextTokens(text) - estimateTextTokens(rest);
  }, 0);
}

function textsOf(toolName: string, input: unknown): string[] {
  const { texts = [], list } = CUT_ARGUMENTS.get(toolName) ?? {};
  if (!isObject(input)) return [];
  const items = list === undefined ? [] : input[list.name];
  const inner = Array.isArray(items) ? items.filter(isObject) : [];
  return [
    ...stringsIn(input, texts),
    ...inner.flatMap((item) => stringsIn(item, list?.texts ?? [])),
  ];
}

function stringsIn(from: JsonObject, names: readonly string[]): string[] {
  return names.map((name) => from[name]).filter((text) => typeof text === "string");
}

/** Measures a value as JSON, which is how the client sends it. */
export function jsonChars(value: unknown): number {
  return countChars(JSON.stringify(value));
}
