/**
 * Checks the facts that trimtab relies on, for the client that `TRIMTAB_CLIENT` specifies, or else for the
 * oldest tested client and the pinned client. Facts that other end-to-end tests cover are left out.
 */

import { assertEquals } from "@std/assert";
import { runContract } from "../contract/run.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION } from "./bed/install.ts";
import { clientVersion } from "./bed/version.ts";
import { test } from "./client_tests.ts";

const chosenClient = Deno.env.get("TRIMTAB_CLIENT") ?? "";
const versions = chosenClient === "" ? [OLDEST_VERSION, CLIENT_VERSION] : [await clientVersion()];

// The facts change only with the client, so only a full run checks them.
for (const version of versions) {
  test.full(`runContract() finds no contradiction with Claude Code ${version}`, async (t) => {
    if (chosenClient === "") Deno.env.set("TRIMTAB_CLIENT", await installClient(version));
    try {
      for (const { fact, contradiction } of await runContract()) {
        await t.step(fact, () => assertEquals(contradiction, null));
      }
    } finally {
      if (chosenClient === "") Deno.env.delete("TRIMTAB_CLIENT");
    }
  });
}
