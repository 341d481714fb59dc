/**
 * trimtab keeps a Claude Code session's context window healthy. Each function does the work of one
 * command, with the same options, results and errors. It finds the session, the project and the
 * configuration itself.
 *
 * A function loads its code when it is called, so that this module is cheap to import.
 * `@trimtab/trimtab/designs` exports the names that the design documents specify.
 *
 * @module
 */

import type { RescueResult } from "./src/doctor/repair/rescue.ts";
import type { CheckpointOptions, CheckpointResult } from "./src/verbs/checkpoint.ts";
import type {
  FreshStartResult,
  FreshStartVerbOptions,
  RehydrateOptions,
  RehydrateResult,
} from "./src/verbs/fresh_start.ts";
import type { KeepResult } from "./src/verbs/keep.ts";
import type { SavesResult } from "./src/verbs/list.ts";
import type { PlaceOptions, SessionOptions } from "./src/verbs/place.ts";
import type { PromptOptions, PromptResult } from "./src/verbs/prompt.ts";
import type { RestoreOptions, RestoreResult } from "./src/verbs/restore.ts";
import type { ReportOptions, ReportResult } from "./src/verbs/report.ts";
import type { RescueOptions } from "./src/verbs/rescue.ts";
import type { RolloverOptions, RolloverResult } from "./src/verbs/rollover.ts";
import type { SearchOptions, SearchResult } from "./src/verbs/search.ts";
import type { ShowOptions, ShowResult } from "./src/verbs/show.ts";
import type { SessionsResult } from "./src/verbs/sessions.ts";
import type { SnapshotOptions, SnapshotResult } from "./src/verbs/snapshot.ts";
import type { StatusOptions, StatusResult } from "./src/verbs/status.ts";
import type { TrimOptions, TrimResult } from "./src/verbs/trim.ts";
import type { VerifyOptions, VerifyResult } from "./src/verbs/verify.ts";

export type { NeedReason } from "./src/core/need.ts";
export type { RescueAction, RescueFinding, RescueKind } from "./src/doctor/repair/finding.ts";
export type { RescueResult } from "./src/doctor/repair/rescue.ts";
export type { RolledOver } from "./src/saved/lineage/roll_over.ts";
export type { EndReason, SessionRecord } from "./src/saved/lineage/rows.ts";
export type { CheckpointRow } from "./src/saved/store.ts";
export type { SaveReason } from "./src/saved/save.ts";
export type { CheckpointOptions, CheckpointResult } from "./src/verbs/checkpoint.ts";
export type {
  FreshStartResult,
  FreshStartVerbOptions,
  RehydrateOptions,
  RehydrateResult,
} from "./src/verbs/fresh_start.ts";
export type {
  CheckpointListRow,
  HandoffListRow,
  SavesResult,
  SnapshotListRow,
} from "./src/verbs/list.ts";
export type { KeepResult, KeptSession } from "./src/verbs/keep.ts";
export type { PlaceOptions, SessionOptions } from "./src/verbs/place.ts";
export type { PromptOptions, PromptResult } from "./src/verbs/prompt.ts";
export type { RestoreOptions, RestoreResult } from "./src/verbs/restore.ts";
export type { RolloverOptions, RolloverResult } from "./src/verbs/rollover.ts";
export type { ReportOptions, ReportResult } from "./src/verbs/report.ts";
export type { RescueOptions } from "./src/verbs/rescue.ts";
export type { SearchHit, SearchOptions, SearchResult } from "./src/verbs/search.ts";
export type { ShowOptions, ShowResult } from "./src/verbs/show.ts";
export type { SessionRow, SessionsResult } from "./src/verbs/sessions.ts";
export type { SnapshotOptions, SnapshotResult } from "./src/verbs/snapshot.ts";
export type { VerifyOptions, VerifyResult } from "./src/verbs/verify.ts";
export type { StatusChart, StatusOptions, StatusResult, TrimOutlook } from "./src/verbs/status.ts";
export type { WindowSource } from "./src/transcript/tokens/window.ts";
export type { OwnedFiles } from "./src/trim/owned.ts";
export type {
  BeforeAfter,
  ExplainedCut,
  ToolSavings,
  TrimCounts,
} from "./src/trim/trim_transcript.ts";
export type { SkippedTrim, TrimSessionResult } from "./src/trim/trim_session.ts";
export type { TrimWorth } from "./src/trim/worth.ts";
export type { TrimAtOptions, TrimChoices, TrimOptions, TrimResult } from "./src/verbs/trim.ts";

