import type { JsonObject } from "../../src/core/record.ts";
import { assertEquals } from "@std/assert";
import {
  attachedMedia,
  contentParts,
  fullText,
  markedTexts,
  resultTexts,
} from "../../src/transcript/content.ts";
import { viewEntry } from "../../src/transcript/entry.ts";

function partsOf(raw: JsonObject): unknown[] {
  return contentParts(viewEntry(raw)).map(({ kind, text, ...more }) => {
    const known = Object.entries(more).filter(([, value]) => value !== undefined);
    return known.length === 0 ? [kind, text] : [kind, text, Object.fromEntries(known)];
  });
}

function blocks(...content: unknown[]): unknown[] {
  return partsOf({ type: "assistant", message: { role: "assistant", content } });
}

function attachmentParts(attachment: unknown): unknown[] {
  return partsOf({ type: "attachment", attachment });
}

Deno.test("contentParts() returns only the parts of an entry that are sent", () => {
  for (const type of ["user", "assistant"]) {
    assertEquals(partsOf({ type, message: { content: "Hi" } }), [["text", "Hi"]]);
    assertEquals(partsOf({ type, message: { content: "" } }), []);
  }
  for (const message of [undefined, null, {}, { content: null }, { content: 1 }, { content: {} }]) {
    assertEquals(partsOf({ type: "user", message }), []);
  }
  for (const type of ["summary", "progress", "last-prompt", "file-history-snapshot", "new", 7]) {
    assertEquals(partsOf({ type, content: "a", message: { content: "b" } }), []);
  }
  const command = { type: "system", subtype: "local_command" };
  assertEquals(partsOf({ ...command, content: "out" }), [["text", "out"]]);
  assertEquals(partsOf({ ...command, content: ["out"] }), []);
  assertEquals(partsOf({ type: "system", subtype: "compact_boundary", content: "cut" }), []);
  assertEquals(partsOf({ type: "system", content: "x" }), []);
});

Deno.test("contentParts() omits only API errors that the client wrote itself", () => {
  const message = { model: "<synthetic>", content: [{ type: "text", text: "too long" }] };
  const real = { ...message, model: "claude-haiku-4-5" };
  const error = { type: "assistant", isApiErrorMessage: true };
  assertEquals(partsOf({ ...error, message }), []);
  assertEquals(partsOf(error), []);
  assertEquals(partsOf({ type: "assistant", message }), [["text", "too long"]]);
  assertEquals(partsOf({ ...error, message: real }), [["text", "too long"]]);
});

Deno.test("contentParts() returns the blocks of a message in order", () => {
  const source = { type: "base64", data: "AAAA" };
  const inner = [
    { type: "text", text: "a" },
    { type: "image", source },
    { type: "tool_reference", tool_name: "Grep" },
    { type: "text", text: "b" },
    { type: "document", source: { data: "JVBE" } },
    null,
    "loose",
  ];
  const read = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/é" } };
  const result = { type: "tool_result", tool_use_id: "t1" };
  const cases: readonly (readonly [block: unknown, ...parts: unknown[]])[] = [
    [{ type: "text", text: "a" }, ["text", "a"]],
    [{ type: "text", text: "" }],
    [{ type: "text" }],
    [
      { type: "thinking", thinking: "hm", signature: "abcd" },
      ["thinking", "hm", { signatureChars: 4 }],
    ],
    [{ type: "thinking", signature: "abc" }, ["thinking", "", { signatureChars: 3 }]],
    [{ type: "thinking" }, ["thinking", "", { signatureChars: 0 }]],
    [{ type: "redacted_thinking", data: "zz" }, ["thinking", "zz"]],
    [{ type: "redacted_thinking" }, ["thinking", ""]],
    [read, ["tool_use", '{"file_path":"/é"}', { id: "t1", name: "Read" }]],
    [{ type: "tool_use", id: 1, name: null }, ["tool_use", "{}"]],
    [{ type: "tool_use", input: null }, ["tool_use", "{}"]],
    [{ ...result, content: "out" }, ["tool_result", "out", { id: "t1" }]],
    [
      { ...result, content: inner },
      ["tool_result", "ab", { id: "t1" }],
      ["image", "AAAA", { media: inner[1] }],
      ["image", "JVBE", { media: inner[4] }],
    ],
    ...[undefined, null, "", [], {}].map((content) =>
      [{ type: "tool_result", content }, ["tool_result", ""]] as const
    ),
    ...[
      [{ type: "image", source: { data: "AA" } }, "AA"],
      [{ type: "document", source: { data: "BB" } }, "BB"],
      [{ type: "image", source: { type: "url", url: "x" } }, ""],
      [{ type: "image" }, ""],
    ].map(([media, data]) => [media, ["image", data, { media }]] as const),
    ...[{ type: "server_tool_use", input: {} }, { type: "new" }, {}, null, "text", 3, []]
      .map((block) => [block] as const),
  ];
  for (const [block, ...parts] of cases) assertEquals(blocks(block), parts, JSON.stringify(block));
  assertEquals(blocks(...cases.map(([block]) => block)), cases.flatMap(([, ...parts]) => parts));
});

Deno.test("contentParts() treats arguments that cannot be written as JSON as missing", () => {
  const input: unknown = JSON.parse('{"a":['.repeat(9000) + '{"0":1}' + "]}".repeat(9000));
  assertEquals(blocks({ type: "tool_use", input }), [["tool_use", "{}"]]);
});

