import { assert, assertEquals } from "@std/assert";
import { emptyState } from "../../src/extract/empty_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import { BY_HAND, withoutOrigins } from "../../src/layout/lines.ts";
import { carryOver } from "../../src/saved/merge.ts";
import { mergeNotes } from "../../src/saved/notes.ts";
import type { Said, WorkState } from "../../src/core/work_state.ts";
import { sampleState, viewOf } from "./checkpoints.ts";

const ORIGIN = { uuid: null, line: 100 };

Deno.test("carryOver() drops the earlier issues and assistant messages", () => {
  const { issues, progress } = carryOver(emptyState(), sampleState(), "/p");
  assertEquals([issues, progress.recent], [[], []]);
});

Deno.test("carryOver() keeps the newer state's count of uncommitted files, even if it is 0 or unknown", () => {
  const withEdits = (uncommitted: number): WorkState => ({
    ...emptyState(),
    trail: { ...emptyTrail(), uncommitted },
  });
  const countOf = (newer: number, older: number): number | undefined =>
    carryOver(withEdits(newer), withEdits(older), "/p").trail?.uncommitted;
  assertEquals([countOf(3, 5), countOf(0, 5)], [3, 0]);
  const { trail } = carryOver(emptyState(), withEdits(5), "/p");
  assertEquals(trail, emptyTrail(), "the newer count is unknown");
});

Deno.test("carryOver() puts new facts first and merges equal ones", () => {
  const before = sampleState();
  const [change] = before.changes;
  assert(change !== undefined);
  const rest = { rationale: "", alternatives: [], kind: "user", from: ORIGIN } as const;
  const newer: WorkState = {
    ...emptyState(),
    requirements: [{ text: "And sign in", from: ORIGIN }],
    changes: [{ ...change, action: "modified", count: 2, last_line: 90 }],
    decisions: ["Use RS256", "use jwt"].map((decision) => ({ decision, ...rest })),
    next_steps: [{ step: "Sign in", status: "pending", from: ORIGIN }],
    learnings: [{ text: "The clock is UTC", from: ORIGIN }],
  };
  const carried = carryOver(newer, before, "/p");
  const textsOf = (all: readonly Said[]): string[] => all.map(({ text }) => text);
  const requests = ["Implement auth\n\nwith tokens", "Also log out", "And sign in"];
  assertEquals(textsOf(carried.requirements), requests);
  assertEquals(carried.decisions.map((one) => [one.decision, one.rationale, one.kind]), [
    ["Use RS256", "", "user"],
    ["use jwt", "no database", "user"],
  ]);
  assertEquals(textsOf(carried.learnings), ["The clock is UTC", "Port 8080 is taken"]);
  assertEquals(carried.next_steps.map(({ step }) => step), ["Sign in"]);
  const [auth, ...others] = carried.changes;
  const { action, count, first_line, last_line } = auth ?? {};
  assertEquals([action, count, first_line, last_line], ["created", 3, 12, 90]);
  assertEquals(others.map(({ file }) => file), ["/etc/hosts"]);
});

Deno.test("carryOver() keeps the description and reason of a change until newer ones exist", () => {
  const [change] = sampleState().changes;
  assert(change !== undefined);
  const stateWith = (what: string, why: string): WorkState => {
    return { ...emptyState(), changes: [{ ...change, what, why }] };
  };
  const wordsOf = (what: string, why: string): unknown[] =>
    carryOver(stateWith(what, why), stateWith("a form", "to log in"), "/p").changes
      .map((one) => [one.what, one.why]);
  assertEquals(wordsOf("", ""), [["a form", "to log in"]]);
  assertEquals(wordsOf("a page", "for guests"), [["a page", "for guests"]]);
});

Deno.test("carryOver() keeps a person's notes in each round, except completed steps", () => {
  const notes = `Half way there.
## Task
- Mind the old browsers
## What Changed
- rewrote the router
- [src/auth.ts:1] - removed a hack
## Why Changed
- it was slow
## Active Issues
- The staging server is down
## Next Steps
- [ ] Call the customer
- [x] Write to the customer
`;
  let state = mergeNotes(sampleState(), notes, { projectDir: "/p" });
  const step = { step: "Go on", status: "pending", from: ORIGIN } as const;
  const next: WorkState = { ...emptyState(), next_steps: [step] };
  for (let round = 0; round < 10; round++) state = carryOver(next, state, "/p");
  const noted = [...viewOf(state).matchAll(/^- (.*) \(noted by hand\)$/gm)].map(([, note]) => note);
  assertEquals(noted, [
    "Mind the old browsers",
    "rewrote the router",
    "[src/auth.ts:1] - removed a hack",
    "it was slow",
    "The staging server is down",
    "[ ] Call the customer",
    "Half way there.",
  ]);
});

Deno.test("carryOver() keeps the order of requirements when only some of them fit", () => {
  const requirements = Array.from({ length: 30 }, (_, n) => ({
    text: `${n} ${"word ".repeat(60)}`.trim(),
    from: { uuid: null, line: n + 1 },
  }));
  const state = mergeNotes({ ...emptyState(), requirements }, "## Task\n- by hand\n");
  assertEquals(carryOver(state, state, "/p"), state);
  const numbers = (one: WorkState): string[] =>
    one.requirements.map(({ text }) => text.split(" ")[0] ?? "");
  const later = {
    ...emptyState(),
    requirements: [...requirements.slice(28), { text: "new", from: ORIGIN }],
  };
  const carried = numbers(carryOver(later, state, "/p"));
  assertEquals([carried[0], ...carried.slice(-4)], ["0", "28", "29", "new", "by"]);
  assertEquals(new Set(carried).size, carried.length);
});

Deno.test("withoutOrigins() removes the line numbers and ids of entries, but keeps the kinds of decisions and a person's notes", () => {
  const note = { text: "d", from: BY_HAND };
  const { decisions, learnings, changes } = withoutOrigins({
    ...sampleState(),
    learnings: [...sampleState().learnings, note],
  });
  const noPlace = { uuid: null, line: null };
  assertEquals(decisions.map(({ kind, from }) => [kind, from]), [["answer", noPlace]]);
  assertEquals(learnings, [{ text: "Port 8080 is taken", from: noPlace }, note]);
  assertEquals(changes.map(({ from }) => from), [noPlace, noPlace]);
});
