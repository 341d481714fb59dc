/** Looks at files without opening them. */

/** Looks at a path without following a link; null if nothing has that name. */
export function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether something has a name: a file, a folder, or a link, wherever that leads. */
export function exists(path: string): boolean {
  return infoOf(path) !== null;
}

/** Whether an error says that a path leads to nothing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether a path leads to a folder, as far as it may be looked at. */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Whether a path leads to a file, as far as it may be looked at. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The size of a file in bytes; 0 if unknown. */
export function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}
