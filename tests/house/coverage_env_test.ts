import { assertEquals, assertMatch } from "@std/assert";
import { measuredEnv, selfCheck } from "../../tools/coverage_env.ts";

Deno.test("measuredEnv() makes children report a line that never ran as uncovered", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    assertEquals(await selfCheck(await measuredEnv(folder)), undefined);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("selfCheck() reports when the code cache hides a line that never ran", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    assertMatch(await selfCheck({ DENO_DIR: folder }) ?? "", /never ran counts as run/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
