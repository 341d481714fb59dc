import { unlessMissing } from "../store/exists.ts";
import { DEFAULT_CONFIG } from "../config/schema.ts";
import { readStartFolder, sessionIdOf } from "../transcript/find.ts";
import { readNewestUsage } from "../gauge/running_usage.ts";
import { judgeUsage } from "../gauge/judge.ts";
import { gaugeUsage } from "../gauge/gauge.ts";

/**
 * Returns how full the window is, from the newest usage of the conversation. Some programs that drive Claude
 * write lines with `contextTokens` and `maxContextTokens`; if a file also has such lines, the latest usage is
 * used. A percentage from such a line is rounded down, and may exceed 100. The client itself writes no such
 * lines: for its sessions, the percentage is rounded to the nearest integer and, with the default
 * configuration, is the same as in `trimtab status`. The run time does not depend on the file's size.
 *
 * Permissions: `--allow-read` for the file. The environment, the client's settings and the session's
 * stored state affect the limit if they may be read.
 *
 * @returns The percentage, a whole number; `null` if the file is missing, or if neither its last 32 MB nor the
 * stored state contains the usage, for example after a compaction without an answer.
 * @throws {TypeError} When the path is not a regular file, for example a folder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { getContextPercentageFromFile } from "./percent.ts";
 *
 * const path = Deno.makeTempFileSync();
 * Deno.writeTextFileSync(path, '{"contextTokens":50999,"maxContextTokens":100000}\n');
 * assertEquals(getContextPercentageFromFile(path), 50);
 * Deno.removeSync(path);
 * assertEquals(getContextPercentageFromFile(path), null);
 * ```
 */
export function getContextPercentageFromFile(path: string): number | null {
  const found = unlessMissing(() => readNewestUsage(path));
  if (found === null) return null;
  const { usage } = found;
  if (usage?.window !== undefined) return Math.floor((usage.tokens * 100) / usage.window);
  const config = DEFAULT_CONFIG.context;
  try {
    const owner = { projectDir: readStartFolder(path) ?? "", sessionId: sessionIdOf(path) };
    return gaugeUsage(found, { owner, config }).percent;
  } catch {
    // The state cannot be read without permission, or if the transcript contains an invalid folder.
    return judgeUsage(found, { config, state: {}, env: () => undefined }).percent;
  }
}
