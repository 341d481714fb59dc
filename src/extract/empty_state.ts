/**
 * The work state of a session of which nothing is known.
 *
 * @module
 */

import type { WorkState } from "./work_state.ts";

/**
 * Makes a work state that holds nothing.
 *
 * Permissions: none.
 *
 * @param partial Why nothing is known; empty where there was nothing.
 * @returns The state.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { emptyState } from "./empty_state.ts";
 *
 * assertEquals(emptyState("no session was found").requirements, []);
 * ```
 */
export function emptyState(partial = ""): WorkState {
  return {
    session_id: null,
    requirements: [],
    changes: [],
    commits: [],
    decisions: [],
    issues: [],
    next_steps: [],
    learnings: [],
    progress: { recent: [], tools: [], files_read: [], summaries: [] },
    partial,
  };
}
