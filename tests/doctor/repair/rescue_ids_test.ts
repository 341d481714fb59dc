import { CallTable } from "../../../src/doctor/repair/calls.ts";
import { assertEquals } from "@std/assert";
import { IdTable } from "../../../src/doctor/repair/ids.ts";

Deno.test("IdTable finds the newest number of every id, however many there are", () => {
  const table = new IdTable();
  const ids = Array.from({ length: 30_000 }, (_, n) => `${n}-0000-4000-8000-日本-${n * 7919}`);
  for (const id of ids) table.add(id);
  for (const id of ids.slice(0, 100)) table.add(id);
  assertEquals(table.count, 30_100);
  for (const [number, id] of ids.entries()) {
    assertEquals(table.find(id), number < 100 ? 30_000 + number : number);
    assertEquals(table.idOf(number), id);
  }
  assertEquals([table.idOf(30_099), table.idOf(30_100), table.find("x")], [ids[99], undefined, -1]);
});

Deno.test("IdTable accepts an empty id, and ids longer than a chunk", () => {
  const table = new IdTable();
  const long = "x".repeat(300_000);
  for (const id of ["a", long, "", `${long}y`, "b"]) table.add(id);
  const numbers = ["a", long, "", `${long}y`, "b", `${long}z`].map((id) => table.find(id));
  assertEquals(numbers, [0, 1, 2, 3, 4, -1]);
  assertEquals(table.idOf(3), `${long}y`);
});

Deno.test("CallTable records call and result of each id, in any order", () => {
  const table = new CallTable();
  table.add({ calls: ["first"], results: ["early"] });
  table.add({ calls: ["early", "open"], results: ["first", "first"] });
  assertEquals(
    ["first", "early", "open", "none"].map((id) => [table.isMade(id), table.isAnswered(id)]),
    [[true, true], [true, true], [true, false], [false, false]],
  );
});
