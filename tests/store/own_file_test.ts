import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { readOwnTextSync, refuseLinks, refuseNonFiles } from "../../src/store/own_file.ts";
import { isMarkedAsOwn, keyPath, markAsOwn } from "../../src/store/own_marks.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";
import { watchCalls } from "../faults/system_calls.ts";
import { namesIn, newFolder } from "../folder.ts";

interface Place extends Disposable {
  readonly root: string;
  /** `.claude/trimtab` in the root. */
  readonly folder: string;
}

function newPlace(): Place {
  const { path: root, [Symbol.dispose]: dispose } = newFolder();
  const folder = `${root}/.claude/trimtab`;
  Deno.mkdirSync(folder, { recursive: true });
  Deno.mkdirSync(`${root}/outside`);
  Deno.writeTextFileSync(`${root}/outside/file`, "outside");
  return { root, folder, [Symbol.dispose]: dispose };
}

Deno.test("isMarkedAsOwn() accepts a file's content only under its marked name, with the same key", () => {
  using place = newPlace();
  const owner = { projectDir: place.root, configDir: `${place.root}/config` };
  const other = { ...owner, configDir: `${place.root}/other` };
  markAsOwn(owner, "one.md", "text");
  assert(isMarkedAsOwn(owner, "one.md", "text"));
  assertFalse(isMarkedAsOwn(owner, "two.md", "text"), "another name");
  assertFalse(isMarkedAsOwn(owner, "one.md", "changed"), "other content");
  assertFalse(isMarkedAsOwn(other, "one.md", "text"), "no key");
  Deno.mkdirSync(`${place.root}/other/trimtab/ours`, { recursive: true });
  Deno.writeTextFileSync(keyPath(other.configDir), "no key");
  assertFalse(isMarkedAsOwn(other, "one.md", "text"), "a broken key");
  Deno.copyFileSync(keyPath(owner.configDir), keyPath(other.configDir));
  assert(isMarkedAsOwn(other, "one.md", "text"), "the same key, read from the disk");
});

Deno.test("markAsOwn() does not replace a key that cannot be read", () => {
  using place = newPlace();
  const owner = { projectDir: place.root, configDir: `${place.root}/config` };
  const path = keyPath(owner.configDir);
  const key = `${"ab".repeat(32)}\n`;
  Deno.mkdirSync(`${owner.configDir}/trimtab/ours`, { recursive: true });
  Deno.writeTextFileSync(path, key);
  {
    using _watch = watchCalls((call, at) => {
      if (call === "readFileSync" && at === path) throw new Deno.errors.PermissionDenied("read");
    });
    assertThrows(() => markAsOwn(owner, "one.md", "text"), Deno.errors.PermissionDenied, "read");
  }
  assertEquals(Deno.readTextFileSync(path), key);
  markAsOwn(owner, "one.md", "text");
  assert(isMarkedAsOwn(owner, "one.md", "text"));
});

Deno.test("readOwnTextSync() reads a regular file within the limit, and treats anything else as missing", () => {
  using place = newPlace();
  const { root, folder } = place;
  Deno.writeTextFileSync(`${folder}/a`, "words");
  Deno.mkdirSync(`${folder}/folder`);
  Deno.symlinkSync(`${root}/outside/file`, `${folder}/link`);
  Deno.symlinkSync(`${root}/outside`, `${folder}/linked`);
  Deno.symlinkSync("/dev/zero", `${folder}/zero`);
  assertEquals(readOwnTextSync(`${folder}/a`, 5), "words");
  assertEquals(readOwnTextSync(`${folder}/a`, 4), null);
  for (const name of ["folder", "link", "linked/file", "zero", "none", "a/b"]) {
    assertEquals(readOwnTextSync(`${folder}/${name}`, 100), null, name);
  }
});

Deno.test("refuseLinks() refuses a link below .claude, but not above it", () => {
  using place = newPlace();
  const { root, folder } = place;
  Deno.symlinkSync(`${root}/outside`, `${folder}/linked`);
  Deno.symlinkSync(root, `${root}/again`);
  refuseLinks(folder);
  refuseLinks(`${folder}/none/below`);
  refuseLinks(`${root}/again/.claude/trimtab`);
  refuseLinks(`${root}/again`);
  for (const path of [`${folder}/linked`, `${folder}/linked/below`]) {
    assertThrows(() => refuseLinks(path), TypeError, `Cannot use ${folder}/linked: it is a link`);
  }
});

Deno.test("refuseNonFiles() accepts a regular file or a missing one, and refuses links", () => {
  using place = newPlace();
  const { root, folder } = place;
  Deno.symlinkSync(`${root}/outside/new`, `${folder}/link`);
  refuseNonFiles(`${root}/outside/file`);
  refuseNonFiles(`${root}/none`);
  assertThrows(() => refuseNonFiles(`${folder}/link`), TypeError, "is not a regular file");
});

Deno.test("withLockSync() and ensurePrivateDirSync() create nothing through a link", () => {
  using place = newPlace();
  const { root, folder } = place;
  Deno.symlinkSync(`${root}/outside/new`, `${folder}/.lock`);
  Deno.symlinkSync(`${root}/outside`, `${folder}/linked`);
  assertThrows(() => withLockSync(`${folder}/.lock`, () => 1), TypeError, "is not a regular file");
  assertThrows(() => ensurePrivateDirSync(`${folder}/linked`), TypeError, "it is a link");
  assertEquals(namesIn(`${root}/outside`), ["file"]);
});
