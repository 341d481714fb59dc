/**
 * Small pieces of Markdown for the generated pages.
 *
 * @module
 */

/** Stands at the top of each generated page. */
export const GENERATED =
  "_This page is made from the code by `deno task reference`: do not edit it by hand._";

/**
 * Writes a table.
 *
 * @param heads The heads of its columns.
 * @param rows Its cells, as Markdown.
 * @returns The table.
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/**
 * Makes a text safe to stand in a page or a cell.
 *
 * @param text Words of the code, which may hold code in backticks.
 * @returns Markdown that reads as the text does.
 */
export function words(text: string): string {
  return text.split(/(`[^`]*`)/).map((part) =>
    part.startsWith("`")
      ? part.replaceAll("|", "\\|")
      : part.replaceAll(/[|*[\]<>]/g, (char) => `\\${char}`)
  ).join("");
}

/**
 * Writes a text as code.
 *
 * @param text The text.
 * @returns It in backticks, fit for a cell.
 */
export function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/**
 * Joins lines that were broken for a terminal into paragraphs; what is set in stays code.
 *
 * @param lines The lines; an empty one ends a paragraph.
 * @returns Markdown.
 */
export function paragraphs(lines: readonly string[]): string {
  return lines.join("\n").split(/\n\n+/).map((part) => words(part.replaceAll("\n", " ")))
    .join("\n\n");
}
