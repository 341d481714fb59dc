/** Input and result of one check. */

import type { EnvReader } from "../../store/paths.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";

/** Tries out the system's permissions; a test replaces it. */
export interface Probe {
  /** Tries to open a file to read it; returns why that fails, or null. */
  read(path: string): string | null;
  /** Tries to open a file to add to it; nothing is added; returns why that fails, or null. */
  append(path: string): string | null;
  /** Tries to make a file in a folder, and removes it at once; returns why that fails, or null. */
  create(folder: string): string | null;
}

export interface DoctorPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  /** The folder of trimtab; null for an executable without one. */
  readonly root: string | null;
  readonly nowMs: number;
  readonly denoVersion: string;
  /** The user's number; null if unknown. */
  readonly uid: number | null;
  /** Whether every session is checked, not only the newest. */
  readonly isAll: boolean;
  readonly env: EnvReader;
  readonly probe: Probe;
  /** Files that trimtab keeps in the project, looked up once for all checks. */
  readonly ownFiles: () => OwnFiles;
}

export interface Problem {
  readonly id: FindingId;
  /** Mostly a path. */
  readonly subject: string;
  readonly problem: string;
  /** Repairs it; several problems may share one. Undefined where only a person can. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

/** Checks one part of an installation, and changes nothing. */
export type Check = (place: DoctorPlace) => CheckResult;
