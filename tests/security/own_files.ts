/**
 * Replaces each of trimtab's files and folders with links, pipes and devices, and puts hostile values into
 * the files.
 */

import { ensureDirSync } from "@std/fs";
import { commandLines } from "./command_lines.ts";
import { payloadOf, reportCanaryFiles } from "./hostile_input.ts";
import { type HostileValue, hostileValues, linkPipe, relink } from "./hostile_values.ts";
import { Watcher } from "./watcher.ts";
import { writeFile } from "../folder.ts";
import { PAYLOADS } from "../hooks/payloads.ts";
import { stateFiles } from "./state_files.ts";
import {
  buildWorld,
  handoffNote,
  OUTSIDER,
  PARENT,
  removeAll,
  SESSION,
  type World,
} from "./world.ts";

/** Project files, each with the outside file that a link in its place points to. */
const FILES: readonly (readonly [path: string, outside: string])[] = [
  [".claude/trimtab/sessions.json", "folder/sessions.json"],
  [".claude/trimtab/.sessions.lock", "new.lock"],
  [".claude/trimtab/left.json", "folder/left.json"],
  [".claude/trimtab/.left.lock", "new.lock"],
  [".claude/trimtab/iteration", "folder/iteration"],
  [".claude/trimtab/iteration.lock", "new.lock"],
  [".claude/trimtab/.gitignore", "folder/.gitignore"],
  [".claude/trimtab/events.jsonl", "secret.txt"],
  [".claude/trimtab/events.jsonl.lock", "new.lock"],
  [".claude/trimtab/blackboard.jsonl", "secret.txt"],
  [".claude/trimtab/blackboard.jsonl.lock", "new.lock"],
  [".claude/trimtab/watch.lock", "secret.txt"],
  [`.claude/trimtab/state/${SESSION}.json`, `folder/${SESSION}.json`],
  [".claude/trimtab/state/.lock", "new.lock"],
  [`.claude/trimtab/handoffs/${PARENT}.json`, `folder/${PARENT}.json`],
  [`.claude/trimtab/handoffs/${PARENT}.md`, `folder/${PARENT}.md`],
  [".claude/trimtab/handoffs/.lock", "new.lock"],
  [".claude/checkpoints/2026-03-01-120000.md", "checkpoint.md"],
  [".claude/checkpoints/.lock", "new.lock"],
  [".claude/runtime/context-snapshots/20260301_120000.json", "notes.json"],
  [".claude/runtime/context-snapshots/.lock", "new.lock"],
  [".claude/trimtab.toml", "secret.txt"],
  [".work.toml", "secret.txt"],
  [".claude/settings.json", "notes.json"],
  [".claude/settings.local.json", "notes.json"],
  [".planning/STATE.md", "secret.txt"],
  [".claude/trimtab/live.jsonl", "secret.txt"],
  [".claude/trimtab/live.jsonl.lock", "new.lock"],
  [`.claude/trimtab/reports/${SESSION}.html`, "secret.txt"],
];

const FOLDERS: readonly (readonly [path: string, outside: string])[] = [
  [".claude/trimtab", "folder"],
  [".claude/trimtab/state", "folder/state"],
  [".claude/trimtab/handoffs", "folder/handoffs"],
  [".claude/checkpoints", "folder"],
  [".claude/runtime", "folder"],
  [".claude/runtime/context-snapshots", "folder/context-snapshots"],
  [".claude/trimtab/reports", "folder"],
  [".claude/trimtab/spill", "folder"],
];

/** Long enough for trimtab to offer live shaping, unless a configuration file mentions live shaping. */
const FLOOD = "line of a build\n".repeat(10_000);

const HOOK_JOBS: readonly (readonly [name: string, fields: Record<string, unknown>])[] = [
  ...Object.entries(PAYLOADS).flatMap(([name, all]) =>
    all.map((fields) => [name, fields] as const)
  ),
  ["post_tool_batch", { tool_calls: [{ tool_name: "Bash", tool_response: FLOOD }] }],
];

/**
 * These commands and the hooks below use nearly all of trimtab's files. A quick run of `replacedFiles()`
 * leaves out other commands, except `search`, and other hooks.
 */
const QUICK_RUN_COMMANDS = [
  "checkpoint",
  "snapshot",
  "rollover",
  "sessions",
  "restore",
  "list",
  "watch",
];
const QUICK_RUN_HOOKS = [
  "session_start",
  "session_end",
  "stop",
  "user_prompt_submit",
  "post_tool_batch",
];

const REPLACEMENTS = ["link", "pipe", "endless", "folder", "full", "unreadable"] as const;
type Replacement = typeof REPLACEMENTS[number];

