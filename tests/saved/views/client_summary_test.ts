import { assertEquals, assertStringIncludes } from "@std/assert";
import { extractFromEntries } from "../../../src/extract/extract_state.ts";
import type { WorkState } from "../../../src/core/work_state.ts";
import { layout } from "../../../src/layout/layout.ts";
import { contentOf, workOf } from "../../../src/saved/save.ts";
import { type Entry, viewEntry } from "../../../src/transcript/entry.ts";

const SUMMARY = `This session is being continued from a previous conversation.

7. Pending Tasks:
   - Measure the cold start
   - Ask about the limit of tokens
`;

function stateAfter(...prompts: readonly string[]): WorkState {
  const user = (content: string, more = {}): Entry =>
    viewEntry({ type: "user", message: { role: "user", content }, ...more });
  const key = `the key is ghp_${"a1B2".repeat(9)}`;
  const summary = SUMMARY.replace("Measure the cold start", `Measure the cold start; ${key}`);
  const entries = [user(summary, { isCompactSummary: true }), ...prompts.map((one) => user(one))];
  return extractFromEntries(entries.map((entry, index) => ({ entry, line: index + 1 })));
}

Deno.test("restored text has the summary's content and age, but none of its credentials", () => {
  for (const [prompts, age] of [[[], ""], [["Go on."], ", 1 request ago"]] as const) {
    const content = contentOf(stateAfter(...prompts));
    const { text } = layout(workOf(content), { projectDir: "/p" });
    const [, part = ""] = text.split("### Before the Last Compaction\n");
    const [head = "", first = "", ...others] = (part.split("\n\n")[0] ?? "").split("\n");
    assertEquals(head, `As the client's summary had it${age}: (line 1)`);
    assertEquals(first.startsWith("- Pending then: Measure the cold start; the key is "), true);
    assertEquals(others, ["- Pending then: Ask about the limit of tokens"]);
    assertEquals(text.includes("ghp_"), false, text);
  }
});

Deno.test("restored text marks an item of the summary whose files were edited since", () => {
  const summary = "7. Pending Tasks:\n   - Update a.ts (its parser)\n   - Update a.ts and b.ts\n";
  const edit = { type: "tool_use", id: "c", name: "Edit", input: { file_path: "/p/src/a.ts" } };
  const entries: Entry[] = [
    { type: "user", isCompactSummary: true, message: { role: "user", content: summary } },
    { type: "assistant", message: { role: "assistant", content: [edit] } },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }],
      },
    },
  ].map((raw) => viewEntry(raw));
  const state = extractFromEntries(entries.map((entry, at) => ({ entry, line: at + 1 })));
  const { text } = layout(workOf(contentOf(state)), { projectDir: "/p" });
  assertStringIncludes(
    text,
    "- Pending then: Update a.ts (its parser) (edited since)\n- Pending then: Update a.ts and b.ts\n",
  );
});

Deno.test("restored text leaves out a pending task that the todo list completed", () => {
  const todos = [{ content: "Measure the cold start of the hook", status: "completed" }];
  const write = { type: "tool_use", id: "t", name: "TodoWrite", input: { todos } };
  const result = { type: "tool_result", tool_use_id: "t", content: "ok" };
  const entries = [
    { type: "user", isCompactSummary: true, message: { role: "user", content: SUMMARY } },
    { type: "assistant", message: { role: "assistant", content: [write] } },
    { type: "user", message: { role: "user", content: [result] } },
  ].map((raw, at) => ({ entry: viewEntry(raw), line: at + 1 }));
  const { text } = layout(workOf(contentOf(extractFromEntries(entries))), { projectDir: "/p" });
  assertStringIncludes(text, "Pending then: Ask about the limit");
  assertEquals(text.includes("Pending then: Measure"), false, text);
});

Deno.test("restored text for use with the client's summary does not repeat the summary", () => {
  const content = contentOf(stateAfter("Go on."));
  const { text } = layout(workOf(content), { projectDir: "/p", skin: "besideSummary" });
  assertEquals(text.includes("Pending then"), false, text);
});
