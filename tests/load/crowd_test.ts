import { assert } from "@std/assert";
import { IS_FULL } from "../full.ts";
import { crowd } from "./crowd.ts";

const CROWD = IS_FULL
  ? { processes: 32, durationMs: 20_000, seed: 20_261_122 }
  : { processes: 6, durationMs: 2_500, seed: 20_261_122 };

Deno.test("many processes that run hooks and commands at random lose no data, tear no file and leave no lock", async () => {
  const { processes, written } = await crowd(CROWD);
  console.log(`load: seed ${CROWD.seed}, ${processes} processes`, JSON.stringify(written));
  assert(processes >= CROWD.processes, `${processes} processes`);
  assert(Object.keys(written).length > 0, "no write was reported, so none could be lost");
});
