/** Cleans snapshot content that a program passes in. */

import { emptyState } from "../extract/empty_state.ts";
import { excerpt } from "../inject/excerpt.ts";
import { contentOf, type SnapshotContent } from "../saved/save.ts";

/** In UTF-16 code units. */
const MAX_TEXT_CHARS = 16_000;
/** Limits the items of a list, and the fields of an object. */
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
  const { trail: _trail, progress: _progress, origins: _origins, ...emptyContent } = contentOf(
    emptyState(),
  );
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
