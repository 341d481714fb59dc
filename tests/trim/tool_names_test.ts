import { assertEquals, assertThrows } from "@std/assert";
import { buildToolNameMapping, objectsOf } from "../../src/trim/tool_names.ts";
import { SessionBuilder, toolUse, writeSession } from "./build_session.ts";

Deno.test("buildToolNameMapping() finds every call, also one that comes behind its result", () => {
  using session = new SessionBuilder()
    .result("late", "x")
    .assistant("m", [toolUse("a", "Read", { n: 1 }), toolUse("b", "Bash", {})])
    .assistant("m", [toolUse("late", "Grep", {})])
    .write();
  const names = buildToolNameMapping(session.input);
  assertEquals([...names], [["a", "Read"], ["b", "Bash"], ["late", "Grep"]]);
});

Deno.test("buildToolNameMapping() reads any order of keys, spaces, escapes and two on a line", () => {
  const content =
    '[{"name": "Re\\u0061d", "input": {"id": "no"}, "id": "a\\"b", "type": "tool_use"}]';
  const other = '{"message":{"content":[{"type":"tool_use","id":"é","name":"mcp__x__日本"}]},' +
    '"type":"assistant"}';
  using session = writeSession([
    `{"message": {"content": ${content}}, "type": "assistant"}\r`,
    `{"type":"mode"}${other}`,
  ]);
  const names = buildToolNameMapping(session.input);
  assertEquals([...names], [['a"b', "Read"], ["é", "mcp__x__日本"]]);
});

Deno.test("buildToolNameMapping() passes look-alikes, calls without a name, and broken lines", () => {
  const said = JSON.stringify({ type: "tool_use", id: "in a text", name: "Read" });
  using session = writeSession([
    JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text: said }] } }),
    JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", id: "x" }] } }),
    '{"type":"assistant","message":{"content":[{"type": "tool_use","id',
    JSON.stringify({ message: { content: said }, type: "assistant" }),
  ]);
  assertEquals(buildToolNameMapping(session.input).size, 0);
});

Deno.test("buildToolNameMapping() fails where there is no file", () => {
  assertThrows(() => buildToolNameMapping("/nowhere/at all.jsonl"), Deno.errors.NotFound);
});

Deno.test("objectsOf() parts objects in a row, and nothing else", () => {
  const partsOf = (text: string): string[] =>
    objectsOf(text, 0, text.length).map(({ start, end }) => text.slice(start, end));
  assertEquals(partsOf('{"a":"}{\\""}{"b":1}'), ['{"a":"}{\\""}', '{"b":1}']);
  for (const whole of ['{"a":"}{\\""}', '{"a":{"b"}{"c":1}', "", "plain"]) {
    assertEquals(partsOf(whole), [whole]);
  }
});
