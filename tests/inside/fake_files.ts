/**
 * Fakes functions that the client provides to a module.
 *
 * @module
 */

import type { Client } from "../../src/inside/client.ts";

type Files = Pick<Client["fs"], "exists" | "stat" | "read" | "write">;

export function resolving(values: Record<string, unknown>): Record<string, () => Promise<unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, () => Promise.resolve(value)]),
  );
}

interface Range {
  readonly as: "bytes" | "text";
  readonly offset?: number;
  readonly length?: number;
}

export function readerOf(bytesOf: (path: string) => Uint8Array): Files["read"] {
  const read = (path: string, { as, offset = 0, length = Infinity }: Range): Promise<unknown> =>
    Promise.try(() => {
      const bytes = bytesOf(path).slice(offset, offset + length);
      return as === "text" ? new TextDecoder().decode(bytes) : { base64: bytes.toBase64() };
    });
  return read as Files["read"];
}

/**
 * Implements the client's file functions on strings.
 *
 * @param files The contents by path; an empty `Uint8Array` is a folder.
 * @param links The targets of links, by path.
 */
export function fakeFiles(
  files: Map<string, string | Uint8Array> | Map<string, string>,
  links: ReadonlyMap<string, string> = new Map(),
): Files {
  const bytesOf = (path: string): Uint8Array => {
    const content = files.get(path);
    if (content === undefined) throw new Error(`no such file: ${path}`);
    return typeof content === "string" ? new TextEncoder().encode(content) : content;
  };
  return {
    exists: (path) => Promise.resolve(files.has(path)),
    stat: (path) =>
      Promise.try(() => {
        const realPath = links.get(path);
        if (realPath !== undefined) {
          return { kind: "dir", size: 0, mtimeMs: 0, isLink: true, realPath };
        }
        const { length } = bytesOf(path);
        const isFolder = length === 0 && typeof files.get(path) !== "string";
        return {
          kind: isFolder ? "dir" : "file",
          size: length,
          mtimeMs: 0,
          isLink: false,
          realPath: path,
        };
      }),
    read: readerOf(bytesOf),
    write: (path, text) => Promise.resolve(void files.set(path, text)),
  };
}
