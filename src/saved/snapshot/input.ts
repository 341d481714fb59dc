/** Content for a snapshot that a program put together. */

import { excerpt } from "../../extract/excerpt.ts";
import type { SnapshotContent } from "./snapshot.ts";

const MAX_TEXT_CHARS = 16_000;

const MAX_ITEMS = 500;

const MAX_DEPTH = 8;

const NOTHING: SnapshotContent = {
  session_id: null,
  original_requirements: "",
  later_requirements: [],
  key_decisions: [],
  implementation_state: "",
  open_items: [],
  next_steps: [],
  tools_used: [],
  changes: [],
  commits: [],
  phase_state: null,
  active_task: null,
  learnings: [],
  original_tokens: null,
  compacted_tokens: null,
  compression_ratio: null,
};

/** Cleans, bounds and screens what a program gives; what is missing is empty. */
export function contentFrom(context: Partial<SnapshotContent>): SnapshotContent {
  if (typeof context !== "object" || context === null || Array.isArray(context)) {
    throw new TypeError("Cannot make a snapshot: the context must be an object");
  }
  const known: [string, unknown][] = Object.entries(context)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, screened(value, 0)]);
  return { ...NOTHING, ...Object.fromEntries(known) };
}

function screened(value: unknown, depth: number): unknown {
  if (typeof value === "string") return excerpt(value, MAX_TEXT_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((one) => screened(one, depth + 1));
  }
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([name, one]) => [name, screened(one, depth + 1)]));
}
