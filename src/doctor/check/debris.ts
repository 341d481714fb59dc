/** Finds files that are no longer needed. */

import { counted, sizeInKb } from "../../inject/bound.ts";
import { joinPath } from "../../store/paths.ts";
import { planClean } from "../clean/plan.ts";
import { type CheckResult, type DoctorPlace, SKIPPED } from "./check.ts";
import { configOrDefaults } from "./config.ts";

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
