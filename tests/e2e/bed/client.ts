/**
 * Runs the real client headless against a mock, and returns the result.
 *
 * @module
 */

import { environmentOf, type EnvironmentOptions, newHome, type TestHome } from "./home.ts";
import { findClient } from "./install.ts";
import type { Mock } from "./mock_api.ts";

export { newHome, type TestHome } from "./home.ts";
export { CLIENT_VERSION, findClient } from "./install.ts";

/** The default model of clients under test: a window of a million tokens, reminders in separate messages. */
export const MODEL = "claude-sonnet-5";

/** A model with a window of 200,000 tokens, which receives reminders inside the prompts. */
export const SMALL_MODEL = "claude-haiku-4-5";

/**
 * Like {@link newHome}, for clients that run with {@link SMALL_MODEL}, in tests of shares of the window.
 *
 * @param settings As for {@link newHome}.
 * @returns The folders, and the model.
 */
export function newSmallHome(settings?: Record<string, unknown>): TestHome {
  return { ...newHome(settings), model: SMALL_MODEL };
}

/** The tools that a client under test uses without asking. */
export const ALLOWED_TOOLS = "Bash Read Write Edit Grep Glob Task Agent Skill";

/** Timeout for a client that hangs; on a busy machine, a run of one second takes much longer. */
const DEFAULT_TIMEOUT_MS = 120_000;

export interface RunOptions extends EnvironmentOptions {
  home: TestHome;
  mock: Mock;
  prompt: string;
  /** Additional arguments, such as `["--resume", id]`. */
  args?: string[];
  /** The working directory. @default the home's project */
  cwd?: string;
  pluginDir?: string;
  /** After this many milliseconds the client is ended and the test fails. @default 120000 */
  timeoutMs?: number;
}

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
  /** The client's stdout as JSON, or null if it is not JSON. */
  json: Record<string, unknown> | null;
  sessionId: string | null;
  transcriptPath: string | null;
}

/**
 * Arguments of every client under test.
 *
 * @param options The plugin, the home, and additional arguments.
 * @returns The command line after the program's name.
 */
export function clientArgs(
  options: { args?: string[]; pluginDir?: string; home?: TestHome },
): string[] {
  const plugin = options.pluginDir === undefined ? [] : ["--plugin-dir", options.pluginDir];
  const own = options.args ?? [];
  const model = own.includes("--model") ? [] : ["--model", options.home?.model ?? MODEL];
  // In other modes, a newer client asks a server about permissions, which the mock does not provide.
  const mode = own.includes("--permission-mode") ? [] : ["--permission-mode", "default"];
  const tools = own.includes("--allowedTools") ? [] : ["--allowedTools", ALLOWED_TOOLS];
  return [...model, ...mode, ...tools, ...plugin, ...own];
}

/**
 * Runs `claude -p` to its end.
 *
 * Needs the permissions of {@link findClient}, and `--allow-run` of the client.
 *
 * @param options The home, the mock and the prompt.
 * @returns Exit code, output, and the path of the transcript.
 * @throws {Error} When the client does not end in time.
 */
export async function runClient(options: RunOptions): Promise<RunResult> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = AbortSignal.timeout(timeoutMs);
  const output = await new Deno.Command(await findClient(), {
    args: ["-p", options.prompt, "--output-format", "json", ...clientArgs(options)],
    cwd: options.cwd ?? options.home.cwd,
    clearEnv: true,
    env: environmentOf(options.home, options.mock.url, options),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: deadline,
  }).output();
  const stdout = new TextDecoder().decode(output.stdout);
  const stderr = new TextDecoder().decode(output.stderr);
  if (deadline.aborted) {
    throw new Error(`Cannot finish the run: over ${timeoutMs} ms\n${stdout}\n${stderr}`);
  }
  const json = parseObject(stdout);
  const sessionId = typeof json?.session_id === "string" ? json.session_id : null;
  const transcriptPath = sessionId === null ? null : findTranscript(options.home, sessionId);
  return { code: output.code, stdout, stderr, json, sessionId, transcriptPath };
}

/**
 * Runs the client, and checks that it exited with 0 and left a transcript.
 *
 * @param options As for {@link runClient}.
 * @returns The result, with its session.
 * @throws {Error} With the client's output, when a check fails.
 */
export async function runClientWell(
  options: RunOptions,
): Promise<RunResult & { sessionId: string; transcriptPath: string }> {
  const result = await runClient(options);
  const { code, sessionId, transcriptPath } = result;
  if (code !== 0 || sessionId === null || transcriptPath === null) {
    throw new Error(`Cannot run the client: exit code ${code}\n${result.stdout}\n${result.stderr}`);
  }
  return { ...result, sessionId, transcriptPath };
}

/**
 * Finds the transcript of a session in any project folder.
 *
 * @param home From {@link newHome}.
 * @param sessionId The session.
 * @returns The file's path, or null when there is none.
 */
export function findTranscript(home: TestHome, sessionId: string): string | null {
  const projects = `${home.config}/projects`;
  for (const { name } of Deno.readDirSync(projects)) {
    const path = `${projects}/${name}/${sessionId}.jsonl`;
    try {
      if (Deno.statSync(path).isFile) return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return null;
}

/**
 * Makes a headless session known to `/resume` in a terminal.
 *
 * In a terminal, the client lists only sessions with a typed prompt; `claude --resume` takes any.
 *
 * @param transcriptPath The session's file, which is rewritten.
 */
export function makeResumable(transcriptPath: string): void {
  const text = Deno.readTextFileSync(transcriptPath);
  Deno.writeTextFileSync(
    transcriptPath,
    text.replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"'),
  );
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
