/** Computes and records how many tokens a trim of each depth and a rollover would free. */

import { unlessFailed } from "../store/exists.ts";
import { shortId } from "../core/marks.ts";
import { fileName } from "../store/paths.ts";
import { openFileSync } from "../store/read_file.ts";
import type { ContextConfig } from "../config/schema.ts";
import { isFresh } from "../gauge/advice.ts";
import type { FreedRecord, SessionState, StateOwner } from "../store/state.ts";
import { recordState } from "../store/state_update.ts";
import { findActiveContext } from "../transcript/tree/active_context.ts";
import { planTrim, type TrimPlan } from "./plan.ts";
import { paybackOf, rolloverSavings } from "./worth.ts";
import { resolveTrim, type TrimChoices, withConfig } from "./trim_options.ts";

/** Larger sessions are not measured, since the measurement runs between two turns. */
const MAX_MEASURED_BYTES = 64 * 1024 * 1024;

/** `knownTokens` is used if no answer reports usage. */
type MeasureRequest = Omit<TrimChoices, "depth" | "targetPercent"> & {
  readonly knownTokens?: number | undefined;
};

export function measureFreed(
  input: string,
  { knownTokens, ...request }: MeasureRequest = {},
): FreedRecord | null {
  using file = openFileSync(input);
  const bytes = file.statSync().size;
  if (bytes > MAX_MEASURED_BYTES) return null;
  const context = findActiveContext(file, bytes);
  const parentFile = noticeName(input);
  const planOf = (depth: "light" | "deep"): TrimPlan => {
    const [settings] = resolveTrim({ ...request, keep: "need", depth });
    return planTrim(file, context, { ...settings, parentFile, knownTokens });
  };
  const [light, deep] = [planOf("light"), planOf("deep")];
  const freed = {
    light: freedBy(light),
    deep: freedBy(deep),
    // A rollover drops at least everything that a trim cuts.
    rollover: Math.max(freedBy(deep), rolloverSavings(light.messageTokens)),
  };
  const pays = paybackOf(freed, {
    tokens: light.tokens.before,
    model: context.usage?.model,
    ttl: light.cacheTtlSeconds,
    isWarm: true,
  });
  return {
    at_tokens: light.tokens.before,
    ...freed,
    paid_back_after: { light: pays.light, deep: pays.deep },
    bytes,
    cache_ttl_seconds: light.cacheTtlSeconds ?? null,
    newest_at: light.newestAt ?? null,
    in_use: { newest: light.newest, passages: light.passages, unused: light.unused },
  };
}

/** Returns the tokens in context, estimated from the messages if no answer reports usage. */
export function tokensInContext(input: string): number {
  using file = openFileSync(input);
  const context = findActiveContext(file, file.statSync().size);
  const [rules] = resolveTrim({ keep: "head" });
  return planTrim(file, context, { ...rules, parentFile: noticeName(input) }).tokens.before;
}

function noticeName(transcript: string): string {
  return shortId(fileName(transcript));
}

export interface FilledSession {
  readonly owner: StateOwner;
  readonly transcript: string;
  readonly tokens: number;
  readonly isEstimate?: boolean;
  readonly config: ContextConfig;
  readonly state: SessionState;
}

export function freshFreed(session: FilledSession): FreedRecord | undefined {
  const { owner, transcript, tokens, isEstimate = false, config, state } = session;
  if (isFresh(state.freed, tokens)) return state.freed;
  // The caller can still recommend a command without figures.
  return unlessFailed(() => {
    const record = measureFreed(transcript, {
      ...withConfig({}, config),
      knownTokens: isEstimate ? undefined : tokens,
    });
    if (record !== null) recordState(owner, { freed: record });
    return record;
  }) ?? undefined;
}

function freedBy({ tokens }: TrimPlan): number {
  return Math.max(0, tokens.before - tokens.after);
}
