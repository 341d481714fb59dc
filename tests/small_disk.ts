/** Mounts a disk that is small enough to fill. */

export interface SmallDisk extends Disposable {
  readonly folder: string;
}

/**
 * Returns whether this machine lets a test mount a disk. Mounts a disk to find out, and unmounts it at
 * once, because no test would unmount it if all tests that use it are filtered out.
 */
export function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  using disk = mountSmallDisk("64k");
  return disk !== undefined;
}

/**
 * Mounts a file system in memory; disposing of it unmounts it.
 *
 * @param size As for `mount`, for example `64k`.
 * @returns Undefined if the machine does not allow mounts.
 */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-full-" }));
  try {
    const args = ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder];
    if (new Deno.Command("mount", { args, stderr: "null" }).outputSync().success) {
      return { folder, [Symbol.dispose]: () => unmount(folder) };
    }
  } catch {
    // This machine has no `mount`; the names of the skipped tests say so.
  }
  Deno.removeSync(folder);
  return undefined;
}

function unmount(folder: string): void {
  new Deno.Command("umount", { args: [folder] }).outputSync();
  Deno.removeSync(folder);
}
