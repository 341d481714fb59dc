/** The shared part of all commands: arguments, help, output as JSON or text, and exit codes. */

import {
  type Arguments,
  camelCase,
  checkArguments,
  type CommandSpec,
  findOption,
  helpText,
  optionsOf,
  type OptionSpec,
  refuse,
  refuseTogether,
  UsageError,
} from "./spec.ts";
import { print, printContent, printError } from "./print.ts";
import { errorMessage } from "./trouble.ts";

/** Exit codes. Scripts depend on them, so they must not change. */
export const EXIT = { done: 0, failed: 1, usage: 2, findings: 3 } as const;

export interface CommandOutput {
  json: unknown;
  text: string;
  /** Printed below the text with its color sequences, so it must not contain text from a session. */
  drawing?: string;
  /** Whether the text is content rather than a report. Content is printed unchanged, except to a terminal. */
  isContent?: boolean;
  exitCode?: number;
}

export async function parseCommandLine<Option extends OptionSpec>(
  spec: CommandSpec<Option>,
  argv: readonly string[],
): Promise<Arguments<Option>> {
  const parsed = await parseWords(spec, argv);
  const options: Readonly<Record<string, unknown>> = parsed.options;
  if (options["help"] === true) return parsed;
  const isGiven = (name: string): boolean => options[camelCase(name)] !== undefined;
  for (const names of spec.exclusive ?? []) refuseTogether(spec, names.filter(isGiven));
  for (const [name, needed] of Object.entries(spec.needs ?? {})) {
    if (!isGiven(name) || needed.some(isGiven)) continue;
    refuse(spec, `--${name} needs --${needed.join(" or --")}`);
  }
  return parsed;
}

/** Loads `@std/cli` only if the arguments contain more than positionals and plain flags. */
async function parseWords<Option extends OptionSpec>(
  spec: CommandSpec<Option>,
  argv: readonly string[],
): Promise<Arguments<Option>> {
  const options = optionsOf(spec);
  const isFlag = (word: string): boolean =>
    options.some(({ name, type }) => type === "flag" && word === `--${name}`);
  if (argv.every((word) => !word.startsWith("-") || isFlag(word))) {
    const words = argv.filter((word) => !isFlag(word));
    return checkArguments(spec, words, argv.filter(isFlag).map((word) => [word.slice(2), true]));
  }
  const { parseArgs } = await import("@std/cli");
  const names = options.map(({ name }) => name);
  const parsed = parseArgs(normalizeArguments(spec, argv), {
    string: ["_", ...names],
    collect: names,
  });
  const given = options.flatMap(({ name, type }) => {
    const values: unknown = parsed[name];
    return (Array.isArray(values) ? values : [])
      .map((value) => [name, type === "flag" ? true : String(value)] as const);
  });
  return checkArguments(spec, parsed._.map(String), given);
}

/**
 * Writes each option in its long form, and each flag as `--flag=true`, because `@std/cli` would
 * take the next word as its value. Rejects arguments that the library would misread: unknown
 * options, grouped letters such as `-ab`, and flags with a value.
 */
function normalizeArguments(spec: CommandSpec, argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.flatMap((word, index) => {
    if (end >= 0 && index >= end) return word;
    // A lone dash usually means stdin. The library takes it as a value only if joined with `=`.
    if (word === "-") return takesNextWord(spec, argv[index - 1]) ? [] : word;
    if (!word.startsWith("-")) return word;
    const { name, type } = optionOf(spec, word);
    const long = word.replace(/^[^=]+/, `--${name}`);
    if (type !== "flag") {
      return takesNextWord(spec, word) && argv[index + 1] === "-" ? `${long}=-` : long;
    }
    if (long === `--${name}`) return `${long}=true`;
    throw new UsageError(`Cannot run ${spec.name}: --${name} takes no value`);
  });
}

function optionOf(spec: CommandSpec, word: string): OptionSpec {
  const hint = spec.positionals?.startsWith("PATTERN") === true
    ? `\nPut a pattern that starts with - after --: trimtab ${spec.name} -- ${word.split("=", 1)}`
    : "";
  return findOption(spec, word, hint);
}

function takesNextWord(spec: CommandSpec, word: string | undefined): boolean {
  if (word === undefined || !/^-[^=]+$/.test(word) || word === "--") return false;
  return optionOf(spec, word).type !== "flag";
}

/** `usageErrors` lists the errors that the command's verb throws for an invalid argument. */
export function command<Option extends OptionSpec>(
  spec: CommandSpec<Option>,
  main: (
    options: Arguments<Option>["options"],
    ...positionals: readonly (string | undefined)[]
  ) => CommandOutput | Promise<CommandOutput>,
  usageErrors: readonly ErrorConstructor[] = [],
): (argv: readonly string[]) => Promise<number> {
  return async (argv) => {
    const isSkill = argv.includes("--skill");
    try {
      const { positionals, options } = await parseCommandLine(
        spec,
        argv.join(" ") === "-h" ? ["--help"] : argv,
      );
      if (options.help === true) {
        print(helpText(spec));
        return EXIT.done;
      }
      const output = await main(options, ...positionals);
      if (options.json === true) print(JSON.stringify(output.json));
      else if (output.isContent === true) printContent(output.text);
      else print(output.text, output.drawing);
      return isSkill ? EXIT.done : output.exitCode ?? EXIT.done;
    } catch (error) {
      const message = errorMessage(error);
      if (isSkill) {
        // After a nonzero exit code, the skill would not load, and the model would never see the error.
        print(`trimtab ${spec.name} failed. ${message}`);
        return EXIT.done;
      }
      printError(message);
      const isUsage = [UsageError, ...usageErrors].some((type) => error instanceof type);
      if (!isUsage) return EXIT.failed;
      printError(`See trimtab ${spec.name} --help`);
      return EXIT.usage;
    }
  };
}
