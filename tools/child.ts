/** Runs child processes for tests and tools. */

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Variables that a child needs to start. */
const KEPT_VARIABLES = [
  "PATH",
  "DENO_DIR",
  "NO_COLOR",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "TMPDIR",
];

export interface ChildOptions {
  /** @default the caller's */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the child gets only `env` and `NO_COLOR`; see {@linkcode cleanEnv}. @default {false} */
  readonly clearEnv?: boolean;
  /** If aborted, ends the child with SIGTERM. */
  readonly signal?: AbortSignal;
  /** @default empty */
  readonly stdin?: string | Uint8Array;
}

export interface ChildResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 *
 * Permissions: `--allow-run` for the program, `--allow-env`.
 *
 * @throws {DOMException} When the signal is already aborted.
 */
export async function runChild(
  program: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<ChildResult> {
  // A signal that is already aborted would never reach the child.
  options.signal?.throwIfAborted();
  const child = new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1", ...options.env },
    clearEnv: options.clearEnv ?? false,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).spawn();
  const written = options.stdin === undefined ? undefined : writeInput(child, options.stdin);
  const output = await child.output();
  await written;
  return {
    code: output.code,
    stdout: DECODER.decode(output.stdout),
    stderr: DECODER.decode(output.stderr),
  };
}

export function runDeno(
  args: readonly string[],
  options: ChildOptions = {},
): Promise<ChildResult> {
  return runChild(Deno.execPath(), args, options);
}

export function cleanEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of KEPT_VARIABLES) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  // With another HOME, Deno would look for its packages elsewhere, and download them again.
  env.DENO_DIR ??= denoDir();
  return { ...env, ...extra };
}

let knownDenoDir: string | undefined;

/** Asks Deno for the folder of its packages, because the location depends on the system. */
export function denoDir(): string {
  if (knownDenoDir !== undefined) return knownDenoDir;
  const args = ["info", "--json"];
  const output = new Deno.Command(Deno.execPath(), { args, stderr: "null" }).outputSync();
  const info: unknown = JSON.parse(DECODER.decode(output.stdout));
  if (typeof info !== "object" || info === null || !("denoDir" in info)) {
    throw new Error("Cannot find the folder of Deno's packages: `deno info` reports no denoDir");
  }
  return knownDenoDir = String(info.denoDir);
}

async function writeInput(child: Deno.ChildProcess, input: string | Uint8Array): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(typeof input === "string" ? ENCODER.encode(input) : new Uint8Array(input));
    await writer.close();
  } catch (error) {
    // A child may end without reading all of its input.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
