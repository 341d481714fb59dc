import { counted } from "../inject/bound.ts";
import { refersBack } from "../extract/requirements.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { shownPath } from "../inject/shown_path.ts";
import type { Said, WorkState } from "../core/work_state.ts";
import { reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { readOwnTextOrNull } from "../store/own_file.ts";
import { joinPath, ownFolder } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { checkpointView, metaOfSave } from "./views/checkpoint_view.ts";
import { WHOLE_PROJECT } from "../layout/lines.ts";
import { currentRequests } from "../layout/requests.ts";
import { mergeDuplicates } from "./merge.ts";
import { mergeNotes } from "./notes.ts";
import { indexCheckpoint } from "./project_index.ts";
import {
  type CheckpointMeta,
  contentOf,
  type ContextSnapshot,
  type SaveReason,
  snapshotFromContent,
} from "./save.ts";
import { oldSaves, readableSaves, removeSave, saveFolder } from "./store.ts";
import { type SaveDraft, type WriteOptions, writeSave } from "./write.ts";

interface CheckpointDraft {
  readonly projectDir: string;
  /** The session's id; empty if unknown. */
  readonly sessionId: string;
  readonly trigger: SaveReason;
  /** Percentage of the limit in use, 0 to 100; null if unknown. */
  readonly usagePercent: number | null;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Markdown notes to merge, with facts that only the model or the user knows. */
  readonly notes?: string | undefined;
  /** The id of the previous checkpoint. @default the newest checkpoint of the session; null for a draft */
  readonly parent?: string | null;
}

export interface CheckpointOptions extends CheckpointDraft, WriteOptions {
  readonly retentionDays: number;
}

/** A checkpoint on disk. */
export interface SavedCheckpoint
  extends Pick<CheckpointMeta, "id" | "trigger" | "iteration" | "verified" | "created"> {
  /** The path of the Markdown file. */
  readonly path: string;
  /** The current task and the number of modified files, in one line. */
  readonly summary: string;
  /** Problems that did not prevent the save; missing if there were none. */
  readonly warning?: string;
}

const MAX_TASK_CHARS = 80;
const MIN_TASK_CHARS = 24;
const MAX_REPLY_CHARS = 32;

/** Matches a request that contains an entire plan; captures the request's first words and the plan's title. */
const PLAN_TITLE = /^([^\n]{1,60}plan:)\s*\n\s*#+ (?:Plan: )?([^\n]+)[^]*/i;

/** Larger iterations come from foreign files, and are ignored so that the counter can still increase. */
const MAX_ITERATION = 1_000_000_000;

const MAX_COUNTER_CHARS = 20;

export function saveCheckpoint(state: WorkState, options: CheckpointOptions): SavedCheckpoint {
  const { projectDir, trigger } = options;
  Deno.statSync(projectDir);
  const ownWarnings: string[] = [];
  const stateWithNotes = withNotes(state, options, ownWarnings);
  const { save, view, json, id, warnings } = writeSave({
    kind: "checkpoint",
    folder: saveFolder("checkpoint", { projectDir }),
    stamp: idFromTime(new Date(options.now())),
    make(id): ReturnType<SaveDraft["make"]> {
      const { parent = previousCheckpointId(options) } = options;
      const draft = draftOf(stateWithNotes, id, { ...options, parent });
      const save = { ...draft, iteration: nextIteration(options, ownWarnings) };
      return { save, view: checkpointView(save, projectDir) };
    },
  }, options);
  warnings.unshift(...ownWarnings);
  cleanUp(id, options, warnings);
  // Throws if another process has deleted the checkpoint in the meantime.
  Deno.statSync(json);
  const { iteration, created, verified, summary = "" } = metaOfSave(save);
  const saved = { id, path: view ?? json, trigger, iteration, verified, summary, created };
  return warnings.length === 0 ? saved : { ...saved, warning: warnings.join(" ") };
}

export function checkpointDraft(
  state: WorkState,
  options: CheckpointDraft,
): { readonly draft: string; readonly summary: string } {
  const stateWithNotes = withNotes(state, options);
  const save = { ...draftOf(stateWithNotes, "draft", options), verified: false };
  return { draft: checkpointView(save, options.projectDir), summary: save.summary ?? "" };
}

function previousCheckpointId({ sessionId, projectDir }: CheckpointDraft): string | null {
  const all = sessionId === "" ? [] : readableSaves("checkpoint", { projectDir });
  return all.find((one) => one.sessionId === sessionId)?.id ?? null;
}

function withNotes(
  state: WorkState,
  { notes, projectDir }: CheckpointDraft,
  warnings: string[] = [],
): WorkState {
  return notes === undefined ? state : mergeNotes(state, notes, { projectDir, warnings });
}

function draftOf(state: WorkState, id: string, options: CheckpointDraft): ContextSnapshot {
  const { sessionId, projectDir, trigger, usagePercent, now, parent = null } = options;
  const merged = mergeDuplicates(state, projectDir);
  const content = contentOf({ ...merged, session_id: sessionId === "" ? null : sessionId });
  return {
    ...snapshotFromContent(content, { now: new Date(now()) }),
    snapshot_id: id,
    reason: trigger,
    project: projectDir,
    usage_percent: usagePercent,
    parent,
    summary: summaryOf(state, projectDir),
    verified: true,
  };
}

export function summaryOf(state: WorkState, projectDir = ""): string {
  const task = taskOf(state);
  const files = new Set(state.changes.map(({ file }) => shownPath(file, projectDir)));
  files.delete(WHOLE_PROJECT);
  return `${task || "No task recorded"} - ${counted(files.size, "file")} modified`;
}

/**
 * Returns the current request in one line; empty if there is none. A request that makes no sense on its own
 * is appended to the last earlier request that does.
 */
function taskOf(state: WorkState): string {
  const [request] = currentRequests(state);
  const lineOf = ({ text }: Said, maxChars: number): string =>
    excerptLine(text.replace(PLAN_TITLE, "$1 $2"), maxChars);
  if (request === undefined) return "";
  const standsAlone = ({ text }: Said): boolean =>
    text.length >= MIN_TASK_CHARS && !refersBack(text);
  const before = standsAlone(request)
    ? undefined
    : state.requirements.slice(0, state.requirements.indexOf(request)).findLast(standsAlone);
  if (before === undefined) return lineOf(request, MAX_TASK_CHARS);
  const suffix = `, then: ${lineOf(request, MAX_REPLY_CHARS)}`;
  return lineOf(before, MAX_TASK_CHARS - suffix.length) + suffix;
}

function idFromTime(time: Date): string {
  const iso = time.toISOString();
  return `${iso.slice(0, 10)}-${iso.slice(11, 19).replaceAll(":", "")}`;
}

function nextIteration({ projectDir, fs = Deno }: WriteOptions, warnings: string[]): number {
  const folder = ownFolder(projectDir);
  const path = joinPath(folder, "iteration");
  const numbers = readableSaves("checkpoint", { projectDir }).map(({ iteration }) => iteration);
  const known = [readCounter(path), ...numbers].filter((number) => number <= MAX_ITERATION);
  const next = Math.max(0, ...known) + 1;
  try {
    ensurePrivateDirSync(folder);
    writeFileAtomicSync(path, `${next}\n`, { fs });
  } catch (error) {
    warnings.push(`The checkpoint counter was not saved: ${reasonOf(error)}.`);
  }
  return next;
}

function readCounter(path: string): number {
  const text = readOwnTextOrNull(path, MAX_COUNTER_CHARS)?.trim() ?? "";
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}

function cleanUp(keepId: string, options: CheckpointOptions, warnings: string[]): void {
  const nowMs = options.now();
  const { projectDir, retentionDays, configDir } = options;
  try {
    const old = oldSaves("checkpoint", { projectDir, configDir, retentionDays, nowMs, keepId });
    for (const found of old) removeSave(found, projectDir);
  } catch (error) {
    warnings.push(`Old checkpoints were not deleted: ${reasonOf(error)}.`);
  }
  if (configDir === undefined) return;
  try {
    indexCheckpoint({ ...options, configDir, nowMs });
  } catch (error) {
    warnings.push(`The checkpoint is saved but not in the index: ${reasonOf(error)}.`);
  }
}
