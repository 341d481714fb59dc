import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  findProgram,
  median,
  peakMemoryBytes,
  polledPeakBytes,
  runTimed,
} from "../../bench/measure.ts";

const deno = Deno.execPath();

Deno.test("median() returns the middle value, the lower of two, and rejects an empty list", () => {
  assertEquals(median([3, 1, 2]), 2);
  assertEquals(median([4, 1, 3, 2]), 2);
  assertThrows(() => median([]), RangeError, "Cannot take a median");
});

Deno.test("runTimed() passes stdin and variables and reports output, code and time", async () => {
  const program = `
    const text = await new Response(Deno.stdin.readable).text();
    console.log(text + Deno.env.get("GREETING"));
    console.error("trouble");
    Deno.exit(3);`;
  const run = await runTimed({
    argv: [deno, "eval", program],
    stdin: "stdin and ",
    env: { GREETING: "hello" },
  });
  assertEquals(run.stdout, "stdin and hello\n");
  assertEquals(run.stderr, "trouble\n");
  assertEquals(run.code, 3);
  assert(run.wallMs > 1 && run.wallMs < 60_000, `${run.wallMs} ms`);
});

Deno.test("runTimed() accepts a process that does not read its stdin", async () => {
  const run = await runTimed({ argv: [deno, "eval", ""], stdin: "x".repeat(1_000_000) });
  assertEquals(run.code, 0);
});

Deno.test("runTimed() throws when the program is missing", async () => {
  await assertRejects(() => runTimed({ argv: ["no-such-program-here"] }), Deno.errors.NotFound);
});

Deno.test({
  name: "peakMemoryBytes() and polledPeakBytes() measure a process's peak memory",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    for (const peak of [peakMemoryBytes, polledPeakBytes]) {
      const holding = (bytes: number) =>
        peak({ argv: [deno, "eval", `new Uint8Array(${bytes}).fill(1)`] });
      const small = await holding(1);
      const large = await holding(300_000_000);
      assert(small !== null && large !== null);
      const difference = large - small;
      assert(difference > 200_000_000 && difference < 500_000_000, `${difference} bytes`);
    }
  },
});

Deno.test("findProgram() finds only programs that can be run", async () => {
  assertEquals(await findProgram("no-such-program-here"), null);
  assert((await findProgram("cp"))?.endsWith("cp"));
});
