/** Input and result of a check of the doctor. */

import type { EnvReader } from "../../store/paths.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";

/** Tries out the system's permissions; a test replaces it. */
export interface Probe {
  /**
   * Tries to open a file to read it.
   *
   * @param path The file.
   * @returns Why it cannot be; null where it can.
   */
  read(path: string): string | null;
  /**
   * Tries to open a file to add to it; nothing is added.
   *
   * @param path The file.
   * @returns Why it cannot be; null where it can.
   */
  append(path: string): string | null;
  /**
   * Tries to make a file in a folder, and removes it at once.
   *
   * @param folder The folder.
   * @returns Why it cannot be; null where it can.
   */
  create(folder: string): string | null;
}

export interface DoctorPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  /** The folder of trimtab; null for an executable that does not know of one. */
  readonly root: string | null;
  readonly nowMs: number;
  readonly denoVersion: string;
  /** The user's number; null if unknown. */
  readonly uid: number | null;
  /** Whether every session is looked at, not only the newest. */
  readonly isAll: boolean;
  readonly env: EnvReader;
  readonly probe: Probe;
  /** Files that trimtab keeps in the project, looked up once for all checks. */
  readonly ownFiles: () => OwnFiles;
}

export interface Problem {
  readonly id: FindingId;
  /** Its subject: mostly a path. */
  readonly subject: string;
  readonly problem: string;
  /** Puts it right; left out where only a person can. It may be called once for several problems. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

/** Looks at one side of an installation. It changes nothing. */
export type Check = (place: DoctorPlace) => CheckResult;
