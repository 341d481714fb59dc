/**
 * Makes Claude Code transcripts of any size that look like real ones, with the same line types, key orders,
 * tree rules and proportions of bytes. Lines are streamed, so memory use is constant. The same seed and size
 * produce the same bytes.
 *
 * @module
 */

import { Conversation } from "./generator/conversation.ts";

/** Incremented whenever the same seed and size produce different bytes. */
export const GENERATOR_VERSION = 2;

const WRITE_BYTES = 1 << 20;

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

interface Written {
  readonly bytes: number;
  readonly sessionId: string;
}

interface GenerateOptions {
  readonly sizeBytes: number;
  readonly seed?: number;
}

export function writeTranscript(path: string, { sizeBytes, seed = 1 }: GenerateOptions): Written {
  const conversation = new Conversation(seed);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  let pending = "";
  let bytes = 0;
  const flush = () => {
    const chunk = encoder.encode(pending);
    for (let written = 0; written < chunk.length;) {
      written += file.writeSync(chunk.subarray(written));
    }
    bytes += chunk.length;
    pending = "";
  };
  // Counts the pending characters, not their bytes, so the file is never smaller than requested.
  for (const line of conversation.lines(() => bytes + pending.length >= sizeBytes)) {
    pending += `${line}\n`;
    if (pending.length >= WRITE_BYTES) flush();
  }
  flush();
  return { bytes, sessionId: conversation.sessionId };
}

/**
 * Reads a size like `100MB`.
 *
 * @param text A number and an optional unit: B, KB, MB or GB, all powers of ten.
 * @throws {RangeError} When the text is not a size.
 */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMG]?B)?$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toUpperCase() ?? ""];
  if (match === null || unit === undefined) {
    throw new RangeError(
      `Cannot read the size "${text}": expected a number and an optional unit: B, KB, MB or GB`,
    );
  }
  return Math.round(Number(match[1]) * unit);
}
