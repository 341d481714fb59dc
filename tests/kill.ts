/**
 * Kills a child process at a call that the child announces. `killAtCall` is for the test, `stopAtCall` for the
 * child.
 */

import { assert } from "@std/assert";

const READY = "ready\n";

/**
 * Starts a child and kills it once it announces that it has reached the call.
 *
 * @param flags Permissions in addition to reading and writing.
 * @param delayMs Time between the announcement and the kill; the child continues meanwhile.
 * @returns True if the child was killed; false if it ended by itself without an error.
 */
export async function killAtCall(
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
  const hasReachedCall = new TextDecoder().decode(value) === READY;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (hasReachedCall) child.kill("SIGKILL");
  const { success, signal } = await child.status;
  await reader.cancel();
  await child.stdin.abort();
  assert(hasReachedCall ? signal === "SIGKILL" : success);
  return hasReachedCall;
}

/**
 * Returns a function for the child to call at each point where it can be killed. At call number
 * `stopAt` (from 0), the function announces the point and waits for the kill.
 */
export function stopAtCall(stopAt: number): () => void {
  let calls = 0;
  return () => {
    if (calls++ !== stopAt) return;
    Deno.stdout.writeSync(new TextEncoder().encode(READY));
    Deno.stdin.readSync(new Uint8Array(1));
  };
}
