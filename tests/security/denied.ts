/**
 * Runs every command and every hook in a process that lacks one kind of permission. A command that needs the
 * permission must report that; all others must end as usual.
 */

import { command, HOOKS } from "./actor.ts";
import { commandLines } from "./command_lines.ts";
import { payloadOf } from "./hostile_input.ts";
import { Watcher } from "./watcher.ts";
import { SESSION, type World } from "./world.ts";

/** Commands whose main job needs a permission; without it, they exit with 1 and a clear error. */
const NEEDED: Readonly<Record<"read" | "write" | "env" | "run", RegExp>> = {
  read: /^(?!prompt$|statusline$|install$)/,
  write: /^(?:checkpoint|snapshot|rollover|trim|rescue|watch|install)$/,
  // An unreadable variable counts as unset; a command that needs HOME reports that it is missing.
  env: /^$/,
  run: /^$/,
};

const CLEAR_ERROR = /(?:Requires|requires) (?:read|write|env|run|all) access/;

/** Each item lists the keys of an answer that a hook may print. */
const ANSWERS = [
  "",
  "systemMessage",
  "hookSpecificOutput",
  "systemMessage,hookSpecificOutput",
  "decision,reason,hookSpecificOutput",
];

export function deniedScenario(name: keyof typeof NEEDED): (world: World) => Promise<Watcher> {
  return async (world) => {
    for (const argv of [[SESSION], [SESSION, "--add=-"]]) {
      await command("checkpoint", argv, "## Task\n\nA task\n");
    }
    await command("snapshot", [SESSION]);
    const { mainJobs } = await commandLines();
    const watcher = new Watcher(world, { ignoresOutside: true });
    Deno.permissions.revokeSync({ name });
    for (const [job, argv] of mainJobs) {
      const { code, stderr } = await watcher.command(`without ${name}`, job, argv);
      if (!NEEDED[name].test(job)) continue;
      watcher.expect(code === 1, `${job} without ${name} exits with ${code}`);
      const said = `${job} without ${name} says ${JSON.stringify(stderr)}`;
      watcher.expect(CLEAR_ERROR.test(stderr), said);
    }
    for (const hook of HOOKS) {
      for (const source of ["startup", "clear", "compact"]) {
        const payload = { ...payloadOf(world), source, reason: "clear" };
        const { stdout } = await watcher.hook(`${source} without ${name}`, hook, payload);
        const output = hook === "pre_compact" || stdout === "" ? {} : JSON.parse(stdout);
        const keys = Object.keys(output).join();
        watcher.expect(ANSWERS.includes(keys), `${hook} without ${name} prints ${stdout}`);
      }
    }
    return watcher;
  };
}
