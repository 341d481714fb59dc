/** Finds unfinished and outdated files, and counts the disk space that trimtab uses. */

import { infoOf } from "../../store/exists.ts";
import { indexPath } from "../../saved/project_index.ts";
import { joinPath } from "../../store/paths.ts";
import { planClean, TEMPORARY_MS } from "../clean/plan.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { configOrDefaults } from "./config.ts";
import { findOwnFiles, findTemporaries, type OwnFile, type OwnKind } from "../clean/own_files.ts";

export interface DiskUse {
  readonly files: number;
  readonly bytes: number;
}

export interface DiskReport extends DiskUse {
  readonly by_kind: Readonly<Partial<Record<OwnKind | "index", DiskUse>>>;
}

export function checkDebris(place: DoctorPlace): CheckResult {
  const { projectDir, configDir, nowMs } = place;
  const { retention_days: retentionDays, kept_days: keptDays } = configOrDefaults(place).context;
  const { items } = planClean({ projectDir, configDir, retentionDays, keptDays, nowMs });
  const left = items.filter(({ kind }) => kind === "temporary");
  const expired = items.filter(({ kind }) => kind !== "temporary");
  const problems: Problem[] = left.map((file) => leftover(file));
  // Partly written settings. `clean` leaves them, since only `trimtab install` may write in that folder.
  const unfinished = findTemporaries(configDir === undefined ? [] : [configDir]).filter((
    file,
  ) => file.mtimeMs < nowMs - TEMPORARY_MS && !left.some(({ path }) => path === file.path));
  problems.push(...unfinished.map((file) => leftover(file, " Delete it by hand.")));
  if (expired.length > 0) {
    const bytes = expired.reduce((sum, item) => sum + item.bytes, 0);
    problems.push({
      id: "expired_files",
      subject: joinPath(projectDir, ".claude"),
      problem: `${expired.length} files of ${bytes} bytes are older than ${retentionDays} days.`,
    });
  }
  return { problems, note: `no leftovers older than ${retentionDays} days` };
}

export function measureDisk(
  { projectDir, configDir }: Pick<DoctorPlace, "projectDir" | "configDir">,
): DiskReport {
  const kinds = new Map<OwnKind | "index", DiskUse>();
  const all: { kind: OwnKind | "index"; bytes: number }[] = [...findOwnFiles(projectDir).files];
  const index = configDir === undefined ? null : infoOf(indexPath(configDir));
  if (index?.isFile === true) all.push({ kind: "index", bytes: index.size });
  for (const { kind, bytes } of all) {
    const use = kinds.get(kind) ?? { files: 0, bytes: 0 };
    kinds.set(kind, { files: use.files + 1, bytes: use.bytes + bytes });
  }
  return {
    files: all.length,
    bytes: all.reduce((sum, file) => sum + file.bytes, 0),
    by_kind: Object.fromEntries(kinds),
  };
}

function leftover({ path, bytes }: OwnFile, advice = ""): Problem {
  const problem = `A killed process left this file of ${bytes} bytes over an hour ago.${advice}`;
  return { id: "expired_files", subject: path, problem };
}
