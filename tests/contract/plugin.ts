/** Makes a plugin that records the payloads of its hooks, and prints the answers that a test sets. */

import { ensureDirSync } from "@std/fs";

export interface HookRun {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Contains only the first line of each value. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ProbePlugin {
  readonly path: string;
  /** Sets the output of the hook for an event. */
  answer(event: string, answer: unknown): void;
  runs(event?: string): HookRun[];
}

/**
 * Time limit of a hook in seconds. If the client took it for milliseconds, it would kill each hook before the
 * hook stores its payload.
 */
const TIMEOUT = 20;

/** The client runs this script for every hook, so the script must be fast. */
const HOOK = `#!/bin/sh
root=\${0%/*}
payload=$(cat)
run=$root/runs/$(date +%s%N)-$1-$$
env >"$run.env"
printf %s "$payload" >"$run.part"
mv "$run.part" "$run.json"
if [ -f "$root/answers/$1" ]; then cat "$root/answers/$1"; fi
`;

export function makePlugin(
  path: string,
  events: readonly string[],
  skills: Readonly<Record<string, string>> = {},
): ProbePlugin {
  for (const folder of [".claude-plugin", "hooks", "runs", "answers", "bin"]) {
    ensureDirSync(`${path}/${folder}`);
  }
  const manifest = { name: "probe", version: "1.0.0", description: "Looks at the client" };
  Deno.writeTextFileSync(`${path}/.claude-plugin/plugin.json`, JSON.stringify(manifest));
  Deno.writeTextFileSync(`${path}/hook.sh`, HOOK);
  const hooks = Object.fromEntries(
    events.map((event) => {
      const command = `sh "\${CLAUDE_PLUGIN_ROOT}/hook.sh" ${event}`;
      return [event, [{ hooks: [{ type: "command", command, timeout: TIMEOUT }] }]];
    }),
  );
  Deno.writeTextFileSync(`${path}/hooks/hooks.json`, JSON.stringify({ hooks }));
  for (const [name, text] of Object.entries(skills)) {
    ensureDirSync(`${path}/skills/${name}`);
    Deno.writeTextFileSync(`${path}/skills/${name}/SKILL.md`, text);
  }
  function answer(event: string, answer: unknown): void {
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    Deno.writeTextFileSync(`${path}/answers/${event}`, text);
  }
  return { path, answer, runs: (event) => readRuns(`${path}/runs`, event) };
}

function readRuns(folder: string, event: string | undefined): HookRun[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).map((name) => name.replace(/\.json$/, ""));
  // Runs are ordered by file time, because some versions of `date` cannot print fractions of a second.
  const started = (name: string): number => Number(Deno.statSync(`${folder}/${name}.env`).mtime);
  const inOrder = names.map((name) => ({ name, at: started(name) }))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  return inOrder.map(({ name }): HookRun => {
    const env = Deno.readTextFileSync(`${folder}/${name}.env`).matchAll(/^(\w+)=(.*)$/gm);
    return {
      event: name.split("-")[1] ?? "",
      payload: JSON.parse(Deno.readTextFileSync(`${folder}/${name}.json`)),
      env: Object.fromEntries([...env].map(([, key = "", value = ""]) => [key, value])),
    };
  }).filter((run) => event === undefined || run.event === event);
}
