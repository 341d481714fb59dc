/**
 * An index as git writes it.
 *
 * @module
 */

/** Where an entry's flags stand, in bytes from its start. */
const FLAGS_AT = 60;

/** Where its path stands. */
const PATH_AT = 62;

const HEADER_BYTES = 12;

/**
 * Makes an index of version 2 with one entry.
 *
 * @param path The path, relative to the root of the repository.
 * @returns Its bytes, without what git adds behind the entries.
 */
export function indexOf(path: string): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + PATH_AT + path.length + 1);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x44495243);
  view.setUint32(4, 2);
  view.setUint32(8, 1);
  view.setUint16(HEADER_BYTES + FLAGS_AT, path.length);
  bytes.set(new TextEncoder().encode(path), HEADER_BYTES + PATH_AT);
  return bytes;
}
