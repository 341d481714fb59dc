/**
 * A disk that is soon full, for tests that need one.
 *
 * @module
 */

/** A file system in memory. */
export interface SmallDisk extends Disposable {
  /** Where it is. */
  readonly folder: string;
}

/**
 * Whether this machine lets a test mount one. It is tried and undone at once: a test that is filtered
 * out must leave nothing mounted.
 *
 * @returns Whether it does.
 */
export function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  using disk = mountSmallDisk("64k");
  return disk !== undefined;
}

/**
 * Mounts a small disk.
 *
 * @param size How large it is, in the words of `mount`.
 * @returns The disk; disposing of it unmounts it. `undefined` where none can be had.
 */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-full-" }));
  try {
    const args = ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder];
    if (new Deno.Command("mount", { args, stderr: "null" }).outputSync().success) {
      return { folder, [Symbol.dispose]: () => unmount(folder) };
    }
  } catch {
    // There is no such command: told by the names of the tests.
  }
  Deno.removeSync(folder);
  return undefined;
}

function unmount(folder: string): void {
  new Deno.Command("umount", { args: [folder] }).outputSync();
  Deno.removeSync(folder);
}
