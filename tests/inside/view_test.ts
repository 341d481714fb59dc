import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CallRow, Row } from "../../src/inside/client.ts";
import type { InsideFill } from "../../src/store/inside_record.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import type { SessionLines } from "../../src/inside/session_lines.ts";
import { hiddenReminder } from "../../src/inside/reminders.ts";
import { trimInside } from "../../src/inside/trim.ts";
import { drawEntries, drawStatus } from "../../src/inside/view.ts";
import { callRow, resultRow, sessionLines, textRow } from "./laid_out.ts";
import { lineOf } from "./play_client.ts";

const FILL: InsideFill = {
  at_ms: 1,
  model: "claude-haiku-4-5",
  tokens: 60_000,
  window: 200_000,
  limit: 180_000,
  limit_kind: "answer",
  categories: { "System prompt": 7_000, "Messages": 50_000 },
};

function sessionOf(
  calls: readonly (CallRow & { result: string })[],
  prompt = "",
): { rows: Row[]; lines: SessionLines } {
  const answered = calls.flatMap(({ result, ...call }) => [
    callRow(call),
    resultRow({ [call.tool_use_id]: result }),
  ]);
  const rows = [...answered, ...prompt === "" ? [] : [textRow("user", prompt)]];
  const lines = rows.map((row, index) => lineOf(row, `m${index}`));
  return { rows, lines: sessionLines(lines) };
}

const CALLS = [
  { tool: "Read", input: { file_path: "/p/src/a.ts" }, result: "one two three\n".repeat(2_000) },
  {
    tool: "Bash",
    input: { command: "deno test \u001b[31mall\nof it" },
    result: "ok\n".repeat(900),
  },
  { tool: "Write", input: { file_path: "/q/b.md", content: "words ".repeat(800) }, result: "done" },
].map((call, index) => ({ ...call, tool_use_id: `call_${index}` }));

function viewOf(entries?: readonly number[], prompt?: string): Parameters<typeof drawEntries>[0] {
  const session = sessionOf(CALLS, prompt);
  const plan = trimInside({
    media: { count: 0, inUse: 0, tokens: 0, textsOf: () => [] },
    ...session,
    id: "7f3a1b2c-0000-4000-8000-000000000000",
    messages: [],
    fill: { tokens: 60_000, window: 200_000 },
    model: "claude-haiku-4-5",
  }, {
    ...resolveTrim({ keep: "head", keepRecent: 1, protect: ["src/**"] })[0],
    isTarget: () => true,
    cutsInputs: entries !== undefined,
    entries: entries === undefined ? undefined : new Set(entries),
  });
  return { session, plan, fill: FILL, root: "/p" };
}

function widthOf(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}

function drawBoth(view: ReturnType<typeof viewOf>): string {
  return `${drawStatus(view, FACTS)}\n${drawEntries(view)}`;
}

const FACTS = {
  freed: undefined,
  level: "ok" as const,
  trim: undefined,
  since: undefined,
  cache: undefined,
  nowMs: Date.UTC(2026, 10, 24, 12),
};

Deno.test("drawStatus() shows ways to free tokens, the savings of the last trim, and when the cache expires", () => {
  const view = viewOf();
  const { nowMs } = FACTS;
  const trim = {
    kind: "trim" as const,
    at_ms: nowMs - 12 * 60_000,
    tokens_before: 162_083,
    tokens_after: 46_252,
  };
  const facts = {
    nowMs,
    trim,
    level: "recommend" as const,
    freed: { at_tokens: 60_000, light: 21_000, deep: 30_000, rollover: 48_000 },
    since: { cuts: 9, requests: 12, rereads: 2, recalls: 1, failedEdits: 0 },
    cache: { usedAtMs: nowMs - 2 * 60_000, keptMs: 5 * 60_000 },
  };
  const text = drawStatus(view, facts);
  for (
    const line of [
      "Would free                  tokens  pays off",
      "  /trim                     21,000  after 13 requests",
      "  /rollover                 48,000  after 3 requests",
      "Advice: /trim frees 21,000",
      "Last trim 12m ago: 162,083 -> 46,252 tokens",
      "Since then: 12 requests, 1.4M tokens not sent; 2 repeated reads of cut files, 1 output recalled",
      "Prompt cache: used 2m ago, kept for 3m more",
    ]
  ) {
    assert(text.split("\n").includes(line), `${line} in\n${text}`);
  }
  const cold = drawStatus(view, { ...facts, cache: { usedAtMs: 0, keptMs: 300_000 } });
  assert(cold.includes("Prompt cache: expired"), cold);
  const unknown = drawStatus(view, { ...facts, trim: { ...trim, tokens_before: null } });
  assertMatch(unknown, /^Last trim 12m ago$/m);
  assert(/\/trim +21,000 {2}at once/.test(cold), cold);
  assert(!drawStatus(view, { ...facts, level: "ok" }).includes("Advice"));
  const slowPayback = { ...facts.freed, paid_back_after: { light: 51, deep: 60 } };
  const waiting = drawStatus(view, { ...facts, freed: slowPayback });
  assert(waiting.includes("Advice: a trim would not pay off yet"), waiting);
  const unused = {
    ...facts,
    since: { cuts: 9, requests: 3, rereads: 0, recalls: 0, failedEdits: 0 },
  };
  assert(drawStatus(view, unused).includes("not sent; no cut content was needed again"));
});

