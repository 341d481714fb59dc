import { assertEquals } from "@std/assert";
import {
  contentChars,
  type ContentPart,
  contentParts,
  resultTexts,
} from "../../src/transcript/content.ts";
import { type JsonObject, viewEntry } from "../../src/transcript/entry.ts";

function partsOf(raw: JsonObject): ContentPart[] {
  return contentParts(viewEntry(raw));
}

function blocks(...content: unknown[]): ContentPart[] {
  return partsOf({ type: "assistant", message: { role: "assistant", content } });
}

function attached(attachment: unknown): ContentPart[] {
  return partsOf({ type: "attachment", attachment });
}

Deno.test("contentParts() gives a message's text, whoever wrote it", () => {
  for (const type of ["user", "assistant"]) {
    assertEquals(partsOf({ type, message: { content: "Hi" } }), [{ kind: "text", text: "Hi" }]);
    assertEquals(partsOf({ type, message: { content: "" } }), []);
  }
});

Deno.test("contentParts() gives nothing for a message without content that it knows", () => {
  for (const message of [undefined, null, {}, { content: null }, { content: 1 }, { content: {} }]) {
    assertEquals(partsOf({ type: "user", message }), []);
  }
});

Deno.test("contentParts() gives nothing for entries that only the client uses", () => {
  for (const type of ["summary", "progress", "last-prompt", "file-history-snapshot", "new", 7]) {
    assertEquals(partsOf({ type, content: "a", message: { content: "b" } }), []);
  }
  assertEquals(partsOf({}), []);
});

Deno.test("contentParts() gives a system entry's text only when it is a local command's", () => {
  assertEquals(partsOf({ type: "system", subtype: "local_command", content: "out" }), [
    { kind: "text", text: "out" },
  ]);
  assertEquals(partsOf({ type: "system", subtype: "local_command", content: ["out"] }), []);
  assertEquals(partsOf({ type: "system", subtype: "compact_boundary", content: "cut" }), []);
  assertEquals(partsOf({ type: "system", content: "x" }), []);
});

Deno.test("contentParts() leaves out an API error that the client made up, and only that", () => {
  const message = { model: "<synthetic>", content: [{ type: "text", text: "too long" }] };
  const said: ContentPart[] = [{ kind: "text", text: "too long" }];
  assertEquals(partsOf({ type: "assistant", isApiErrorMessage: true, message }), []);
  assertEquals(partsOf({ type: "assistant", message }), said);
  const real = { ...message, model: "claude-haiku-4-5" };
  assertEquals(partsOf({ type: "assistant", isApiErrorMessage: true, message: real }), said);
  assertEquals(partsOf({ type: "assistant", isApiErrorMessage: true }), []);
});

Deno.test("contentParts() gives text blocks in order and skips empty ones", () => {
  assertEquals(
    blocks({ type: "text", text: "a" }, { type: "text", text: "" }, { type: "text" }, {
      type: "text",
      text: "b",
    }),
    [{ kind: "text", text: "a" }, { kind: "text", text: "b" }],
  );
});

Deno.test("contentParts() gives thinking with the length of its signature, empty thinking too", () => {
  assertEquals(blocks({ type: "thinking", thinking: "hm", signature: "abcd" }), [
    { kind: "thinking", text: "hm", signatureChars: 4 },
  ]);
  assertEquals(blocks({ type: "thinking", thinking: "", signature: "abc" }), [
    { kind: "thinking", text: "", signatureChars: 3 },
  ]);
  assertEquals(blocks({ type: "thinking" }), [{ kind: "thinking", text: "", signatureChars: 0 }]);
  assertEquals(blocks({ type: "redacted_thinking", data: "zz" }, { type: "redacted_thinking" }), [
    { kind: "thinking", text: "zz" },
    { kind: "thinking", text: "" },
  ]);
});

Deno.test("contentParts() gives a tool call's input as JSON, with id and name where there are any", () => {
  assertEquals(blocks({ type: "tool_use", id: "t1", name: "Read", input: { file_path: "/é" } }), [
    { kind: "tool_use", text: '{"file_path":"/é"}', id: "t1", name: "Read" },
  ]);
  assertEquals(blocks({ type: "tool_use", id: 1, name: null }), [{ kind: "tool_use", text: "{}" }]);
  assertEquals(blocks({ type: "tool_use", input: null }), [{ kind: "tool_use", text: "{}" }]);
});

Deno.test("contentParts() gives a tool result as one text, and its images behind it", () => {
  assertEquals(blocks({ type: "tool_result", tool_use_id: "t1", content: "out" }), [
    { kind: "tool_result", text: "out", id: "t1" },
  ]);
  const content = [
    { type: "text", text: "a" },
    { type: "image", source: { type: "base64", data: "AAAA" } },
    { type: "tool_reference", tool_name: "Grep" },
    { type: "text", text: "b" },
    { type: "document", source: { data: "JVBE" } },
    null,
    "loose",
  ];
  assertEquals(blocks({ type: "tool_result", tool_use_id: "t2", content }), [
    { kind: "tool_result", text: "ab", id: "t2" },
    { kind: "image", text: "AAAA" },
    { kind: "image", text: "JVBE" },
  ]);
});

Deno.test("contentParts() gives a tool result without content or id as an empty one", () => {
  for (const content of [undefined, null, "", [], {}]) {
    assertEquals(blocks({ type: "tool_result", content }), [{ kind: "tool_result", text: "" }]);
  }
});

