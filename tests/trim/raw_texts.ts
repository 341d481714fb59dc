/**
 * Raw texts for the tests of what cuts them.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { RawText } from "../../src/trim/edit/raw_string.ts";

/** Encodes a text as it stands in a file. */
export function rawTextOf(decoded: string): RawText {
  const bytes = new TextEncoder().encode(decoded);
  return { bytes, text: Buffer.from(bytes).toString("latin1") };
}
