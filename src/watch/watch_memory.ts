/** What a watcher remembers when it ends, so that the next one does not ask again. */

import { isRecord } from "../core/record.ts";
import { writeFileAtomicSync } from "../store/atomic.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { type AskedSession, NOTHING_ASKED, type WatchMemory } from "./choose_trigger.ts";
import { readOwnTextSync } from "../store/own_file.ts";

/** No file of ours is larger, in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

/** Reads what a watcher remembered. A file that is missing or damaged tells of nothing. */
export function readWatchMemory(projectDir: string): WatchMemory {
  try {
    const path = memoryPath(projectDir);
    const value: unknown = JSON.parse(readOwnTextSync(path, MAX_FILE_BYTES) ?? "{}");
    if (!isRecord(value) || !isRecord(value["asked"])) return NOTHING_ASKED;
    const asked = Object.entries(value["asked"]).flatMap(([id, one]) =>
      isAsked(one) ? [[id, { high_at: one.high_at, stale_at: one.stale_at }] as const] : []
    );
    const last = value["last_asked_at"];
    return { asked: new Map(asked), last_asked_at: typeof last === "string" ? last : null };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return NOTHING_ASKED;
  }
}

/** Writes down what a watcher remembers; only the one that holds the watch does. */
export function writeWatchMemory(projectDir: string, memory: WatchMemory): void {
  const path = memoryPath(projectDir);
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  writeFileAtomicSync(path, `${memoryText(memory)}\n`);
}

/** A memory as text: two that are the same have the same. */
export function memoryText({ asked, last_asked_at }: WatchMemory): string {
  return JSON.stringify({ asked: Object.fromEntries(asked), last_asked_at });
}

function memoryPath(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "watch.json");
}

function isAsked(value: unknown): value is AskedSession {
  return isRecord(value) && isTime(value["high_at"]) && isTime(value["stale_at"]);
}

function isTime(value: unknown): boolean {
  return value === null || (typeof value === "string" && !Number.isNaN(Date.parse(value)));
}
