/**
 * Runs the commands and hooks that standard input lists as JSON, one after the other in this process, and
 * prints their results as JSON.
 */

import { command, hook } from "./actor.ts";
import type { Call } from "./processes.ts";

const calls: Call[] = await new Response(Deno.stdin.readable).json();
// An imported test module may have set this variable. Here, the configuration folder is in the home folder.
Deno.env.delete("CLAUDE_CONFIG_DIR");
const results = [];
for (const call of calls) {
  const isHook = "payload" in call;
  results.push(await (isHook ? hook(call.hook, call.payload) : command(call.script, call.args)));
}
console.log(JSON.stringify(results));
Deno.exit(0);
