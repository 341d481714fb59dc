/** Turns Markdown tables into lists, which stay readable on one line. */

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
