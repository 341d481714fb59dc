import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { blockChart, WIDTH_BOUNDS } from "../../src/report/block_chart.ts";
import { readHistory } from "../../src/report/session_report.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { samplePlace } from "./sessions.ts";

const levels = DEFAULT_CONFIG.context;

Deno.test("blockChart() draws a column for each request, as high as its share of the limit", () => {
  using place = samplePlace();
  const history = readHistory(place.transcript);
  const text = blockChart(history, { limit: 24_000, width: 60, levels });
  const rows = text.split("\n").filter((line) => line.includes("│"));
  const columns = rows.map((line) => line.slice(line.indexOf("│") + 1).padEnd(32));
  const heights = [0, 4, 8, 12, 16, 20, 24, 28].map((at) =>
    columns.reduce((sum, line) => sum + " ▁▂▃▄▅▆▇█".indexOf(line[at] ?? " "), 0)
  );
  const tokens = history.requests.map((one) => Math.round((one.tokens / 24_000) * 80));
  assertEquals(heights, tokens);
  assertStringIncludes(text, "24,000 100% │");
  for (const level of ["warn 60%", "recommend 75%", "urgent 85%"]) {
    assertEquals(text.split(level).length - 1, 1, level);
  }
  assertStringIncludes(text, "8 requests, 2026-03-01 10:01 to 2026-03-01 10:21");
  assertStringIncludes(text, "C compaction");
});

Deno.test("blockChart() fits the width, and shows the fullest request of each column", () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    number: index + 1,
    time: null,
    tokens: index === 500 ? 190_000 : 20_000,
  }));
  for (const width of [1, 40, 80, 200, 10_000]) {
    const text = blockChart({ requests: many, marks: [] }, { limit: 200_000, width, levels });
    const bound = Math.max(WIDTH_BOUNDS.min, Math.min(WIDTH_BOUNDS.max, width));
    const lines = text.split("\n").slice(0, 11);
    assert(lines.every((line) => line.length <= bound), text);
    const top = lines[0] ?? "";
    assertEquals([...top.slice(top.indexOf("│") + 1)].filter((char) => char !== " ").length, 1);
  }
});

Deno.test("blockChart() puts each mark below the request that it followed", () => {
  const requests = [1, 2, 3, 4].map((number) => ({ number, time: null, tokens: 100 }));
  const columnOf = (after: number): number => {
    const marks = [{ kind: "trim", after }] as const;
    const text = blockChart({ requests, marks }, { limit: 200, width: 60, levels });
    const [axis = "", line = ""] = text.split("\n").slice(10);
    return line.indexOf("T") - axis.indexOf("└") - 1;
  };
  assertEquals([0, 1, 2, 3, 4].map(columnOf), [0, 0, 4, 8, 12]);
});

Deno.test("blockChart() colors the levels only if `hasColor` is set", () => {
  using place = samplePlace();
  const history = readHistory(place.transcript);
  const plain = blockChart(history, { limit: 24_000, width: 60, levels });
  assert(!plain.includes("\x1b"));
  const empty = blockChart({ requests: [], marks: [] }, { limit: 1, width: 60, levels });
  assertEquals(empty, "The session has no answered requests yet.");
  const colored = blockChart(history, { limit: 24_000, width: 60, levels, hasColor: true });
  for (const code of [33, 31]) assertStringIncludes(colored, `\x1b[${code}m`);
  assert(!colored.includes("m \x1b[0m"), "an empty cell has no color");
  // deno-lint-ignore no-control-regex
  assertEquals(colored.replaceAll(/\x1b\[\d+m/g, "").replaceAll(/ +$/gm, ""), plain);
});
