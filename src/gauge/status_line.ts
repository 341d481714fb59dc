import { ageText, thousands } from "../inject/bound.ts";
import type { FreedRecord } from "../store/state.ts";
import { shortAdvice } from "./advice.ts";
import type { WarningLevel } from "./ladder.ts";

/** The line omits null fields, but shows a dash for null `tokens` if `limit` is known. */
export interface StatusLine {
  readonly model: string | null;
  readonly percent: number | null;
  readonly tokens: number | null;
  /** The client's limit, in tokens, shown after the slash. */
  readonly limit: number | null;
  readonly level: WarningLevel | null;
  readonly checkpointAgeMs: number | null;
  readonly freed: FreedRecord | null;
  /** In milliseconds since 1970. @default {unknown} */
  readonly nowMs?: number;
}

const BAR_CELLS = 10;

const MAX_MODEL_CHARS = 30;

const COLORS = { ok: "32", warn: "33", recommend: "31", urgent: "1;31" } as const;

interface Piece {
  readonly text: string;
  readonly isColored?: boolean;
  /** On a narrow terminal, pieces with the lowest rank are dropped first. */
  readonly rank: number;
}

export function drawStatusLine(
  line: StatusLine,
  style: { readonly columns: number; readonly hasColor: boolean },
): string {
  const pieces = piecesOf(line);
  while (widthOf(pieces) > style.columns) {
    const lowest = Math.min(...pieces.map((piece) => piece.rank));
    pieces.splice(pieces.findIndex((piece) => piece.rank === lowest), 1);
  }
  const color = style.hasColor && line.level !== null ? COLORS[line.level] : null;
  return pieces.map(({ text, isColored }) =>
    isColored && color !== null ? `\x1b[${color}m${text}\x1b[0m` : text
  ).join(" ");
}

function piecesOf(line: StatusLine): Piece[] {
  const { model, limit, checkpointAgeMs: age, freed, nowMs } = line;
  // After a compaction, the client reports 0 until the next answer. The usage is unknown until then.
  const { percent, tokens, level } = line.tokens === 0
    ? { percent: null, tokens: null, level: null }
    : line;
  const pieces: (Piece | null)[] = [
    model === null ? null : { text: [...model].slice(0, MAX_MODEL_CHARS).join(""), rank: 2 },
    percent === null ? null : { text: bar(percent, BAR_CELLS), isColored: true, rank: 6 },
    percent === null ? null : { text: `${percent}%`, isColored: true, rank: 7 },
    limit === null ? null : {
      text: `${tokens === null ? "–" : thousands(tokens)}/${thousands(limit)}`,
      rank: 4,
    },
    level === null ? null : { text: level, isColored: true, rank: 5 },
    level === null || level === "ok" || freed === null
      ? null
      : { text: `· ${shortAdvice(freed, { level, tokens, nowMs }, thousands)}`, rank: 3 },
    age === null ? null : { text: `· saved ${ageText(age)}`, rank: 1 },
  ];
  return pieces.filter((piece) => piece !== null);
}

export function bar(percent: number, cells: number): string {
  const filled = Math.min(cells, Math.max(0, Math.round((percent * cells) / 100)));
  return "█".repeat(filled) + "░".repeat(cells - filled);
}

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + [...text].length, pieces.length - 1);
}
