/**
 * Raw texts for the tests of what cuts them.
 *
 * @module
 */

import { latin1Text } from "../../src/transcript/entry.ts";
import type { RawText } from "../../src/trim/edit/raw_string.ts";

/** Encodes a text as it stands in a file. */
export function rawTextOf(decoded: string): RawText {
  const bytes = new TextEncoder().encode(decoded);
  return { bytes, text: latin1Text(bytes) };
}
