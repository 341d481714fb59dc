/** Renders the reference page for commands. */

import { COMMANDS } from "../scripts/trimtab.ts";
import { EXIT } from "../cli/command.ts";
import {
  type CommandSpec,
  COMMON_OPTIONS,
  IN_PLACE_TITLE,
  optionHelp,
  type OptionSpec,
  optionUsage,
  SESSION_NOTE,
  usageOf,
} from "../cli/spec.ts";
import { summaryOf } from "../cli/summaries.ts";
import { code, GENERATED, list, paragraphs, words } from "./reference_text.ts";

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  failed: "failed, nothing was changed",
  usage: "wrong usage; stderr says what is expected",
  findings: "done, and problems were found (`doctor`)",
};

export async function commandsPage(): Promise<string> {
  const commands = await Promise.all(
    Object.values(COMMANDS).map(async (load): Promise<CommandSpec> => (await load()).SPEC),
  );
  return [
    "# Commands",
    GENERATED,
    "Run `trimtab COMMAND` in Claude Code's Bash tool, or [in your shell](../guides/commands.md).",
    commands.map(({ name }) => `[${name}](#trimtab-${name})`).join(", "),
    "## Every command",
    optionList(COMMON_OPTIONS),
    "Output goes to stdout (with `--json`, only JSON), problems to stderr. " +
    paragraphs(SESSION_NOTE),
    "## Exit codes",
    list(
      Object.entries(EXIT).map(([name, value]) =>
        `${value}: ${EXIT_MEANINGS[name as keyof typeof EXIT]}`
      ),
    ),
    ...commands.map(commandSection),
  ].join("\n\n") + "\n";
}

function commandSection(spec: CommandSpec): string {
  const { options = [] } = spec;
  const inPlace = options.filter(({ isInPlace }) => isInPlace === true);
  return [
    `## trimtab ${spec.name}`,
    `${code(usageOf(spec))}: ${words(summaryOf(spec.name))}`,
    optionList(options.filter(({ isInPlace }) => isInPlace !== true)),
    paragraphs(spec.notes ?? []),
    ...(inPlace.length === 0 ? [] : [IN_PLACE_TITLE, optionList(inPlace)]),
  ].filter((part) => part !== "").join("\n\n");
}

function optionList(options: readonly OptionSpec[]): string {
  return list(
    options.map((option) => `${code(optionUsage(option))}: ${words(optionHelp(option))}`),
  );
}
