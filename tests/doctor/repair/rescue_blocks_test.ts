import { assertEquals } from "@std/assert";
import { attachmentProblem } from "../../../src/doctor/repair/attachment.ts";
import { type ContentOptions, repairContent } from "../../../src/doctor/repair/blocks.ts";
import { MAX_IMAGE_PIXELS, repairImage } from "../../../src/doctor/repair/image.ts";

function repaired(
  content: unknown,
  role: ContentOptions["role"],
  dropsThinking = false,
): [content: unknown, whats: string[]] {
  const result = repairContent(content, { role, dropsThinking });
  return [result.content, result.notes.map(({ what: problem }) => problem)];
}

Deno.test("repairContent() returns the same object when nothing is wrong", () => {
  const contents: [unknown, ContentOptions["role"]][] = [
    ["text", "user"],
    [[{ type: "text", text: "" }], "user"],
    [[], "assistant"],
    [[{ type: "future", n: 1 }, { type: "thinking", thinking: "", signature: "s" }], "assistant"],
    [[{ type: "tool_use", id: "toolu_1-A", name: "Bash", input: {} }], "assistant"],
    [[{ type: "tool_result", tool_use_id: "t" }], "user"],
    [[{ type: "tool_result", tool_use_id: "t", content: "" }], "user"],
    [[{ type: "tool_result", tool_use_id: "t", content: [] }], "user"],
    [[{ type: "tool_reference", tool_name: "x" }], "result"],
  ];
  for (const [content, role] of contents) {
    const result = repairContent(content, { role, dropsThinking: false });
    assertEquals([result.content === content, result.notes], [true, []]);
  }
});

Deno.test("repairContent() keeps the readable part of content of a wrong type", () => {
  const text = { type: "text", text: "said" };
  assertEquals(repaired(text, "user"), [[text], ["content that is an object"]]);
  assertEquals(repaired("said", "assistant"), [[text], ["content that is a string"]]);
  assertEquals(repaired("", "assistant"), [[], ["content that is a string"]]);
  assertEquals(repaired(null, "assistant"), [[], ["content that is null"]]);
  assertEquals(repaired(undefined, "user"), ["(no content)", ["content that is missing"]]);
  assertEquals(repaired("", "user"), ["(no content)", ["a message without content"]]);
  const number = [{ type: "text", text: "42" }];
  assertEquals(repaired(42, "user"), [number, ["content that is a number"]]);
  assertEquals(repaired({ a: 1 }, "user")[0], [{ type: "text", text: '{"a":1}' }]);
});

Deno.test("repairContent() leaves out empty blocks", () => {
  const text = { type: "text", text: "said" };
  const blocks = [null, 7, [], {}, { type: "text" }, { type: "text", text: 7 }, text, "said"];
  assertEquals(repaired(blocks, "user"), [[text, text], [
    "a block that is null",
    "a block that is a number",
    "a block that is a list",
    "a block without a type",
    "a text block without text",
    "a text block without text",
    "a block that is plain text",
  ]]);
  assertEquals(repaired([null], "user")[0], [{ type: "text", text: "(no content)" }]);
  assertEquals(repaired([null], "assistant")[0], []);
});

Deno.test("repairContent() makes the input of a call an object and keeps its old value", () => {
  const inputOf = (input: unknown): unknown => {
    const call = { type: "tool_use", id: "t", name: "Bash", input };
    const { content } = repairContent([call], { role: "assistant", dropsThinking: false });
    return Array.isArray(content) ? content[0].input : undefined;
  };
  assertEquals(inputOf('{"command":"ls"}'), { command: "ls" });
  assertEquals(inputOf("ls"), { input: "ls" });
  assertEquals(inputOf("[1]"), { input: "[1]" });
  assertEquals(inputOf([1]), { input: [1] });
  assertEquals(inputOf(null), {});
  assertEquals(inputOf(undefined), {});
});

