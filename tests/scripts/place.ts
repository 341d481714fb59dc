/**
 * Makes a temporary home with sessions, and runs commands in it without the caller's environment. Each
 * command runs in its own process with only the permissions it needs, as under `bin/trimtab`, or in the
 * test's process.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { type ChildResult, cleanEnv, runChild, runDeno } from "../../tools/child.ts";
import { allPermissions, withFolders } from "../../tools/permissions.ts";
import { findProgram } from "../../src/store/programs.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { posixTest } from "../posix.ts";
import { writeTrusted } from "../trusted.ts";
import { runInProcess } from "./in_process.ts";

export const LAUNCHER = `${PLUGIN}/bin/trimtab`;

const PERMISSIONS = allPermissions();

export type Line = Record<string, unknown>;

export interface RunOptions {
  cwd?: string;
  /** Variables in addition to `HOME` and, if `newPlace()` got a `config`, `CLAUDE_CONFIG_DIR`. */
  env?: Record<string, string>;
  /** A permission that `run()` omits, such as `--allow-write`. */
  without?: string;
  stdin?: string;
  /** The folder of the plugin that `launch()` starts. */
  plugin?: string;
}

export interface Place extends Disposable {
  home: string;
  config: string;
  cwd: string;
  sessions: string;
  add(id: string, lines: readonly Line[], folder?: string): string;
  /** Writes a project configuration that the user trusts, and returns its path. */
  configure(toml: string): string;
  /** Runs a script such as `scripts/trim.ts` in its own process with only the permissions it needs. */
  run(script: string, args: readonly string[], options?: RunOptions): Promise<ChildResult>;
  /** Runs a script in the process of the test, with all permissions. */
  call(script: string, args: readonly string[], options?: RunOptions): Promise<ChildResult>;
  /** Returns the object that `call()` with `--json` prints; throws if the command fails. */
  json(script: string, args?: readonly string[], options?: RunOptions): Promise<Line>;
  /** Returns the text that `call()` prints; throws if the command fails. */
  text(script: string, args?: readonly string[], options?: RunOptions): Promise<string>;
  /** Returns the error that `call()` prints; throws if the command succeeds. */
  error(script: string, args?: readonly string[], options?: RunOptions): Promise<string>;
  launch(args: readonly string[], options?: RunOptions): Promise<ChildResult>;
  files(): string[];
}

export function newPlace(names: { project?: string; config?: string } = {}): Place {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-place-" }));
  const cwd = `${home}/${names.project ?? "project"}`;
  const config = `${home}/${names.config ?? ".claude"}`;
  const sessions = `${config}/projects/${cwd.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  ensureDirSync(cwd);
  ensureDirSync(sessions);
  const baseEnv = { HOME: home, ...(names.config && { CLAUDE_CONFIG_DIR: config }) };
  const childOptions = (options: RunOptions): Parameters<typeof runChild>[2] => ({
    cwd: options.cwd ?? cwd,
    clearEnv: true,
    env: cleanEnv({ ...baseEnv, ...options.env }),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
  });
  const call: Place["call"] = async (script, args, { cwd: folder = cwd, env, ...options } = {}) => {
    const { run } = await import(new URL(`../../${script}`, import.meta.url).href);
    const surroundings = { ...options, cwd: folder, env: { ...baseEnv, ...env } };
    return runInProcess(() => run(args), surroundings);
  };
  return {
    ...{ home, config, cwd, sessions, call },
    json: async (script, args, options) =>
      jsonOf(await call(script, [...args ?? [], "--json"], options)),
    text: async (script, args, options) => textOf(await call(script, args ?? [], options)),
    error: async (script, args, options) => errorOf(await call(script, args ?? [], options)),
    add(id, lines, folder = sessions): string {
      ensureDirSync(folder);
      const path = `${folder}/${id}.jsonl`;
      Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
      return path;
    },
    configure(toml): string {
      const path = `${cwd}/.claude/trimtab.toml`;
      ensureDirSync(`${cwd}/.claude`);
      writeTrusted(path, toml, { projectDir: cwd, configDir: config });
      return path;
    },
    run(script, args, options = {}): Promise<ChildResult> {
      const permissions = PERMISSIONS.get(script) ?? [];
      const kept = permissions.filter((flag) => flag.split("=")[0] !== options.without);
      const flags = withFolders(kept, { config, project: cwd });
      const denoArgs = ["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${script}`, ...args];
      return runDeno(denoArgs, childOptions(options));
    },
    launch: (args, { plugin = PLUGIN, ...options } = {}) =>
      runChild("sh", [`${plugin}/bin/trimtab`, ...args], childOptions(options)),
    files: () => filesBelow(home),
    [Symbol.dispose]: () => Deno.removeSync(home, { recursive: true }),
  };
}

