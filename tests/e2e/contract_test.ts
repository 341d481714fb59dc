/**
 * The contract with the pinned client and, in a full run, with the oldest that is held: every fact that
 * trimtab leans on and that no other test with the real client needs anyway. `deno task contract` looks at the newest
 * client, too.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { runContract } from "../contract/run.ts";
import { partOf } from "../full.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION } from "./bed/install.ts";

for (const version of partOf([CLIENT_VERSION, OLDEST_VERSION], 1)) {
  Deno.test(`Claude Code ${version} keeps every fact that trimtab leans on`, async () => {
    const given = Deno.env.get("TRIMTAB_CLIENT");
    // A client that the caller names is the one to test.
    if (given === undefined) Deno.env.set("TRIMTAB_CLIENT", await installClient(version));
    try {
      const { findings, skipped } = await runContract();
      for (const [id, why] of Object.entries(skipped)) {
        console.warn(`${id} is not looked at: ${why}`);
      }
      assertEquals(findings.filter(({ broken }) => broken !== null), []);
    } finally {
      if (given === undefined) Deno.env.delete("TRIMTAB_CLIENT");
    }
  });
}
