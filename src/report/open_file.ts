/** Opens a file in the program that the system uses for its type. */

import { reasonOf } from "../store/atomic.ts";
import { readEnv } from "../store/paths.ts";
import { findProgram } from "../store/programs.ts";

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
