import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { FleetLook } from "../../src/watch/look.ts";
import { holdWatch } from "../../src/watch/watch_lock.ts";
import { sleepUntil, watchLoop } from "../../src/watch/watch_loop.ts";
import { cleanEnv } from "../../tools/child.ts";
import { newProject, NOW_MS } from "./boards.ts";
import "../own_config.ts";

const NOTHING: FleetLook = { sessions: [], triggers: [], problems: [] };

Deno.test("watchLoop() looks, shows and waits until it is told to end", async () => {
  const end = new AbortController();
  const events: string[] = [];
  const looks = await watchLoop({
    look: () => {
      events.push("look");
      return NOTHING;
    },
    show: () => events.push("show") > 0,
    sleep: (ms, signal) => {
      events.push(`sleep ${ms}`);
      if (events.length === 6) end.abort();
      assertEquals(signal, end.signal);
      return Promise.resolve();
    },
    intervalMs: 30_000,
    signal: end.signal,
  });
  assertEquals(looks, 2);
  assertEquals(events, ["look", "show", "sleep 30000", "look", "show", "sleep 30000"]);
});

Deno.test("watchLoop() does nothing when it is told to end before", async () => {
  const look = (): never => {
    throw new Error("nobody may look");
  };
  const sleep = (): Promise<void> => Promise.resolve();
  const signal = AbortSignal.abort();
  assertEquals(await watchLoop({ look, show: () => true, sleep, intervalMs: 1, signal }), 0);
});

Deno.test("watchLoop() fails when the first look does, and shows what goes wrong later", async () => {
  const { signal } = new AbortController();
  const sleep = (): Promise<void> => Promise.resolve();
  let looks = 0;
  const look = (): FleetLook => {
    if (++looks === 2) throw new Error("the disk went away");
    return NOTHING;
  };
  const problems: string[] = [];
  const show = (found: FleetLook): boolean => {
    problems.push(found.problems.map(({ problem }) => problem).join());
    return problems.length < 3;
  };
  assertEquals(await watchLoop({ look, show, sleep, intervalMs: 1, signal }), 3);
  assertEquals(problems, ["", "the disk went away", ""]);
  looks = 1;
  await assertRejects(
    () => watchLoop({ look, show, sleep, intervalMs: 1, signal }),
    Error,
    "the disk went away",
  );
});

Deno.test("sleepUntil() ends with its time or with the signal, and leaves no timer", async () => {
  await sleepUntil(0, new AbortController().signal);
  await sleepUntil(3_600_000, AbortSignal.abort());
  const end = new AbortController();
  const slept = sleepUntil(3_600_000, end.signal);
  end.abort();
  await slept;
});

Deno.test("holdWatch() lets one watch, says which, and frees the project in the end", () => {
  using project = newProject();
  const { projectDir } = project;
  {
    using _watch = holdWatch(projectDir, NOW_MS);
    const words = `process ${Deno.pid} (since 2026-03-01T10:00:00.000Z) already does`;
    assertThrows(() => holdWatch(projectDir, NOW_MS), Error, words);
    Deno.writeTextFileSync(`${projectDir}/.claude/trimtab/watch.lock`, "?");
    assertThrows(() => holdWatch(projectDir, NOW_MS), Error, "another process already does");
  }
  holdWatch(projectDir, NOW_MS)[Symbol.dispose]();
});

Deno.test("holdWatch() makes no project, and follows no link", () => {
  using project = newProject();
  const { projectDir } = project;
  assertThrows(() => holdWatch(`${projectDir}/no`, NOW_MS), Deno.errors.NotFound);
  holdWatch(projectDir, NOW_MS)[Symbol.dispose]();
  const path = `${projectDir}/.claude/trimtab/watch.lock`;
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  assertThrows(() => holdWatch(projectDir, NOW_MS), TypeError, "not a regular file");
});

Deno.test("holdWatch() takes over from a watcher that was killed", async () => {
  using project = newProject();
  const url = JSON.stringify(new URL("../../src/watch/watch_lock.ts", import.meta.url).href);
  const holder = `import { holdWatch } from ${url};
    const watch = holdWatch(${JSON.stringify(project.projectDir)}, 0);
    Deno.stdout.writeSync(new Uint8Array([1]));
    Deno.stdin.readSync(new Uint8Array(1));
    watch[Symbol.dispose]();`;
  Deno.writeTextFileSync(`${project.projectDir}/holder.ts`, holder);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-read",
      "--allow-write",
      `${project.projectDir}/holder.ts`,
    ],
    stdin: "piped",
    stdout: "piped",
    clearEnv: true,
    env: cleanEnv(),
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  assertThrows(() => holdWatch(project.projectDir, NOW_MS), Error, `process ${child.pid} `);
  child.kill("SIGKILL");
  assert(!(await child.status).success);
  await reader.cancel();
  await child.stdin.abort();
  holdWatch(project.projectDir, NOW_MS)[Symbol.dispose]();
});
