import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ContextExtractor } from "../../src/designs/context_extractor.ts";
import { ContextRehydrator } from "../../src/designs/context_rehydrator.ts";
import { sizeInKb } from "../../src/inject/bound.ts";
import { quoteItem, quoteLine, quoteText } from "../../src/inject/plain_markdown.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/snapshot/rehydrated_text.ts";
import { type ContextSnapshot, snapshotOf } from "../../src/saved/snapshot/snapshot.ts";
import { snapshotFolder } from "../../src/saved/snapshot/place.ts";
import { saveSnapshot } from "../../src/saved/snapshot/store.ts";
import { anySnapshot, fullState, hostileText, inProject, NOW } from "../saved/snapshots.ts";
import "../own_config.ts";

const RUNS = { numRuns: 500, seed: 20261122 };
const HEADINGS = [
  "## Original Requirements",
  "## Current State",
  "## Open Items",
  "## Key Decisions",
  "## Tools Used",
  "## Changes",
];

/** Counts the prompts that a level leaves out. */
const GAP = /^\(\d+ more between\)$/;

function sample(): ContextSnapshot {
  return snapshotOf(fullState(), {
    name: "auth-feature",
    now: NOW,
    phase: { phase_number: 16, phase_name: "Compaction" },
    task: { plan_id: "16-03", status: "incomplete" },
  });
}

function headingsOf(text: string): string[] {
  return text.split("\n").filter((line) => /^\s{0,3}#{1,6}(?:\s|$)/.test(line));
}

Deno.test("ContextRehydrator.rehydrate() words each level as documented", () =>
  inProject((projectDir) => {
    const { path } = saveSnapshot(sample(), { projectDir, now: NOW });
    const rehydrator = new ContextRehydrator({ projectDir });
    const essential = `# Restored Context: auth-feature

## Original Requirements
Add JWT authentication
to all endpoints

Later:
- Leave the health check open

## Current State
Phase 16 - Compaction
Task 16-03 (incomplete)
1 of 3 steps are done.
Now: Write the middleware
Files changed: src/auth.ts
Commits: Verify tokens
The verifier is done.
`;
    const openItems = `
## Open Items
- npm test fails: timeout
- Write the middleware
- Document it

## Key Decisions
- Sign with RS256
`;
    assertEquals(rehydrator.rehydrate(path, "essential"), essential);
    assertEquals(rehydrator.rehydrate(path), essential + openItems);
    assertEquals(rehydrator.rehydrate(path, "standard"), essential + openItems);
    assertEquals(
      rehydrator.rehydrate(path, "comprehensive"),
      `${essential}${openItems}  - Rationale: The gateway has the public key
  - Alternatives: HS256; opaque tokens

## Tools Used
- Bash
- Edit

## Changes
- [src/auth.ts:1-80] created 3 times: check the issuer
- commit 3f2a91c Verify tokens

## Learnings
- Tests need a running Redis
`,
    );
  }));

Deno.test("rehydratedText() has the first prompt and the newest at the least level, and counts the others", () => {
  const prompts = ["Add a login", "Use bcrypt", "Add tests", "Now the docs", "Mention the limits"];
  const snapshot = snapshotOf({
    ...fullState(),
    requirements: prompts.map((text) => ({ text, from: { uuid: null, line: null } })),
    trail: {
      stopped: [],
      commands: [],
      refused: [],
      branch: "",
      links: [],
      read: [],
      plans: [],
      names: [],
    },
  }, { now: NOW });
  const text = rehydratedText(snapshot, "essential");
  assertEquals(
    text.slice(0, text.indexOf("## Current State")),
    `# Restored Context: 20260301_143522

## Original Requirements
Add a login
(3 more between)
- Mention the limits

`,
  );
});

Deno.test("ContextRehydrator.rehydrate() refuses an unknown level and a missing file", () => {
  const rehydrator = new ContextRehydrator();
  assertThrows(
    // @ts-expect-error What a program in JavaScript may pass.
    () => rehydrator.rehydrate("x.json", "all"),
    RangeError,
    'the level is "all", expected essential, standard, comprehensive',
  );
  assertThrows(() => rehydrator.rehydrate("/nowhere/x.json"), Error, "there is no such file");
});

Deno.test("ContextRehydrator.listSnapshots() gives id, name, time and size of what can be restored", () =>
  inProject((projectDir) => {
    const { path } = saveSnapshot(sample(), { projectDir, now: NOW });
    Deno.writeTextFileSync(`${snapshotFolder({ projectDir })}/20270101_000000.json`, "torn");
    assertEquals(new ContextRehydrator({ projectDir }).listSnapshots(), [{
      id: "20260301_143522",
      name: "auth-feature",
      timestamp: "2026-03-01 14:35:22",
      size: `${Math.ceil(Deno.statSync(path).size / 1024)}KB`,
    }]);
  }));

Deno.test("sizeInKb() rounds up", () => {
  assertEquals(sizeInKb(1, 1, 1025), "4KB", "the sum of 1KB, 1KB and 2KB");
  assertEquals([0, 1, 1024, 1025, 15_000].map((bytes) => sizeInKb(bytes)), [
    "0KB",
    "1KB",
    "1KB",
    "2KB",
    "15KB",
  ]);
});

Deno.test("REHYDRATION_LEVELS are the three levels, also on the class", () => {
  assertEquals([...REHYDRATION_LEVELS], ["essential", "standard", "comprehensive"]);
  assertEquals(ContextRehydrator.LEVELS, REHYDRATION_LEVELS);
});

/** Headings of what a snapshot without a trail does not know. */
const TRAIL_HEADINGS = [
  "## Refused or Corrected",
  "## Commands",
  "## Files",
  "## Git",
  "## Names",
  "## Where It Stopped",
];

Deno.test("rehydratedText() says at each level all that it said at the one before", () => {
  fc.assert(
    fc.property(anySnapshot(), (snapshot) => {
      const texts = REHYDRATION_LEVELS.map((level) => rehydratedText(snapshot, level));
      for (const [i, text] of texts.entries()) {
        const next = new Set((texts[i + 1] ?? text).split("\n"));
        for (const line of text.split("\n")) assert(next.has(line) || GAP.test(line), line);
      }
    }),
    RUNS,
  );
});

Deno.test("rehydratedText() has its own headings alone, in their order, whatever the session said", () => {
  fc.assert(
    fc.property(anySnapshot(), (snapshot) => {
      for (const [i, level] of REHYDRATION_LEVELS.entries()) {
        const text = rehydratedText(snapshot, level);
        const [title, ...others] = headingsOf(text);
        assert(title?.startsWith("# Restored Context: "));
        const own = others.filter((one) => !TRAIL_HEADINGS.includes(one));
        const steps = i === 0 && own.includes("## Open Items") ? 1 : 0;
        assert(steps === 0 || snapshot.trail !== undefined);
        const known = [
          ...HEADINGS.slice(0, 2 * (i + 1) + steps),
          ...(i === 2 ? ["## Learnings"] : []),
        ];
        // A section that has nothing to say is left out.
        assertEquals(own, known.filter((heading) => own.includes(heading)));
        assert(!text.includes("None recorded"));
        if (snapshot.trail === undefined) assertEquals(own, others);
        assertEquals(rehydratedText(snapshot, level), text, "the same bytes each time");
      }
    }),
    RUNS,
  );
});

Deno.test("quoteText() leaves no heading, fence, rule or tag at the start of a line", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const quoted = quoteText(text);
      const lines = quoted.split("\n");
      for (const line of lines) {
        const bare = line.replace(/^(?:\s|[-*+]\s|\d+[.)]\s|>)*/, "");
        assert(!/^(?:#{1,6}(?:\s|$)|```|~~~|=+\s*$|-+\s*$|<)/.test(bare), JSON.stringify(line));
      }
      assertEquals(quoteText(quoted), quoted, "quoting again changes nothing");
      assertEquals(quoteLine(text).includes("\n"), false);
      assert(quoteItem(text).split("\n").slice(1).every((line) => /^ {2}|^$/.test(line)));
    }),
    { ...RUNS, numRuns: 3_000 },
  );
});

