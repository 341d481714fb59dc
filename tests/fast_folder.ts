/**
 * Makes temporary folders for tests that make and remove thousands of files.
 *
 * @module
 */

/** A folder in memory, which Linux has; on a disk, these tests would mostly wait for writes. */
const IN_MEMORY = "/dev/shm";

/** Makes a temporary folder, in memory if possible, and returns its path without links. */
export function makeFastFolder(prefix: string): string {
  try {
    return Deno.realPathSync(Deno.makeTempDirSync({ prefix, dir: IN_MEMORY }));
  } catch {
    // The folder does not exist on this system, or is not writable.
    return Deno.realPathSync(Deno.makeTempDirSync({ prefix }));
  }
}
