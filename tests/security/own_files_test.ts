// A cloned project can bring any content under the names of trimtab's own files.

import { assertEquals, assertGreater } from "@std/assert";
import { play } from "./play.ts";

Deno.test("no link, pipe or device in place of trimtab's files leads outside or hangs", async () => {
  const { cases, problems } = await play("replacedFiles");
  assertEquals(problems, []);
  assertGreater(cases, 500);
});

Deno.test("hostile ids and paths inside of trimtab's files lead nowhere", async () => {
  const { cases, problems } = await play("hostileContents");
  assertEquals(problems, []);
  assertGreater(cases, 300);
});
