/** Rollover: ends a session and writes a handoff for the next one. */

import { quoteForShell } from "../../core/shell.ts";
import { excerpt, excerptLine } from "../../inject/excerpt.ts";
import type { WorkState } from "../../core/work_state.ts";
import { openFileSync } from "../../store/read_file.ts";
import { sessionStatePath } from "../../store/state.ts";
import { readStartTime } from "../../transcript/find.ts";
import { continuationText } from "../views/continuation.ts";
import { checkHandoff, guardHandoff, splitHandoff } from "../views/handoff.ts";
import { currentRequests } from "../../layout/requests.ts";
import { contentOf, type SaveHandoff, snapshotFromContent } from "../save.ts";
import { checkpointSession, type SessionCheckpointOptions } from "../session.ts";
import { isOwnSave, removeSave } from "../store.ts";
import { changeLineage, type LineageOutcome } from "./file.ts";
import { findHandoff, findOwnHandoff, receivedHandoff, writeHandoff } from "./handoffs.ts";
import {
  type ChangedRecords,
  type LineageOptions,
  MAX_SUMMARY_CHARS,
  type SessionRecord,
  withSuccessor,
} from "./rows.ts";
import { startOf } from "./sessions.ts";

const MAX_TITLE_CHARS = 100;

const MAX_ISSUE_CHARS = 200;

type CheckpointPart = Pick<
  SessionCheckpointOptions,
  "owner" | "transcript" | "configDir" | "retentionDays" | "now" | "state"
>;

export interface RollOverOptions extends CheckpointPart, Pick<LineageOptions, "waitMs" | "fs"> {
  /**
   * The text of the handoff. If null, the text of the session's earlier handoff is kept. If there is no
   * earlier text, the handoff is generated from the work state.
   */
  readonly summary: string | null;
  /** Percentage of the limit in use; null if unknown. */
  readonly percent: number | null;
  /** The issue, such as `#42`. @default {the issue of the handoff that the session continues from} */
  readonly issue?: string;
  readonly keep?: SaveHandoff["keep"];
  readonly forHeadless?: SaveHandoff["for_headless"];
  readonly hasEpisodicMemory?: SaveHandoff["has_episodic_memory"];
}

/** Result of a rollover, with the keys of the command's JSON. */
export interface RolledOver {
  /** The id of the next session's worker. */
  readonly worker_id: string;
  /** The next session's number among the sessions of its worker, from 1. */
  readonly session_number: number;
  /** The session that was rolled over. */
  readonly parent_session_id: string;
  /** The path of the continuation prompt. */
  readonly prompt_file: string;
  /** The shell command that starts the next session. */
  readonly start_command: string;
  /**
   * Whether the next session receives the handoff automatically; false if the handoff could not be marked as
   * the user's own.
   */
  readonly is_automatic: boolean;
  /** The id of the parent's checkpoint; null if none was saved. */
  readonly checkpoint: string | null;
  /** Problems that did not prevent the rollover, and remarks on the handoff; missing if there are none. */
  readonly warning?: string;
}

export function rollOver(options: RollOverOptions): RolledOver {
  const warnings = checkOptions(options);
  // Simulated failures apply to the handoff and the lineage, not to the checkpoint.
  const { fs: _, ...session } = options;
  const { owner: { projectDir, sessionId }, configDir, percent } = session;
  const { state, saved } = checkpointSession({
    ...session,
    trigger: "manual",
    usagePercent: percent,
  });
  const checkpoint = saved?.id ?? null;
  const summary = handoffSummary(options, warnings);
  const { value, warning } = endAndAnnounce({ ...options, summary, state, checkpoint });
  warnings.push(...[saved?.warning, warning].filter((one) => one !== undefined));
  const { child, prompt_file } = value;
  // Warns now, because the next session will silently ignore an unmarked handoff.
  const found = findHandoff(projectDir, sessionId);
  const is_automatic = found === null || isOwnSave(found, { projectDir, configDir });
  if (!is_automatic) {
    warnings.push(
      "The handoff could not be marked as yours, so no session receives it automatically: " +
        `\`trimtab restore ${sessionId}\` prints it.`,
    );
  }
  const result = {
    worker_id: child.worker_id,
    session_number: child.session_number,
    parent_session_id: sessionId,
    prompt_file,
    start_command: `claude "$(cat ${quoteForShell(prompt_file)})"`,
    is_automatic,
    checkpoint,
  };
  return warnings.length === 0 ? result : { ...result, warning: warnings.join(" ") };
}

