/**
 * Reads the client's input of hooks and the status line, and prints their output.
 */

import type { HookDeps } from "../src/events/call.ts";
import { readEnv } from "../src/store/paths.ts";

/** A larger payload is read to its end and counts as none, in bytes. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/** The first size of the buffer, in bytes: pipes hold no more. */
const FIRST_READ_BYTES = 64 * 1024;

export type HookMain = (payload: Uint8Array, deps: HookDeps) => Promise<string>;

/** Where bytes come from; `Deno.stdin` is one. */
export interface PayloadSource {
  /** Reads into a buffer, and says how much, or null at the end. */
  readSync(into: Uint8Array): number | null;
}

/** The surroundings that the system gives. */
export const SYSTEM_DEPS: HookDeps = { env: readEnv, now: Date.now };

/** Runs a hook as a process: payload from stdin, words to stdout, and never a failure. */
export async function runHook(main: HookMain, deps: HookDeps = SYSTEM_DEPS): Promise<never> {
  try {
    writeAll(await main(readPayload(Deno.stdin), deps));
  } catch {
    // The process that started the hook must not be blocked, and no other channel exists for a report.
  }
  Deno.exit(0);
}

/** Reads a payload to its end, without a turn of the event loop. */
export function readPayload(source: PayloadSource): Uint8Array {
  let buffer = new Uint8Array(FIRST_READ_BYTES);
  let filled = 0;
  let isTooLarge = false;
  for (;;) {
    if (filled === buffer.length) {
      isTooLarge ||= filled * 2 > MAX_PAYLOAD_BYTES;
      // A payload that is too large is read to its end, into the same buffer: its writer must not meet a closed pipe.
      if (isTooLarge) filled = 0;
      else {
        const grown = new Uint8Array(filled * 2);
        grown.set(buffer);
        buffer = grown;
      }
    }
    const count = source.readSync(buffer.subarray(filled));
    if (count === null || count === 0) break;
    filled += count;
  }
  return isTooLarge ? new Uint8Array(0) : buffer.subarray(0, filled);
}

export function writeAll(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
