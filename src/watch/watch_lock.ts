/** One watcher a project. */

import { PRIVATE_FILE_MODE } from "../store/modes.ts";
import { hasNoLocks } from "../store/lock.ts";
import { refuseOthers } from "../store/own_file.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { readTextSync } from "../store/read_file.ts";

/** What stands in the file is shorter, in bytes. */
const MAX_NOTE_BYTES = 1024;

/** Becomes the watcher of a project until it is disposed of. */
export function holdWatch(projectDir: string, nowMs: number): Disposable {
  Deno.statSync(projectDir);
  const path = joinPath(projectDir, ".claude", "trimtab", "watch.lock");
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  // The file is written to: a link of its name may have come with a cloned project.
  refuseOthers(path);
  const options = { read: true, write: true, create: true, mode: PRIVATE_FILE_MODE };
  const file = Deno.openSync(path, options);
  try {
    if (!isAlone(file)) {
      throw new Error(`Cannot watch ${projectDir}: ${holderOf(path)} already does`);
    }
    const note = { pid: Deno.pid, since: new Date(nowMs).toISOString() };
    file.truncateSync(0);
    file.writeSync(new TextEncoder().encode(`${JSON.stringify(note)}\n`));
  } catch (error) {
    file.close();
    throw error;
  }
  return { [Symbol.dispose]: () => file.close() };
}

/** Where the disk has no locks, a second watcher cannot be told. */
function isAlone(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch (error) {
    if (hasNoLocks(error)) return true;
    throw error;
  }
}

/** Who holds it, by what it wrote down when it took it. */
function holderOf(path: string): string {
  try {
    const text = readTextSync(path, MAX_NOTE_BYTES);
    const [, pid, since] = /"pid":(\d{1,10}),"since":"([0-9TZ:.-]{20,30})"/.exec(text) ?? [];
    if (pid !== undefined) return `process ${pid} (since ${since})`;
  } catch {
    // Some systems let nobody read a file that is locked.
  }
  return "another process";
}
