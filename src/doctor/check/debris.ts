/** Finds files that are no longer needed, and counts the disk space that trimtab uses. */

import { counted } from "../../inject/bound.ts";
import { infoOf } from "../../store/exists.ts";
import { indexPath } from "../../saved/project_index.ts";
import { joinPath } from "../../store/paths.ts";
import { planClean } from "../clean/plan.ts";
import type { CheckResult, DoctorPlace } from "./check.ts";
import { configOrDefaults } from "./config.ts";
import { findOwnFiles, type OwnKind } from "../clean/own_files.ts";

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
  if (items.length === 0) return { problems: [], note: `nothing older than ${retentionDays} days` };
  const { length: count } = items;
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  const problem = `${counted(count, "file")} of ${bytes} bytes.`;
  return {
    problems: [{ id: "expired_files", subject: joinPath(projectDir, ".claude"), problem }],
    note: `files that are no longer needed: ${count}`,
  };
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
