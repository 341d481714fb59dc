/**
 * Makes temporary folders for tests that make and remove thousands of files.
 *
 * @module
 */

/** In memory, if the system has this folder: most of the time would be spent waiting for the disk. */
const IN_MEMORY = "/dev/shm";

/** Makes a temporary folder, in memory if possible, and returns its path without links. */
export function makeFastFolder(prefix: string): string {
  try {
    return Deno.realPathSync(Deno.makeTempDirSync({ prefix, dir: IN_MEMORY }));
  } catch {
    // Another system, or a machine without write access there.
    return Deno.realPathSync(Deno.makeTempDirSync({ prefix }));
  }
}
