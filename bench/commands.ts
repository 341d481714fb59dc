/** Times whole commands on a transcript, with their peak memory, and renders a table of them. */

import { BASELINES, type Contender } from "./contenders.ts";
import { type BenchFile, removeOutputs, warm } from "./files.ts";
import { type Command, median, peakMemoryBytes, runTimed } from "./measure.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

export interface Row {
  readonly name: string;
  /** In milliseconds; null when the command did not run or failed. */
  readonly medianMs: number | null;
  /** The fastest and the slowest run, in milliseconds. */
  readonly rangeMs: readonly [number, number] | null;
  /** Transcript megabytes (10^6 bytes) per second. */
  readonly mbPerSecond: number | null;
  /** The largest resident set, in bytes. */
  readonly peakBytes: number | null;
  readonly ratios: { readonly [K in keyof typeof BASELINES]: number | null };
  readonly note: string;
}

export interface SizeReport {
  readonly size: string;
  readonly bytes: number;
  readonly lines: number;
  readonly longestLine: number;
  readonly rows: readonly Row[];
}

interface Timing {
  readonly contender: Contender;
  readonly command: Command | null;
  readonly times: number[];
  note: string;
}

/** Skips notices of Deno, such as that a program which a permission names is not installed. */
function firstProblem(stderr: string): string {
  return stderr.split("\n").find((line) => line.trim() !== "" && !line.startsWith("Info ")) ?? "";
}

/**
 * Times all contenders on one transcript. The contenders take turns, so that a slow phase of the machine
 * affects all of them. The removal of outputs after each run is not timed.
 */
export async function timeAll(
  file: BenchFile,
  list: readonly Contender[],
  runs: number,
): Promise<SizeReport> {
  const timings = list.map((contender): Timing => {
    const { command } = contender;
    return typeof command === "string"
      ? { contender, command: null, times: [], note: command }
      : { contender, command: command(file), times: [], note: "" };
  });
  await removeOutputs(file);
  warm(file.path);
  for (let run = 0; run < runs; run++) {
    for (const timing of timings) {
      if (timing.command === null || timing.note !== "") continue;
      const { wallMs, code, stderr } = await runTimed(timing.command);
      timing.times.push(wallMs);
      if (code !== 0) timing.note = `exit ${code}: ${firstProblem(stderr)}`;
      await removeOutputs(file);
    }
  }
  const peaks = new Map<string, number | null>();
  for (const { contender, command, note } of timings) {
    if (command === null || note !== "") continue;
    peaks.set(contender.name, await peakMemoryBytes(command));
    await removeOutputs(file);
  }
  return {
    size: file.size,
    bytes: file.bytes,
    ...measureLines(file.path),
    rows: rows(file, timings, peaks),
  };
}

function measureLines(path: string): { lines: number; longestLine: number } {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(1 << 20);
  let [lines, longestLine, length] = [0, 0, 0];
  for (let count = file.readSync(buffer); count !== null; count = file.readSync(buffer)) {
    let start = 0;
    for (let end = buffer.indexOf(10); end >= 0 && end < count; end = buffer.indexOf(10, start)) {
      longestLine = Math.max(longestLine, length + end - start);
      lines++;
      start = end + 1;
      length = 0;
    }
    length += count - start;
  }
  return { lines, longestLine: Math.max(longestLine, length) };
}

function rows(
  file: BenchFile,
  timings: readonly Timing[],
  peaks: ReadonlyMap<string, number | null>,
): Row[] {
  const medians = new Map(
    timings.filter(({ times, note }) => times.length > 0 && note === "").map((
      { contender, times },
    ) => [contender.name, median(times)]),
  );
  return timings.map(({ contender: { name }, times, note }) => {
    const medianMs = medians.get(name) ?? null;
    const ratio = (baseline: string) => {
      const other = medians.get(baseline);
      return medianMs === null || other === undefined ? null : medianMs / other;
    };
    return {
      name,
      medianMs,
      rangeMs: medianMs === null ? null : [Math.min(...times), Math.max(...times)],
      mbPerSecond: medianMs === null ? null : file.bytes / 1000 / medianMs,
      peakBytes: peaks.get(name) ?? null,
      ratios: {
        scanCopy: ratio(BASELINES.scanCopy),
        cp: ratio(BASELINES.cp),
        python: ratio(BASELINES.python),
        empty: ratio(BASELINES.empty),
      },
      note,
    };
  });
}

export function formatReport({ size, bytes, rows }: SizeReport): string {
  const head = ["", "ms", "range", "MB/s", "peak MB", "/ scan+copy", "/ cp", "/ python", "/ empty"];
  const cells = rows.map((row) => {
    if (row.medianMs === null || row.rangeMs === null) return [row.name, row.note];
    const { scanCopy, cp, python, empty } = row.ratios;
    return [
      row.name,
      formatMs(row.medianMs),
      row.rangeMs.map(formatMs).join("-"),
      // The empty script reads no file, so it has no rate.
      row.name === BASELINES.empty ? "-" : Math.round(row.mbPerSecond ?? 0).toString(),
      row.peakBytes === null ? "-" : Math.round(row.peakBytes / 1e6).toString(),
      ...[scanCopy, cp, python, empty].map(formatRatio),
    ];
  });
  const timed = cells.filter((row) => row.length === head.length);
  const missing = cells.filter((row) => row.length !== head.length)
    .map(([name, note]) => `- ${name}: not measured, ${note}\n`);
  const title = `## ${size} (${bytes.toLocaleString("en-US")} bytes)`;
  return `${title}\n\n${markdownTable(head, timed)}${missing.length ? "\n" : ""}${
    missing.join("")
  }`;
}
