import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import {
  AtomicStream,
  explainWrite,
  reasonOf,
  TEMPORARY_PREFIX,
  temporaryPathFor,
  writeFileAtomicSync,
} from "../../src/store/atomic.ts";
import { posixTest } from "../posix.ts";
import { inFolder, modeOf, namesIn, newFolder } from "../folder.ts";
import { withFile } from "./file_system.ts";

Deno.test("writeFileAtomicSync() replaces a whole file with text in UTF-8 or with bytes", () =>
  inFolder((folder) => {
    writeFileAtomicSync(`${folder}/text`, "a longer text before");
    writeFileAtomicSync(`${folder}/text`, "é😀");
    assertEquals(Deno.readTextFileSync(`${folder}/text`), "é😀");
    const bytes = new Uint8Array([0, 255, 10, 128]);
    writeFileAtomicSync(`${folder}/bytes`, bytes);
    assertEquals(Deno.readFileSync(`${folder}/bytes`), bytes);
    writeFileAtomicSync(`${folder}/empty`, "");
    assertEquals(Deno.statSync(`${folder}/empty`).size, 0);
    assertEquals(namesIn(folder), ["bytes", "empty", "text"]);
  }));

posixTest("writeFileAtomicSync() makes files with mode 0600, or with the given mode", () => {
  using folder = newFolder();
  Deno.writeTextFileSync(`${folder.path}/a`, "", { mode: 0o644 });
  writeFileAtomicSync(`${folder.path}/a`, "");
  writeFileAtomicSync(`${folder.path}/b`, "", { mode: 0o700 });
  assertEquals(modeOf(`${folder.path}/a`), 0o600);
  assertEquals(modeOf(`${folder.path}/b`), 0o700);
});

posixTest("writeFileAtomicSync() replaces a symbolic link, and leaves its target unchanged", () => {
  using folder = newFolder();
  const [target, link] = [`${folder.path}/elsewhere`, `${folder.path}/state`];
  Deno.writeTextFileSync(target, "not ours");
  Deno.symlinkSync(target, link);
  writeFileAtomicSync(link, "ours");
  assertEquals([target, link].map((path) => Deno.readTextFileSync(path)), ["not ours", "ours"]);
});

Deno.test("writeFileAtomicSync() closes the file before it renames it", () =>
  inFolder((folder) => {
    const calls: string[] = [];
    const close = (file: Deno.FsFile): void => {
      calls.push("close");
      file.close();
    };
    const fs = withFile((file) => ({ close: () => close(file) }));
    const renameSync = (from: string, to: string): void => {
      calls.push("rename");
      Deno.renameSync(from, to);
    };
    writeFileAtomicSync(`${folder}/a`, "text", { fs: { ...fs, renameSync } });
    assertEquals(calls, ["close", "rename"]);
  }));

Deno.test("temporaryPathFor() returns a path in the same folder, and never the same name twice", () => {
  assertMatch(temporaryPathFor("/x/y.json"), /^\/x\/\.trimtab-tmp-[0-9a-f-]{36}$/);
  assertMatch(temporaryPathFor("/y.json"), /^\/\.trimtab-tmp-/);
  assertMatch(temporaryPathFor("y.json"), /^\.trimtab-tmp-/);
  assertNotEquals(temporaryPathFor("a"), temporaryPathFor("a"));
});

Deno.test("writeFileAtomicSync() throws an error with the path of the target instead of the temporary file, and with advice", () =>
  inFolder((folder) => {
    const denied = Object.assign(
      new Deno.errors.PermissionDenied(`Denied: open '${folder}/${TEMPORARY_PREFIX}1'`),
      { code: "EACCES" },
    );
    const openSync = (): never => {
      throw denied;
    };
    const fs = { openSync, renameSync: Deno.renameSync, removeSync: Deno.removeSync };
    const write = (): void => writeFileAtomicSync(`${folder}/a`, "text", { fs });
    const error = assertThrows(write, Deno.errors.PermissionDenied);
    const advice = "Make its folder writable and try again";
    assertEquals(error.message, `Cannot write "${folder}/a": Denied. ${advice}`);
  }));

Deno.test("explainWrite() adds the path, and suggests making a missing folder", () =>
  inFolder((folder) => {
    const path = `${folder}/none/a.jsonl`;
    const expectedMessage =
      `Cannot write "${path}": No such file or directory (os error 2). Make its folder first`;
    for (const write of [() => writeFileAtomicSync(path, "x"), () => new AtomicStream(path)]) {
      assertEquals(assertThrows(write, Deno.errors.NotFound).message, expectedMessage);
    }
  }));

Deno.test("explainWrite() returns unknown errors and explained ones unchanged", () => {
  const ownError = new RangeError("Cannot write that: it is too large");
  const full = Object.assign(new Error("Cannot lock it"), { code: "ENOSPC" });
  for (const error of [ownError, full]) {
    const { message } = error;
    explainWrite(error, "/p/a");
    assertEquals(error.message, message);
  }
  assertEquals(explainWrite("no error", "/p/a"), "no error");
});

Deno.test("reasonOf() leaves out Deno's advice to grant a permission", () => {
  const denied = 'Requires read access to "/x"';
  const advice = ", run again with the --allow-read flag";
  assertEquals(reasonOf(new Deno.errors.NotCapable(denied + advice)), denied);
  assertEquals(reasonOf(new Error(`Stopped${advice}`)), `Stopped${advice}`);
  assertEquals(reasonOf("Stopped"), "Stopped");
});
