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

Deno.test("RequirementCollector drops a stopped prompt that the next one completes or rewords", () => {
  const completed = (draft: string): number => requestsAfter(draft, `${draft} and the log`).length;
  assertEquals([completed("lock the rows x"), completed("lock the rows")], [1, 2]);
  const words = "lock rows cells pages files";
  assertEquals(requestsAfter(words, "files pages cells rows lock").length, 1);
  assertEquals(requestsAfter(words, "files pages cells rows lock cache").length, 1);
  assertEquals(requestsAfter(words, "files pages cells rows lock cache names").length, 2);
  assertEquals(requestsAfter("lock rows cells pages", "pages cells rows lock").length, 2);
});
