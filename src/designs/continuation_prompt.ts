import { emptyState } from "../extract/empty_state.ts";
import type { WorkState } from "../core/work_state.ts";
import { continuationText } from "../saved/views/continuation.ts";
import { snapshotOf } from "../saved/save.ts";

/** Options for {@linkcode buildContinuationPrompt}. */
export interface ContinuationOptions {
  /** The number of the session that continues, from 1. */
  readonly sessionNumber: number;
  /** The issue in progress, such as `#42`; empty or null if unknown. @default {""} */
  readonly issue?: string | null;
  /** Percentage of the limit in use; null if unknown. */
  readonly percent: number | null;
  /** The handoff written by a model. If it is missing, the work state is used. */
  readonly summary?: string | undefined;
  /** The session's work state; undefined if unknown. */
  readonly state?: WorkState | undefined;
  /** The project's folder. Paths inside it are shown relative to it. @default {""} */
  readonly projectDir?: string;
  /** The id of the session that the next one continues. */
  readonly parentSessionId: string;
  /** The id of the session's worker. */
  readonly workerId: string | number;
  /** Whether the episodic-memory command was found. @default {false} */
  readonly hasEpisodicMemory?: boolean;
  /** The id of the parent's checkpoint; null if there is none. @default {null} */
  readonly checkpointId?: string | null;
  /** Maximum length of the prompt, in UTF-16 code units. @default {Infinity} */
  readonly maxChars?: number;
}

/**
 * Builds the prompt for the next session. The handoff is fenced, and its headings never equal the prompt's
 * own.
 *
 * If the text is too long, the examples are omitted first. Then the work state is shortened; with a handoff,
 * it keeps at least 1,800 characters. Last, the longest section of the handoff is cut at its end.
 *
 * @returns The prompt; equal options produce equal text.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { buildContinuationPrompt } from "./continuation_prompt.ts";
 *
 * const prompt = buildContinuationPrompt({
 *   sessionNumber: 2,
 *   percent: 78,
 *   parentSessionId: "b82405ba-0000-4000-8000-000000000000",
 *   workerId: "main",
 * });
 * assert(prompt.startsWith("## Session Continuation\n\nThis is session #2.\n"));
 * ```
 */
export function buildContinuationPrompt(options: ContinuationOptions): string {
  const { state = emptyState(), parentSessionId, summary, issue = "" } = options;
  const handoff = {
    session_number: options.sessionNumber,
    worker_id: String(options.workerId),
    issue,
    checkpoint: options.checkpointId ?? null,
    has_episodic_memory: options.hasEpisodicMemory ?? false,
    keep: false,
    for_headless: false,
    ...(summary === undefined ? {} : { summary }),
    claimed_by: [],
  };
  const save = snapshotOf({ ...state, session_id: parentSessionId });
  return continuationText({ ...save, usage_percent: options.percent, handoff }, options);
}
