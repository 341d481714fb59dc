import { assertEquals } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { SentParts } from "../../src/transcript/tree/sent_parts.ts";
import { type Block, text, toolResult } from "../trim/build_session.ts";

function model(id: string | undefined, ...content: Block[]): Block {
  return { type: "assistant", message: { id, role: "assistant", model: "m", content } };
}

function user(...content: Block[]): Block {
  return { type: "user", message: { role: "user", content } };
}

function call(id: string): Block {
  return { type: "tool_use", id, name: "Bash", input: {} };
}

function result(id: string): Block {
  const image = { type: "image", source: { type: "base64", data: `data of ${id}` } };
  return toolResult(id, [text(`of ${id}`), image]);
}

const THOUGHT: Block = { type: "thinking", thinking: "Hm.", signature: "s" };

/** Lists the sent parts of lines as strings, such as `tool_use a` and `text Done.`. */
function sentOf(lines: readonly Block[], answering?: string): string[] {
  const sent = new SentParts(answering);
  return lines.map(viewEntry).flatMap((entry) => sent.of(entry, contentParts(entry)))
    .map((part) => `${part.kind} ${part.id ?? part.text}`);
}

Deno.test("SentParts.of() omits a result that comes after a later message of the model", () => {
  const lines = [
    model("1", call("a")),
    model("2", call("b")),
    user(result("b")),
    user(result("a")),
    model("3", text("Done.")),
  ];
  const calls = ["tool_use a", "tool_use b"];
  assertEquals(sentOf(lines), [...calls, "tool_result b", "image data of b", "text Done."]);
});

Deno.test("SentParts.of() keeps results between the lines of one message, in any order", () => {
  const lines = [
    model("1", call("a")),
    model("1", call("b")),
    user(result("b")),
    model("1", call("c")),
    user(result("c"), result("a")),
    model("2", text("Done.")),
  ];
  const results = sentOf(lines).filter((part) => part.startsWith("tool_result"));
  assertEquals(results, ["tool_result b", "tool_result c", "tool_result a"]);
});

Deno.test("SentParts.of() keeps a result after a message with only thinking, a message without an id, or a user's text", () => {
  const others = [model("2", THOUGHT), model(undefined, text("So.")), user(text("No."))];
  for (const between of others) {
    const sent = sentOf([model("1", call("a")), between, user(result("a"))], "other");
    assertEquals(sent.filter((part) => part.startsWith("tool_result")), ["tool_result a"]);
  }
});

Deno.test("SentParts.of() keeps a result that comes before its call", () => {
  const lines = [user(result("a")), model("1", call("a")), model("2", text("Done."))];
  assertEquals(sentOf(lines)[0], "tool_result a");
});

Deno.test("SentParts.of() omits the thinking of all models except the one that answers", () => {
  const lines = [model("1", THOUGHT, text("Yes."))];
  assertEquals(sentOf(lines, "m"), ["thinking Hm.", "text Yes."]);
  assertEquals(sentOf(lines, "n"), ["text Yes."]);
  assertEquals(sentOf(lines), ["thinking Hm.", "text Yes."]);
});
