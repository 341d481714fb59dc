/** Input and result of one check. */

import type { EnvReader } from "../../store/paths.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";

/** Tests permissions by attempting file operations; replaced in tests. */
export interface Probe {
  /** Opens a file for reading; returns the reason if that fails, else null. */
  read(path: string): string | null;
  /** Opens a file for appending, without writing; returns the reason if that fails, else null. */
  append(path: string): string | null;
  /** Creates and removes a file in a folder; returns the reason if that fails, else null. */
  create(folder: string): string | null;
}

export interface DoctorPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  /** The folder of trimtab; null for a compiled executable, which has none. */
  readonly root: string | null;
  readonly nowMs: number;
  readonly denoVersion: string;
  /** The user's id; null if unknown. */
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
  /** The affected file or folder, usually as a path. */
  readonly subject: string;
  readonly problem: string;
  /** Repairs the problem; several problems may share a function. Absent if a person must do it. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

/** Checks one part of an installation without changing it. */
export type Check = (place: DoctorPlace) => CheckResult;
