/** Defines the record that the module writes for a session. Does no I/O, because the client lacks Deno. */

import { isObject, isText, parseObject } from "../core/record.ts";

export interface InsideTrimRecord {
  /** `restore` undoes a compaction, not a trim. */
  readonly kind: "trim" | "undo" | "restore";
  readonly at_ms: number;
  readonly tokens_before: number | null;
  /** Estimate; null if unknown. */
  readonly tokens_after: number | null;
}

export interface InsideFill {
  readonly at_ms: number;
  readonly model: string;
  /** Tokens of the context; null at the start and after a compaction, until an answer reports them. */
  readonly tokens: number | null;
  /** The model's window, in tokens. */
  readonly window: number;
  /** Tokens at which the client compacts or, if it never compacts, at which an answer no longer fits. */
  readonly limit: number;
  readonly limit_kind: "compaction" | "answer";
  readonly categories: Readonly<Record<string, number>>;
}

export interface InsideWatch {
  /** Start of the work, ISO 8601. A long pause moves it forward. */
  readonly active_since?: string;
  /** Time of the last activity, ISO 8601; updated at most once a minute. */
  readonly last_active_at?: string;
  readonly level?: string;
  /** Time of the last warning to the model, ISO 8601. */
  readonly warned_at?: string;
  readonly offered?: string;
}

export interface InsideRecord {
  readonly version: 1;
  readonly fill?: InsideFill;
  readonly watch?: InsideWatch;
  readonly trims: readonly InsideTrimRecord[];
}

const MAX_TRIMS = 20;

export const MAX_RECORD_CHARS = 64 * 1024;

export function insideRecordPath(projectDir: string, sessionId: string): string {
  return `${projectDir}/.claude/trimtab/state/${sessionId}.inside.json`;
}

export function parseInsideRecord(text: string): InsideRecord {
  const { version, trims, fill, watch } = parseObject(text) ?? {};
  if (version !== 1) return { version: 1, trims: [] };
  return {
    version: 1,
    ...(isFill(fill) ? { fill } : {}),
    ...(isObject(watch) && Object.values(watch).every(isText) ? { watch } : {}),
    trims: Array.isArray(trims) ? trims.filter(isTrim) : [],
  };
}

/** Counts the tokens that the client sends in addition to messages, such as its system prompt and tools. */
export function nonMessageTokens(categories: InsideFill["categories"]): number {
  return Object.entries(categories).reduce(
    (sum, [name, tokens]) => name === "Messages" ? sum : sum + tokens,
    0,
  );
}

export function trimsInEffect(trims: readonly InsideTrimRecord[]): InsideTrimRecord[] {
  const remaining: InsideTrimRecord[] = [];
  for (const trim of trims) {
    if (trim.kind === "undo") remaining.pop();
    if (trim.kind === "trim") remaining.push(trim);
  }
  return remaining;
}

/** Adds a trim, and drops the level and the warning, which predate it. */
export function withTrim(record: InsideRecord, trim: InsideTrimRecord): InsideRecord {
  const { level: _level, warned_at: _warnedAt, ...watch } = record.watch ?? {};
  return { ...record, watch, trims: [...record.trims, trim].slice(-MAX_TRIMS) };
}

function isTrim(value: unknown): value is InsideTrimRecord {
  return isObject(value) && ["trim", "undo", "restore"].includes(`${value["kind"]}`) &&
    typeof value["at_ms"] === "number" && isCount(value["tokens_before"]) &&
    isCount(value["tokens_after"]);
}

function isFill(value: unknown): value is InsideFill {
  return isObject(value) && typeof value["at_ms"] === "number" && isCount(value["tokens"]) &&
    typeof value["model"] === "string" && isSize(value["window"]) && isSize(value["limit"]) &&
    (value["limit_kind"] === "compaction" || value["limit_kind"] === "answer") &&
    isObject(value["categories"]) && Object.values(value["categories"]).every(isCount);
}

function isSize(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

function isCount(value: unknown): boolean {
  return value === null || (typeof value === "number" && value >= 0);
}
