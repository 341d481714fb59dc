/**
 * Defines the rules that decide what a session still needs. They are based on real sessions, in
 * which recent results were used again most often, followed by results that share rare names with
 * the current work.
 *
 * `docs/background/regret.md` shows the effect of each rule.
 */

/** Limits for the kept parts of a cut result, in characters. */
export interface DigestSizes {
  readonly head: number;
  readonly definitions: number;
  readonly names: number;
}

export interface NeedRules {
  readonly focusItems: number;
  /** The more of the newest reads contain a name, the fewer lines around it are kept; above this number, none. */
  readonly fade: number;
  /** Lines kept around a name of the current work: `lines` on each side in the newest `reads` reads. */
  readonly passages: readonly { readonly reads: number; readonly lines: number }[];
  /**
   * A read is kept whole for `blocks` blocks if its file has not been mentioned since, because the work on it may
   * not have begun. The newest such reads are kept, up to the fraction `share` of all results' characters.
   */
  readonly unused: { readonly blocks: number; readonly share: number };
  /** Longest text that is kept whole, in characters, unless the trim's threshold overrides it. */
  readonly minChars: number;
  readonly read: DigestSizes;
  readonly other: DigestSizes;
  /** For another agent's report, which begins with the most important part. */
  readonly report: DigestSizes;
  /** Longest last line that is kept, in characters; unused for Read. The line often shows the outcome. */
  readonly maxLastLineChars: number;
  /** Maximum total length of the kept error lines, in characters; unused for Read, Grep and Glob. */
  readonly errorChars: number;
  /** Blocks after which an edit's old text is cut, because the edit removed this text from the file. */
  readonly oldTextAge: number;
  /** Blocks after which an edit's new text is cut if the file was read after the edit. */
  readonly newTextAge: number;
  /** Blocks after which the whole text of a written file is cut; `Infinity` for never. */
  readonly wholeTextAge: number;
}

const MIN_SAVED_CHARS = 200;
const MIN_SAVED_SHARE = 0.3;

/** A smaller cut costs more than it frees. */
export function isWorthCutting(before: number, after: number): boolean {
  return before - after >= Math.max(MIN_SAVED_CHARS, before * MIN_SAVED_SHARE);
}

/** Names are counted in this many of the newest reads. Older reads keep no passages. */
export const FOCUS_READS = 40;

export const WRITTEN_DIGEST: DigestSizes = { head: 60, definitions: 0, names: 200 };

export const LIGHT_NEED: NeedRules = {
  focusItems: 6,
  fade: 5,
  passages: [{ reads: 12, lines: 20 }, { reads: FOCUS_READS, lines: 6 }],
  unused: { blocks: 40, share: 0.4 },
  minChars: 500,
  read: { head: 100, definitions: 900, names: 1100 },
  other: { head: 100, definitions: 900, names: 700 },
  report: { head: 1500, definitions: 0, names: 600 },
  maxLastLineChars: 200,
  errorChars: 900,
  oldTextAge: 20,
  newTextAge: Infinity,
  wholeTextAge: Infinity,
};

export const DEEP_NEED: NeedRules = {
  focusItems: 4,
  fade: 10,
  passages: [{ reads: 7, lines: 6 }],
  unused: { blocks: 15, share: 0.05 },
  minChars: 250,
  read: { head: 60, definitions: 100, names: 700 },
  other: { head: 60, definitions: 100, names: 300 },
  report: { head: 300, definitions: 0, names: 200 },
  maxLastLineChars: 120,
  errorChars: 400,
  oldTextAge: 10,
  newTextAge: 60,
  wholeTextAge: 300,
};

/** The reason for cutting or keeping text. */
export type NeedReason =
  | "newest"
  | "not used yet"
  | "worked on"
  | "read again"
  | "old"
  | "confirmation"
  | "written again"
  | "replaced text"
  | "written text";

/** Ranks cuts by how often the cut text is used later. The lowest rank is cut first. */
const REGRETS: Readonly<Record<NeedReason, number>> = {
  "read again": 0,
  "written again": 0,
  "replaced text": 0,
  "confirmation": 0,
  "old": 1,
  "worked on": 2,
  "written text": 3,
  "not used yet": 4,
  "newest": 5,
};

/** Used for a cut without a `need` reason, such as a cut of all text that a call wrote. */
const UNKNOWN_REGRET = 4;

export function regretOf(reason: NeedReason | undefined): number {
  return reason === undefined ? UNKNOWN_REGRET : REGRETS[reason];
}
