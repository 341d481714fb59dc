/** Cleans content that a program passes in, and saves it as a snapshot. */

import { emptyState } from "../extract/empty_state.ts";
import { excerpt } from "../inject/excerpt.ts";
import { contentOf, type ContextSnapshot, type SnapshotContent } from "../saved/save.ts";
import { type SavedSnapshot, writeSnapshot } from "../saved/snapshot.ts";
import { saveFolder, type SnapshotPlace } from "../saved/store.ts";
import { findConfigDir, isAbsolutePath, projectOf } from "../store/paths.ts";

/** Options for saving a snapshot. */
export interface SaveSnapshotOptions extends SnapshotPlace {
  /** Time of the save, from which the id is derived. @default {new Date()} */
  readonly now?: Date;
}

export function saveSnapshot(
  snapshot: ContextSnapshot,
  options: SaveSnapshotOptions = {},
): SavedSnapshot {
  const { now = new Date() } = options;
  const folder = saveFolder("snapshot", options);
  if (isAbsolutePath(options.snapshotDir ?? "")) {
    const { projectDir } = options;
    const save = projectDir === undefined ? snapshot : { ...snapshot, project: projectDir };
    // The caller chose this folder by its absolute path, so its files are restored without a mark.
    return writeSnapshot(save, {
      projectDir: projectDir ?? folder,
      folder,
      configDir: undefined,
      now,
    });
  }
  const projectDir = projectOf(options);
  const configDir = "configDir" in options ? options.configDir : findConfigDir();
  // Throws if the project's folder does not exist. Only folders inside it are created.
  Deno.statSync(projectDir);
  const save = { ...snapshot, project: projectDir };
  return writeSnapshot(save, { projectDir, folder, configDir, now });
}

/** In UTF-16 code units. */
const MAX_TEXT_CHARS = 16_000;
/** Maximum number of items of a list, and of fields of an object. */
const MAX_ITEMS = 500;
const MAX_DEPTH = 8;

/** Cleans, shortens and redacts the strings, and limits lists, objects and nesting. Missing fields are empty. */
export function cleanContent(context: Partial<SnapshotContent>): SnapshotContent {
  if (typeof context !== "object" || context === null || Array.isArray(context)) {
    throw new TypeError("Cannot make a snapshot: the context must be an object");
  }
  const givenFields: [string, unknown][] = Object.entries(context)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, cleanValue(value, 0)]);
  const { progress: _progress, origins: _origins, ...emptyContent } = contentOf(emptyState());
  return { ...emptyContent, ...Object.fromEntries(givenFields) };
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return excerpt(value, MAX_TEXT_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((one) => cleanValue(one, depth + 1));
  }
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([name, one]) => [name, cleanValue(one, depth + 1)]));
}
