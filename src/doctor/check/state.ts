/** Checks the stored states, lineage and handoffs. */

import { changeLineage, lineagePath, readLineage } from "../../saved/lineage/file.ts";
import { listSaves } from "../../saved/store.ts";
import { fileName } from "../../store/paths.ts";
import { isObject } from "../../core/record.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import type { OwnFile } from "../clean/own_files.ts";
import { readTextSync } from "../../store/read_file.ts";

const MAX_STATE_BYTES = 1024 * 1024;

const COUNTER = /^\d{1,15}\s*$/;

export function checkState({ projectDir, probe, ownFiles }: DoctorPlace): CheckResult {
  // Another check reports files that cannot be opened.
  const files = ownFiles().files.filter(({ path }) => probe.read(path) === null);
  const of = (kind: OwnFile["kind"]): OwnFile[] => files.filter((file) => file.kind === kind);
  const [states, handoffs] = [of("state"), of("handoff")];
  const problems = [
    ...states.flatMap(stateProblem),
    ...(of("lineage").length > 0 ? lineageProblems(projectDir) : []),
    ...handoffProblems(projectDir, handoffs),
  ];
  return { problems, note: `states: ${states.length}, files of handoffs: ${handoffs.length}` };
}

function stateProblem({ path, bytes }: OwnFile): Problem[] {
  const problem = bytes > MAX_STATE_BYTES
    ? `It has ${bytes} bytes, far more than trimtab writes.`
    : textProblem(fileName(path), readTextSync(path, MAX_STATE_BYTES));
  return problem === null ? [] : [{ id: "state_unreadable", subject: path, problem }];
}

function textProblem(name: string, text: string): string | null {
  if (name === "iteration") return COUNTER.test(text) ? null : "It does not contain a number.";
  try {
    const value: unknown = JSON.parse(text);
    const isFine = name === "left.json" ? Array.isArray(value) : isObject(value);
    return isFine ? null : "Its JSON does not have the expected shape.";
  } catch {
    return text === "" ? "It is empty." : "It is not JSON.";
  }
}

function lineageProblems(projectDir: string): Problem[] {
  const { problem } = readLineage({ projectDir });
  if (problem === null) return [];
  const repair = (): void => {
    changeLineage({ projectDir }, () => ({ sessions: null, value: null }));
  };
  return [{ id: "index_damaged", subject: lineagePath(projectDir), problem, repair }];
}

function handoffProblems(projectDir: string, files: readonly OwnFile[]): Problem[] {
  const known = new Map(listSaves("handoff", { projectDir }).map((found) => [found.json, found]));
  return files.filter(({ path }) => path.endsWith(".json") && !path.includes(".claimed-"))
    .flatMap(({ path }): Problem[] => {
      const found = known.get(path);
      const problem = found === undefined ? "It is not a valid handoff file." : found.problem;
      return problem === null ? [] : [{ id: "save_damaged", subject: path, problem }];
    });
}
