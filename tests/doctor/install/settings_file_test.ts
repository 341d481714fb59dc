import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  listBackups,
  readSettingsFile,
  replaceSettingsFile,
} from "../../../src/doctor/install/settings_file.ts";
import type { AtomicFileSystem } from "../../../src/store/atomic.ts";
import { newSettings } from "./settings.ts";

const NOON_MS = Date.parse("2026-03-01T12:00:00Z");

/** Makes call number `step` (from 0) fail as on a full disk. */
function failingAt(step: number): { fs: AtomicFileSystem; count: () => number } {
  let calls = 0;
  const call = <T>(work: () => T): T => {
    if (calls++ === step) throw new Error("No space left on device");
    return work();
  };
  const fs: AtomicFileSystem = {
    openSync: (path, options) => {
      const file = call(() => Deno.openSync(path, options));
      return {
        writeSync: (bytes) => call(() => file.writeSync(bytes)),
        seekSync: (offset, whence) => call(() => file.seekSync(offset, whence)),
        syncSync: () => call(() => file.syncSync()),
        close: () => file.close(),
      };
    },
    renameSync: (from, to) => call(() => Deno.renameSync(from, to)),
    removeSync: (path) => Deno.removeSync(path),
  };
  return { fs, count: () => calls };
}

function replace(path: string, text: string | null, fs?: AtomicFileSystem): string | null {
  const file = readSettingsFile(path);
  return replaceSettingsFile(path, { file, text, nowMs: NOON_MS }, fs);
}

Deno.test("replaceSettingsFile() leaves the settings unchanged, whichever system call fails", () => {
  for (let step = 0;; step++) {
    using place = newSettings("{}\n");
    const { fs, count } = failingAt(step);
    try {
      replace(place.path, '{ "a": 1 }\n', fs);
      assertEquals([count(), place.read()], [8, '{ "a": 1 }\n']);
      return;
    } catch (error) {
      assertStringIncludes(String(error), "No space left");
    }
    assertEquals(place.read(), "{}\n");
    const names = [...Deno.readDirSync(place.folder)].map(({ name }) => name);
    assertEquals(names.filter((name) => name.startsWith(".trimtab-tmp-")), []);
  }
});

Deno.test("replaceSettingsFile() does not overwrite a concurrent change", () => {
  using place = newSettings("{}\n");
  const file = readSettingsFile(place.path);
  place.write('{ "theirs": 1 }\n');
  const change = { file, text: '{ "ours": 1 }\n', nowMs: NOON_MS };
  assertThrows(() => replaceSettingsFile(place.path, change), Error, "has changed in the meantime");
  assertEquals(place.read(), '{ "theirs": 1 }\n');
});

Deno.test("replaceSettingsFile() gives backups of the same moment different names that sort by age", () => {
  using place = newSettings("0");
  for (let n = 1; n <= 5; n++) replace(place.path, String(n));
  const kept = listBackups(place.path).map((path) => Deno.readTextFileSync(path));
  assertEquals(kept, ["4", "3", "2", "1", "0"]);
});

Deno.test("replaceSettingsFile() makes the folder, and removes the file if the text is null", () => {
  using place = newSettings();
  assertEquals(replace(place.path, "{}"), null);
  assertEquals((Deno.statSync(place.path).mode ?? 0o600) & 0o777, 0o600);
  replace(place.path, null);
  assertEquals(place.read(), null);
});

Deno.test("listBackups() lists only files that are named like trimtab's backups", () => {
  using place = newSettings("{}");
  for (const name of ["settings.json.bak", "settings.json.trimtab-backup-1", "x.trimtab-backup-"]) {
    Deno.writeTextFileSync(`${place.folder}/${name}`, "");
  }
  assertEquals(listBackups(place.path), []);
  assertEquals(listBackups("/nowhere/settings.json"), []);
});
