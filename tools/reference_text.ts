/** Renders small pieces of Markdown for the generated pages. */

export const GENERATED = "_Generated from the code by `deno task reference`: do not edit._";

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** Escapes text from the code, which may contain code in backticks, so that Markdown renders it unchanged. */
export function words(text: string): string {
  return text.split(/(`[^`]*`)/).map((part) =>
    part.startsWith("`") ? part : part.replaceAll(/[*[\]<>]/g, (char) => `\\${char}`)
  ).join("");
}

export function code(text: string): string {
  return `\`${text}\``;
}

/**
 * Joins lines that were wrapped for a terminal into paragraphs, which are separated by blank lines.
 */
export function paragraphs(lines: readonly string[]): string {
  return lines.join("\n").split(/\n\n+/).map((part) => words(part.replaceAll("\n", " ")))
    .join("\n\n");
}
