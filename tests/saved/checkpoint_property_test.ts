import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MAX_CHECKPOINT_CHARS, metaOfText } from "../../src/saved/views/checkpoint_view.ts";
import { carryOver, mergeDuplicates } from "../../src/saved/merge.ts";
import { checkSave } from "../../src/saved/check.ts";
import { contentOf, snapshotFromContent, stateOf } from "../../src/saved/save.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { anyState } from "../extract/any_state.ts";
import type { WorkState } from "../../src/core/work_state.ts";
import { viewOf } from "./checkpoints.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(150, 50, "states that a checkpoint shows"), seed: 20260301 };

const END = "<!-- trimtab: end of checkpoint 2026-03-01-120000 -->";

const SECTIONS = [
  ...["Task", "What Changed", "Why Changed", "Active Issues", "Key Decisions", "Next Steps"],
  ...["Learnings", "Progress"],
];
const OPTIONAL = [
  ...["Before the Last Compaction", "Refused or Corrected", "Files", "Commands", "Git"],
  ...["Names", "Where It Stopped"],
];

Deno.test("checkpointView() has only its own headings, safe text and a bounded size, for any state", () => {
  const property = fc.property(anyState, (state) => {
    const text = viewOf(state);
    assert(text.length <= MAX_CHECKPOINT_CHARS);
    assert(text.isWellFormed());
    assert(!/[^\n\x20-\u{10ffff}]|[\x7f-\x9f\u2028\u2029\u202e\u2066]/u.test(text));
    assert(!/<[\s/]*(?:system-reminder|trimtab-)/i.test(text));
    const lines = text.split("\n");
    const headings = lines.filter((line) => line.startsWith("#"));
    const present = OPTIONAL.filter((name) => headings.includes(`## ${name}`));
    assertEquals(headings, [...SECTIONS, ...present].map((name) => `## ${name}`));
    assertEquals(lines.filter((line) => line === "---").length, 2);
    assertEquals(lines.filter((line) => line.includes("<!--")), [END]);
    assertEquals(lines.at(-2), END);
    assertEquals(metaOfText(text)?.id, "2026-03-01-120000");
  });
  fc.assert(property, RUNS);
});

Deno.test("stateOf() restores the state that contentOf() received, after a round trip through JSON", () => {
  const property = fc.property(anyState, (state) => {
    const whole = mergeDuplicates(state, "/p");
    const content = contentOf(whole);
    const save = snapshotFromContent(content, { now: new Date(0) });
    assertEquals(checkSave(JSON.parse(JSON.stringify(save))), []);
    const again = stateOf(JSON.parse(JSON.stringify(save)));
    assertEquals(contentOf(again), JSON.parse(JSON.stringify(content)));
  });
  fc.assert(property, RUNS);
});

Deno.test("carryOver() changes nothing when it is repeated ten times", () => {
  const property = fc.property(anyState, anyState, (first, second) => {
    const once = carryOver(second, carryOver(second, first, "/p"), "/p");
    let state = once;
    for (let round = 0; round < 10; round++) state = carryOver(second, state, "/p");
    assertEquals(state, once);
  });
  fc.assert(property, { ...RUNS, numRuns: runsOf(100, 40, "states that are carried over") });
});

Deno.test("carryOver() keeps all lasting facts when the new state is empty", () => {
  const property = fc.property(anyState, (state) => {
    const before = mergeDuplicates(state, "/p");
    const after = carryOver(emptyState(), before, "/p");
    const lasting = ["requirements", "changes", "decisions", "learnings", "commits"] as const;
    for (const part of [...lasting, "next_steps"] as const) {
      assertEquals<unknown>(after[part], before[part], part);
    }
  });
  fc.assert(property, RUNS);
});

Deno.test("checkpointView() stays within its size limit for states of any size", () => {
  const from = { uuid: null, line: 1 };
  const lines = { first_line: 1, last_line: 2 };
  for (const piece of ["word ", '"', "<!--", "😀", "\x1b[31m"]) {
    const texts = Array.from({ length: 12 }, (_, n) => `${n} ${piece.repeat(1_000)}`);
    const huge = piece.repeat(20_000);
    const items = [...texts, huge].map((text) => ({ text, from }));
    const state: WorkState = {
      ...emptyState(huge),
      requirements: items,
      learnings: items,
      changes: texts.map((text) => {
        return { file: text, action: "modified", count: 1, ...lines, what: text, why: text, from };
      }),
      decisions: texts.map((decision) => {
        return { decision, rationale: decision, alternatives: texts, kind: "user", from };
      }),
      issues: texts.map((issue) => ({ issue, kind: "tool", from })),
      next_steps: texts.map((step) => ({ step, status: "pending", from })),
    };
    const text = viewOf(state, { project: huge, session_id: huge, parent: huge, summary: huge });
    assert(text.length <= MAX_CHECKPOINT_CHARS, `${JSON.stringify(piece)}: ${text.length}`);
    assert(text.endsWith(`${END}\n`));
  }
});
