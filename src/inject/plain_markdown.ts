/**
 * Escapes session text in trimtab's Markdown, so that the text cannot add headings, code blocks or HTML.
 * Turns tables into lists.
 */

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

const TABLE = /^[ \t]*\|(.*)\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*((?:\n[ \t]*\|.*\|[ \t]*$)*)/gm;

const ROW = /^([ \t]*)\|(.+)\|[ \t]*$/gm;

export function cellsOf(row: string): string[] {
  return row.split("|").map((cell) => cell.trim());
}

/** Longest cell for which each item repeats the headers, in UTF-16 code units. */
const MAX_SHORT_CELL_CHARS = 24;

/**
 * Turns table rows into items. With three or more columns, adds the headers, since a cell alone can mislead.
 * Each item repeats the headers if the cells are short, as in `- login: old ✅; new ❌`; otherwise one line
 * above the items lists the headers.
 */
export function rowsAsItems(text: string): string {
  if (!text.includes("|")) return text;
  const itemsOf = (rows: string, heads: readonly string[] = []): string =>
    rows.replaceAll(ROW, (_, indent: string, row: string) => {
      const [first = "", ...others] = cellsOf(row);
      const cells = heads.length === 0
        ? others.join("; ").replace(/[;\s]+$/, "")
        : others.map((cell, at) => `${heads[at] ?? ""} ${cell}`.trim()).join("; ");
      return `${indent}- ${others.length === 0 ? first : `${first}: ${cells}`}`;
    });
  const withHeads = text.replaceAll(TABLE, (_, head: string, rows: string) => {
    const cells = rows.split("\n").flatMap((row) => cellsOf(row.trim().slice(1, -1)).slice(1));
    const [first = "", ...heads] = cellsOf(head);
    if (heads.length < 2) return itemsOf(rows);
    const hasShortCells = cells.every((cell) => cell.length <= MAX_SHORT_CELL_CHARS);
    // A mark such as `#` would look like a heading.
    const title = /^\w/.test(first) ? first : "Row";
    return hasShortCells ? itemsOf(rows, heads) : `${title} (${heads.join("; ")}):${itemsOf(rows)}`;
  });
  return itemsOf(withHeads);
}
