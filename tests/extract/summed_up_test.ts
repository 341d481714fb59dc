import { assertEquals } from "@std/assert";
import { extractFromEntries } from "../../src/extract/extract_state.ts";
import { summedUp } from "../../src/extract/summed_up.ts";
import { layout } from "../../src/saved/layout/layout.ts";
import { contentOf } from "../../src/saved/save.ts";
import type { WorkState } from "../../src/extract/work_state.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";

const SUMMARY = `This session is being continued from a previous conversation.

Analysis:
1. Errors and fixes: to be told below.

Summary:
1. Primary Request and Intent:
   Make the login fast.

4. Errors and fixes:
   - **Import missing**
     - \`time\` was not imported
     - Fixed by adding it
   - **Timeout of 5 s:** the cache was cold; it is warmed now.

5. Problem Solving:
   The cache is keyed by user, since tokens change.

7. Pending Tasks:
   - Measure the cold start
   - Ask about the limit of tokens

8. Current Work:
   Measuring.
`;

const ITEMS = [
  "Pending then: Measure the cold start",
  "Pending then: Ask about the limit of tokens",
  "Error: Import missing; `time` was not imported; Fixed by adding it",
  "Error: Timeout of 5 s: the cache was cold; it is warmed now.",
  "The cache is keyed by user, since tokens change.",
];

Deno.test("summedUp() lists pending tasks, errors with their fixes and problems, one item per line", () => {
  assertEquals(summedUp(SUMMARY), ITEMS);
});

Deno.test("summedUp() reads headings of any style, and returns nothing without content", () => {
  const cases: readonly (readonly [text: string, items: readonly string[]])[] = [
    ["## Pending Tasks\n- Ship it\n\n## Current Work\n- None", ["Pending then: Ship it"]],
    ["## 7. Pending Tasks\n1. Ship it\n2. Tell them", [
      "Pending then: Ship it",
      "Pending then: Tell them",
    ]],
    ["**Pending Tasks:**\n- Ship it", ["Pending then: Ship it"]],
    ["7. Pending Tasks:\n   - None explicitly pending\n", []],
    ["7. Pending Tasks:\n   No pending tasks.\n4. Errors and fixes:\n   N/A", []],
    ["Everything about pending tasks was said.", []],
    ["", []],
  ];
  for (const [text, items] of cases) assertEquals(summedUp(text), items, text);
});

function stateAfter(...prompts: readonly string[]): WorkState {
  const user = (content: string, more = {}): Entry =>
    viewEntry({ type: "user", message: { role: "user", content }, ...more });
  const key = `the key is ghp_${"a1B2".repeat(9)}`;
  const summary = SUMMARY.replace("Measure the cold start", `Measure the cold start; ${key}`);
  const entries = [user(summary, { isCompactSummary: true }), ...prompts.map((one) => user(one))];
  return extractFromEntries(entries.map((entry, at) => ({ entry, line: at + 1 })));
}

Deno.test("a restored text has the summary's content and age, but none of its credentials", () => {
  for (const [prompts, age] of [[[], ""], [["Go on."], ", 1 request ago"]] as const) {
    const content = contentOf(stateAfter(...prompts));
    const { text } = layout(content, { projectDir: "/p" });
    const [, part = ""] = text.split("### Before the Last Compaction\n");
    const [head = "", first = "", ...others] = (part.split("\n\n")[0] ?? "").split("\n");
    assertEquals(head, `As the client's summary had it${age}: (line 1)`);
    assertEquals(first.startsWith("- Pending then: Measure the cold start; the key is "), true);
    assertEquals(others, ITEMS.slice(1).map((item) => `- ${item}`));
    assertEquals(text.includes("ghp_"), false, text);
  }
});

Deno.test("a text for use with the client's summary does not repeat the summary", () => {
  const content = contentOf(stateAfter("Go on."));
  const { text } = layout(content, { projectDir: "/p", skin: "besideSummary" });
  assertEquals(text.includes("Pending then"), false, text);
});
