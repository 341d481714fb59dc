/** Builds messages, most of them shown only once or once per session. Loaded only if one is due. */

import type { WaitingValue } from "../config/merge.ts";
import { isFresh, pressureText, recommend } from "../gauge/advice.ts";
import { claimWarning } from "../gauge/claim.ts";
import type { PressureChange } from "../gauge/watch.ts";
import { grouped } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { claimNotice, claimOncePerUser } from "../inject/once.ts";
import { hookOutput, withMessage } from "../inject/output.ts";
import { reasonOf } from "../store/atomic.ts";
import { signText } from "../store/sha256.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";

const EVENT = "SessionStart";

/** Smallest saving, as a percentage of the context, that is worth a message about a cold cache. */
const NOTICE_PERCENT = 20;

const WELCOME =
  "trimtab is active: it warns when the window fills up, and saves the work before each compaction. " +
  "/trim frees space at any time. To check the installation: !trimtab doctor";

/** Reports a problem once per session, or never if the report cannot be recorded. */
export function reportOnce(
  { event, owner, name, failure }: {
    readonly event: string;
    readonly owner: StateOwner;
    readonly name: string;
    readonly failure: string;
  },
  error: unknown,
): string {
  try {
    if (!claimNotice(owner, name)) return "";
    return hookOutput({ event, message: `trimtab: ${failure}: ${reasonOf(error)}` });
  } catch {
    return "";
  }
}

export function withWelcome(output: string, configDir: string): string {
  return claimOncePerUser(configDir, "welcome") ? withMessage(EVENT, output, WELCOME) : output;
}

/** Reports values that have no effect until the user trusts them, once per set of values. */
export function withWaiting(
  output: string,
  waiting: readonly WaitingValue[],
  { projectDir, configDir }: { readonly projectDir: string; readonly configDir: string },
): string {
  const digest = signText(new Uint8Array(), "waiting", projectDir, JSON.stringify(waiting));
  if (!claimOncePerUser(configDir, `waiting-${digest.slice(0, 16)}`)) return output;
  const keys = [...new Set(waiting.map(({ key }) => key))].join(", ");
  const files = [...new Set(waiting.map(({ file }) => file))].join(" and ");
  return withMessage(
    EVENT,
    output,
    "trimtab: these settings have no effect until you accept them with !trimtab trust: " +
      `${keys} in ${files}`,
  );
}

export function withColdCache(
  output: string,
  owner: StateOwner,
  { tokens, cost }: { readonly tokens: unknown; readonly cost: unknown },
): string {
  if (typeof tokens !== "number") return output;
  const { freed } = readSessionState(owner);
  if (!isFresh(freed, tokens)) return output;
  const { remedy, command, freed: savings } = recommend(freed, {}, NOTICE_PERCENT);
  if (remedy === "rollover" || savings === null || !claimNotice(owner, "cold-cache")) return output;
  const price = typeof cost === "number" && cost > 0 ? `, about $${cost.toFixed(2)}` : "";
  return withMessage(
    EVENT,
    output,
    `trimtab: the prompt cache has likely expired, so the next request writes ` +
      `${grouped(tokens)} tokens again${price}. Running ${command} first would free about ` +
      `${grouped(savings)} of them, and costs nothing now.`,
  );
}

export function warningOnce(
  owner: StateOwner,
  { warning }: { readonly warning?: string },
): string | null {
  return warning === undefined || !claimNotice(owner, "save_warning") ? null : cleanLine(warning);
}

/** Reports how full the window is. Omits messages that another hook has already shown. */
export function pressureMessages(
  { event, owner, change, notice, posted }: {
    readonly event: string;
    readonly owner: StateOwner;
    readonly change: PressureChange | null;
    readonly notice: string | null;
    readonly posted: string | null;
  },
): string {
  const messages = notice !== null && claimNotice(owner, "config") ? [notice] : [];
  const context = posted === null ? [] : [posted];
  const claimed = change === null ? null : claimWarning(owner, change);
  if (change !== null && claimed !== null) {
    const { pressure, pace: { nowMs } } = change;
    const { level, isRise, state } = claimed;
    // A new estimate is too slow for this hook. The Stop hook and commands make new estimates.
    const freed = isFresh(state.freed, pressure.tokens ?? 0) ? state.freed : undefined;
    const warning = pressureText(pressure, level, freed, { nowMs });
    context.unshift(warning);
    if (isRise) messages.push(warning);
  }
  return hookOutput({ event, context, message: messages.join("\n") });
}
