/**
 * The contract with the pinned client: every fact that trimtab leans on and that no other test with the
 * real client needs anyway. `deno task contract` looks at the newest client, too.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { runContract } from "../contract/run.ts";

Deno.test("runContract() finds that the client keeps every fact that trimtab leans on", async () => {
  const { findings, skipped } = await runContract();
  for (const [id, why] of Object.entries(skipped)) console.warn(`${id} is not looked at: ${why}`);
  assertEquals(findings.filter(({ broken }) => broken !== null), []);
});
