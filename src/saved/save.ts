/**
 * Defines a save: a work state in JSON with a timestamp (see `snapshots.schema.json`). A checkpoint also has a
 * reason, and a handoff contains facts about the next session.
 */

import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { cleanLine } from "../inject/clean.ts";
import { excerptLine } from "../inject/excerpt.ts";
import type { SnapshotPhase, SnapshotTask } from "../store/planning.ts";
import { SNAPSHOT_SCHEMA_VERSION } from "./check.ts";
import { emptyState } from "../extract/empty_state.ts";
import { isByHand, NO_ORIGIN } from "../layout/lines.ts";
import type { Work } from "../layout/part.ts";
import { occursIn, wordsOnly } from "../layout/part.ts";
import { nowLines } from "../layout/prompts.ts";
import { LAST_MESSAGE_LEAD } from "../extract/trail/last_turn.ts";
import type {
  Commit,
  Decision,
  FileChange,
  Issue,
  NextStep,
  Origin,
  Progress,
  Said,
  Trail,
  WorkState,
} from "../core/work_state.ts";

/** A decision in a snapshot. */
export interface KeyDecision extends Pick<Decision, "decision" | "rationale">, Placed {
  /** Rejected options, joined by "; "; empty if unknown. */
  readonly alternatives: string;
  /** Source of the decision; missing if unknown. */
  readonly kind?: Decision["kind"];
}

/** A step of the work, in a snapshot. */
export type Step = Omit<NextStep, "from"> & Placed;

/** Changes to one file, in a snapshot. */
export type SnapshotChange = Omit<FileChange, "why" | "from"> & Placed & {
  /** The reason; empty or missing if unknown. */
  readonly why?: string;
};

/** A commit in a snapshot. */
export type SnapshotCommit = Omit<Commit, "from"> & Placed;

/** An item with an optional location in the transcript. */
export interface Placed {
  /** Location in the transcript; missing if unknown. */
  readonly from?: Origin;
}

/** Locations of a snapshot's items in the transcript. Each list has the same order as the items. */
export interface SnapshotOrigins {
  /** Locations of the requirements, including the first. */
  readonly requirements: readonly Origin[];
  /** Locations and kinds of the issues. */
  readonly issues: readonly (Origin & Pick<Issue, "kind">)[];
  /** Locations of the learnings. */
  readonly learnings: readonly Origin[];
  /** Locations of the last messages and calls. */
  readonly stopped: readonly Origin[];
  /** Locations of the commands. */
  readonly commands: readonly Origin[];
  /** Locations of the refusals and corrections. */
  readonly refused: readonly Origin[];
}

/** Where a session stopped and how its work went, in a snapshot. */
export interface SnapshotTrail extends Omit<Trail, "stopped" | "commands" | "refused" | "names"> {
  /** The last messages and calls, oldest first. */
  readonly stopped: readonly string[];
  /**
   * First the plan's commands that were not run and its files that were not edited, then other commands with
   * their last outcome.
   */
  readonly commands: readonly string[];
  /** Refusals and corrections by the user, newest first. */
  readonly refused: readonly string[];
  /** Identifiers in the code that the session works on, most frequent first; missing in older saves. */
  readonly names?: readonly string[];
}

