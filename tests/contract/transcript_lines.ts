/** Reads a transcript for the probes, without the library. */

// deno-lint-ignore no-explicit-any
type LineValue = any;

export interface Line {
  readonly text: string;
  readonly value: LineValue;
}

/** A line that is not JSON becomes an entry of type `broken`. */
export function readLines(path: string): Line[] {
  const texts = Deno.readTextFileSync(path).split("\n").filter((text) => text !== "");
  return texts.map((text) => ({ text, value: parsed(text) }));
}

function parsed(text: string): LineValue {
  try {
    return JSON.parse(text);
  } catch {
    return { type: "broken" };
  }
}

export function linesOf(lines: readonly Line[], type: string): Line[] {
  return lines.filter(({ value }) => value.type === type);
}

/** Lists the results, each as its value together with the line's text. */
export function resultLines(lines: readonly Line[]): LineValue[] {
  return linesOf(lines, "user").filter(({ value }) => "toolUseResult" in value)
    .map(({ text, value }) => ({ ...value, text, value }));
}
