/** Reads damaged versions of the files that trimtab writes or receives. */

import { batchTasksByContext } from "../../src/plan/batches.ts";
import { parseTasks } from "../../src/plan/task_file.ts";
import { createBatchedWorkflow } from "../../src/plan/batches.ts";
import { addEntries, findEntries, removeEntries } from "../../src/doctor/install/settings.ts";
import { loadContextConfig } from "../../src/config/load.ts";
import { hookConfig } from "../../src/config/read_config.ts";
import { readTriggers, takeTriggerText } from "../../src/watch/blackboard.ts";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { blackboardPath } from "../../src/watch/board_path.ts";
import { findSave, listCheckpoints, listSaves } from "../../src/saved/store.ts";
import { indexCheckpoint, indexPath, readIndex } from "../../src/saved/project_index.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { injectCompactedContext } from "../../src/designs/compacted_context.ts";
import { mergeNotes } from "../../src/saved/notes.ts";
import { metaOfText } from "../../src/saved/views/checkpoint_view.ts";
import { readPlanning } from "../../src/store/planning.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/views/rehydrated.ts";
import { restoredText } from "../../src/saved/views/restored.ts";
import { readSave } from "../../src/saved/read.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { handoffText } from "../../src/saved/views/continuation.ts";
import { checkHandoff } from "../../src/saved/views/handoff.ts";
import { createSession, endSession } from "../../src/designs/sessions.ts";
import { DAY_MS } from "../../src/core/time.ts";
import type { SessionRecord } from "../../src/saved/lineage/rows.ts";
import { lineagePath, readLineage } from "../../src/saved/lineage/file.ts";
import { claimHandoff, listHandoffs } from "../../src/saved/lineage/handoffs.ts";
import { NOW } from "../saved/snapshots.ts";
import { bytesOf, byteText } from "./bytes.ts";
import { mutateBytes, mutateJson, mutateLines, mutateText } from "./mutate.ts";
import type { Random } from "./random.ts";
import {
  BOARD_SEED,
  CHECKPOINT_SEED,
  CONFIG_SEED,
  HANDOFF_SEED,
  INDEX_SEED,
  LINEAGE_SEED,
  PLANNING_SEED,
  SETTINGS_SEED,
  SNAPSHOT_SEED,
  TASK_SEEDS,
} from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import { must, type Parts, type Place, PROJECT_FILES, type Target, writeFile } from "./target.ts";
import { listSessions, SUMMARY } from "../saved/lineage/sessions.ts";

const NEW_SESSION = "d04627dc-0000-4000-8000-000000000000";
const NOW_MS = NOW.getTime();
const RETENTION_DAYS = 7;

export const FILE_TARGETS: readonly Target[] = [
  { name: "checkpoint file", weight: 6, make: textFile(CHECKPOINT_SEED), run: runCheckpointFile },
  {
    name: "snapshot file",
    weight: 6,
    mayRefuse: true,
    make: jsonFile(SNAPSHOT_SEED),
    run: runSnapshotFile,
  },
  { name: "lineage", weight: 4, make: jsonFile(LINEAGE_SEED), run: runLineage },
  { name: "blackboard", weight: 4, make: makeBoard, run: runBoard },
  { name: "handoff", weight: 4, make: makeHandoff, run: runHandoff },
  { name: "tasks", weight: 5, mayRefuse: true, make: makeTasks, run: runTasks },
  { name: "config", weight: 5, mayRefuse: true, make: textFile(CONFIG_SEED), run: runConfig },
  { name: "index", weight: 2, make: jsonFile(INDEX_SEED), run: runIndex },
  { name: "settings", weight: 4, mayRefuse: true, make: textFile(SETTINGS_SEED), run: runSettings },
  { name: "planning", weight: 2, make: textFile(PLANNING_SEED), run: runPlanning },
];

function textFile(seed: string): Target["make"] {
  return (random) => ({ file: mutateText(seed, random) });
}