Deno.test("contentParts() returns the text of attachments that reach the model", () => {
  const sent = "agent_listing_delta auto_mode date_change deferred_tools_delta diagnostics " +
    "edited_text_file hook_additional_context hook_blocking_error hook_stopped_continuation " +
    "mcp_instructions_delta nested_memory queued_command skill_listing task_reminder " +
    "total_tokens_reminder";
  const hook = (hookEvent: unknown): JsonObject => ({ type: "hook_success", hookEvent });
  const sentHooks = ["SessionStart", "UserPromptSubmit"].map(hook);
  for (const fields of [...sent.split(" ").map((type) => ({ type })), ...sentHooks]) {
    assertEquals(attachmentParts({ ...fields, content: "said" }), [["attachment", "said"]]);
  }
  const unsentHooks = ["Stop", "PostToolUse", undefined, 1].map(hook);
  const others = [{ type: "hook_cancelled" }, { type: "todo_reminder_new" }, {}, { type: 1 }];
  for (const fields of [...unsentHooks, ...others]) {
    assertEquals(attachmentParts({ ...fields, content: "x" }), []);
  }
  for (const none of [null, undefined, "text", ["text"]]) assertEquals(attachmentParts(none), []);
});

Deno.test("contentParts() joins the texts inside an attachment and omits unsent parts", () => {
  const unsent = { toolUseID: "t", hookEvent: "Stop", command: "sh", durationMs: 4, stdout: "raw" };
  const content = ["a", { text: "b", count: 7, more: [true, null, "c"] }];
  const hook = { type: "hook_additional_context", ...unsent, content };
  assertEquals(attachmentParts(hook), [["attachment", "abc"]]);
  assertEquals(attachmentParts({ type: "date_change", toolUseID: "t" }), []);
  const nested = (depth: number): unknown => depth === 0 ? "deep" : [nested(depth - 1)];
  assertEquals(attachmentParts({ type: "diagnostics", files: nested(9) }).length, 1);
  assertEquals(attachmentParts({ type: "diagnostics", files: nested(10) }), []);
  const block = { type: "text", file: { content: nested(7) } };
  assertEquals(attachmentParts({ type: "diagnostics", files: [block] }).length, 1);
});

Deno.test("attachedMedia() returns the picture or document of a mentioned file as the client sends it", () => {
  const mediaOf = (type: string, file: JsonObject): unknown[] => {
    const attachment = { type: "file", content: { type, file } };
    return attachedMedia(viewEntry({ type: "attachment", attachment }))
      .map((block) => [block.type, Object(block.source).media_type, Object(block.source).data]);
  };
  const data = "AAAA";
  assertEquals(mediaOf("image", { base64: data, type: "image/jpeg" }), [
    ["image", "image/jpeg", data],
  ]);
  assertEquals(mediaOf("image", { base64: data }), [["image", "image/png", data]]);
  assertEquals(mediaOf("pdf", { base64: data }), [["document", "application/pdf", data]]);
  for (const base64 of ["", 7, undefined]) assertEquals(mediaOf("image", { base64 }), []);
  assertEquals(mediaOf("sound", { base64: data }), []);
});

Deno.test("contentParts() returns the stored text of an attachment of any type", () => {
  const textsOfRendered = (rendered: unknown, more: JsonObject = {}): unknown[] => {
    const attachment = { type: "of_tomorrow", content: "raw", ...more };
    return partsOf({ type: "attachment", attachment, rendered });
  };
  const pieces = [{ content: "one, " }, { content: [{ type: "text", text: "two" }] }, 7, {}];
  assertEquals(textsOfRendered(pieces), [["attachment", "one, two"]]);
  assertEquals(textsOfRendered([]), []);
  assertEquals(textsOfRendered("no list"), [], "the type decides if `rendered` is not a list");
  const hook = { type: "hook_additional_context", content: ["said"] };
  const why = "the type also decides for an empty list";
  assertEquals(textsOfRendered([], hook), [["attachment", "said"]], why);
});

Deno.test("resultTexts() lists the texts of a string and of a list of blocks", () => {
  const list = [{ type: "text", text: "a" }, { type: "text", text: 1 }, { type: "image" }, 2];
  assertEquals(["a", "", list].map(resultTexts), [["a"], [""], ["a"]]);
  for (const content of [undefined, null, 1, { type: "text", text: "a" }]) {
    assertEquals(resultTexts(content), []);
  }
});

Deno.test("markedTexts() returns the texts of a call or a result, or undefined if the entry lacks that part", () => {
  const input = { path: "p", edits: [{ s: "t" }] };
  const call = { type: "tool_use", id: "a", name: "Edit", input };
  const parts = [{ type: "text", text: "one" }, { type: "text", text: "two" }];
  const result = { type: "tool_result", tool_use_id: "a", content: parts };
  const plain = { type: "tool_result", tool_use_id: "b", content: "three" };
  const entry = viewEntry({ type: "user", message: { content: [call, result, plain] } });
  assertEquals(markedTexts(entry, { id: "a", kind: "call" }), ["p", "t"]);
  assertEquals(markedTexts(entry, { id: "a", kind: "result" }), ["one", "two", "one\ntwo"]);
  assertEquals(markedTexts(entry, { id: "b", kind: "result" }), ["three"]);
  assertEquals(markedTexts(entry, { id: "b", kind: "call" }), undefined);
});

Deno.test("fullText() returns the texts and results of an entry, or the entry as JSON if it has neither", () => {
  const of = (raw: JsonObject): string => fullText(viewEntry(raw));
  const result = { type: "tool_result", content: [{ type: "text", text: "two" }] };
  const content = [{ type: "text", text: "one" }, result];
  assertEquals(of({ type: "user", message: { content } }), "one\ntwo");
  assertEquals(of({ type: "user", message: { content: "Hi" } }), "Hi");
  const raw = { type: "system", content: "Conversation compacted" };
  assertEquals(JSON.parse(of(raw)), raw);
});
