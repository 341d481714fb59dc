import { assert, assertEquals, assertThrows } from "@std/assert";
import { exists } from "../../src/store/exists.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { addToLogSync, olderLogPath } from "../../src/store/log.ts";
import { withFailing } from "../faults/system_calls.ts";
import { POSIX } from "../posix.ts";
import { inFolder, modeOf } from "../folder.ts";

const HALF = { call: "writeSync", nth: 1, kind: "short" } as const;
const ADVICE = "Free disk space and try again";

function withLog(test: (path: string) => void | Promise<void>): Promise<void> {
  return inFolder((folder) => test(`${folder}/trimtab/log.jsonl`));
}

Deno.test("addToLogSync() makes a private log that git ignores", () =>
  withLog((path) => {
    addToLogSync(path, "1\n");
    addToLogSync(path, "2\n");
    assertEquals(Deno.readTextFileSync(path), "1\n2\n");
    assertEquals(Deno.readTextFileSync(path.replace("log.jsonl", ".gitignore")), "*\n");
    if (POSIX) assertEquals(modeOf(path), 0o600);
  }));

Deno.test("addToLogSync() rotates a full log, and writes a single line that exceeds the limit", () =>
  withLog((path) => {
    const logsAfter = (line: string): string[] => {
      addToLogSync(path, line, { maxBytes: 4 });
      return [olderLogPath(path), path].filter(exists).map((path) => Deno.readTextFileSync(path));
    };
    assertEquals(logsAfter("long\n"), ["long\n"]);
    assertEquals(logsAfter("1\n"), ["long\n", "1\n"]);
    assertEquals(logsAfter("2\n"), ["long\n", "1\n2\n"], "the log has room for 4 bytes");
    assertEquals(logsAfter("3\n"), ["1\n2\n", "3\n"]);
  }));

Deno.test("addToLogSync() appends to a full log when it cannot get the lock", () =>
  withLog((path) => {
    addToLogSync(path, "1\n");
    withLockSync(`${path}.lock`, () => addToLogSync(path, "2\n", { maxBytes: 2 }));
    assertEquals(Deno.readTextFileSync(path), "1\n2\n");
  }));

Deno.test("addToLogSync() leaves no partial line on a full disk when it holds the lock", () =>
  withLog(async (path) => {
    addToLogSync(path, "first\n");
    const addSecond = () => assertThrows(() => addToLogSync(path, "second\n"), Error, ADVICE);
    await withFailing(HALF, addSecond);
    assertEquals(Deno.readTextFileSync(path), "first\n");
    // Another holder of the lock may be writing, so the log is not truncated.
    await withFailing(HALF, () => void withLockSync(`${path}.lock`, addSecond));
    assert(Deno.readTextFileSync(path).startsWith("first\nse"));
    addToLogSync(path, "third\n");
    assertEquals(Deno.readTextFileSync(path).split("\n").slice(2), ["third", ""]);
  }));

Deno.test("addToLogSync() refuses a link and anything but a regular file", () =>
  withLog((path) => {
    addToLogSync(path, "1\n");
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    assertThrows(() => addToLogSync(path, "2\n"), TypeError, "is not a regular file");
    if (!POSIX) return;
    Deno.removeSync(path);
    Deno.symlinkSync(`${path}.elsewhere`, path);
    assertThrows(() => addToLogSync(path, "2\n"), TypeError, "is not a regular file");
    assertThrows(() => Deno.lstatSync(`${path}.elsewhere`), Deno.errors.NotFound);
  }));

Deno.test("addToLogSync() starts a new line after a torn one", () =>
  withLog((path) => {
    addToLogSync(path, "1\n");
    Deno.writeTextFileSync(path, '{"to', { append: true });
    addToLogSync(path, "2\n");
    assertEquals(Deno.readTextFileSync(path), '1\n{"to\n2\n');
  }));
