import type { EnvReader } from "../../store/paths.ts";

export const STANDARD_WINDOW_TOKENS = 200_000;

export const LARGE_WINDOW_TOKENS = 1_000_000;

/**
 * Versions of the first model with a large window and of the newest known model, whose window newer models are
 * assumed to have. Source: `modelUsage.contextWindow` of Claude Code 2.1.330.
 */
const FAMILIES = [
  { name: "fable", largeFrom: 500, newest: 500 },
  { name: "mythos", largeFrom: 500, newest: 500 },
  { name: "opus", largeFrom: 407, newest: 505 },
  { name: "sonnet", largeFrom: 500, newest: 505 },
  { name: "haiku", largeFrom: 505, newest: 505 },
];

/** Matches names such as `us.anthropic.claude-opus-5-v1:0` and `claude-3-7-sonnet`. */
const MODEL_NAME =
  /(?:^|[./])claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)(?:-([a-z]{2,}))?/i;

/** Sources of a window's size, most reliable first. */
export type WindowSource =
  | "config"
  | "environment"
  | "statusline"
  | "metadata"
  | "model"
  /** The model is newer than the known models of its family, and is treated as the newest of them. */
  | "newest"
  | "default"
  | "inferred";

export interface ContextWindow {
  tokens: number;
  source: WindowSource;
}

export interface WindowHints {
  usedTokens?: number | undefined;
  configured?: number | undefined;
  recorded?: number | undefined;
  metadata?: number | undefined;
  model?: string | undefined;
  env?: EnvReader | undefined;
}

/** If the usage exceeds a size from the environment or the model, returns the next common size. */
export function resolveWindow(hints: WindowHints): ContextWindow {
  const { usedTokens = 0, configured, metadata } = hints;
  if (configured !== undefined) return { tokens: configured, source: "config" };
  const known = knownWindow(hints);
  // The usage may exceed a reported window, for example after a change to a model with a smaller window.
  const isReported = known.source === "statusline" || known.tokens === metadata;
  if (usedTokens <= known.tokens || isReported) return known;
  const larger = [STANDARD_WINDOW_TOKENS, LARGE_WINDOW_TOKENS].find((size) => usedTokens <= size);
  return larger === undefined ? known : { tokens: larger, source: "inferred" };
}

function knownWindow(hints: WindowHints): ContextWindow {
  const env = hints.env ?? ((): undefined => undefined);
  const limit = Number(env("CLAUDE_CODE_MAX_CONTEXT_TOKENS"));
  if (Number.isInteger(limit) && limit > 0) return { tokens: limit, source: "environment" };
  if (hints.recorded !== undefined) return { tokens: hints.recorded, source: "statusline" };
  if (hints.metadata !== undefined) return { tokens: hints.metadata, source: "metadata" };
  const window = windowOfModel(hints.model);
  if (window.tokens > STANDARD_WINDOW_TOKENS && isSet(env("CLAUDE_CODE_DISABLE_1M_CONTEXT"))) {
    return { tokens: STANDARD_WINDOW_TOKENS, source: "environment" };
  }
  return window;
}

/** Returns the major number times 100, plus the minor number, so 4.10 comes after 4.9; NaN if unknown. */
export function versionOfModel(name = ""): number {
  const [, , major, minor = 0] = MODEL_NAME.exec(name) ?? [];
  return Number(major) * 100 + Number(minor);
}

function familyOfModel(name: string): string {
  const [, before, , , after = ""] = MODEL_NAME.exec(name) ?? [];
  return (before ?? after).toLowerCase();
}

/** Whether a window is larger than the model's default, as with the suffix `[1m]`. */
export function isExtended(model: string, window: number): boolean {
  const { tokens, source } = windowOfModel(model.replace(/\[1m\]$/i, ""));
  return source === "model" && window > tokens;
}

/** Ignores the provider, the date and a suffix such as `[1m]`. */
export function isSameModel(one: string, other: string): boolean {
  return one === other ||
    (versionOfModel(one) === versionOfModel(other) && familyOfModel(one) === familyOfModel(other));
}

function windowOfModel(model = ""): ContextWindow {
  if (/\[1m\]$/i.test(model) || FAMILIES.some(({ name }) => name === model.toLowerCase())) {
    return { tokens: LARGE_WINDOW_TOKENS, source: "model" };
  }
  const version = versionOfModel(model);
  if (Number.isNaN(version)) {
    const isClaude = /^claude-/.test(model);
    return { tokens: STANDARD_WINDOW_TOKENS, source: isClaude ? "model" : "default" };
  }
  const family = FAMILIES.find(({ name }) => name === familyOfModel(model));
  const newest = family?.newest ?? Math.max(...FAMILIES.map((one) => one.newest));
  if (version > newest) {
    return { tokens: LARGE_WINDOW_TOKENS, source: "newest" };
  }
  const isLarge = family !== undefined && version >= family.largeFrom;
  return { tokens: isLarge ? LARGE_WINDOW_TOKENS : STANDARD_WINDOW_TOKENS, source: "model" };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["0", "false", "no", "off"].includes(value.toLowerCase());
}
