// Without a permission, a command fails with a clear error and a hook exits 0; neither asks for the
// permission or prints a trace. `full.ts` runs each script with exactly its own permissions.

import { assertEquals, assertGreater } from "@std/assert";
import { play } from "./play.ts";

for (const kind of ["Read", "Write", "Env", "Run"]) {
  Deno.test(`commands and hooks without ${kind.toLowerCase()} say so and do no harm`, async () => {
    const { cases, problems } = await play(`denied${kind}`);
    assertEquals(problems, []);
    assertGreater(cases, 30);
  });
}
