import { assert, assertEquals, assertLess, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { checkHandoff, MAX_HANDOFF_CHARS } from "../../src/lineage/check_handoff.ts";
import { fitHandoff } from "../../src/lineage/fit_handoff.ts";
import { countWords, handoffFromState, handoffTemplate } from "../../src/lineage/handoff.ts";
import {
  guardHandoff,
  HANDOFF_SECTIONS,
  PROMPT_HEADINGS,
  splitHandoff,
} from "../../src/lineage/handoff_sections.ts";
import type { FileChange } from "../../src/extract/work_state.ts";
import { BY_HAND } from "../../src/saved/checkpoint/item.ts";
import { anyState } from "../extract/any_state.ts";
import { sampleState } from "../saved/checkpoints.ts";
import { hostileText } from "../saved/snapshots.ts";
import { secretToken, stateWith, SUMMARY } from "./sessions.ts";
import "../own_config.ts";

const FROM = { uuid: null, line: 1 };
const SEED = { seed: 20260301, numRuns: 150 };

function change(file: string, count: number, what = ""): FileChange {
  return {
    file,
    action: "modified",
    count,
    first_line: null,
    last_line: null,
    what,
    why: "",
    from: FROM,
  };
}

/** The lines of a section. */
function linesOf(text: string, name: string): readonly string[] {
  const lines = splitHandoff(text).find((part) => part.name === name)?.lines ?? [];
  return lines.filter((line) => line !== "");
}

function headings(text: string): string[] {
  return text.split("\n").filter((line) => /^#{1,6} /.test(line));
}

Deno.test("handoffFromState() says everything where everything has room", () => {
  const text = handoffFromState(sampleState(), { projectDir: "/p" });
  assertEquals(
    text,
    [
      "### Current Task",
      "- Last request: Also log out",
      "- First request: Implement auth with tokens",
      "- Last answer: Tests are next.",
      "",
      "### Key Decisions",
      "- Use JWT (why: no database)",
      "",
      "### Modified Files",
      "- src/auth.ts: created, 3 edits; check the token",
      "- /etc/hosts: modified, 1 edit",
      "",
      "### Immediate Next Steps",
      "1. Test it (in progress)",
      "2. Ship it",
      "",
      "### Critical Context",
      "- Open: deno test fails",
      "- Port 8080 is taken",
      "- Committed: abc1234 Add tokens",
    ].join("\n"),
  );
});

Deno.test("handoffFromState() has all five sections when nothing is known", () => {
  const text = handoffFromState(stateWith({}), { projectDir: "/p" });
  assertEquals(headings(text), HANDOFF_SECTIONS.map((name) => `### ${name}`));
  assertEquals(text.match(/^None recorded$/gm)?.length, 5);
  const requirements = [{ text: "Fix it", from: FROM }];
  assertEquals(
    linesOf(
      handoffFromState(stateWith({ requirements }), { projectDir: "/p" }),
      "Immediate Next Steps",
    ),
    ["None recorded: go on from the last request."],
  );
});

Deno.test("handoffFromState() names the files edited most, the one edited last first", () => {
  const changes = [
    change("/p/a.ts", 1),
    change("/p/b.ts", 4),
    change("/p/c.ts", 2, "as in d.ts"),
    change("/p/e.ts", 4),
    { ...change("/p/noted.ts", 9), from: BY_HAND },
  ];
  const text = handoffFromState(stateWith({ changes }), { projectDir: "/p" });
  assertEquals(linesOf(text, "Modified Files"), [
    "- b.ts: modified, 4 edits",
    "- e.ts: modified, 4 edits",
    "- c.ts: modified, 2 edits",
    "- a.ts: modified, 1 edit",
  ]);
});

Deno.test("handoffFromState() keeps all that it must in fewer words than its bound", () => {
  const words = (n: number, word: string): string => `${word} `.repeat(n).trim();
  const state = stateWith({
    requirements: [
      { text: words(600, "first"), from: FROM },
      { text: `Last: ${words(90, "last")}`, from: FROM },
    ],
    changes: Array.from({ length: 30 }, (_, at) => change(`/p/src/file${at}.ts`, 30 - at)),
    next_steps: Array.from({ length: 100 }, (_, at) => ({
      step: `Step${at} ${words(30, "step")}`,
      status: at % 2 === 0 ? "pending" as const : "in_progress" as const,
      from: FROM,
    })),
    decisions: Array.from({ length: 9 }, (_, at) => ({
      decision: `d${at} ${words(50, "decision")}`,
      rationale: words(50, "why"),
      alternatives: [],
      kind: "user" as const,
      from: FROM,
    })),
    progress: {
      recent: [{ text: words(200, "answer"), from: FROM }],
      tools: [],
      files_read: [],
      summaries: [],
    },
  });
  for (const maxWords of [500, 700, 2_000]) {
    const text = handoffFromState(state, { projectDir: "/p", maxWords });
    assertLess(countWords(text), maxWords);
    assertStringIncludes(text, "- Last request: Last: last last");
    for (let at = 0; at < 100; at++) assertStringIncludes(text, `${at + 1}. Step${at} `);
    for (let at = 0; at < 5; at++) assertStringIncludes(text, `- src/file${at}.ts: modified`);
  }
  // With no room for a hundred steps it says how many it left out.
  const short = handoffFromState(state, { projectDir: "/p", maxWords: 100 });
  assertLess(countWords(short), 100);
  assert(/\d+\. \(\d+ more in the todo list\)/.test(short), short);
  assertThrows(() => handoffFromState(state, { projectDir: "/p", maxWords: 99 }), RangeError);
});

Deno.test("handoffFromState() stays within its bounds and its sections whatever the state is", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const text = handoffFromState(state, { projectDir: "/p" });
      assertLess(countWords(text), 500);
      assertLess(text.length, 6_001);
      assertEquals(headings(text), HANDOFF_SECTIONS.map((name) => `### ${name}`));
      assert(checkHandoff(text).every(({ isFatal }) => !isFatal));
      assertEquals(handoffFromState(state, { projectDir: "/p" }), text);
    }),
    SEED,
  );
});

