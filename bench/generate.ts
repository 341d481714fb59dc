/**
 * Makes Claude Code transcripts of any size that look like real ones, with the same line types, key orders,
 * tree rules and proportions of bytes. Lines are streamed, so memory use is constant. The same seed and size
 * give the same bytes.
 *
 *     deno run --allow-write bench/generate.ts --size 100MB --seed 1 -o FILE
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { Conversation } from "./generator/conversation.ts";

/** Incremented whenever the same seed and size produce different bytes. */
export const GENERATOR_VERSION = 2;

const WRITE_BYTES = 1 << 20;

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

const HELP = `Make a transcript that looks like a real session.

Usage: deno run --allow-write bench/generate.ts --size SIZE [--seed N] -o FILE

  --size SIZE    the minimum size: 5MB, 1GB (powers of ten); the session ends with the first
                 finished turn beyond it
  --seed N       a whole number that determines all random choices (1)
  -o, --output   the file to write
`;

export interface Written {
  readonly bytes: number;
  readonly sessionId: string;
}

export interface GenerateOptions {
  /** The finished file has at least this size. */
  readonly sizeBytes: number;
  /** @default {1} */
  readonly seed?: number;
}

/** Writes a transcript. Needs write permission for the file. */
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
 * @param text Digits and an optional unit: B, KB, MB or GB, all powers of ten.
 * @throws {RangeError} When the text is not a size.
 */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMG]?B)?$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toUpperCase() ?? ""];
  if (match === null || unit === undefined) {
    throw new RangeError(`Cannot read the size "${text}": expected digits and KB, MB or GB`);
  }
  return Math.round(Number(match[1]) * unit);
}

function main(): number {
  const args = parseArgs(Deno.args, {
    boolean: ["help"],
    string: ["size", "seed", "output"],
    alias: { output: "o" },
    default: { seed: "1" },
  });
  if (args.help) {
    console.log(HELP);
    return 0;
  }
  const seed = Number(args.seed);
  if (args.size === undefined || args.output === undefined || !Number.isSafeInteger(seed)) {
    console.error(HELP);
    return 2;
  }
  const { bytes } = writeTranscript(args.output, { sizeBytes: parseSize(args.size), seed });
  console.error(`Wrote ${bytes.toLocaleString("en-US")} bytes to ${args.output}`);
  return 0;
}

if (import.meta.main) Deno.exit(main());
