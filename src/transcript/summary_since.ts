/** The summary with which a transcript was compacted since some moment. */

import { openFileSync } from "../store/own_file.ts";
import { contentParts } from "./content.ts";
import { readEntries } from "./entry.ts";

/** No more is looked at, in bytes: a compaction writes its summary and little else. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How the client marks the summary of a compaction. */
const SUMMARY = /"isCompactSummary"\s*:\s*true/;

/** Takes the summary of a compaction that was written behind the first so many bytes. */
export function summarySince(path: string, bytes: number): string | null {
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
    return summaryIn(new TextDecoder().decode(buffer.subarray(0, filled)));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

function summaryIn(text: string): string | null {
  const line = text.split("\n").findLast((one) => SUMMARY.test(one));
  if (line === undefined) return null;
  const [entry] = readEntries(new TextEncoder().encode(line));
  if (entry === undefined) return null;
  const content = entry.message?.content;
  if (typeof content === "string") return content;
  return contentParts(entry).map((part) => part.text).join("\n");
}
