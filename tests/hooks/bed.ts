/** Makes a project with a session, and runs hooks in it as the client would run them. */

import type { HookMain } from "../../hooks/_payload.ts";
import { main as sessionEnd } from "../../hooks/session_end.ts";
import { main as sessionStart } from "../../hooks/session_start.ts";
import type { HookDeps } from "../../src/events/call.ts";
import { type ChildResult, cleanEnv, runDeno } from "../../tools/child.ts";
import { rowOf } from "../permissions.ts";
import { insideRecordPath } from "../../src/store/inside_record.ts";
import { answer, user, writeLines } from "../gauge/transcript.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { writeTrusted } from "../trusted.ts";
import { newFolder } from "../folder.ts";
import "../own_config.ts";

export const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";

/** The session that follows {@linkcode SESSION}. */
export const NEXT_SESSION = "7c3a1a52-7d3a-4a52-9a3e-6f1c5d1b2a11";

export const START_MS = Date.parse("2026-03-01T10:00:00.000Z");

export interface Bed {
  root: string;
  projectDir: string;
  configDir: string;
  sessionId: string;
  transcript: string;
  env: Record<string, string>;
  /** Seconds from {@linkcode START_MS} to the time that the hooks see. */
  second: number;
  setUsage(tokens: number): void;
  payload(extra?: Fields): Uint8Array;
  run(main: HookMain, payload?: Uint8Array): Promise<string>;
}

export function configure(bed: Bed, toml: string): void {
  Deno.mkdirSync(`${bed.projectDir}/.claude`, { recursive: true });
  writeTrusted(`${bed.projectDir}/.claude/trimtab.toml`, toml, bed);
}

export function contextOf(printed: string): string {
  return printed === "" ? "" : JSON.parse(printed).hookSpecificOutput?.additionalContext ?? "";
}

export function messageOf(printed: string): string {
  return printed === "" ? "" : JSON.parse(printed).systemMessage ?? "";
}

type Fields = Record<string, unknown>;

export function start(bed: Bed, source: string, more: Fields = {}): Promise<string> {
  return bed.run(sessionStart, bed.payload({ source, ...more }));
}

export function end(bed: Bed, reason: unknown, more: Fields = {}): Promise<string> {
  return bed.run(sessionEnd, bed.payload({ reason, ...more }));
}

export function writeInsideRecord(
  bed: Bed,
  fill: Record<string, number>,
  trims: readonly unknown[] = [],
): void {
  const path = insideRecordPath(bed.projectDir, SESSION);
  Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
  const figures = { model: "claude-sonnet-4-6", limit_kind: "compaction", categories: {}, ...fill };
  const record = { version: 1, fill: { at_ms: START_MS, ...figures }, trims };
  Deno.writeTextFileSync(path, JSON.stringify(record));
}

export function test(name: string, run: (bed: Bed) => Promise<void>): void {
  Deno.test(name, () => withBed(run));
}

export async function withBed(test: (bed: Bed) => Promise<void>): Promise<void> {
  using folder = newFolder();
  const root = folder.path;
  const projectDir = `${root}/project`;
  const configDir = `${root}/.claude`;
  const sessions = `${configDir}/projects/-project`;
  const transcript = `${sessions}/${SESSION}.jsonl`;
  Deno.mkdirSync(projectDir);
  Deno.mkdirSync(sessions, { recursive: true });
  // Records that trimtab's welcome was shown; otherwise, the first startup would print it.
  Deno.mkdirSync(`${configDir}/trimtab/told`, { recursive: true });
  Deno.writeTextFileSync(`${configDir}/trimtab/told/welcome`, "");
  const bed: Bed = {
    root,
    projectDir,
    configDir,
    sessionId: SESSION,
    transcript,
    env: { CLAUDE_PROJECT_DIR: projectDir, HOME: root },
    second: 0,
    setUsage: (tokens) => writeLines(transcript, [user("u1", null), answer("a1", "u1", tokens)]),
    payload: (extra = {}) =>
      encode({
        session_id: SESSION,
        transcript_path: transcript,
        cwd: projectDir,
        prompt_id: "3a628e37",
        permission_mode: "default",
        ...extra,
      }),
    run: (main, payload = bed.payload()) => main(payload, depsOf(bed)),
  };
  await test(bed);
}

export function depsOf(bed: Bed): HookDeps {
  return { env: (name) => bed.env[name], now: () => START_MS + bed.second * 1000, sleep: () => {} };
}

export function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/**
 * Runs a hook as the launcher does, with exactly the permissions that the permissions table lists for it.
 *
 * @param hook The hook's file, without folder and extension.
 */
export function runHook(bed: Bed, hook: string, stdin: string | Uint8Array): Promise<ChildResult> {
  const folders = { project: bed.projectDir, config: bed.configDir };
  const flags = rowOf(`hooks/${hook}.ts`, folders);
  return runDeno(["run", "--no-prompt", ...flags, `${PLUGIN}/hooks/${hook}.ts`], {
    cwd: bed.root,
    env: cleanEnv(bed.env),
    clearEnv: true,
    stdin,
  });
}
