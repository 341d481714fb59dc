/**
 * Parses the text after a slash command without `@std/cli`, because a hook must work on a machine that has
 * never reached a registry. A test checks that both parsers agree.
 */

import {
  type Arguments,
  checkArguments,
  type CommandSpec,
  findOption,
  type OptionSpec,
  UsageError,
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
  const given: [string, string | true | undefined][] = [];
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
    const { name, type } = findOption(spec, word);
    const equals = word.indexOf("=");
    if (equals >= 0) {
      given.push([name, word.slice(equals + 1)]);
    } else if (type === "flag") {
      given.push([name, true]);
    } else {
      const next = argv[index + 1];
      const isValue = next !== undefined && (next === "-" || !next.startsWith("-"));
      if (isValue) index++;
      given.push([name, isValue ? next : undefined]);
    }
  }
  return checkArguments(spec, positionals, given);
}