function jsonFile(seed: string): Target["make"] {
  return (random) => ({ file: jsonOf(seed, random) });
}

function makeTasks(random: Random): Parts {
  return random.chance(50)
    ? { json: jsonOf(TASK_SEEDS.json, random) }
    : { toml: mutateText(TASK_SEEDS.toml, random) };
}

function jsonOf(seed: string, random: Random): string {
  const changed = mutateJson(seed, random);
  return random.chance(20) ? mutateBytes(changed, random) : changed;
}

function runCheckpointFile(parts: Parts, place: Place): void {
  const path = `${place.project}/${PROJECT_FILES["checkpoint"]}`;
  writeFile(path, parts.file ?? "");
  const text = new TextDecoder().decode(bytesOf(parts.file ?? ""));
  verifyCheckpoint(path);
  const state = mergeNotes(emptyState(), text, { projectDir: place.project });
  must(JSON.stringify(state).isWellFormed(), "a well-formed state");
  const options = { projectDir: place.project };
  must(listCheckpoints(options).length <= 1, "one checkpoint at most");
  const found = findSave("latest", ["checkpoint"], options);
  must((found === null) === (metaOfText(text) === null), "a checkpoint that is found", found);
  if (found !== null) {
    const context = restoredText(found, { ...options, maxChars: 9_000 });
    must(context.length <= 9_000, "a bounded context", context.length);
  }
}

function runSnapshotFile(parts: Parts, place: Place): void {
  const path = `${place.project}/${PROJECT_FILES["snapshot"]}`;
  writeFile(path, parts.file ?? "");
  const options = { projectDir: place.project };
  must(listSaves("snapshot", options).length === 1, "one snapshot");
  injectCompactedContext("latest", options);
  const snapshot = readSave(path);
  for (const level of REHYDRATION_LEVELS) {
    must(rehydratedText(snapshot, level).isWellFormed(), "well-formed text");
  }
}

function runLineage(parts: Parts, place: Place): void {
  writeFile(lineagePath(place.project), parts.file ?? "");
  const options = { projectDir: place.project, now: NOW };
  const { sessions } = readLineage(options);
  const created = { sessionId: NEW_SESSION, workerId: "main", retentionDays: RETENTION_DAYS };
  const record = createSession({ ...options, ...created });
  must(Number.isSafeInteger(record.session_number), "a number", record);
  const after = listSessions(options);
  must(after.some(({ session_id }) => session_id === NEW_SESSION), "the new session", after);
  const lost = sessions.filter((known) => isOpenOrFresh(known) && !after.some(isSameAs(known)));
  must(lost.length === 0, "the known sessions", { lost, after });
  endSession({ ...options, sessionId: NEW_SESSION, reason: "exit" });
  JSON.parse(Deno.readTextFileSync(lineagePath(place.project)));
}

/** A record may be dropped only if its session ended, or was announced, more than `RETENTION_DAYS` ago. */
function isOpenOrFresh({ session_id, started_at, ended_at }: SessionRecord): boolean {
  const end = ended_at ?? (session_id === null ? started_at : null);
  return end === null || Date.parse(end) >= NOW_MS - RETENTION_DAYS * DAY_MS;
}

/** The new session may have claimed a record that was announced without a session id. */
function isSameAs(known: SessionRecord): (other: SessionRecord) => boolean {
  return ({ id, session_id }) =>
    id === known.id && (known.session_id === null || session_id === known.session_id);
}

function makeBoard(random: Random): Parts {
  return { file: mutateLines(BOARD_SEED, random) };
}

function runBoard(parts: Parts, place: Place): void {
  writeFile(blackboardPath(place.project), parts.file ?? "");
  const owner = { projectDir: place.project, configDir: place.config };
  readTriggers(owner);
  const options = { ...owner, sessionId: SESSION, percent: 77, now: NOW };
  const { id } = triggerCheckpoint("context_60_percent", options);
  must(readTriggers(owner).some((trigger) => trigger.id === id), "a request that was posted");
  const session = { ...owner, sessionId: SESSION };
  must(takeTriggerText(session, NOW_MS)?.includes("77%") === true, "a request that is delivered");
  must(takeTriggerText(session, NOW_MS) === null, "a request that is delivered once");
}

