/** Formats figures as Markdown. */

/**
 * @param rows The first column is text, the others are right-aligned numbers.
 * @returns The table, ending in a newline.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0), 3)
  );
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? text.length;
    return column === 0 ? text.padEnd(width) : text.padStart(width);
  };
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const rule = widths.map((width, column) => "-".repeat(width - 1) + (column === 0 ? "-" : ":"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line), ""].join("\n");
}

export function formatMs(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en-US");
}

export function formatRatio(ratio: number | null): string {
  return ratio === null ? "-" : ratio.toFixed(2);
}
