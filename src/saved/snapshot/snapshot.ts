/** A snapshot: a work state as JSON by `snapshots.schema.json`. */

import { estimateTextTokens } from "../../transcript/tokens/tokens.ts";
import { excerptLine } from "../../extract/excerpt.ts";
import type { SnapshotPhase, SnapshotTask } from "../../extract/planning.ts";
import { SNAPSHOT_SCHEMA_VERSION } from "./check.ts";
import { progressText } from "../checkpoint/progress_text.ts";
import type {
  Commit,
  FileChange,
  NextStep,
  Origin,
  Said,
  Trail,
  WorkState,
} from "../../extract/work_state.ts";

/** A decision, as a snapshot keeps it. */
export interface KeyDecision {
  /** What was decided. */
  readonly decision: string;
  /** Why; empty where nothing tells. */
  readonly rationale: string;
  /** What was not chosen, joined by "; "; empty where nothing tells. */
  readonly alternatives: string;
  /** Where it was made. */
  readonly from?: Origin;
}

/** A step of the work. */
export type Step = Omit<NextStep, "from">;

/** What was done to one file, as a snapshot keeps it. */
export type SnapshotChange = Omit<FileChange, "why" | "from">;

/** A commit, as a snapshot keeps it. */
export type SnapshotCommit = Omit<Commit, "from">;

/** Where a session stopped, and how its work went, as a snapshot keeps it. */
export interface SnapshotTrail extends Omit<Trail, "stopped" | "commands" | "refused" | "names"> {
  /** The last things that were said and done, newest last. */
  readonly stopped: readonly string[];
  /** Commands with how they ended last. */
  readonly commands: readonly string[];
  /** What the user refused or corrected, newest first. */
  readonly refused: readonly string[];
  /** Names that the work is about, the one of which most was said first. */
  readonly names?: readonly string[];
}

/** What a snapshot says of the work, without when it was saved and under which name. */
export interface SnapshotContent {
  /** The session; null where that is not known. */
  readonly session_id: string | null;
  /** What the user asked for first. */
  readonly original_requirements: string;
  /** What the user added or changed later, oldest first. */
  readonly later_requirements: readonly string[];
  /** Decisions, newest first. */
  readonly key_decisions: readonly KeyDecision[];
  /** How far the work is, in a few lines. */
  readonly implementation_state: string;
  /** Issues and open questions, newest first, then the steps that are not done. */
  readonly open_items: readonly string[];
  /** The last todo list, or what was said to come next. */
  readonly next_steps: readonly Step[];
  /** The names of the tools, the most used first. */
  readonly tools_used: readonly string[];
  /** What was done to files, the file changed last first. */
  readonly changes: readonly SnapshotChange[];
  /** Commits, newest first. */
  readonly commits: readonly SnapshotCommit[];
  /** The phase of the project's plan. */
  readonly phase_state: SnapshotPhase | null;
  /** The plan that was being worked on. */
  readonly active_task: SnapshotTask | null;
  /** What was found out, newest first. */
  readonly learnings: readonly string[];
  /** Where it stopped and how it went; missing where nobody looked. */
  readonly trail?: SnapshotTrail;
  /** The tokens in the session's context. */
  readonly original_tokens: number | null;
  /** The tokens of what a fresh start gets instead, estimated. */
  readonly compacted_tokens: number | null;
  /** The second by the first, at most 1. */
  readonly compression_ratio: number | null;
}

/** A work state, saved for restoring at three levels of detail. */
export interface ContextSnapshot extends SnapshotContent {
  /** The version of the shape. */
  readonly schema_version: typeof SNAPSHOT_SCHEMA_VERSION;
  /** When it was saved, as `YYYYMMDD_HHMMSS`, with `-n` for others of the same second. */
  readonly snapshot_id: string;
  /** The name that a person gave it. */
  readonly name: string | null;
  /** When it was saved, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** About how many tokens it is. */
  readonly token_count: number;
}

/** What a work state does not tell. */
export interface SnapshotExtras {
  /** A name for people. @default {null} */
  readonly name?: string | null;
  /** When it is saved. @default {new Date()} */
  readonly now?: Date;
  /** The phase of the project's plan. @default {null} */
  readonly phase?: SnapshotPhase | null;
  /** The plan that is being worked on. @default {null} */
  readonly task?: SnapshotTask | null;
  /** The tokens in the session's context. @default {null} */
  readonly originalTokens?: number | null;
}

