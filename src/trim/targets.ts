/** Which tools' results a trim cuts. */

import type { TrimStyle } from "./left.ts";

/** The tools whose results are cut unless the caller says otherwise. */
export const DEFAULT_TARGET_TOOLS: readonly string[] = ["Read", "Bash", "Grep", "Glob"];

/** Tools in whose results somebody says what is to be done; no digest can stand for that. */
const SAID_IN_RESULTS: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "Skill",
  "TodoWrite",
]);

/** Names of tools; no single text, although that is iterable. */
export type ToolNameList = Iterable<string> & object;

export interface TargetOptions {
  /** The tools that were named. @default {DEFAULT_TARGET_TOOLS} */
  readonly targetTools?: ToolNameList | undefined;
  readonly isAll: boolean;
  readonly style: TrimStyle;
}

/** Tells whether results of a tool are cut; by need all are, unless tools were named. */
export function targetTest(
  { targetTools, isAll, style }: TargetOptions,
): (toolName: string) => boolean {
  // A text is iterable, too: its letters would be taken for the names of tools.
  if (typeof targetTools === "string") {
    const shown = JSON.stringify(targetTools);
    throw new TypeError(`Cannot trim: targetTools must be a list of names, such as [${shown}]`);
  }
  const targets = new Set(targetTools ?? DEFAULT_TARGET_TOOLS);
  if (isAll) return () => true;
  if (style === "need" && isUsual(targets)) return (toolName) => !SAID_IN_RESULTS.has(toolName);
  return (toolName) => targets.has(toolName);
}

export function isUsual(targets: ReadonlySet<string>): boolean {
  return targets.size === DEFAULT_TARGET_TOOLS.length &&
    DEFAULT_TARGET_TOOLS.every((name) => targets.has(name));
}
