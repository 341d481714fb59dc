/** Escapes session text in trimtab's Markdown, so that it is rendered as plain text. */

import { cleanLine, cleanText } from "./clean.ts";

/** Matches list and quote marks, after which a new block can start. */
const MARKS = /^(?:[ \t]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|>)*/;

/** Matches markup that structures a line or the line above it: headings, fences, front matter, tags. */
const STRUCTURE = /^(?:#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+$|-[- \t]*$|\+{3}$|<[a-z!/?])/i;

export function quoteText(text: string): string {
  return cleanText(text).trim().split("\n").map(quoteStart).join("\n");
}

export function quoteLine(text: string): string {
  return quoteStart(cleanLine(text));
}

export function quoteItem(text: string): string {
  return `- ${quoteText(text).replaceAll("\n", "\n  ")}`;
}

function quoteStart(line: string): string {
  const trimmed = line.trimEnd();
  const marks = MARKS.exec(trimmed)?.[0] ?? "";
  const rest = trimmed.slice(marks.length);
  return STRUCTURE.test(rest) ? `${marks}\\${rest}` : trimmed;
}

/** Matches a table; captures the header and the rows. */
const TABLE = /^[ \t]*\|(.*)\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*((?:\n[ \t]*\|.*\|[ \t]*$)*)/gm;

const ROW = /^([ \t]*)\|(.+)\|[ \t]*$/gm;

export function cellsOf(row: string): string[] {
  return row.split("|").map((cell) => cell.trim());
}

/** In a table with longer cells, each cell makes sense without the header of its column. */
const MAX_BARE_CHARS = 24;

/** Turns table rows into items. If the cells are short, repeats the headers: `- login: old ✅; new ❌`. */
export function rowsAsItems(text: string): string {
  if (!text.includes("|")) return text;
  const itemsOf = (rows: string, heads: readonly string[] = []): string =>
    rows.replaceAll(ROW, (_, indent: string, row: string) => {
      const [first = "", ...others] = cellsOf(row);
      const cells = heads.length === 0
        ? others.join(": ")
        : others.map((cell, at) => `${heads[at] ?? ""} ${cell}`.trim()).join("; ");
      return `${indent}- ${others.length === 0 ? first : `${first}: ${cells}`}`;
    });
  const withHeads = text.replaceAll(TABLE, (_, head: string, rows: string) => {
    const cells = rows.split("\n").flatMap((row) => cellsOf(row.trim().slice(1, -1)).slice(1));
    const heads = cellsOf(head).slice(1);
    const isBare = heads.length > 1 && cells.every((cell) => cell.length <= MAX_BARE_CHARS);
    return itemsOf(rows, isBare ? heads : []);
  });
  return itemsOf(withHeads);
}
