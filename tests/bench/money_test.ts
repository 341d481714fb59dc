import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { billedError, requestsOf } from "../../bench/money.ts";
import { runDeno } from "../../tools/child.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

interface Step {
  /** Input tokens of the request. */
  readonly usage: readonly [read: number, written: number, fresh: number];
  /** Length of the call's result, in characters. */
  readonly output: number;
}

function sessionOf(steps: readonly Step[]): string[] {
  return steps.flatMap(({ usage: [read, written, fresh], output }, n) => {
    const path = `/p/file_${n}.ts`;
    const lineOf = (m: number): string => `const line_${n}_${m} = "${"x".repeat(20)}";`;
    const text = Array.from({ length: output / 40 }, (_, m) => lineOf(m)).join("\n");
    const usage = {
      input_tokens: fresh,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 10,
    };
    const call = { type: "tool_use", id: `t${n}`, name: "Read", input: { file_path: path } };
    const result = { type: "tool_result", tool_use_id: `t${n}`, content: text };
    const message = { id: `m${n}`, role: "assistant", model: "claude-sonnet-4-6", usage };
    const [answer, answered] = [{ ...message, content: [call] }, {
      role: "user",
      content: [result],
    }];
    const parentUuid = n === 0 ? null : `r${n - 1}`;
    return [
      { type: "assistant", uuid: `a${n}`, parentUuid, message: answer },
      { type: "user", uuid: `r${n}`, parentUuid: `a${n}`, message: answered },
    ].map((line) => JSON.stringify({ sessionId: "s", ...line }));
  });
}

/** Each request adds 10,000 tokens to the context. The cache misses at the first request and once more. */
const STEPS = Array.from({ length: 30 }, (_, n): Step => {
  const size = 20_000 + n * 10_000;
  const isMiss = n === 0 || n === 7;
  return { usage: isMiss ? [0, size - 3, 3] : [size - 10_000, 9_997, 3], output: 30_000 };
});

Deno.test("billedError() is near zero, since the replay misses the cache where the session did", () => {
  const requests = requestsOf(sessionOf(STEPS));
  assertEquals(requests.map((one) => one.length), [30]);
  assertAlmostEquals(billedError([requests]), 0, 0.1);
});

Deno.test("requestsOf() counts a message once, with its last usage, and starts a new group after a compaction", () => {
  const [first = "", ...others] = sessionOf(STEPS.slice(0, 3));
  const early = first.replace('"input_tokens":3', '"input_tokens":1');
  const boundary = JSON.stringify({ type: "system", subtype: "compact_boundary" });
  const [before, after] = requestsOf([early, first, boundary, ...others]);
  assertEquals(before?.map(({ fresh }) => fresh), [3]);
  assertEquals(after?.length, 2);
});

Deno.test("deno task money finds that a light trim costs less than no trim, and reports the error of the replay", async () => {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  Deno.writeTextFileSync(path, sessionOf(STEPS).join("\n"));
  const args = ["run", "--allow-all", `${ROOT}bench/money.ts`, "--json", path];
  const { stdout } = await runDeno(args, { cwd: ROOT });
  Deno.removeSync(path);
  const { moments, error_percent: error } = JSON.parse(stdout);
  assertAlmostEquals(error, 0, 0.1);
  assertEquals(moments.map(({ share }: { share: number }) => share), [0.6, 0.75, 0.9]);
  const [{ costs, rereads }] = moments;
  const [next10 = 0, , all = 0] = costs.light;
  assert(next10 < costs.nothing[0] || all < costs.nothing[2], JSON.stringify(costs));
  assert(costs.deep[2] <= costs.light[2]);
  assertEquals(rereads.nothing, 0);
});
