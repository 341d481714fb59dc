/** Checks that checkpoints and snapshots are intact, and that the index lists them. */

import { isFolder, isMissing } from "../../store/exists.ts";
import {
  checkpointFiles,
  type CheckpointRow,
  listCheckpoints,
  listSaves,
} from "../../saved/store.ts";
import {
  indexCheckpoint,
  indexPath,
  MAX_INDEX_BYTES,
  MAX_INDEX_ROWS,
  readIndex,
} from "../../saved/project_index.ts";
import { verifyCheckpoint } from "../../saved/verify.ts";
import { fileName, joinPath, parentPath } from "../../store/paths.ts";
import { parseObject } from "../../transcript/entry.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { NotRegularFileError, readTextSync } from "../../store/read_file.ts";

export function checkCheckpoints(place: DoctorPlace): CheckResult {
  const { projectDir, probe } = place;
  const paths = place.ownFiles().files
    .filter(({ path, kind }) => kind === "checkpoint" && probe.read(path) === null)
    .map(({ path }) => path)
    // A checkpoint's JSON file is checked together with its Markdown file.
    .filter((path, _, all) => path.endsWith(".md") || !all.includes(checkpointFiles(path).view));
  const damaged = paths.map((path) => verifyCheckpoint(path)).filter(({ valid }) => !valid);
  const snapshots = listSaves("snapshot", { projectDir });
  const problems = [
    ...damaged.map(({ path, problems: [first = ""] }): Problem => ({
      id: "save_damaged",
      subject: path,
      problem: first,
    })),
    ...snapshots.flatMap(({ path, problem }): Problem[] =>
      problem === null ? [] : [{ id: "save_damaged", subject: path, problem }]
    ),
    ...indexProblems(place),
  ];
  return { problems, note: `checkpoints: ${paths.length}, snapshots: ${snapshots.length}` };
}

function indexProblems({ projectDir, configDir, nowMs }: DoctorPlace): Problem[] {
  if (configDir === undefined) return [];
  const repair = (): void => void indexCheckpoint({ projectDir, configDir, nowMs });
  const damaged = (subject: string, problem: string): Problem => (
    { id: "index_damaged", subject, problem, repair }
  );
  const index = indexPath(configDir);
  if (isDamaged(index)) return [damaged(index, "It is not an index of checkpoints.")];
  const rows = readIndex(configDir).checkpoints;
  const indexed = new Set(rows.map(({ path }) => canonicalPath(path)));
  const missing = rows.length >= MAX_INDEX_ROWS
    ? []
    : listCheckpoints({ projectDir }).filter(({ path }) => !indexed.has(canonicalPath(path)));
  return [
    ...rows.filter(isFileMissing).map(({ path, summary }) =>
      damaged(
        path,
        `The index lists it as ${JSON.stringify(summary)}, but the file does not exist.`,
      )
    ),
    ...missing.map(({ path }) => damaged(path, `${index} does not list it.`)),
  ];
}

function isDamaged(path: string): boolean {
  try {
    return !Array.isArray(parseObject(readTextSync(path, MAX_INDEX_BYTES))?.checkpoints);
  } catch (error) {
    if (isMissing(error)) return false;
    if (error instanceof NotRegularFileError || error instanceof RangeError) return true;
    throw error;
  }
}

/** Returns false if the folder and the project are missing too, since they may be on an unmounted disk. */
function isFileMissing({ path, project }: CheckpointRow): boolean {
  try {
    return !Deno.lstatSync(path).isFile;
  } catch (error) {
    return isMissing(error) && (isFolder(parentPath(path)) || isFolder(project));
  }
}

/** Resolves links in the folder's path, so that two paths to one file compare equal. */
function canonicalPath(path: string): string {
  try {
    return joinPath(Deno.realPathSync(parentPath(path)), fileName(path));
  } catch {
    return path;
  }
}
