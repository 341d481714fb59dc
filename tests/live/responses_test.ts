import { assert, assertEquals } from "@std/assert";
import { readResponse } from "../../src/live/responses.ts";

Deno.test("readResponse() reads Grep's output in each mode, with the totals of newer clients", () => {
  const lines = { mode: "content", numFiles: 0, filenames: [], content: "a.ts:1:x", numLines: 1 };
  const files = { mode: "files_with_matches", numFiles: 1, filenames: ["a.ts"] };
  for (const response of [lines, { ...lines, totalLines: 900, appliedLimit: 1 }]) {
    assertEquals(readResponse("Grep", response)?.replace(["cut"]), { ...response, content: "cut" });
  }
  for (const response of [files, { ...files, totalFiles: 9, appliedLimit: 1, appliedOffset: 1 }]) {
    assert(readResponse("Grep", response) !== null);
  }
  assertEquals(readResponse("Grep", { ...lines, content: 7 }), null);
  // A name with a line break could not be told from two names.
  assertEquals(readResponse("Grep", { ...files, filenames: ["a.ts", "b\nc.ts"] }), null);
  assertEquals(readResponse("Grep", { ...lines, ofTomorrow: 1 }), null);
});