/**
 * Reports how full a session's window is, and recommends an action.
 *
 * Permissions: `--allow-read` for the project, the transcript and Claude Code's configuration folder,
 * `--allow-env`; `--allow-write` for `<project>/.claude/trimtab`, where computed figures are stored.
 *
 * @returns Tokens, window, limit, percent and level, and the tokens that a trim would free.
 * @throws {Error} When the session does not exist, or the configuration is invalid.
 */
export async function status(options: StatusOptions = {}): Promise<StatusResult> {
  return await (await import("./src/verbs/status.ts")).status(options);
}

/**
 * Writes a smaller copy of a session under a new id in the same folder, copies its task list and edit
 * history, and records the copy in the lineage. The session itself is only read.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for the session's folder and for `tasks` and
 * `file-history` in Claude Code's configuration folder.
 *
 * @returns The cuts, the copy, and the tokens before and after. If the trim would free very little, no copy
 * is written: `output` is `null`, and `instead` counts the tokens that other options would free.
 * @throws {Error} When the session does not exist, or the configuration is invalid.
 * @throws {RangeError} When a number is out of range, or a glob is empty.
 * @throws {TypeError} When `tools` is a string.
 */
export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  return await (await import("./src/verbs/trim.ts")).trim(options);
}

/**
 * Saves a session's work state as a checkpoint, which is verified and indexed, or only renders a draft.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for `<project>/.claude` and for `trimtab` in Claude
 * Code's configuration folder.
 *
 * @returns The checkpoint, or the Markdown of the draft.
 * @throws {Error} When the session does not exist or cannot be read, the configuration is invalid, or the file
 * cannot be written.
 */
export async function checkpoint(options: CheckpointOptions = {}): Promise<CheckpointResult> {
  return await (await import("./src/verbs/checkpoint.ts")).checkpoint(options);
}

/**
 * Checks that a checkpoint exists, is complete and was not edited.
 *
 * Permissions: as {@linkcode status}, without `--allow-write`.
 *
 * @returns Whether the checkpoint passed the check, and its problems.
 * @throws {Error} When `latest` is requested, but the project has no checkpoint.
 * @throws {RangeError} When several checkpoints have ids that start with the given text.
 */
export async function verify(options: VerifyOptions): Promise<VerifyResult> {
  return (await import("./src/verbs/verify.ts")).verify(options);
}

/**
 * Renders the newest save of a project, or a named one, as context to continue from.
 *
 * Permissions: as {@linkcode status}; `--allow-write` only to trust a save.
 *
 * @returns The save, with its context fenced as data. If `is_ours` is false, do not pass it to a
 * model without the user's request.
 * @throws {Error} When the save does not exist.
 */
export async function restore(options: RestoreOptions = {}): Promise<RestoreResult> {
  return (await import("./src/verbs/restore.ts")).restore(options);
}

/**
 * Saves a session's work state as a snapshot, which can be restored at three levels of detail.
 *
 * Permissions: as {@linkcode checkpoint}.
 *
 * @returns The snapshot.
 * @throws {Error} When the session does not exist or cannot be read, or the file cannot be written.
 */
export async function snapshot(options: SnapshotOptions = {}): Promise<SnapshotResult> {
  return (await import("./src/verbs/snapshot.ts")).snapshot(options);
}

/**
 * Renders a snapshot at a level of detail.
 *
 * Permissions: as {@linkcode restore}.
 *
 * @returns The snapshot as Markdown. If `is_ours` is false, do not pass it to a model without the
 * user's request.
 * @throws {Error} When the snapshot does not exist.
 * @throws {RangeError} When the level does not exist.
 */
export async function rehydrate(options: RehydrateOptions = {}): Promise<RehydrateResult> {
  return (await import("./src/verbs/fresh_start.ts")).rehydrate(options);
}

/**
 * Renders a snapshot as the prompt of a fresh session, with instructions for continuing.
 *
 * Permissions: as {@linkcode restore}.
 *
 * @returns The prompt and the instructions. If no snapshot is named and the project has none from this
 * machine, returns the newest checkpoint from this machine instead, or `null` if there is no checkpoint.
 * @throws {Error} When a named snapshot does not exist, or when the project has snapshots, but no snapshot or
 * checkpoint from this machine.
 */
export async function freshStart(options: FreshStartVerbOptions = {}): Promise<FreshStartResult> {
  return (await import("./src/verbs/fresh_start.ts")).freshStart(options);
}

