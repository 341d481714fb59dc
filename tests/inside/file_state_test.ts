import type { JsonObject } from "../../src/core/record.ts";
import { assertEquals } from "@std/assert";
import { knownFiles, rereadFile, setForgottenFiles } from "../../src/inside/file_state.ts";
import type { Client } from "../../src/inside/client.ts";
import type { SessionLine } from "../../src/inside/session_lines.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { toolResult, toolUse } from "../trim/build_session.ts";
import { callRow } from "./laid_out.ts";

function line(second: number, content: JsonObject[]): SessionLine {
  const timestamp = `2026-11-23T00:00:0${second}.000Z`;
  return { number: second, entry: viewEntry({ type: "user", timestamp, message: { content } }) };
}

Deno.test("knownFiles() lists files that were read or written, with the time of the result, and ignores lines that a trim repeats", () => {
  const read = { file_path: "/a", limit: 5 };
  const lines = [
    line(1, [toolUse("1", "Read", read), toolUse("2", "Write", { file_path: "/b", content: "x" })]),
    line(2, [toolResult("1", "x"), toolResult("2", "x")]),
    line(3, [toolUse("3", "Edit", { file_path: "/c" }), toolResult("3", "x", { is_error: true })]),
    line(4, [toolUse("4", "Grep", { path: "/d" }), toolResult("4", "x")]),
    line(5, [toolUse("5", "Read", { file_path: "/e" })]),
    line(4, [
      toolUse("6", "NotebookEdit", { notebook_path: "/f", new_source: "x" }),
      toolResult("6", "x"),
    ]),
    // A trim repeats the earlier conversation.
    line(6, [toolUse("1", "Read", read)]),
    line(7, [toolResult("1", "x")]),
  ];
  const atMs = Date.parse("2026-11-23T00:00:02.000Z");
  const rows = [1, 2, 3, 4, 5, 6].map((id) =>
    callRow({ tool_use_id: `${id}`, tool: "Read", input: {} })
  );
  assertEquals([...knownFiles(lines, rows)], [
    ["/a", { input: read, atMs }],
    ["/b", { input: { file_path: "/b" }, atMs }],
    ["/f", { input: { file_path: "/f" }, atMs: atMs + 2_000 }],
  ]);
  const left = [...knownFiles(lines, rows.slice(1)).keys()];
  assertEquals(left, ["/b", "/f"], "the first call was summarized or dropped");
});

Deno.test("rereadFile() makes the client read a file again unless the file has changed or the time of the first read is unknown", async () => {
  const read: unknown[] = [];
  const input = { file_path: "/a", limit: 5 };
  const rows = [callRow({ tool_use_id: "1", tool: "Read", input })];
  const isReadAfter = async (mtimeMs: number, timestamp: string | undefined): Promise<boolean> => {
    read.length = 0;
    const content = [toolUse("1", "Read", input), toolResult("1", "x")];
    const entry = viewEntry({ type: "user", timestamp, message: { content } });
    setForgottenFiles("s", [{ number: 1, entry }], rows);
    const client = {
      session: { id: () => Promise.resolve("s") },
      fs: { stat: () => Promise.resolve({ mtimeMs }) },
      tool: { call: (args: unknown) => Promise.resolve(read.push(args)) },
    } as unknown as Client;
    await rereadFile(client, { tool: "Edit", file_path: "/a" });
    await rereadFile(client, { tool: "Edit", file_path: "/a" });
    if (read.length > 0) assertEquals(read, [{ tool: "Read", ...input }], "once");
    return read.length > 0;
  };
  const time = "2026-11-23T00:00:01.000Z";
  assertEquals(await isReadAfter(Date.parse(time), time), true);
  assertEquals(await isReadAfter(Date.parse(time) + 1, time), false);
  assertEquals(await isReadAfter(0, undefined), false);
});
