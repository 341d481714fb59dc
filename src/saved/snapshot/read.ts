/** Reads one snapshot. */

import type { ContextSnapshot } from "./snapshot.ts";
import { checkSnapshot, SNAPSHOT_SCHEMA_VERSION } from "./check.ts";
import { readTextSync } from "../../store/read_file.ts";

/** No snapshot of ours is larger, in bytes; a larger file is not ours. */
export const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;

const SEE_OTHERS = "Run `trimtab list` to see the others";

/** There is no such snapshot. */
export class SnapshotNotFoundError extends Error {
  /** The class's name, for messages. */
  override name = "SnapshotNotFoundError";
}

/**
 * Reads a snapshot and checks its shape.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The file.
 * @returns The snapshot, with the fields that this version does not know.
 * @throws {SnapshotNotFoundError} When there is no such file.
 * @throws {SyntaxError} When it holds no JSON.
 * @throws {RangeError} When it is too large, or of a newer version.
 * @throws {TypeError} When it holds something else than a snapshot.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { readSnapshot, SnapshotNotFoundError } from "./read.ts";
 *
 * assertThrows(() => readSnapshot("/nowhere/1.json"), SnapshotNotFoundError, "no such file");
 * ```
 */
export function readSnapshot(path: string): ContextSnapshot {
  const action = `Cannot read snapshot ${JSON.stringify(path)}`;
  const value = parse(readText(path, action), action);
  const version = versionOf(value);
  if (version !== null && version > SNAPSHOT_SCHEMA_VERSION) {
    throw new RangeError(
      `${action}: it is of version ${version}, and this trimtab knows ${SNAPSHOT_SCHEMA_VERSION}. ` +
        "Update trimtab to use it",
    );
  }
  if (isSnapshot(value)) return value;
  throw new TypeError(`${action}: ${checkSnapshot(value).join(" ")} ${SEE_OTHERS}`);
}

function readText(path: string, action: string): string {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    const isGone = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (!isGone) throw error;
    throw new SnapshotNotFoundError(`${action}: there is no such file. ${SEE_OTHERS}`);
  }
  if (!info.isFile) throw new TypeError(`${action}: it is not a regular file. ${SEE_OTHERS}`);
  if (info.size > MAX_SNAPSHOT_BYTES) {
    throw new RangeError(
      `${action}: it has ${info.size} bytes, expected at most ${MAX_SNAPSHOT_BYTES}. ${SEE_OTHERS}`,
    );
  }
  return readTextSync(path, MAX_SNAPSHOT_BYTES);
}

function parse(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The system's own message quotes the file, which can hold anything.
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const where = text.trim() === "" ? "empty" : "not valid JSON";
    const place = at === undefined ? "" : ` at character ${at}`;
    throw new SyntaxError(`${action}: the file is ${where}${place}. ${SEE_OTHERS}`);
  }
}

function versionOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || !("schema_version" in value)) return null;
  return typeof value.schema_version === "number" ? value.schema_version : null;
}

function isSnapshot(value: unknown): value is ContextSnapshot {
  return checkSnapshot(value).length === 0;
}
