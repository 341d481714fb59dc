/** Checks that checkpoints, snapshots and handoffs are intact. */

import { checkpointFiles, listSaves } from "../../saved/store.ts";
import { verifyCheckpoint } from "../../saved/verify.ts";
import {
  type CheckResult,
  type DoctorPlace,
  ownerProblem,
  type Problem,
  SKIPPED,
} from "./check.ts";

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
  const handoffs = pathsOf("handoff")
    .filter((path) => path.endsWith(".json") && !path.includes(".claimed-"));
  const validHandoffs = new Map(
    listSaves("handoff", { projectDir }).map((found) => [found.json, found]),
  );
  const snapshots = listSaves("snapshot", { projectDir })
    .filter(({ path }) => ownerProblem(path, uid) === null);
  const problems = [
    ...checkpoints.map((path) => {
      const { valid, problems: [first = ""] } = verifyCheckpoint(path);
      return damageProblems(path, valid ? null : first);
    }),
    ...snapshots.map(({ path, problem }) => damageProblems(path, problem)),
    ...handoffs.map((path) => {
      const found = validHandoffs.get(path);
      return damageProblems(
        path,
        found === undefined ? "It is not a valid handoff file." : found.problem,
      );
    }),
  ].flat();
  const note = `checkpoints: ${checkpoints.length}, snapshots: ${snapshots.length}, ` +
    `handoffs: ${handoffs.length}`;
  return { problems, note };
}

function damageProblems(subject: string, problem: string | null): Problem[] {
  return problem === null ? [] : [{ id: "save_damaged", subject, problem }];
}
