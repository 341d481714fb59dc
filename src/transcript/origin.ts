/** Finds the session that a fork or copy was made from; both contain the parent's entries. */

import { isObject } from "../core/record.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { asString, readEntries } from "./entry.ts";
import { readLines } from "./lines.ts";
import { openFileSync, readHead } from "../store/read_file.ts";

/** Number of first lines that include the first entry with an id. */
const MAX_LINES = 50;

/** Longest line that is read at the start of a transcript, in bytes. */
const MAX_BYTES = 1024 * 1024;

const PLAIN_ID = /^[\w-]{1,100}$/;

interface Beginning {
  readonly uuid: string | undefined;
  readonly parentSession: string | undefined;
}

/** Whether a transcript is another session's copy, or a fork of it. */
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

/** Bytes read of a transcript: its first entry has the metadata. */
const HEAD_BYTES = 64 * 1024;

/** The metadata that a trim leaves in the first entry of the copy. */
const METADATA = /"trim_metadata"\s*:\s*\{[^{}]*"parent_session_id"\s*:\s*"([0-9a-f-]{36})"/i;

/** The session that the first line of a trimmed copy names; null for any other line. */
export function parentIn(head: string): string | null {
  return METADATA.exec(head.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** The session that a transcript is a trimmed copy of; null for any other transcript. */
export function trimmedFrom(path: string): string | null {
  try {
    return parentIn(readHead(path, HEAD_BYTES));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}
