import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/transcript/entry.ts";
import { readNotice } from "../../src/core/marks.ts";
import { trimTranscript } from "./by_length.ts";
import { parseLines, SessionBuilder } from "./build_session.ts";

const LONG = "a line of an output\n".repeat(100);

/** Trims a session with one result and its mirror, and gives what became of the mirror. */
function cutMirrorOf(mirror: unknown, toolName = "Bash"): unknown {
  const input = { command: "ls" };
  using session = new SessionBuilder()
    .user("please")
    .call("t", toolName, input, LONG, { toolUseResult: mirror })
    .write();
  trimTranscript(session);
  return parseLines(session.output)[2]?.toolUseResult;
}

function asObject(value: unknown): JsonObject {
  return { ...Object(value) };
}

function assertCut(value: unknown): void {
  assert(typeof value === "string" && readNotice(value), `not cut: ${JSON.stringify(value)}`);
  assert(value.startsWith(LONG.slice(0, 500)));
}

Deno.test("cutMirror() cuts what Bash printed and keeps the rest of its mirror", () => {
  const mirror = { stdout: LONG, stderr: LONG, interrupted: false, isImage: false };
  const { stdout, stderr, ...rest } = asObject(cutMirrorOf(mirror));
  assertCut(stdout);
  assertCut(stderr);
  assertEquals(rest, { interrupted: false, isImage: false });
});

Deno.test("cutMirror() cuts the content of a file that was read and keeps its path and counts", () => {
  const file = { filePath: "/a", content: LONG, numLines: 100, startLine: 1, totalLines: 100 };
  const mirror = asObject(cutMirrorOf({ type: "text", file }, "Read"));
  assertEquals(mirror.type, "text");
  const { content, ...rest } = asObject(mirror.file);
  assertCut(content);
  assertEquals(rest, { filePath: "/a", numLines: 100, startLine: 1, totalLines: 100 });
});

Deno.test("cutMirror() takes an image out whole, since a part of one is none", () => {
  const file = { base64: "A".repeat(4000), type: "image/png", originalSize: 3000 };
  assertEquals(cutMirrorOf({ type: "image", file }, "Read"), {
    type: "image",
    file: { base64: "", type: "image/png", originalSize: 3000 },
  });
});

Deno.test("cutMirror() keeps the first of the files that Grep and Glob found", () => {
  const filenames = Array.from({ length: 200 }, (_, n) => `/folder/file-${n}.ts`);
  const grep = asObject(
    cutMirrorOf({ mode: "files_with_matches", filenames, numFiles: 200 }, "Grep"),
  );
  const glob = asObject(cutMirrorOf({ filenames, durationMs: 3, truncated: false }, "Glob"));
  for (const mirror of [grep, glob]) {
    assert(Array.isArray(mirror.filenames));
    const { length } = mirror.filenames;
    assert(length > 5 && length < 50, `${length} stay`);
    assertEquals(mirror.filenames, filenames.slice(0, length));
  }
  assertEquals([grep.mode, grep.numFiles, glob.truncated], ["files_with_matches", 200, false]);
});

Deno.test("cutMirror() cuts a name that alone is longer than what stays of a list", () => {
  const { filenames } = asObject(cutMirrorOf({ filenames: [LONG, "/b"] }, "Glob"));
  assert(Array.isArray(filenames));
  assertCut(filenames[0]);
  assertEquals(filenames[1], "/b");
});

Deno.test("cutMirror() cuts a mirror that is a text, and one that is a list", () => {
  assertCut(cutMirrorOf(LONG));
  const list = cutMirrorOf([{ type: "text", text: LONG }, { type: "text", text: "short" }]);
  assert(Array.isArray(list));
  assertCut(asObject(list[0]).text);
  assertEquals(list[1], { type: "text", text: "short" });
});

Deno.test("cutMirror() leaves short mirrors of any shape as they are", () => {
  for (const mirror of ["Error: no", [], {}, null, 7, true, { stdout: "", list: ["a", "b"] }]) {
    assertEquals(cutMirrorOf(mirror), mirror);
  }
});

Deno.test("cutMirror() leaves null for the original of a file", () => {
  const mirror = { filePath: "/a", oldString: "a", originalFile: LONG, userModified: false };
  assertEquals(cutMirrorOf(mirror), { ...mirror, originalFile: null });
  const short = { ...mirror, originalFile: "a" };
  assertEquals(cutMirrorOf(short), short);
});
