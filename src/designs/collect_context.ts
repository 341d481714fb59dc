import { resolvePath } from "../store/paths.ts";
import { findCurrentSessionFile } from "../transcript/find.ts";
import { readNewestUsage } from "../gauge/running_usage.ts";
import { emptyState } from "../extract/empty_state.ts";
import { extractState } from "../extract/extract_state.ts";
import { PLANNING_DIR, type PlanningState, readPlanning } from "../store/planning.ts";
import type { WorkState } from "../core/work_state.ts";

/** Options for {@linkcode collectContext}. */
export interface CollectContextOptions {
  /** The plan in progress, such as `16-03`. @default {read from the plan folder} */
  readonly planId?: string | undefined;
  /** The folder of plans; a relative path is resolved against the project. @default {".planning"} */
  readonly planningDir?: string;
  /** The project's folder. @default {the working folder} */
  readonly projectDir?: string;
  /** The transcript; null if there is none. @default {the current session's, unless `state` is given} */
  readonly transcript?: string | null;
  /** The work state, if already known. Then only the token count is read from a given `transcript`. */
  readonly state?: WorkState;
}

/** The collected context. */
export interface CollectedContext {
  /** The work state of the session. */
  readonly state: WorkState;
  /** The phase and the plan in progress. */
  readonly planning: PlanningState;
  /** Tokens in the session's context; null if unknown. */
  readonly originalTokens: number | null;
}

/**
 * Collects the context of the work: the session's state and the project's plan.
 *
 * Permissions: `--allow-read` for the transcript and the plan folder; to find the current session
 * also `--allow-env` for `CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,HOME,USERPROFILE`.
 *
 * @returns The session's work state, the project's phase and plan in progress, and the tokens in the
 * session's context.
 * @throws {Deno.errors.NotFound} When the transcript does not exist.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 *
 * const { planning, originalTokens } = collectContext({ transcript: null, planId: "16-03" });
 * assertEquals(planning.task, { plan_id: "16-03", status: "unknown" });
 * assertEquals(originalTokens, null);
 * ```
 */
export function collectContext(options: CollectContextOptions = {}): CollectedContext {
  const { planId, projectDir, planningDir = PLANNING_DIR } = options;
  const folder = projectDir === undefined ? planningDir : resolvePath(planningDir, projectDir);
  const planning = readPlanning(folder, planId);
  const current = options.state === undefined ? findCurrentSessionFile : () => null;
  const path = options.transcript === undefined ? current() : options.transcript;
  if (path === null) {
    const state = options.state ?? emptyState("no session was found");
    return { state, planning, originalTokens: null };
  }
  const originalTokens = readNewestUsage(path).usage?.tokens ?? null;
  return { state: options.state ?? extractState(path), planning, originalTokens };
}
