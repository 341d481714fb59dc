/**
 * Parses the arguments of a command, and those typed after `/trim`. Does not use `@std/cli`, because `/trim` must
 * work on a machine that has never reached a registry.
 */

import {
  type Arguments,
  camelCase,
  type CommandSpec,
  findOption,
  type OptionSpec,
  refuse,
  UsageError,
  usageOf,
} from "./spec.ts";

const MAX_ARGUMENT_CHARS = 10_000;

export function splitArguments(text: string): string[] {
  if (text.length > MAX_ARGUMENT_CHARS) {
    throw new UsageError(`Cannot read the arguments: over ${MAX_ARGUMENT_CHARS} characters`);
  }
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const char of text) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== "") throw new UsageError(`Cannot read the arguments: unterminated ${quote}`);
  if (word !== undefined) words.push(word);
  return words;
}

export function parseArguments<Option extends OptionSpec>(
  spec: CommandSpec<Option>,
  argv: readonly string[],
): Arguments<Option> {
  const positionals: string[] = [];
  const values = new Map<string, unknown>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--") {
      positionals.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const option = findOption(spec, word);
    const equals = word.indexOf("=");
    let value = equals < 0 ? undefined : word.slice(equals + 1);
    // Accepts `-` (stdin) and negative numbers as values; `valueOf()` rejects the numbers.
    if (option.type !== "flag" && equals < 0 && !/^-\D/.test(argv[index + 1] ?? "")) {
      value = argv[++index];
    }
    values.set(option.name, valueOf(spec, option, value, values.get(option.name)));
  }
  if (!values.has("help")) checkCount(spec, positionals);
  const options = Object.fromEntries([...values].map(([name, value]) => [camelCase(name), value]));
  // Safe, because `valueOf()` returns a value of the option's type.
  return { positionals, options: options as unknown as Arguments<Option>["options"] };
}

function checkCount(spec: CommandSpec, positionals: readonly string[]): void {
  const shown = spec.positionals?.split(" ") ?? [];
  const required = shown.filter((word) => !word.startsWith("[")).length;
  if (positionals.length < required || positionals.length > shown.length) {
    const got = positionals.length === 0 ? "nothing" : positionals.join(" ");
    refuse(spec, `usage is ${usageOf(spec)}, got ${got}`);
  }
}

function valueOf(
  spec: CommandSpec,
  { name, type, value: valueName, min = 0, max = Infinity, choices }: OptionSpec,
  value: string | undefined,
  earlier: unknown,
): unknown {
  if (type === "flag") {
    if (value !== undefined) refuse(spec, `--${name} takes no value`);
    return true;
  }
  if (value === undefined || value === "") {
    refuse(spec, `--${name} needs a value: --${name} ${valueName}`);
  }
  if (type === "list") return Array.isArray(earlier) ? [...earlier, value] : [value];
  if (earlier !== undefined) refuse(spec, `--${name} is given more than once`);
  const isOutside = Number(value) < min || Number(value) > max;
  if (type === "count" && (!/^\d{1,15}$/.test(value) || isOutside)) {
    const range = max < Infinity ? `from ${min} to ${max}` : `of ${min} or more`;
    refuse(spec, `--${name} must be a whole number ${range}, got ${JSON.stringify(value)}`);
  }
  if (choices !== undefined && !choices.includes(value)) {
    refuse(spec, `--${name} must be one of ${choices.join(", ")}, got ${JSON.stringify(value)}`);
  }
  return type === "count" ? Number(value) : value;
}
