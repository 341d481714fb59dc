/** Measures whole processes from outside: run time and peak memory. */

import { findProgram as findOnPath } from "../src/store/programs.ts";

const GNU_TIME = "/usr/bin/time";

/** The launcher sets these if Deno may read the plugin's folder, as in an installed plugin. */
export const LAUNCHER_ENV: Readonly<Record<string, string>> = {
  DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS: "1",
};

export interface Command {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Run {
  /** Wall-clock time of the whole process, including its start, in milliseconds. */
  readonly wallMs: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runTimed(command: Command): Promise<Run> {
  const start = performance.now();
  const output = await finish(spawn(command), command);
  return { ...output, wallMs: performance.now() - start };
}

/**
 * Runs a process once more to measure its peak memory with GNU time.
 *
 * @returns The largest resident set in bytes; null if GNU time is not installed.
 */
export async function peakMemoryBytes(command: Command): Promise<number | null> {
  const report = await Deno.makeTempFile();
  try {
    const { argv } = command;
    await runTimed({ ...command, argv: [GNU_TIME, "-f", "%M", "-o", report, ...argv] });
    const kilobytes = (await Deno.readTextFile(report)).match(/\d+/g)?.at(-1);
    return kilobytes === undefined ? null : 1024 * Number(kilobytes);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  } finally {
    await Deno.remove(report);
  }
}

/** For an even count, returns the lower of the two middle numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[(sorted.length - 1) >> 1];
  if (middle === undefined) throw new RangeError("Cannot take a median: there are no values");
  return middle;
}

export async function findProgram(name: string): Promise<string | null> {
  const path = findOnPath(name, Deno.env.get("PATH"));
  if (path === null || name !== "python3") return path;
  // Asks python3 for its own path, because a version manager's shim would take extra time.
  const { code, stdout } = await runTimed({
    argv: [path, "-c", "import sys; print(sys.executable)"],
  });
  return code === 0 && stdout.trim() !== "" ? stdout.trim() : null;
}

function spawn({ argv: [program, ...args], env = {} }: Command): Deno.ChildProcess {
  const options = { args, env, stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(program, options).spawn();
}

async function finish(
  child: Deno.ChildProcess,
  { stdin = "" }: Command,
): Promise<Omit<Run, "wallMs">> {
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(stdin)).then(() => writer.close()).catch(
    (error: unknown) => {
      // A process may end without reading its input.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    },
  );
  const { code, stdout, stderr } = await child.output();
  await written;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