Deno.test("contentParts() gives an image's and a document's data, also where there are none", () => {
  assertEquals(
    blocks(
      { type: "image", source: { data: "AA" } },
      { type: "document", source: { data: "BB" } },
      { type: "image", source: { type: "url", url: "x" } },
      { type: "image" },
    ).map((part) => [part.kind, part.text]),
    [["image", "AA"], ["image", "BB"], ["image", ""], ["image", ""]],
  );
});

Deno.test("contentParts() passes over blocks that it does not know", () => {
  assertEquals(
    blocks({ type: "server_tool_use", input: {} }, { type: "new" }, {}, null, "text", 3, []),
    [],
  );
});

const SENT = [
  "agent_listing_delta",
  "auto_mode",
  "date_change",
  "deferred_tools_delta",
  "diagnostics",
  "edited_text_file",
  "hook_additional_context",
  "hook_blocking_error",
  "hook_stopped_continuation",
  "mcp_instructions_delta",
  "nested_memory",
  "queued_command",
  "skill_listing",
  "task_reminder",
  "total_tokens_reminder",
];

for (const type of SENT) {
  Deno.test(`contentParts() gives what an attachment of type ${type} says`, () => {
    assertEquals(attached({ type, content: "said" }), [{ kind: "attachment", text: "said" }]);
  });
}

Deno.test("contentParts() gives the output of the hooks that the model hears, of no other", () => {
  const heard: ContentPart[] = [{ kind: "attachment", text: "said" }];
  for (const hookEvent of ["SessionStart", "UserPromptSubmit"]) {
    assertEquals(attached({ type: "hook_success", hookEvent, content: "said" }), heard);
  }
  for (const hookEvent of ["Stop", "PostToolUse", undefined, 1]) {
    assertEquals(attached({ type: "hook_success", hookEvent, content: "said" }), []);
  }
});

Deno.test("contentParts() gives nothing for other attachments and for malformed ones", () => {
  for (
    const attachment of [
      { type: "hook_cancelled", content: "x" },
      { type: "todo_reminder_new", content: "x" },
      { content: "x" },
      { type: 1, content: "x" },
      null,
      undefined,
      "text",
      ["text"],
    ]
  ) {
    assertEquals(attached(attachment), []);
  }
});

Deno.test("contentParts() gives the words that the client has kept of an attachment, whatever its type", () => {
  const said = (rendered: unknown): ContentPart[] =>
    partsOf({ type: "attachment", attachment: { type: "of_tomorrow", content: "raw" }, rendered });
  const pieces = [{ content: "one, " }, { content: [{ type: "text", text: "two" }] }, 7, {}];
  assertEquals(said(pieces), [{ kind: "attachment", text: "one, two" }]);
  assertEquals(said([]), []);
  assertEquals(said("no list"), [], "then the type decides");
  const attachment = { type: "hook_additional_context", hookName: "Stop", content: ["said"] };
  const none = partsOf({ type: "attachment", attachment, rendered: [] });
  assertEquals(none, [{ kind: "attachment", text: "Stopsaid" }], "so it does for an empty list");
});

Deno.test("contentParts() joins the texts inside an attachment and leaves out what is not said", () => {
  assertEquals(
    attached({
      type: "hook_additional_context",
      toolUseID: "t",
      hookEvent: "Stop",
      command: "sh",
      durationMs: 4,
      stdout: "raw",
      content: ["a", { text: "b", count: 7, more: [true, null, "c"] }],
    }),
    [{ kind: "attachment", text: "abc" }],
  );
  assertEquals(attached({ type: "date_change", toolUseID: "t" }), []);
});

Deno.test("contentParts() follows an attachment's lists so far and no further", () => {
  const nested = (depth: number): unknown => depth === 0 ? "deep" : [nested(depth - 1)];
  assertEquals(attached({ type: "diagnostics", files: nested(9) }).length, 1);
  assertEquals(attached({ type: "diagnostics", files: nested(10) }), []);
});

Deno.test("contentChars() counts code points, signatures and image data", () => {
  assertEquals(contentChars([]), 0);
  assertEquals(
    contentChars([
      { kind: "text", text: "a😀" },
      { kind: "thinking", text: "é", signatureChars: 10 },
      { kind: "image", text: "AAAA" },
    ]),
    2 + 11 + 4,
  );
});

Deno.test("resultTexts() lists the texts of a string and of a list of blocks", () => {
  assertEquals(resultTexts("a"), ["a"]);
  assertEquals(resultTexts(""), [""]);
  assertEquals(
    resultTexts([{ type: "text", text: "a" }, { type: "text", text: 1 }, { type: "image" }, 2]),
    ["a"],
  );
  for (const content of [undefined, null, 1, { type: "text", text: "a" }]) {
    assertEquals(resultTexts(content), []);
  }
});

Deno.test("contentParts() takes arguments that cannot be written as JSON for none", () => {
  const input: unknown = JSON.parse('{"a":['.repeat(9000) + '{"0":1}' + "]}".repeat(9000));
  const message = { content: [{ type: "tool_use", id: "t", name: "Bash", input }] };
  assertEquals(contentParts(viewEntry({ type: "assistant", message })), [
    { kind: "tool_use", text: "{}", id: "t", name: "Bash" },
  ]);
});