function makeHandoff(random: Random): Parts {
  return {
    json: jsonOf(HANDOFF_SEED, random),
    markdown: mutateText(byteText(SUMMARY), random),
  };
}

function runHandoff(parts: Parts, place: Place): void {
  const folder = `${place.project}/.claude/trimtab/handoffs`;
  writeFile(`${folder}/${SESSION}.json`, parts.json ?? "");
  writeFile(`${folder}/${SESSION}.md`, parts.markdown ?? "");
  checkHandoff(new TextDecoder().decode(bytesOf(parts.markdown ?? "")));
  listHandoffs(place.project);
  const claim = (sessionId: string): ReturnType<typeof claimHandoff> =>
    claimHandoff({ projectDir: place.project, sessionId, nowMs: NOW_MS });
  const claimed = claim(NEW_SESSION);
  if (claimed !== null) must(handoffText(claimed, {}) !== "", "a prompt", claimed);
  const again = claim("e15738ed-0000-4000-8000-000000000000");
  const isTakenOnce = claimed === null || claimed.handoff.keep || again === null;
  must(isTakenOnce, "a handoff that is taken once", again);
}

function runTasks(parts: Parts): void {
  const name = parts.json === undefined ? "tasks.toml" : "tasks.json";
  const text = new TextDecoder().decode(bytesOf(parts.json ?? parts.toml ?? ""));
  const tasks = parseTasks(text, name);
  const batches = batchTasksByContext(tasks, 90_000);
  must(batches.length > 0 || tasks.length === 0, "a batch for every task", batches.length);
  const { nodes, edges } = createBatchedWorkflow(tasks, { availableTokens: 90_000 });
  for (const { from, to } of edges) {
    must(Object.hasOwn(nodes, from) && Object.hasOwn(nodes, to), "edges between known nodes", {
      from,
      to,
    });
  }
}

async function runConfig(parts: Parts, place: Place): Promise<void> {
  writeFile(`${place.project}/.claude/trimtab.toml`, parts.file ?? "");
  const location = { projectDir: place.project, configDir: place.config };
  const { config } = await hookConfig(location);
  must(config.context.warn_threshold >= 0, "a config for hooks", config);
  const { context } = loadContextConfig(location);
  const { warn_threshold: warn, recommend_threshold: recommend, urgent_threshold } = context;
  must(warn <= recommend && recommend <= urgent_threshold, "thresholds in order", context);
}

function runIndex(parts: Parts, place: Place): void {
  writeFile(indexPath(place.config), parts.file ?? "");
  readIndex(place.config);
  const options = { projectDir: place.project, configDir: place.config, nowMs: NOW_MS };
  const index = indexCheckpoint(options);
  must(index.version === "1.0", "a repaired index", index);
  JSON.parse(Deno.readTextFileSync(indexPath(place.config)));
}

function runSettings(parts: Parts): void {
  const text = new TextDecoder().decode(bytesOf(parts.file ?? ""));
  findEntries(text);
  const wanted = { hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] } };
  const added = addEntries(text, { ...wanted, statusLine: null });
  must(added.includes('"x"'), "an entry that was added", added);
  findEntries(added);
  findEntries(removeEntries(added));
}

function runPlanning(parts: Parts, place: Place): void {
  const folder = `${place.project}/.planning`;
  for (const name of ["STATE.md", "ROADMAP.md", "phases/16-context-compaction/16-03-PLAN.md"]) {
    writeFile(`${folder}/${name}`, parts.file ?? "");
  }
  const { task, phase } = readPlanning(folder);
  must(JSON.stringify({ task, phase }).isWellFormed(), "a well-formed phase", { task, phase });
}
