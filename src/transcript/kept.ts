/** Keeps transcripts that the client would delete some time after their last use. */

import { parseObject } from "../core/record.ts";
import { AtomicStream } from "../store/atomic.ts";
import { exists, unlessFailed } from "../store/exists.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { MAX_SETTINGS_BYTES, openFileSync, readHead, readTextSync } from "../store/read_file.ts";

const DEFAULT_CLEANUP_DAYS = 30;

const COPY_BYTES = 1024 * 1024;

const HEAD_BYTES = 64 * 1024;

export function keptFolder(configDir: string): string {
  return joinPath(configDir, "trimtab", "kept");
}

interface KeptTranscript {
  readonly path: string;
  /** Whether the file is a hard link, which takes no extra space while the client's file exists. */
  readonly isLink: boolean;
  readonly isNew: boolean;
}

/**
 * Keeps a transcript as a hard link, which grows with the session, or as a copy if linking fails.
 *
 * @throws {Error} When another session with the same id is kept.
 */
export function keepTranscript(
  { id, path }: { readonly id: string; readonly path: string },
  configDir: string,
): KeptTranscript {
  const folder = keptFolder(configDir);
  const kept = joinPath(folder, `${id}.jsonl`);
  ensurePrivateDirSync(folder);
  if (exists(kept)) {
    if (kept === path || isSameFile(kept, path)) {
      return { path: kept, isLink: kept !== path, isNew: false };
    }
    if (!isSameSession(kept, path)) {
      throw new Error(
        `Cannot keep ${path}: another session with this file name is kept as ${kept}; rename the file`,
      );
    }
    // Replaces an earlier copy if the session has grown. A shorter file is an older state of the session.
    if (Deno.statSync(path).size > Deno.statSync(kept).size) copyAtomically(path, kept);
    return { path: kept, isLink: false, isNew: false };
  }
  try {
    Deno.linkSync(path, kept);
    return { path: kept, isLink: true, isNew: true };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    copyAtomically(path, kept);
    return { path: kept, isLink: false, isNew: true };
  }
}

/** Replaces a copy atomically, because it may be the only remaining file of a session. */
function copyAtomically(from: string, to: string): void {
  using source = openFileSync(from);
  using stream = new AtomicStream(to);
  const bytes = new Uint8Array(COPY_BYTES);
  for (let count = source.readSync(bytes); count !== null; count = source.readSync(bytes)) {
    stream.write(bytes.subarray(0, count));
  }
  stream.commit();
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [Deno.statSync(one), Deno.statSync(other)];
  return a.ino !== null && a.ino === b.ino && a.dev === b.dev;
}

/** Compares the first lines, which stay the same while a session grows. */
function isSameSession(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((path) => readHead(path, HEAD_BYTES).split("\n", 1)[0]);
  return a.startsWith(b) || b.startsWith(a);
}

export function cleanupDays(configDir: string): number {
  const path = joinPath(configDir, "settings.json");
  const text = unlessFailed(() => readTextSync(path, MAX_SETTINGS_BYTES)) ?? "";
  // The client uses the same default if its settings are unreadable.
  const { cleanupPeriodDays: days = DEFAULT_CLEANUP_DAYS } = parseObject(text) ?? {};
  return typeof days === "number" && days >= 0 ? days : DEFAULT_CLEANUP_DAYS;
}
