/** Looks at the logs that trimtab adds to, line by line. */

import { decodeLine, isStrangers } from "../watch/blackboard.ts";
import { withLockSync } from "../store/lock.ts";
import { parseObject } from "../transcript/entry.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import type { OwnFile } from "../clean/own_files.ts";
import { readFileSync } from "../store/read_file.ts";

const MAX_LOG_BYTES = 8 * 1024 * 1024;

/** Whoever wrote half a line so long ago will not write the rest, in milliseconds. */
const TORN_MS = 60_000;

/** How long other writers are waited for, in milliseconds. */
const WAIT_MS = 5_000;

const NEWLINE = 0x0a;

export function checkLogs(place: DoctorPlace): CheckResult {
  const { probe, ownFiles } = place;
  const logs = ownFiles().files.filter(({ path, kind }) =>
    (kind === "blackboard" || kind === "events") && probe.read(path) === null
  );
  const problems = logs.flatMap((file) => logProblems(file, place));
  return { problems, note: `logs: ${logs.length}` };
}

function logProblems(file: OwnFile, place: DoctorPlace): Problem[] {
  const { path, bytes: size, mtimeMs } = file;
  if (size > MAX_LOG_BYTES) return [];
  const bytes = readFileSync(path, MAX_LOG_BYTES);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const problems: Problem[] = [];
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split("\n");
  const damaged = lines.filter((line) => line.trim() !== "" && !isMessage(file, line)).length;
  if (damaged > 0) {
    const problem = `${damaged} of its ${lines.length - 1} lines ${
      damaged === 1 ? "is" : "are"
    } damaged.`;
    problems.push({ id: "log_damaged_lines", subject: path, problem });
  }
  const strangers = file.kind === "blackboard" ? countStrangers(lines, place) : 0;
  if (strangers > 0) {
    const problem = `${strangers} of its messages ${
      strangers === 1 ? "was" : "were"
    } not written on this machine.`;
    problems.push({ id: "log_foreign_lines", subject: path, problem });
  }
  if (end < bytes.length && place.nowMs - mtimeMs > TORN_MS) {
    problems.push({
      id: "log_torn",
      subject: path,
      problem: `Its last line is incomplete: ${bytes.length - end} bytes without a line feed.`,
      repair: () => endLog(file),
    });
  }
  return problems;
}

function countStrangers(lines: readonly string[], place: DoctorPlace): number {
  return lines.filter((text) => {
    const line = decodeLine(text);
    return line !== null && isStrangers(line, place);
  }).length;
}

/** A last line that lacks nothing but its end gets that; half a line goes. */
function endLog(file: OwnFile): void {
  const { path } = file;
  const lock = `${path.replace(/\.1\.jsonl$/, ".jsonl")}.lock`;
  const done = withLockSync(lock, () => {
    using log = Deno.openSync(path, { read: true, write: true });
    const bytes = readFileSync(path, MAX_LOG_BYTES);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === bytes.length) return;
    if (isMessage(file, new TextDecoder().decode(bytes.subarray(end)))) {
      log.seekSync(0, Deno.SeekMode.End);
      log.writeSync(new Uint8Array([NEWLINE]));
    } else if (log.statSync().size === bytes.length) {
      // Nobody has added to it meanwhile without the lock.
      log.truncateSync(end);
    }
  }, { waitMs: WAIT_MS });
  if (done === null) throw new Error(`Cannot repair ${path}: another process holds ${lock}`);
}

function isMessage({ kind }: OwnFile, line: string): boolean {
  return kind === "blackboard" ? decodeLine(line) !== null : parseObject(line) !== undefined;
}
