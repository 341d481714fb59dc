// Hooks, started as by the launcher, read hostile configuration, settings and plans of a cloned
// project.

import { assert, assertEquals } from "@std/assert";
import { cleanEnv } from "../../tools/child.ts";
import { rowOf } from "../permissions.ts";
import { HOOKS } from "./actor.ts";
import { payloadOf } from "./hostile_input.ts";
import { linkPipe, relink } from "./hostile_values.ts";
import { buildWorld, removeAll, type World, worldAt } from "./world.ts";

/** Hooks read these files, which people write. */
const FILES = [
  ".work.toml",
  ".claude/trimtab.toml",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".planning/STATE.md",
];

const SPARSE_BYTES = 1024 ** 3;

/** Keeps a failing test from taking all memory of the machine. */
const MAX_MEMORY_KIB = 3_000_000;

/** For a hook that reads none of these files. */
const MAX_PEAK_KIB = 250_000;

/** Far longer than any hook takes. */
const MAX_MS = 20_000;

const KINDS: Readonly<Record<string, (world: World, path: string) => void>> = {
  "link to /dev/zero": (_, path) => relink(path, "/dev/zero"),
  "pipe": linkPipe,
  "folder": (_, path) => Deno.mkdirSync(path),
  "sparse file of 1 GB": (_, path) => {
    Deno.writeTextFileSync(path, "");
    Deno.truncateSync(path, SPARSE_BYTES);
  },
  "file of /proc": (_, path) => relink(path, "/proc/self/environ"),
};

const payloads = new Map([
  ["post_tool_batch", {
    tool_calls: [{ tool_name: "Bash", tool_response: "line of a build\n".repeat(10_000) }],
  }],
]);

/** Starts a hook under a memory limit; returns its exit code, output, and peak memory in KiB. */
async function run(
  world: World,
  hook: string,
): Promise<{ code: number; stderr: string; peak: number }> {
  const flags = rowOf(`hooks/${hook}.ts`, world);
  const script = new URL(`../../hooks/${hook}.ts`, import.meta.url).pathname;
  const args = [Deno.execPath(), "run", "--quiet", "--no-prompt", ...flags, script];
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", `ulimit -d ${MAX_MEMORY_KIB} && exec "$@"`, "sh", ...args],
    env: cleanEnv({ HOME: world.home, CLAUDE_PROJECT_DIR: world.project }),
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(MAX_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  const payload = { ...payloadOf(world), ...payloads.get(hook) };
  const event = hook.replaceAll(/(?:^|_)(.)/g, (_, char) => char.toUpperCase());
  const bytes = new TextEncoder().encode(JSON.stringify({ hook_event_name: event, ...payload }));
  await writer.write(bytes).then(() => writer.close()).catch(() => {});
  let peak = 0;
  let isRunning = true;
  const output = child.output().finally(() => isRunning = false);
  while (isRunning) {
    peak = Math.max(peak, peakOf(child.pid, script));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const { code, stderr } = await output;
  return { code, stderr: new TextDecoder().decode(stderr), peak };
}

function peakOf(pid: number, script: string): number {
  try {
    // Before the new program is loaded, /proc shows the memory of the parent process.
    if (!Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes(script)) return 0;
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const canMeasure = Deno.build.os === "linux";

for (const [kind, put] of Object.entries(KINDS)) {
  Deno.test({
    name: `hooks read no ${kind} in place of configuration${canMeasure ? "" : " (needs Linux)"}`,
    ignore: !canMeasure,
    fn: async () => {
      // Avoids the fast folders below /dev, where Deno asks for all permissions.
      const root = Deno.makeTempDirSync();
      try {
        const world = worldAt(root);
        buildWorld(world);
        for (const folder of [".claude", ".planning"]) Deno.mkdirSync(`${world.project}/${folder}`);
        for (const file of FILES) put(world, `${world.project}/${file}`);
        for (const hook of HOOKS) {
          const { code, stderr, peak } = await run(world, hook);
          assertEquals([code, stderr], [0, ""], hook);
          assert(peak < MAX_PEAK_KIB, `${hook} took ${peak} KiB`);
        }
      } finally {
        removeAll(root);
      }
    },
  });
}
