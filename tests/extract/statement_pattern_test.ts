// Every pattern in the tables must match its examples and must not match its counterexamples.

import { assert, assertEquals } from "@std/assert";
import { DENIAL } from "../../src/decisions/corrections.ts";
import { DECISION_CUES } from "../../src/decisions/cues.ts";
import { DECISION_STATEMENTS } from "../../src/decisions/patterns.ts";
import { FINDING_ANNOUNCED, LEARNING_STATEMENTS } from "../../src/extract/learning_patterns.ts";
import { findStatement, type StatementPattern } from "../../src/decisions/statement_pattern.ts";

type Patterns = readonly (readonly [name: string, pattern: RegExp])[];

function byName(rows: readonly StatementPattern[]): Patterns {
  return rows.map(({ name, pattern }) => [name, pattern]);
}

const TABLES: { readonly [table: string]: Patterns } = {
  DECISION_STATEMENTS: byName(DECISION_STATEMENTS),
  DECISION_CUES: Object.entries(DECISION_CUES),
  LEARNING_STATEMENTS: byName(LEARNING_STATEMENTS),
  LEARNING_CUES: Object.entries({ FINDING_ANNOUNCED, DENIAL }),
};

interface Examples {
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}

const EXAMPLES: { readonly [table: string]: { readonly [name: string]: Examples } } = {
  DECISION_STATEMENTS: {
    "let us choose": {
      match: ["Let's use SQLite", "ok let's not cache it", "yeah let's go json"],
      noMatch: ["Let's see what happens", "let's have a look", "lets users log in"],
    },
    "standing rule": {
      match: [
        "never commit to main",
        "Don't add comments",
        "we should not log it",
        "it must work offline",
        "Keep the old name",
        "we don't need a config file",
        "Make the benchmark repeatable",
        "Keep in mind that there may be none",
      ],
      noMatch: ["I don't know", "it never worked", "we keep failing", "make the change"],
    },
    "settled preference": {
      match: [
        "I'd rather keep files",
        "I want it to fail early",
        "I'd like to replace the id with a hash",
        "the default should be off",
        "Friction should hold every problem",
        "it's fine to rewrite it each time",
      ],
      noMatch: [
        "I want to know why",
        "what should I do",
        "paths that should be tested include these",
        "I like your style",
        "there should also be tests",
      ],
    },
    "labeled decision": {
      match: ["Decision: keep the index", "Key design decision: one file each"],
      noMatch: ["Decision needed", "The decision is yours", "Final decision: whether it runs"],
    },
  },
  DECISION_CUES: {
    acknowledgement: {
      match: ["Got it - files only.", "That's a good idea - use an agent", "Makes sense, skip it"],
      noMatch: ["Good question - it depends", "Let me look", "That's a sharp observation."],
    },
    agreement: {
      match: ["yes", "Sounds good!", "now, please, implement the fix", "ok go ahead"],
      noMatch: ["no", "not yet", "yesterday it worked", "what is right?"],
    },
    confirmation: {
      match: ["Does this look right so far?", "Would you like me to use a map?", "Sound good?"],
      noMatch: ["What is your goal?", "Which one?"],
    },
    trivialOffer: {
      match: ["implement the fix", "commit this", "start with phase 1", "make this change"],
      noMatch: ["fix `list()` to use all ids", "use a map"],
    },
    decided: {
      match: ["Key Decisions", "Design decisions made:", "Agreed:"],
      noMatch: ["Decisions needed", "Open decisions", "Agreed to disagree"],
    },
    undecided: {
      match: ["Problem", "Files to change", "Open questions", "Critical Issues"],
      noMatch: ["Error handling", "Data Model"],
    },
    choosing: {
      match: ["Uses one file", "Removed the cache", "Thresholds are configurable"],
      noMatch: ["Streaming is back"],
    },
    narration: {
      match: ["Let me run the tests.", "Now let me look"],
      noMatch: ["Cleanup is out of scope.", "I'll use files instead of a database"],
    },
    handedPlan: { match: ["Implement the following plan:"], noMatch: ["implement it"] },
  },
  LEARNING_STATEMENTS: {
    "root cause": {
      match: ["Root Cause: the list is never filled", "The real culprit was the cache."],
      noMatch: ["Let me find the root cause", "What is the root cause?"],
    },
    "turned out": {
      match: ["It turns out that the index is rebuilt", "The flag turned out to be ignored"],
      noMatch: ["Let us see how it turns out", "The lights turned out"],
    },
    "the reason was": {
      match: [
        "The reason for the delay was that DNS is asked first",
        "The issue is `core.excludesfile`, which needs an absolute path",
      ],
      noMatch: ["The problem is unclear", "If the issue is that it hangs, restart"],
    },
    "caused by": {
      match: ["The hang was caused by a lock", "This happens because both run at once"],
      noMatch: ["Could it be the lock", "It is because I say so"],
    },
    lesson: {
      match: ["Gotcha: the hook runs twice", "Keep in mind that ids change"],
      noMatch: ["I am learning Go", "A gotcha list follows"],
    },
    "asks to remember": {
      match: ["Remember that CI has no network", "FYI the staging key is old"],
      noMatch: ["Do you remember me", "I don't remember that"],
    },
  },
  LEARNING_CUES: {
    FINDING_ANNOUNCED: {
      match: ["Found it!", "There it is!", "I found the bug", "Found the real cause."],
      noMatch: ["Found it in three files", "Have you found the bug in this file?"],
    },
    DENIAL: {
      match: ["no. the lock is free in this run", "that's not the cause", "hmm, I don't think so"],
      noMatch: [
        "no worries",
        "now run it",
        "not yet, wait for CI",
        "No tests cover it, please add one.",
      ],
    },
  },
};

/** Linear work takes about a second; a backtracking pattern takes longer than this. */
const MAX_MILLISECONDS = 60_000;

for (const [table, patterns] of Object.entries(TABLES)) {
  for (const [name, pattern] of patterns) {
    Deno.test(`${table} matches its examples: ${name}`, () => {
      const { match, noMatch } = EXAMPLES[table]?.[name] ?? { match: [], noMatch: [] };
      assert(match.length > 0 && noMatch.length > 0);
      assertEquals(match.filter((text) => !pattern.test(text)), []);
      assertEquals(noMatch.filter((text) => pattern.test(text)), []);
      assertEquals(
        pattern.flags.replace(/[iu]/g, ""),
        "",
        "`test()` keeps a position between calls with other flags",
      );
    });
  }

  Deno.test(`${table} takes linear time on a line of 2,000 characters`, () => {
    const start = performance.now();
    const lines = ["a ", "I'll use ", "should ", "replace a ", "it is ", "the the ", "yes, ", "* "]
      .map((part) => part.repeat(2_000).slice(0, 2_000));
    for (const [, pattern] of patterns) lines.forEach((line) => pattern.test(line));
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}

Deno.test("findStatement() applies a pattern only to text of the pattern's speaker", () => {
  const nameFor = (speaker: StatementPattern["speaker"]): string | undefined =>
    findStatement("Never commit to main", DECISION_STATEMENTS, speaker)?.name;
  assertEquals([nameFor("user"), nameFor("assistant")], ["standing rule", undefined]);
});
