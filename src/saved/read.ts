/** Reads a save from its JSON file. */

import { infoOf } from "../store/exists.ts";
import { isObject } from "../core/record.ts";
import { readTextSync } from "../store/read_file.ts";
import { checkSave, SNAPSHOT_SCHEMA_VERSION } from "./check.ts";
import { emptyState } from "../extract/empty_state.ts";
import { contentOf, type ContextSnapshot, snapshotStamp } from "./save.ts";

export const MAX_SAVE_BYTES = 4 * 1024 * 1024;

const SEE_ALL = "Run `trimtab list` to see all saves";

export class SaveNotFoundError extends Error {
  override name = "SaveNotFoundError";
}

/** Reads a save and validates it. Converts an old handoff. Keeps fields that are unknown to this version. */
export function readSave(path: string): ContextSnapshot {
  const action = `Cannot read save ${JSON.stringify(path)}`;
  const parsed = parse(readSaveText(path, action), action);
  const value = isOldHandoff(parsed) ? convertOldHandoff(parsed) : parsed;
  const version = isObject(value) ? value["schema_version"] : null;
  if (typeof version === "number" && version > SNAPSHOT_SCHEMA_VERSION) {
    throw new RangeError(
      `${action}: its version is ${version}, but this trimtab supports ${SNAPSHOT_SCHEMA_VERSION}. ` +
        "Update trimtab to use it",
    );
  }
  const problems = checkSave(value);
  if (problems.length > 0) throw new TypeError(`${action}: ${problems.join(" ")} ${SEE_ALL}`);
  return value as ContextSnapshot;
}

type OldHandoff = Readonly<Record<string, unknown>>;

/** Whether the value is a handoff of version 0.1.0. */
function isOldHandoff(value: unknown): value is OldHandoff {
  return isObject(value) && typeof value["parent_session_id"] === "string" &&
    value["schema_version"] === undefined;
}

function convertOldHandoff(old: OldHandoff): unknown {
  const { parent_session_id, created, title, percent, prompt_file: _, ...handoff } = old;
  if (typeof created !== "string" || !Number.isFinite(Date.parse(created))) return old;
  const time = new Date(created);
  return {
    ...contentOf(emptyState()),
    schema_version: SNAPSHOT_SCHEMA_VERSION,
    snapshot_id: snapshotStamp(time),
    name: title,
    timestamp: time.toISOString(),
    token_count: 0,
    session_id: parent_session_id,
    usage_percent: percent,
    handoff: { for_headless: false, ...handoff, claimed_by: [] },
  };
}

/** Throws if the file is missing, larger than `maxBytes`, or not a regular file. Links are refused, too. */
export function readSaveText(path: string, action: string, maxBytes = MAX_SAVE_BYTES): string {
  const info = infoOf(path);
  if (info === null) throw new SaveNotFoundError(`${action}: there is no such file. ${SEE_ALL}`);
  if (!info.isFile) throw new TypeError(`${action}: it is not a regular file. ${SEE_ALL}`);
  if (info.size > maxBytes) {
    throw new RangeError(
      `${action}: it has ${info.size} bytes, expected at most ${maxBytes}. ${SEE_ALL}`,
    );
  }
  return readTextSync(path, maxBytes);
}

function parse(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the file, which can contain anything.
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const state = text.trim() === "" ? "empty" : "not valid JSON";
    const place = position === undefined ? "" : ` at character ${position}`;
    throw new SyntaxError(`${action}: the file is ${state}${place}. ${SEE_ALL}`);
  }
}
