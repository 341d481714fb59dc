/** Reads the options of a trim for the command, for the hook of `/trim`, and for a trim in place. */

import type { TrimChoices } from "../src/trim/trim_options.ts";
import { MIN_INSIDE_CLIENT_VERSION } from "../src/version.ts";
import { refuseTogether, TRIM_SPEC, type TrimArguments, UsageError } from "./spec.ts";

type TrimOptions = TrimArguments["options"];

const IN_PLACE: readonly (readonly [name: keyof TrimOptions, instead: string])[] = [
  ["drop", ", or with claude -p as: /compact trimtab --drop LINES"],
  ["entries", ", or with claude -p as: /compact trimtab --entries. In a shell: trimtab report"],
  ["entry", ", or with claude -p as: /compact trimtab --entry LINE"],
  ["status", ", or with claude -p as: /compact trimtab --status. In a shell: trimtab status"],
  ["undo", ", or with claude -p as: /compact trimtab --undo. A copy leaves its session unchanged"],
];

export function refuseInPlaceOptions(options: TrimOptions): void {
  const [name, instead] = IN_PLACE.find(([option]) => options[option] !== undefined) ?? [];
  if (name === undefined) return;
  throw new UsageError(
    `Cannot run trim: --${name} works only in Claude Code ${MIN_INSIDE_CLIENT_VERSION} or newer, ` +
      `in a terminal with the plugin enabled${instead}`,
  );
}

/** Options that replace the usual trim with an action that only `/trim` in place supports. */
const ACTIONS = /^(?:undo|status|entries|entry|drop)$/;
const EXCLUSIVE = /^(?:undo|status|entries|entry|drop|copy|json|explain)$/;

export function isOnlyInPlace(options: TrimOptions): boolean {
  return Object.keys(options).some((name) => ACTIONS.test(name));
}

/** Throws if options exclude each other; otherwise one of them would have no effect. */
export function refuseConflicts(options: TrimOptions): void {
  // --undo excludes all other options, and --drop all but --dry-run.
  const mustBeAlone = (name: string): boolean =>
    options.undo !== undefined || (options.drop !== undefined && name !== "dryRun");
  const mixed = Object.keys(options).filter((name) => mustBeAlone(name) || EXCLUSIVE.test(name));
  if (!mixed.some((name) => ACTIONS.test(name))) return;
  const names = mixed.map((name) => name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`));
  refuseTogether(TRIM_SPEC, names);
}

export function trimChoices({ tool: tools, ...choices }: TrimOptions): TrimChoices {
  return { ...choices, tools: tools?.flatMap((list) => list.match(/[^,\s]+/g) ?? []) };
}
