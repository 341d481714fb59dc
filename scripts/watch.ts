import { readEnv } from "../src/store/paths.ts";
import { describeFleet, type FleetStatus, inspectSessions } from "../src/watch/inspect.ts";
import { command } from "../cli/command.ts";
import { readConfig } from "../src/config/read_config.ts";
import { print } from "../cli/print.ts";
import { locateProject } from "../src/verbs/place.ts";
import { flag, valued } from "../cli/spec.ts";

const CLEAR_SCREEN = "\x1b[H\x1b[J";

export const SPEC = {
  name: "watch",
  options: [
    flag("once", "check once"),
    { ...valued("interval", "count", "SECONDS", "time between checks (30)"), min: 1, max: 86_400 },
  ],
  notes: [
    "It asks for a checkpoint when a session passes warn_threshold or has worked for 30 minutes",
    "without a checkpoint; the session's hooks tell the model. Ctrl-C ends it.",
  ],
};

export const run = command(SPEC, async (options) => {
  const { once = false, interval: seconds = 30, json: isJson = false } = options;
  const place = locateProject();
  const { context: config } = await readConfig(place);
  const inspect = (): Promise<FleetStatus> => {
    const [nowMs, intervalMs] = [Date.now(), seconds * 1000];
    return inspectSessions({ ...place, config, env: readEnv, nowMs, intervalMs });
  };
  if (once) {
    const found = await inspect();
    return { json: found, text: describeFleet(found, new Date()) };
  }
  const isLive = !isJson && Deno.stdout.isTerminal();
  Deno.addSignalListener("SIGINT", () => Deno.exit(0));
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => Deno.exit(0));
  for (;;) {
    const found = await inspect();
    if (isLive) Deno.stdout.writeSync(new TextEncoder().encode(CLEAR_SCREEN));
    const isRead = print(isJson ? JSON.stringify(found) : describeFleet(found, new Date()));
    if (!isRead) Deno.exit(0);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
});

if (import.meta.main) Deno.exit(await run(Deno.args));
