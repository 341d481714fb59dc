/** The client's limit for a window: it reserves room for its answer, and compacts before that. */

import type { EnvReader } from "../store/paths.ts";
import {
  type ContextWindow,
  isExtended,
  isModelBefore,
  STANDARD_WINDOW_TOKENS,
} from "../transcript/tokens/window.ts";
import type { CompactionSettings } from "./compaction_settings.ts";

/** Room that the client keeps for its answer, in tokens. */
const ANSWER_TOKENS = 20_000;

/** Tokens before the limit at which it compacts automatically. */
const COMPACTION_TOKENS = 13_000;

/** The client's smallest compaction window, in tokens: it raises a smaller one to this. */
const MIN_COMPACTION_WINDOW = 100_000;

/** Sources of a guessed window: the client may use the standard window instead. */
export const GUESSED_SOURCES: ReadonlySet<ContextWindow["source"]> = new Set([
  "model",
  "newest",
  "default",
]);

/** The event at a limit. */
export type LimitKind =
  /** The client compacts automatically. */
  | "compaction"
  /** It has compacted this session automatically there. */
  | "seen"
  /** An answer no longer fits. */
  | "answer"
  /** The window itself, where another program than the client names it. */
  | "window";

interface ContextLimit {
  readonly tokens: number;
  readonly kind: LimitKind;
}

export interface LimitClues {
  readonly env: EnvReader;
  readonly model?: string | undefined;
  readonly settings?: CompactionSettings | undefined;
  /** Tokens that the last answer had used when this session was compacted automatically. */
  readonly seen?: number | undefined;
  /** Usage in tokens; a compaction seen at lower usage is no limit. */
  readonly used?: number | undefined;
}

/**
 * Finds the limit that the client's own line counts against.
 *
 * Source: that line in Claude Code 2.1.330, at 150,020 tokens: "10% until auto-compact" for Sonnet 4.6
 * and Opus 4.6, "83% context used" for Haiku, Sonnet and Opus 4.5, so 167,000 and 180,000 of 200,000;
 * at 350,020 "5%" with a compaction window of 400,000, so 367,000; at 135,020 "6%" for Sonnet 4.6 with
 * an override of 80 percent, so 144,000; at 70,020 "9% until auto-compact" for Haiku 4.5 with a
 * compaction window of 110,000, so 77,000; at 12,020 of a compaction window of 20,000 it compacts at
 * 67,000, as with one of 100,000; at 965,020 "98% context used" for Opus 4.6 with a million, so 980,000,
 * and at 960,020 "1%" for Sonnet 5, so 967,000.
 */
export function contextLimit(window: ContextWindow, clues: LimitClues): ContextLimit {
  // A program that adds lines of its own counts by them.
  if (window.source === "metadata") return { tokens: window.tokens, kind: "window" };
  if (!compactsByItself(window, clues)) {
    return { tokens: answerLimit(window.tokens), kind: "answer" };
  }
  const most = Math.min(window.tokens, compactionWindow(clues) ?? Infinity);
  const point = compactionPoint(most, clues.env);
  const { seen, used = 0 } = clues;
  if (seen === undefined || seen >= point) return { tokens: point, kind: "compaction" };
  // A client that does not know the model gives it the standard window. It compacted later than at
  // the last answer, by what came since.
  const usual = GUESSED_SOURCES.has(window.source) ? Math.min(most, STANDARD_WINDOW_TOKENS) : 0;
  const least = Math.max(seen, compactionPoint(usual, clues.env));
  const isLarger = used > (least === seen ? seen : usual);
  return isLarger || least >= point
    ? { tokens: point, kind: "compaction" }
    : { tokens: least, kind: "seen" };
}

function compactionPoint(window: number, env: EnvReader): number {
  return Math.min(
    window - reserved(window, ANSWER_TOKENS + COMPACTION_TOKENS),
    Math.floor(answerLimit(window) * overrideShare(env)),
  );
}

/** The usage above which an answer no longer fits. */
export function answerLimit(window: number): number {
  return window - reserved(window, ANSWER_TOKENS);
}

/** A window that is smaller than any of the client's keeps the same share free. */
function reserved(window: number, tokens: number): number {
  return Math.min(tokens, Math.floor((window * tokens) / MIN_COMPACTION_WINDOW));
}

function compactsByItself({ tokens, source }: ContextWindow, clues: LimitClues): boolean {
  const { env, settings, model = "" } = clues;
  if (isOn(env("DISABLE_COMPACT")) || isOn(env("DISABLE_AUTO_COMPACT"))) return false;
  if (settings?.isEnabled === false) return false;
  // Without a compaction window it waits for the API to refuse a request of models up to 4.5, and of
  // those of 200,000 tokens that run with a million.
  return Number.isFinite(compactionWindow(clues) ?? NaN) ||
    !(isModelBefore(model, 4, 6) || (source !== "config" && isExtended(model, tokens)));
}

function compactionWindow({ env, settings }: LimitClues): number | undefined {
  const named = Number(env("CLAUDE_CODE_AUTO_COMPACT_WINDOW"));
  const window = Number.isSafeInteger(named) && named > 0 ? named : settings?.window;
  return window === undefined ? undefined : Math.max(window, MIN_COMPACTION_WINDOW);
}

/** The usable share at which a user has the client compact; 1 by default. */
function overrideShare(env: EnvReader): number {
  const percent = Number(env("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"));
  return percent > 0 && percent <= 100 ? percent / 100 : 1;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes", "on"].includes(value.toLowerCase());
}
