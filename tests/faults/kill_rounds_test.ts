import { assert, assertEquals } from "@std/assert";
import { IS_FULL } from "../full.ts";
import { rounds } from "./kill_rounds.ts";

/** Each write path once; a full run kills all of them at many calls. */
const ROUNDS = IS_FULL ? 495 : 9;

const SEED = 20_261_122;

Deno.test("kill -9 at random points leaves whole files, no held lock and no file that blocks the next run", async () => {
  const figures = await rounds(ROUNDS, SEED);
  console.log(`kills: seed ${SEED}`, JSON.stringify(figures));
  const { killedAtCall, killedAtTime, finished } = figures;
  assertEquals(killedAtCall + killedAtTime + finished, ROUNDS);
  assert(killedAtTime === ROUNDS / 3 && finished <= ROUNDS / 9, "too few processes were killed");
});
