/**
 * The contract with the pinned client and, in a full run, with the oldest supported client: every fact
 * that trimtab relies on and that no other end-to-end test checks. `deno task contract` also checks the
 * newest client.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { runContract } from "../contract/run.ts";
import { partOf } from "../full.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION } from "./bed/install.ts";

for (const version of partOf([CLIENT_VERSION, OLDEST_VERSION], 1)) {
  Deno.test(`Claude Code ${version} keeps every fact that trimtab relies on`, async () => {
    const given = Deno.env.get("TRIMTAB_CLIENT");
    // A client that the caller names takes precedence.
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
