import type { JsonObject } from "../../src/core/record.ts";
import { assertEquals } from "@std/assert";
import { knownFiles } from "../../src/inside/file_state.ts";
import type { SessionLine } from "../../src/inside/session_lines.ts";
import { viewEntry } from "../../src/transcript/entry.ts";

function line(second: number, content: JsonObject[]): SessionLine {
  const timestamp = `2026-11-23T00:00:0${second}.000Z`;
  return { number: second, entry: viewEntry({ type: "user", timestamp, message: { content } }) };
}

function call(id: string, name: string, input: JsonObject): JsonObject {
  return { type: "tool_use", id, name, input };
}

function result(id: string, isError = false): JsonObject {
  return { type: "tool_result", tool_use_id: id, content: "x", is_error: isError };
}

Deno.test("knownFiles() lists files that were read, edited or written, with their newest time, ignoring repeats", () => {
  const read = { file_path: "/a", limit: 5 };
  const lines = [
    line(1, [call("1", "Read", read), call("2", "Write", { file_path: "/b", content: "x" })]),
    line(2, [result("1"), result("2")]),
    line(3, [call("3", "Edit", { file_path: "/c" }), result("3", true)]),
    line(4, [call("4", "Grep", { path: "/d" }), result("4")]),
    line(5, [call("5", "Read", { file_path: "/e" })]),
    line(4, [call("6", "NotebookEdit", { notebook_path: "/f", new_source: "x" }), result("6")]),
    // A trim repeats the earlier conversation.
    line(6, [call("1", "Read", read)]),
    line(7, [result("1")]),
  ];
  const atMs = Date.parse("2026-11-23T00:00:02.000Z");
  assertEquals([...knownFiles(lines)], [
    ["/a", { input: read, atMs }],
    ["/b", { input: { file_path: "/b" }, atMs }],
    ["/f", { input: { file_path: "/f" }, atMs: atMs + 2_000 }],
  ]);
});
