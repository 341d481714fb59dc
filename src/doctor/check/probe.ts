/** Tests permissions by system calls, since mode bits do not show that a disk is read-only. */

import { PRIVATE_FILE_MODE } from "../../store/modes.ts";
import { temporaryPathFor } from "../../store/atomic.ts";
import { joinPath } from "../../store/paths.ts";
import type { Probe } from "./check.ts";
import { openFileSync } from "../../store/read_file.ts";

export const SYSTEM_PROBE: Probe = Object.freeze({
  read: (path: string): string | null => reasonOf(() => openFileSync(path).close()),
  append: (path: string): string | null =>
    reasonOf(() => Deno.openSync(path, { append: true }).close()),
  create: (folder: string): string | null => reasonOf(() => createIn(folder)),
});

function createIn(folder: string): void {
  const path = temporaryPathFor(joinPath(folder, "x"));
  const options = { write: true, createNew: true, mode: PRIVATE_FILE_MODE };
  Deno.openSync(path, options).close();
  Deno.removeSync(path);
}

function reasonOf(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    // A missing Deno permission is the caller's mistake, not a finding.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
