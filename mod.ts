/**
 * trimtab keeps a Claude Code session's context window healthy. Each command is a verb here, with the
 * same options, result and errors: it finds the session, the project and the configuration itself.
 *
 * A verb loads its code when it is called, so that importing this module costs next to nothing. The
 * names that the designs fix are in `@trimtab/trimtab/designs`.
 *
 * @module
 */

import type { RescueResult } from "./src/doctor/repair/rescue.ts";
import type { CheckpointOptions, CheckpointResult } from "./src/verbs/checkpoint.ts";
import type { FreshStartResult, FreshStartVerbOptions } from "./src/verbs/fresh_start.ts";
import type { KeepResult } from "./src/verbs/keep.ts";
import type { SavesResult } from "./src/verbs/list.ts";
import type { PlaceOptions, SessionOptions } from "./src/verbs/place.ts";
import type { PromptOptions, PromptResult } from "./src/verbs/prompt.ts";
import type { RehydrateOptions, RehydrateResult } from "./src/verbs/rehydrate.ts";
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
export type { FreshStartResult, FreshStartVerbOptions } from "./src/verbs/fresh_start.ts";
export type {
  CheckpointListRow,
  HandoffListRow,
  SavesResult,
  SnapshotListRow,
} from "./src/verbs/list.ts";
export type { KeepResult, KeptSession } from "./src/verbs/keep.ts";
export type { PlaceOptions, SessionOptions } from "./src/verbs/place.ts";
export type { PromptOptions, PromptResult } from "./src/verbs/prompt.ts";
export type { RehydrateOptions, RehydrateResult } from "./src/verbs/rehydrate.ts";
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
 * Reads how full a session's window is, and what to do about it.
 *
 * Permissions: `--allow-read` for the transcript and the folders of trimtab and Claude Code,
 * `--allow-env`; `--allow-write` for `<project>/.claude/trimtab`, where it keeps what it worked out.
 *
 * @param options Which session.
 * @returns Tokens, window, limit, percent, level, and what a trim would free.
 * @throws {Error} When there is no such session.
 */
export async function status(options: StatusOptions = {}): Promise<StatusResult> {
  return await (await import("./src/verbs/status.ts")).status(options);
}

/**
 * Writes a smaller copy of a session under a new id beside it, with its task list and edit history, and
 * records it in the lineage. The session itself is only read.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for the session's folder and for `tasks` and
 * `file-history` of Claude Code's configuration folder.
 *
 * @param options Which session, and how to trim it.
 * @returns What was cut, the copy, and tokens before and after. `output` is `null` where a copy would
 * have freed next to nothing; `instead` then has what would free more.
 * @throws {Error} When there is no such session.
 * @throws {RangeError} When a number is out of range, or a glob is empty.
 * @throws {TypeError} When `tools` is a string.
 */
export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  return await (await import("./src/verbs/trim.ts")).trim(options);
}

/**
 * Saves what a session was doing as a checkpoint, verified and indexed, or shows what would be saved.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for `<project>/.claude` and `trimtab` in Claude
 * Code's configuration folder.
 *
 * @param options Which session, and what to add.
 * @returns The checkpoint; of a draft its Markdown.
 * @throws {Error} When there is no such session, or the file cannot be written.
 */
export async function checkpoint(options: CheckpointOptions = {}): Promise<CheckpointResult> {
  return await (await import("./src/verbs/checkpoint.ts")).checkpoint(options);
}

/**
 * Checks that a checkpoint exists and is complete; one that the index lacks is added to it.
 *
 * Permissions: as {@linkcode checkpoint}.
 *
 * @param options Which checkpoint.
 * @returns Whether it is complete, and what is wrong with it.
 * @throws {Error} When the latest is asked for, and there is none.
 */
export async function verify(options: VerifyOptions): Promise<VerifyResult> {
  return (await import("./src/verbs/verify.ts")).verify(options);
}

/**
 * Gives back the newest save of a project, or a named one, as context to go on from.
 *
 * Permissions: as {@linkcode status}; `--allow-write` only to trust one.
 *
 * @param options Which save.
 * @returns The save with its context, fenced as data. Pass on none with `is_ours` false unasked.
 * @throws {Error} When there is no such save.
 */
export async function restore(options: RestoreOptions = {}): Promise<RestoreResult> {
  return (await import("./src/verbs/restore.ts")).restore(options);
}

/**
 * Saves what a session was doing as a snapshot, to restore at three levels of detail.
 *
 * Permissions: as {@linkcode checkpoint}.
 *
 * @param options Which session, and a name.
 * @returns The snapshot.
 * @throws {Error} When there is no such session, or the file cannot be written.
 */
export async function snapshot(options: SnapshotOptions = {}): Promise<SnapshotResult> {
  return (await import("./src/verbs/snapshot.ts")).snapshot(options);
}

/**
 * Gives back a snapshot at a level of detail.
 *
 * Permissions: as {@linkcode restore}.
 *
 * @param options Which snapshot, and how much of it.
 * @returns The snapshot as Markdown. Pass on none with `is_ours` false unasked.
 * @throws {Error} When there is no such snapshot.
 * @throws {RangeError} When there is no such level.
 */
export async function rehydrate(options: RehydrateOptions = {}): Promise<RehydrateResult> {
  return (await import("./src/verbs/rehydrate.ts")).rehydrate(options);
}

