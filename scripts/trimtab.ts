/**
 * `trimtab COMMAND`: runs one of the commands; what `deno compile` builds.
 *
 * @module
 */

import { print, printError } from "./_command.ts";
import { VERSION } from "../src/version.ts";

interface Command {
  summary: string;
  load(): Promise<{ run(argv: readonly string[]): Promise<number> }>;
}

/** The commands, each loaded only when it is asked for. */
const COMMANDS: Readonly<Record<string, Command>> = {
  status: {
    summary: "how full a session's window is, and what to do",
    load: () => import("./status.ts"),
  },
  trim: {
    summary: "write a smaller copy of a session under a new id",
    load: () => import("./trim.ts"),
  },
  show: { summary: "print one entry of a session whole", load: () => import("./show.ts") },
  search: {
    summary: "find what was said in earlier sessions",
    load: () => import("./search.ts"),
  },
  checkpoint: {
    summary: "save what a session was doing, verified and indexed",
    load: () => import("./checkpoint.ts"),
  },
  verify: {
    summary: "check that a checkpoint is there and whole",
    load: () => import("./verify.ts"),
  },
  restore: {
    summary: "print a checkpoint or snapshot as context to go on from",
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
    summary: "cut tasks to fit the window, with checkpoints between",
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
    summary: "look at every running session of this project, ask for checkpoints",
    load: () => import("./watch.ts"),
  },
  install: {
    summary: "set trimtab up without the plugin system, or take it out",
    load: () => import("./install.ts"),
  },
  clean: {
    summary: "show and delete what is kept for longer than it needs to be",
    load: () => import("./clean.ts"),
  },
  rescue: {
    summary: "make a session that no longer resumes resumable again",
    load: () => import("./rescue.ts"),
  },
  statusline: {
    summary: "print the status line and record the window",
    load: () => import("./statusline.ts"),
  },
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    `trimtab ${VERSION}: keeps a Claude Code session's context window healthy.`,
    "",
    "Usage: trimtab COMMAND [ARGUMENTS]",
    "",
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "trimtab COMMAND --help tells more. Each command takes --json.",
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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(COMMANDS).join(", ");
    const message = `Cannot run ${
      JSON.stringify(name)
    }: there is no such command. There are ${names}`;
    if (rest.includes("--skill")) print(message);
    else printError(message);
    return rest.includes("--skill") ? 0 : 2;
  }
  return (await command.load()).run(rest);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
