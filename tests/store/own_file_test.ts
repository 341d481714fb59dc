import { assertEquals, assertThrows } from "@std/assert";
import { readOwnTextSync, refuseLinks, refuseOthers } from "../../src/store/own_file.ts";
import { isOwnFile, keyPath, markAsOwn } from "../../src/store/ours.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";

Deno.test("isOwnFile() accepts a file only under its marked name and content", () => {
  using place = newPlace();
  const owner = { projectDir: place.root, configDir: `${place.root}/config` };
  const path = `${place.own}/one.md`;
  markAsOwn(owner, "one.md", "text");
  assertEquals(isOwnFile(owner, path), false, "not there");
  Deno.writeTextFileSync(path, "text");
  assertEquals(isOwnFile(owner, path), true);
  const other = { ...owner, configDir: `${place.root}/other` };
  assertEquals(isOwnFile(other, path), false, "no key");
  Deno.mkdirSync(`${place.root}/other/trimtab/ours`, { recursive: true });
  Deno.writeTextFileSync(keyPath(other.configDir), "no key");
  assertEquals(isOwnFile(other, path), false, "a broken key");
  Deno.copyFileSync(keyPath(owner.configDir), keyPath(other.configDir));
  assertEquals(isOwnFile(other, path), true, "the same key, read from the disk");
  Deno.copyFileSync(path, `${place.own}/two.md`);
  assertEquals(isOwnFile(owner, `${place.own}/two.md`), false, "another name");
  Deno.writeTextFileSync(path, "changed");
  assertEquals(isOwnFile(owner, path), false, "changed content");
});

interface Place extends Disposable {
  readonly root: string;
  readonly own: string;
}

function newPlace(): Place {
  const root = Deno.makeTempDirSync();
  const own = `${root}/.claude/trimtab`;
  Deno.mkdirSync(own, { recursive: true });
  Deno.mkdirSync(`${root}/outside`);
  Deno.writeTextFileSync(`${root}/outside/file`, "outside");
  return { root, own, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

Deno.test("readOwnTextSync() reads an own file, and treats any other as missing", () => {
  using place = newPlace();
  const { root, own } = place;
  Deno.writeTextFileSync(`${own}/a`, "words");
  Deno.mkdirSync(`${own}/folder`);
  Deno.symlinkSync(`${root}/outside/file`, `${own}/link`);
  Deno.symlinkSync(`${root}/outside`, `${own}/linked`);
  Deno.symlinkSync("/dev/zero", `${own}/zero`);
  assertEquals(readOwnTextSync(`${own}/a`, 5), "words");
  assertEquals(readOwnTextSync(`${own}/a`, 4), null);
  for (const name of ["folder", "link", "linked/file", "zero", "none", "a/b"]) {
    assertEquals(readOwnTextSync(`${own}/${name}`, 100), null, name);
  }
});

Deno.test("refuseLinks() refuses a link below .claude, but not above it", () => {
  using place = newPlace();
  const { root, own } = place;
  Deno.symlinkSync(`${root}/outside`, `${own}/linked`);
  Deno.symlinkSync(root, `${root}/again`);
  refuseLinks(own);
  refuseLinks(`${own}/none/below`);
  refuseLinks(`${root}/again/.claude/trimtab`);
  refuseLinks(`${root}/again`);
  for (const path of [`${own}/linked`, `${own}/linked/below`]) {
    assertThrows(() => refuseLinks(path), TypeError, `Cannot use ${own}/linked: it is a link`);
  }
});

Deno.test("refuseOthers() accepts a regular file or a missing one, and refuses links", () => {
  using place = newPlace();
  const { root, own } = place;
  Deno.symlinkSync(`${root}/outside/new`, `${own}/link`);
  refuseOthers(`${root}/outside/file`);
  refuseOthers(`${root}/none`);
  assertThrows(() => refuseOthers(`${own}/link`), TypeError, "is not a regular file");
});

Deno.test("withLockSync() and ensurePrivateDirSync() create nothing through a link", () => {
  using place = newPlace();
  const { root, own } = place;
  Deno.symlinkSync(`${root}/outside/new`, `${own}/.lock`);
  Deno.symlinkSync(`${root}/outside`, `${own}/linked`);
  assertThrows(() => withLockSync(`${own}/.lock`, () => 1), TypeError, "is not a regular file");
  assertThrows(() => ensurePrivateDirSync(`${own}/linked`), TypeError, "it is a link");
  assertEquals([...Deno.readDirSync(`${root}/outside`)].map(({ name }) => name), ["file"]);
});
