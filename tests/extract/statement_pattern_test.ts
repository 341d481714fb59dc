// Every pattern of the tables must match its examples and must not match its counterexamples.

import { assert, assertEquals } from "@std/assert";
import { DECISION_CUES } from "../../src/extract/decisions/cues.ts";
import { DECISION_STATEMENTS } from "../../src/extract/decisions/patterns.ts";
import {
  DENIAL,
  FOUND,
  INSIGHT_OPENING,
  LEARNING_HEADING,
  LEARNING_STATEMENTS,
  WITHDRAWN,
} from "../../src/extract/learning_patterns.ts";
import { findStatement, type StatementPattern } from "../../src/inject/statement_pattern.ts";

const TABLES: { readonly [table: string]: readonly StatementPattern[] } = {
  DECISION_STATEMENTS,
  DECISION_CUES: Object.values(DECISION_CUES),
  LEARNING_STATEMENTS,
  LEARNING_CUES: [LEARNING_HEADING, INSIGHT_OPENING, FOUND, WITHDRAWN, DENIAL],
};

/** A pattern that backtracks over a long text would take minutes. */
const MAX_MILLISECONDS = 2_000;

for (const [table, rows] of Object.entries(TABLES)) {
  for (const { name, pattern, examples } of rows) {
    Deno.test(`${table} meets its examples: ${name}`, () => {
      for (const text of examples.match) assert(pattern.test(text), `does not match: ${text}`);
      for (const text of examples.noMatch) assert(!pattern.test(text), `matches: ${text}`);
      assert(examples.match.length > 0 && examples.noMatch.length > 0);
      assertEquals(pattern.flags.replace(/[iu]/g, ""), "", "a pattern must not keep a position");
    });
  }

  Deno.test(`${table} takes linear time on a line of 2,000 characters`, () => {
    const start = performance.now();
    const lines = ["a ", "I'll use ", "should ", "replace a ", "it is ", "the the ", "yes, ", "* "]
      .map((part) => part.repeat(2_000).slice(0, 2_000));
    for (const { pattern } of rows) for (const line of lines) pattern.test(line);
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}

Deno.test("findStatement() depends on the speaker", () => {
  assertEquals(
    findStatement("Never commit to main", DECISION_STATEMENTS, "user")?.name,
    "standing rule",
  );
  assertEquals(findStatement("Never commit to main", DECISION_STATEMENTS, "assistant"), undefined);
});
