/** The configuration kept for those who cannot parse TOML; reads no file, for the module in the client. */

import { isRecord } from "../core/record.ts";
import type { FileStamp } from "./files.ts";
import type { ConfigProblem } from "./problem.ts";
import type { ConfigValues } from "./schema.ts";

export interface CachedStamp extends FileStamp {
  /** Whether it said nothing to us, or was not there. */
  readonly silent: boolean;
}

/** A value of a project's file that would make trimtab louder, and that nobody has trusted. */
export interface WaitingValue {
  /** The file. */
  readonly file: string;
  /** The table and the key, such as `context.restore_on`. */
  readonly key: string;
  /** The value. */
  readonly value: unknown;
}

export interface ConfigCache {
  readonly version: typeof CONFIG_CACHE_VERSION;
  readonly files: readonly CachedStamp[];
  /** What the files set; defaults are left out, so that they follow the program. */
  readonly values: ConfigValues;
  /** All that is wrong; then no values are kept. */
  readonly problems: readonly ConfigProblem[];
  /** Values that do not count until they are trusted. */
  readonly waiting: readonly WaitingValue[];
}

export const CONFIG_CACHE_VERSION = 2;

export function configCachePath(projectDir: string): string {
  return `${projectDir}/.claude/trimtab/config-cache.json`;
}

export function parseConfigCache(text: string): ConfigCache | null {
  try {
    const cache: unknown = JSON.parse(text);
    return isConfigCache(cache) ? cache : null;
  } catch {
    // Of our own making it cannot be; anybody may have put something else there.
    return null;
  }
}

function isConfigCache(value: unknown): value is ConfigCache {
  return isRecord(value) && value["version"] === CONFIG_CACHE_VERSION &&
    isListOf(value["files"], isStamp) && isListOf(value["problems"], isProblem) &&
    isRecord(value["values"]) && isRecord(value["values"]["context"]) &&
    isRecord(value["values"]["live"]) && isListOf(value["waiting"], isWaiting);
}

function isWaiting(value: unknown): boolean {
  return isRecord(value) && typeof value["file"] === "string" && typeof value["key"] === "string";
}

function isStamp(value: unknown): boolean {
  return isRecord(value) && typeof value["path"] === "string" &&
    typeof value["silent"] === "boolean" && isNumberOrNull(value["mtimeMs"]) &&
    isNumberOrNull(value["sizeBytes"]);
}

function isProblem(value: unknown): boolean {
  return isRecord(value) &&
    [value["file"], value["key"], value["value"], value["expected"]].every((text) =>
      typeof text === "string"
    );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === "number";
}
