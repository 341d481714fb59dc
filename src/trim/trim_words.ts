/** Describes what a trim saved, what it kept and why nothing was cut, for copies and for trims in place. */

import { counted, grouped, thousands } from "../inject/bound.ts";
import type { SinceTrim } from "../transcript/since_trim.ts";
import type { InUse } from "../core/record.ts";
import type { CutPlan, KeptCounts } from "./cut_planner.ts";
import type { BeforeAfter } from "./trim_transcript.ts";

const MAX_LISTED_TOOLS = 8;

type UncutCounts = KeptCounts & Pick<CutPlan, "otherTools" | "namedTools">;

export function byToolText(
  byTool: readonly (readonly [name: string, count: number])[],
): string {
  const words = byTool.map(([name, count]) => `${name} ${count}`);
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

export function otherCutTexts(
  { inputs, images = 0, thinking = 0 }: { inputs: number; images?: number; thinking?: number },
): string[] {
  return countedTexts([
    [inputs, "input", " of Write and Edit calls"],
    [images, "picture or document"],
    [thinking, "block", " of old thinking"],
  ]);
}

function countedTexts(
  counts: readonly (readonly [count: number, noun: string, rest?: string])[],
): string[] {
  return counts.flatMap(([count, noun, rest = ""]) =>
    count === 0 ? [] : `${counted(count, noun)}${rest}`
  );
}

/** The percentages refer to the limit. */
export function sizeChangeText(
  { tokens, percent, limit }: {
    readonly tokens: Readonly<BeforeAfter>;
    readonly percent: Readonly<BeforeAfter>;
    readonly limit: number;
  },
): string {
  return `${grouped(tokens.before)} -> ${grouped(tokens.after)} tokens, ` +
    `${percent.before}% -> ${percent.after}% of ${grouped(limit)}`;
}

export function inUseText({ newest, passages, unused = 0 }: InUse): string {
  const parts = [
    ...countedTexts([
      [newest, "long output", " among the newest"],
      [unused, "file read", " not used yet"],
    ]),
    ...(passages === 0 ? [] : [`passages of ${counted(passages, "file read")}`]),
  ];
  return parts.length === 0 ? "" : `Kept because it may still be needed: ${parts.join(", ")}`;
}

export function keptTexts(counts: UncutCounts): string[] {
  const { protectedCount, ...inUse } = counts;
  return [
    ...noTargetTexts(counts).map((words) => `No output is cut: ${words}`),
    ...countedTexts([[protectedCount, "output", " about protected paths"]])
      .map((words) => `Kept: ${words}`),
    // Both counts are 0 unless `keep` is `need`.
    ...(inUse.passages === 0 && inUse.unused === 0 ? [] : [inUseText(inUse)]),
  ];
}

export function whyNothingWasCut(counts: Omit<UncutCounts, "passages">): string | undefined {
  const kept = countedTexts([
    [counts.newest, "long output", " among the newest"],
    [counts.unused, "file read", " not used yet"],
    [counts.protectedCount, "output", " about protected paths"],
  ]);
  if (kept.length === 0) return noTargetTexts(counts)[0];
  return `all outputs that may be cut are short. Kept: ${kept.join(", ")}`;
}

/** Lists the tools that were called if none of them is a target, so that a misspelled name is obvious. */
function noTargetTexts(
  { otherTools, namedTools }: Pick<UncutCounts, "otherTools" | "namedTools">,
): string[] {
  if (otherTools.length === 0) return [];
  const called = otherTools.slice(0, MAX_LISTED_TOOLS).join(", ") +
    (otherTools.length > MAX_LISTED_TOOLS ? " and others" : "");
  return [
    namedTools.length > 0
      ? `this session does not call ${namedTools.join(", ")}, only ${called}`
      : `this session calls none of the tools whose results are cut, only ${called}. ` +
        "To select others, use --tool",
  ];
}

export function sinceTrimText(
  { requests, rereads, recalls, failedEdits }: Omit<SinceTrim, "cuts">,
  savedTokens: number,
): string {
  const unsent = savedTokens > 0 ? `, ${thousands(savedTokens * requests)} tokens not sent` : "";
  const missed = countedTexts([
    [rereads, "repeated read", " of cut files"],
    [recalls, "output", " recalled"],
    [failedEdits, "edit", " failed"],
  ]);
  const needed = missed.length === 0 ? "no cut content was needed again" : missed.join(", ");
  return `${counted(requests, "request")}${unsent}; ${needed}`;
}

export function freesLittleText(freed: number, before: number): string {
  return `the trim would free ${grouped(Math.max(0, freed))} of ${grouped(before)} tokens`;
}

export function unreachedText(percent: number): string {
  return `${percent}% cannot be reached with these settings. If --depth deep --keep-recent 0 is not ` +
    "enough, use /rollover";
}
