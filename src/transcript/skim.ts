/** Reads of a line that notes down progress its links alone: its data can be most of a transcript. */

import { type Entry, parseObject, viewEntry } from "./entry.ts";

/** Shorter lines are parsed whole, in bytes. */
const SKIMMED_BYTES = 4 * 1024;

/** At either end of such a line all but its data stands within so many bytes. */
const END_BYTES = 1024;

const HEAD = /^\{"parentUuid":[^{}[\]]*"type":"progress"(?=,"data":\{)/;
const TAIL = /,"(?:toolUseID|parentToolUseID)":[^{}[\]]*"uuid":[^{}[\]]*\}$/;

const decoder = new TextDecoder();

/** Skims a line as clients up to 2.1.79 write it; `undefined` for another, which has to be parsed. */
export function skimProgress(bytes: Uint8Array): Entry | undefined {
  if (bytes.length < SKIMMED_BYTES) return undefined;
  const [head] = HEAD.exec(decoder.decode(bytes.subarray(0, END_BYTES))) ?? [];
  if (head === undefined) return undefined;
  const [tail = ""] = TAIL.exec(decoder.decode(bytes.subarray(-END_BYTES))) ?? [];
  const raw = parseObject(head + tail);
  return raw && viewEntry(raw);
}
