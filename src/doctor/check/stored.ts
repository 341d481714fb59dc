/** Checks that saves are intact, and finds files that are no longer needed. */

import { counted, sizeInKb } from "../../inject/bound.ts";
import { checkpointFiles, listSaves } from "../../saved/store.ts";
import { verifyCheckpoint } from "../../saved/verify.ts";
import { joinPath } from "../../store/paths.ts";
import { planClean } from "../clean/plan.ts";
import {
  type CheckResult,
  type DoctorPlace,
  ownerProblem,
  type Problem,
  SKIPPED,
} from "./check.ts";
import { configOrDefaults } from "./config.ts";

export function checkSaves(place: DoctorPlace): CheckResult {
  if (place.ownFiles().unreadable.length > 0) return SKIPPED;
  const { projectDir, uid } = place;
  // Another check reports other users' files.
  const files = place.ownFiles().files.filter(({ path }) => ownerProblem(path, uid) === null);
  const pathsOf = (wanted: string): string[] =>
    files.filter(({ kind }) => kind === wanted).map(({ path }) => path);
  // A checkpoint's JSON file is checked together with its Markdown file.
  const checkpoints = pathsOf("checkpoint")
    .filter((path, _, all) => path.endsWith(".md") || !all.includes(checkpointFiles(path).view));
  const snapshots = listSaves("snapshot", { projectDir })
    .filter(({ path }) => ownerProblem(path, uid) === null);
  const handoffs = pathsOf("handoff")
    .filter((path) => path.endsWith(".json") && !path.includes(".claimed-"));
  const validHandoffs = new Map(
    listSaves("handoff", { projectDir }).map(({ json, problem }) => [json, problem]),
  );
  const problemOf = (path: string): string | null | undefined =>
    validHandoffs.has(path) ? validHandoffs.get(path) : "It is not a valid handoff file.";
  const saves = [
    ...checkpoints.map((path) => ({ path, problem: verifyCheckpoint(path).problems[0] })),
    ...snapshots,
    ...handoffs.map((path) => ({ path, problem: problemOf(path) })),
  ];
  const problems = saves.flatMap(({ path: subject, problem }): Problem[] =>
    problem ? [{ id: "save_damaged", subject, problem }] : []
  );
  const note = `checkpoints: ${checkpoints.length}, snapshots: ${snapshots.length}, ` +
    `handoffs: ${handoffs.length}`;
  return { problems, note };
}

export function checkDebris(place: DoctorPlace): CheckResult {
  if (place.ownFiles().unreadable.length > 0) return SKIPPED;
  const { projectDir, configDir, nowMs } = place;
  const { retention_days: retentionDays, kept_days: keptDays } = configOrDefaults(place).context;
  const { items } = planClean({ projectDir, configDir, retentionDays, keptDays, nowMs });
  if (items.length === 0) return { problems: [], note: "nothing to clean up" };
  const { length: count } = items;
  const problem = `${counted(count, "file")}, ${sizeInKb(...items.map(({ bytes }) => bytes))}.`;
  return {
    problems: [{ id: "expired_files", subject: joinPath(projectDir, ".claude"), problem }],
    note: `files that are no longer needed: ${count}`,
  };
}
