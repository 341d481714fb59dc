/** Reads the input of hooks and of the status line, and prints their output. */

import { type Call, callOf, type HookDeps } from "../src/events/call.ts";
import { readEnv } from "../src/store/paths.ts";
import { readInto } from "../src/store/read_file.ts";

/** A larger payload is read to its end and treated as empty. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

export type HookMain = (payload: Uint8Array, deps: HookDeps) => Promise<string>;

export const SYSTEM_DEPS: HookDeps = { env: readEnv, now: Date.now };

export function hookForCall(respond: (call: Call) => Promise<string>): HookMain {
  return async (payload, deps) => {
    const call = callOf(payload, deps);
    return call === null ? "" : await respond(call);
  };
}

export async function runHook(main: HookMain, deps: HookDeps = SYSTEM_DEPS): Promise<never> {
  try {
    writeAll(await main(readPayload(Deno.stdin), deps));
  } catch {
    // A failing hook must not block the client, and only stdout could report the error.
  }
  Deno.exit(0);
}

export function readPayload(source: Pick<Deno.FsFile, "readSync">): Uint8Array {
  const buffer = new Uint8Array(MAX_PAYLOAD_BYTES + 1);
  const length = readInto(source, buffer);
  if (length < buffer.length) return buffer.subarray(0, length);
  // Reads to the end, so that the writer does not hit a closed pipe.
  while (readInto(source, buffer) > 0);
  return new Uint8Array(0);
}

export function writeAll(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
