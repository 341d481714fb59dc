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
