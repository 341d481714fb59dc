export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** Accepts comments and trailing commas; throws a SyntaxError for other text that is not JSON. */
export function parse(text: string): JsonValue;
