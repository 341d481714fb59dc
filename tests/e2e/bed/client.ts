/** Runs the real client headless against a mock, and returns the result. */

import { isFile } from "../../../src/store/exists.ts";
import { runChild } from "../../../tools/child.ts";
import { environmentOf, type EnvironmentOptions, newHome, type TestHome } from "./home.ts";
import { findClient } from "./install.ts";
import type { Mock } from "./mock_api.ts";

export { newHome, type TestHome } from "./home.ts";
export { CLIENT_VERSION, findClient } from "./install.ts";

/** Has a window of a million tokens, and receives reminders as separate messages. */
export const MODEL = "claude-sonnet-5";

/** Has a window of 200,000 tokens, and receives reminders inside the prompts. */
export const SMALL_MODEL = "claude-haiku-4-5";

/** Like {@link newHome}, but with {@link SMALL_MODEL}, whose window a test can fill. */
export function newSmallHome(settings?: Record<string, unknown>): TestHome {
  return { ...newHome(settings), model: SMALL_MODEL };
}

/**
 * Makes a home with the small model, whose status line shows the usage and stores its input. `status()`
 * returns the input.
 */
export function newStatusHome(): TestHome & { status(): ReturnType<typeof JSON.parse> } {
  const home = newSmallHome();
  const file = `${home.home}/status.json`;
  // Moves the file into place, so that a reader never sees a partial file.
  const command = `cat > ${file}.$$; mv ${file}.$$ ${file}; ` +
    `grep -oE '"(total_input_tokens|used_percentage)":[0-9]+' ${file} | tr '\\n' ' '`;
  const settings = { statusLine: { type: "command", command } };
  Deno.writeTextFileSync(`${home.config}/settings.json`, JSON.stringify(settings));
  return { ...home, status: () => JSON.parse(Deno.readTextFileSync(file)) };
}

const ALLOWED_TOOLS = "Bash Read Write Edit Grep Glob Task Agent Skill";

/** Timeout for a client that hangs; generous, because the machine may be busy. */
const TIMEOUT_MS = 120_000;

export interface RunOptions extends EnvironmentOptions {
  home: TestHome;
  mock: Mock;
  prompt: string;
  args?: string[];
  pluginDir?: string;
}

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
  json: Record<string, unknown> | null;
  sessionId: string | null;
  transcriptPath: string | null;
}

export function clientArgs(
  options: { args?: string[]; pluginDir?: string; home?: TestHome },
): string[] {
  const plugin = options.pluginDir === undefined ? [] : ["--plugin-dir", options.pluginDir];
  const args = options.args ?? [];
  const model = args.includes("--model") ? [] : ["--model", options.home?.model ?? MODEL];
  // In other modes, a newer client sends permission questions to a server that the mock does not provide.
  const mode = args.includes("--permission-mode") ? [] : ["--permission-mode", "default"];
  const tools = args.includes("--allowedTools") ? [] : ["--allowedTools", ALLOWED_TOOLS];
  return [...model, ...mode, ...tools, ...plugin, ...args];
}

/** Runs `claude -p` until it exits. Throws if the client does not exit in time. */
export async function runClient(options: RunOptions): Promise<RunResult> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const args = ["-p", options.prompt, "--output-format", "json", ...clientArgs(options)];
  const { code, stdout, stderr } = await runChild(await findClient(), args, {
    cwd: options.home.cwd,
    clearEnv: true,
    env: environmentOf(options.home, options.mock.url, options),
    signal,
  });
  if (signal.aborted) {
    throw new Error(`Cannot finish the run: over ${TIMEOUT_MS} ms\n${stdout}\n${stderr}`);
  }
  const json = parseObject(stdout);
  const sessionId = typeof json?.session_id === "string" ? json.session_id : null;
  const transcriptPath = sessionId === null ? null : findTranscript(options.home, sessionId);
  return { code, stdout, stderr, json, sessionId, transcriptPath };
}

/** Runs the client, and throws unless it exits with 0 and leaves a transcript. */
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

export function findTranscript(home: TestHome, sessionId: string): string | null {
  const path = `${home.sessions}/${sessionId}.jsonl`;
  return isFile(path) ? path : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
