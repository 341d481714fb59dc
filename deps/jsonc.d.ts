/** Any value that JSON can hold. */
export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** Parses JSON that may hold comments and trailing commas; throws a SyntaxError on anything else. */
export function parse(text: string): JsonValue;