/** Content of a snapshot, without its time and name. */
export interface SnapshotContent {
  /** The session's id; null if unknown. */
  readonly session_id: string | null;
  /** The user's first request; empty if there is none. */
  readonly original_requirements: string;
  /** The user's later requests, oldest first; if there are many, only the newest. */
  readonly later_requirements: readonly string[];
  /** Decisions, newest first. */
  readonly key_decisions: readonly KeyDecision[];
  /** Progress of the work, in a few lines. */
  readonly implementation_state: string;
  /** Issues and open questions, newest first, then the open steps. */
  readonly open_items: readonly string[];
  /** The last todo list, or the announced next steps. */
  readonly next_steps: readonly Step[];
  /** Names of the tools, most used first. */
  readonly tools_used: readonly string[];
  /** Changed files, most recently changed first. */
  readonly changes: readonly SnapshotChange[];
  /** Commits, newest first. */
  readonly commits: readonly SnapshotCommit[];
  /** The phase of the project's plan; null if unknown. */
  readonly phase_state: SnapshotPhase | null;
  /** The plan in progress; null if there is none. */
  readonly active_task: SnapshotTask | null;
  /** Findings, newest first. */
  readonly learnings: readonly string[];
  /** Where the session stopped and how its work went; missing if not collected. */
  readonly trail?: SnapshotTrail;
  /** The last answers, counts of tool calls and file reads, and parts of the newest summary, if collected. */
  readonly progress?: Progress;
  /** Locations of the items in the transcript; missing if unknown. */
  readonly origins?: SnapshotOrigins;
  /** Reason why the snapshot does not cover the whole session; missing if it does. */
  readonly partial?: string;
  /** Tokens of the session's context; null if unknown. */
  readonly original_tokens: number | null;
  /** Estimated tokens of the prompt for a fresh start; null if not estimated. */
  readonly compacted_tokens: number | null;
  /** `compacted_tokens / original_tokens`, at most 1; null if either is unknown or `original_tokens` is 0. */
  readonly compression_ratio: number | null;
}

/** Facts about a checkpoint that are not part of its work state. */
export interface CheckpointMeta {
  /** The file name without its extension; empty if there is no JSON and the Markdown does not contain the id. */
  readonly id: string;
  /** Time of the save, ISO 8601. */
  readonly created: string;
  /** The reason for the save. */
  readonly trigger: SaveReason;
  /** The project's folder. */
  readonly project: string;
  /** The session's id; empty if unknown. */
  readonly session_id: string;
  /** The checkpoint's number within the project, from 1. */
  readonly iteration: number;
  /** Whether the file was read back and found complete. */
  readonly verified: boolean;
  /** Percentage of the limit in use, 0 to 100; null if unknown. */
  readonly usage_percent: number | null;
  /** The id of the session's previous checkpoint; null if there is none. */
  readonly parent: string | null;
  /** Why the checkpoint does not cover the whole session; missing if it does. */
  readonly partial?: string;
  /** The current task and the number of modified files, in one line; missing in older files. */
  readonly summary?: string;
}

/** A saved work state. Snapshots, checkpoints and handoffs share this format. */
export interface ContextSnapshot extends
  SnapshotContent,
  Partial<
    Pick<
      CheckpointMeta,
      "project" | "iteration" | "usage_percent" | "parent" | "verified" | "summary"
    >
  > {
  /** The schema version. */
  readonly schema_version: 1;
  /**
   * Time of the save as `YYYYMMDD_HHMMSS` or, for a checkpoint, `YYYY-MM-DD-HHMMSS`. If another save has that
   * time, a suffix such as `-2` follows.
   */
  readonly snapshot_id: string;
  /** The name given by the user, or the title of a handoff; null if there is none. */
  readonly name: string | null;
  /** Time of the save, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Estimated tokens of the save without `origins` and `progress`. */
  readonly token_count: number;
  /** The trigger of a checkpoint; missing in snapshots and handoffs. */
  readonly reason?: SaveReason;
  /** SHA-256 digest of the Markdown file, in hexadecimal; missing if there is no such file. */
  readonly view_sha256?: string;
  /** Facts about the handoff; missing if the save is not a handoff. */
  readonly handoff?: SaveHandoff;
}

/** Facts about a handoff and about the next session. */
export interface SaveHandoff {
  /** The next session's number among the sessions of its worker, from 1. */
  readonly session_number: number;
  /** The id of the next session's worker. */
  readonly worker_id: string;
  /** The issue in progress; null if unknown. */
  readonly issue: string | null;
  /** The id of the checkpoint saved with the handoff; null if there is none. */
  readonly checkpoint: string | null;
  /** Whether the episodic-memory command was found. */
  readonly has_episodic_memory: boolean;
  /** Whether the handoff remains available after a session claims it. */
  readonly keep: boolean;
  /** Whether a headless session may claim the handoff. */
  readonly for_headless: boolean;
  /** The handoff written by the model; missing if the handoff is generated from the save. */
  readonly summary?: string;
  /** The ids of the sessions that claimed the handoff. */
  readonly claimed_by: readonly string[];
}

