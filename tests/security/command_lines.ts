/**
 * Derives the command lines of every command from its help text, so that new commands and options
 * are covered automatically.
 */

import { command, COMMANDS } from "./actor.ts";
import { SESSION } from "./world.ts";

export interface Slot {
  readonly command: string;
  /** The placeholder in the help text, such as `SESSION`; for an option, also its name: `--name FILE`. */
  readonly placeholder: string;
  argv(value: string): string[];
}

/** Arguments that make a command do its main job once and exit. */
const MAIN_JOB: Readonly<Record<string, readonly string[]>> = {
  rollover: ["--auto"],
  trim: ["--keep-recent", "0"],
  watch: ["--once"],
};

const REQUIRED_WITH: Readonly<Record<string, readonly string[]>> = {
  "prompt --guidelines": ["--task-ref", "#1"],
  "prompt --gh-cli": ["--task-ref", "#1"],
  "rollover --summary-file": [],
  "rollover --summary": [],
};

const VALUE: Readonly<Record<string, string>> = {
  SESSION,
  "ID:LINE": `${SESSION}:1`,
  PATTERN: "around",
  FILE: "latest",
};

export async function commandLines(): Promise<{ slots: Slot[]; mainJobs: [string, string[]][] }> {
  const slots: Slot[] = [];
  const mainJobs: [string, string[]][] = [];
  for (const name of COMMANDS) {
    const { stdout } = await command(name, ["--help"]);
    const words = /^Usage: trimtab \S+(.*) \[OPTIONS\]$/m.exec(stdout)?.[1]?.trim() ?? "";
    const placeholders = words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"))
      .map((word) => word.replaceAll(/[[\]]/g, ""));
    const job = MAIN_JOB[name] ?? [];
    const valid = placeholders.map((name) => VALUE[name]).filter((value) => value !== undefined);
    mainJobs.push([name, [...valid, ...job]]);
    for (const [index, what] of placeholders.entries()) {
      const before = placeholders.slice(0, index).map((name) => VALUE[name] ?? "latest");
      slots.push({
        command: name,
        placeholder: what,
        argv: (value) => [...before, what === "ID:LINE" ? `${value}:1` : value, ...job],
      });
    }
    for (const [, option = "", what = ""] of stdout.matchAll(/^ {2}--([\w-]+) ([A-Z]\S*) /gm)) {
      const required = REQUIRED_WITH[`${name} --${option}`] ?? job;
      slots.push({
        command: name,
        placeholder: `--${option} ${what}`,
        argv: (value) => [...valid, ...required, `--${option}=${value}`],
      });
    }
  }
  return { slots, mainJobs };
}
