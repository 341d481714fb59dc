/** Finds sessions that would not resume; ignores defects that the client handles itself. */

import { isObject, type JsonObject } from "../../core/record.ts";
import {
  type ActiveContext,
  findActiveContext,
  readNodes,
} from "../../transcript/tree/active_context.ts";
import { parseObject } from "../../transcript/entry.ts";
import { cleanupDays } from "../../transcript/kept.ts";
import { readLines } from "../../transcript/lines.ts";
import { type ProjectSession, projectSessions } from "../../transcript/find.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { reasonToLeaveOut, repairMessage } from "../repair/entry.ts";
import type { RescueNote } from "../repair/finding.ts";
import { NO_SOURCE } from "../repair/image.ts";
import { splitLine } from "../repair/pieces.ts";
import { refusesThinking } from "../repair/survey.ts";
import { openFileSync } from "../../store/read_file.ts";

interface ResumeVerdict {
  /** Problems that make the client or the API refuse the session, without duplicates. */
  readonly refused: readonly string[];
  /** Problems that make the client drop parts of the session on resume, without duplicates. */
  readonly lost: readonly string[];
  readonly cutOff: ActiveContext["cutOff"];
}

/** Limits without `--all`, so that the check takes a few seconds. */
export const MAX_DOCTOR_SESSIONS = 20;

const MAX_DOCTOR_BYTES = 64 * 1024 * 1024;

const MAX_REASONS = 5;
const MAX_REASON_CHARS = 200;

/** Longest line, in bytes, that is checked for a bare `null`. */
const MAX_NULL_BYTES = 64;

export function checkSessions(place: DoctorPlace): CheckResult {
  const all = projectSessions(place);
  const chosen = place.isAll ? all : withinBudget(all);
  const problems = chosen.flatMap(({ path }) => sessionProblems(path));
  const note = chosen.length === all.length
    ? `sessions: ${all.length}, all of the project`
    : `sessions: ${chosen.length} of ${all.length}, the newest that are not too large; ` +
      "--all checks all";
  const days = place.configDir === undefined ? undefined : cleanupDays(place.configDir);
  const end = days === undefined
    ? ""
    : `; Claude Code deletes each ${days} days after its last use: trimtab keep holds on to it`;
  return { problems, note: note + end };
}

export function judgeResume(path: string): ResumeVerdict {
  using file = openFileSync(path);
  const { size } = file.statSync();
  const context = findActiveContext(file, size);
  const [refused, lost] = [new Set<string>(), new Set<string>()];
  let last: JsonObject = {};
  for (const { entry } of readNodes(file, context.nodes)) {
    last = entry.raw;
    for (const note of notesOf(entry.raw)) {
      // If the API refuses an image, the client repeats the request without it.
      const isLost = note.kind === "image" && !note.what.includes(NO_SOURCE);
      (isLost ? lost : refused).add(note.what);
    }
  }
  if (refusesThinking(last)) {
    refused.add("the API rejected its thinking in the last request");
  }
  checkLines(file, size, context, { refused, lost });
  return { refused: [...refused], lost: [...lost], cutOff: context.cutOff };
}

function sessionProblems(path: string): Problem[] {
  const { refused, lost, cutOff } = judgeResume(path);
  const problems: Problem[] = [];
  if (cutOff === "unlinked") {
    const problem = "Earlier messages exist, but no parent link reaches them.";
    problems.push({ id: "session_cut_off", subject: path, problem });
  }
  if (refused.length > 0) {
    const problem = `Problems: ${joinReasons(refused)}.`;
    problems.push({ id: "session_refused", subject: path, problem });
  }
  if (lost.length > 0) {
    const problem = `Lost on resume: ${joinReasons(lost)}.`;
    problems.push({ id: "session_loses_lines", subject: path, problem });
  }
  return problems;
}

function notesOf(raw: JsonObject): RescueNote[] {
  const reason = reasonToLeaveOut(raw);
  return reason === undefined ? repairMessage(raw, false, new Map()) : [reason];
}

/** Finds `null` lines, and messages that the client skips because they do not start their line. */
function checkLines(
  file: Deno.FsFile,
  size: number,
  { nodes }: ActiveContext,
  found: { readonly refused: Set<string>; readonly lost: Set<string> },
): void {
  const from = nodes.reduce((least, { offset }) => Math.min(least, offset), size);
  const decoder = new TextDecoder();
  file.seekSync(0, Deno.SeekMode.Start);
  for (const { bytes, offset, number } of readLines(file, { limitBytes: size })) {
    // Before the active context, only a line with a bare `null` prevents a resume.
    if (offset < from && bytes.length > MAX_NULL_BYTES) continue;
    const text = decoder.decode(bytes);
    if (text.trim() === "null") found.refused.add(`line ${number} is null`);
    if (offset < from || text.trim() === "" || parseObject(text) !== undefined) continue;
    const { pieces } = splitLine(bytes);
    const unread = pieces.filter(({ raw, start }) => start > 0 && isMainMessage(raw));
    if (unread.length > 0) {
      const count = unread.length === 1
        ? "1 message that is"
        : `${unread.length} messages that are`;
      found.lost.add(`line ${number} contains ${count} not read`);
    }
  }
}

function isMainMessage(raw: JsonObject): boolean {
  return (raw.type === "user" || raw.type === "assistant") && raw.isSidechain !== true &&
    isObject(raw.message);
}

function withinBudget(sessions: readonly ProjectSession[]): ProjectSession[] {
  let left = MAX_DOCTOR_BYTES;
  return sessions.slice(0, MAX_DOCTOR_SESSIONS).filter(({ bytes }) => {
    const isChosen = bytes <= left;
    if (isChosen) left -= bytes;
    return isChosen;
  });
}

/** Joins the first few reasons, since a broken session can have thousands. */
function joinReasons(reasons: readonly string[]): string {
  const shown = reasons.slice(0, MAX_REASONS).map((one) => one.slice(0, MAX_REASON_CHARS));
  const more = reasons.length - shown.length;
  return shown.join("; ").toWellFormed() + (more > 0 ? `; and ${more} more` : "");
}
