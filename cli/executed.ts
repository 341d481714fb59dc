/**
 * Refuses writes to `EXECUTED_FILES`, like `--deny-write` under the launcher. A compiled executable needs
 * permission to write anywhere, for `install`, and Deno cannot revoke that for a single path.
 */

import { absolutePath, fileName, findConfigDir, joinPath, parentPath } from "../src/store/paths.ts";
import { EXECUTED_FILES } from "./permissions.ts";

/** Deno functions with which trimtab writes files, each with the index of its target-path argument. */
const WRITERS = {
  openSync: 0,
  writeTextFileSync: 0,
  renameSync: 1,
  copyFileSync: 1,
  linkSync: 1,
  symlinkSync: 1,
} as const;

export function denyExecutedWrites(configDir = findConfigDir()): void {
  if (configDir === undefined) return;
  const refused = EXECUTED_FILES.map((path) =>
    realPath(path.replace("CONFIG", absolutePath(configDir)))
  );
  const isRefused = (path: string): boolean =>
    refused.some((file) => path === file || path.startsWith(`${file}/`));
  for (const [name, targetIndex] of Object.entries(WRITERS)) {
    const write: unknown = Reflect.get(Deno, name);
    if (typeof write !== "function") continue;
    Reflect.set(Deno, name, (...values: unknown[]) => {
      const path = realPath(absolutePath(String(values[targetIndex])));
      if (isRefused(path) && !isReading(name, values[1])) {
        throw new Deno.errors.NotCapable(
          `Requires write access to "${path}", which only install has`,
        );
      }
      return Reflect.apply(write, Deno, values);
    });
  }
}

function isReading(name: string, options: unknown): boolean {
  if (name !== "openSync") return false;
  const { write = false, append = false } = { ...(options as Deno.OpenOptions | undefined) };
  return !write && !append;
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const folder = parentPath(path);
    return folder === path ? path : joinPath(realPath(folder), fileName(path));
  }
}