Deno.test("repairContent() gives a call and its result the same id that the API takes", () => {
  const call = { type: "tool_use", id: "call:1.a", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "call:1.a", content: "out" };
  assertEquals(repaired([call], "assistant")[0], [{ ...call, id: "call_1_a" }]);
  assertEquals(repaired([result], "user")[0], [{ ...result, tool_use_id: "call_1_a" }]);
  assertEquals(repaired([{ ...call, id: ".1" }], "assistant")[0], [{ ...call, id: "_1" }]);
  const renamed = repaired([{ ...result, tool_use_id: ".1" }], "user")[0];
  assertEquals(renamed, [{ ...result, tool_use_id: "_1" }]);
  assertEquals(repaired([{ ...call, id: 5 }], "assistant")[0], []);
  assertEquals(repaired([{ ...call, name: undefined }], "assistant")[0], []);
  const note = { type: "text", text: "(no content)" };
  assertEquals(repaired([{ type: "tool_result", content: "out" }], "user")[0], [note]);
});

Deno.test("repairContent() repairs the blocks within a result", () => {
  const inside = (content: unknown): unknown => {
    const [blocks] = repaired([{ type: "tool_result", tool_use_id: "t", content }], "user");
    return Array.isArray(blocks) ? blocks[0].content : undefined;
  };
  assertEquals(inside(null), "");
  assertEquals(inside(42), [{ type: "text", text: "42" }]);
  assertEquals(inside([null, { type: "text", text: "out" }]), [{ type: "text", text: "out" }]);
  assertEquals(inside([{ type: "image" }]), [
    { type: "text", text: "[An image was removed: it has no source]" },
  ]);
});

Deno.test("repairContent() leaves out thinking that the API refuses", () => {
  const text = { type: "text", text: "said" };
  const bad = [{ type: "thinking", thinking: "t" }, { type: "thinking", signature: "s" }];
  assertEquals(repaired([...bad, text], "assistant"), [[text], [
    "thinking without a signature",
    "thinking without text",
  ]]);
  const good = { type: "thinking", thinking: "", signature: "s" };
  const redacted = { type: "redacted_thinking", data: "d" };
  assertEquals(repaired([good, redacted, text], "assistant", true)[0], [text]);
});

/** Makes the base64 of a GIF header with this size. */
function gif(width: number, height: number): string {
  const sides = [width, height].map((side) => String.fromCharCode(side & 255, side >> 8));
  return btoa(`GIF89a${sides.join("")}`);
}

Deno.test("repairImage() takes the media type from the data", () => {
  const textOf = (data: unknown, media_type = "image/gif"): unknown =>
    repairImage({ type: "image", source: { type: "base64", media_type, data } })?.block;
  const leftOut = (why: string): unknown => ({
    type: "text",
    text: `[An image was removed: ${why}]`,
  });
  assertEquals(textOf(gif(MAX_IMAGE_PIXELS, 1)), undefined);
  assertEquals(textOf(gif(1, 2001)), leftOut("1 by 2001 pixels, over 2000"));
  assertEquals(textOf(gif(3, 3).slice(0, 5)), leftOut("its data is not valid base64"));
  assertEquals(textOf("data:image/gif;base64,"), leftOut("its data is not valid base64"));
  assertEquals(textOf(btoa("hello")), leftOut("its data is not an image that the API accepts"));
  assertEquals(textOf(undefined), leftOut("its data is not an image that the API accepts"));
  assertEquals(textOf(gif(3, 3), "image/png"), {
    type: "image",
    source: { type: "base64", media_type: "image/gif", data: gif(3, 3) },
  });
  assertEquals(repairImage({ type: "image", source: { type: "url", url: "u" } }), undefined);
});

Deno.test("attachmentProblem() reports only attachments that would end the client", () => {
  assertEquals(attachmentProblem(null), "an attachment that is not an object");
  assertEquals(attachmentProblem("text"), "an attachment that is not an object");
  assertEquals(attachmentProblem({}), undefined);
  assertEquals(attachmentProblem({ type: "from_the_future" }), undefined);
  assertEquals(attachmentProblem({ type: "toString" }), undefined);
  const task = { type: "task_reminder" };
  assertEquals(attachmentProblem({ ...task, content: [] }), undefined);
  const problem = "task_reminder without a list of objects content";
  assertEquals(attachmentProblem({ ...task, content: [null] }), problem);
  assertEquals(attachmentProblem({ ...task, content: "text" }), problem);
});