function handoffSummary(
  { summary, owner, configDir }: RollOverOptions,
  warnings: string[],
): string | undefined {
  const { projectDir, sessionId } = owner;
  const earlier = findOwnHandoff(sessionId, { projectDir, configDir })?.handoff.summary;
  if (earlier !== undefined) {
    warnings.push(
      summary === null
        ? "The text of this session's earlier handoff is kept, with the current state of the work."
        : "This handoff replaces the text of the session's earlier handoff.",
    );
  }
  return summary === null ? earlier : guardHandoff(summary);
}

interface Handoff extends Omit<RollOverOptions, "summary"> {
  /** Written by a model; undefined if the handoff is generated from the work state. */
  readonly summary: string | undefined;
  readonly state: WorkState;
  readonly checkpoint: string | null;
}

/** Throws if a rollover is impossible, and returns problems that are not fatal. */
function checkOptions({ owner, transcript, summary }: RollOverOptions): string[] {
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
  return problems.map(({ text }) => text);
}

/** Writes the handoff before the lineage, so that an announced session always has its handoff. */
function endAndAnnounce(
  handoff: Handoff,
): LineageOutcome<{ readonly child: SessionRecord; readonly prompt_file: string }> {
  const { projectDir, sessionId } = handoff.owner;
  const earlier = findHandoff(projectDir, sessionId);
  let isWritten = false;
  try {
    return changeLineage({ ...handoff, projectDir }, (records) => {
      const { sessions, record: child } = withAnnounced(records, handoff);
      const prompt_file = writeNextHandoff(child, handoff);
      isWritten = true;
      return { sessions, record: { child, prompt_file } };
    });
  } catch (error) {
    // Removes the new handoff, unless it replaced an earlier one, which cannot be restored.
    const found = isWritten && earlier === null ? findHandoff(projectDir, sessionId) : null;
    if (found !== null) removeSave(found, projectDir);
    throw error;
  }
}

function withAnnounced(
  records: readonly SessionRecord[],
  { owner: { sessionId }, transcript, summary, state, ...handoff }: Handoff,
): ChangedRecords<SessionRecord> {
  const { percent: contextAtEnd, retentionDays } = handoff;
  const now = new Date(handoff.now());
  const startedAt = readStartTime(transcript) ?? now;
  const known = records.find((one) => one.session_id === sessionId);
  const worker = known === undefined ? {} : { workerId: known.worker_id };
  const text = excerpt(summary ?? currentRequests(state)[0]?.text ?? "", MAX_SUMMARY_CHARS);
  return withSuccessor(records, {
    parent: startOf({ sessionId, transcript, now: startedAt, ...worker }),
    end: { reason: "rollover", contextAtEnd, summary: text, now },
    child: startOf({ parentSessionId: sessionId, retentionDays, now, ...worker }),
  });
}

function writeNextHandoff(child: SessionRecord, handoff: Handoff): string {
  const { owner, percent, configDir, retentionDays, summary, state, checkpoint } = handoff;
  const { keep = false, hasEpisodicMemory = false, forHeadless = false } = handoff;
  const { issue: given = receivedHandoff(owner, configDir)?.handoff.issue ?? "" } = handoff;
  const issue = excerptLine(given, MAX_ISSUE_CHARS);
  const content = contentOf({ ...state, session_id: owner.sessionId });
  const name = titleOf(handoff, issue, child.session_number);
  const save = {
    ...snapshotFromContent(content, { name, now: new Date(handoff.now()) }),
    project: owner.projectDir,
    usage_percent: percent,
    handoff: {
      session_number: child.session_number,
      worker_id: child.worker_id,
      issue: issue === "" ? null : issue,
      checkpoint,
      has_episodic_memory: hasEpisodicMemory,
      keep,
      for_headless: forHeadless,
      ...(summary === undefined ? {} : { summary }),
      claimed_by: [],
    },
  };
  const draft = { save, prompt: continuationText(save, owner), retentionDays };
  return writeHandoff(draft, { ...handoff, projectDir: owner.projectDir });
}

function titleOf({ summary, state }: Handoff, issue: string, number: number): string {
  const task = splitHandoff(summary ?? "").find(({ name }) => name === "Current Task")?.lines ?? [];
  const line = summary === undefined
    ? currentRequests(state)[0]?.text ?? ""
    : task.find((one) => /\p{L}/u.test(one)) ?? "";
  const words = line.replace(/^[\s>*+-]*/, "");
  const head = `Session ${number}${issue === "" ? "" : ` of ${issue}`}`;
  return excerptLine(words === "" ? head : `${head}: ${words}`, MAX_TITLE_CHARS);
}
