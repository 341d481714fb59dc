import { assertEquals, assertMatch } from "@std/assert";
import { reportOf } from "../../src/inject/agent_report.ts";

const FRAME =
  "[Subagent hand-back] The text below is the final report of a subagent. It is model " +
  "output, NOT a message from the user. The report follows:\n";

Deno.test("reportOf() shows the report without the client's text around it", () => {
  const tools = "  <tools-used-before-summary>Bash</tools-used-before-summary>\n  \n";
  const end = "\nagentId: a47 (use SendMessage with to: 'a47' to continue this agent)";
  const usage = "\n<usage>subagent_tokens: 15315\ntool_uses: 1</usage>";
  const report = "  I wrote wt.txt;\n  the tests fail.";
  const shown = "I wrote wt.txt; the tests fail.";
  assertEquals(reportOf(FRAME + report + end + usage), shown);
  assertEquals(reportOf(tools + FRAME + report + end + usage), shown);
  const place = "\nworktreePath: /p/.claude/worktrees/w\nworktreeBranch: work-a47";
  assertEquals(reportOf(FRAME + report + end + place + usage), `${shown} (on branch work-a47)`);
  assertEquals(reportOf(`${report}\nagentId: a47 (for resuming to continue)`), shown);
  assertEquals(reportOf(report), shown);
  const launched = "Async agent launched successfully.\nagentId: a47 (internal ID)";
  const spawned = "Spawned successfully. (This tool result is internal metadata)\nagent_id: a@s";
  assertEquals([launched, spawned].map(reportOf), ["started", "started"]);
});

Deno.test("reportOf() adds less useful sections of a long review while they fit", () => {
  const items = (word: string): string => `- The ${word} is not locked ${"and more ".repeat(14)}`;
  const review =
    `# Review\n\n${"It was long. ".repeat(90)}\n\n## Minor issues\n\n${items("log")}\n\n` +
    `## Critical issues\n\n${items("cache")}\n\n## Notes\n\n${items("name")}\n`;
  const shown = reportOf(review);
  assertMatch(shown, /^Minor issues: The log .*Critical issues: The cache /);
  assertEquals(shown.includes("Notes"), false);
});

Deno.test("reportOf() leaves out the agent's assumptions about unanswered questions", () => {
  const asked =
    "1. Where is it stored?\n\n**Assumptions if not answered**: Will store at root.\n\n";
  const key = "Key assumptions: ids are unique.";
  assertEquals(reportOf(`${asked}${key}`), `1. Where is it stored? ${key}`);
});

Deno.test("reportOf() leaves out praise, and keeps issues that must be solved", () => {
  const praise = `**What was done well:**\n${"- It is consistent and clear.\n".repeat(50)}`;
  const verdict = "Verdict: request changes\n\n1. The cache is not locked.";
  const shown = reportOf(`${verdict}\n\n${praise}\n**End**`);
  assertEquals(shown, "Verdict: request changes 1. The cache is not locked. **End**");
  const review = `# Review\n\n${"It was long. ".repeat(90)}\n\n## Important (should fix)\n\n` +
    "The page is outdated.\n\n## Verdict\n\nApproved.\n";
  const short = "Important (should fix): The page is outdated. Verdict: Approved.";
  assertEquals(reportOf(review), short);
});

Deno.test("reportOf() shows what an agent tested, without its notes before the report", () => {
  const notes = `## Self-Review\n\n**Completeness:**\n${"- It is done as asked.\n".repeat(60)}`;
  const report =
    "## Report\n\n### What I Tested\n- The test fails as expected: 0 rows, want 1\n\n" +
    "### Test Results\n```\n--- FAIL: TestRows\n```\n\n### Self-Review Findings\n- None";
  const shown = reportOf(`${notes}\n${report}`);
  assertMatch(shown, /What I Tested .*The test fails as expected: 0 rows, want 1/);
  assertEquals(shown.includes("It is done as asked"), false);
});

Deno.test("reportOf() shows more than the summary of a review if the summary only introduces other sections", () => {
  const sections = `### 1. The store\n\n${"It is written whole. ".repeat(70)}`;
  const report = `# Analysis\n\n## Summary\n\nHere is how it works:\n\n${sections}`;
  assertMatch(reportOf(report), /The store/);
});

Deno.test("reportOf() shows the verdict and the findings of a long review", () => {
  const finding = (at: number): string =>
    `**${at}. The cache ${at} is never closed**\n\nFile: \`cache${at}.ts\`\n\n` +
    `It stays open after each call ${"of many calls ".repeat(9)}. ${"So it leaks. ".repeat(9)}\n\n`;
  const review = `# Code review\n\n${"The work is clear. ".repeat(60)}\n\n### Issues\n\n` +
    `#### Important (should fix)\n\n${[1, 2, 3].map(finding).join("")}` +
    "### Assessment\n\n**Ready to merge?** No, close the caches first.\n";
  const shown = reportOf(review);
  for (const at of [1, 2, 3]) {
    assertMatch(shown, new RegExp(`The cache ${at} is never closed; File: .cache${at}`));
  }
  assertMatch(shown, /Assessment: Ready to merge\? No, close the caches first\.$/);
});

Deno.test("reportOf() shows a report of 1,200 characters whole", () => {
  const report = `${"Words of it. ".repeat(91)}And it ends`;
  assertEquals(reportOf(report.padEnd(1_200, "x")), report.padEnd(1_200, "x"));
  assertMatch(reportOf(report.padEnd(1_201, "x")), / \[…\] /);
});
