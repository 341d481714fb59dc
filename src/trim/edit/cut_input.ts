/** Cuts what a call wrote into a file. The file's path and the shape of the arguments stay. */

import { countChars } from "../../core/chars.ts";
import { isObject, type JsonObject, parseObject } from "../../transcript/entry.ts";
import { skipValue } from "../../transcript/json_scan.ts";
import { estimateTextTokens } from "../../transcript/tokens/tokens.ts";
import {
  argumentsCut,
  type CutArguments,
  cutArguments,
  cutInputText,
  type InputOptions,
} from "../input_texts.ts";
import type { EditList } from "./edits.ts";
import type { RawText } from "./raw_string.ts";

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

export function cutInput(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: InputOptions & { toolName: string },
): number {
  const stop = skipValue(raw.text, start, end);
  const input = stop < 0
    ? undefined
    : parseObject(new TextDecoder().decode(raw.bytes.subarray(start, stop)));
  const cut = cutArguments(options.toolName, input, options);
  if (cut === undefined || cut === input) return 0;
  edits.add(start, stop, JSON.stringify(cut));
  return jsonChars(input) - jsonChars(cut);
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

function jsonChars(value: unknown): number {
  return countChars(JSON.stringify(value));
}
