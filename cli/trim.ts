/** Reads the options of a trim for the command, for the hook of `/trim`, and for a trim in place. */

import type { TrimChoices } from "../src/trim/trim_options.ts";
import {
  type Arguments,
  countOf,
  flagOf,
  listOf,
  refuseTogether,
  textOf,
  TRIM_SPEC,
  UsageError,
} from "./spec.ts";

/** Options that only `/trim` in place has, with advice for users of the command. */
const IN_PLACE: readonly (readonly [name: string, instead: string])[] = [
  ["drop", ". In claude -p: /compact trimtab --drop"],
  ["entries", ". Instead: trimtab report"],
  ["entry", ". In claude -p: /compact trimtab --entry"],
  ["status", ". Instead: trimtab status"],
  ["undo", ". A copy leaves its session unchanged"],
];

/** Throws if an option is given that only `/trim` in place supports. */
export function refuseInPlace({ values }: Arguments): void {
  const [name, instead] = IN_PLACE.find(([option]) => values.has(option)) ?? [];
  if (name === undefined) return;
  throw new UsageError(
    `Cannot run trim: --${name} works only in Claude Code 2.1.287 or newer, in a terminal with the ` +
      `plugin enabled${instead}`,
  );
}

/** Options that request an action other than a trim. */
const ACTIONS = /^(?:undo|status|entries|entry|drop)$/;
const EXCLUSIVE = /^(?:undo|status|entries|entry|drop|copy|json|explain)$/;

/** Throws if options exclude each other; otherwise one of them would have no effect. */
export function refuseMixed(args: Arguments): void {
  const { values } = args;
  // --undo excludes all other options, and --drop all but --dry-run.
  const mustBeAlone = (name: string): boolean =>
    values.has("undo") || (values.has("drop") && name !== "dry-run");
  const mixed = [...values.keys()].filter((name) => mustBeAlone(name) || EXCLUSIVE.test(name));
  if (mixed.some((name) => ACTIONS.test(name))) refuseTogether(TRIM_SPEC, args, mixed);
}

export function trimChoices(args: Arguments): TrimChoices {
  const depth = textOf(args, "depth");
  const keep = textOf(args, "keep");
  return {
    threshold: countOf(args, "threshold"),
    tools: listOf(args, "tool"),
    keepRecent: countOf(args, "keep-recent"),
    depth: depth === "deep" || depth === "light" ? depth : undefined,
    keep: keep === "need" || keep === "head" || keep === "line" ? keep : undefined,
    targetPercent: countOf(args, "target-percent"),
    protect: listOf(args, "protect"),
    dropImages: flagOf(args, "drop-images") ? true : undefined,
  };
}
