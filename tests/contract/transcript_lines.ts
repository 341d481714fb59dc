/**
 * Reads a transcript for the probes, without the library.
 *
 * @module
 */

export interface LineValue {
  readonly type: string;
  readonly subtype?: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly logicalParentUuid?: string;
  readonly sessionId?: string;
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly cwd?: string;
  readonly leafUuid?: string;
  readonly customTitle?: string;
  readonly toolUseResult?: unknown;
  readonly compactMetadata?: Readonly<Record<string, unknown>>;
  readonly message?: {
    readonly id?: string;
    readonly usage?: unknown;
    readonly content: string | readonly unknown[];
  };
}

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

export function resultLines(
  lines: readonly Line[],
): (LineValue & { readonly text: string; readonly value: LineValue })[] {
  return linesOf(lines, "user").filter(({ value }) => "toolUseResult" in value)
    .map(({ text, value }) => ({ ...value, text, value }));
}
