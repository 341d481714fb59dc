import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ContextRehydrator } from "../../src/designs/context_rehydrator.ts";
import { quoteItem, quoteLine, quoteText } from "../../src/inject/plain_markdown.ts";
import {
  compactedText,
  rehydratedText,
  REHYDRATION_LEVELS,
} from "../../src/saved/views/rehydrated.ts";
import { type ContextSnapshot, snapshotOf } from "../../src/saved/save.ts";
import { saveSnapshot } from "../../src/designs/save_snapshot.ts";
import { sampleState } from "../saved/checkpoints.ts";
import { anySnapshot, hostileText, NOW } from "../saved/snapshots.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(150, 50, "snapshots that are rehydrated"), seed: 20261122 };
const HEADINGS = [
  ...["Original Requirements", "Current State", "Open Items", "Key Decisions"],
  ...["Unresolved Issues", "Next Steps", "Refused or Corrected", "Tools Used", "Changes"],
  ...["Learnings", "Before the Last Compaction", "Files", "Commands", "Git", "Names"],
  "Where It Stopped",
].map((heading) => `## ${heading}`);

function sample(): ContextSnapshot {
  return snapshotOf(sampleState(), {
    name: "auth-feature",
    now: NOW,
    phase: { phase_number: 16, phase_name: "Compaction" },
    task: { plan_id: "16-03", status: "incomplete" },
  });
}

function headingsOf(text: string): string[] {
  return text.split("\n").filter((line) => /^\s{0,3}#{1,6}(?:\s|$)/.test(line));
}

Deno.test("ContextRehydrator.rehydrate() renders each level as documented", () =>
  inFolder((projectDir) => {
    const { path } = saveSnapshot(sample(), { projectDir, now: NOW });
    const rehydrator = new ContextRehydrator({ projectDir });
    const essential = `# Restored Context: auth-feature

## Original Requirements
Implement auth with tokens
- Also log out

## Current State
Phase 16 - Compaction
Task 16-03 (incomplete)
1 of 3 steps are done.
Next: Test it
The assistant last said: Tests are next.

## Open Items
- deno test fails
- Test it
- Ship it
`;
    const decisions = `
## Key Decisions
- Use JWT (offered as: no database) — not: cookies; OAuth
`;
    const rest = `
## Files
Changed, newest first:
- /p/src/auth.ts (3 edits)
- /etc/hosts

## Git
- [commit abc1234] - Add tokens
`;
    assertEquals(rehydrator.rehydrate(path, "essential"), essential);
    for (const level of ["standard", undefined] as const) {
      assertEquals(rehydrator.rehydrate(path, level), essential + decisions + rest);
    }
    assertEquals(
      rehydrator.rehydrate(path, "comprehensive"),
      `${essential}${decisions}
## Tools Used
- Edit
- Bash

## Changes
- [/p/src/auth.ts:12-40] - created, then edited 2 times: check the token
- [/etc/hosts] - modified
- [commit abc1234] - Add tokens

## Learnings
- Port 8080 is taken
`,
    );
  }));

Deno.test("rehydratedText() has the first and the newest prompts at the lowest level, and counts the others", () => {
  const prompts = Array.from({ length: 30 }, (_, n) => `Prompt ${n}: ${"word ".repeat(60)}`);
  const requirements = prompts.map((text) => ({ text, from: { uuid: null, line: null } }));
  const text = rehydratedText(snapshotOf({ ...sampleState(), requirements }), "essential");
  assert(text.length <= 3_100, String(text.length));
  assert(text.includes("\nPrompt 0: ") && text.includes("\n- Prompt 29: "));
  assert(/\(\d+ more between\)\n/.test(text));
});

Deno.test("ContextRehydrator.listSnapshots() lists id, name, time and size of each save that can be restored", () =>
  inFolder((projectDir) => {
    const { path } = saveSnapshot(sample(), { projectDir, now: NOW });
    Deno.writeTextFileSync(path.replace("20260301_143522", "20270101_000000"), "torn");
    assertEquals(new ContextRehydrator({ projectDir }).listSnapshots(), [{
      id: "20260301_143522",
      name: "auth-feature",
      timestamp: "2026-03-01 14:35:22",
      size: `${Math.ceil(Deno.statSync(path).size / 1024)}KB`,
    }]);
  }));

Deno.test("rehydratedText() and compactedText() have only their own headings, in order, and each level keeps the headings of the level below", () => {
  // A section without content is left out.
  const headingsIn = (text: string): readonly string[] => {
    const [title, ...others] = headingsOf(text);
    assert(/^# (?:Restored|Compacted) Context: /.test(title ?? ""));
    assertEquals(others, HEADINGS.filter((heading) => others.includes(heading)));
    return others;
  };
  fc.assert(
    fc.property(anySnapshot(), (snapshot) => {
      let before: readonly string[] = [];
      headingsIn(compactedText(snapshot));
      for (const level of REHYDRATION_LEVELS) {
        const text = rehydratedText(snapshot, level);
        const others = headingsIn(text);
        // At the comprehensive level, the "Changes" section may list everything that "Files" and "Git" had.
        const lost = before.filter((one) => !others.includes(one) && one !== "## Files");
        assertEquals(lost, []);
        assertEquals(rehydratedText(snapshot, level), text, "the same bytes each time");
        before = others.filter((one) => one !== "## Git");
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
    { ...RUNS, numRuns: runsOf(3_000, 600, "texts that are quoted") },
  );
});

Deno.test("quoteText() escapes Markdown only where it has an effect, and keeps other text", () => {
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

Deno.test("quoteText() takes linear time on a megabyte of Markdown characters", () => {
  const start = performance.now();
  for (const piece of ["- ", ">", "-", "#", "1. ", "<", " "]) quoteText(piece.repeat(500_000));
  // A linear algorithm takes about 100 ms; a backtracking pattern would take hours.
  assert(performance.now() - start < 10_000);
});