/**
 * Gives back a snapshot as the prompt of a fresh session, with how to go on.
 *
 * Permissions: as {@linkcode restore}.
 *
 * @param options Which snapshot.
 * @returns The prompt and the instructions; where there is no snapshot, the newest checkpoint.
 * @throws {Error} When a snapshot is named that does not exist.
 */
export async function freshStart(options: FreshStartVerbOptions = {}): Promise<FreshStartResult> {
  return (await import("./src/verbs/fresh_start.ts")).freshStart(options);
}

/**
 * Lists the checkpoints, snapshots and handoffs of a project.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options Where to look.
 * @returns The saves, of each kind the newest first.
 * @throws {Error} Whatever the system says when a folder may not be read.
 */
export async function list(options: PlaceOptions = {}): Promise<SavesResult> {
  return (await import("./src/verbs/list.ts")).list(options);
}

/**
 * Ends a session: saves a checkpoint, records the lineage and leaves a handoff for the next session.
 *
 * Permissions: as {@linkcode checkpoint}, and `--allow-run` for `episodic-memory` where it is installed.
 *
 * @param options Which session, and what to hand over.
 * @returns The next session's number, and how to start it.
 * @throws {Error} When there is no such session, or nothing can be written.
 * @throws {RangeError} When the handoff is empty or too long.
 */
export async function rollover(options: RolloverOptions = {}): Promise<RolloverResult> {
  return await (await import("./src/verbs/rollover.ts")).rollover(options);
}

/**
 * Renders a handoff of a session for somebody to complete; nothing is changed.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options Which session.
 * @returns The handoff as Markdown, with a hint under each heading.
 * @throws {Error} When there is no such session.
 */
export async function handoff(
  options: SessionOptions = {},
): Promise<{ readonly template: string }> {
  return (await import("./src/verbs/rollover.ts")).handoff(options);
}

/**
 * Lists the sessions that are recorded in a project: which came from which, and why one ended.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options Where to look.
 * @returns The sessions, in the order in which they were recorded.
 * @throws {Error} Whatever the system says when the folder may not be read.
 */
export async function sessions(options: PlaceOptions = {}): Promise<SessionsResult> {
  return (await import("./src/verbs/sessions.ts")).sessions(options);
}

/**
 * Renders the section on context management of a worker's prompt, or all of such a prompt.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options The task, where all of the prompt is wanted.
 * @returns The text, with the thresholds of the project.
 * @throws {TypeError} When the task is empty.
 */
export async function prompt(options: PromptOptions = {}): Promise<PromptResult> {
  return await (await import("./src/verbs/prompt.ts")).prompt(options);
}

/**
 * Finds what was said in earlier sessions.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options What to search for, and where.
 * @returns The matches, each with what {@linkcode show} takes to print it whole.
 * @throws {Error} When there is no such session.
 * @throws {RangeError} When a number is out of range.
 * @throws {SyntaxError} When the pattern is empty or no regular expression.
 */
export async function search(options: SearchOptions): Promise<SearchResult> {
  return (await import("./src/verbs/search.ts")).search(options);
}

/**
 * Gives back one entry of a session whole, as the notice of a trimmed output names it.
 *
 * Permissions: as {@linkcode status}.
 *
 * @param options Which entry.
 * @returns The entry as it stands in the transcript, and its text.
 * @throws {Error} When there is no such session or entry.
 * @throws {RangeError} When the entry is not named as `ID:LINE`.
 */
export async function show(options: ShowOptions): Promise<ShowResult> {
  return (await import("./src/verbs/show.ts")).show(options);
}

/**
 * Keeps the transcript of a session, and of those that it is a trimmed copy of, when Claude Code deletes
 * them: by a second name where the disk can do that, else as a copy.
 *
 * Permissions: `--allow-read`, and `--allow-write` for `projects` and `trimtab/kept` of Claude Code's
 * configuration folder.
 *
 * @param options Which session.
 * @returns What is kept, and when Claude Code deletes its own.
 * @throws {Error} When there is no such session, or it cannot be written.
 */
export async function keep(options: SessionOptions = {}): Promise<KeepResult> {
  return (await import("./src/verbs/keep.ts")).keep(options);
}

/**
 * Writes a copy of a session that no longer resumes, without what keeps Claude Code from resuming it.
 * The session itself is only read; where nothing is wrong with it, nothing is written.
 *
 * Permissions: as {@linkcode trim}.
 *
 * @param options Which session, and how.
 * @returns The findings, and the copy.
 * @throws {Error} When there is no such session, or the copy cannot be written.
 */
export async function rescue(options: RescueOptions): Promise<RescueResult> {
  return (await import("./src/verbs/rescue.ts")).rescue(options);
}

/**
 * Writes a page that shows what fills a session's window and what it cost, or compares the sessions of a
 * project. It quotes the session, without credentials.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for the page.
 *
 * @param options Which session, and where to write the page.
 * @returns The page's path, and the figures on it.
 * @throws {Error} When there is no such session, or the page cannot be written.
 * @throws {TypeError} When a session is named besides `project`.
 */
export async function report(options: ReportOptions = {}): Promise<ReportResult> {
  return await (await import("./src/verbs/report.ts")).report(options);
}
