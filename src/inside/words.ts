import { counted, grouped } from "../inject/bound.ts";
import { alternativeText } from "../gauge/advice.ts";
import { contextPercent } from "../gauge/judge.ts";
import {
  byToolText,
  freesLittleText,
  keptTexts,
  otherCutTexts,
  sizeChangeText,
  unreachedText,
  whyNothingWasCut,
} from "../trim/trim_words.ts";
import type { Losses } from "./media.ts";
import type { InsideTrim } from "./trim.ts";
import type { Turn } from "./turns.ts";

/** Starts every line about a trim in a transcript, so that readers can distinguish it from a compaction. */
export const TRIM_MARK = "trimmed in place:";

const UNDONE_MARK = "trim undone:";

const UNDO_HINT = "Undo: /trim --undo";

/**
 * Returns a single line, because the client removes line breaks from logged text.
 *
 * @param why The reason for a trim that the user did not type.
 */
export function describeInside(trim: InsideTrim, why = ""): string {
  const cut = cutsNothing(trim) ? "" : `${cutText(trim)} cut${why && ` ${why}`}, `;
  return [
    `${TRIM_MARK} ${cut}${contextText(trim)}`,
    // Without cuts, only pictures were replaced. An undo cannot restore those, and would undo an earlier trim.
    ...(cut === "" ? [] : [UNDO_HINT]),
    ...unreachedLines(trim),
    ...lossTexts(trim),
    ...keptTexts(trim.cuts),
    cacheText(trim.tokens),
    "Every message is still there, and trimtab show ID:LINE prints a cut output in full",
  ].join(". ");
}

export function cacheText({ after }: InsideTrim["tokens"]): string {
  return `One-time cost: the next request writes ${grouped(after)} tokens to the cache`;
}

export function describePlan(trim: InsideTrim): string {
  return [
    `Would trim in place: ${cutText(trim)}, ${contextText(trim)}`,
    ...unreachedLines(trim),
    ...keptTexts(trim.cuts),
    ...lossTexts(trim),
    "A trim in place writes no copy and makes no request. For a copy: /trim --copy",
  ].join("\n");
}

export function describeNoTrim(
  trim: InsideTrim,
  instead: { deep: number; newest: number },
): string {
  const { cuts, tokens: { before }, target, limit } = trim;
  if (target !== undefined && before <= target.tokens) {
    return `Nothing was cut: the context has ${grouped(before)} tokens, and the target is ` +
      `${grouped(target.tokens)}`;
  }
  const why = (cutsNothing(trim) ? whyNothingWasCut(cuts) : undefined) ??
    freesLittleText(cuts.savedTokens, before);
  const percent = contextPercent(before, limit);
  return `Nothing was cut: ${why}. ${alternativeText({ ...instead, percent })}`;
}

export function describeUndo(
  { results, inputs, media, isDropped, isFull }:
    & Record<"results" | "inputs" | "media", number>
    & Record<"isDropped" | "isFull", boolean>,
): string {
  const parts = [
    ...isDropped ? ["the turns"] : [],
    ...results === 0 ? [] : [counted(results, "tool output")],
    ...otherCutTexts({ inputs }),
  ].join(" and ");
  const next = isFull ? "; that fills the window, so the next request will need another trim" : "";
  return `${UNDONE_MARK} ${parts} restored${mediaSuffix(media, "still replaced")}${next}`;
}

export function describeDrop(
  turns: readonly Turn[],
  change: Pick<InsideTrim, "tokens" | "limit" | "losses" | "media">,
): string {
  const numbers = turns.map(({ number }) => number);
  const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  const isRange = turns.length > 1 && last - first < turns.length;
  const which = isRange ? `#${first} to #${last}` : `#${numbers.join(", #")}`;
  return [
    `${counted(turns.length, "turn")} (${which}) removed, ${contextText(change)}`,
    ...lossTexts(change),
  ].join(". ");
}

/** @param plan Cuts that make the restored conversation fit; absent if it fits without cuts. */
export function describeUndoneCompaction(
  { count, media }: { readonly count: number; readonly media: number },
  plan?: InsideTrim,
): string {
  const cut = plan && `, ${cutText(plan)} cut so that it fits (${contextText(plan)})`;
  const restored = `${counted(count, "message")} restored${cut ?? ""}`;
  return `compaction undone: ${restored}${mediaSuffix(media)}`;
}

function mediaSuffix(count: number, outcome?: string): string {
  return count === 0 ? "" : `; ${mediaText(count, outcome)}`;
}

function mediaText(count: number, outcome = "replaced"): string {
  const what = counted(count, "picture or document");
  return `${what} ${outcome} with a line (recall returns the original)`;
}

/** Describes a loss that only a copy avoids; returns `undefined` if a trim in place is safe. */
export function copyReason(
  { losses, mediaInUse }: Pick<InsideTrim, "losses" | "mediaInUse">,
  hint = " (--drop-images allows that)",
): string | undefined {
  if (mediaInUse > 0) {
    const what = `${counted(mediaInUse, "picture or document")} of the newest turn`;
    return `a change in place would replace ${what} with a line of text${hint}`;
  }
  return lossReason(losses);
}

export function lossReason({ lostTypes: types }: Pick<Losses, "lostTypes">): string | undefined {
  if (types.length === 0) return undefined;
  return `a change in place would lose blocks of type ${types.join(", ")}`;
}

function cutsNothing({ cuts }: InsideTrim): boolean {
  return cuts.results.size === 0 && cuts.inputs.size === 0;
}

function cutText({ cuts }: InsideTrim): string {
  const outputs = counted(cuts.results.size, "tool output") + byToolText(cuts.byTool);
  return [outputs, ...otherCutTexts({ inputs: cuts.inputs.size })].join(" and ");
}

function contextText({ tokens, limit }: Pick<InsideTrim, "tokens" | "limit">): string {
  const percent = {
    before: contextPercent(tokens.before, limit),
    after: contextPercent(tokens.after, limit),
  };
  return `${sizeChangeText({ tokens, percent, limit })} (estimate)`;
}

function unreachedLines({ isReached, target }: InsideTrim): string[] {
  return isReached || target === undefined ? [] : [unreachedText(target.percent)];
}

function lossTexts({ losses, media }: Pick<InsideTrim, "losses" | "media">): string[] {
  const { thinking, loadedTools: tools } = losses;
  return [
    ...(media.count === 0 ? [] : [mediaText(media.count)]),
    ...(thinking === 0 ? [] : [
      `${counted(thinking, "block")} of old thinking lost, as after any edit of earlier messages`,
    ]),
    ...(tools === 0 ? [] : [`${counted(tools, "tool")} must be searched for again`]),
  ];
}

const COMPACT_DISABLED = "no command named /compact";

export function describeFailure(reason: string, isUndo: boolean): string {
  const why = reason.includes(COMPACT_DISABLED)
    ? "Claude Code's /compact, which trimtab needs for this, is switched off (DISABLE_COMPACT)"
    : reason.replace(/^trimtab: (?:\$\.[\w.]+: )?/, "");
  return isUndo
    ? `could not undo: ${why}. Nothing was changed`
    : `could not trim in place: ${why}. For a copy: /trim --copy`;
}
