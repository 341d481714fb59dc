/** Facts that a trim by need uses, in a copy and inside the client. */

import { type NeedRules, WRITTEN_DIGEST } from "../core/need.ts";
import type { MarkRecord } from "../core/marks.ts";
import type { NeedWatchOptions } from "../core/need_watch.ts";
import { countChars } from "../core/chars.ts";
import type { InputOptions } from "./input_texts.ts";
import { fixedUnitsOf } from "./marks/fixed_units.ts";
import type { TrimStyle } from "./mask_text.ts";
import { digestNotice, markedUnits, SOME_LINE } from "./truncate.ts";

/** Digests are sized for this threshold, in characters. */
const USUAL_THRESHOLD = 500;

/** Digests do not grow beyond so many times their size, whatever the threshold. */
const MAX_SCALE = 4;

/** A shorter text in a call's arguments is not worth a notice, in characters. */
const MIN_DEAD_INPUT_CHARS = 200;

export interface NeedSettings {
  readonly need: NeedRules;
  readonly keepRecent: number;
  readonly threshold: number;
  readonly parentFile: string;
  /** Marks that earlier trims of the session left. @default {undefined: the look of a mark decides} */
  readonly record?: MarkRecord | undefined;
}

export function watchOptions(
  { need, keepRecent, threshold, parentFile, record }: NeedSettings,
): Omit<NeedWatchOptions, "decide" | "decideInput"> {
  return {
    rules: need,
    keepRecent,
    threshold: threshold > USUAL_THRESHOLD ? threshold : Math.min(threshold, need.shortest),
    scale: Math.min(MAX_SCALE, threshold / USUAL_THRESHOLD),
    noticeChars: measuredNotice(parentFile).length,
    fixedUnits: (text, call, allowedChars) => {
      const part = { id: call.id, kind: "result" } as const;
      const { fixedUnits = markedUnits } = fixedUnitsOf({ record, part, call, allowedChars });
      return fixedUnits(text);
    },
  };
}

export function measuredNotice(parentFile: string): string {
  return digestNotice(SOME_LINE, SOME_LINE, { lineNumber: SOME_LINE, parentFile });
}

/** Options for cutting a call's arguments; with `texts`, only those, as no longer needed. */
export function inputOptions(
  { id, style, threshold, record, texts }: {
    readonly id: string;
    readonly style: TrimStyle;
    readonly threshold: number;
    readonly record?: MarkRecord | undefined;
    readonly texts?: readonly string[] | undefined;
  },
): Omit<InputOptions, "lineNumber" | "parentFile"> {
  const part = { id, kind: "call" } as const;
  if (texts !== undefined) {
    const { head, names } = WRITTEN_DIGEST;
    return {
      threshold: Math.min(threshold, MIN_DEAD_INPUT_CHARS),
      keep: 0,
      digest: WRITTEN_DIGEST,
      texts,
      ...fixedUnitsOf({ record, part, allowedChars: head + names }),
    };
  }
  // A masked argument is replaced by a notice as a whole.
  const keep = style === "truncate" ? undefined : 0;
  return { threshold, keep, ...fixedUnitsOf({ record, part, allowedChars: keep ?? threshold }) };
}

/** Puts a notice behind what is left of a text; the text itself where that is not shorter. */
export function withDigestNotice(
  text: string,
  left: string,
  place: { readonly lineNumber: number; readonly parentFile: string },
): string {
  const chars = countChars(text);
  const cut = left + digestNotice(chars, countChars(left), place);
  return countChars(cut) < chars ? cut : text;
}
