/** Which session a trimmed copy was made of. */

import { openFileSync } from "../store/read_file.ts";

/** No more of a transcript is looked at, in bytes: its first entry says so. */
const MAX_BYTES = 64 * 1024;

/** The metadata that a trim leaves in the first entry of the copy. */
const METADATA = /"trim_metadata"\s*:\s*\{[^{}]*"parent_session_id"\s*:\s*"([0-9a-f-]{36})"/i;

/** The session that the first line of a trimmed copy names; null if it is none. */
export function parentIn(head: string): string | null {
  return METADATA.exec(head.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** Tells the session that a transcript is a trimmed copy of; null where it is none. */
export function trimmedFrom(path: string): string | null {
  try {
    using file = openFileSync(path);
    const buffer = new Uint8Array(MAX_BYTES);
    const filled = file.readSync(buffer) ?? 0;
    return parentIn(new TextDecoder().decode(buffer.subarray(0, filled)));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}
