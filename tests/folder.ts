/** Makes temporary folders. */

/** Linux keeps this folder in memory; on a disk, tests with many files would wait for writes. */
const IN_MEMORY = "/dev/shm";

/** A temporary folder. Disposing of it removes the folder and its content. */
export interface Folder extends Disposable {
  /** An absolute path without links, with `/` between the names on every system. */
  readonly path: string;
}

export function newFolder(options: Deno.MakeTempOptions = {}): Folder {
  const path = Deno.realPathSync(Deno.makeTempDirSync(options)).replaceAll("\\", "/");
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** Makes the folder in memory if possible, for tests that make and remove thousands of files. */
export function newFastFolder(): Folder {
  try {
    return newFolder({ dir: IN_MEMORY });
  } catch {
    // The folder does not exist on this system, or is not writable.
    return newFolder();
  }
}

/** Returns the sorted names in a folder; none if the folder does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Writes a file, and makes the folders above it. */
export function writeFile(path: string, text = "x"): string {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text);
  return path;
}

/** Returns the permission bits of a file or a folder. */
export function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** Runs a test in a temporary folder. */
export async function inFolder(run: (folder: string) => void | Promise<void>): Promise<void> {
  using folder = newFolder();
  await run(folder.path);
}
