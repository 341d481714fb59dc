/** Rollover: ends a session and puts its handoff down for the next. */

import { checkpointFolder } from "../saved/checkpoint/files.ts";
import { checkpointSession, type SessionCheckpoint } from "../saved/checkpoint/session.ts";
import { excerptLine } from "../extract/excerpt.ts";
import type { WorkState } from "../extract/work_state.ts";
import { contentOf } from "../saved/snapshot/snapshot.ts";
import { adviceOn, type AtomicFileSystem, reasonOf, temporaryPathFor } from "../store/atomic.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { sessionStatePath, type StateOwner } from "../store/state.ts";
import { buildContinuationPrompt } from "./continuation.ts";
import { checkHandoff } from "./check_handoff.ts";
import { handoffFromState } from "./handoff.ts";
import { guardHandoff, splitHandoff } from "./handoff_sections.ts";
import { withEnded, withStarted } from "./change.ts";
import { changeLineage, type LineageOutcome } from "./file.ts";
import { endOf, startOf, workerName } from "./input.ts";
import { keptSessions } from "./rows.ts";
import type { SessionRecord } from "./session_record.ts";
import { startCommand } from "./start_command.ts";
import { findHandoff, withdrawHandoff, writeHandoff } from "./waiting.ts";
import { listFiles, waitingFolder } from "./waiting_files.ts";
import { openFileSync } from "../store/read_file.ts";
import { readStartedAt } from "../transcript/find.ts";

/** The most UTF-16 code units of the title of a session. */
const MAX_TITLE_CHARS = 100;

/** The most UTF-16 code units of what is worked on. */
const MAX_ISSUE_CHARS = 200;

