// Hostile values in place of an id or a path, on command lines, in the environment and in payloads:
// each is rejected with a clear error, and no file outside is touched or printed.

import { assertEquals, assertGreater } from "@std/assert";
import { play } from "./play.ts";

Deno.test("every command refuses hostile ids, names and paths with a clear error", async () => {
  const { cases, problems } = await play("hostileArguments");
  assertEquals(problems, []);
  assertGreater(cases, 500);
});

Deno.test("every hook stays silent and inside its folders for any names in its payload", async () => {
  const { cases, problems } = await play("hostilePayloads");
  assertEquals(problems, []);
  assertGreater(cases, 300);
});
