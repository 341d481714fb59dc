const MAX_ENTRIES = 100_000;

/** Returns null if nothing exists at the path. Does not follow links. */
export function infoOf(path: string): Deno.FileInfo | null {
  return unlessMissing(() => Deno.lstatSync(path));
}

export function targetOf(path: string): Deno.FileInfo | null {
  return unlessMissing(() => Deno.statSync(path));
}

export function unlessMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Does nothing if the file is missing, because another process may have removed it. */
export function removeFile(path: string): void {
  unlessMissing(() => Deno.removeSync(path));
}

/** Returns null after any error except a missing permission, which it throws. */
export function unlessFailed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

/** A link counts even if its target is missing. */
export function exists(path: string): boolean {
  return infoOf(path) !== null;
}

/** A loop of links counts as missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.FilesystemLoop;
}

export function targetOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}

export function isFolder(path: string): boolean {
  return targetOrNull(path)?.isDirectory ?? false;
}

export function isFile(path: string): boolean {
  return targetOrNull(path)?.isFile ?? false;
}

export function sizeOf(path: string): number {
  return targetOrNull(path)?.size ?? 0;
}

export function listFolder(path: string): Deno.DirEntry[] {
  return unlessMissing(() => [...Deno.readDirSync(path)]) ?? [];
}

/** Returns null for a link, and for anything else that is not a folder. */
export function entriesOf(path: string): Deno.DirEntry[] | null {
  if (infoOf(path)?.isDirectory !== true) return null;
  return listFolder(path).slice(0, MAX_ENTRIES);
}
