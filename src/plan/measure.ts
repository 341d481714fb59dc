/** Measures the files of a task. */

import { resolvePath } from "../store/paths.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { readTextSync } from "../store/read_file.ts";

/** Measures a file: tokens, or null where there is no such file. */
export type FileMeter = (file: string) => number | null;

/** Whether and where files are measured. */
export interface MeasureOptions {
  /** Whether the size of a listed file that exists takes the place of the usual 2,000 tokens. @default false */
  readonly measureFiles?: boolean | undefined;
  /** Where a relative path starts. @default the current folder */
  readonly projectDir?: string | undefined;
}

/** Larger files are estimated by their size, in bytes. */
const MAX_READ_BYTES = 256 * 1024;

/** The usual ratio, for files that are not read. */
const BYTES_PER_TOKEN = 4;

export function fileMeter(options: MeasureOptions): FileMeter {
  if (options.measureFiles !== true) return () => null;
  const projectDir = options.projectDir ?? Deno.cwd();
  const known = new Map<string, number | null>();
  return (file) => {
    const path = resolvePath(file, projectDir);
    const earlier = known.get(path);
    if (earlier !== undefined) return earlier;
    const tokens = measure(path);
    known.set(path, tokens);
    return tokens;
  };
}

function measure(path: string): number | null {
  try {
    const { isFile, size } = Deno.statSync(path);
    // The size of a folder, a pipe or a device is meaningless.
    if (!isFile) return null;
    if (size > MAX_READ_BYTES) return Math.ceil(size / BYTES_PER_TOKEN);
    return Math.ceil(estimateTextTokens(readTextSync(path, MAX_READ_BYTES)));
  } catch (error) {
    // A file that is still to be written has no size either.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}
