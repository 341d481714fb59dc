/**
 * Texts of one character a byte, in which broken UTF-8 can stand.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** A text as its bytes, one character each. */
export function byteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The bytes of a text of one character a byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** Bytes as a text of one character each. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Writes a text of one character a byte. */
export function writeBytes(path: string, text: string): void {
  Deno.writeFileSync(path, bytesOf(text));
}

/** A file as a text of one character a byte. */
export function readBytes(path: string): string {
  return textOfBytes(Deno.readFileSync(path));
}
