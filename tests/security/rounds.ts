/**
 * Runs all commands and hooks once, with a session that contains planted text.
 *
 * @module
 */

import type { ActionResult } from "./actor.ts";
import { handoffWith, notesWith, payloadWith, plantText } from "./planted.ts";
import type { Watcher } from "./watcher.ts";
import { buildWorld, SESSION, type World } from "./world.ts";

export interface PrintedOutput extends ActionResult {
  /** The command's name, or `hook` and the name of the hook. */
  readonly name: string;
}

/** A word in every hostile text; outside of a fence, it would look like trimtab's own text. */
export const MARK = "OBEY-77";

const NEXT = "44444444-0000-4000-8000-000000000000";

export interface Round {
  readonly text: string;
  readonly label: string;
  /** Whether every command also runs with `--json`. */
  readonly isFull: boolean;
}

/** Rebuilds the world, plants the text, and returns the output of every command and hook. */
export async function playRound(
  world: World,
  watcher: Watcher,
  { text, label, isFull }: Round,
): Promise<PrintedOutput[]> {
  buildWorld(world);
  plantText(world, text);
  // The names of the worker and the issue also reach the model, in a shortened form.
  const named = text.replaceAll(MARK, "NAMED").replaceAll("\0", "");
  Deno.env.set("WORK_WORKER_ID", named);
  watcher.reset();
  const printed: PrintedOutput[] = [];
  const run = async (
    name: string,
    argv: readonly string[],
    options: { stdin?: string } = {},
  ): Promise<void> => {
    for (const form of isFull ? [[], ["--json"]] : [[]]) {
      // A command that ends a session or installs runs once.
      if (form.length > 0 && ["rollover", "install"].includes(name)) continue;
      const result = await watcher.command(label, name, [...argv, ...form], options);
      printed.push({ name, ...result });
    }
  };
  const play = async (name: string, fields: Record<string, unknown> = {}): Promise<void> => {
    const payload = { ...payloadWith(world, text), ...fields };
    printed.push({ name: `hook ${name}`, ...await watcher.hook(label, name, payload) });
  };
  await play("session_start", { source: "startup" });
  await play("user_prompt_submit");
  await play("post_tool_batch");
  await play("post_tool_use");
  await run("checkpoint", [SESSION, "--draft"]);
  await run("checkpoint", [SESSION, "--add=-"], { stdin: notesWith(text) });
  await run("snapshot", [SESSION, `--name=${text}`]);
  await play("stop");
  await play("pre_compact");
  await play("session_start", { source: "compact" });
  await run("status", [SESSION]);
  await run("watch", ["--once"]);
  await play("user_prompt_submit", { prompt_id: "p2" });
  await run("batch", ["tasks.json"]);
  await run("prompt", [`--task-ref=#1`]);
  await run("rollover", [SESSION, "--template"]);
  await run("rollover", [SESSION, "--summary=-", `--issue=${named}`, "--keep", "--for-headless"], {
    stdin: handoffWith(text),
  });
  await play("session_end", { reason: "clear" });
  await play("session_start", { source: "clear", session_id: NEXT });
  await run("rollover", [SESSION, "--auto"]);
  await play("session_start", { source: "startup", session_id: NEXT });
  await play("session_start", { source: "resume", session_id: NEXT });
  for (const name of ["list", "restore", "rehydrate", "fresh_start", "sessions", "clean"]) {
    await run(name, []);
  }
  await run("verify", ["latest"]);
  await run("rehydrate", ["--level=comprehensive"]);
  await run("trim", [SESSION, "--keep-recent=0", "--depth=deep", "--keep=line"]);
  await play("user_prompt_expansion");
  await play("user_prompt_expansion", { command_name: "trimtab:fresh-start", command_args: "" });
  await run("rescue", [SESSION]);
  await run("doctor", []);
  await run("report", [SESSION]);
  await run("search", ["planted|o", SESSION, "--regex", "--limit=100"]);
  await run("show", [`${SESSION}:5`]);
  return printed;
}
