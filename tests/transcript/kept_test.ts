import { assert, assertEquals } from "@std/assert";
import { keepTranscript, keptFolder } from "../../src/transcript/kept.ts";

Deno.test("keepTranscript() keeps a link once, and replaces a copy only by a longer transcript", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = `${folder}/session.jsonl`;
    const keep = (): ReturnType<typeof keepTranscript> => keepTranscript({ id: "a", path }, folder);
    Deno.writeTextFileSync(path, "one\n");
    const kept = `${keptFolder(folder)}/a.jsonl`;
    assertEquals(keep(), { path: kept, isLink: true, isNew: true });
    assertEquals(keep(), { path: kept, isLink: true, isNew: false });
    assertEquals(keepTranscript({ id: "a", path: kept }, folder), {
      path: kept,
      isLink: false,
      isNew: false,
    });
    // Another file under the same id is not the link.
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "o");
    assertEquals(keep(), { path: kept, isLink: false, isNew: false });
    assertEquals(Deno.readTextFileSync(kept), "one\n", "the shorter transcript is older");
    Deno.writeTextFileSync(path, "one\ntwo\n");
    assert(!keep().isNew);
    assertEquals(Deno.readTextFileSync(kept), "one\ntwo\n");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
