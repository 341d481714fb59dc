import { assertEquals } from "@std/assert";
import { viewEntry } from "../../src/transcript/entry.ts";
import { countSinceTrim } from "../../src/transcript/since_trim.ts";
import { toolResult } from "../trim/build_session.ts";

const CUT = "head\n\n[...truncated - original was 1,000 chars, showing 4 in parts. " +
  "See line 5 of 7f3a1b2c for full content]";

type Block = Record<string, unknown>;

function use(id: string, name: string, path?: string): Block {
  return { type: "tool_use", id, name, input: path === undefined ? {} : { file_path: path } };
}

function entry(second: number, role: string, ...content: Block[]): ReturnType<typeof viewEntry> {
  const timestamp = new Date(second * 1000).toISOString();
  const message = { id: `m${second}`, role, content, usage: { input_tokens: 1 } };
  return viewEntry({ type: role, timestamp, message });
}

Deno.test("countSinceTrim() counts cut results, and the requests, rereads, recalls and failed edits after the trim", () => {
  const counts = countSinceTrim([
    entry(1, "assistant", use("a", "Read", "/x"), use("b", "Read", "/y")),
    entry(2, "user", toolResult("a", CUT), toolResult("b", "whole")),
    entry(3, "assistant", use("c", "Read", "/x")),
    entry(10, "assistant", use("c2", "Read", "/x")),
    entry(11, "assistant", use("d", "Read", "/x"), use("e", "Read", "/y")),
    entry(11, "assistant", use("f", "mcp__trimtab__recall")),
    entry(12, "assistant", use("g", "Edit", "/x"), use("h", "Edit", "/y")),
    entry(
      13,
      "user",
      toolResult("g", "not found", { is_error: true }),
      toolResult("h", "not found", { is_error: true }),
    ),
    viewEntry({ ...entry(14, "assistant", use("i", "Read", "/x")).raw, isSidechain: true }),
    viewEntry({ ...entry(15, "assistant").raw, isApiErrorMessage: true }),
  ], 10_000);
  assertEquals(counts, { cuts: 1, requests: 2, rereads: 1, recalls: 1, failedEdits: 1 });
});
