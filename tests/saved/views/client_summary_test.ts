import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { extractFromEntries } from "../../../src/extract/extract_state.ts";
import type { JsonObject } from "../../../src/core/record.ts";
import { layout, type SkinName } from "../../../src/layout/layout.ts";
import { contentOf, workOf } from "../../../src/saved/save.ts";
import { viewEntry } from "../../../src/transcript/entry.ts";

const SUMMARY = `This session is being continued from a previous conversation.

7. Pending Tasks:
   - Measure the cold start
   - Ask about the limit of tokens
`;

function layoutAfter(
  summary: string,
  entries: readonly JsonObject[] = [],
  skin: SkinName = "whole",
  before: readonly JsonObject[] = [],
): string {
  const raw = [...before, { ...user(summary), isCompactSummary: true }, ...entries];
  const state = extractFromEntries(raw.map((one, at) => ({ entry: viewEntry(one), line: at + 1 })));
  return layout(workOf(contentOf(state)), { projectDir: "/p", skin }).text;
}

function user(content: unknown): JsonObject {
  return { type: "user", message: { role: "user", content } };
}

function callOf(name: string, input: object, result = "ok"): readonly JsonObject[] {
  const content = [{ type: "tool_use", id: "c", name, input }];
  return [
    { type: "assistant", message: { role: "assistant", content } },
    user([{ type: "tool_result", tool_use_id: "c", content: result }]),
  ];
}

Deno.test("layout() shows the summary's content and age, but none of its credentials", () => {
  const key = `the key is ghp_${"a1B2".repeat(9)}`;
  const summary = SUMMARY.replace("Measure the cold start", `Measure the cold start; ${key}`);
  for (const [prompts, age] of [[[], ""], [[user("Go on.")], ", 1 request ago"]] as const) {
    const text = layoutAfter(summary, prompts);
    const [, part = ""] = text.split("### Before the Last Compaction\n");
    const [head = "", first = "", ...others] = (part.split("\n\n")[0] ?? "").split("\n");
    assertEquals(head, `From the client's summary${age}: (line 1)`);
    const start = "- Pending at the compaction: Measure the cold start; the key is ";
    assert(first.startsWith(start), first);
    assertEquals(others, ["- Pending at the compaction: Ask about the limit of tokens"]);
    assertEquals(text.includes("ghp_"), false, text);
  }
});

Deno.test("layout() marks a summary item as edited only if all files that the item mentions were edited since", () => {
  const summary = "7. Pending Tasks:\n   - Update a.ts (its parser)\n   - Update a.ts and b.ts\n";
  const text = layoutAfter(summary, callOf("Edit", { file_path: "/p/src/a.ts" }));
  assertStringIncludes(
    text,
    "- Pending at the compaction (edited since): Update a.ts (its parser)\n" +
      "- Pending at the compaction: Update a.ts and b.ts\n",
  );
});

Deno.test("layout() lists pending tasks in one line if a check passed after the edits of their files", () => {
  const tasks = ["Update a.ts", "Rename the fields of b.ts", "Update c.ts"];
  const summary = `7. Pending Tasks:\n${tasks.map((task) => `   - ${task}\n`).join("")}`;
  const edits = ["a", "b"].flatMap((name) => callOf("Edit", { file_path: `/p/src/${name}.ts` }));
  const done = "- Pending at the compaction, but edited since, and checks passed: " +
    "Update a.ts; Rename the fields of b.ts\n";
  const textAfter = (result: string): string =>
    layoutAfter(summary, [...edits, ...callOf("Bash", { command: "npm test; ls" }, result)]);
  const passed = textAfter("3 passed");
  assertStringIncludes(passed, `- Pending at the compaction: Update c.ts\n${done}`);
  assert(!passed.includes(": Update a.ts\n"), passed);
  const failed = textAfter("✗ login rejects\n1 failed");
  const begun = "- Pending at the compaction (edited since): Update a.ts\n";
  assertStringIncludes(failed, begun);
  const build = callOf("Bash", { command: "npm run build" }, "built in 2s");
  const test = callOf("Bash", { command: "npm test; ls" }, "✗ login rejects\n1 failed");
  const built = layoutAfter(summary, [...edits, ...build, ...test]);
  assertStringIncludes(built, done.replace("checks", "a build"));
  const edit = callOf("Edit", { file_path: "/p/src/a.ts" });
  assertStringIncludes(layoutAfter(summary, [...edits, ...build, ...edit]), begun);
  const tests = summary.replace("a.ts", "a_test.ts");
  const inTests = callOf("Edit", { file_path: "/p/src/a_test.ts" });
  const unbuilt = layoutAfter(tests, [...inTests, ...build, ...test]);
  assertStringIncludes(unbuilt, begun.replace("a.ts", "a_test.ts"));
});

Deno.test("layout() marks an error in the summary once all checks pass or, if the error would break a build, once a build passes", () => {
  const errors = "4. Errors and fixes:\n   - readAll is undefined; need to investigate\n";
  const shown = (note = ""): string =>
    `- Error${note}: readAll is undefined; need to investigate\n`;
  const testThen = (result: string): string =>
    layoutAfter(errors, callOf("Bash", { command: "npm test" }, result));
  assertStringIncludes(testThen("3 passed"), shown(" (checks passed since)"));
  assertStringIncludes(layoutAfter(errors, callOf("Bash", { command: "ls" })), shown());
  const build = callOf("Bash", { command: "npm run build" }, "✓ built in 1s");
  const test = callOf("Bash", { command: "npm test; ls" }, "✗ login rejects\n1 failed");
  const both = [...build, ...test];
  assertStringIncludes(layoutAfter(errors, both), shown(" (a build passed since)"));
  const other = errors.replace("readAll is undefined", "the login is rejected");
  assertStringIncludes(layoutAfter(other, both), "the login is rejected; need to investigate\n");
});

Deno.test("layout() leaves out a pending task that the todo list contains", () => {
  for (const status of ["completed", "pending"]) {
    const todos = [{ content: "Measure the cold start of the hook", status }];
    const text = layoutAfter(SUMMARY, callOf("TodoWrite", { todos }));
    assertStringIncludes(text, "Pending at the compaction: Ask about the limit");
    assertEquals(text.includes("Pending at the compaction: Measure"), false, text);
  }
});

Deno.test("layout() leaves out open items of an old summary once the session has committed", () => {
  const errors = "8. Errors and fixes:\n   - The import of readAll was missing; fixed\n" +
    "   - The options are unknown; need to investigate\n";
  const commit = callOf("Bash", { command: "git commit -m x" }, "[main 1a2b3c4] x");
  const later = [user("Commit it."), ...commit, user("Add a flag."), user("Now test it.")];
  const [, part = ""] = layoutAfter(SUMMARY + errors, later).split("Before the Last Compaction\n");
  assertEquals((part.split("\n\n")[0] ?? "").split("\n"), [
    "From the client's summary, 3 requests ago: (line 1)",
    "- Fixed before the compaction: The import of readAll was missing; fixed",
  ]);
  assertStringIncludes(layoutAfter(SUMMARY + errors, commit), "need to investigate");
});

Deno.test("layout() with the skin besideSummary does not repeat the client's summary", () => {
  const text = layoutAfter(SUMMARY, [user("Go on.")], "besideSummary");
  assertEquals(text.includes("Pending at the compaction"), false, text);
});
