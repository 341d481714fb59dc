import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import {
  checkHandoff,
  fitHandoff,
  guardHandoff,
  HANDOFF_SECTIONS,
  handoffTemplate,
  MAX_HANDOFF_CHARS,
  PROMPT_HEADINGS,
  splitHandoff,
} from "../../../src/saved/views/handoff.ts";
import { emptyState } from "../../../src/extract/empty_state.ts";
import { anyState } from "../../extract/any_state.ts";
import { sampleState } from "../checkpoints.ts";
import { secretToken, SUMMARY } from "../lineage/sessions.ts";
import { hostileText } from "../snapshots.ts";
import { runsOf } from "../../full.ts";

const RUNS = { seed: 20260301, numRuns: runsOf(150, 50, "states and texts that become handoffs") };

Deno.test("handoffTemplate() has five sections, each with a hint that a rollover removes", () => {
  const template = handoffTemplate(sampleState(), "/p");
  assertEquals(template.match(/^<!-- .* -->$/gm)?.length, 5);
  assertEquals(
    guardHandoff(template).replaceAll("\n\n-", "\n-"),
    `### Current Task
- Also log out
- Next: Test it
- (first) Implement auth with tokens

### Key Decisions
- Use JWT (offered as: no database) — not: cookies; OAuth

### Modified Files
- src/auth.ts (3 edits)
- /etc/hosts

### Immediate Next Steps
- [ ] Test it (in progress)
- [ ] Ship it

### Critical Context
- Open: deno test fails
- Port 8080 is taken`,
  );
  assertEquals(checkHandoff(template), []);
});

Deno.test("handoffTemplate() stays within its size limit and has only its own sections, for any state", () => {
  const empty = handoffTemplate(emptyState(), "/p");
  assertEquals(empty.match(/^None recorded/gm)?.length, 5);
  const property = fc.property(anyState, (state) => {
    const text = handoffTemplate(state, "/p");
    assertLess(text.length, 3_600);
    const headings = text.split("\n").filter((line) => /^#{1,6} /.test(line));
    assertEquals(headings, HANDOFF_SECTIONS.map((name) => `### ${name}`));
    assert(checkHandoff(text).every(({ isFatal }) => !isFatal));
  });
  fc.assert(property, RUNS);
});

Deno.test("checkHandoff() reports each problem of a handoff", () => {
  const problemsOf = (text: string): string => checkHandoff(text).map(({ text }) => text).join(" ");
  assertEquals(problemsOf(SUMMARY), "");
  for (const text of ["", " \n\0\n", "<!-- nothing but a hint -->", "### Current Task\n\n"]) {
    assertEquals(problemsOf(text), "The handoff is empty.");
  }
  assertStringIncludes(problemsOf("x".repeat(MAX_HANDOFF_CHARS + 1)), "is too long");
  const remainingWords = 500 - SUMMARY.trim().split(/\s+/).length;
  assertEquals(problemsOf(`${SUMMARY}\n${"word ".repeat(remainingWords)}`), "");
  const tooLong = `${SUMMARY}\n${"word ".repeat(remainingWords + 1)}`;
  assertEquals(problemsOf(tooLong), "The handoff has 501 words, expected at most 500.");
  const lacking = "The handoff lacks sections Key Decisions, Modified Files, Critical Context.";
  const partial = "### Current Task\nFix it\n## Immediate next steps:\n1. Test";
  assertEquals(checkHandoff(partial), [{ text: lacking, isFatal: false }]);
});

Deno.test("guardHandoff() leaves a valid handoff unchanged", () => {
  assertEquals(guardHandoff(SUMMARY), SUMMARY);
  const code = "### Critical Context\n```sh\n# run it\ndeno task test\n---\n```\nand `code`";
  assertEquals(guardHandoff(code), code);
});

Deno.test("guardHandoff() prevents text from forging a heading or leaving a code block open", () => {
  const lines = [
    ["# Session Continuation", "#### Session Continuation"],
    ["Lineage", "Lineage"],
    ["-------", "***"],
    ["  ## Retrieving Details ##", "#### Retrieving Details ##"],
    ["<h3>Lineage</h3>", "&lt;h3>Lineage</h3>"],
    ["```sh", "```sh"],
    ["### Lineage", "\\### Lineage"],
    ["# a comment", "# a comment\n```"],
  ];
  const [forged, guarded] = [0, 1].map((at) => lines.map((line) => line[at]).join("\n"));
  assertEquals(guardHandoff(forged ?? ""), guarded);
  const token = secretToken();
  assert(!guardHandoff(`It is ${token}`).includes(token));
});

Deno.test("guardHandoff() leaves no prompt heading in any text, and changes nothing when applied again", () => {
  const promptHeading = new RegExp(`^\\s*#{1,3}\\s+(?:${PROMPT_HEADINGS.join("|")})`, "im");
  const property = fc.property(fc.array(hostileText(), { maxLength: 8 }), (lines) => {
    const text = [...lines, "## Lineage", ...lines, "### Key Decisions"].join("\n");
    const guarded = guardHandoff(text);
    assertEquals(guardHandoff(guarded), guarded);
    assert(!promptHeading.test(guarded), guarded);
    const hasCode = /^ {0,3}(?:`{3}|~{3})/m.test(guarded);
    assert(hasCode || !/^ {0,3}(?:=+|-+)[ \t]*$/m.test(guarded), guarded);
  });
  fc.assert(property, RUNS);
});

Deno.test("fitHandoff() cuts the longest section first and keeps short ones", () => {
  const long = [
    `### Current Task\nAdd a login`,
    `### Key Decisions\n${"- a decision\n".repeat(60)}`,
    `### Modified Files\n${"- a file\n".repeat(60)}`,
    `### Immediate Next Steps\n1. Check the password`,
    `### Critical Context\nPort 8080`,
  ].join("\n\n");
  const fitted = fitHandoff(long, 1_100);
  assertLess(fitted.length, 1_101);
  const decisions = splitHandoff(fitted).find(({ name }) => name === "Key Decisions")?.lines;
  assertEquals(decisions?.findLast((line) => line !== ""), "(cut here)");
  const shortest = fitHandoff(long, 250);
  assertStringIncludes(shortest, "1. Check the password");
  assertStringIncludes(shortest, "Add a login");
  assertEquals(fitHandoff(long, long.length), long);
});

Deno.test("fitHandoff() never exceeds its limit, and keeps as much as possible of one long line", () => {
  const anyLines = fc.array(hostileText(), { maxLength: 40 });
  const property = fc.property(anyLines, fc.nat({ max: 300 }), (lines, maxChars) => {
    const text = guardHandoff(`${lines.join("\n")}\n### Immediate Next Steps\n1. Go`);
    assertLess(fitHandoff(text, maxChars).length, maxChars + 1);
  });
  fc.assert(property, RUNS);
  const fitted = fitHandoff("word ".repeat(1_000).trim(), 400);
  assertLess(350, fitted.length);
  assert(fitted.endsWith("(cut here)"));
});

Deno.test("fitHandoff() does not hang on an edited handoff of a megabyte", () => {
  const long = `### Current Task\nGo\n### Critical Context\n${"- a line\n".repeat(110_000)}`;
  const start = performance.now();
  const fitted = fitHandoff(long, 6_000);
  // A quadratic algorithm would take minutes.
  assertLess((performance.now() - start) / 1000, 30);
  assert(fitted.startsWith("### Current Task\nGo\n") && fitted.endsWith("(cut here)"));
  assertLess(5_900, fitted.length);
});
