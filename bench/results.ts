/** Renders a page that compares the figures of a run with the design's targets. */

import type { Row, SizeReport } from "./commands.ts";
import { OWN } from "./contenders.ts";
import type { HookLatency } from "./hooks.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

/**
 * According to the design, the fastest other trimmer took 2.7 s for 100 MB, and a round trip through Python's
 * json 2.3 s. The ratio estimates the time of that trimmer, which is not run here.
 */
const TRIMMER_OVER_PYTHON = 2.7 / 2.3;

/**
 * The design bounds the memory of a streaming command by the sum of this base, twice the longest line, and
 * {@linkcode MEMORY_BYTES_PER_ENTRY} for each entry.
 */
const MEMORY_BASE_BYTES = 96e6;
const MEMORY_BYTES_PER_ENTRY = 100;

/** Hooks that save before a compaction. Their target is a time instead of a ratio. */
const SAVING_HOOKS = ["hooks/pre_compact.ts"];

interface Figures {
  readonly reports: readonly SizeReport[];
  readonly hooks: readonly HookLatency[];
}

interface Target {
  readonly what: string;
  readonly target: string;
  /** Null when the value was not measured. */
  readonly value: number | null;
  readonly text: (value: number) => string;
  readonly isMet: (value: number) => boolean;
}

function compareWithDesign({ reports, hooks }: Figures): Target[] {
  const reportOf = (wanted: string): SizeReport | undefined =>
    reports.find(({ size }) => size === wanted);
  const trim = rowOf(reportOf("100MB"), OWN.trim);
  const perPython = trim?.ratios.python ?? null;
  const memory = reports.flatMap(memoryShares);
  const worstMemory = worstOf(memory, ({ share }) => share);
  const quick = hooks.filter(({ hook }) => !SAVING_HOOKS.includes(hook));
  const worstHook = worstOf(quick, ({ ratio }) => ratio);
  const compact = hooks.find(({ hook, size }) => SAVING_HOOKS.includes(hook) && size === "500MB");
  const status = worstOf(
    reports.flatMap((report) => rowOf(report, OWN.status)?.ratios.empty ?? []),
    (ratio) => ratio,
  );
  return [
    {
      what: "trim of 100 MB against the fastest other trimmer",
      target: "at least 8 times faster",
      value: perPython === null ? null : TRIMMER_OVER_PYTHON / perPython,
      text: (value) => `${formatRatio(value)} times`,
      isMet: (value) => value >= 8,
    },
    {
      what: "trim of 100 MB against a newline scan and copy",
      target: "at most 1.7",
      value: trim?.ratios.scanCopy ?? null,
      text: formatRatio,
      isMet: (value) => value <= 1.7,
    },
    {
      what: "memory of any streaming command",
      target: "at most the bound",
      value: worstMemory?.share ?? null,
      text: (value) =>
        `${formatRatio(value)} of the bound (${worstMemory?.name}, ${worstMemory?.size})`,
      isMet: (value) => value <= 1,
    },
    {
      what: "a hook against an empty script",
      target: "at most 1.6",
      value: worstHook?.ratio ?? null,
      text: (value) => `${formatRatio(value)} (${worstHook?.hook}, ${worstHook?.size})`,
      isMet: (value) => value <= 1.6,
    },
    {
      what: "PreCompact on 500 MB",
      target: "under 2 s",
      value: compact?.hookMs ?? null,
      text: (value) => `${formatMs(value)} ms`,
      isMet: (value) => value < 2_000,
    },
    {
      what: "status, relative to an empty script",
      target: "at most 2",
      value: status,
      text: formatRatio,
      isMet: (value) => value <= 2,
    },
  ];
}

/**
 * @param about The machine, the day and the command.
 * @param tables The measurements as Markdown, one section for each transcript size.
 */
export function resultsPage(figures: Figures, about: string, tables: readonly string[]): string {
  const targets = compareWithDesign(figures).map(({ what, target, value, text, isMet }) => [
    what,
    target,
    ...(value === null ? ["not measured", "-"] : [text(value), isMet(value) ? "yes" : "no"]),
  ]);
  const hooks = figures.hooks.map(({ hook, size, hookMs, emptyMs, ratio }) => [
    `${hook}, ${size}`,
    formatMs(hookMs),
    formatMs(emptyMs),
    formatRatio(ratio),
  ]);
  return [
    "# Measured costs of trimtab",
    about,
    "All figures come from one run on a shared machine, so compare them only with one another. Ratios are " +
    "medians divided by medians. The fastest other trimmer is not run here. Its time counts as " +
    `${
      TRIMMER_OVER_PYTHON.toFixed(2)
    } times that of a round trip through Python's json, the ratio ` +
    "measured on one machine when trimtab was designed.",
    "## Against the design",
    markdownTable(["", "target", "measured", "reached"], targets).trimEnd(),
    ...tables.map((table) => table.trimEnd()),
    "## Hooks",
    markdownTable(["", "ms", "empty ms", "ratio"], hooks).trimEnd(),
    "",
  ].join("\n\n").trimEnd() + "\n";
}

function memoryShares(
  { size, rows, longestLine, lines }: SizeReport,
): { name: string; size: string; share: number }[] {
  const bound = MEMORY_BASE_BYTES + 2 * longestLine + MEMORY_BYTES_PER_ENTRY * lines;
  return rows.flatMap(({ name, peakBytes }) =>
    name.startsWith("trimtab") && peakBytes !== null
      ? [{ name, size, share: peakBytes / bound }]
      : []
  );
}

function rowOf(report: SizeReport | undefined, name: string): Row | undefined {
  return report?.rows.find((row) => row.name === name && row.medianMs !== null);
}

function worstOf<T>(values: readonly T[], by: (value: T) => number): T | null {
  return values.reduce<T | null>(
    (worst, value) => worst === null || by(value) > by(worst) ? value : worst,
    null,
  );
}
