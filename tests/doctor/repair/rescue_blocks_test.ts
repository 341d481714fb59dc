import { assertEquals, assertMatch } from "@std/assert";
import {
  MAX_IMAGE_PIXELS,
  refusesThinking,
  repairMessage,
} from "../../../src/doctor/repair/blocks.ts";

function repair(content: unknown, dropsThinking = false): [content: unknown, findings: string[]] {
  const { message, notes } = repairMessage({ type: "user", message: { content } }, dropsThinking);
  return [Object(message).content, notes.map(({ what: problem }) => problem)];
}

Deno.test("repairMessage() returns the given content itself when nothing is wrong", () => {
  const contents: unknown[] = [
    "text",
    null,
    [],
    [{ type: "text", text: "" }, { type: "future", n: 1 }, null, 7],
    [{ type: "thinking", thinking: "", signature: "s" }, { type: "redacted_thinking", data: "d" }],
    [{ type: "tool_use", id: "toolu_1-A", name: "Bash", input: {} }],
    [{ type: "tool_result", tool_use_id: "t", content: "" }],
    [{ type: "tool_result", tool_use_id: "t" }],
  ];
  for (const content of contents) {
    const [repaired, problems] = repair(content);
    assertEquals([repaired === content, problems], [true, []]);
  }
});

Deno.test("repairMessage() replaces the id of a call and its result with one that the API accepts", () => {
  const idsOf = (id: string): string[] => {
    const call = { type: "tool_use", id, name: "Bash", input: {} };
    const result = { type: "tool_result", tool_use_id: id, content: "out" };
    const [content] = repair([call, result]);
    const blocks: Record<string, string>[] = Array.isArray(content) ? content : [];
    const [newId = "", resultId = ""] = [blocks[0]?.id, blocks[1]?.tool_use_id];
    assertEquals(content, [{ ...call, id: newId }, { ...result, tool_use_id: newId }]);
    return [newId, resultId];
  };
  assertMatch(idsOf("call:1.a").join(" "), /^call_1_a_([0-9a-f]{16}) call_1_a_\1$/);
  assertMatch(idsOf(`call.${"a".repeat(99)}`)[0] ?? "", /^[A-Za-z0-9_-]{64}$/);
  const [a, b, plain] = ["a.b", "a:b", "a_b"].map((id) => idsOf(id)[0]);
  assertEquals([new Set([a, b, plain]).size, plain], [3, "a_b"], "different ids stay different");
});

Deno.test("repairMessage() repairs the blocks within a result", () => {
  const source = { type: "base64", media_type: "image/png", data: "cut!" };
  const result = { type: "tool_result", tool_use_id: "t" };
  const text = "[An image was removed: its data is not valid base64]";
  assertEquals(repair([{ ...result, content: [{ type: "image", source }] }]), [
    [{ ...result, content: [{ type: "text", text }] }],
    ["an image: its data is not valid base64"],
  ]);
});

Deno.test("repairMessage() removes thinking that the API rejects, and all thinking if dropsThinking is true", () => {
  const text = { type: "text", text: "said" };
  const bad = [{ type: "thinking", thinking: "t" }, { type: "thinking", signature: "s" }];
  const problems = ["thinking without a signature", "thinking without text"];
  assertEquals(repair([...bad, text]), [[text], problems]);
  const good = { type: "thinking", thinking: "", signature: "s" };
  const redacted = { type: "redacted_thinking", data: "d" };
  assertEquals(repair([good, redacted, text], true)[0], [text]);
});

Deno.test("refusesThinking() recognizes errors about a message's thinking, but not about the thinking budget", () => {
  const isRefusal = (text: string): boolean =>
    refusesThinking({ isApiErrorMessage: true, message: { content: [{ type: "text", text }] } });
  const blocks = [
    "API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block",
    'API Error: 400 {"error":{"message":"messages.1.content.0.thinking.signature: Field required"}}',
    "API Error: 400 messages.9.content.1: `thinking` or `redacted_thinking` blocks in the latest " +
    "assistant message cannot be modified.",
  ];
  const others = [
    "API Error: 400 `max_tokens` must be greater than `thinking.budget_tokens`. Please consult " +
    "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
    "API Error: 400 thinking.enabled.budget_tokens: Input should be at least 1024",
    "API Error: 500 messages.1.content.0: thinking",
  ];
  assertEquals([...blocks, ...others].map(isRefusal), [true, true, true, false, false, false]);
});

function gif(width: number, height: number): string {
  const sides = [width, height].map((side) => String.fromCharCode(side & 255, side >> 8));
  return btoa(`GIF89a${sides.join("")}`);
}

Deno.test("repairMessage() corrects the media type, and puts text in place of an image that the API rejects", () => {
  const image = (data: unknown, media_type = "image/gif") => ({
    type: "image",
    source: { type: "base64", media_type, data },
  });
  const valid = [image(gif(MAX_IMAGE_PIXELS, 1)), {
    type: "image",
    source: { type: "url", url: "u" },
  }];
  assertEquals(repair(valid), [valid, []]);
  const rejected = [
    [gif(1, 2001), "1 by 2001 pixels, over 2000"],
    [gif(3, 3).slice(0, 5), "its data is not valid base64"],
    ["data:image/gif;base64,", "its data is not valid base64"],
    [btoa("hello"), "its data is not an image that the API accepts"],
    [undefined, "its data is not an image that the API accepts"],
  ];
  for (const [data, why] of rejected) {
    const text = `[An image was removed: ${why}]`;
    assertEquals(repair([image(data)]), [[{ type: "text", text }], [`an image: ${why}`]]);
  }
  const problem = "an image of type image/gif is declared as image/png";
  const renamed = image(gif(3, 3), "image/png");
  assertEquals(repair([renamed]), [[image(gif(3, 3))], [problem]]);
});
