import { assert, assertEquals, assertThrows } from "@std/assert";
import { cleanupDays, keepTranscript, keptFolder } from "../../src/transcript/kept.ts";
import { newFolder } from "../folder.ts";
import { replaced } from "../scripts/in_process.ts";

Deno.test("keepTranscript() links a transcript only once, and replaces a copy only with a longer transcript", () => {
  using folder = newFolder();
  const path = `${folder.path}/session.jsonl`;
  const keep = (): ReturnType<typeof keepTranscript> =>
    keepTranscript({ id: "a", path }, folder.path);
  Deno.writeTextFileSync(path, "one\n");
  const kept = `${keptFolder(folder.path)}/a.jsonl`;
  assertEquals(keep(), { path: kept, isLink: true, isNew: true });
  assertEquals(keep(), { path: kept, isLink: true, isNew: false });
  const again = keepTranscript({ id: "a", path: kept }, folder.path);
  assertEquals(again, { path: kept, isLink: false, isNew: false });
  // The session was copied to another file, and continued there.
  const moved = `${folder.path}/moved.jsonl`;
  Deno.writeTextFileSync(moved, "one\ntwo\n");
  keepTranscript({ id: "a", path: moved }, folder.path);
  assertEquals([kept, path].map((one) => Deno.readTextFileSync(one)), ["one\ntwo\n", "one\n"]);
  // A new file with the same id is not linked to the kept file.
  Deno.removeSync(path);
  Deno.writeTextFileSync(path, "o");
  assertEquals(keep(), { path: kept, isLink: false, isNew: false });
  assertEquals(Deno.readTextFileSync(kept), "one\ntwo\n", "the shorter transcript is older");
  Deno.writeTextFileSync(path, "one\ntwo\nthree\n");
  assert(!keep().isNew);
  assertEquals(Deno.readTextFileSync(kept), "one\ntwo\nthree\n");
});

Deno.test("keepTranscript() copies a transcript where links are not supported", () => {
  using folder = newFolder();
  using _ = replaced(Deno, "linkSync", () => {
    throw new Error("Operation not permitted (os error 1)");
  });
  const path = `${folder.path}/session.jsonl`;
  Deno.writeTextFileSync(path, "one\n");
  const kept = keepTranscript({ id: "a", path }, folder.path);
  assertEquals([kept.isLink, Deno.readTextFileSync(kept.path)], [false, "one\n"]);
});

Deno.test("keepTranscript() refuses another session with the id of a kept session, whether its transcript is longer or shorter", () => {
  using folder = newFolder();
  const keep = (name: string, text: string): void => {
    const path = `${folder.path}/${name}.jsonl`;
    Deno.writeTextFileSync(path, text);
    keepTranscript({ id: "session", path }, folder.path);
  };
  keep("first", "a session\n");
  assertThrows(() => keep("longer", "another one\n"), Error, "another session");
  assertThrows(() => keep("shorter", "b\n"), Error, "another session");
  const kept = `${keptFolder(folder.path)}/session.jsonl`;
  assertEquals(Deno.readTextFileSync(kept), "a session\n");
});

Deno.test("keepTranscript() replaces a kept transcript that was cut off within its first line", () => {
  using folder = newFolder();
  for (const text of ['{"type":', '{"type":"mode"}\n']) {
    const path = `${folder.path}/session.jsonl`;
    if (text.endsWith("\n")) Deno.removeSync(path);
    Deno.writeTextFileSync(path, text);
    const kept = keepTranscript({ id: "session", path }, folder.path);
    assertEquals(Deno.readTextFileSync(kept.path), text);
  }
});

Deno.test("cleanupDays() returns the client's setting, or 30 if there is no valid one", () => {
  using folder = newFolder();
  const daysFor = (settings: string): number => {
    Deno.writeTextFileSync(`${folder.path}/settings.json`, settings);
    return cleanupDays(folder.path);
  };
  assertEquals(cleanupDays(folder.path), 30);
  const values = ["0", "7", "-1", '"7"'].map((days) => daysFor(`{"cleanupPeriodDays":${days}}`));
  assertEquals(values, [0, 7, 30, 30]);
  assertEquals(["{}", "not JSON"].map(daysFor), [30, 30]);
});
