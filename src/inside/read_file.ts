/**
 * Reading files through the client.
 *
 * Reads of a range refuse pipes, devices and folders, which a cloned project can bring under any
 * name; a lint rule holds that all reads go through here.
 */

import type { Client } from "./client.ts";

/** Most bytes that the client returns for one read. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

/** Reads bytes of a file, at most {@linkcode CHUNK_BYTES}. */
export async function readBytes(
  client: Client,
  path: string,
  { from, to }: { from: number; to: number },
): Promise<Uint8Array> {
  const length = Math.min(CHUNK_BYTES, to - from);
  const { base64 } = await client.fs.read(path, { as: "bytes", offset: from, length });
  return Uint8Array.fromBase64(base64);
}

/** Reads a text file whole; `undefined` if it is missing, larger, or not a regular file. */
export async function readText(
  client: Client,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const found = await client.fs.stat(path).catch(() => undefined);
  if (found?.kind !== "file" || found.size > maxBytes) return undefined;
  return new TextDecoder().decode(await readBytes(client, path, { from: 0, to: found.size }));
}
