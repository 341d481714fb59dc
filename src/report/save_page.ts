import { writeFileAtomicSync } from "../store/atomic.ts";
import { removeFile, targetOf } from "../store/exists.ts";
import { PRIVATE_FILE_MODE } from "../store/modes.ts";
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
  if (output !== undefined) {
    writePage(output, html);
    return output;
  }
  const folder = reportsFolder(projectDir);
  // Throws if the project's folder is missing, because that folder must not be created.
  Deno.statSync(projectDir);
  ensurePrivateDirSync(folder);
  // If the session was given by its path, its id is the name of that file, which may be unsafe here.
  const name = isSessionId(sessionId) ? sessionId : "session";
  const path = joinPath(folder, `${name}.html`);
  writeFileAtomicSync(path, html);
  return path;
}

/** Writes in place, because only this path may be written. Leaves no incomplete page at a new path. */
function writePage(path: string, html: string): void {
  const isNew = targetOf(path) === null;
  refuseNonReport(path);
  try {
    Deno.writeTextFileSync(path, html, { mode: PRIVATE_FILE_MODE });
  } catch (error) {
    if (isNew) removeFile(path);
    throw error;
  }
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
