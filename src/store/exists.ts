/** Queries the existence, type and size of files. */

/** Information about a path, without following a link; null if nothing exists there. */
export function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a file, a folder or a link exists at a path; a link counts even if its target is missing. */
export function exists(path: string): boolean {
  return infoOf(path) !== null;
}

/** Whether an error means that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether a path leads to a folder; false if it cannot be checked. */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Whether a path leads to a file; false if it cannot be checked. */
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
