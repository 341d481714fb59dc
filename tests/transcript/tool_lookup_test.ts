import { assertEquals } from "@std/assert";
import { ToolLookup } from "../../src/transcript/tool_lookup.ts";

function line(type: string, block: object): string {
  return `${JSON.stringify({ type, message: { role: type, content: [block] } })}\n`;
}

function call(id: string, name: string): string {
  return line("assistant", { type: "tool_use", id, name, input: {} });
}

function result(id: string): string {
  return line("user", { type: "tool_result", tool_use_id: id, content: "x" });
}

/** Looks up the tool of a result, where `held` is the text in memory and `before` all in front of it. */
function lookUp(before: string, held: string, id: string): string | null {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, before + held);
    using file = Deno.openSync(path);
    const lookup = new ToolLookup(file, before.length + held.length);
    const block = { text: held, offset: before.length };
    return lookup.nameOf(id, block, held.indexOf(result(id)));
  } finally {
    Deno.removeSync(path);
  }
}

Deno.test("ToolLookup takes the nearest call before a result, where an id is used again behind it", () => {
  const held = call("a", "Read") + result("a") + call("a", "Bash") + result("b");
  assertEquals(lookUp("", held, "a"), "Read");
  assertEquals(lookUp("", held, "b"), null);
  assertEquals(lookUp("", held, ""), null);
});

Deno.test("ToolLookup finds a call in front of what is in memory, near and far", () => {
  assertEquals(lookUp(call("a", "Read") + call("b", "Bash"), result("a"), "a"), "Read");
  for (const kib of [64, 600]) {
    const between = line("user", { type: "text", text: "x".repeat(kib * 1024) });
    assertEquals(lookUp(call("a", "Grep") + between, result("a"), "a"), "Grep");
  }
});
