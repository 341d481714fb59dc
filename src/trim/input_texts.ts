/** Cuts texts that calls write into files: the arguments alone, wherever they stand. */

import { countChars } from "../core/chars.ts";
import { isObject, type JsonObject } from "../transcript/entry.ts";
import { digestOf } from "../core/digest.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { type DigestSizes, isWorthCutting } from "../core/need.ts";
import { digestNotice, markedUnits, truncateContent, type TruncateOptions } from "./truncate.ts";

export interface CutArguments {
  readonly texts: readonly string[];
  readonly list?: { readonly name: string; readonly texts: readonly string[] };
}

/** Text that an edit took out of a file: it stands in none any more. */
const REPLACED_TEXT = "old_string";

const EDIT_TEXTS = [REPLACED_TEXT, "new_string"];

const CUT_ARGUMENTS: ReadonlyMap<string, CutArguments> = new Map<string, CutArguments>([
  ["Write", { texts: ["content"] }],
  ["Edit", { texts: EDIT_TEXTS }],
  ["MultiEdit", { texts: [], list: { name: "edits", texts: EDIT_TEXTS } }],
  ["NotebookEdit", { texts: ["new_source"] }],
]);

export interface InputOptions extends TruncateOptions {
  /** Number of characters of a text over the threshold that stay. @default {the threshold} */
  keep?: number | undefined;
  /** The only texts that are cut, by name. @default {all of them} */
  texts?: readonly string[] | undefined;
  /** The part of a text that stays if it still stands in a file, or did. @default {what `keep` says} */
  digest?: DigestSizes | undefined;
}

export function argumentsCut(
  toolName: string,
  { texts }: Pick<InputOptions, "texts">,
): CutArguments | undefined {
  const rule = CUT_ARGUMENTS.get(toolName);
  if (rule === undefined || texts === undefined) return rule;
  const isMeant = (name: string): boolean => texts.includes(name);
  const { list } = rule;
  return {
    texts: rule.texts.filter(isMeant),
    ...(list === undefined ? {} : { list: { ...list, texts: list.texts.filter(isMeant) } }),
  };
}

export function cutInputText(name: string, text: string, options: InputOptions): string {
  const chars = countChars(text);
  if (chars <= options.threshold) return text;
  const { keep, threshold, digest, fixedUnits = markedUnits } = options;
  if (digest !== undefined && name !== REPLACED_TEXT) {
    if (fixedUnits(text) >= text.length) return text;
    const left = digestOf(text, { sizes: digest, listed: new Set() });
    const cut = left + digestNotice(chars, countChars(left), options);
    return isWorthCutting(chars, countChars(cut)) ? cut : text;
  }
  const cut = truncateContent(text, {
    ...options,
    threshold: Math.min(keep ?? threshold, threshold),
  });
  return isWorthCutting(chars, countChars(cut)) ? cut : text;
}

/** Cuts the arguments of a call; the arguments themselves where nothing is cut. */
export function cutArguments<T>(toolName: string, input: T, options: InputOptions): T | JsonObject {
  const rule = argumentsCut(toolName, options);
  if (rule === undefined || !isObject(input)) return input;
  const own = cutMembers(input, rule.texts, options);
  const { list } = rule;
  const items = list === undefined ? undefined : own[list.name];
  if (list === undefined || !Array.isArray(items)) return own;
  const cut = items.map((item) => isObject(item) ? cutMembers(item, list.texts, options) : item);
  return cut.every((item, index) => item === items[index]) ? own : { ...own, [list.name]: cut };
}

function cutMembers(
  input: JsonObject,
  names: readonly string[],
  options: InputOptions,
): JsonObject {
  let own = input;
  for (const name of names) {
    const text = input[name];
    const cut = typeof text === "string" ? cutInputText(name, text, options) : text;
    if (cut !== text) own = { ...own, [name]: cut };
  }
  return own;
}

interface InputSavings {
  /** Characters of the arguments as JSON, which is what is sent. */
  chars: number;
  priorTokens: number;
}

export function inputSavings(
  toolName: string,
  input: unknown,
  options: InputOptions,
): InputSavings {
  const savings: InputSavings = { chars: 0, priorTokens: 0 };
  for (const [name, text] of textsOf(argumentsCut(toolName, options), input)) {
    const cut = cutInputText(name, text, options);
    if (cut === text) continue;
    savings.chars += jsonChars(text) - jsonChars(cut);
    savings.priorTokens += estimateTextTokens(text) - estimateTextTokens(cut);
  }
  return savings;
}

function textsOf(rule: CutArguments | undefined, input: unknown): [name: string, text: string][] {
  if (rule === undefined || !isObject(input)) return [];
  const { list } = rule;
  const items = list === undefined ? [] : input[list.name];
  const inner = Array.isArray(items)
    ? items.filter(isObject).flatMap((item) => stringsIn(item, list?.texts ?? []))
    : [];
  return [...stringsIn(input, rule.texts), ...inner];
}

function stringsIn(from: JsonObject, names: readonly string[]): [name: string, text: string][] {
  return names.flatMap((name) => {
    const text = from[name];
    return typeof text === "string" ? [[name, text] as [string, string]] : [];
  });
}

/** Length of a value as JSON, the form in which it is sent, in characters. */
export function jsonChars(value: unknown): number {
  return countChars(JSON.stringify(value));
}
