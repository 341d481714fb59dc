import { assert, assertEquals } from "@std/assert";
import { peakMemoryBytes, polledPeakBytes, runTimed } from "../../bench/measure.ts";

const deno = Deno.execPath();

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
