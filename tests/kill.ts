/**
 * Children that are killed at a place of their work which they name themselves: one side for the test
 * that kills, one for the child.
 *
 * @module
 */

import { assert } from "@std/assert";

/** A child's line when it has reached the place. */
const READY = "ready\n";

/**
 * Starts a child and kills it where it says that it has come to the place.
 *
 * @param script The child's file.
 * @param args What it is handed.
 * @param flags Permissions besides those to read and to write.
 * @param delayMs How much later, in milliseconds; the child goes on meanwhile.
 * @returns Whether it came there; else it ended by itself, and well.
 */
export async function killAtPlace(
  script: URL,
  args: readonly string[],
  flags: readonly string[] = [],
  delayMs = 0,
): Promise<boolean> {
  const run = [
    "run",
    "--no-prompt",
    "--no-check",
    "--cached-only",
    "--allow-read",
    "--allow-write",
  ];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...run, ...flags, script.href, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const isThere = new TextDecoder().decode(value) === READY;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (isThere) child.kill("SIGKILL");
  const { success, signal } = await child.status;
  await reader.cancel();
  await child.stdin.abort();
  assert(isThere ? signal === "SIGKILL" : success);
  return isThere;
}

/**
 * Makes what a child calls at each place of its work.
 *
 * @param stopAt The place to stop at, from 0.
 * @returns Counts the places; at the one asked for it says so, and waits for the end, which comes from
 * outside.
 */
export function stopAtPlace(stopAt: number): () => void {
  let calls = 0;
  return () => {
    if (calls++ !== stopAt) return;
    Deno.stdout.writeSync(new TextEncoder().encode(READY));
    Deno.stdin.readSync(new Uint8Array(1));
  };
}
