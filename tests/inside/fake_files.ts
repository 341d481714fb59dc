/**
 * Files as the client hands them to a module.
 *
 * @module
 */

import type { Client } from "../../src/inside/client.ts";

type Files = Pick<Client["fs"], "exists" | "stat" | "read" | "write">;

/**
 * Makes the client's files of texts.
 *
 * @param files The texts by path; what the module writes goes there.
 * @param links Where paths lead that are links.
 * @returns The part of the client that reads and writes them.
 */
export function fakeFiles(
  files: Map<string, string>,
  links: ReadonlyMap<string, string> = new Map(),
): Files {
  const bytesOf = (path: string): Uint8Array => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`no such file: ${path}`);
    return new TextEncoder().encode(text);
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
        return { kind: "file", size: length, mtimeMs: 0, isLink: false, realPath: path };
      }),
    read: (path, { offset = 0, length = Infinity }) =>
      Promise.try(() => ({ base64: bytesOf(path).slice(offset, offset + length).toBase64() })),
    write: (path, text) => Promise.resolve(void files.set(path, text)),
  };
}
