import { assertEquals } from "@std/assert";
import { placeholderFor } from "../../src/trim/placeholder.ts";
import { trimByLength } from "./by_length.ts";
import {
  resultsOf,
  sentChars,
  SessionBuilder,
  text,
  toolUse,
  writeSession,
} from "./build_session.ts";

const LONG = "a line of output\n".repeat(100);

Deno.test("trimTranscript() masks each result with its tool's wording and its call's arguments", () => {
  const command = "make " + "x".repeat(400);
  const manyArguments = { b: 1, a: "two", c: true, d: "fourth", content: "y".repeat(9000) };
  using session = new SessionBuilder()
    .user("please")
    .call("r", "Read", { limit: 9, file_path: "/a \u{1f600}.ts", offset: 5 }, `     5→top\n${LONG}`)
    .call("b", "Bash", { description: "builds", command }, LONG)
    .call("m", "mcp__web__get", manyArguments, [text(LONG)])
    .call("g", "Grep", { pattern: '"quoted"', path: "src" }, LONG)
    .write();
  const tools = ["Read", "Bash", "mcp__web__get", "Grep"];
  const counts = trimByLength({ ...session, keep: "line", tools });
  const placeholder = (name: string, input: unknown, lineNumber: number): string =>
    placeholderFor(LONG, { toolName: name, input, lineNumber, parentFile: "b82405ba" });
  assertEquals([...resultsOf(session.output).values()], [
    '[Read result masked -- 101 lines, file: "/a \u{1f600}.ts", offset: 5, limit: 9, ' +
    "starts with: top. See line 3 of b82405ba for full content]",
    placeholder("Bash", { command }, 5),
    [text(placeholder("mcp__web__get", manyArguments, 7))],
    placeholder("Grep", { pattern: '"quoted"', path: "src" }, 9),
  ]);
  assertEquals([counts.trimmed_count, counts.by_tool.Read?.count], [4, 1]);
  assertEquals(sentChars(session.output).chars, counts.context_chars.after);
});

Deno.test("trimTranscript() masks a result that precedes its call, and a result outside the context", () => {
  const { lines: [question, call, result, answer] } = new SessionBuilder()
    .user("please")
    .assistant("m1", [toolUse("a", "Bash", { command: "make all" })])
    .result("a", LONG)
    .assistant("m2", [text("done")]);
  const content = [{ type: "tool_result", tool_use_id: "s", content: LONG }];
  const calls = [toolUse("s", "Bash", { command: "make side" })];
  const side = { ...result, uuid: "side", parentUuid: "gone", message: { role: "user", content } };
  const sideCall = { ...call, uuid: "sideCall", parentUuid: null, message: { content: calls } };
  const lines = [side, sideCall, result, question, call, answer];
  using session = writeSession(lines.map((line) => JSON.stringify(line)));
  trimByLength({ ...session, keep: "line" });
  const placeholder = (what: string, line: number): string =>
    `[Bash result masked -- 1700 bytes of output, command: "make ${what}". ` +
    `See line ${line} of b82405ba for full content]`;
  const results = resultsOf(session.output);
  assertEquals(results.get("a"), placeholder("all", 3));
  assertEquals(results.get("s"), placeholder("side", 1));
});
