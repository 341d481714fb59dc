/**
 * Texts with one character per byte, so that they can contain broken UTF-8.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** Encodes a text as UTF-8, with one character per byte. */
export function byteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The bytes of a text with one character per byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** Bytes as a text with one character per byte. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Writes a text with one character per byte. */
export function writeBytes(path: string, text: string): void {
  Deno.writeFileSync(path, bytesOf(text));
}

/** Reads a file as a text with one character per byte. */
export function readBytes(path: string): string {
  return textOfBytes(Deno.readFileSync(path));
}
