import { assert, assertEquals } from "@std/assert";
import { isObject } from "../../src/transcript/entry.ts";
import { readNotice } from "../../src/core/marks.ts";
import { type TrimCounts, trimTranscript } from "../../src/trim/trim_transcript.ts";
import { parseLines, toolUse, writeSession } from "./build_session.ts";

const LONG = "a line of an output\n".repeat(100);
const OTHER = "another one, said later\n".repeat(100);

/** A list of blocks with one result. */
function resultList(content: string): string {
  return JSON.stringify([{ tool_use_id: "t", type: "tool_result", content }]);
}

/** Trims a session in which a result stands, written as it is given, without its braces. */
function trimResult(members: string): { line: unknown; counts: TrimCounts } {
  const call = { type: "assistant", message: { content: [toolUse("t", "Bash", {})] } };
  using session = writeSession([JSON.stringify(call), `{${members}}`]);
  const counts = trimTranscript(session);
  const again = trimTranscript({ input: session.output });
  assertEquals(again.bytes.after, again.bytes.before, "the second time");
  return { line: parseLines(session.output)[1], counts };
}

/** The text of the one result in an entry. */
function textOf(line: unknown): string {
  const content = isObject(line) && isObject(line.message) ? line.message.content : null;
  const block: unknown = Array.isArray(content) ? content[0] : null;
  return isObject(block) ? String(block.content) : "";
}

Deno.test("cutResults() cuts once what has two mirrors", () => {
  const result = `"type":"user","message":{"content":${resultList(LONG)}}`;
  const mirror = `"toolUseResult":${JSON.stringify(LONG)}`;
  const { line, counts } = trimResult(`${result},"toolUseResult":"a",${mirror}`);
  assertEquals(line, trimResult(`${result},${mirror}`).line);
  assert(readNotice(textOf(line)));
  assert(isObject(line) && readNotice(String(line.toolUseResult)), "the mirror that is read");
  assertEquals(counts.trimmed_count, 1);
  assertEquals(counts.by_tool.Bash?.count, 1);
});

Deno.test("cutResults() cuts the last of two messages", () => {
  const { line, counts } = trimResult(
    `"type":"user","message":{"content":${resultList(LONG)}},"toolUseResult":"short",` +
      `"message":{"content":[],"content":${resultList(OTHER)}}`,
  );
  assert(readNotice(textOf(line)) && textOf(line).startsWith("another one"));
  assertEquals(counts.trimmed_count, 1);
});

Deno.test("cutResults() leaves a block of another kind that names a call", () => {
  const block = { tool_use_id: "t", type: "mcp_tool_result", content: LONG };
  const members = `"type":"user","message":${JSON.stringify({ content: [block] })}`;
  const { line, counts } = trimResult(members);
  assertEquals(line, JSON.parse(`{${members}}`));
  assertEquals(counts.trimmed_count, 0);
});

Deno.test("cutResults() leaves what is a result no longer", () => {
  const members = [
    `"type":"user","message":{"content":${resultList(LONG)}},"toolUseResult":"a"`,
    `"type":"user","message":{"content":${resultList(LONG)},"content":"words"}`,
  ];
  for (const more of [',"type":"assistant"', ',"message":"words"', ',"message":{"content":1}']) {
    const all = members[0] + more;
    assertEquals(trimResult(all).line, JSON.parse(`{${all}}`), more);
  }
  const { line, counts } = trimResult(members[1] ?? "");
  assertEquals(line, JSON.parse(`{${members[1]}}`));
  assertEquals(counts.trimmed_count, 0);
});
