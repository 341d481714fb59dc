/**
 * Who of several hooks speaks, and in what words.
 *
 * @module
 */

import { grouped } from "../inject/bound.ts";
import type { StateOwner } from "../store/state.ts";
import { type StateChange, updateSessionState } from "../store/state_update.ts";
import type { SessionPressure } from "./judge.ts";
import { decideWarning, type WarningMemory } from "./warn.ts";
import { type RaisedLevel, warningText } from "./warning.ts";
import { memoryOf, type PressureNews } from "./watch.ts";

/** A word about a session's window. */
export interface PressureWarning {
  /** One line. */
  readonly text: string;
  /** Whether the level has risen: the user is then told as well as the model. */
  readonly isRise: boolean;
}

/**
 * Writes down what a look found, and says whether to speak about it.
 *
 * Of several processes that looked at once, one speaks. Who cannot write down that it did, because
 * others are at it for too long, keeps quiet: better no word than the same word twice.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/trimtab`.
 *
 * @param owner The project and the session.
 * @param news What a look found.
 * @returns What to say, or null.
 * @throws {RangeError} When the session's id is none.
 * @throws {Error} Whatever the system says when it cannot be written down.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { DEFAULT_CONFIG } from "../config/schema.ts";
 * import { claimWarning } from "./claim.ts";
 * import { judgeUsage } from "./judge.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const owner = { projectDir, sessionId: "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10" };
 * const tail = { usage: { tokens: 122_000, source: "api" as const }, isCompacted: false };
 * const clues = { config: DEFAULT_CONFIG.context, state: {}, env: () => undefined };
 * const pressure = judgeUsage(tail, clues);
 * const news = { pressure, level: "warn", pace: { nowMs: 0, intervalSeconds: 60 } } as const;
 * assertEquals(claimWarning(owner, news)?.isRise, true);
 * assertEquals(claimWarning(owner, news), null);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function claimWarning(owner: StateOwner, news: PressureNews): PressureWarning | null {
  const { pressure, level, pace } = news;
  let say: RaisedLevel | null = null;
  let isRise = false;
  const outcome = updateSessionState(owner, (latest) => {
    // Another process may have been faster.
    const memory = memoryOf(latest);
    const decision = decideWarning(level, memory, pace);
    ({ say, isRise } = decision);
    return decision.memory === memory ? null : changeOf(decision.memory);
  });
  return outcome === "written" && say !== null
    ? { text: pressureText(pressure, say), isRise }
    : null;
}

/**
 * The line that warns, in figures that the user finds on the screen too.
 *
 * Permissions: none.
 *
 * @param pressure How full the window is.
 * @param level The level to speak of.
 * @returns One line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pressureText } from "./claim.ts";
 *
 * assertEquals(
 *   pressureText({ tokens: 150_000, window: 200_000, percent: 75 }, "recommend"),
 *   "Context at 75%. Recommend /trim soon, or /rollover if trim isn't helping. " +
 *     "(150,000 of 200,000 tokens)",
 * );
 * ```
 */
export function pressureText(
  pressure: Pick<SessionPressure, "tokens" | "window" | "percent">,
  level: RaisedLevel,
): string {
  const { tokens, window, percent } = pressure;
  const words = warningText(percent ?? 0, level);
  return `${words} (${grouped(tokens ?? 0)} of ${grouped(window)} tokens)`;
}

function changeOf({ level, warnedAtMs }: WarningMemory): StateChange {
  return { level, warned_at: warnedAtMs === null ? null : new Date(warnedAtMs).toISOString() };
}
