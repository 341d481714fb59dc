// A missing permission is a clear error of a command and no trouble of a hook; never a question, and
// never a trace. Each script under just its own permissions is looked at by `full.ts`.

import { assertEquals, assertGreater } from "@std/assert";
import { play } from "./play.ts";

for (const kind of ["Read", "Write", "Env", "Run"]) {
  Deno.test(`commands and hooks without ${kind.toLowerCase()} say so and do no harm`, async () => {
    const { cases, problems } = await play(`denied${kind}`);
    assertEquals(problems, []);
    assertGreater(cases, 30);
  });
}
