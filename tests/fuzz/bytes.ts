/** Converts strings with one character per byte, which can contain broken UTF-8. */

import { Buffer } from "node:buffer";

export function byteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

export function writeBytes(path: string, text: string): void {
  Deno.writeFileSync(path, bytesOf(text));
}

export function readBytes(path: string): string {
  return textOfBytes(Deno.readFileSync(path));
}
