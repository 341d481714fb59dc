/**
 * Looks at dates: what comes from the future was written by a clock that was wrong, or is read by one.
 *
 * @module
 */

import { parseObject } from "../transcript/entry.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import { projectSessions } from "../transcript/project_sessions.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import type { OwnFile } from "../clean/own_files.ts";

/** Clocks may differ by this, in milliseconds. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** How many sessions are looked at, the newest. */
const MAX_SESSIONS = 20;

/** How much of a session's end is looked at, in lines and in bytes. */
const MAX_LINES = 50;
const MAX_BYTES = 256 * 1024;

/** Checks that nothing comes from the future. */
export function checkClock(place: DoctorPlace): CheckResult {
  const latestMs = place.nowMs + MAX_AHEAD_MS;
  const { files } = place.ownFiles();
  const sessions = projectSessions(place).slice(0, MAX_SESSIONS);
  const problems: Problem[] = [
    ...files.filter(isDated).filter(({ mtimeMs }) => mtimeMs > latestMs && mtimeMs !== Infinity)
      .map(({ path, mtimeMs }): Problem => ({
        id: "file_from_the_future",
        subject: path,
        problem: `It was written on ${new Date(mtimeMs).toISOString()}, it says.`,
      })),
    ...sessions.flatMap(({ path }) => entryProblem(path, latestMs)),
  ];
  return { problems, note: `files: ${files.length}, sessions: ${sessions.length}` };
}

/** Nothing goes by the date of a lock or an ignore file. */
function isDated({ kind }: OwnFile): boolean {
  return kind !== "housekeeping";
}

function entryProblem(path: string, latestMs: number): Problem[] {
  using file = Deno.openSync(path);
  const { size } = file.statSync();
  const downTo = Math.max(0, size - MAX_BYTES);
  let newestMs = -Infinity;
  for (const { bytes } of readLinesBackward(file, size, { downTo }).take(MAX_LINES)) {
    const timestamp = parseObject(new TextDecoder().decode(bytes))?.timestamp;
    const ms = typeof timestamp === "string" ? Date.parse(timestamp) : NaN;
    if (ms > newestMs) newestMs = ms;
  }
  if (newestMs <= latestMs) return [];
  const time = new Date(newestMs).toISOString();
  const problem = `Its newest entry is of ${time}, it says.`;
  return [{ id: "entry_from_the_future", subject: path, problem }];
}
