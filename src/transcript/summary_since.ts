/**
 * Whether a transcript was compacted since some moment.
 *
 * @module
 */

import { openFileSync } from "../store/own_file.ts";

/** No more is looked at, in bytes: a compaction writes its summary and little else. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How the client marks the summary of a compaction. */
const SUMMARY = /"isCompactSummary"\s*:\s*true/;

/** Tells whether the summary of a compaction was written behind the first so many bytes. */
export function hasSummarySince(path: string, bytes: number): boolean {
  try {
    using file = openFileSync(path);
    file.seekSync(bytes, Deno.SeekMode.Start);
    const { size } = file.statSync();
    const buffer = new Uint8Array(Math.max(0, Math.min(MAX_BYTES, size - bytes)));
    let filled = 0;
    while (filled < buffer.length) {
      const count = file.readSync(buffer.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return SUMMARY.test(new TextDecoder().decode(buffer.subarray(0, filled)));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}
