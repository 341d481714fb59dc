/** Where pages of reports are kept, and how one is put elsewhere. */

import { temporaryPathFor, writeFileAtomicSync } from "../store/atomic.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { isSessionId } from "../transcript/find.ts";
import { openFileSync } from "../store/read_file.ts";

export interface SaveOptions {
  readonly projectDir: string;
  /** The session; null for a report on the project. */
  readonly sessionId: string | null;
  /** The file that the user named; left out, one in the project's folder of reports. */
  readonly output?: string | undefined;
}

/** Beginning of every page, in lower case. */
const PAGE_START = "<!doctype html";

/** Where the reports of a project are kept: out of git, and for the user alone. */
export function reportsFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "reports");
}

export function savePage(html: string, options: SaveOptions): string {
  const { projectDir, sessionId, output } = options;
  const folder = reportsFolder(projectDir);
  if (output !== undefined) refuseUnfit(output);
  // The project's own folder is never made.
  Deno.statSync(projectDir);
  ensurePrivateDirSync(folder);
  // A session that is named by a path can be called like anything.
  const name = sessionId === null ? "project" : isSessionId(sessionId) ? sessionId : "session";
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

/** A page may take the place of a page, and of nothing else: a name is soon mistyped. */
function refuseUnfit(path: string): void {
  const info = viewOf(path);
  if (info === null) {
    const folder = parentPath(path);
    if (viewOf(folder) !== null) return;
    throw new Deno.errors.NotFound(`Cannot write the report: there is no folder ${folder}`);
  }
  if (!info.isFile) {
    throw new TypeError(`Cannot write the report: ${path} exists and is not a file`);
  }
  if (info.size > 0 && !isPage(path)) {
    throw new TypeError(`Cannot write the report: ${path} exists and is not a report`);
  }
}

function viewOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function isPage(path: string): boolean {
  using file = openFileSync(path);
  const start = new Uint8Array(PAGE_START.length);
  file.readSync(start);
  return new TextDecoder().decode(start).toLowerCase() === PAGE_START;
}

function move(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotFound) {
      Deno.removeSync(from);
      throw error;
    }
    // Another disk, most likely: no file can be moved there in one step.
    copyWhole(from, to);
  }
}

/** Leaves neither half of a new page nor a temporary file where that disk is full. */
function copyWhole(from: string, to: string): void {
  const isNew = viewOf(to) === null;
  try {
    Deno.copyFileSync(from, to);
  } catch (error) {
    if (isNew && viewOf(to) !== null) Deno.removeSync(to);
    throw error;
  } finally {
    Deno.removeSync(from);
  }
}
