// Runs randomly chosen hooks and commands in one project, in many processes at the same time.

import { assert, assertEquals } from "@std/assert";
import { readTriggers } from "../../src/watch/blackboard.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { listCheckpoints } from "../../src/saved/store.ts";
import { listSessions } from "../saved/lineage/sessions.ts";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { randomFrom } from "../../tools/random.ts";
import { newPlace, originalsOf, type Place, SESSION, treeOf } from "../faults/place.ts";
import { assertIntact } from "../faults/intact.ts";
import { IS_FULL } from "../full.ts";
import { rowOf } from "../permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import {
  type Action,
  ACTIONS,
  type Call,
  POST_SCRIPT,
  type ReportedWrite,
  verdictOf,
} from "./actions.ts";

const SESSIONS = 8;

const MAX_OVERTIME_MS = 60_000;

const SEED = 20_261_122;

const PROCESSES = IS_FULL ? 32 : 6;

/** Time during which processes start. A longer run could exceed the 300 sessions that a lineage keeps. */
const DURATION_MS = IS_FULL ? 20_000 : 2_500;

interface Run {
  readonly script: string;
  readonly verdict: string;
  readonly writes: readonly ReportedWrite[];
}

Deno.test("many processes that run random hooks and commands lose no data, tear no file and leave no lock", async () => {
  using place = newPlace();
  const sessions = addSessions(place);
  const originals = [...originalsOf(place), ...transcriptsOf(place, sessions)];
  const runs: Run[] = [];
  const end = performance.now() + DURATION_MS;
  // A busy machine gets more time, until a process has reported a write.
  const mayStart = (): boolean => {
    const overtimeMs = performance.now() - end;
    return overtimeMs < 0 ||
      (overtimeMs < MAX_OVERTIME_MS && runs.every(({ writes }) => writes.length === 0));
  };
  const lane = async (number: number): Promise<void> => {
    const random = randomFrom(SEED + number);
    for (let n = 0; mayStart(); n++) {
      const action = ACTIONS[Math.floor(random() * ACTIONS.length)];
      assert(action !== undefined);
      const session = sessions[Math.floor(random() * sessions.length)] ?? SESSION;
      const [start, end] = [String(number).padStart(6, "0"), String(n).padStart(12, "0")];
      const freshId = `f0${start}-0000-4000-8000-${end}`;
      const transcript = place.transcript.replace(SESSION, session);
      runs.push(await runOne(action, { place, session, transcript, freshId }));
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, (_, number) => lane(number)));
  const failed = runs.filter(({ verdict }) => verdict !== "done" && verdict !== "busy");
  assertEquals(failed.map(({ script, verdict }) => `${script}: ${verdict}`), []);
  const writes = runs.flatMap((run) => run.writes);
  assertNothingLost(place, writes);
  assertIntact(place);
  const tree = treeOf(place.root);
  assertEquals(originals.filter(([path, text]) => tree.get(path) !== text), []);
  const kinds = [...new Set(writes.map(({ kind }) => kind))].sort();
  const counts = `${runs.length} processes, ${writes.length} writes`;
  console.log(`load: seed ${SEED}, ${counts}: ${kinds.join()}`);
  assert(runs.length >= PROCESSES, `${runs.length} processes`);
  assert(writes.length > 0, "no process reported a write, so the test proves nothing");
});

