/**
 * The page of the commands.
 *
 * @module
 */

import { EXIT, EXIT_MEANINGS } from "../cli/command.ts";
import { type CommandSpec, COMMON_OPTIONS, type OptionSpec } from "../cli/spec.ts";
import { code, GENERATED, list, paragraphs, words } from "./reference_text.ts";

/** What many commands say of SESSION; the page says it once for all of them. */
const SESSION_NOTE =
  /^SESSION is an id, the first 8 characters of one, or a path; left out, [^.]*newest of this folder\.\s*/m;

/**
 * Writes the page.
 *
 * @param commands The commands in their order.
 * @returns The page.
 */
export function commandsPage(commands: readonly CommandSpec[]): string {
  return [
    "# Commands",
    GENERATED,
    "Run them as `trimtab COMMAND`, by `bin/trimtab` or on the PATH; `trimtab COMMAND --help` says " +
    "the same as here. A plugin's `bin/` folder is on the PATH of Claude Code's Bash tool.",
    commands.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(" · "),
    "## Every command",
    optionList(COMMON_OPTIONS),
    "JSON goes to stdout alone; words for people go to stdout, trouble to stderr. SESSION is an id, the " +
    "first 8 characters of one, or a path; left out, the session that the command runs in, else the newest of " +
    "this folder.",
    "## Exit codes",
    list(
      Object.entries(EXIT).map(([name, value]) => {
        const meaning = Object.entries(EXIT_MEANINGS).find(([key]) => key === name)?.[1];
        return `${value}: ${meaning ?? name}`;
      }),
    ),
    ...commands.map(commandSection),
  ].join("\n\n") + "\n";
}

function commandSection(spec: CommandSpec): string {
  const notes = paragraphs(spec.notes ?? []).replace(SESSION_NOTE, "").trim();
  return [
    `## trimtab ${spec.name}`,
    `${code(`${usageOf(spec)}${spec.options.length === 0 ? "" : " [OPTIONS]"}`)}: ${
      words(spec.summary)
    }`,
    ...(spec.options.length === 0 ? [] : [optionList(spec.options)]),
    ...(notes === "" ? [] : [notes]),
  ].join("\n\n");
}

function optionList(options: readonly OptionSpec[]): string {
  return list(options.map((option) => {
    const value = option.type === "flag" ? "" : ` ${option.value ?? "VALUE"}`;
    const where = option.isInPlace === true ? " (only `/trim` in place)" : "";
    const again = option.type === "list" && !/again|repeatable/.test(option.help)
      ? " (may be given again)"
      : "";
    return `${code(`--${option.name}${value}`)}: ${words(option.help)}${where}${again}`;
  }));
}

function usageOf(spec: CommandSpec): string {
  return `trimtab ${spec.name} ${spec.positionals}`.trimEnd();
}

/** Returns the link to a command's heading. */
function anchorOf(name: string): string {
  return `trimtab-${name}`;
}
