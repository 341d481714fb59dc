import { assert, assertEquals, assertThrows } from "@std/assert";
import { keepTranscript, keptFolder } from "../../src/transcript/kept.ts";
import { newFolder } from "../folder.ts";

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
