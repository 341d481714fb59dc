export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns all strings in a JSON value. Iterative, because values can be nested too deeply for recursion. */
export function stringsIn(value: unknown): string[] {
  const found = [value];
  for (const item of found) {
    if (typeof item !== "object") continue;
    for (const inner of Object.values(item ?? {})) found.push(inner);
  }
  return found.filter((item) => typeof item === "string");
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isTime(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

export interface FreedRecord {
  readonly at_tokens: number;
  readonly light: number;
  readonly deep: number;
  readonly rollover: number;
  /** Size of the transcript at the time of the estimate. */
  readonly bytes: number;
  /** Lifetime of the prompt cache, in seconds; null if no answer reports it. */
  readonly cache_ttl_seconds: number | null;
  /** Time of the newest answer, in ISO 8601; null if no answer has a time. */
  readonly newest_at: string | null;
  /** Requests after which each trim pays for itself with a warm cache; null if never. */
  readonly paid_back_after?: PaidBack;
  readonly in_use?: InUse;
}

type PaidBack = Readonly<Record<"light" | "deep", number | null>>;

export interface InUse {
  /** Number of long outputs that are kept whole because they are among the newest. */
  readonly newest: number;
  /** Number of reads that are kept only in part, as passages. */
  readonly passages: number;
  /** Number of reads that are kept whole because they are not used yet. Older records lack this field. */
  readonly unused?: number;
}

function isPaidBack(value: unknown): value is PaidBack {
  return isObject(value) &&
    [value["light"], value["deep"]].every((requests) => requests === null || isCount(requests));
}

function isInUse(value: unknown): value is InUse {
  return isObject(value) && isCount(value["newest"]) && isCount(value["passages"]) &&
    (value["unused"] === undefined || isCount(value["unused"]));
}

export function hasAnswerAfter({ newest_at: newestAt }: FreedRecord, ms: number): boolean {
  return newestAt !== null && Date.parse(newestAt) > ms;
}

export function isFreedRecord(value: unknown): value is FreedRecord {
  return isObject(value) &&
    ["at_tokens", "light", "deep", "rollover", "bytes"].every((key) => isCount(value[key])) &&
    (value["in_use"] === undefined || isInUse(value["in_use"])) &&
    (value["paid_back_after"] === undefined || isPaidBack(value["paid_back_after"])) &&
    (value["cache_ttl_seconds"] === null || isCount(value["cache_ttl_seconds"])) &&
    (value["newest_at"] === null || isTime(value["newest_at"]));
}
