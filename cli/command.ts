/** The shared part of all commands: arguments, help, output as JSON or text, and exit codes. */

import {
  type Arguments,
  camelCase,
  type CommandSpec,
  helpText,
  type OptionSpec,
  refuse,
  refuseTogether,
  UsageError,
} from "./spec.ts";
import { print, printContent, printError } from "./print.ts";
import { errorMessage } from "./trouble.ts";
import { parseArguments } from "./parse.ts";

/** Exit codes. Scripts depend on them, so they must not change. */
export const EXIT = { done: 0, failed: 1, usage: 2, findings: 3 } as const;

export interface CommandOutput {
  json: unknown;
  text: string;
  /** Printed below the text, with its colors kept, so it must not contain text from a session. */
  drawing?: string;
  /** Whether the text is content rather than a report. Content is printed unchanged, except to a terminal. */
  isContent?: boolean;
  exitCode?: number;
}

function parseCommandLine<Option extends OptionSpec>(
  spec: CommandSpec<Option>,
  argv: readonly string[],
): Arguments<Option> {
  const parsed = parseArguments(spec, argv);
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
      const { positionals, options } = parseCommandLine(
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
        // On a nonzero exit code, the skill would not load, and the model would never see the error.
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
