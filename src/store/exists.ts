/**
 * Whether a name is taken.
 *
 * @module
 */

/**
 * Whether something has a name: a file, a folder, or a link, wherever that leads.
 *
 * Permissions: `--allow-read` for the path.
 *
 * @param path The name.
 * @returns Whether it is taken; not so below a file either, where nothing can be.
 * @throws {Error} Whatever the system says when it may not be looked at.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { isThere } from "./exists.ts";
 *
 * assert(isThere("."));
 * assert(!isThere("no such name"));
 * ```
 */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}
