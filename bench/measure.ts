/**
 * Whole processes, measured from outside: how long one takes and how much memory it takes at most.
 *
 * @module
 */

/** Interval at which a child's memory is read without GNU time, in milliseconds. */
const POLL_MS = 2;

/** GNU time, which reports the memory that the kernel counted. */
const GNU_TIME = "/usr/bin/time";

/** Set by the launcher where Deno may read the plugin's own folder, as in an installed plugin. */
export const LAUNCHER_ENV: Readonly<Record<string, string>> = {
  DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS: "1",
};

/** A process to run. */
export interface Command {
  /** Program and arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Its standard input. @default {""} */
  readonly stdin?: string;
  /** Variables on top of those of this process. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of a process. */
export interface Run {
  /** From before the start to after the end, in milliseconds. */
  readonly wallMs: number;
  /** Its exit code. */
  readonly code: number;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
}

/**
 * Runs a process to its end. Needs run permission for it.
 *
 * @param command What to run.
 * @returns Its time and its output.
 */
export async function runTimed(command: Command): Promise<Run> {
  const start = performance.now();
  const output = await finish(spawn(command), command);
  return { ...output, wallMs: performance.now() - start };
}

/**
 * Runs a process once more to see how much memory it takes: GNU time tells where there is one, else
 * /proc is read while the process runs, which can miss a peak just before the end.
 *
 * @param command What to run.
 * @returns The largest resident set in bytes; null where nothing can tell.
 */
export async function peakMemoryBytes(command: Command): Promise<number | null> {
  if (await hasGnuTime()) {
    const report = await Deno.makeTempFile();
    try {
      const argv = [GNU_TIME, "-f", "%M", "-o", report, ...command.argv] as const;
      await runTimed({ ...command, argv: [...argv] });
      return lastNumber(await Deno.readTextFile(report), 1024);
    } finally {
      await Deno.remove(report);
    }
  }
  return await polledPeakBytes(command);
}

/**
 * Replaces {@linkcode peakMemoryBytes} where there is no GNU time.
 *
 * @param command What to run.
 * @returns The largest resident set that was seen, in bytes; null on systems without /proc.
 */
export async function polledPeakBytes(command: Command): Promise<number | null> {
  const child = spawn(command);
  let running = true;
  const done = finish(child, command).then((run) => {
    running = false;
    return run;
  });
  let peak: number | null = null;
  while (running) {
    peak = readHighWater(child.pid) ?? peak;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await done;
  return peak;
}

/** The middle of some numbers; of an even count, the lower of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[(sorted.length - 1) >> 1];
  if (middle === undefined) throw new RangeError("Cannot take a median: there are no values");
  return middle;
}

/** The path of a program, or null when none of that name can be run. */
export async function findProgram(name: string): Promise<string | null> {
  const program = "import sys; print(sys.executable)";
  // A version manager's shim would be timed with the interpreter: ask that for its own path.
  const argv = name === "python3" ? [name, "-c", program] as const : ["which", name] as const;
  try {
    const run = await runTimed({ argv: [...argv] });
    const path = run.stdout.trim();
    return run.code === 0 && path !== "" ? path : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
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
      // A process that ends without reading its input is none the worse for it.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    },
  );
  const { code, stdout, stderr } = await child.output();
  await written;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function hasGnuTime(): Promise<boolean> {
  try {
    return (await runTimed({ argv: [GNU_TIME, "-f", "%M", "true"] })).code === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function readHighWater(pid: number): number | null {
  try {
    const line = /^VmHWM:\s*(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`));
    return line === null ? null : Number(line[1]) * 1024;
  } catch {
    // It has ended, or this system has no /proc.
    return null;
  }
}

function lastNumber(text: string, unit: number): number | null {
  const numbers = text.match(/\d+/g);
  return numbers === null ? null : Number(numbers.at(-1)) * unit;
}
