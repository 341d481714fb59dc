import { findSave } from "../saved/store.ts";
import { verifyCheckpoint } from "../saved/verify.ts";
import { exists, unlessFailed } from "../store/exists.ts";
import { fileName, resolvePath } from "../store/paths.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** The checkpoint to check. */
export interface VerifyOptions extends PlaceOptions {
  /** A path, a checkpoint's id or the start of it, or `latest`. */
  readonly file: string;
}

/** The result of a check. */
export interface VerifyResult {
  /** The path of the checkpoint's file. */
  readonly path: string;
  /** Whether the checkpoint exists and is complete. */
  readonly valid: boolean;
  /** Descriptions of the problems. */
  readonly problems: readonly string[];
  /** Whether the checkpoint was verified when it was saved. */
  readonly verified: boolean;
}

export function verify(options: VerifyOptions): VerifyResult {
  const path = pathOf(options);
  const { valid, problems, meta } = verifyCheckpoint(path);
  return { path, valid, problems, verified: meta?.verified === true };
}

function pathOf(options: VerifyOptions): string {
  const { file } = options;
  const path = resolvePath(file, options.cwd ?? Deno.cwd());
  if (unlessFailed(() => exists(path)) === true) return path;
  const { projectDir } = locateProject(options);
  const name = fileName(file) === "latest.md" ? "latest" : file;
  const found = findSave(name, ["checkpoint"], { projectDir });
  if (found !== null) return found.path;
  if (name === "latest") {
    throw new Error(
      `Cannot verify the latest checkpoint: ${projectDir} has no checkpoint. Save one with trimtab checkpoint`,
    );
  }
  // A missing file is a finding rather than an error.
  return path;
}
