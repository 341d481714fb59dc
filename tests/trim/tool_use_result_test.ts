import { assert, assertEquals } from "@std/assert";
import { readNotice } from "../../src/core/marks.ts";
import { trimByLength } from "./by_length.ts";
import { parseLines, SessionBuilder } from "./build_session.ts";

const LONG = "a line of an output\n".repeat(100);

function cutResultOf(original: unknown): unknown {
  using session = new SessionBuilder()
    .user("please")
    .call("t", "Bash", { command: "ls" }, LONG, { toolUseResult: original })
    .write();
  trimByLength(session);
  return JSON.parse(
    JSON.stringify(parseLines(session.output)[2]?.toolUseResult),
    (_, value: unknown) => isCut(value) ? "cut" : value,
  );
}

function isCut(value: unknown): boolean {
  return typeof value === "string" && readNotice(value) !== undefined &&
    value.startsWith(LONG.slice(0, 500));
}

Deno.test("trimTranscript() cuts the long texts in `toolUseResult`, and keeps the rest of that field", () => {
  const file = { filePath: "/a", numLines: 100, startLine: 1, totalLines: 100 };
  const edit = { filePath: "/a", oldString: "a", userModified: false };
  const cases: readonly (readonly [before: unknown, after: unknown])[] = [
    [{ stdout: LONG, stderr: LONG, n: false }, { stdout: "cut", stderr: "cut", n: false }],
    [{ file: { ...file, content: LONG } }, { file: { ...file, content: "cut" } }],
    // A part of an image is useless, so all of its data is removed.
    [{ file: { base64: "A".repeat(4000), n: 3000 } }, { file: { base64: "", n: 3000 } }],
    [{ ...edit, originalFile: LONG }, { ...edit, originalFile: null }],
    [{ ...edit, originalFile: "x".repeat(501) }, { ...edit, originalFile: null }],
    [LONG, "cut"],
    [[{ text: LONG }, { text: "short" }], [{ text: "cut" }, { text: "short" }]],
    [{ filenames: [LONG, "/b"] }, { filenames: ["cut", "/b"] }],
  ];
  for (const [before, after] of cases) assertEquals(cutResultOf(before), after);
  const short = ["Error: no", [], {}, null, 7, true, { stdout: "", list: ["a", "b"] }];
  for (const original of [...short, { ...edit, originalFile: "x".repeat(500) }]) {
    assertEquals(cutResultOf(original), original);
  }
});

Deno.test("trimTranscript() keeps the first files of a search in `toolUseResult`", () => {
  const filenames = Array.from({ length: 200 }, (_, n) => `/folder/file-${n}.ts`);
  for (const more of [{ mode: "files_with_matches", numFiles: 200 }, { durationMs: 3 }]) {
    const cut = Object(cutResultOf({ ...more, filenames }));
    const { length } = cut.filenames;
    assert(length > 5 && length < 50, `${length} files are kept`);
    assertEquals(cut, { ...more, filenames: filenames.slice(0, length) });
  }
});
