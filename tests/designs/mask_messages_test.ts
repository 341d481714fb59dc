import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type AgentMessage,
  generateMaskNotification,
  maskOldestObservations,
} from "../../src/designs/mask_messages.ts";
import { isAlreadyMasked } from "../../src/trim/placeholder.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(500, 150, "lists of messages that are masked"), seed: 20260306 };

function conversation(results: readonly string[]): AgentMessage[] {
  const messages: AgentMessage[] = [{ role: "user", content: "please" }];
  for (const [index, content] of results.entries()) {
    messages.push(...turn(`call_${index}`, content));
  }
  return messages;
}

function turn(id: string, content: string, name = "shell_exec"): AgentMessage[] {
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name }] },
    { role: "tool", content, toolCallId: id },
  ];
}

function observations(messages: readonly AgentMessage[]): string[] {
  return messages.filter((message) => message.role === "tool").map((message) => message.content);
}

Deno.test("maskOldestObservations() skips masked results and counts them in the total", () => {
  const messages = conversation(["a", "[masked]", "b", "c"]);
  assertEquals(maskOldestObservations(messages, 1), { masked_count: 1, total_masked: 2 });
  assertEquals(maskOldestObservations(messages, 1), { masked_count: 1, total_masked: 3 });
  assertEquals(observations(messages), [
    "[shell_exec result masked -- 1 bytes of output]",
    "[masked]",
    "[shell_exec result masked -- 1 bytes of output]",
    "c",
  ]);
  assertEquals(maskOldestObservations(messages, 9), { masked_count: 1, total_masked: 4 });
  assertEquals(maskOldestObservations(messages, 9), { masked_count: 0, total_masked: 4 });
});

Deno.test("maskOldestObservations() mentions the tool and the path of its call", () => {
  const toolCalls = [
    { id: "1", name: "file_read" },
    { id: "2", name: "Read", input: { file_path: "/p/a.ts" } },
  ];
  const messages: AgentMessage[] = [
    { role: "assistant", content: "", toolCalls },
    { role: "tool", content: "second", toolCallId: "2" },
    { role: "tool", content: "first", toolCallId: "1" },
    { role: "tool", content: "lost", toolCallId: "none" },
    { role: "tool", content: "no id" },
  ];
  maskOldestObservations(messages, 4);
  assertEquals(observations(messages), [
    '[Read result masked -- 1 lines, file: "/p/a.ts", starts with: second]',
    "[file_read result masked -- 1 lines, starts with: first]",
    "[unknown result masked -- 4 bytes of output]",
    "[unknown result masked -- 5 bytes of output]",
  ]);
});

Deno.test("maskOldestObservations() uses the nearest call before a result when ids repeat", () => {
  const messages = [
    ...turn("call_0", "text", "file_read"),
    ...turn("call_0", "done", "file_write"),
  ];
  maskOldestObservations(messages, 2);
  assertEquals(observations(messages), [
    "[file_read result masked -- 1 lines, starts with: text]",
    "[file_write result masked -- 4 bytes]",
  ]);
});

Deno.test("maskOldestObservations() keeps every message in its position, and changes only content", () => {
  const message = fc.record({
    role: fc.constantFrom("system", "user", "assistant", "tool" as const),
    content: fc.string(),
    toolCallId: fc.constantFrom("a", "b", "c"),
    toolCalls: fc.array(
      fc.record({ id: fc.constantFrom("a", "b", "c"), name: fc.string(), input: fc.object() }),
      { maxLength: 2 },
    ),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), fc.nat({ max: 25 }), (list, count) => {
      const messages: AgentMessage[] = structuredClone(list);
      const result = maskOldestObservations(messages, count);
      assertEquals(messages.length, list.length);
      let masked = 0;
      let seenUnmasked = false;
      for (const [index, now] of messages.entries()) {
        const before = list[index];
        assert(before !== undefined);
        assertEquals<unknown>({ ...now, content: before.content }, before);
        if (now.content !== before.content) {
          masked += 1;
          assertEquals(now.role, "tool");
          assert(isAlreadyMasked(now.content));
          assert(!seenUnmasked, "an older observation is not masked");
        } else if (now.role === "tool" && !isAlreadyMasked(now.content)) {
          seenUnmasked = true;
        }
      }
      assertEquals(result.masked_count, masked);
      assert(masked <= count);
      assert(masked === count || !seenUnmasked, "fewer were masked than requested");
    }),
    RUNS,
  );
});

Deno.test("maskOldestObservations() and generateMaskNotification() refuse impossible numbers", () => {
  for (const count of [-1, 1.5, NaN]) {
    assertThrows(() => maskOldestObservations([], count), RangeError, `count is ${count}`);
  }
  assertThrows(() => generateMaskNotification(1, 1, Infinity), RangeError, "got Infinity");
});

Deno.test("generateMaskNotification() contains the figures, with the percentage rounded half up", () => {
  for (const [percent, shown] of [[0.4, 0], [0.5, 1], [12.49, 12], [12.5, 13]] as const) {
    assertEquals(
      generateMaskNotification(3, 12, percent),
      `[Context compressed: 3 observations masked this round, 12 total, ~${shown}% context reclaimed]`,
    );
  }
});
