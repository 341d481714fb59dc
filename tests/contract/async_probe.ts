/**
 * Observes slow hooks when a headless client ends.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { newHome, runClientWell } from "../e2e/bed/client.ts";
import { startMock } from "../e2e/bed/mock_api.ts";
import { makePlugin } from "./plugin.ts";
import type { Recorder } from "./recorder.ts";

const SYNC_SECONDS = 0.4;
const ASYNC_SECONDS = 60;

const EXIT_TIMEOUT_MS = 30_000;

export async function probeAsync(record: Recorder): Promise<void> {
  using home = newHome();
  const { path } = makePlugin(`${home.home}/plugin`, { hooks: {} });
  const [pid, done, ended] = ["pid", "done", "ended"].map((name) => `${home.home}/${name}`);
  assert(pid !== undefined && done !== undefined && ended !== undefined);
  const command = (text: string, more = {}): unknown => [{
    hooks: [{ type: "command", command: text, ...more }],
  }];
  const slow = [
    ...Object(command(`echo $$ >'${pid}'; sleep ${ASYNC_SECONDS}`, { async: true })),
    // Waits until the asynchronous hook has started, which can be later on a busy machine. The
    // client waits for this hook only.
    ...Object(command(
      `until [ -s '${pid}' ]; do sleep 0.05; done; sleep ${SYNC_SECONDS}; touch '${done}'`,
    )),
  ];
  const hooks = { Stop: slow, SessionEnd: command(`touch '${ended}'`) };
  Deno.writeTextFileSync(`${path}/hooks/hooks.json`, JSON.stringify({ hooks }));
  await using mock = startMock();
  await runClientWell({ home, mock, pluginDir: path, prompt: "go" });
  record.check("sync-stop-finishes", () => assert(existsSync(done), "it did not come to its end"));
  const isGone = await endsSoon(Number(Deno.readTextFileSync(pid)));
  record.check("async-stop-is-killed", () => assertEquals(isGone, true, "it goes on"));
}

async function endsSoon(pid: number): Promise<boolean> {
  // Signal 0 only checks whether the process exists; Deno cannot send it.
  const ask: Deno.CommandOptions = { args: ["-0", String(pid)], stderr: "null" };
  const isThere = (): boolean => new Deno.Command("kill", ask).outputSync().success;
  for (const start = Date.now(); Date.now() - start < EXIT_TIMEOUT_MS;) {
    if (!isThere()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  Deno.kill(pid, "SIGKILL");
  return false;
}
