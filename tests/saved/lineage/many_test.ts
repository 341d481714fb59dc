import { assertEquals } from "@std/assert";
import { readLineage } from "../../../src/saved/lineage/file.ts";
import { listHandoffs } from "../../../src/saved/lineage/handoffs.ts";
import { runDeno } from "../../../tools/child.ts";
import { listSessions, sessionId, tempProject } from "./sessions.ts";
import "../../own_config.ts";

const PROCESSES = 16;
const ROUNDS = 3;

interface ChildReport {
  readonly claimed: string[];
  readonly rolled: [worker: string, number: number][];
}

Deno.test("16 processes that start, end, roll over and claim at the same time neither lose nor duplicate data", async () => {
  using place = tempProject();
  const { root, projectDir } = place;
  const script = new URL("save_child.ts", import.meta.url).href;
  const run = ["run", "--no-prompt", "--no-check", "--cached-only", "--allow-all", script];
  const results = await Promise.all(
    Array.from(
      { length: PROCESSES },
      (_, index) => runDeno([...run, root, `${index}`, `${ROUNDS}`]),
    ),
  );
  assertEquals(results.map(({ code, stderr }) => [code, stderr]), results.map(() => [0, ""]));
  const reports = results.map(({ stdout }): ChildReport => JSON.parse(stdout));
  assertEquals(readLineage({ projectDir }).problem, null);
  const sessions = listSessions({ projectDir });
  const total = PROCESSES * ROUNDS;

  // Each process made two sessions per round, and announced one.
  assertEquals(sessions.length, total * 3);
  const ids = sessions.map(({ id }) => id).sort((a, b) => a - b);
  assertEquals(ids, ids.map((_, index) => index + 1));
  const byWorker = Map.groupBy(sessions, ({ worker_id }) => worker_id);
  assertEquals(byWorker.size, 1 + PROCESSES / 2);
  for (const [worker, records] of byWorker) {
    const numbers = records.map((one) => one.session_number).sort((a, b) => a - b);
    assertEquals(numbers, numbers.map((_, index) => index + 1), worker);
  }
  const known = new Map(sessions.map((one) => [one.session_id, one]));
  for (let process = 0; process < PROCESSES; process++) {
    for (let round = 0; round < ROUNDS; round++) {
      const first = 1_000 * (process + 1) + round * 10;
      assertEquals(known.get(sessionId(first))?.end_reason, "rollover");
      assertEquals(known.get(sessionId(first + 1))?.end_reason, "exit");
    }
  }

  // Each handoff is either unclaimed, or claimed by one session that is its child in the lineage.
  const claimed = reports.flatMap((one) => one.claimed);
  assertEquals(new Set(claimed).size, claimed.length);
  assertEquals(claimed.length, total);
  const handoffs = listHandoffs(projectDir);
  assertEquals(handoffs.length, total);
  for (const { id, handoff: { session_number, worker_id, claimed_by } } of handoffs) {
    const [claimer = ""] = claimed_by;
    const child = known.get(claimer);
    assertEquals(claimed_by.length, 1);
    assertEquals([child?.parent_session_id, child?.session_number, child?.worker_id], [
      id,
      session_number,
      worker_id,
    ]);
  }
  const rolled = reports.flatMap((one) => one.rolled).map(([worker, number]) =>
    `${worker} ${number}`
  );
  assertEquals(new Set(rolled).size, total);
});
