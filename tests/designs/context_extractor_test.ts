import { assert, assertEquals } from "@std/assert";
import { ContextExtractor, messageEntries } from "../../src/designs/context_extractor.ts";
import { readSave } from "../../src/saved/read.ts";
import { NOW } from "../saved/snapshots.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";

const INPUT = { file_path: "/p/parser_test.ts", content: "one\ntwo\n" };
const SAID = { type: "text", text: "I write it." };
const USE = { type: "tool_use", id: "t1", name: "Write", input: INPUT };
const RESULT = { type: "tool_result", tool_use_id: "t1", content: "File created" };
const FUNCTION = { name: "Write", arguments: JSON.stringify(INPUT) };

const PROMPT = { role: "user", content: "Add a parser test" };
const CALL = { role: "assistant", content: "I write it." };
const OBSERVATION = { role: "tool", content: "File created" };
const DONE = { role: "assistant", content: [{ type: "text", text: "The test is there." }] };

const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  "API content blocks": [
    { role: "user", content: [{ type: "text", text: "Add a parser test" }] },
    { role: "assistant", content: [SAID, USE] },
    { role: "user", content: [RESULT] },
    { role: "assistant", content: "The test is there." },
  ],
  "messages of an agent loop": [
    { role: "system", content: "You are a programmer" },
    PROMPT,
    { ...CALL, toolCalls: [{ id: "t1", name: "Write", input: INPUT }] },
    { ...OBSERVATION, toolCallId: "t1" },
    DONE,
  ],
  "function calls with arguments as text": [
    PROMPT,
    { ...CALL, tool_calls: [{ id: "t1", type: "function", function: FUNCTION }] },
    { ...OBSERVATION, tool_call_id: "t1" },
    DONE,
  ],
  "transcript entries": [
    { type: "mode", sessionId: "s" },
    { type: "user", uuid: "a", message: PROMPT },
    { type: "assistant", uuid: "b", message: { role: "assistant", content: [SAID, USE] } },
    { type: "user", uuid: "c", message: { role: "user", content: [RESULT] } },
    { type: "assistant", uuid: "d", message: DONE },
  ],
};

for (const [kind, conversation] of Object.entries(CONVERSATIONS)) {
  Deno.test(`ContextExtractor.extractFromConversation() reads ${kind}`, () => {
    const context = new ContextExtractor().extractFromConversation(conversation);
    assertEquals(context.original_requirements, "Add a parser test");
    assertEquals(context.tools_used, ["Write"]);
    assertEquals(context.changes.map(({ file, action }) => [file, action]), [
      ["/p/parser_test.ts", "created"],
    ]);
    assert(context.implementation_state.includes("The test is there."));
    assertEquals([context.open_items, context.key_decisions], [[], []]);
  });
}

Deno.test("ContextExtractor.extractFromConversation() lists the open items of the last todo list", () => {
  const todos = [
    { content: "Write the reader", status: "completed", activeForm: "Writing" },
    { content: "Write the docs", status: "pending", activeForm: "Writing" },
  ];
  const toolCalls = [{ id: "t", name: "TodoWrite", input: { todos } }];
  const context = new ContextExtractor().extractFromConversation([
    { role: "user", content: "Store the sessions" },
    { role: "assistant", content: "", toolCalls },
    { role: "tool", content: "Todos have been modified", toolCallId: "t" },
  ]);
  assertEquals(context.open_items, ["Write the docs"]);
  assertEquals(context.next_steps.map(({ status }) => status), ["completed", "pending"]);
});

Deno.test("ContextExtractor.extractFromConversation() accepts an empty conversation and malformed messages", () => {
  const extractor = new ContextExtractor();
  const empty = extractor.extractFromConversation([]);
  assertEquals([empty.original_requirements, empty.implementation_state], ["", ""]);
  const malformed: readonly object[] = [
    [],
    {},
    { role: 5, content: 1 },
    { role: "assistant", content: null, toolCalls: "x", tool_calls: [1, { function: {} }] },
    { role: "tool" },
    { role: "user", content: [null, 5, { type: "image" }] },
    { type: "assistant", message: null },
  ];
  assertEquals(extractor.extractFromConversation(malformed).original_requirements, "");
});

Deno.test("ContextExtractor.createSnapshot() saves all of its input except credentials", () =>
  inFolder((projectDir) => {
    const extractor = new ContextExtractor({ projectDir, now: () => NOW });
    const path = extractor.createSnapshot({
      original_requirements: "Add\0 a test",
      key_decisions: [{ decision: "Use TAP", rationale: "", alternatives: "" }],
    }, "my tests");
    const snapshot = readSave(path);
    assertEquals(snapshot.original_requirements, "Add a test");
    assertEquals(snapshot.key_decisions[0]?.decision, "Use TAP");
    assertEquals(snapshot.name, "my tests");
    assertEquals(readSave(extractor.createSnapshot({})).name, null);
    // A made-up token in GitHub's format.
    const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5".slice(0, 36)}`;
    const secret = extractor.createSnapshot({ learnings: [`log in with ${token}`] }, token);
    assert(!Deno.readTextFileSync(secret).includes(token));
  }));

Deno.test("messageEntries() accepts a call without a name, and arguments that are not JSON", () => {
  const call = { id: "a", function: { arguments: "{torn" } };
  const [entry] = messageEntries([{ role: "assistant", content: [SAID], tool_calls: [call] }]);
  const use = { type: "tool_use", id: "a", name: "unknown", input: {} };
  assertEquals(entry?.message?.content, [SAID, use]);
});

Deno.test("messageEntries() recognizes failed results in every format", () => {
  const messages = [{ isError: true }, { is_error: true }, {}, { isError: false }]
    .map((fields) => ({ ...OBSERVATION, toolCallId: "t1", ...fields }));
  const failed = [...messageEntries(messages)].map((one) =>
    /"is_error":true/.test(JSON.stringify(one))
  );
  assertEquals(failed, [true, true, false, false]);
});
