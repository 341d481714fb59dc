export interface FormatOptions {
  /** Whether to align the equal signs of a table. */
  readonly keyAlignment?: boolean;
}

/** Throws a SyntaxError if the string is not TOML. */
export function parse(tomlString: string): Record<string, unknown>;

export function stringify(obj: Record<string, unknown>, options?: FormatOptions): string;
