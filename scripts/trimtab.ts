/**
 * `trimtab COMMAND`: runs a command or a hook; the entry point of the compiled executable.
 *
 * A compiled executable has the permissions of all commands together, so it first drops permissions
 * that the command or hook does not need.
 */

import type { HookMain } from "../hooks/_payload.ts";
import { VERSION } from "../src/version.ts";
import { PERMISSIONS } from "../cli/permissions.ts";
import { print, printError } from "../cli/print.ts";

/** Dropped unless the command or hook needs them. */
const DROPPED = ["write", "run", "sys"] as const;

interface Command {
  /** Shown in the list of commands. */
  summary: string;
  load(): Promise<{ run(argv: readonly string[]): Promise<number> }>;
}

/** Each command is loaded only when it runs. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  status: {
    summary: "how full a session's window is, and what to do",
    load: () => import("./status.ts"),
  },
  trim: {
    summary: "write a smaller copy of a session under a new id",
    load: () => import("./trim.ts"),
  },
  show: { summary: "print one entry of a session in full", load: () => import("./show.ts") },
  search: {
    summary: "find what was said in earlier sessions",
    load: () => import("./search.ts"),
  },
  keep: {
    summary: "keep a transcript when Claude Code deletes it",
    load: () => import("./keep.ts"),
  },
  checkpoint: {
    summary: "save what a session was doing, verified and indexed",
    load: () => import("./checkpoint.ts"),
  },
  verify: {
    summary: "check that a checkpoint exists and is complete",
    load: () => import("./verify.ts"),
  },
  restore: {
    summary: "print a checkpoint or snapshot as context to continue from",
    load: () => import("./restore.ts"),
  },
  snapshot: {
    summary: "save what a session was doing as JSON",
    load: () => import("./snapshot.ts"),
  },
  rehydrate: {
    summary: "print a snapshot at a level of detail",
    load: () => import("./rehydrate.ts"),
  },
  list: {
    summary: "show the checkpoints and snapshots of this project",
    load: () => import("./list.ts"),
  },
  "fresh-start": {
    summary: "print a snapshot as the prompt of a fresh session",
    load: () => import("./fresh_start.ts"),
  },
  batch: {
    summary: "split tasks to fit the window, with checkpoints between them",
    load: () => import("./batch.ts"),
  },
  prompt: {
    summary: "print the section on context management for a worker's prompt",
    load: () => import("./prompt.ts"),
  },
  rollover: {
    summary: "end a session and leave a handoff for the next one",
    load: () => import("./rollover.ts"),
  },
  sessions: {
    summary: "show which session came from which",
    load: () => import("./sessions.ts"),
  },
  watch: {
    summary: "watch all running sessions of this project, ask for checkpoints",
    load: () => import("./watch.ts"),
  },
  live: {
    summary: "shape long outputs before the model sees them; show what that saved",
    load: () => import("./live.ts"),
  },
  report: {
    summary: "write a page that shows what fills a session's window",
    load: () => import("./report.ts"),
  },
  install: {
    summary: "install trimtab without the plugin system, or add the status line",
    load: () => import("./install.ts"),
  },
  doctor: {
    summary: "check the installation, and repair problems with --fix",
    load: () => import("./doctor.ts"),
  },
  trust: {
    summary: "accept the configuration files of a project",
    load: () => import("./trust.ts"),
  },
  clean: {
    summary: "show and delete files that are no longer needed",
    load: () => import("./clean.ts"),
  },
  rescue: {
    summary: "repair a session that no longer resumes",
    load: () => import("./rescue.ts"),
  },
  statusline: {
    summary: "print the status line and record the window",
    load: () => import("./statusline.ts"),
  },
};

/** The remaining commands form the last group of the help text. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Most used": ["status", "trim", "rollover", "restore", "report"],
  "Save and restore": ["checkpoint", "snapshot", "list", "rehydrate", "fresh-start", "verify"],
  "Sessions": ["sessions", "search", "show", "keep", "watch", "rescue"],
  "Plan": ["batch", "prompt"],
};

/** Each hook is loaded only when it runs. */
export const HOOKS: Readonly<Record<string, () => Promise<{ main: HookMain }>>> = {
  "user-prompt-expansion": () => import("../hooks/user_prompt_expansion.ts"),
  "user-prompt-submit": () => import("../hooks/user_prompt_submit.ts"),
  "post-tool-batch": () => import("../hooks/post_tool_batch.ts"),
  "post-tool-use": () => import("../hooks/post_tool_use.ts"),
  "pre-compact": () => import("../hooks/pre_compact.ts"),
  "session-start": () => import("../hooks/session_start.ts"),
  "session-end": () => import("../hooks/session_end.ts"),
  stop: () => import("../hooks/stop.ts"),
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const grouped = Object.values(GROUPS).flat();
  const others = Object.keys(COMMANDS).filter((name) => !grouped.includes(name));
  const groups = Object.entries({ ...GROUPS, "Set up and maintain": others });
  return [
    `trimtab ${VERSION}: keeps a Claude Code session's context window healthy.`,
    "",
    "Usage: trimtab COMMAND [ARGUMENTS]",
    ...groups.flatMap(([title, names]) => [
      "",
      `${title}:`,
      ...names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary ?? ""}`),
    ]),
    "",
    "trimtab COMMAND --help lists its options. Each command accepts --json.",
    "trimtab hook EVENT runs a hook of Claude Code, with its payload on stdin. EVENT is one of",
    `${Object.keys(HOOKS).join(", ")}.`,
  ].join("\n");
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "help") {
    print(help());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    print(VERSION);
    return 0;
  }
  if (name === "hook") {
    dropPermissions("hooks", rest[0] ?? "");
    await refuseWrites();
    return runHookOf(rest[0] ?? "");
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(COMMANDS).join(", ");
    const message = `Cannot run ${
      JSON.stringify(name)
    }: there is no such command. The commands are ${names}`;
    if (rest.includes("--skill")) print(message);
    else printError(message);
    return rest.includes("--skill") ? 0 : 2;
  }
  dropPermissions("scripts", name);
  if (name !== "install") await refuseWrites();
  return (await command.load()).run(rest);
}

/** Ignores unknown events, which a newer client may send. */
async function runHookOf(event: string): Promise<number> {
  const load = Object.hasOwn(HOOKS, event) ? HOOKS[event] : undefined;
  if (load === undefined) return 0;
  const [{ runHook }, { main }] = await Promise.all([import("../hooks/_payload.ts"), load()]);
  return runHook(main);
}

function dropPermissions(folder: "scripts" | "hooks", name: string): void {
  const needs = PERMISSIONS[`${folder}/${name.replaceAll("-", "_")}.ts`];
  for (const one of DROPPED) {
    if (needs?.[one] === undefined) Deno.permissions.revokeSync({ name: one });
  }
}

/** Refuses the writes that `--deny-write` refuses under the launcher. */
async function refuseWrites(): Promise<void> {
  if (!Deno.build.standalone) return;
  const { refuseExecuted } = await import("../cli/executed.ts");
  refuseExecuted();
}

if (import.meta.main) Deno.exit(await main(Deno.args));
