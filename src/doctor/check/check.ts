import { infoOf } from "../../store/exists.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";
import type { CleanPlanOptions } from "../clean/plan.ts";

export interface DoctorPlace extends Pick<CleanPlanOptions, "projectDir" | "configDir" | "nowMs"> {
  /** trimtab's own folder; null if unknown. The checks of its files are then skipped. */
  readonly root: string | null;
  readonly uid: number | null;
  /** Whether to check every session, not only the newest. */
  readonly all: boolean;
  readonly ownFiles: () => OwnFiles;
}

export interface Problem {
  readonly id: FindingId;
  readonly subject: string;
  readonly problem: string;
  /** Repairs the problem; absent if only the user can repair it. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

/** The result of a check that is skipped because a folder cannot be read. Another check reports the folder. */
export const SKIPPED: CheckResult = {
  problems: [],
  note: "not checked: a folder of trimtab cannot be read",
};

export type Check = (place: DoctorPlace) => CheckResult;

export function ownerProblem(path: string, uid: number | null): string | null {
  const owner = infoOf(path)?.uid ?? null;
  if (uid === null || uid === 0 || owner === null || owner === uid) return null;
  return `It belongs to user ${owner}.`;
}