/**
 * The trigger of a checkpoint: `auto` for a compaction by the client, `manual` for a command, and `watcher` for a
 * hook that decides to save, or for a command that answers a request on the blackboard.
 */
export type SaveReason = "auto" | "manual" | "watcher";

interface SnapshotExtras {
  readonly name?: string | null;
  readonly now?: Date;
  readonly phase?: SnapshotPhase | null;
  readonly task?: SnapshotTask | null;
  readonly originalTokens?: number | null;
}

export const MAX_NAME_CHARS = 100;

const MAX_LABEL_CHARS = 200;

const MAX_ANSWER_CHARS = 400;

const ALTERNATIVES_SEPARATOR = "; ";

export function snapshotOf(state: WorkState, extras: SnapshotExtras = {}): ContextSnapshot {
  return snapshotFromContent(contentOf(state, extras), extras);
}

export function contentOf(state: WorkState, extras: SnapshotExtras = {}): SnapshotContent {
  const { trail } = state;
  const { phase = null, task = null, originalTokens = null } = extras;
  const [first = "", ...later] = textsOf(state.requirements);
  return {
    session_id: state.session_id,
    original_requirements: first,
    later_requirements: later,
    key_decisions: state.decisions.map(({ alternatives, ...decision }) => ({
      ...withKnownOrigin(decision),
      alternatives: alternatives.map((one) => one.replaceAll(ALTERNATIVES_SEPARATOR, ", "))
        .join(ALTERNATIVES_SEPARATOR),
    })),
    implementation_state: progressOf(state),
    open_items: [...state.issues.map(({ issue }) => issue), ...openSteps(state)],
    next_steps: state.next_steps.map(withKnownOrigin),
    tools_used: state.progress.tools.map(({ name }) => name),
    changes: state.changes.map(withKnownOrigin),
    commits: state.commits.map(withKnownOrigin),
    phase_state: phase &&
      { phase_number: phase.phase_number, phase_name: labelOf(phase.phase_name) },
    active_task: task && { plan_id: labelOf(task.plan_id), status: labelOf(task.status) },
    learnings: textsOf(state.learnings),
    ...(trail === undefined ? {} : {
      trail: {
        ...trail,
        stopped: textsOf(trail.stopped),
        commands: textsOf(trail.commands),
        refused: textsOf(trail.refused),
      },
    }),
    progress: state.progress,
    origins: {
      requirements: originsOf(state.requirements),
      issues: state.issues.map(({ kind, from }) => ({ kind, ...from })),
      learnings: originsOf(state.learnings),
      stopped: originsOf(trail?.stopped),
      commands: originsOf(trail?.commands),
      refused: originsOf(trail?.refused),
    },
    ...(state.partial === "" ? {} : { partial: state.partial }),
    original_tokens: originalTokens,
    compacted_tokens: null,
    compression_ratio: null,
  };
}

function textsOf(all: readonly Said[]): string[] {
  return all.map(({ text }) => text);
}

function originsOf(all: readonly Said[] = []): Origin[] {
  return all.map(({ from }) => from);
}

function labelOf(text: string): string {
  return excerptLine(text, MAX_LABEL_CHARS);
}

/** Multiplies the length limits of quotes, because a save has more room than most restored texts. */
const QUOTE_FACTOR = 2;

function progressOf(state: WorkState): string {
  const { partial, next_steps: steps, progress: { recent } } = state;
  const answer = recent.findLast(({ from }) => !isByHand(from))?.text ?? "";
  const done = steps.filter(({ status }) => status === "completed").length;
  const now = nowLines(state, QUOTE_FACTOR);
  const isQuoted = answer === "" || now.some((line) => line.startsWith(LAST_MESSAGE_LEAD)) ||
    occursIn(answer, wordsOnly(now.join("\n")));
  return [
    ...(partial === "" ? [] : [`Not the whole session: ${labelOf(partial)}`]),
    ...(steps.length === 0 ? [] : [`${done} of ${steps.length} steps are done.`]),
    ...now,
    ...(isQuoted ? [] : [`${LAST_MESSAGE_LEAD}: ${excerptLine(answer, MAX_ANSWER_CHARS)}`]),
  ].join("\n");
}

