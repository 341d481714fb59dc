/** Passes hostile values on command lines, in the environment and in the payloads of hooks. */

import { command, HOOKS } from "./actor.ts";
import { commandLines } from "./command_lines.ts";
import { PAYLOADS } from "../hooks/payloads.ts";
import { hostileValues } from "./hostile_values.ts";
import { Watcher } from "./watcher.ts";
import { CANARY, filesWith, SESSION, type World } from "./world.ts";

/** Placeholders for a session, a save or a file. A value that matches none must be rejected. */
const NAMES = /^(?:SESSION|ID|ID:LINE|FILE|--\S+ FILE)$/;

/** Environment variables that become part of a path, or are written to a file. */
const VARIABLES = ["CLAUDE_CODE_SESSION_ID", "WORK_WORKER_ID", "CLAUDE_PROJECT_DIR"];

/** Names of the values that are valid project folders, so that trimtab may save files there. */
const VALID_PROJECTS = ["link to a folder", "root"];

/**
 * A quick run tries only one in this many values for each argument, variable or field. The first value
 * differs each time, so that every value is tried for some of them.
 */
const VALUE_STEP = 3;

/** A quick run tries only these values in arguments that are not names. */
const QUICK_RUN_VALUES = ["up and away", "NUL", "shell", "pipe", "escape"];

export async function tryHostileArguments(world: World, isFull: boolean): Promise<Watcher> {
  const values = hostileValues(world);
  const { slots, mainJobs } = await commandLines();
  const watcher = new Watcher(world);
  for (const [place, slot] of slots.entries()) {
    // Other arguments may be any text, so a few values suffice to show that they are not treated as names.
    const isName = NAMES.test(slot.placeholder);
    const wanted = isName || isFull
      ? values
      : values.filter(({ name }) => QUICK_RUN_VALUES.includes(name));
    for (const { name, text } of isFull ? wanted : spread(wanted, place)) {
      await watcher.command(`${slot.placeholder} ${name}`, slot.command, slot.argv(text), {
        isRefused: isName,
      });
    }
  }
  for (const [place, variable] of VARIABLES.entries()) {
    const before = Deno.env.get(variable);
    for (const { name, text } of isFull ? values : spread(values, place)) {
      // A variable cannot contain a NUL.
      if (text.includes("\0")) continue;
      if (variable === "CLAUDE_PROJECT_DIR" && VALID_PROJECTS.includes(name)) continue;
      Deno.env.set(variable, text);
      for (const [job, argv] of mainJobs) {
        if (!isFull && !WRITERS.includes(job)) continue;
        if (job !== "install") await watcher.command(`${variable} ${name}`, job, argv);
      }
    }
    if (before === undefined) Deno.env.delete(variable);
    else Deno.env.set(variable, before);
  }
  reportCanaryFiles(watcher, world);
  return watcher;
}

function spread<T>(values: readonly T[], place: number): readonly T[] {
  return values.filter((_, n) => (n + place) % VALUE_STEP === 0);
}

const WRITERS = ["status", "rollover", "snapshot", "report", "checkpoint"];

const FIELDS_BY_HOOK: Readonly<Record<string, readonly string[]>> = {
  session_start: ["source", "prompt_id"],
  session_end: ["reason", "prompt_id"],
  user_prompt_expansion: ["command_args", "command_name", "command_source"],
  user_prompt_submit: ["prompt_id"],
};

export async function tryHostilePayloads(world: World, isFull: boolean): Promise<Watcher> {
  const values = hostileValues(world);
  for (const name of ["checkpoint", "snapshot"]) await command(name, [SESSION]);
  const watcher = new Watcher(world);
  for (const [hook, name] of HOOKS.entries()) {
    const read = ["session_id", "transcript_path", "cwd", ...FIELDS_BY_HOOK[name] ?? []];
    for (const [n, field] of (isFull ? Object.keys(payloadOf(world)) : read).entries()) {
      for (const { name: label, text } of isFull ? values : spread(values, hook + n)) {
        if (field === "cwd" && VALID_PROJECTS.includes(label)) continue;
        for (const more of PAYLOADS[name] ?? []) {
          const payload = { ...payloadOf(world), ...more, [field]: text };
          await watcher.hook(`${field} ${label} ${JSON.stringify(more)}`, name, payload);
        }
      }
    }
  }
  reportCanaryFiles(watcher, world);
  return watcher;
}

export function payloadOf(world: World): Record<string, unknown> {
  return {
    session_id: SESSION,
    transcript_path: world.transcript,
    cwd: world.project,
    prompt_id: "p1",
    source: "startup",
    reason: "other",
    trigger: "auto",
    prompt: "Go on",
    command_name: "trimtab:trim",
    command_args: "--dry-run",
    command_source: "plugin",
    tool_name: "Bash",
    tool_use_id: "toolu_0",
  };
}

export function reportCanaryFiles(watcher: Watcher, world: World): void {
  for (const [path] of filesWith(world.home, [CANARY])) {
    watcher.problems.push(`The canary was written to ${path}`);
  }
}