Deno.test("quoteText() takes out a backslash's worth and keeps other words as they are", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["- [ ] done\n  - more", "- [ ] done\n  - more"],
    ["#hashtag and a # b", "#hashtag and a # b"],
    ["-- flag\n---", "-- flag\n\\---"],
    ["> ## quoted", "> \\## quoted"],
    ["1. # x", "1. \\# x"],
    ["a < b\n<div>", "a < b\n\\<div>"],
    ["title\n- ", "title\n\\-"],
    ["`code` and ``two``", "`code` and ``two``"],
  ];
  for (const [text, expected] of rows) assertEquals(quoteText(text), expected);
});

Deno.test("quoteText() takes a megabyte of marks in no time", () => {
  const start = performance.now();
  for (const piece of ["- ", ">", "-", "#", "1. ", "<", " "]) quoteText(piece.repeat(500_000));
  // Linear work takes some 100 ms; a backtracking pattern would take hours.
  assert(performance.now() - start < 10_000);
});

Deno.test("ContextExtractor and ContextRehydrator bring a conversation back", () =>
  inProject((projectDir) => {
    const extractor = new ContextExtractor({ projectDir, now: () => NOW });
    const context = extractor.extractFromConversation([
      { role: "user", content: "Rename the parser to reader" },
    ]);
    const text = new ContextRehydrator({ projectDir })
      .rehydrate(extractor.createSnapshot(context), "comprehensive");
    assert(text.startsWith("# Restored Context: 20260301_143522\n"));
    assert(text.includes("## Original Requirements\nRename the parser to reader\n"));
    assert(!text.includes("## Open Items") && !text.includes("None recorded"));
  }));
