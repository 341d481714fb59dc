import { openFileSync } from "../store/read_file.ts";
import { DEFAULT_CONFIG } from "../config/schema.ts";
import { readEntries } from "../transcript/entry.ts";
import { readStartedIn, sessionIdOf } from "../transcript/find.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import { MAX_USAGE_TAIL_BYTES, readTailUsage } from "../transcript/tokens/tail_usage.ts";
import { usageOfMetadata } from "../transcript/tokens/usage.ts";
import { judgeUsage } from "../gauge/judge.ts";
import { gaugeUsage } from "../gauge/gauge.ts";

/**
 * Returns how full the window is. Reads the newest line with `contextTokens` and `maxContextTokens`, which
 * some programs that drive Claude write. The time does not depend on the file's size. Sessions of the client
 * itself have no such line. For these, computes the percentage from the newest usage and the client's limit,
 * as `trimtab status` does. A percentage from such a line is rounded down, and a computed percentage to the
 * nearest.
 *
 * Permissions: `--allow-read` for the file. The environment, the client's settings and the session's
 * stored state affect the limit if they may be read.
 *
 * @param path The session's file.
 * @returns Whole percent; `null` if the file is missing, or if its last
 * {@linkcode MAX_USAGE_TAIL_BYTES} contain neither, as after a compaction without an answer.
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
  let file: Deno.FsFile;
  try {
    file = openFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  using _ = file;
  const { size } = file.statSync();
  const downTo = Math.max(0, size - MAX_USAGE_TAIL_BYTES);
  for (const line of readLinesBackward(file, size, { downTo })) {
    for (const entry of readEntries(line.bytes).reverse()) {
      const found = usageOfMetadata(entry.raw);
      if (found?.window !== undefined) return Math.floor((found.tokens * 100) / found.window);
    }
  }
  return percentOfUsage(path);
}

function percentOfUsage(path: string): number | null {
  const usage = readTailUsage(path);
  const config = DEFAULT_CONFIG.context;
  try {
    const owner = { projectDir: readStartedIn(path) ?? "", sessionId: sessionIdOf(path) };
    return gaugeUsage(usage, { owner, config }).percent;
  } catch {
    // The state cannot be read without permission, or if the transcript names an invalid folder.
    return judgeUsage(usage, { config, state: {}, env: () => undefined }).percent;
  }
}
