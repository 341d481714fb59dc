/**
 * A log of what trimtab did, for programs that watch a project.
 *
 * @module
 */

import { explainWrite } from "../store/atomic.ts";
import { withLockSync } from "../store/lock.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { redactSecrets } from "./redact.ts";
import { projectOf } from "./snapshot_place.ts";
import { refuseOthers } from "../store/own_file.ts";

/** Where a project keeps the log. */
export const EVENTS_FILE = ".claude/trimtab/events.jsonl";

/** From this size on the log starts anew, and one older log is kept; in bytes. */
export const MAX_EVENTS_BYTES = 1024 * 1024;

/** An event takes no more bytes than this. */
const MAX_EVENT_BYTES = 64 * 1024;

/** Only the user may read the log. */
const PRIVATE_FILE_MODE = 0o600;

const NEWLINE = 0x0a;

/** Something that happened. */
export interface TrimtabEvent {
  /** What it was, in a word. */
  readonly type: string;
  /** What belongs to it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The part of trimtab that tells it. */
  readonly source: string;
}

/** Where and when an event is written down. */
export interface EmitEventOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** When it happened. @default {new Date()} */
  readonly now?: Date;
  /** The size at which the log starts anew, in bytes. @default {MAX_EVENTS_BYTES} */
  readonly maxBytes?: number;
}

/**
 * Writes down an event: one line at the end of the project's log, in one write, so that the lines of
 * several writers never mix. Credentials in the payload are left out.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab`.
 *
 * @param event What happened.
 * @param options Where and when.
 * @returns The path of the log.
 * @throws {RangeError} When the event is too large.
 * @throws {Error} Whatever the system says when the log cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { emitEvent } from "./events.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const now = new Date("2026-03-01T14:35:22Z");
 * const path = emitEvent({ type: "saved", payload: { n: 1 }, source: "me" }, { projectDir, now });
 * assertEquals(
 *   Deno.readTextFileSync(path),
 *   '{"type":"saved","source":"me","timestamp":"2026-03-01T14:35:22.000Z","payload":{"n":1}}\n',
 * );
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function emitEvent(event: TrimtabEvent, options: EmitEventOptions = {}): string {
  const { now = new Date(), maxBytes = MAX_EVENTS_BYTES } = options;
  const { type, source, payload } = event;
  const line = JSON.stringify({ type, source, timestamp: now.toISOString(), payload }, screen);
  const bytes = new TextEncoder().encode(`${line}\n`);
  if (bytes.length > MAX_EVENT_BYTES) {
    throw new RangeError(
      `Cannot write event ${JSON.stringify(type)}: it has ${bytes.length} bytes, ` +
        `expected at most ${MAX_EVENT_BYTES}`,
    );
  }
  const path = joinPath(projectOf(options), EVENTS_FILE);
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  refuseOthers(path);
  const locked = withLockSync(`${path}.lock`, () => {
    const size = sizeOf(path);
    if (size > 0 && size + bytes.length > maxBytes) Deno.renameSync(path, olderLog(path));
    append(path, isWhole(path) ? bytes : new Uint8Array([NEWLINE, ...bytes]), sizeOf(path));
  });
  // Better an event in a log that is a little too long than none: the next writer cuts it.
  if (locked === null) append(path, bytes, null);
  return path;
}

function screen(_name: string, value: unknown): unknown {
  return typeof value === "string" ? redactSecrets(value) : value;
}

/** Cuts off again what a full disk took only a part of, unless another writer stands behind it. */
function append(path: string, bytes: Uint8Array, sizeBefore: number | null): void {
  using file = Deno.openSync(path, { append: true, create: true, mode: PRIVATE_FILE_MODE });
  let count: number;
  try {
    count = file.writeSync(bytes);
  } catch (error) {
    throw explainWrite(error, path);
  }
  if (count === bytes.length) return;
  const isLast = sizeBefore !== null && file.statSync().size === sizeBefore + count;
  if (isLast) file.truncateSync(sizeBefore);
  throw new Error(
    `Cannot write event to "${path}": the disk took ${count} of ${bytes.length} bytes. ` +
      "Free some space and try again",
  );
}

/**
 * Tells whether the last line has its end; a writer may have been killed, or the disk was full. Only
 * under the lock: what another writes at that moment can be seen in part.
 */
function isWhole(path: string): boolean {
  const size = sizeOf(path);
  if (size === 0) return true;
  using file = Deno.openSync(path);
  file.seekSync(size - 1, Deno.SeekMode.Start);
  const last = new Uint8Array(1);
  return file.readSync(last) === null || last[0] === NEWLINE;
}

/** `events.1.jsonl` beside `events.jsonl`. */
function olderLog(path: string): string {
  return path.replace(/\.jsonl$/, ".1.jsonl");
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}
