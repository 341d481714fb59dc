import type { ContextConfig } from "../config/schema.ts";
import type { EnvReader } from "../store/paths.ts";
import type { InsideRecord } from "../store/inside_record.ts";
import type { SessionState } from "../store/state.ts";
import type { TailUsage } from "../transcript/tokens/usage.ts";
import { resolveWindow, type WindowSource } from "../transcript/tokens/window.ts";
import { readCompactionSettings, type SettingsPlace } from "./compaction_settings.ts";
import { type WarningLevel, warningLevel } from "./ladder.ts";
import { contextLimit, type LimitKind } from "./limit.ts";

type UsageSource =
  | "api"
  | "metadata"
  /** Estimated by the trim that wrote the transcript; no answer has followed. */
  | "trim"
  /** Reported by the client to the module, or estimated by a trim in place. */
  | "inside"
  /** Reported by the client to the status line, and used if the transcript has no figure. */
  | "statusline"
  | "none";

export interface SessionPressure {
  /** Tokens in context; null if unknown, for example before the first answer or after a compaction. */
  readonly tokens: number | null;
  readonly window: number;
  /** Usage that counts as 100 percent, in tokens; `limitKind` is what happens at this usage. */
  readonly limit: number;
  readonly limitKind: LimitKind;
  readonly left: number | null;
  /** Percentage of the limit, a whole number from 0 to 100; null if `tokens` is null. */
  readonly percent: number | null;
  readonly level: WarningLevel | null;
  readonly source: UsageSource;
  readonly windowSource: WindowSource;
  /** Whether the session was compacted after its newest answer; false if a trim in place recorded its size. */
  readonly isCompacted: boolean;
  /** Model of the newest answer or, if unknown, of the next request; null if both are unknown. */
  readonly model: string | null;
}

export interface PressureFacts {
  readonly config: ContextConfig;
  readonly state: SessionState;
  readonly env: EnvReader;
  /** Locations of the client's settings, which affect the limit. @default {undefined} */
  readonly place?: SettingsPlace | undefined;
  /** Model of the next request, used if no answer contains a model. @default {undefined} */
  readonly model?: string | undefined;
  readonly inside?: InsideRecord | undefined;
}

export function judgeUsage(tail: TailUsage, facts: PressureFacts): SessionPressure {
  const { config, state, env } = facts;
  const { usage, isCompacted } = tail;
  const model = usage?.model ?? facts.model;
  // Figures that the module recorded for a different model do not apply.
  const { fill: reported, trims } = facts.inside ?? { trims: [] };
  const fill = reported !== undefined && reported.model === (model ?? reported.model)
    ? reported
    : undefined;
  const isTrimmed = isCompacted && fill !== undefined &&
    fill.tokens === trims.at(-1)?.tokens_after;
  // After a compaction, recorded figures are outdated, unless a trim in place recorded them.
  const inside = usage === null && (isTrimmed || !isCompacted) ? fill?.tokens ?? null : null;
  const recorded = usage === null && !isCompacted ? state.usage_tokens : undefined;
  const tokens = usage?.tokens ?? inside ?? recorded ?? null;
  const window = resolveWindow({
    usedTokens: tokens ?? undefined,
    configured: config.window_tokens ?? undefined,
    recorded: fill?.window ?? state.window_tokens,
    metadata: usage?.window,
    model,
    env,
  });
  const isReported = fill !== undefined && fill.window === window.tokens;
  const limit = isReported ? { tokens: fill.limit, kind: fill.limit_kind } : contextLimit(window, {
    env,
    model,
    settings: facts.place && readCompactionSettings(facts.place, model),
    lastCompactionTokens: state.auto_compacted_at,
    used: tokens ?? 0,
  });
  const percent = tokens === null
    ? null
    : contextPercent(tokens, limit.tokens, roundingOf(usage?.source));
  return {
    tokens,
    window: window.tokens,
    limit: limit.tokens,
    limitKind: limit.kind,
    left: tokens === null ? null : Math.max(0, limit.tokens - tokens),
    percent,
    level: percent === null ? null : warningLevel(percent, config),
    source: usage?.source ??
      (inside !== null ? "inside" : recorded === undefined ? "none" : "statusline"),
    windowSource: window.source,
    isCompacted: isCompacted && !isTrimmed,
    model: model ?? null,
  };
}

/** Figures from metadata lines are rounded down, as all readers of such lines do. */
export function roundingOf(source: string | undefined): (percent: number) => number {
  return source === "metadata" ? Math.floor : Math.round;
}

/** Rounds half up by default, and returns at most 100, as the client's context line does. */
export function contextPercent(
  tokens: number,
  limit: number,
  round: (percent: number) => number = Math.round,
): number {
  return Math.min(100, Math.max(0, round((tokens / limit) * 100)));
}
