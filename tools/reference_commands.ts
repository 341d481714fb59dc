/**
 * The page of the commands.
 *
 * @module
 */

import { EXIT, EXIT_MEANINGS } from "../cli/command.ts";
import { type CommandSpec, COMMON_OPTIONS, type OptionSpec } from "../cli/spec.ts";
import { code, GENERATED, paragraphs, table, words } from "./reference_text.ts";

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
    table(
      ["command", "does"],
      commands.map((spec) => [
        `[${code(usageOf(spec))}](#${anchorOf(spec.name)})`,
        words(spec.summary),
      ]),
    ),
    "## Options of every command",
    optionTable(COMMON_OPTIONS),
    "JSON goes to stdout alone; words for people go to stdout, trouble to stderr.",
    "## Exit codes",
    table(
      ["code", "means"],
      Object.entries(EXIT).map(([name, value]) => {
        const meaning = Object.entries(EXIT_MEANINGS).find(([key]) => key === name)?.[1];
        return [String(value), meaning ?? name];
      }),
    ),
    ...commands.map(commandSection),
  ].join("\n\n") + "\n";
}

function commandSection(spec: CommandSpec): string {
  return [
    `## trimtab ${spec.name}`,
    words(spec.summary),
    `Usage: ${code(`${usageOf(spec)} [OPTIONS]`)}`,
    ...(spec.options.length === 0 ? [] : [optionTable(spec.options)]),
    ...(spec.notes === undefined ? [] : [paragraphs(spec.notes)]),
  ].join("\n\n");
}

function optionTable(options: readonly OptionSpec[]): string {
  return table(
    ["option", "does"],
    options.map((option) => {
      const value = option.type === "flag" ? "" : ` ${option.value ?? "VALUE"}`;
      const where = option.isInPlace === true ? " (only `/trim` in place)" : "";
      const again = option.type === "list" && !option.help.includes("again")
        ? " (may be given again)"
        : "";
      return [code(`--${option.name}${value}`), words(option.help) + where + again];
    }),
  );
}

function usageOf(spec: CommandSpec): string {
  return `trimtab ${spec.name} ${spec.positionals}`.trimEnd();
}

/** Returns the link to a command's heading. */
function anchorOf(name: string): string {
  return `trimtab-${name}`;
}
