import { explainWrite, reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { removeFile, targetOf } from "../store/exists.ts";
import { PRIVATE_FILE_MODE } from "../store/modes.ts";
import { isSessionId, joinPath, ownFolder, readEnv } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { readHead } from "../store/read_file.ts";
import type { StateOwner } from "../store/state.ts";
import { PAGE_START } from "./page.ts";
import { findProgram } from "../store/programs.ts";

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
    throw explainWrite(error, path);
  }
}

/** Refuses to replace a file that is neither empty nor a report, since the name may be mistyped. */
function refuseNonReport(path: string): void {
  const { size = 0 } = targetOf(path) ?? {};
  if (size > 0 && readHead(path, PAGE_START.length) !== PAGE_START) {
    throw new TypeError(`Cannot write the report: ${path} exists and is not a report`);
  }
}

export interface OpenOptions {
  readonly os?: typeof Deno.build.os;
  readonly start?: (program: string, args: readonly string[]) => void;
}

const PROGRAMS: Readonly<Record<string, string>> = { darwin: "open", windows: "explorer" };

/** Opens a file in the program that the system uses for its type. Returns the reason of a failure. */
export function openFile(path: string, options: OpenOptions = {}): string | null {
  const { os = Deno.build.os, start = startQuietly } = options;
  const program = PROGRAMS[os] ?? "xdg-open";
  try {
    start(program, [path]);
    return null;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? `there is no ${program}` : reasonOf(error);
  }
}

/** Does not wait, because some programs run until the browser is closed. */
function startQuietly(program: string, args: readonly string[]): void {
  const path = findProgram(program, readEnv("PATH"));
  if (path === null) throw new Deno.errors.NotFound(program);
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  new Deno.Command(path, { args: [...args], ...quiet }).spawn().unref();
}
