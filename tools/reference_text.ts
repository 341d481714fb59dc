/**
 * Small pieces of Markdown for the generated pages.
 *
 * @module
 */

/** The first line of each generated page. */
export const GENERATED = "_Made from the code by `deno task reference`: do not edit._";

/**
 * Writes a list.
 *
 * @param items Its items, as Markdown.
 * @returns The list.
 */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/**
 * Escapes a text for a page.
 *
 * @param text Text from the code, which may hold code in backticks.
 * @returns Markdown that renders as the text.
 */
export function words(text: string): string {
  return text.split(/(`[^`]*`)/).map((part) =>
    part.startsWith("`") ? part : part.replaceAll(/[*[\]<>]/g, (char) => `\\${char}`)
  ).join("");
}

/**
 * Writes a text as code.
 *
 * @param text The text.
 * @returns The text in backticks.
 */
export function code(text: string): string {
  return `\`${text}\``;
}

/**
 * Joins lines that were wrapped for a terminal into paragraphs; indented lines stay code.
 *
 * @param lines The lines; an empty line ends a paragraph.
 * @returns Markdown.
 */
export function paragraphs(lines: readonly string[]): string {
  return lines.join("\n").split(/\n\n+/).map((part) => words(part.replaceAll("\n", " ")))
    .join("\n\n");
}
