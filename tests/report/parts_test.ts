import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { SessionRecord } from "../../src/saved/lineage/rows.ts";
import { countMembers, familiesOf } from "../../src/report/family.ts";
import { FileReader, MAX_FILES } from "../../src/report/files_over_time.ts";
import type { ReportRequest } from "../../src/report/requests.ts";
import { listMarkup } from "../../src/report/markup.ts";
import { drawnMember } from "../../src/report/session_charts.ts";
import { thinOut } from "../../src/report/thin.ts";
import { escapeHtml } from "../../src/report/words.ts";
import { MAX_TURNS, turnsOf } from "../../src/report/turns.ts";
import "../own_config.ts";

Deno.test("escapeHtml() escapes markup and characters that reverse or hide text", () => {
  assertEquals(escapeHtml("\u202e\x1b[31m<b>\x1b[0m\0 &\r\n"), "&lt;b&gt; &amp;\n");
});

const SEED = 20_260_301;

function row(id: number, parent: number | null): SessionRecord {
  return {
    id,
    worker_id: "main",
    session_number: id,
    session_id: String(id),
    parent_session_id: parent === null ? null : String(parent),
    started_at: "2026-03-01T10:00:00Z",
    ended_at: null,
    end_reason: null,
    context_at_end: null,
    summary: null,
    transcript: null,
  };
}

Deno.test("thinOut() keeps the first, the last, the highest and the lowest, in their order", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.integer({ min: 4, max: 40 }), (all, mostUsed) => {
      const points = all.map((value, index) => ({ value, index }));
      const thinned = thinOut(points, mostUsed, ({ value }) => value);
      assert(thinned.length <= Math.max(mostUsed, 4));
      assertEquals(
        thinned.map(({ index }) => index),
        thinned.map(({ index }) => index).toSorted((a, b) => a - b),
      );
      assertEquals([thinned[0], thinned.at(-1)], [points[0], points.at(-1)]);
      const kept = thinned.map(({ value }) => value);
      assertEquals(Math.max(...kept), Math.max(...all));
      assertEquals(Math.min(...kept), Math.min(...all));
    }),
    { numRuns: 100, seed: SEED },
  );
});

Deno.test("familiesOf() lists every session once, even when parents form a loop", () => {
  const parents = fc.array(fc.option(fc.integer({ min: 1, max: 12 })), { maxLength: 12 });
  fc.assert(
    fc.property(parents, (all) => {
      const rows = all.map((parent, index) => row(index + 1, parent));
      const families = familiesOf(rows, null);
      assertEquals(families.reduce((sum, family) => sum + countMembers(family), 0), rows.length);
    }),
    { numRuns: 100, seed: SEED },
  );
});

Deno.test("familiesOf() leaves out unrelated sessions", () => {
  const rows = [row(1, null), row(2, 1), row(3, 2), row(4, null)];
  const [family, ...others] = familiesOf(rows, "2");
  assertEquals([others.length, family === undefined ? 0 : countMembers(family)], [0, 3]);
  assertEquals(familiesOf(rows, "unknown"), []);
  const [copy] = familiesOf([], "copy", "origin");
  assertEquals([copy?.session_id, copy?.children[0]?.is_this], ["origin", true]);
});

Deno.test("drawnMember() shows why a session ended, and how full it was if known", () => {
  const tipsOf = (more: Partial<SessionRecord>): readonly string[] => {
    const [family] = familiesOf([{ ...row(1, null), ...more }], null);
    assert(family !== undefined);
    return drawnMember(family).tip;
  };
  const tipOf = (more: Partial<SessionRecord>): string | undefined =>
    tipsOf(more).at(-1)?.replace(/^.*, /, "");
  const id = "b82405ba-0000-4000-8000-000000000000";
  assertEquals(tipsOf({ session_id: id })[0], "main #1, b82405ba");
  assertEquals(tipsOf({ session_id: null })[0], "main #1");
  assertEquals(tipOf({}), "open");
  assertEquals(tipOf({ end_reason: "clear" }), "ended by clear");
  assertEquals(tipOf({ end_reason: "clear", context_at_end: 81 }), "ended by clear at 81%");
  assertEquals(tipOf({ session_id: null }), "not taken yet");
});

Deno.test("turnsOf() merges turns when there are very many", () => {
  const cost = { input: 1, cache_read: 2, cache_write: 3, cache_miss: 0, output: 4 };
  const requests = Array.from({ length: MAX_TURNS * 2 + 1 }, (_, index): ReportRequest => ({
    number: index + 1,
    turn: index + 1,
    line: index + 1,
    time: null,
    model: null,
    tokens: 10,
    input_tokens: 1,
    cache_read_tokens: 2,
    cache_write_tokens: 3,
    missed_tokens: 1,
    output_tokens: 4,
    cost,
  }));
  const turns = turnsOf(requests, new Map([[1, "first"]]), new Map([[2, 5]]));
  assert(turns.length <= MAX_TURNS);
  assertEquals([turns[0]?.number, turns[0]?.last, turns[0]?.prompt], [1, 3, "first"]);
  assertEquals(turns.reduce((sum, turn) => sum + turn.total, 0), requests.length * 10 + 5);
  assertEquals(turns.at(-1)?.last, requests.length);
});

Deno.test("FileReader lists the most used files and counts the others", () => {
  const reader = new FileReader();
  const use = (path: string, times: number): void => {
    for (let time = 0; time < times; time++) {
      const input = { file_path: path };
      const rest = { isError: false, result: "", mirror: undefined, isSidechain: false };
      const from = { uuid: null, line: null };
      reader.add({ name: "Read", input, from, ...rest }, { after: time, time: null });
    }
  };
  for (let file = 0; file < MAX_FILES + 5; file++) use(`/p/${file}.ts`, 1);
  use("/elsewhere/most.ts", 300);
  const { files, count } = reader.finish("/p");
  assertEquals([files.length, count], [MAX_FILES, MAX_FILES + 6]);
  const mostUsed = files.find(({ path }) => path === "/elsewhere/most.ts");
  assertEquals([mostUsed?.reads, mostUsed?.uses.length], [300, 200]);
  assertEquals(files[0]?.path, "0.ts");
});

Deno.test("listMarkup() shows an item's detail only when there is one", () => {
  assertEquals(
    listMarkup("Files", [["a<b", "2 edits"], ["c", ""]]),
    '<div class="list"><h3>Files</h3>\n<ul>\n<li>a&lt;b <span class="more">2 edits</span></li>\n' +
      "<li>c</li>\n</ul></div>",
  );
  assertEquals(listMarkup("Files", []), "");
});