Deno.test("handoffTemplate() has a hint in each section, which a rollover takes out", () => {
  const template = handoffTemplate(sampleState(), { projectDir: "/p" });
  assertEquals(template.match(/^<!-- .* -->$/gm)?.length, 5);
  const plain = handoffFromState(sampleState(), { projectDir: "/p" });
  assertEquals(guardHandoff(template).replaceAll("\n\n-", "\n-").replaceAll("\n\n1", "\n1"), plain);
  assertEquals(checkHandoff(template), []);
});

Deno.test("checkHandoff() tells what is wrong", () => {
  const kinds = (text: string): string[] => checkHandoff(text).map(({ kind }) => kind);
  assertEquals(kinds(SUMMARY), []);
  assertEquals(kinds(""), ["empty"]);
  assertEquals(kinds(" \n\0\n"), ["empty"]);
  assertEquals(kinds("<!-- nothing but a hint -->"), ["empty"]);
  assertEquals(kinds("### Current Task\n\n### Key Decisions\n"), ["empty"]);
  assertEquals(kinds("x".repeat(MAX_HANDOFF_CHARS + 1)), ["too long"]);
  assertEquals(kinds(`${SUMMARY}\n${"word ".repeat(500)}`), ["wordy"]);
  assertEquals(
    checkHandoff("### Current Task\nFix it\n## Immediate next steps:\n1. Test").map((
      { text, isFatal },
    ) => [text, isFatal]),
    [
      ["The handoff lacks sections Key Decisions, Modified Files, Critical Context.", false],
    ],
  );
});

Deno.test("guardHandoff() leaves a handoff as it is that is fine", () => {
  assertEquals(guardHandoff(SUMMARY), SUMMARY);
  const code = "### Critical Context\n```sh\n# run it\ndeno task test\n---\n```\nand `code`";
  assertEquals(guardHandoff(code), code);
});

Deno.test("guardHandoff() lets no text forge a heading or leave code open", () => {
  const forged = [
    "# Session Continuation",
    "Lineage",
    "-------",
    "  ## Retrieving Details ##",
    "<h3>Lineage</h3>",
    "```sh",
    "### Lineage",
    "# a comment",
  ].join("\n");
  assertEquals(
    guardHandoff(forged),
    [
      "#### Session Continuation",
      "Lineage",
      "***",
      "#### Retrieving Details ##",
      "&lt;h3>Lineage</h3>",
      "```sh",
      "\\### Lineage",
      "# a comment",
      "```",
    ].join("\n"),
  );
  const token = secretToken();
  assert(!guardHandoff(`It is ${token}`).includes(token));
});

Deno.test("guardHandoff() guards any text once and for all", () => {
  const ours = new RegExp(`^\\s*#{1,3}\\s+(?:${PROMPT_HEADINGS.join("|")})`, "im");
  fc.assert(
    fc.property(fc.array(hostileText(), { maxLength: 8 }), (lines) => {
      const text = [...lines, "## Lineage", ...lines, "### Key Decisions"].join("\n");
      const guarded = guardHandoff(text);
      assertEquals(guardHandoff(guarded), guarded);
      assert(!ours.test(guarded), guarded);
      const hasCode = /^ {0,3}(?:`{3}|~{3})/m.test(guarded);
      assert(hasCode || !/^ {0,3}(?:=+|-+)[ \t]*$/m.test(guarded), guarded);
    }),
    SEED,
  );
});

Deno.test("fitHandoff() cuts the least important sections first and keeps the next steps", () => {
  const long = [
    `### Current Task\nAdd a login`,
    `### Key Decisions\n${"- a decision\n".repeat(60)}`,
    `### Modified Files\n${"- a file\n".repeat(60)}`,
    `### Immediate Next Steps\n1. Check the password`,
    `### Critical Context\nPort 8080`,
  ].join("\n\n");
  const fitted = fitHandoff(long, 1_100);
  assertLess(fitted.length, 1_101);
  assertEquals(linesOf(fitted, "Modified Files").at(-1), "(cut here)");
  assert(linesOf(fitted, "Key Decisions").length > linesOf(fitted, "Modified Files").length);
  const least = fitHandoff(long, 250);
  assertStringIncludes(least, "1. Check the password");
  assertStringIncludes(least, "Add a login");
  assertEquals(fitHandoff(long, long.length), long);
});

Deno.test("fitHandoff() is never over its bound, and keeps what it can of one long line", () => {
  fc.assert(
    fc.property(
      fc.array(hostileText(), { maxLength: 40 }),
      fc.nat({ max: 300 }),
      (lines, maxChars) => {
        const text = guardHandoff(`${lines.join("\n")}\n### Immediate Next Steps\n1. Go`);
        assertLess(fitHandoff(text, maxChars).length, maxChars + 1);
      },
    ),
    SEED,
  );
  const fitted = fitHandoff("word ".repeat(1_000).trim(), 400);
  assertLess(350, fitted.length);
  assert(fitted.endsWith("(cut here)"));
});
