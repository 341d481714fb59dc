import { reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { removeFile, targetOf } from "../store/exists.ts";
import { PRIVATE_FILE_MODE } from "../store/modes.ts";
import { isSessionId, joinPath, ownFolder, parentPath, readEnv } from "../store/paths.ts";
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

/** Time that the program has to report a failure, in milliseconds. */
const OPEN_WAIT_MS = 2_000;

interface Opener {
  readonly status: Promise<{ readonly success: boolean; readonly code: number }>;
  unref(): void;
}

export interface OpenOptions {
  readonly os?: typeof Deno.build.os;
  readonly start?: (program: string, args: readonly string[]) => Opener;
  readonly waitMs?: number;
}

const PROGRAMS: Readonly<Record<string, string>> = { darwin: "open", windows: "explorer" };

export async function openFile(path: string, options: OpenOptions = {}): Promise<string | null> {
  const { os = Deno.build.os, start = startQuietly, waitMs = OPEN_WAIT_MS } = options;
  const program = PROGRAMS[os] ?? "xdg-open";
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const opener = start(program, [path]);
    const { promise: late, resolve } = Promise.withResolvers<null>();
    timer = setTimeout(() => resolve(null), waitMs);
    const status = await Promise.race([opener.status, late]);
    // Some programs run until the browser is closed, and must not keep this process alive.
    opener.unref();
    // On Windows, `explorer` exits with code 1 even if it succeeds.
    if (status === null || status.success || os === "windows") return null;
    return `${program} ended with code ${status.code}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `there is no ${program}`;
    return reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function startQuietly(program: string, args: readonly string[]): Opener {
  const path = findProgram(program, readEnv("PATH"));
  if (path === null) throw new Deno.errors.NotFound(program);
  return new Deno.Command(path, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}