async function runOne(action: Action, call: Call): Promise<Run> {
  const { script } = action;
  const { projectDir: project, configDir: config, root } = call.place;
  const flags = script === POST_SCRIPT
    ? [
      `--allow-read=${project},${config}`,
      `--allow-write=${project},${config}/trimtab/ours`,
      "--allow-env=CLAUDE_CONFIG_DIR,HOME,USERPROFILE",
    ]
    : rowOf(script, { project, config });
  const stdin = action.stdin?.(call);
  const args = ["run", "--quiet", "--no-prompt", "--no-check", "--cached-only", ...flags];
  const result = await runDeno([...args, `${PLUGIN}/${script}`, ...action.args?.(call) ?? []], {
    cwd: project,
    clearEnv: true,
    env: cleanEnv({ HOME: root, CLAUDE_CONFIG_DIR: config, CLAUDE_PROJECT_DIR: project }),
    ...(stdin === undefined ? {} : { stdin }),
  });
  const verdict = verdictOf(action, result);
  const json: unknown = verdict === "done" && action.args?.(call).includes("--json") === true
    ? JSON.parse(result.stdout)
    : {};
  const fields = typeof json === "object" && json !== null ? { ...json } : {};
  const writes = verdict === "done" ? action.reportedWrites?.(call, fields) ?? [] : [];
  return { script, verdict, writes };
}

function assertNothingLost(place: Place, writes: readonly ReportedWrite[]): void {
  const { projectDir, configDir, transcript } = place;
  const of = (kind: ReportedWrite["kind"]): readonly ReportedWrite[] =>
    writes.filter((write) => write.kind === kind);
  const missing = (wanted: readonly string[], found: readonly string[]): string[] =>
    wanted.filter((one) => !new Set(found).has(one));
  const names = (kind: ReportedWrite["kind"]): string[] => of(kind).map(({ what }) => what);

  const checkpoints = listCheckpoints(place);
  const paths = checkpoints.filter(({ verified }) => verified).map(({ path }) => path);
  assertEquals(missing(names("checkpoint"), paths), [], "lost checkpoints");
  const indexed = readIndex(configDir).checkpoints.map(({ path }) => path);
  assertEquals(missing(names("checkpoint"), indexed), [], "checkpoints lost from the index");
  const numbers = checkpoints.map(({ iteration }) => iteration);
  assertEquals(new Set(numbers).size, numbers.length, "two checkpoints have the same number");

  const files = [...treeOf(place.root).keys()];
  const kept = [...names("snapshot"), ...names("copy"), ...names("handoff")];
  assertEquals(missing(kept, files), [], "lost files");

  const rows = listSessions(place);
  const ids = rows.map(({ session_id: id }) => id ?? "");
  const folder = transcript.slice(0, transcript.lastIndexOf("/") + 1);
  const copies = names("copy").map((path) => path.slice(folder.length, -".jsonl".length));
  assertEquals(missing([...names("session"), ...copies], ids), [], "lost from the lineage");
  const counts = rows.map(({ session_number: number, worker_id: worker }) => `${worker} ${number}`);
  assertEquals(new Set(counts).size, counts.length, "two sessions have the same number");
  const announced = of("handoff").map(({ number }) => `main ${number}`);
  assertEquals(missing(announced, counts), [], "announced sessions lost from the lineage");

  const asked = readTriggers({ projectDir, configDir }).map(({ session_id: id }) => id ?? "");
  assertEquals(missing(names("post"), asked), [], "lost messages");
  const events = files.filter((path) => /\/events(?:\.1)?\.jsonl$/.test(path))
    .map((path) => Deno.readTextFileSync(path)).join("");
  const logged = [...events.matchAll(/"posted".*?"id":"([^"]*)"/g)].map(([, id = ""]) => id);
  assertEquals(missing(names("post"), logged), [], "lost events");
}

function addSessions({ transcript }: Place): string[] {
  const text = Deno.readTextFileSync(transcript);
  return Array.from({ length: SESSIONS }, (_, number) => {
    const id = `e${number}000000-0000-4000-8000-000000000000`;
    const own = text.replaceAll(SESSION, id).replaceAll(/"(u\d+)"/g, `"$1-${number}"`);
    Deno.writeTextFileSync(transcript.replace(SESSION, id), own);
    return id;
  });
}

function transcriptsOf({ transcript }: Place, sessions: readonly string[]): [string, string][] {
  const paths = sessions.map((id) => transcript.replace(SESSION, id));
  // The files are ASCII, so bytes and characters are the same.
  return paths.map((path) => [path, Deno.readTextFileSync(path)]);
}
