import { findSave, saveFolder } from "../saved/store.ts";
import { indexCheckpoint, readIndex } from "../saved/project_index.ts";
import { verifyCheckpoint } from "../saved/verify.ts";
import { reasonOf } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import { fileName, parentPath, resolvePath } from "../store/paths.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** The checkpoint to check. */
export interface VerifyOptions extends PlaceOptions {
  /** A path, a checkpoint's id, or `latest`. */
  readonly file: string;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** The result of a check. */
export interface VerifyResult {
  /** The path of the checkpoint's file. */
  readonly path: string;
  /** Whether the checkpoint exists and is complete. */
  readonly valid: boolean;
  /** Sentences that describe the problems and say what to do. */
  readonly problems: readonly string[];
  /** Whether the checkpoint was verified when it was saved. */
  readonly verified: boolean;
  /** Describes the change of the index; empty if there was none. */
  readonly index: string;
}

/** Checks a checkpoint. Adds a complete checkpoint to the index if it is missing there. */
export function verify(options: VerifyOptions): VerifyResult {
  const path = pathOf(options);
  const { valid, problems, meta } = verifyCheckpoint(path);
  const index = valid ? indexIt(path, options) : "";
  return { path, valid, problems, verified: meta?.verified === true, index };
}

function pathOf(options: VerifyOptions): string {
  const { file } = options;
  const path = resolvePath(file, options.cwd ?? Deno.cwd());
  if (isThere(path)) return path;
  const { projectDir } = locateProject(options);
  // Returns the given path, because a missing file is a finding rather than an error.
  const name = fileName(file) === "latest.md" ? "latest" : file;
  const found = findSave(name, ["checkpoint"], { projectDir });
  if (found !== null) return found.path;
  if (name === "latest") {
    throw new Error(
      `Cannot verify the latest checkpoint: ${projectDir} has none. Save one with trimtab checkpoint`,
    );
  }
  return path;
}

function isThere(path: string): boolean {
  try {
    return exists(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}

function indexIt(path: string, options: VerifyOptions): string {
  const { configDir } = locateProject(options);
  if (configDir === undefined) return "";
  try {
    const isKnown = readIndex(configDir).checkpoints.some((row) => row.path === path);
    if (isKnown) return "";
    const projectDir = parentPath(parentPath(parentPath(path)));
    // A checkpoint copied to another folder is not indexed.
    if (parentPath(path) !== saveFolder("checkpoint", { projectDir })) return "";
    const nowMs = (options.now?.() ?? new Date()).getTime();
    const { checkpoints } = indexCheckpoint({ projectDir, configDir, nowMs });
    const isIn = checkpoints.some((row) => row.path === path);
    return isIn ? "It was missing from the index and has been added." : "";
  } catch (error) {
    return `It is not in the index: ${reasonOf(error)}`;
  }
}
