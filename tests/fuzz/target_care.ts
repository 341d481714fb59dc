/**
 * Runs the doctor on damaged and missing files of a project, and live shaping on damaged tool outputs.
 */

import { runDoctor } from "../../src/doctor/check/doctor.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { shapeCall } from "../../src/live/shape_call.ts";
import { NOW } from "../saved/snapshots.ts";
import { bytesOf, byteText } from "./bytes.ts";
import { mutateJson, mutateLines, mutateText } from "./mutate.ts";
import type { Random } from "./random.ts";
import {
  CHECKPOINT_SEED,
  CONFIG_SEED,
  LINEAGE_SEED,
  type Seeds,
  sessionPart,
  SETTINGS_SEED,
  SNAPSHOT_SEED,
  STATE_SEED,
} from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import { must, type Parts, type Place, PROJECT_FILES, type Target, writeParts } from "./target.ts";

export const CARE_TARGETS: readonly Target[] = [
  { name: "doctor", weight: 1, make: makeDoctor, run: runDoctorOn },
  { name: "live", weight: 5, make: makeLive, run: runLive },
];

function makeDoctor(random: Random, seeds: Seeds): Parts {
  return {
    session: mutateLines(sessionPart(seeds, random), random),
    state: mutateJson(STATE_SEED, random),
    lineage: mutateJson(LINEAGE_SEED, random),
    left: mutateJson('[{"session_id":"x","left_at":1,"prompt_id":"p"}]', random),
    config: mutateText(CONFIG_SEED, random),
    settings: mutateJson(SETTINGS_SEED, random),
    checkpoint: mutateText(CHECKPOINT_SEED, random),
    snapshot: mutateJson(SNAPSHOT_SEED, random),
  };
}

function runDoctorOn(parts: Parts, place: Place, random: Random): void {
  const isKept = (name: string): boolean => !(name in PROJECT_FILES) || !random.chance(30);
  writeParts(Object.fromEntries(Object.entries(parts).filter(([name]) => isKept(name))), place);
  const folders = { projectDir: place.project, configDir: place.config, root: null };
  const report = runDoctor({ ...folders, nowMs: NOW.getTime(), fix: random.chance(50) });
  must(JSON.stringify(report).isWellFormed(), "a well-formed report");
  for (const { problem, subject } of report.findings) {
    must(problem !== "" && subject !== "", "a problem and a subject", { problem, subject });
  }
}

const OUTPUTS: readonly string[] = [
  "ok 1 - a\nok 2 - b\nnot ok 3 - c\nError: expected 1 to be 2\n    at x (a.ts:1:2)\n",
  "src/a/b.ts\nsrc/a/c.ts\nsrc/d.ts\n",
  "src/a.ts:12:const a = 1;\nsrc/a.ts:13:const b = 2;\nsrc/b.ts:1:x\n",
  '{"items":[{"id":1,"name":"a","tags":["x","y"]},{"id":2,"name":"b","tags":[]}]}\n',
  "2026-03-01T10:00:00Z INFO started\n2026-03-01T10:00:01Z WARN slow\n",
  "Downloading 1 %\rDownloading 2 %\rDownloading 3 %\r\n",
  "\x1b[31mred\x1b[0m line\n",
  "a\tb\tc\n1\t2\t3\n",
];

const TOOLS: readonly string[] = ["Bash", "Read", "Grep", "Glob", "WebFetch", "Task", "mcp__a__b"];

function makeLive(random: Random): Parts {
  const output = mutateText(random.pick(OUTPUTS).repeat(30 + random.below(60)), random);
  const printed = new TextDecoder().decode(bytesOf(output));
  const response = random.pick<unknown>([
    { stdout: printed, stderr: random.chance(30) ? printed : "", interrupted: false },
    { type: "text", file: { filePath: "/p/a", content: printed, numLines: 9, startLine: 1 } },
    { mode: "content", numFiles: 1, filenames: [], content: printed, numLines: 9 },
    { filenames: printed.split("\n"), numFiles: 9, truncated: false },
    [{ type: "text", text: printed }],
    { content: [{ type: "text", text: printed }] },
    printed,
  ]);
  const text = byteText(JSON.stringify(response));
  return {
    tool: random.pick(TOOLS),
    response: random.chance(50) ? mutateJson(text, random) : text,
  };
}

function runLive(parts: Parts, place: Place): void {
  const text = new TextDecoder().decode(bytesOf(parts.response ?? ""));
  const response = parsed(text);
  if (response === undefined) return;
  const call = { toolName: parts.tool ?? "Bash", toolUseId: "toolu_x4", input: {}, response };
  const config = { ...DEFAULT_CONFIG.live, enabled: true, max_chars: 1_000 };
  const owner = { projectDir: place.project, sessionId: SESSION };
  const shaped = shapeCall(call, { owner, config, now: NOW });
  if (shaped === null) return;
  const written = JSON.stringify(shaped);
  must(written.length < JSON.stringify(response).length, "a shorter output", written.length);
  must(typeof shaped === typeof response, "an answer of the same shape", written);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