/**
 * Lists the checkpoints, snapshots and handoffs of a project.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The saves of each kind, newest first.
 * @throws {Error} When a folder cannot be read.
 */
export async function list(options: PlaceOptions = {}): Promise<SavesResult> {
  return (await import("./src/verbs/list.ts")).list(options);
}

/**
 * Ends a session: saves a checkpoint, records the end in the lineage, and writes a handoff for the next
 * session.
 *
 * Permissions: as {@linkcode checkpoint}, and `--allow-run` for `episodic-memory` if it is installed.
 *
 * @returns The next session's number, and the command that starts it.
 * @throws {Error} When the session does not exist, the configuration is invalid, or a file cannot be written.
 * @throws {RangeError} When the handoff is empty or too long.
 */
export async function rollover(options: RolloverOptions = {}): Promise<RolloverResult> {
  return await (await import("./src/verbs/rollover.ts")).rollover(options);
}

/**
 * Renders a template for a session's handoff, for the model to complete. Writes no file.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The template as Markdown, with a hint below each heading.
 * @throws {Error} When the session does not exist.
 */
export async function handoff(
  options: SessionOptions = {},
): Promise<{ readonly template: string }> {
  return (await import("./src/verbs/rollover.ts")).handoff(options);
}

/**
 * Lists the recorded sessions of a project, each with its parent and the reason why it ended.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The sessions, in the order in which they were recorded.
 * @throws {Error} When the folder cannot be read.
 */
export async function sessions(options: PlaceOptions = {}): Promise<SessionsResult> {
  return (await import("./src/verbs/sessions.ts")).sessions(options);
}

/**
 * Renders a worker's prompt, or only its section on context management.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The text, with the project's thresholds.
 * @throws {Error} When the configuration is invalid.
 * @throws {TypeError} When `taskRef` or `ghCli` is not one line of text.
 */
export async function prompt(options: PromptOptions = {}): Promise<PromptResult> {
  return await (await import("./src/verbs/prompt.ts")).prompt(options);
}

/**
 * Searches a session, a session and its ancestors, or all sessions of a project.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The matches, each with the reference that {@linkcode show} accepts.
 * @throws {Error} When the session does not exist.
 * @throws {RangeError} When a number is out of range.
 * @throws {SyntaxError} When the pattern is empty or not a regular expression.
 */
export async function search(options: SearchOptions): Promise<SearchResult> {
  return (await import("./src/verbs/search.ts")).search(options);
}

/**
 * Returns one entry of a session in full, such as an entry that a trim notice refers to.
 *
 * Permissions: as {@linkcode status}.
 *
 * @returns The entry as in the transcript, and its text.
 * @throws {Error} When the session or the entry does not exist.
 * @throws {SyntaxError} When the entry is not given as `ID:LINE`.
 */
export async function show(options: ShowOptions): Promise<ShowResult> {
  return (await import("./src/verbs/show.ts")).show(options);
}

/**
 * Keeps a session's transcript available after Claude Code deletes it. Also keeps the transcripts of the
 * sessions that it was trimmed from, and of the sessions that its notices refer to. A kept transcript is a hard
 * link or, if linking fails, a copy.
 *
 * Permissions: `--allow-read`, and `--allow-write` for `projects` and `trimtab/kept` in Claude Code's
 * configuration folder.
 *
 * @returns The kept transcripts, and the number of days after which Claude Code deletes
 * transcripts.
 * @throws {Error} When the session does not exist, a transcript cannot be written, or a kept transcript of
 * another session has the same file name.
 */
export async function keep(options: SessionOptions = {}): Promise<KeepResult> {
  return (await import("./src/verbs/keep.ts")).keep(options);
}

/**
 * Writes a repaired copy of a session that can no longer be resumed. The session itself is only read. A
 * session without defects is not copied.
 *
 * Permissions: as {@linkcode trim}.
 *
 * @returns The findings, and the copy.
 * @throws {Error} When the session does not exist or has no messages, or the copy cannot be written.
 */
export async function rescue(options: RescueOptions): Promise<RescueResult> {
  return (await import("./src/verbs/rescue.ts")).rescue(options);
}

/**
 * Writes a page that shows what a session's window contains and what the session cost. The page quotes the
 * session, with credentials redacted.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for the page.
 *
 * @returns The path of the page, and its figures.
 * @throws {Error} When the session does not exist, the configuration is invalid, or the page cannot be written.
 */
export async function report(options: ReportOptions = {}): Promise<ReportResult> {
  return await (await import("./src/verbs/report.ts")).report(options);
}
