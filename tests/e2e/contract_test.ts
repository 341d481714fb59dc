/**
 * Checks the facts that trimtab relies on, for the oldest tested client and the pinned client. Facts that
 * other end-to-end tests cover are left out; `deno task contract` also checks the newest client.
 */

import { assertEquals } from "@std/assert";
import { runContract } from "../contract/run.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION } from "./bed/install.ts";
import { test } from "./client_tests.ts";

// The facts change only with the client, so only a full run checks them.
for (const version of [OLDEST_VERSION, CLIENT_VERSION]) {
  test.full(`runContract() finds no contradiction with Claude Code ${version}`, async () => {
    const chosenClient = Deno.env.get("TRIMTAB_CLIENT");
    // A client that the caller specifies takes precedence.
    if (chosenClient === undefined) Deno.env.set("TRIMTAB_CLIENT", await installClient(version));
    try {
      const findings = await runContract();
      assertEquals(findings.filter(({ contradiction }) => contradiction !== null), []);
    } finally {
      if (chosenClient === undefined) Deno.env.delete("TRIMTAB_CLIENT");
    }
  });
}
