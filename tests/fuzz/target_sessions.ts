/** Passes damaged transcripts to the functions that read transcripts. */

import { type RescueResult, rescueSession } from "../../src/doctor/repair/rescue.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { MAX_CHECKPOINT_CHARS } from "../../src/saved/views/checkpoint_view.ts";
import { checkpointSession } from "../../src/saved/session.ts";
import { findSave, listCheckpoints } from "../../src/saved/store.ts";
import { carryOver } from "../../src/saved/merge.ts";
import { compactedOf, formatCompactedContext } from "../../src/designs/compacted_context.ts";
import { extractState } from "../../src/extract/extract_state.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/views/rehydrated.ts";
import { layout } from "../../src/layout/layout.ts";
import { snapshotOf, stateOf, workOf } from "../../src/saved/save.ts";
import { checkSave } from "../../src/saved/check.ts";
import { readSave } from "../../src/saved/read.ts";
import { saveSnapshot } from "../../src/designs/save_snapshot.ts";
import { MAX_SUMMARISER_CHARS, summariserText } from "../../src/saved/views/summariser.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { estimateContextUsage } from "../../src/gauge/heuristics.ts";
import { gatherMetrics } from "../../src/gauge/metrics.ts";
import { readRunningUsage } from "../../src/gauge/running_usage.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { checkHandoff, handoffTemplate } from "../../src/saved/views/handoff.ts";
import { rollOver } from "../../src/saved/lineage/roll_over.ts";
import { inspectSessions } from "../../src/watch/inspect.ts";
import { readStartFolder } from "../../src/transcript/find.ts";
import { getContextPercentageFromFile } from "../../src/designs/percent.ts";
import { searchTranscript } from "../../src/transcript/search/search.ts";
import { SearchPattern } from "../../src/transcript/search/pattern.ts";
import { viewOf } from "../saved/checkpoints.ts";
import { NOW } from "../saved/snapshots.ts";
import { readBytes, writeBytes } from "./bytes.ts";
import { SESSION } from "./seed_lines.ts";
import { must, type Parts, type Place, type Target } from "./target.ts";
import { mutateLines } from "./mutate.ts";
import type { Random } from "./random.ts";
import { type Seeds, sessionPart } from "./seeds.ts";
import { trimByLength, type TrimOptions } from "../trim/by_length.ts";
import { assertExactCounts } from "../trim/invariants.ts";

const CONFIG = DEFAULT_CONFIG.context;

const PATTERNS: readonly SearchPattern[] = [
  new SearchPattern("e"),
  new SearchPattern("THE", { ignoreCase: true }),
  new SearchPattern("(\\w+)\\s+\\1|[^\\x00-\\x7f]", { isRegex: true }),
  new SearchPattern("\u0000"),
];

export const SESSION_TARGETS: readonly Target[] = [
  { name: "trim", weight: 16, make: makeSession, run: runTrim },
  { name: "status", weight: 10, make: makeSession, run: runStatus },
  { name: "work state", weight: 9, make: makeSession, run: runWorkState },
  { name: "checkpoint", weight: 2, make: makeSession, run: runCheckpoint },
  { name: "rollover", weight: 1, make: makeSession, run: runRollover },
  { name: "search", weight: 7, make: makeSession, run: runSearch },
  { name: "rescue", weight: 9, make: makeSession, run: runRescue },
];

function makeSession(random: Random, seeds: Seeds): Parts {
  return { session: mutateLines(sessionPart(seeds, random), random) };
}

/** tests/trim/odd_sessions_test.ts also checks the entries of copies. */
function runTrim(parts: Parts, place: Place, random: Random): void {
  const text = parts.session ?? "";
  writeBytes(place.transcript, text);
  const files = { input: place.transcript, output: place.output };
  const options: Partial<TrimOptions> = {
    threshold: random.pick([0, 20, 150, 500]),
    keepRecent: random.pick([0, 0, 1, 5]),
    keep: random.pick(["head", "line", "need", "need"]),
    depth: random.pick(["light", "deep"]),
    dropImages: random.chance(50),
    ...(random.chance(30) ? { protect: ["**/a.ts"] } : {}),
  };
  const counts = trimByLength({ ...files, ...options });
  must(readBytes(files.input) === text, "an unchanged session");
  must(readBytes(files.output).length === counts.bytes.after, "the reported bytes", counts.bytes);
  for (const { before, after } of [counts.context_chars, counts.tokens]) {
    must(after >= 0 && after <= before && Number.isFinite(before), "no more than before", counts);
  }
  assertExactCounts(files, counts);
}

async function runStatus(parts: Parts, place: Place): Promise<void> {
  const { transcript } = place;
  writeBytes(transcript, parts.session ?? "");
  const folders = { projectDir: place.project, configDir: place.config };
  const owner = { ...folders, sessionId: SESSION };
  const pressure = gaugeSession({ transcript, owner, config: CONFIG, env: place.env });
  mustCount(pressure.tokens, "tokens");
  mustCount(pressure.percent, "percent");
  must(pressure.window > 0 && Number.isFinite(pressure.window), "a window", pressure);
  mustCount(readRunningUsage(transcript).usage?.tokens ?? null, "running tokens");
  mustCount(getContextPercentageFromFile(transcript), "percent of metadata");
  const usage = estimateContextUsage(gatherMetrics(transcript));
  must(usage >= 0 && usage <= 1, "an estimate from 0 to 1", usage);
  readStartFolder(transcript);
  const clock = { nowMs: Date.now(), intervalMs: 60_000 };
  const inspection = await inspectSessions({
    ...folders,
    ...clock,
    config: CONFIG,
    env: place.env,
  });
  must(inspection.problems.length === 0, "an inspection without problems", inspection.problems);
}

