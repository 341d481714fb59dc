/** `trimtab watch`: looks at every session that runs in this project, and asks for checkpoints. */

import { type FleetLook, lookAtFleet } from "../src/watch/look.ts";
import { describeLook } from "../src/watch/look_text.ts";
import type { MetricsCache } from "../src/watch/monitor.ts";
import { holdWatch } from "../src/watch/watch_lock.ts";
import { sleepUntil, watchLoop } from "../src/watch/watch_loop.ts";
import { readEnv } from "../src/store/paths.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { print } from "../cli/print.ts";
import { loadCommandConfig } from "../src/verbs/config.ts";
import { locateProject } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, countOf, flagOf, UsageError } from "../cli/spec.ts";

/** Time between two looks, in seconds. */
const INTERVAL_SECONDS = 30;

/** No look is further from the one before, in seconds. */
const MAX_INTERVAL_SECONDS = 86_400;

/** To the corner, and nothing below: the next table stands where the last one did. */
const CLEAR_SCREEN = "\x1b[H\x1b[J";

/** What ends a watcher. Windows has no other of the two. */
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM"];

export const WATCH_SPEC: CommandSpec = {
  name: "watch",
  summary: "Watch all running sessions of this project, and ask for checkpoints.",
  positionals: "",
  positionalCount: [0, 0],
  options: [
    { name: "once", type: "flag", help: "look once" },
    { name: "interval", type: "count", value: "SECONDS", help: "time between two checks (30)" },
  ],
  notes: [
    "A session whose window passes checkpoint_threshold, or that has worked for 30 minutes without a",
    "checkpoint, is asked for one on the blackboard; its hooks tell the model. Ctrl-C ends it.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(WATCH_SPEC, argv, watch);
}

async function watch(args: Arguments): Promise<CommandOutput> {
  const intervalMs = secondsOf(args) * 1000;
  const isJson = flagOf(args, "json");
  const place = locateProject();
  const { context: config } = await loadCommandConfig(place);
  const cache: MetricsCache = new Map();
  using _watch = holdWatch(place.projectDir, Date.now());
  const look = (): FleetLook =>
    lookAtFleet({ ...place, config, env: readEnv, nowMs: Date.now(), intervalMs, cache });
  if (flagOf(args, "once")) {
    const found = look();
    return { json: found, text: describeLook(found, new Date()) };
  }
  const isLive = !isJson && Deno.stdout.isTerminal();
  const show = (found: FleetLook): boolean => {
    if (isLive) Deno.stdout.writeSync(new TextEncoder().encode(CLEAR_SCREEN));
    return print(isJson ? JSON.stringify(found) : describeLook(found, new Date()));
  };
  const end = new AbortController();
  const stop = (): void => end.abort();
  for (const signal of SIGNALS) Deno.addSignalListener(signal, stop);
  try {
    await watchLoop({ look, show, sleep: sleepUntil, intervalMs, signal: end.signal });
  } finally {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, stop);
  }
  return { json: null, text: "", isPrinted: true };
}

function secondsOf(args: Arguments): number {
  const seconds = countOf(args, "interval") ?? INTERVAL_SECONDS;
  if (seconds >= 1 && seconds <= MAX_INTERVAL_SECONDS) return seconds;
  throw new UsageError(
    `Cannot run watch: --interval must be from 1 to ${MAX_INTERVAL_SECONDS} seconds, is ${seconds}`,
  );
}

if (import.meta.main) Deno.exit(await run(Deno.args));