/** A snapshot's name takes no more characters than this. */
export const MAX_NAME_CHARS = 100;

/** A word from a plan takes no more characters than this. */
const MAX_LABEL_CHARS = 200;

const BETWEEN_ALTERNATIVES = "; ";

/**
 * Makes a snapshot of a work state.
 *
 * @param state The work state.
 * @param extras What it does not tell.
 * @returns The snapshot; its id is that of the time, whatever else was saved in the same second.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { snapshotOf } from "./snapshot.ts";
 * import { extractFromEntries } from "../../extract/extract_state.ts";
 *
 * const now = new Date("2026-03-01T14:35:22Z");
 * const snapshot = snapshotOf(extractFromEntries([]), { name: "auth", now });
 * assertEquals(snapshot.snapshot_id, "20260301_143522");
 * assertEquals(snapshot.name, "auth");
 * ```
 */
export function snapshotOf(state: WorkState, extras: SnapshotExtras = {}): ContextSnapshot {
  return sealSnapshot(contentOf(state, extras), extras);
}

export function contentOf(state: WorkState, extras: SnapshotExtras = {}): SnapshotContent {
  const [first, ...later] = state.requirements;
  const steps = state.next_steps.map(({ step, status }) => ({ step, status }));
  return {
    session_id: state.session_id,
    original_requirements: first?.text ?? "",
    later_requirements: later.map(({ text }) => text),
    key_decisions: state.decisions.map(({ decision, rationale, alternatives, from }) => ({
      decision,
      rationale,
      alternatives: alternatives.join(BETWEEN_ALTERNATIVES),
      ...(from.uuid === null && from.line === null ? {} : { from }),
    })),
    implementation_state: progressText(state),
    open_items: [...state.issues.map(({ issue }) => issue), ...openSteps({ next_steps: steps })],
    next_steps: steps,
    tools_used: state.progress.tools.map(({ name }) => name),
    changes: state.changes.map(({ file, action, count, first_line, last_line, what }) => ({
      file,
      action,
      count,
      first_line,
      last_line,
      what,
    })),
    commits: state.commits.map(({ hash, message }) => ({ hash, message })),
    phase_state: extras.phase ? namedPhase(extras.phase) : null,
    active_task: extras.task ? namedTask(extras.task) : null,
    learnings: state.learnings.map(({ text }) => text),
    ...(state.trail === undefined ? {} : { trail: snapshotTrail(state.trail) }),
    original_tokens: extras.originalTokens ?? null,
    compacted_tokens: null,
    compression_ratio: null,
  };
}

/** Gives content a time, an id and a name, and counts its tokens. */
export function sealSnapshot(
  content: SnapshotContent,
  extras: Pick<SnapshotExtras, "name" | "now"> = {},
): ContextSnapshot {
  const now = extras.now ?? new Date();
  const name = excerptLine(extras.name ?? "", MAX_NAME_CHARS);
  const snapshot = {
    ...content,
    schema_version: SNAPSHOT_SCHEMA_VERSION,
    snapshot_id: snapshotStamp(now),
    name: name === "" ? null : name,
    timestamp: now.toISOString(),
  } as const;
  const tokens = Math.ceil(estimateTextTokens(JSON.stringify(snapshot)));
  return { ...snapshot, token_count: tokens };
}

export function snapshotStamp(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
}

function namedPhase({ phase_number, phase_name }: SnapshotPhase): SnapshotPhase {
  return { phase_number, phase_name: excerptLine(phase_name, MAX_LABEL_CHARS) };
}

function namedTask({ plan_id, status }: SnapshotTask): SnapshotTask {
  const line = (text: string) => excerptLine(text, MAX_LABEL_CHARS);
  return { plan_id: line(plan_id), status: line(status) };
}

export function openSteps({ next_steps }: Pick<SnapshotContent, "next_steps">): string[] {
  return next_steps.filter(({ status }) => status !== "completed").map(({ step }) => step);
}

function snapshotTrail(trail: Trail): SnapshotTrail {
  const texts = (all: readonly Said[]): string[] => all.map(({ text }) => text);
  const { stopped, commands, refused, ...names } = trail;
  return {
    ...names,
    stopped: texts(stopped),
    commands: texts(commands),
    refused: texts(refused),
  };
}