Deno.test("drawStatus() and drawEntries() show the window's content by kind, tool, file and entry, within 80 columns", () => {
  const text = drawBoth(viewOf());
  assert(text.startsWith("Context: 60,000 of 180,000 tokens, 33%\n  Tool results"));
  assertEquals(text.match(/System prompt +7,000 +4%/g)?.length, 1);
  assertEquals(text.includes("Messages"), false);
  for (const name of ["Read src/a.ts", "Bash deno test all of it", "Write (input) /q/b.md"]) {
    assert(text.includes(name), `${name} in\n${text}`);
  }
  const [, freed] = /^ +4 +[\d,]+ +([\d,]+) {2}Bash/m.exec(text) ?? [];
  assert(Number(freed?.replace(",", "")) > 500);
  // A result that a glob protects is not cut.
  assert(/^ +2 +[\d,]+ +0 {2}Read src\/a\.ts$/m.test(text), text);
  assert(widthOf(text) <= 75, text);
});

Deno.test("drawStatus() and drawEntries() shorten a long path to its last folders, within 80 columns", () => {
  const { session, ...view } = viewOf();
  const long = `/q/${"folder/".repeat(12)}file_with_a_name.ts`;
  const rows = session.rows.map((row) => ({
    ...row,
    toolUses: row.toolUses.map((call) =>
      call.tool === "Write" ? { ...call, input: { ...call.input, file_path: long } } : call
    ),
  }));
  const text = drawBoth({ ...view, session: { ...session, rows } });
  assertEquals(text.match(/…\/(?:folder\/)*file_with_a_name\.ts$/gm)?.length, 2, text);
  assert(widthOf(text) <= 75, text);
});

function sumIn(text: string): number {
  const [, ...lines] = (text.split("\nBy tool")[0] ?? "").split("\n");
  return lines.reduce((sum, line) => sum + numberIn(line, / ([\d,]+) +\d+%/), 0);
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]?.replaceAll(",", ""));
}

Deno.test("drawStatus() shows kinds whose tokens add up to the size of the context, and drawEntries() lists a long prompt", () => {
  const prompt = `Look at this log:\n${"12:00 nothing happened\n".repeat(6_000)}`;
  const view = viewOf(undefined, prompt);
  for (const tokens of [20_000, 60_000, 160_000]) {
    const text = drawBoth({ ...view, fill: { ...FILL, tokens } });
    assert(Math.abs(sumIn(text) - tokens) <= 8, `${sumIn(text)} of ${tokens} in\n${text}`);
    assertEquals(text.includes("Unexplained"), tokens === 160_000);
    const entry = numberIn(text, /^ +7 +([\d,]+) +0 {2}Prompt Look at this log: 12:00/m);
    const turn = numberIn(text, /^ +#\d+ +\S+ +([\d,]+) {2}Look at this log/m);
    assert(turn >= entry && turn <= tokens, `a turn of ${turn} with a prompt of ${entry}`);
    assert(widthOf(text) <= 75, text);
  }
});

Deno.test("drawEntries() does not present a kept reminder as a prompt", () => {
  const reminder = hiddenReminder(`Plan mode is active. ${"You must not edit. ".repeat(200)}`);
  const text = drawEntries(viewOf(undefined, reminder));
  assertMatch(text, /^ +7 +[\d,]+ +0 {2}Reminder Plan mode is active\. You/m);
  assert(widthOf(text) <= 75, text);
});

Deno.test("a trim of selected entries cuts only those, even if they are protected, recent or inputs of a write", () => {
  assertEquals([...viewOf([2]).plan.cuts.results.keys()], ["call_0"]);
  const { cuts } = viewOf([5, 6]).plan;
  assertEquals([[...cuts.inputs.keys()], [...cuts.results.keys()]], [["call_2"], []]);
  assertEquals(viewOf([77]).plan.cuts.savedTokens, 0);
});
