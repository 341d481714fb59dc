import { temporaryPathFor, writeFileAtomicSync } from "../store/atomic.ts";
import { targetOf } from "../store/exists.ts";
import { isSessionId, joinPath, ownFolder, parentPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { readHead } from "../store/read_file.ts";
import type { StateOwner } from "../store/state.ts";
import { PAGE_START } from "./page.ts";

export function reportsFolder(projectDir: string): string {
  return ownFolder(projectDir, "reports");
}

export function savePage(
  html: string,
  { projectDir, sessionId, output }: StateOwner & { readonly output?: string | undefined },
): string {
  const folder = reportsFolder(projectDir);
  if (output !== undefined) refuseNonReport(output);
  // Throws if the project's folder is missing, because that folder must not be created.
  Deno.statSync(projectDir);
  ensurePrivateDirSync(folder);
  // If the session was given by its path, its id is the name of that file, which may be unsafe here.
  const name = isSessionId(sessionId) ? sessionId : "session";
  const path = joinPath(folder, `${name}.html`);
  if (output === undefined) {
    writeFileAtomicSync(path, html);
    return path;
  }
  const temporary = temporaryPathFor(path);
  writeFileAtomicSync(temporary, html);
  move(temporary, output);
  return output;
}

/** Refuses to replace a file that is neither empty nor a report, since the name may be mistyped. */
function refuseNonReport(path: string): void {
  const info = targetOf(path);
  if (info === null) {
    const folder = parentPath(path);
    if (targetOf(folder) !== null) return;
    throw new Deno.errors.NotFound(`Cannot write the report: there is no folder ${folder}`);
  }
  if (!info.isFile) {
    throw new TypeError(`Cannot write the report: ${path} exists and is not a file`);
  }
  if (info.size > 0 && readHead(path, PAGE_START.length) !== PAGE_START) {
    throw new TypeError(`Cannot write the report: ${path} exists and is not a report`);
  }
}

function move(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotFound) {
      Deno.removeSync(from);
      throw error;
    }
    // A rename fails if the target is on another disk.
    copyAndRemove(from, to);
  }
}

/**
 * Copies a page and removes the original. If the copy fails, removes the incomplete page unless it has replaced
 * an earlier page.
 */
function copyAndRemove(from: string, to: string): void {
  const isNew = targetOf(to) === null;
  try {
    Deno.copyFileSync(from, to);
  } catch (error) {
    if (isNew && targetOf(to) !== null) Deno.removeSync(to);
    throw error;
  } finally {
    Deno.removeSync(from);
  }
}
