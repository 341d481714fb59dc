/** Draws the window over time for a terminal, with Unicode blocks. */

import { counted, grouped } from "../inject/bound.ts";
import { levelAt, warningLadder } from "../gauge/ladder.ts";
import type { ReportMark, ReportRequest } from "./requests.ts";
import { minuteOf } from "./words.ts";

const BLOCKS = " ▁▂▃▄▅▆▇█";

const ROWS = 10;

/** In characters, including the labels. */
export const WIDTH_BOUNDS = { min: 30, max: 400 } as const;

const MARKS: Readonly<Record<ReportMark["kind"], string>> = {
  compaction: "C",
  trim: "T",
  checkpoint: "·",
};

const COLORS = { ok: 32, warn: 33, recommend: 35, urgent: 31 } as const;

interface ChartHistory {
  readonly requests: readonly Pick<ReportRequest, "number" | "time" | "tokens">[];
  readonly marks: readonly Pick<ReportMark, "kind" | "after">[];
}

interface BlockChartOptions {
  /** Tokens that count as 100 percent. */
  readonly limit: number;
  readonly width: number;
  readonly hasColor?: boolean;
  readonly levels: Parameters<typeof warningLadder>[0];
}

/** A column that represents several requests shows the largest request. */
export function blockChart(history: ChartHistory, options: BlockChartOptions): string {
  const { requests, marks } = history;
  const { limit, levels, hasColor = false } = options;
  const width = Math.min(WIDTH_BOUNDS.max, Math.max(WIDTH_BOUNDS.min, options.width));
  if (requests.length === 0) return "The session has no answered requests yet.";
  const labels = Array.from({ length: ROWS }, (_, row) => labelOf(row, limit, levels));
  const margin = Math.max(...labels.map((label) => label.length)) + 1;
  const maxColumns = width - margin - 1;
  const columns = columnsOf(requests.map(({ tokens }) => tokens), maxColumns);
  const lines = labels.map((label, row) => {
    const bar = columns.map((tokens) => {
      const block = blockOf(tokens / limit, row);
      return hasColor ? paint(block, tokens / limit, levels) : block;
    });
    return `${label.padStart(margin - 1)} │${bar.join("")}`.trimEnd();
  });
  lines.push(`${" ".repeat(margin)}└${"─".repeat(columns.length)}`);
  const symbols = markLine(marks, requests.length, columns.length);
  if (symbols !== "") lines.push(`${" ".repeat(margin)} ${symbols}`);
  lines.push(legend(history, margin));
  return lines.join("\n");
}

/** In a short session, a request takes up to four columns. */
function columnsOf(values: readonly number[], maxColumns: number): number[] {
  const times = Math.max(1, Math.min(4, Math.floor(maxColumns / values.length)));
  const count = Math.min(values.length, maxColumns);
  const columns = Array.from({ length: count }, (_, column) => {
    const from = Math.floor((column * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / count));
    return values.slice(from, to).reduce((all, value) => Math.max(all, value), 0);
  });
  return columns.flatMap((value) => Array.from({ length: times }, () => value));
}

function blockOf(share: number, row: number): string {
  const eighths = Math.round(Math.min(1, share) * ROWS * 8) - (ROWS - 1 - row) * 8;
  return BLOCKS[Math.max(0, Math.min(8, eighths))] ?? " ";
}

function labelOf(row: number, limit: number, levels: BlockChartOptions["levels"]): string {
  if (row === 0) return `${grouped(limit)} 100%`;
  if (row === ROWS - 1) return "0%";
  const [from, to] = [100 - (row + 1) * 100 / ROWS, 100 - row * 100 / ROWS];
  const step = warningLadder(levels).findLast(([, percent]) => percent > from && percent <= to);
  return step === undefined ? "" : `${step.join(" ")}%`;
}

function paint(block: string, share: number, levels: BlockChartOptions["levels"]): string {
  if (block === " ") return block;
  const level = levelAt(Math.round(share * 100), warningLadder(levels));
  return `\x1b[${COLORS[level]}m${block}\x1b[0m`;
}

function markLine(marks: ChartHistory["marks"], requests: number, columns: number): string {
  const symbols = Array.from({ length: columns }, () => " ");
  // In the same column, a trim replaces a checkpoint, and a compaction replaces both.
  const order = ["checkpoint", "trim", "compaction"];
  const sorted = marks.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const { kind, after } of sorted) {
    const column = Math.floor((Math.max(0, after - 1) / requests) * columns);
    symbols[Math.min(columns - 1, column)] = MARKS[kind];
  }
  return symbols.join("").trimEnd();
}

function legend({ requests, marks }: ChartHistory, margin: number): string {
  const first = minuteOf(requests[0]?.time ?? null);
  const last = minuteOf(requests.at(-1)?.time ?? null);
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const parts = [
    `${counted(requests.length, "request")}, ${first} to ${last}`,
    ...kinds.map((kind) => `${MARKS[kind]} ${kind}`),
  ];
  return `${" ".repeat(margin + 1)}${parts.join("  ")}`;
}
