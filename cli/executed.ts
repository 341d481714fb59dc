/**
 * Refuses writes to files that the launcher or the client later executes, except by `install`.
 *
 * `--deny-write` protects them from a script. In a compiled executable, which may write anywhere for the
 * sake of `install`, Deno cannot: revoking one path has no effect while all are granted.
 */

import { absolutePath, fileName, findConfigDir, joinPath, parentPath } from "../src/store/paths.ts";
import { EXECUTED } from "./permissions.ts";

/** Functions that write, and the position of the argument that names the target. */
const WRITERS = {
  openSync: 0,
  writeTextFileSync: 0,
  renameSync: 1,
  copyFileSync: 1,
  linkSync: 1,
  symlinkSync: 1,
} as const;

/** Makes every later write to these files throw. */
export function refuseExecuted(): void {
  const configDir = findConfigDir();
  if (configDir === undefined) return;
  const refused = EXECUTED.map((path) => realPath(path.replace("CONFIG", absolutePath(configDir))));
  const isRefused = (path: string): boolean =>
    refused.some((one) => path === one || path.startsWith(`${one}/`));
  for (const [name, at] of Object.entries(WRITERS)) {
    const write: unknown = Reflect.get(Deno, name);
    if (typeof write !== "function") continue;
    Reflect.set(Deno, name, (...values: unknown[]) => {
      const path = realPath(absolutePath(String(values[at])));
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

/** Resolves links in a path that may exist only in part. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const folder = parentPath(path);
    return folder === path ? path : joinPath(realPath(folder), fileName(path));
  }
}
