/** Finds the session that a fork or a copy was made from. Both contain the parent's entries. */

import { isObject } from "../core/record.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { asString, readEntries } from "./entry.ts";
import { readLines } from "./lines.ts";
import { openFileSync, readHead } from "../store/read_file.ts";

/** Enough lines to contain the first entry with an id. */
const MAX_LINES = 50;

const MAX_BYTES = 1024 * 1024;

const PLAIN_ID = /^[\w-]{1,100}$/;

interface Beginning {
  readonly uuid: string | undefined;
  readonly parentSession: string | undefined;
}

/** Whether a transcript is a copy or a fork of another session. */
export function hasSameOrigin(transcript: string, sessionId: string): boolean {
  // The id becomes part of a path, and may come from a checkpoint of a cloned project.
  if (!PLAIN_ID.test(sessionId)) return false;
  const own = readBeginning(transcript);
  if (own.parentSession === sessionId) return true;
  if (own.uuid === undefined) return false;
  const other = readBeginning(joinPath(parentPath(transcript), `${sessionId}.jsonl`));
  return other.uuid === own.uuid;
}

function readBeginning(path: string): Beginning {
  try {
    using file = openFileSync(path);
    let parentSession: string | undefined;
    for (const { bytes, number } of readLines(file)) {
      if (number > MAX_LINES || bytes.length > MAX_BYTES) break;
      for (const { uuid, raw } of readEntries(bytes)) {
        const metadata = raw.trim_metadata ?? raw.rescue_metadata;
        if (isObject(metadata)) parentSession ??= asString(metadata.parent_session_id);
        if (uuid !== undefined) return { uuid, parentSession };
      }
    }
    return { uuid: undefined, parentSession };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return { uuid: undefined, parentSession: undefined };
  }
}

/** Enough bytes for the first entry, which contains the metadata. */
const HEAD_BYTES = 64 * 1024;

/** Matches the metadata that a trim writes into the first entry of a copy. */
const METADATA = /"trim_metadata"\s*:\s*\{[^{}]*"parent_session_id"\s*:\s*"([0-9a-f-]{36})"/i;

/** Returns the parent that a trimmed copy names in its first line, or null. */
export function parentIn(head: string): string | null {
  return METADATA.exec(head.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** Returns the parent of a trimmed copy, and null for any other transcript. */
export function trimmedFrom(path: string): string | null {
  try {
    return parentIn(readHead(path, HEAD_BYTES));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

/** Matches the time of the trim in the same metadata. */
const TRIMMED_AT = /"trim_metadata"\s*:\s*\{[^{}]*"trimmed_at"\s*:\s*"([^"]{1,40})"/;

/** Returns the time at which a trim wrote the file, ISO 8601, and null for any other transcript. */
export function trimmedAt(path: string): string | null {
  return TRIMMED_AT.exec(readHead(path, HEAD_BYTES).split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** Matches the end of a notice, which names the session that has the whole text. */
const NOTICE = /See line \d{1,15} of ([0-9a-f]{8}) for full content\]/g;

/** Returns the short ids of all sessions that a transcript's notices name. */
export function sessionsNamedIn(path: string): Set<string> {
  const named = new Set<string>();
  const decoder = new TextDecoder();
  using file = openFileSync(path);
  for (const { bytes } of readLines(file)) {
    for (const [, id = ""] of decoder.decode(bytes).matchAll(NOTICE)) named.add(id);
  }
  return named;
}
