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

/** Matches the header of a table with its rule. */
const HEADER = /^[ \t]*\|.*\|[ \t]*\n[ \t]*\|[\s:|-]+\|[ \t]*$/gm;

const ROW = /^([ \t]*)\|(.+)\|[ \t]*$/gm;

export function cellsOf(row: string): string[] {
  return row.split("|").map((cell) => cell.trim());
}

/** Turns all table rows into items, and drops the headers. */
export function rowsAsItems(text: string): string {
  if (!text.includes("|")) return text;
  return text.replaceAll(HEADER, "").replaceAll(
    ROW,
    (_, indent: string, row: string) => `${indent}- ${cellsOf(row).join(": ")}`,
  );
}
