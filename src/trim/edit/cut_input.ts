/** Cuts what a call wrote into a file. The file's path and the shape of the arguments stay. */

import { countChars } from "../../transcript/chars.ts";
import { isObject } from "../../transcript/entry.ts";
import { memberAt, skipSpace, skipString, skipValue } from "../../transcript/json_scan.ts";
import { estimateTextTokens } from "../../transcript/tokens/tokens.ts";
import { cutString } from "./cut_string.ts";
import type { EditList } from "./edits.ts";
import { decodeRaw, type RawText } from "./raw_string.ts";
import {
  argumentsCut,
  type CutArguments,
  cutInputText,
  type InputOptions,
  keptInputTextChars,
} from "../input_texts.ts";

export type { InputOptions } from "../input_texts.ts";

/** What cutting the arguments of a call saves. */
interface InputSavings {
  /** Characters of the arguments as JSON, which is what is sent. */
  chars: number;
  /** Tokens by the estimate before calibration. */
  priorTokens: number;
}

/** Computes what cutting the arguments of a call would save. */
export function inputSavings(
  toolName: string,
  input: unknown,
  options: InputOptions,
): InputSavings {
  const savings: InputSavings = { chars: 0, priorTokens: 0 };
  for (const text of textsOf(argumentsCut(toolName, options), input)) {
    const cut = cutInputText(text, options);
    if (cut === text) continue;
    savings.chars += jsonChars(text) - jsonChars(cut);
    savings.priorTokens += estimateTextTokens(text) - estimateTextTokens(cut);
  }
  return savings;
}

/** Cuts the arguments of a call where they stand in a transcript. */
export function cutInput(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: InputOptions & { toolName: string },
): number {
  const rule = argumentsCut(options.toolName, options);
  if (rule === undefined) return 0;
  const { text } = raw;
  let saved = cutMembers(raw, start, end, rule.texts, edits, options);
  const { list } = rule;
  if (list === undefined) return saved;
  const open = memberAt(text, start, end, list.name);
  if (open < 0 || text[open] !== "[") return saved;
  let at = skipSpace(text, open + 1, end);
  while (text[at] !== "]") {
    const stop = skipValue(text, at, end);
    if (stop < 0) return saved;
    saved += cutMembers(raw, at, stop, list.texts, edits, options);
    at = skipSpace(text, stop, end);
    if (text[at] === ",") at = skipSpace(text, at + 1, end);
  }
  return saved;
}

function cutMembers(
  raw: RawText,
  start: number,
  end: number,
  names: readonly string[],
  edits: EditList,
  options: InputOptions,
): number {
  let saved = 0;
  for (const name of names) {
    const at = memberAt(raw.text, start, end, name);
    if (at < 0 || raw.text[at] !== '"') continue;
    const stop = skipString(raw.text, at, end);
    // A character takes a byte at least.
    if (stop < 0 || stop - at - 2 <= options.threshold) continue;
    const text = decodeRaw(raw, at + 1, stop - 1);
    const cut = cutInputText(text, options);
    if (cut === text) continue;
    cutString(raw, at, stop, edits, { ...options, threshold: keptInputTextChars(options) });
    saved += jsonChars(text) - jsonChars(cut);
  }
  return saved;
}

function textsOf(rule: CutArguments | undefined, input: unknown): string[] {
  if (rule === undefined || !isObject(input)) return [];
  const own = rule.texts.map((name) => input[name]);
  const items = rule.list === undefined ? [] : input[rule.list.name];
  const inner = Array.isArray(items)
    ? items.filter(isObject).flatMap((item) => rule.list?.texts.map((name) => item[name]))
    : [];
  return [...own, ...inner].filter((text) => typeof text === "string");
}

function jsonChars(text: string): number {
  return countChars(JSON.stringify(text));
}
