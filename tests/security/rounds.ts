/**
 * Runs all hooks, and all commands except `install`, some of them several times, with a session that
 * contains planted text.
 */

import type { ChildResult } from "../../tools/child.ts";
import { handoffWith, notesWith, payloadWith, plantText } from "./planted.ts";
import type { Watcher } from "./watcher.ts";
import { buildWorld, SESSION, type World } from "./world.ts";

export interface PrintedOutput extends ChildResult {
  /** The command's name, or `hook` and the name of the hook. */
  readonly name: string;
}

/** A word in every hostile text; outside of a fence, it would look like trimtab's own text. */
export const PLANTED_WORD = "OBEY-77";

const NEXT_SESSION = "44444444-0000-4000-8000-000000000000";

export interface Round {
  readonly text: string;
  readonly label: string;
  /** Whether every command except `rollover` also runs with `--json`. */
  readonly isFull: boolean;
}

export async function runRound(
  world: World,
  watcher: Watcher,
  { text, label, isFull }: Round,
): Promise<PrintedOutput[]> {
  buildWorld(world);
  plantText(world, text);
  // The names of the worker and the issue also reach the model, in a shortened form.
  const named = text.replaceAll(PLANTED_WORD, "NAMED").replaceAll("\0", "");
  Deno.env.set("WORK_WORKER_ID", named);
  watcher.reset();
  const printed: PrintedOutput[] = [];
  const runCommand = async (
    name: string,
    argv: readonly string[],
    options: { stdin?: string } = {},
  ): Promise<void> => {
    for (const form of isFull ? [[], ["--json"]] : [[]]) {
      // A rollover ends the session, so it does not run a second time with `--json`.
      if (form.length > 0 && name === "rollover") continue;
      const result = await watcher.command(label, name, [...argv, ...form], options);
      printed.push({ name, ...result });
    }
  };
  const runHook = async (name: string, fields: Record<string, unknown> = {}): Promise<void> => {
    const payload = { ...payloadWith(world, text), ...fields };
    printed.push({ name: `hook ${name}`, ...await watcher.hook(label, name, payload) });
  };
  await runHook("session_start", { source: "startup" });
  await runHook("user_prompt_submit");
  await runHook("post_tool_batch");
  await runHook("post_tool_use");
  await runCommand("checkpoint", [SESSION, "--draft"]);
  await runCommand("checkpoint", [SESSION, "--add=-"], { stdin: notesWith(text) });
  await runCommand("snapshot", [SESSION, `--name=${text}`]);
  await runHook("stop");
  await runHook("pre_compact");
  await runHook("session_start", { source: "compact" });
  await runCommand("status", [SESSION]);
  await runCommand("watch", ["--once"]);
  await runHook("user_prompt_submit", { prompt_id: "p2" });
  await runCommand("batch", ["tasks.json"]);
  await runCommand("prompt", [`--task-ref=#1`]);
  await runCommand("rollover", [SESSION, "--template"]);
  const rollover = [SESSION, "--summary=-", `--issue=${named}`, "--keep", "--for-headless"];
  await runCommand("rollover", rollover, { stdin: handoffWith(text) });
  await runHook("session_end", { reason: "clear" });
  await runHook("session_start", { source: "clear", session_id: NEXT_SESSION });
  await runCommand("rollover", [SESSION, "--auto"]);
  await runHook("session_start", { source: "startup", session_id: NEXT_SESSION });
  await runHook("session_start", { source: "resume", session_id: NEXT_SESSION });
  const withoutArguments = ["list", "restore", "rehydrate", "fresh_start", "sessions", "clean"];
  for (const name of [...withoutArguments, "live", "trust"]) await runCommand(name, []);
  await runCommand("statusline", [], { stdin: JSON.stringify(payloadWith(world, text)) });
  await runCommand("verify", ["latest"]);
  await runCommand("rehydrate", ["--level=comprehensive"]);
  await runCommand("trim", [SESSION, "--keep-recent=0", "--depth=deep", "--keep=line"]);
  await runHook("user_prompt_expansion");
  await runHook("user_prompt_expansion", { command_name: "trimtab:fresh-start", command_args: "" });
  await runCommand("rescue", [SESSION]);
  await runCommand("doctor", []);
  await runCommand("report", [SESSION]);
  await runCommand("keep", [SESSION]);
  await runCommand("search", ["planted|o", SESSION, "--regex", "--limit=100"]);
  await runCommand("show", [`${SESSION}:5`]);
  return printed;
}
