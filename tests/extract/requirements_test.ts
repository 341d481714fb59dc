import { assertEquals } from "@std/assert";
import {
  isRule,
  isShortReply,
  needsQuestion,
  RequirementCollector,
} from "../../src/extract/requirements.ts";

function requestsAfter(draft: string, text: string): string[] {
  const collector = new RequirementCollector();
  collector.prompt("Make the cache fast", { uuid: null, line: 1 });
  collector.prompt(draft, { uuid: null, line: 2 });
  collector.interrupted();
  collector.prompt(text, { uuid: null, line: 3 });
  return collector.finish().slice(1).map(({ text }) => text);
}

Deno.test("isShortReply() accepts up to three words of assent, or an option's key", () => {
  const replies = ["y", "yes go on", "yes yes yes", "a", "12"];
  assertEquals(replies.filter((text) => !isShortReply(text)), []);
  assertEquals(["yes yes yes yes", "123", "ab", "yes, add it"].filter(isShortReply), []);
});

Deno.test("isRule() and needsQuestion() depend on the length of a prompt", () => {
  assertEquals([240, 241].map((size) => isRule("never ".padEnd(size, "x"))), [true, false]);
  assertEquals([59, 60].map((size) => needsQuestion("w".repeat(size))), [true, false]);
  assertEquals(needsQuestion(`add a table for both changes, ${"w".repeat(60)}`), true);
});

Deno.test("RequirementCollector adds the items of the assistant's list that a message names", () => {
  const asked = (said: string, text: string): string | undefined => {
    const collector = new RequirementCollector();
    collector.prompt("Make the cache fast", { uuid: null, line: 1 });
    collector.said(said);
    collector.prompt(text, { uuid: null, line: 2 });
    return collector.finish()[1]?.text.split(" (in the assistant's list: ")[1];
  };
  const list = "Open:\n1. Lock the rows\n2. Drop the pool\n3. Rename the log\n\nThat is all.";
  const both = "1. Lock the rows; 3. Rename the log)";
  assertEquals(asked(list, "please skip 1 and 3, and do the rest"), both);
  assertEquals(asked(list, "a fix for #1 and for 3, then"), both);
  assertEquals(asked(`### 2. Old\n${list}\n### 2. Clear it\nNow.`, "examine 2."), "2. Clear it)");
  for (const text of ["fix 3 tests", "skip 1 and 4", "wait for 2%", "see a#1", "fix 2 more"]) {
    assertEquals(asked(list, text), undefined, text);
  }
  const options = "Which?\n1. Keep it local (as it is)\n2. Move it";
  const local = "Fine, it is intentional - keep it local! And then go on with the next part.";
  assertEquals(asked(options, local), "Keep it local (as it is))");
  assertEquals(asked("Which?\n1. Keep it local\n2. Move it", local), undefined);
});

Deno.test("RequirementCollector drops a stopped prompt that the next one completes or rewords", () => {
  const completed = (draft: string): number => requestsAfter(draft, `${draft} and the log`).length;
  assertEquals([completed("lock the rows x"), completed("lock the rows")], [1, 2]);
  const words = "lock rows cells pages files";
  assertEquals(requestsAfter(words, "files pages cells rows lock").length, 1);
  assertEquals(requestsAfter(words, "files pages cells rows lock cache").length, 1);
  assertEquals(requestsAfter(words, "files pages cells rows lock cache names").length, 2);
  assertEquals(requestsAfter("lock rows cells pages", "pages cells rows lock").length, 2);
});
