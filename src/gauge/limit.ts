/** Finds the usage at which the client compacts, or at which an answer no longer fits. */

import type { EnvReader } from "../store/paths.ts";
import {
  type ContextWindow,
  isExtended,
  STANDARD_WINDOW_TOKENS,
  versionOfModel,
} from "../transcript/tokens/window.ts";
import type { CompactionSettings } from "./compaction_settings.ts";

const ANSWER_TOKENS = 20_000;

/** The client compacts at this many tokens below the point where an answer no longer fits. */
const COMPACTION_TOKENS = 13_000;

/** The client raises a smaller compaction window to this size. */
const MIN_COMPACTION_WINDOW = 100_000;

/** Sources that only guess the window. The client may use the standard window instead. */
export const GUESSED_SOURCES: ReadonlySet<ContextWindow["source"]> = new Set([
  "model",
  "newest",
  "default",
]);

export type LimitKind =
  | "compaction"
  /** The client has compacted this session automatically, at a lower usage than the window implies. */
  | "seen"
  /** An answer no longer fits. */
  | "answer"
  /** The end of the window, as reported by a program other than the client. */
  | "window";

export interface LimitFacts {
  readonly env: EnvReader;
  readonly model?: string | undefined;
  readonly settings?: CompactionSettings | undefined;
  /** Tokens used by the last answer before this session was compacted automatically. */
  readonly lastCompactionTokens?: number | undefined;
  /** Tokens used now. Usage far above the last compaction shows that the limit is higher now. */
  readonly used?: number | undefined;
}

/**
 * Finds the limit that the client's own context line uses.
 *
 * Limits implied by the line in Claude Code 2.1.330: of 200,000 tokens, 167,000 for Sonnet and Opus 4.6, 180,000
 * for 4.5 models, and 144,000 for Sonnet 4.6 with an override of 80 percent; of a million, 980,000 for Opus 4.6
 * and 967,000 for Sonnet 5. With compaction windows of 400,000, 110,000 and 20,000: 367,000, 77,000 and 67,000.
 */
export function contextLimit(
  window: ContextWindow,
  facts: LimitFacts,
): { tokens: number; kind: LimitKind } {
  // Metadata lines come from another program, which uses the whole window as the limit.
  if (window.source === "metadata") return { tokens: window.tokens, kind: "window" };
  if (!compactsAutomatically(window, facts)) {
    return { tokens: answerLimit(window.tokens), kind: "answer" };
  }
  const maxWindow = Math.min(window.tokens, compactionWindow(facts) ?? Infinity);
  const point = compactionPoint(maxWindow, facts.env);
  const { lastCompactionTokens, used = 0 } = facts;
  if (lastCompactionTokens === undefined) return { tokens: point, kind: "compaction" };
  // The client compacted at `lastCompactionTokens` or above, because that is the usage of the last answer. If
  // the window is a guess, the client may not recognize the model, and then assumes the standard window. In
  // that case, it compacted no earlier than at the compaction point of the standard window.
  const assumed = GUESSED_SOURCES.has(window.source)
    ? Math.min(maxWindow, STANDARD_WINDOW_TOKENS)
    : 0;
  const minPoint = Math.max(lastCompactionTokens, compactionPoint(assumed, facts.env));
  const isLarger = used > (minPoint === lastCompactionTokens ? lastCompactionTokens : assumed);
  return isLarger || minPoint >= point
    ? { tokens: point, kind: "compaction" }
    : { tokens: minPoint, kind: "seen" };
}

function compactionPoint(window: number, env: EnvReader): number {
  return Math.min(compactionLimit(window), overrideLimit(window, env));
}

export function compactionLimit(window: number): number {
  return window - reservedTokens(window, ANSWER_TOKENS + COMPACTION_TOKENS);
}

export function answerLimit(window: number): number {
  return window - reservedTokens(window, ANSWER_TOKENS);
}

/** In a small window, the client reserves a percentage instead. */
function reservedTokens(window: number, tokens: number): number {
  return Math.min(tokens, Math.floor((window * tokens) / MIN_COMPACTION_WINDOW));
}

function compactsAutomatically({ tokens, source }: ContextWindow, facts: LimitFacts): boolean {
  const { env, settings, model = "" } = facts;
  if (isOn(env("DISABLE_COMPACT")) || isOn(env("DISABLE_AUTO_COMPACT"))) return false;
  if (settings?.isEnabled === false) return false;
  // Without a compaction window, the client waits for the API to refuse a request if the model is older
  // than 4.6, or if a model with a window of 200,000 tokens runs with a million.
  return Number.isFinite(compactionWindow(facts) ?? NaN) ||
    !(versionOfModel(model) < 406 || (source !== "config" && isExtended(model, tokens)));
}

function compactionWindow({ env, settings }: LimitFacts): number | undefined {
  const named = Number(env("CLAUDE_CODE_AUTO_COMPACT_WINDOW"));
  const window = Number.isSafeInteger(named) && named > 0 ? named : settings?.window;
  return window === undefined ? undefined : Math.max(window, MIN_COMPACTION_WINDOW);
}

/** Returns the usage at which the user's override makes the client compact. */
export function overrideLimit(window: number, env: EnvReader): number {
  const percent = Number(env("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"));
  const share = percent > 0 ? Math.min(1, percent / 100) : 1;
  return Math.floor(answerLimit(window) * share);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes", "on"].includes(value.toLowerCase());
}
