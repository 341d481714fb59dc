/** Determines whether a transcript is a copy or a fork, which contain the entries of their parent. */

import { isObject, type JsonObject } from "../core/record.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { asString } from "./entry.ts";
import { readLines } from "./lines.ts";
import { readBriefly } from "./long_lines.ts";
import { openFileSync } from "../store/read_file.ts";

const MAX_LINES = 50;

/** Longest line that is parsed, in bytes. The first entry can be a prompt with several pictures. */
const MAX_BYTES = 16 * 1024 * 1024;

const PLAIN_ID = /^[\w-]{1,100}$/;

interface Beginning {
  readonly uuid?: string;
  readonly parentSession?: string | undefined;
  readonly trim?: JsonObject;
}

/** Whether a transcript is a copy of another session, or begins with the same entry, as a fork does. */
export function hasSameOrigin(transcript: string, sessionId: string): boolean {
  // The id becomes part of a path, and may come from a checkpoint of a cloned project.
  if (!PLAIN_ID.test(sessionId)) return false;
  const own = readBeginning(transcript);
  if (own.parentSession === sessionId) return true;
  if (own.uuid === undefined) return false;
  const other = readBeginning(joinPath(parentPath(transcript), `${sessionId}.jsonl`));
  return other.uuid === own.uuid;
}

export function readBeginning(path: string): Beginning {
  let found: Beginning = {};
  try {
    using file = openFileSync(path);
    for (const { bytes, number } of readLines(file)) {
      if (number > MAX_LINES || bytes.length > MAX_BYTES) break;
      for (const { entry: { uuid, raw } } of readBriefly(bytes)) {
        const { trim_metadata: trim, rescue_metadata: rescue } = raw;
        const metadata = trim ?? rescue;
        if (isObject(metadata) && found.parentSession === undefined) {
          const parentSession = asString(metadata.parent_session_id);
          found = { parentSession, ...(isObject(trim) ? { trim } : {}) };
        }
        if (uuid !== undefined) return { ...found, uuid };
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
  return found;
}

export function trimmedFrom(path: string): string | null {
  const { trim, parentSession = "" } = readBeginning(path);
  return trim !== undefined && PLAIN_ID.test(parentSession) ? parentSession : null;
}

const NOTICE = /See line \d{1,15} of ([0-9a-f]{8}) for full content\]/g;

export function sessionsInNotices(path: string): Set<string> {
  const named = new Set<string>();
  const decoder = new TextDecoder();
  using file = openFileSync(path);
  for (const { bytes } of readLines(file)) {
    for (const [, id = ""] of decoder.decode(bytes).matchAll(NOTICE)) named.add(id);
  }
  return named;
}