function mustCount(value: number | null, what: string): void {
  must(value === null || (Number.isFinite(value) && value >= 0), `${what} to be a count`, value);
}

function runWorkState(parts: Parts, place: Place): void {
  writeBytes(place.transcript, parts.session ?? "");
  extractState(place.transcript, { activeOnly: true });
  const state = extractState(place.transcript);
  must(JSON.stringify(state).isWellFormed(), "a well-formed work state");
  const text = viewOf(state);
  must(text.isWellFormed() && text.length <= MAX_CHECKPOINT_CHARS, "a checkpoint", text.length);
  const snapshot = snapshotOf(state, { now: NOW });
  const options = { projectDir: place.project, room: 9_000 };
  const layoutText = layout(workOf(snapshot), options).text;
  must(layoutText.isWellFormed() && layoutText.length <= 9_000, "a layout", layoutText.length);
  carryOver(state, stateOf(snapshot), place.project);
  const wrong = checkSave(JSON.parse(JSON.stringify(snapshot)));
  must(wrong.length === 0, "a snapshot that is valid", wrong);
  for (const level of REHYDRATION_LEVELS) {
    must(rehydratedText(snapshot, level).isWellFormed(), "well-formed text");
  }
  must(formatCompactedContext(compactedOf(snapshot)).isWellFormed(), "well-formed context");
  const problems = checkHandoff(handoffTemplate(state, place.project));
  must(problems.every(({ isFatal }) => !isFatal), "a handoff that is valid", problems);
  const request = summariserText(state, place.project);
  must(request.length <= MAX_SUMMARISER_CHARS, "a bounded request", request.length);
  must(request.isWellFormed(), "a well-formed request");
}

type SaveOptions = Pick<
  Parameters<typeof rollOver>[0],
  "owner" | "transcript" | "configDir" | "retentionDays" | "now"
>;

function optionsIn({ project, config, transcript }: Place): SaveOptions {
  const owner = { projectDir: project, sessionId: SESSION };
  return { owner, transcript, configDir: config, retentionDays: 7, now: () => NOW.getTime() };
}

function runCheckpoint(parts: Parts, place: Place): void {
  writeBytes(place.transcript, parts.session ?? "");
  const { owner } = optionsIn(place);
  const usage = { trigger: "manual", usagePercent: 70 } as const;
  const { state, saved } = checkpointSession({ ...optionsIn(place), ...usage });
  must(saved?.verified === true, "a checkpoint that is verified", saved);
  must(saved.warning === undefined, "no warning", saved.warning);
  must(verifyCheckpoint(saved.path).valid, "a valid file", verifyCheckpoint(saved.path));
  must(listCheckpoints(owner).length === 1, "one checkpoint");
  must(findSave(saved.id, ["checkpoint"], owner) !== null, "a checkpoint that is found");
  const { path } = saveSnapshot(snapshotOf(state, { now: NOW }), { ...owner, now: NOW });
  must(readSave(path).snapshot_id !== "", "a snapshot that can be read back");
}

function runRollover(parts: Parts, place: Place): void {
  writeBytes(place.transcript, parts.session ?? "");
  const done = rollOver({ ...optionsIn(place), summary: null, percent: 71 });
  const prompt = Deno.readTextFileSync(done.prompt_file);
  must(prompt.isWellFormed() && !prompt.includes("\0"), "a prompt that is text");
  must(done.warning === undefined, "no warning", done.warning);
}

function runSearch(parts: Parts, place: Place): void {
  writeBytes(place.transcript, parts.session ?? "");
  for (const pattern of PATTERNS) {
    for (const match of searchTranscript(place.transcript, { pattern })) {
      must(match.excerpt.isWellFormed(), "a well-formed excerpt", match);
      must(!/\p{Cc}/u.test(match.excerpt), "an excerpt without controls", match);
      must(match.line >= 1, "a line", match);
    }
  }
}

/** Returns null for a session without messages, which rescue refuses. */
function rescueOrNull(options: Parameters<typeof rescueSession>[0]): RescueResult | null {
  try {
    return rescueSession(options);
  } catch (error) {
    if (error instanceof Error && error.message.endsWith("has no messages")) return null;
    throw error;
  }
}

function runRescue(parts: Parts, place: Place): void {
  const text = parts.session ?? "";
  writeBytes(place.transcript, text);
  let count = 0;
  const newId = (): string => `7a117a11-0000-4000-8000-${String(++count).padStart(12, "0")}`;
  const session = { id: SESSION, path: place.transcript };
  const result = rescueOrNull({ session, newId, now: NOW });
  must(readBytes(place.transcript) === text, "an unchanged session");
  if (result === null || result.output === null) return;
  const { output, findings } = result;
  must(findings.length > 0, "a reason for a copy");
  const lines = Deno.readTextFileSync(output).split("\n");
  // The client accepts a byte order mark at the start, and blank lines.
  for (const line of lines) if (line.trim() !== "") JSON.parse(line.replace(/^\ufeff/, ""));
  const again = rescueSession({ session: { id: SESSION, path: output }, dryRun: true, newId });
  must(again.findings.length === 0, "a copy without anything to rescue", again.findings);
}