export interface RollOverOptions {
  readonly owner: StateOwner;
  readonly transcript: string;
  /** The handoff; null makes it of what the session was doing. */
  readonly summary: string | null;
  /** Fill of the window, in percent; null if unknown. */
  readonly percent: number | null;
  readonly configDir: string | undefined;
  readonly retentionDays: number;
  /** Tells the time in milliseconds since 1970. */
  readonly now: () => number;
  /** The task, such as `#42`. @default {""} */
  readonly issue?: string;
  /** Whose session it is. @default what the lineage knows, else {workerOf()} */
  readonly workerId?: string | number;
  /** Whether the handoff stays for others when a session takes it. @default {false} */
  readonly keep?: boolean;
  /** Whether a session without a person may take it. @default {false} */
  readonly forHeadless?: boolean;
  /** Whether the episodic-memory command was found. @default {false} */
  readonly hasEpisodicMemory?: boolean;
  /** Time to wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  /** The system calls to write lineage and handoff with. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

/** Result of a rollover. The names are those of the command's JSON. */
export interface RolledOver {
  /** Names the worker of the next session. */
  readonly worker_id: string;
  /** The number of the next session among those of its worker, from 1. */
  readonly session_number: number;
  /** The session that was rolled over. */
  readonly parent_session_id: string;
  /** The file with the continuation prompt. */
  readonly prompt_file: string;
  /** The command that starts the next session in a shell. */
  readonly start_command: string;
  /** Whether the next session receives the handoff automatically: one marked as the user's own. */
  readonly is_automatic: boolean;
  /** The id of the parent's checkpoint; null when none was saved. */
  readonly checkpoint: string | null;
  /** Steps that failed although the session is rolled over, in sentences; missing if none did. */
  readonly warning?: string;
}

/** Saves a checkpoint, ends the session, announces the next, and puts its continuation prompt down. */
export function rollOver(options: RollOverOptions): RolledOver {
  const warnings = checkAll(options);
  const { owner, transcript, configDir, percent, retentionDays, now } = options;
  const { state, saved } = checkpointSession({
    owner,
    transcript,
    configDir,
    trigger: "manual",
    usagePercent: percent,
    retentionDays,
    now,
    ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
  });
  if (saved?.warning !== undefined) warnings.push(saved.warning);
  const summary = options.summary === null
    ? handoffFromState(state, owner)
    : guardHandoff(options.summary);
  const { value, warning } = endAndAnnounce({ summary, state }, saved, options);
  if (warning !== undefined) warnings.push(warning);
  const { child, prompt_file } = value;
  // Said here, since the session that is to take it would only find nothing.
  const { projectDir, sessionId } = owner;
  const isAutomatic = findHandoff({ projectDir, configDir }, sessionId)?.isOurs !== false;
  if (!isAutomatic) {
    warnings.push(
      "The handoff could not be marked as yours, so no session receives it automatically: " +
        `trimtab restore ${sessionId} prints it.`,
    );
  }
  const done = {
    worker_id: child.worker_id,
    session_number: child.session_number,
    parent_session_id: owner.sessionId,
    prompt_file,
    start_command: startCommand(prompt_file),
    is_automatic: isAutomatic,
    checkpoint: saved?.id ?? null,
  };
  return warnings.length === 0 ? done : { ...done, warning: warnings.join(" ") };
}

interface HandoffTexts {
  readonly summary: string;
  readonly state: WorkState;
}

/** Throws problems that prevent a rollover; returns the others. */
function checkAll({ owner, transcript, summary }: RollOverOptions): string[] {
  if (sessionStatePath(owner) === null) {
    throw new RangeError(
      `Cannot roll over: ${JSON.stringify(owner.sessionId)} is not the id of a session`,
    );
  }
  const problems = summary === null ? [] : checkHandoff(summary);
  const fatal = problems.find(({ isFatal }) => isFatal);
  if (fatal !== undefined) throw new RangeError(`Cannot roll over: ${fatal.text}`);
  openFileSync(transcript).close();
  Deno.statSync(owner.projectDir);
  const trimtab = joinPath(owner.projectDir, ".claude", "trimtab");
  for (
    const folder of [trimtab, waitingFolder(owner.projectDir), checkpointFolder(owner.projectDir)]
  ) {
    checkWritable(folder);
  }
  return problems.map(({ text }) => text);
}

function checkWritable(folder: string): void {
  try {
    ensurePrivateDirSync(folder);
    const path = temporaryPathFor(joinPath(folder, "rollover"));
    Deno.openSync(path, { write: true, createNew: true }).close();
    Deno.removeSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // The call that follows the reason names the temporary file.
    const [reason = ""] = reasonOf(error).split(/: open '/);
    const advice = adviceOn(error);
    throw new Error(
      `Cannot roll over: nothing can be written to "${folder}": ${reason}` +
        (advice === null || reason.endsWith(advice) ? "" : `. ${advice}`),
    );
  }
}

/** One step for whoever looks: the session has ended, the next has its number, and its handoff waits. */
function endAndAnnounce(
  handoff: HandoffTexts,
  saved: SessionCheckpoint["saved"],
  options: RollOverOptions,
): LineageOutcome<{ readonly child: SessionRecord; readonly prompt_file: string }> {
  const { projectDir, sessionId } = options.owner;
  const hadHandoff = hasWaiting(options.owner);
  let isDown = false;
  try {
    return changeLineage({ ...options, projectDir }, (rows) => {
      const { sessions, child } = announced(rows, handoff.summary, options);
      const prompt_file = putDown({ child, handoff, saved }, options);
      isDown = true;
      return { sessions, value: { child, prompt_file } };
    });
  } catch (error) {
    // An earlier handoff of the session is not to be lost; the newer one in its place says no less.
    if (isDown && !hadHandoff) withdrawHandoff(projectDir, sessionId);
    throw error;
  }
}

function hasWaiting({ projectDir, sessionId }: StateOwner): boolean {
  return listFiles(projectDir).some(({ note, status }) =>
    note.parent_session_id === sessionId && status === "waiting"
  );
}

/** The rows in which the session has ended and the next one has its number. */
function announced(
  rows: readonly SessionRecord[],
  summary: string,
  options: RollOverOptions,
): { sessions: readonly SessionRecord[]; child: SessionRecord } {
  const { owner, transcript, percent, retentionDays } = options;
  const { sessionId } = owner;
  const now = new Date(options.now());
  const known = rows.find((one) => one.session_id === sessionId);
  const workerId = options.workerId === undefined ? known?.worker_id : workerName(options.workerId);
  const worker = workerId === undefined ? {} : { workerId };
  const startedAt = readStartedAt(transcript) ?? now;
  const parent = startOf({ sessionId, transcript, now: startedAt, retentionDays, ...worker });
  const started = known === undefined ? withStarted(rows, parent).sessions : rows;
  const end = { sessionId, reason: "rollover", contextAtEnd: percent, summary, now } as const;
  const ended = withEnded(started, endOf(end)).sessions;
  const next = startOf({ ...parent, sessionId: null, parentSessionId: sessionId, now });
  const { sessions, record } = withStarted(ended, { ...next, transcript: null });
  return { sessions: keptSessions(sessions, next), child: record };
}

/** Writes the handoff while the lineage is locked: it is announced once it has its number. */
function putDown(
  { child, handoff, saved }: {
    readonly child: SessionRecord;
    readonly handoff: HandoffTexts;
    readonly saved: SessionCheckpoint["saved"];
  },
  options: RollOverOptions,
): string {
  const { owner, percent, keep = false, hasEpisodicMemory = false, forHeadless = false } = options;
  const issue = excerptLine(options.issue ?? "", MAX_ISSUE_CHARS);
  const checkpoint = saved?.id ?? null;
  const prompt = buildContinuationPrompt({
    sessionNumber: child.session_number,
    issue,
    percent,
    ...handoff,
    projectDir: owner.projectDir,
    parentSessionId: owner.sessionId,
    workerId: child.worker_id,
    hasEpisodicMemory,
    checkpointId: checkpoint,
  });
  const note = {
    parent_session_id: owner.sessionId,
    session_number: child.session_number,
    worker_id: child.worker_id,
    created: new Date(options.now()).toISOString(),
    percent,
    issue: issue === "" ? null : issue,
    title: titleOf(handoff.summary, issue, child.session_number),
    checkpoint,
    has_episodic_memory: hasEpisodicMemory,
    keep,
    for_headless: forHeadless,
    summary: handoff.summary,
    save: contentOf(handoff.state),
  };
  const { projectDir } = owner;
  const { retentionDays, fs } = options;
  const how = fs === undefined ? { retentionDays } : { retentionDays, fs };
  return writeHandoff({ projectDir, configDir: options.configDir, note, prompt, ...how });
}

function titleOf(summary: string, issue: string, number: number): string {
  const task = splitHandoff(summary).find(({ name }) => name === "Current Task")?.lines ?? [];
  const line = task.find((one) => /\p{L}/u.test(one)) ?? "";
  const words = line.replace(/^[\s>*+-]*(?:Last request: )?/, "");
  const head = `Session ${number}${issue === "" ? "" : ` of ${issue}`}`;
  return excerptLine(words === "" ? head : `${head}: ${words}`, MAX_TITLE_CHARS);
}
