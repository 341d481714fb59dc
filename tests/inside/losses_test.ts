import { assertEquals } from "@std/assert";
import { countLosses } from "../../src/inside/media.ts";

Deno.test("countLosses() counts thinking and loaded tools, and lists other types of lost blocks, but not pictures and documents", () => {
  const inResult = [{ type: "document" }, { type: "tool_reference", tool_name: "Grep" }];
  const losses = countLosses([
    { role: "user", content: [{ type: "text", text: "Look" }, { type: "image" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "redacted_thinking", data: "d" },
        { type: "tool_use", id: "t" },
        { type: "server_tool_use", id: "u" },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: inResult }] },
  ]);
  const { thinking, loadedTools, lostTypes } = losses;
  assertEquals([thinking, loadedTools, lostTypes], [2, 1, ["server_tool_use"]]);
});
