/** Options of `stringify`. */
export interface FormatOptions {
  /** Whether the equal signs of a table stand in one column. */
  readonly keyAlignment?: boolean;
}

/** Parses TOML; throws a SyntaxError on text that is not. */
export function parse(tomlString: string): Record<string, unknown>;

/** Writes an object as TOML. */
export function stringify(obj: Record<string, unknown>, options?: FormatOptions): string;
