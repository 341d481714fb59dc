/** Parses JSON so that what is not changed is written as it was. */

import type { JsonObject } from "./entry.ts";

/** The parts of JSON that its types do not know yet. */
const { rawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): JsonObject;
};

/** Parses an entry so that each number is written again as it was, such as 1.0 and very large ones. */
export function parseExactly(text: string): JsonObject {
  return parse(
    text,
    (_, value, { source = "" }) =>
      typeof value === "number" && String(value) !== source ? rawJSON(source) : value,
  );
}
