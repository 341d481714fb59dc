/** Detects systems on which a test cannot run. */

/** Whether the system has file modes, signals, `sh`, and links that any user can create. */
export const POSIX = Deno.build.os !== "windows";

/** Declares a test that Windows cannot run. */
export function posixTest(name: string, fn: Deno.TestDefinition["fn"]): void {
  Deno.test({ name: POSIX ? name : `${name} (ignored: not on Windows)`, ignore: !POSIX, fn });
}
