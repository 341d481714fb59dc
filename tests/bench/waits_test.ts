import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { clientTable } from "../../bench/client.ts";
import { groupTable, sessionOfSize, timeWaits } from "../../bench/waits.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const ENTRY = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";

function withFolder(test: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = Deno.makeTempDirSync();
    try {
      await test(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

Deno.test(
  "sessionOfSize() uses the nearest session, and repeats a session that is too short under other ids",
  withFolder(async (folder) => {
    const line = `{"uuid":"${ENTRY}","sessionId":"${ID}","text":"${"x".repeat(300)}"}`;
    const [small, large] = [`${folder}/small.jsonl`, `${folder}/large.jsonl`];
    Deno.writeTextFileSync(small, line);
    Deno.writeTextFileSync(large, `${line}\n`.repeat(3));
    const near = await sessionOfSize("0.4KB", [large, small], `${folder}/near`);
    assertEquals(near.origin, "small.jsonl");
    assertEquals(Deno.readTextFileSync(near.path), `${line}\n`);
    const long = await sessionOfSize("4KB", [small], `${folder}/long`);
    assertEquals(long.path, `${folder}/long/${ID}.jsonl`);
    assertMatch(long.origin, /^small\.jsonl, \d+ times$/);
    const entries = Deno.readTextFileSync(long.path).trimEnd().split("\n")
      .map((text) => JSON.parse(text));
    assert(long.bytes > 3_500 && entries.length >= 9, `${long.bytes} bytes`);
    assertEquals(new Set(entries.map(({ uuid }) => uuid)).size, entries.length);
    assertEquals(new Set(entries.map(({ sessionId }) => sessionId)), new Set([ID]));
  }),
);

Deno.test("timeWaits() prepares each run, and throws if a process fails", async () => {
  let prepared = 0;
  const before = (): void => void prepared++;
  const [least] = await timeWaits([{ name: "yes", command: { argv: ["true"] }, before }], 2);
  assertEquals(prepared, 3);
  assert(least !== undefined && least > 0 && Number.isFinite(least));
  const failing = { name: "no", command: { argv: ["false"] as const } };
  await assertRejects(() => timeWaits([failing], 1), Error, "Cannot time no: exit 1");
});

Deno.test("groupTable() and clientTable() compare figures with each other", () => {
  const rows = [{ name: "empty Deno", leastMs: 20 }, { name: "trim --help", leastMs: 30 }];
  assertMatch(groupTable({ title: "start", rows }), /trim --help +\| +30\.0 +\| +1\.50/);
  const figures = { start: { none: 500, all: 750 }, "in place": { all: 80 } };
  assertMatch(clientTable(figures), /\| start +\| +500, 1\.00 \| +750, 1\.50 \|/);
  assertMatch(clientTable(figures), /\| in place +\| +- \| +80\.0, 1\.00 \|/);
});
