import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  buildToolNameMapping,
  injectTrimMetadata,
  trimSessionFile,
  updateSessionIdInFile,
} from "../../src/designs/session_file.ts";
import { VERSION } from "../../src/version.ts";
import {
  parseLines,
  resultsOf,
  SessionBuilder,
  toolUse,
  writeSession,
} from "../trim/build_session.ts";
import { posixTest } from "../posix.ts";

const LONG = "x".repeat(1000);

Deno.test("trimSessionFile() cuts long results, and its notices contain the parent's path", () => {
  using session = new SessionBuilder().user("please")
    .call("r", "Read", {}, LONG).call("e", "Edit", {}, LONG).write();
  const before = Deno.readTextFileSync(session.input);
  const stats = trimSessionFile({ inputFile: session.input, outputFile: session.output });
  const notice = "\n\n[...truncated - original was 1,000 chars, showing first 500. " +
    `See line 3 of ${session.input} for full content]`;
  assertEquals(resultsOf(session.output).get("r"), LONG.slice(0, 500) + notice);
  assertEquals(resultsOf(session.output).get("e"), LONG);
  const sizes = [session.input, session.output].map((path) => Deno.statSync(path).size);
  assertEquals(stats, {
    trimmed_count: 1,
    original_size: sizes[0],
    new_size: sizes[1],
    bytes_saved: (sizes[0] ?? 0) - (sizes[1] ?? 0),
    chars_saved: 500 - notice.length,
    threshold: 500,
  });
  assertEquals(Deno.readTextFileSync(session.input), before);
});

Deno.test("trimSessionFile() uses the given tools and threshold", () => {
  using session = new SessionBuilder()
    .call("r", "Read", {}, LONG).call("e", "Edit", {}, LONG).write();
  const files = { inputFile: session.input, outputFile: session.output };
  const stats = trimSessionFile({ ...files, threshold: 100, targetTools: ["Edit"] });
  assertEquals([stats.trimmed_count, stats.threshold], [1, 100]);
  assertEquals(resultsOf(session.output).get("r"), LONG);
  assertThrows(() => trimSessionFile(files), Deno.errors.AlreadyExists);
  assertThrows(() => trimSessionFile({ ...files, threshold: -1 }), RangeError);
  assertThrows(() => trimSessionFile({ ...files, inputFile: "/none" }), Deno.errors.NotFound);
});

// On Windows, no relative path leads from one drive to another.
posixTest(
  "trimSessionFile() and injectTrimMetadata() write the absolute path of the parent",
  () => {
    using session = new SessionBuilder().call("r", "Read", {}, LONG).write();
    // All tests share the working folder, so the test builds a relative path and does not change the folder.
    const inputFile = "../".repeat(Deno.cwd().split("/").length - 1) + session.input.slice(1);
    const stats = trimSessionFile({ inputFile, outputFile: session.output });
    injectTrimMetadata(session.output, inputFile, stats);
    const notice = String(resultsOf(session.output).get("r")).slice(500);
    assertStringIncludes(notice, ` of ${session.input} for full content]`);
    const [first] = parseLines(session.output);
    assertEquals(Object(first?.trim_metadata).parent_file, session.input);
  },
);

Deno.test("injectTrimMetadata() changes only the first entry that parses", () => {
  using session = writeSession(["", "{broken", '{"type":"mode"}', '{"type":"user","n":1}']);
  const now = new Date(Date.UTC(2026, 10, 22));
  injectTrimMetadata(session.input, "/p/old-id.jsonl", { trimmed_count: 2, bytes_saved: 30 }, now);
  const [blank, broken, first = "", last] = Deno.readTextFileSync(session.input).split("\n");
  assertEquals([blank, broken, last], ["", "{broken", '{"type":"user","n":1}']);
  assertEquals(JSON.parse(first), {
    type: "mode",
    trim_metadata: {
      parent_file: "/p/old-id.jsonl",
      parent_session_id: "old-id",
      trimmed_at: "2026-11-22T00:00:00.000Z",
      threshold: 500,
      trimmed_count: 2,
      bytes_saved: 30,
      chars_saved: 0,
      trimtab_version: VERSION,
    },
  });
  using empty = writeSession(["", "{broken"]);
  const inject = () => injectTrimMetadata(empty.input, "a", { trimmed_count: 0, bytes_saved: 0 });
  assertThrows(inject, SyntaxError, "it contains no entry");
});

Deno.test("updateSessionIdInFile() changes the session ids of entries, but not nested ids or ids in text", () => {
  const kept = String.raw`"a":{"sessionId":"nested"},"b":"\"sessionId\":\"said\""`;
  using session = writeSession([`{ ${kept}, "sessionId" : "old" }`, `{"sessionId":7}`]);
  updateSessionIdInFile(session.input, "new");
  const expected = `{ ${kept}, "sessionId" : "new" }\n{"sessionId":7}\n`;
  assertEquals(Deno.readTextFileSync(session.input), expected);
});

Deno.test("buildToolNameMapping() finds every call, however its line is formatted", () => {
  const text = JSON.stringify({ type: "tool_use", id: "in a text", name: "Read" });
  const line = (...content: unknown[]): string =>
    JSON.stringify({ type: "assistant", message: { content } });
  using session = writeSession([
    `{"type":"mode"}${line(toolUse('a"b', "mcp__x__日本", {}))}\r`,
    line(toolUse("t", "Bash", {}), { type: "text", text }, { type: "tool_use", id: "x" }),
    '{"type":"assistant","message":{"content":[{"type": "tool_use","id',
    JSON.stringify({ message: { content: text }, type: "assistant" }),
  ]);
  assertEquals([...buildToolNameMapping(session.input)], [['a"b', "mcp__x__日本"], ["t", "Bash"]]);
  assertThrows(() => buildToolNameMapping("/nowhere/at all.jsonl"), Deno.errors.NotFound);
});
