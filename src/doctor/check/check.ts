import { infoOf } from "../../store/exists.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";
import type { CleanPlanOptions } from "../clean/plan.ts";

export interface DoctorPlace extends Pick<CleanPlanOptions, "projectDir" | "configDir" | "nowMs"> {
  /** trimtab's own folder; null if it is unknown, which skips the checks of its files. */
  readonly root: string | null;
  readonly denoVersion: string;
  /** The user's id; null if unknown. */
  readonly uid: number | null;
  /** Whether to check every session, not only the newest. */
  readonly all: boolean;
  /** Lists trimtab's files in the project; the list is cached. */
  readonly ownFiles: () => OwnFiles;
}

export interface Problem {
  readonly id: FindingId;
  /** The affected file or folder, usually as a path. */
  readonly subject: string;
  readonly problem: string;
  /** Repairs the problem; absent if a person must do it. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

/** The result of a check that needs an unreadable folder. Another check reports the folder. */
export const SKIPPED: CheckResult = {
  problems: [],
  note: "not checked: a folder of trimtab cannot be read",
};

export type Check = (place: DoctorPlace) => CheckResult;

/**
 * Describes a file that belongs to another user, as after a run with sudo. Returns null if the user owns the
 * file, is root or is unknown.
 */
export function ownerProblem(path: string, uid: number | null): string | null {
  const owner = infoOf(path)?.uid ?? null;
  if (uid === null || uid === 0 || owner === null || owner === uid) return null;
  return `It belongs to user ${owner}.`;
}
