/**
 * Runs several clients on one project: only the client whose window fills up is asked to save,
 * once.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { listCheckpoints } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { testInFull } from "../full.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell } from "./bed/client.ts";
import { type LoggedRequest, startMock, textOf, type Turn } from "./bed/mock_api.ts";
import { call, denoDir } from "./trim_steps.ts";

const ASKED = "Run /save-checkpoint now: the context is at 65%.";

testInFull({
  name: "among three clients on a project, only the one past the threshold is asked to save, once",
  fn: async () => {
    using home = newSmallHome();
    const env = { DENO_DIR: await denoDir() };
    // All three stay in the middle of a turn, so that no hook at a turn's end has saved anything
    // yet.
    const working = (percent: number, command: string): Turn => ({
      blocks: [call("Bash", { command })],
      usage: { input_tokens: percent * 1_800 },
    });
    const looked = `${home.home}/looked`;
    const waitFor = (...files: string[]): string =>
      `for i in $(seq 400); do ${
        files.map((file) => `[ -e '${file}' ] && `).join("")
      }break; sleep 0.05; done`;
    const [first, second] = [`${home.home}/first`, `${home.home}/second`];
    const look = `trimtab watch --once --json > '${looked}.tmp'; mv '${looked}.tmp' '${looked}'`;
    const scripts: Record<string, Turn[]> = {
      full: [
        working(65, "echo filling up"),
        working(65, `${waitFor(first, second)}; ${look}`),
        // Within a turn, the window and the blackboard are checked every five seconds.
        working(65, "sleep 5.1"),
        working(65, "echo and on"),
      ],
      first: [
        working(30, "echo one"),
        working(30, `touch '${first}'; ${waitFor(looked)}`),
        working(30, "echo done"),
      ],
      second: [
        working(31, "echo two"),
        working(31, `touch '${second}'; ${waitFor(looked)}`),
        working(31, "echo done"),
      ],
    };
    const asked = new Map<string, number>();
    await using mock = startMock({
      respond: (request) => {
        if (request.kind !== "main") return undefined;
        const name = nameOf(request);
        const step = asked.get(name) ?? 0;
        asked.set(name, step + 1);
        return scripts[name]?.[step] ?? {
          blocks: [{ type: "text", text: "Done." }],
          usage: { input_tokens: (name === "full" ? 65 : 30) * 1_800 },
        };
      },
    });
    const runs = await Promise.all(
      Object.keys(scripts).map((name) =>
        runClientWell({ home, mock, env, prompt: `I am the ${name} one.`, pluginDir: PLUGIN })
      ),
    );
    const seen = JSON.parse(Deno.readTextFileSync(looked));
    const [full, ...others] = runs.map(({ sessionId }) => sessionId);
    assertEquals(
      seen.triggers.map((one: Record<string, unknown>) => [one.type, one.reason, one.session_id]),
      [["checkpoint_trigger", "context_60_percent", full]],
    );
    const statuses = new Map(
      seen.sessions.map((one: Record<string, unknown>) => [one.session_id, one.status]),
    );
    assertEquals(statuses.get(full), "context_high");
    for (const id of others) assertEquals(statuses.get(id), "ok");

    const requests = mock.of("main");
    const notified = requests.filter((request) => textOf(request).includes(ASKED));
    assert(notified.length > 0, "nobody was asked");
    assertEquals(new Set(notified.map(nameOf)), new Set(["full"]));
    const last = requests.filter((request) => nameOf(request) === "full").at(-1);
    assert(last !== undefined);
    assertEquals(textOf(last).split(ASKED).length - 1, 1, "once");

    // The full client saved at the end of its turn; the two others save now, at the same time.
    await Promise.all(others.map((id) => {
      const args = [`${PLUGIN}/bin/trimtab`, "checkpoint", id];
      const childEnv = cleanEnv({ HOME: home.home, ...env });
      return runChild("sh", args, { cwd: home.cwd, clearEnv: true, env: childEnv });
    }));
    const saved = listCheckpoints({ projectDir: home.cwd });
    assertEquals(new Set(saved.map(({ session_id }) => session_id)), new Set([full, ...others]));
    assertEquals(saved.find(({ session_id }) => session_id === full)?.trigger, "watcher");
    assertEquals(new Set(saved.map(({ id }) => id)).size, 3);
    const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).toSorted();
    assertEquals(ids(readIndex(home.config).checkpoints), ids(saved));
    assertEquals(mock.violations, []);
  },
});

function nameOf(request: LoggedRequest): string {
  return /I am the (\w+) one\./.exec(textOf(request))?.[1] ?? "";
}
