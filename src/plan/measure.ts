import { unlessFailed } from "../store/exists.ts";
import { resolvePath } from "../store/paths.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { readTextSync } from "../store/read_file.ts";

/** Returns a file's tokens; null if measuring is off, or the file is not a readable regular file. */
export type FileMeter = (file: string) => number | null;

/** Options for measuring files. */
export interface MeasureOptions {
  /**
   * Whether listed files that exist are measured instead of counted as 2,000 tokens each. @default {false}
   */
  readonly measureFiles?: boolean | undefined;
  /** Folder for relative paths. @default {Deno.cwd()} */
  readonly projectDir?: string | undefined;
}

/** Larger files are estimated by their size. */
const MAX_READ_BYTES = 256 * 1024;

/** Ratio assumed for files that are not read. */
const BYTES_PER_TOKEN = 4;

export function fileMeter(options: MeasureOptions = {}): FileMeter {
  if (options.measureFiles !== true) return () => null;
  const projectDir = options.projectDir ?? Deno.cwd();
  const known = new Map<string, number | null>();
  return (file) => {
    const path = resolvePath(file, projectDir);
    if (!known.has(path)) known.set(path, measure(path));
    return known.get(path) ?? null;
  };
}

/** Returns null for a missing or unreadable file. The task may create the file. */
function measure(path: string): number | null {
  return unlessFailed(() => {
    const { isFile, size } = Deno.statSync(path);
    // Folders, pipes and devices have no meaningful size.
    if (!isFile) return null;
    if (size > MAX_READ_BYTES) return Math.ceil(size / BYTES_PER_TOKEN);
    return Math.ceil(estimateTextTokens(readTextSync(path, MAX_READ_BYTES)));
  });
}
