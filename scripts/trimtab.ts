/**
 * Entry point of the compiled executable: runs a command or a hook. The executable is granted the union of all
 * permissions, so it first drops the permissions that the command or hook does not need.
 */

import type { HookMain } from "../hooks/_payload.ts";
import { VERSION } from "../src/version.ts";
import { PERMISSIONS } from "../cli/permissions.ts";
import { print, printError } from "../cli/print.ts";
import type { CommandSpec } from "../cli/spec.ts";
import { GROUPS } from "../cli/summaries.ts";
import { wrapLines } from "../cli/wrap.ts";

/** Dropped unless the command or hook needs them. */
const DROPPED = ["write", "run", "sys"] as const;

interface CommandScript {
  readonly SPEC: CommandSpec;
  run(argv: readonly string[]): Promise<number>;
}

export const COMMANDS: Readonly<Record<string, () => Promise<CommandScript>>> = {
  status: () => import("./status.ts"),
  trim: () => import("./trim.ts"),
  show: () => import("./show.ts"),
  search: () => import("./search.ts"),
  keep: () => import("./keep.ts"),
  checkpoint: () => import("./checkpoint.ts"),
  verify: () => import("./verify.ts"),
  restore: () => import("./restore.ts"),
  snapshot: () => import("./snapshot.ts"),
  rehydrate: () => import("./rehydrate.ts"),
  list: () => import("./list.ts"),
  "fresh-start": () => import("./fresh_start.ts"),
  batch: () => import("./batch.ts"),
  prompt: () => import("./prompt.ts"),
  rollover: () => import("./rollover.ts"),
  sessions: () => import("./sessions.ts"),
  watch: () => import("./watch.ts"),
  live: () => import("./live.ts"),
  report: () => import("./report.ts"),
  install: () => import("./install.ts"),
  doctor: () => import("./doctor.ts"),
  trust: () => import("./trust.ts"),
  clean: () => import("./clean.ts"),
  rescue: () => import("./rescue.ts"),
  statusline: () => import("./statusline.ts"),
};

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
  return [
    `trimtab ${VERSION}: keeps a Claude Code session's context window healthy.`,
    "",
    "Usage: trimtab COMMAND [ARGUMENTS]",
    ...Object.entries(GROUPS).flatMap(([title, commands]) => [
      "",
      `${title}:`,
      ...Object.entries(commands).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    ]),
    "",
    "trimtab COMMAND --help lists its options. Each command accepts --json.",
    ...wrapLines([
      "trimtab hook EVENT runs a hook of Claude Code, with its payload on stdin. EVENT is one of",
      `${Object.keys(HOOKS).join(", ")}.`,
    ]),
  ].join("\n");
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "help" && Object.hasOwn(COMMANDS, rest[0] ?? "")) {
    return main([...rest.slice(0, 1), "--help"]);
  }
  if (name === undefined || ["--help", "-h", "help"].includes(name)) {
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
    const isSkill = rest.includes("--skill");
    const names = Object.keys(COMMANDS).join(", ");
    const problem = `Cannot run ${JSON.stringify(name)}: there is no such command`;
    (isSkill ? print : printError)(`${problem}. The commands are ${names}`);
    return isSkill ? 0 : 2;
  }
  dropPermissions("scripts", name);
  if (name !== "install") await refuseWrites();
  return (await command()).run(rest);
}

/** Ignores unknown events, which the hooks.json of a newer version may contain. */
async function runHookOf(event: string): Promise<number> {
  const load = Object.hasOwn(HOOKS, event) ? HOOKS[event] : undefined;
  if (load === undefined) return 0;
  const [{ runHook }, { main }] = await Promise.all([import("../hooks/_payload.ts"), load()]);
  return runHook(main);
}

function dropPermissions(folder: "scripts" | "hooks", name: string): void {
  const needs = PERMISSIONS[`${folder}/${name.replaceAll("-", "_")}.ts`];
  for (const name of DROPPED) {
    if (needs?.[name] === undefined) Deno.permissions.revokeSync({ name });
  }
}

/** Refuses the same writes as `--deny-write` does under the launcher. */
async function refuseWrites(): Promise<void> {
  if (!Deno.build.standalone) return;
  const { denyExecutedWrites } = await import("../cli/executed.ts");
  denyExecutedWrites();
}

if (import.meta.main) Deno.exit(await main(Deno.args));