/** Converts stored content back to a work state, and puts the phase and the plan before its progress lines. */
export function workOf(content: SnapshotContent): Work {
  const { phase_state: phase, active_task: task } = content;
  const plan = [
    phase === null ? "" : `Phase ${phase.phase_number} - ${cleanLine(phase.phase_name)}`,
    task === null ? "" : `Task ${cleanLine(task.plan_id)} (${cleanLine(task.status)})`,
  ];
  const lines = [...plan, ...content.implementation_state.split("\n").map(cleanLine)];
  return { ...stateOf(content), progressLines: lines.filter((line) => line !== "") };
}

export function stateOf(content: SnapshotContent): WorkState {
  const { original_requirements: first, origins, trail, tools_used: tools } = content;
  const withOrigins = (texts: readonly string[], from: readonly Origin[] = []): Said[] =>
    texts.map((text, index) => ({ text, from: from[index] ?? NO_ORIGIN }));
  const requests = [...(first === "" ? [] : [first]), ...content.later_requirements];
  return {
    session_id: content.session_id,
    requirements: withOrigins(requests, origins?.requirements),
    changes: content.changes.map((change) => ({ why: "", from: NO_ORIGIN, ...change })),
    commits: content.commits.map((commit) => ({ from: NO_ORIGIN, ...commit })),
    decisions: content.key_decisions.map(({ alternatives, ...decision }) => ({
      kind: "assistant",
      from: NO_ORIGIN,
      ...decision,
      alternatives: alternatives === "" ? [] : alternatives.split(ALTERNATIVES_SEPARATOR),
    })),
    issues: issuesOf(content).map((issue, index) => {
      const { kind, uuid, line } = origins?.issues[index] ??
        { kind: "stated" as const, ...NO_ORIGIN };
      return { issue, kind, from: { uuid, line } };
    }),
    next_steps: content.next_steps.map((step) => ({ from: NO_ORIGIN, ...step })),
    learnings: withOrigins(content.learnings, origins?.learnings),
    progress: content.progress ??
      { ...emptyState().progress, tools: tools.map((name) => ({ name, count: 1 })) },
    ...(trail === undefined ? {} : {
      trail: {
        ...trail,
        names: trail.names ?? [],
        stopped: withOrigins(trail.stopped, origins?.stopped),
        commands: withOrigins(trail.commands, origins?.commands),
        refused: withOrigins(trail.refused, origins?.refused),
      },
    }),
    partial: content.partial ?? "",
  };
}

/** Returns the issues: the open items without the open steps, which come last unless the file was edited. */
export function issuesOf(content: SnapshotContent): readonly string[] {
  const { open_items } = content;
  const steps = openSteps(content);
  const start = open_items.length - steps.length;
  const isTail = start >= 0 && steps.every((step, i) => open_items[start + i] === step);
  return isTail ? open_items.slice(0, start) : open_items.filter((item) => !steps.includes(item));
}

function withKnownOrigin<T extends { readonly from: Origin }>(
  { from, ...rest }: T,
): Omit<T, "from"> & Placed {
  return from.uuid === null && from.line === null ? rest : { ...rest, from };
}

export function snapshotFromContent(
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
  // Does not count `origins` and `progress`, because restored text contains only a small part of them.
  const restorable = { ...snapshot, origins: undefined, progress: undefined };
  const tokens = Math.ceil(estimateTextTokens(JSON.stringify(restorable)));
  return { ...snapshot, token_count: tokens };
}

export function snapshotStamp(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
}

export function openSteps({ next_steps }: Pick<SnapshotContent, "next_steps">): string[] {
  return next_steps.filter(({ status }) => status !== "completed").map(({ step }) => step);
}