export function test(name: string, run: (place: Place) => Promise<void>): void {
  Deno.test(name, inNewPlace(run));
}

export function posixPlaceTest(name: string, run: (place: Place) => Promise<void>): void {
  posixTest(name, inNewPlace(run));
}

function inNewPlace(run: (place: Place) => Promise<void>): () => Promise<void> {
  return async () => {
    using place = newPlace();
    await run(place);
  };
}

function filesBelow(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    return isDirectory ? filesBelow(`${folder}/${name}`, path) : [path];
  }).sort();
}

export function isInstalled(program: string): boolean {
  return findProgram(program, Deno.env.get("PATH")) !== null;
}

export function writeProgram(path: string, script: string): void {
  ensureDirSync(path.slice(0, path.lastIndexOf("/")));
  Deno.writeTextFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
}

export const PRINT_ARGUMENTS = `for word in "$@"; do printf '<%s>\\n' "$word"; done`;

export function fakeDeno(place: Place, script = PRINT_ARGUMENTS): { TRIMTAB_DENO: string } {
  const path = `${place.home}/fake-deno`;
  writeProgram(path, script);
  return { TRIMTAB_DENO: path };
}

export function idOf(number: number): string {
  return `${String(number).repeat(8).slice(0, 8)}-0000-4000-8000-000000000000`;
}

/**
 * Builds a session: a prompt, then a call and its result for each output, then a last answer. Every answer
 * reports its usage.
 *
 * @param outputs The tool results in order, each as the tool's name and the text.
 * @returns The lines: the prompt is line 1, and result number n (from 0) is line 3 + 2 * n.
 */
export function sessionOf(
  outputs: readonly (readonly [tool: string, text: string])[],
  options: { id?: string; cwd?: string; prompt?: string } = {},
): Line[] {
  const { id = idOf(1), cwd = "/p", prompt = "Look around" } = options;
  const lines: Line[] = [];
  const add = (type: string, message: Line): void => {
    const uuid = `u${lines.length + 1}`;
    const parentUuid = lines.length === 0 ? null : `u${lines.length}`;
    lines.push({ parentUuid, isSidechain: false, type, uuid, cwd, sessionId: id, message });
  };
  const answer = (n: number, content: Line[]): void => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 49_990 + n, output_tokens: 20 };
    const message = { id: `msg_${n}`, role: "assistant", model: "claude-sonnet-4-6", content };
    add("assistant", { ...message, usage });
  };
  add("user", { role: "user", content: prompt });
  for (const [n, [tool, text]] of outputs.entries()) {
    answer(n, [{ type: "tool_use", id: `toolu_${n}`, name: tool, input: { n } }]);
    const result = { type: "tool_result", tool_use_id: `toolu_${n}`, content: text };
    add("user", { role: "user", content: [result] });
  }
  answer(outputs.length, [{ type: "text", text: "That is all." }]);
  return lines;
}

export function textOf({ code, stdout, stderr }: ChildResult): string {
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  return stdout;
}

export function errorOf({ code, stdout, stderr }: ChildResult, expectedCode = 1): string {
  assertEquals({ code, stdout }, { code: expectedCode, stdout: "" });
  return stderr;
}

export function jsonOf(result: ChildResult): Line {
  const stdout = textOf(result);
  assertMatch(stdout, /^\{.*\}\n$/, "one line with an object");
  return JSON.parse(stdout);
}
