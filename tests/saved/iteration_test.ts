import { assertEquals } from "@std/assert";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { saveOptions, tempProject } from "./checkpoints.ts";
import "../own_config.ts";

Deno.test("writeCheckpoint() continues counting when the counter is lost, damaged, too low or too high", () => {
  using place = tempProject();
  const path = `${place.projectDir}/.claude/trimtab/iteration`;
  const next = (): number => writeCheckpoint(emptyState(), saveOptions(place)).iteration;
  assertEquals([next(), next()], [1, 2]);
  let number = 2;
  for (const damage of ["", "many\n", "-7\n", "1e9\n", "2\n", "\0\0\0", "9".repeat(400)]) {
    Deno.writeTextFileSync(path, damage);
    assertEquals(next(), ++number, JSON.stringify(damage));
  }
  Deno.removeSync(path);
  assertEquals(next(), ++number);
  for (const [kept, expected] of [[1e9 + 1, ++number], [1e9, 1e9 + 1]] as const) {
    Deno.writeTextFileSync(path, `${kept}\n`);
    assertEquals(next(), expected);
  }
});
