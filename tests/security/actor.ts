/**
 * Runs every command and every hook in this process, with captured output and given input. It
 * replaces stdin, stdout and stderr, so it needs its own process.
 *
 * @module
 */

import { type HookMain, SYSTEM_DEPS } from "../../hooks/_payload.ts";
import "../own_config.ts";

export interface ActionResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandModule {
  run(argv: readonly string[]): Promise<number>;
}

const DECODER = new TextDecoder();
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

/** @param name The name of the command's file. */
export async function command(
  name: string,
  argv: readonly string[],
  stdin = "",
): Promise<ActionResult> {
  const module = await commandOf(name);
  return await captureRun(() => module.run(argv), stdin);
}

/**
 * @param name The name of the hook's file.
 * @param payload The payload, without the name of the event.
 * @returns The result. As in a separate process, an error that the hook throws is lost.
 */
export async function hook(name: string, payload: Record<string, unknown>): Promise<ActionResult> {
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

async function captureRun(work: () => Promise<number>, stdin: string): Promise<ActionResult> {
  const out: string[] = [];
  const err: string[] = [];
  let input = new TextEncoder().encode(stdin);
  const take = (into: string[]) => (bytes: Uint8Array): number => {
    into.push(DECODER.decode(bytes));
    return bytes.length;
  };
  const { stdout, stderr } = Deno;
  const [writeOut, writeErr] = [stdout.writeSync, stderr.writeSync];
  const { readSync } = Deno.stdin;
  const { error, log } = console;
  stdout.writeSync = take(out);
  stderr.writeSync = take(err);
  console.error = (...words: unknown[]) => err.push(words.join(" "));
  console.log = (...words: unknown[]) => out.push(words.join(" "));
  Deno.stdin.readSync = (into) => {
    const count = Math.min(into.length, input.length);
    into.set(input.subarray(0, count));
    input = input.subarray(count);
    return count === 0 ? null : count;
  };
  let code = 0;
  try {
    code = await work();
  } catch (thrown) {
    // No command ends with this code, so the watcher reports it, with the trace.
    code = 70;
    err.push(thrown instanceof Error ? String(thrown.stack) : String(thrown));
  } finally {
    stdout.writeSync = writeOut;
    stderr.writeSync = writeErr;
    Deno.stdin.readSync = readSync;
    console.error = error;
    console.log = log;
  }
  return { code, stdout: out.join(""), stderr: err.join("") };
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].map(({ name }) => name)
    .filter((name) => /^[a-z]\w*\.ts$/.test(name)).map((name) => name.slice(0, -".ts".length))
    .sort();
}
