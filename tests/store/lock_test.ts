import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { withLockSync } from "../../src/store/lock.ts";
import { inFolder, namesIn } from "../folder.ts";
import { posixTest } from "../posix.ts";

const LONG_WAIT_MS = 60_000;

Deno.test("withLockSync() runs no callback while another one runs, and runs the next one afterwards", () =>
  inFolder((folder) => {
    const path = `${folder}/.lock`;
    const inner = withLockSync(path, () => withLockSync(path, () => 1, { waitMs: 0 }));
    assertEquals(inner, null);
    assertEquals(withLockSync(path, () => 2), 2);
  }));

posixTest(
  "withLockSync() frees the lock at once, even while other threads start processes",
  () =>
    inFolder(async (folder) => {
      const code =
        "for (let n = 0; n < 80; n++) new Deno.Command('true').outputSync(); postMessage(0);";
      const url = `data:text/javascript,${encodeURIComponent(code)}`;
      let running = 2;
      const workers = Array.from({ length: running }, () => new Worker(url, { type: "module" }));
      for (const worker of workers) worker.onmessage = () => running--;
      let busy = 0;
      while (running > 0) {
        for (let n = 0; n < 100; n++) {
          if (withLockSync(`${folder}/.lock`, () => 1, { waitMs: 0 }) === null) busy++;
        }
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      for (const worker of workers) worker.terminate();
      assertEquals(busy, 0);
    }),
);

Deno.test("withLockSync() gives up soon after the wait is over", () =>
  inFolder((folder) => {
    const path = `${folder}/.lock`;
    withLockSync(path, () => {
      const start = performance.now();
      assertEquals(withLockSync(path, () => 1, { waitMs: 20 }), null);
      const waited = performance.now() - start;
      assert(waited >= 20, `gave up after ${waited} ms`);
      // The limit is far above the wait, since a test machine may be busy.
      assertLess(waited, 30_000);
    });
  }));

Deno.test("withLockSync() releases the lock when the work throws", () =>
  inFolder((folder) => {
    const path = `${folder}/.lock`;
    const work = (): never => {
      throw new TypeError("broken work");
    };
    assertThrows(() => withLockSync(path, work), TypeError, "broken work");
    assertEquals(withLockSync(path, () => 1), 1);
  }));

Deno.test("withLockSync() uses a file as the lock on a disk that does not support locks", () =>
  inFolder((folder) => {
    const path = `${folder}/.lock`;
    const real = Deno.FsFile.prototype.tryLockSync;
    Deno.FsFile.prototype.tryLockSync = () => {
      throw new Error("No locks available (os error 37)");
    };
    try {
      const inner = withLockSync(path, () => withLockSync(path, () => 1, { waitMs: 10 }));
      assertEquals(inner, null);
      assertEquals(withLockSync(path, () => 2), 2);
      assertEquals(namesIn(folder), [".lock"]);
      Deno.writeTextFileSync(`${path}.held`, "");
      assertEquals(withLockSync(path, () => 3, { waitMs: 10 }), null);
      const longAgo = new Date(Date.now() - 61_000);
      Deno.utimeSync(`${path}.held`, longAgo, longAgo);
      assertEquals(withLockSync(path, () => 4, { waitMs: LONG_WAIT_MS }), 4);
    } finally {
      Deno.FsFile.prototype.tryLockSync = real;
    }
  }));