export async function replacedFiles(world: World, isFull: boolean): Promise<Watcher> {
  const watcher = new Watcher(world);
  const jobs = await jobsOf(world, isFull, watcher);
  const replaceAndRun = async (kind: Replacement, path: string, target: string): Promise<void> => {
    renew(world, watcher);
    replaceFile(kind, path, { world, target: `${world.outside}/${target}` });
    for (const job of jobs) await job(`${kind} at ${path}`);
  };
  for (const [n, [path, target]] of FILES.entries()) {
    // The same code refuses links, pipes and endless devices, so a quick run replaces each file only with one
    // of these.
    const kinds = isFull ? REPLACEMENTS : [REPLACEMENTS[n % 3] ?? "link"];
    for (const kind of kinds) {
      await replaceAndRun(kind, path, target);
    }
  }
  for (const [path, target] of FOLDERS) {
    for (const kind of ["link", "full"] as const) {
      await replaceAndRun(kind, path, target);
    }
  }
  reportCanaryFiles(watcher, world);
  return watcher;
}

export async function hostileContents(world: World): Promise<Watcher> {
  const watcher = new Watcher(world);
  const jobs = await jobsOf(world, true, watcher);
  const values = [...hostileValues(world), ...filesOutside(world)];
  watcher.reset();
  for (const { name, text } of values) {
    plant(world, text);
    for (const job of jobs) await job(`${name} in every field`);
    removeAll(`${world.project}/.claude`);
    // Removes trimmed copies and repaired sessions, which would make each round longer.
    for (const { name } of Deno.readDirSync(world.sessions)) {
      const isKept = [SESSION, PARENT].some((id) => name === `${id}.jsonl`) || name.startsWith("3");
      if (!isKept) Deno.removeSync(`${world.sessions}/${name}`);
    }
  }
  reportCanaryFiles(watcher, world);
  return watcher;
}

type Job = (label: string) => Promise<void>;

async function jobsOf(world: World, isFull: boolean, watcher: Watcher): Promise<Job[]> {
  const { mainJobs } = await commandLines();
  const commands = mainJobs.filter(([name]) =>
    // Install deliberately follows a link in place of the client's settings file.
    name !== "install" && (isFull || QUICK_RUN_COMMANDS.includes(name))
  );
  const hooks = HOOK_JOBS.filter(([name]) => isFull || QUICK_RUN_HOOKS.includes(name));
  return [
    ...hooks.map(([name, fields]): Job => async (label) => {
      await watcher.hook(label, name, { ...payloadOf(world), ...fields });
    }),
    ...commands.map(([name, argv]): Job => async (label) => {
      await watcher.command(label, name, argv);
    }),
    async (label) => {
      await watcher.command(label, "search", ["canary", SESSION, "--scope=lineage"]);
    },
  ];
}

function renew(world: World, watcher: Watcher): void {
  buildWorld(world);
  makeFolders(world);
  const claude = `${world.project}/.claude`;
  Deno.mkdirSync(`${claude}/trimtab/reports`);
  Deno.mkdirSync(`${world.project}/.planning`);
  Deno.writeTextFileSync(`${claude}/trimtab/handoffs/${PARENT}.json`, handoffNote(PARENT));
  Deno.writeTextFileSync(`${claude}/trimtab/handoffs/${PARENT}.md`, "Go on.\n");
  Deno.writeTextFileSync(`${claude}/trimtab/blackboard.jsonl`, "");
  watcher.reset();
}

function makeFolders({ project }: World): void {
  const folders = ["trimtab/state", "trimtab/handoffs", "checkpoints", "runtime/context-snapshots"];
  for (const folder of folders) ensureDirSync(`${project}/.claude/${folder}`);
}

function replaceFile(
  kind: Replacement,
  name: string,
  { world, target }: { readonly world: World; readonly target: string },
): void {
  const path = `${world.project}/${name}`;
  removeAll(path);
  switch (kind) {
    case "link":
      return relink(path, target);
    case "endless":
      return relink(path, "/dev/zero");
    case "full":
      return relink(path, "/dev/full");
    case "pipe":
      return linkPipe(world, path);
    case "folder":
      return Deno.mkdirSync(path);
    case "unreadable":
      Deno.writeTextFileSync(path, "{}");
      return Deno.chmodSync(path, 0);
  }
}

/** Lists outside files. A user may name one of them, but a trimtab file in a project must not lead to it. */
function filesOutside({ outside }: World): HostileValue[] {
  const names = [`${OUTSIDER}.jsonl`, "secret.txt", "notes.json", "checkpoint.md"];
  return names.map((name) => ({ name: `${name} outside`, text: `${outside}/${name}` }));
}

function plant({ project, config }: World, text: string): void {
  const nowMs = Date.now();
  const files = {
    ...stateFiles(text, { session: SESSION, nowMs }),
    "trimtab.toml": `[context]\nwarn_threshold = ${JSON.stringify(text)}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFile(`${project}/.claude/${name}`, content);
  }
  const created = new Date(nowMs).toISOString();
  const ids = { id: text, path: text, project: text, summary: text, session_id: text };
  const checkpoint = { ...ids, created, trigger: "auto", verified: true, iteration: 1 };
  const index = { version: "1.0", checkpoints: [checkpoint], last_updated: created };
  writeFile(`${config}/trimtab/checkpoints/index.json`, JSON.stringify(index));
}
