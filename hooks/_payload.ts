/** Reads the input of hooks and of the status line, and prints their output. */

import { type Call, callOf, type HookDeps } from "../src/events/call.ts";
import { readEnv } from "../src/store/paths.ts";

/** A larger payload is read to its end and treated as empty. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/** Capacity of a pipe. */
const FIRST_READ_BYTES = 64 * 1024;

export type HookMain = (payload: Uint8Array, deps: HookDeps) => Promise<string>;

export interface PayloadSource {
  readSync(into: Uint8Array): number | null;
}

export const SYSTEM_DEPS: HookDeps = { env: readEnv, now: Date.now };

/** Makes a hook that prints nothing if the payload lacks a project or a valid session id. */
export function hookForCall(respond: (call: Call) => Promise<string>): HookMain {
  return async (payload, deps) => {
    const call = callOf(payload, deps);
    return call === null ? "" : await respond(call);
  };
}

/** Reads the payload from stdin, writes the hook's output to stdout, and always exits with code 0. */
export async function runHook(main: HookMain, deps: HookDeps = SYSTEM_DEPS): Promise<never> {
  try {
    writeAll(await main(readPayload(Deno.stdin), deps));
  } catch {
    // A failing hook must not block the client, and stdout is the only channel for a report.
  }
  Deno.exit(0);
}

export function readPayload(source: PayloadSource): Uint8Array {
  let buffer = new Uint8Array(FIRST_READ_BYTES);
  let filled = 0;
  let isTooLarge = false;
  for (;;) {
    if (filled === buffer.length) {
      isTooLarge ||= filled * 2 > MAX_PAYLOAD_BYTES;
      // An oversized payload is read to its end into the same buffer, so that its writer does not hit a
      // closed pipe.
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
