/**
 * Runs a command or a hook in this process, with given input and captured output. A run replaces stdin,
 * stdout and stderr, so the caller needs its own process.
 */

import { type HookMain, SYSTEM_DEPS } from "../../hooks/_payload.ts";
import type { ChildResult } from "../../tools/child.ts";
import { runCaptured } from "../scripts/in_process.ts";
import "../own_config.ts";

interface CommandModule {
  run(argv: readonly string[]): Promise<number>;
}

const ROOT = new URL("../../", import.meta.url);

export const COMMANDS = namesIn("scripts").filter((name) => name !== "trimtab");

export const HOOKS = namesIn("hooks");

const EVENTS = new Map(
  HOOKS.map((name) => [name, name.replaceAll(/(?:^|_)(.)/g, (_, char) => char.toUpperCase())]),
);

/** Loads all modules in advance, so that no case's time includes the loading. */
export async function loadAll(): Promise<void> {
  for (const name of COMMANDS) await commandOf(name);
  for (const name of HOOKS) await hookOf(name);
}

export async function command(
  name: string,
  argv: readonly string[],
  stdin = "",
): Promise<ChildResult> {
  const module = await commandOf(name);
  return await captureRun(() => module.run(argv), stdin);
}

/** As in a separate process, an error that the hook throws is lost. */
export async function hook(name: string, payload: Record<string, unknown>): Promise<ChildResult> {
  const main = await hookOf(name);
  const event = { hook_event_name: EVENTS.get(name), ...payload };
  const bytes = new TextEncoder().encode(JSON.stringify(event));
  let printed = "";
  const result = await captureRun(async () => {
    printed = await main(bytes, SYSTEM_DEPS);
    return 0;
  }, "");
  return {
    code: 0,
    stdout: result.stdout + printed,
    stderr: result.code === 0 ? result.stderr : "",
  };
}

async function commandOf(name: string): Promise<CommandModule> {
  return await import(new URL(`scripts/${name}.ts`, ROOT).href);
}

async function hookOf(name: string): Promise<HookMain> {
  return (await import(new URL(`hooks/${name}.ts`, ROOT).href)).main;
}

function captureRun(work: () => Promise<number>, stdin: string): Promise<ChildResult> {
  return runCaptured(async () => {
    try {
      return await work();
    } catch (thrown) {
      console.error(thrown instanceof Error ? thrown.stack : thrown);
      // No command ends with this code, so the watcher reports it, with the trace.
      return 70;
    }
  }, stdin);
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].map(({ name }) => name)
    .filter((name) => /^[a-z]\w*\.ts$/.test(name)).map((name) => name.slice(0, -".ts".length))
    .sort();
}
