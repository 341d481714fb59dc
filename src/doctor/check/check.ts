import type { EnvReader } from "../../store/paths.ts";
import type { FindingId } from "./finding_kinds.ts";
import type { OwnFiles } from "../clean/own_files.ts";

/** Tests file permissions by attempting each operation. */
export interface Probe {
  /** Returns the error message, or null on success. */
  read(path: string): string | null;
  /** Opens the file but writes nothing; returns the error message, or null on success. */
  append(path: string): string | null;
  /** Creates and removes a file; returns the error message, or null on success. */
  create(folder: string): string | null;
}

export interface DoctorPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  /** trimtab's own folder; null in a compiled executable. */
  readonly root: string | null;
  readonly nowMs: number;
  readonly denoVersion: string;
  readonly uid: number | null;
  /** Whether to check every session, not only the newest. */
  readonly isAll: boolean;
  readonly env: EnvReader;
  readonly probe: Probe;
  /** Lists trimtab's files in the project; the list is cached. */
  readonly ownFiles: () => OwnFiles;
}

export interface Problem {
  readonly id: FindingId;
  readonly subject: string;
  readonly problem: string;
  /** Repairs the problem; absent if a person must do it. Problems with the same cause share a function. */
  readonly repair?: () => void;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly note: string;
}

export type Check = (place: DoctorPlace) => CheckResult;
