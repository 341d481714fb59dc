/** Makes the bytes of a git index. */

/** Byte offset from the start of an entry. */
const FLAGS_AT = 60;

/** Byte offset from the start of an entry. */
const PATH_AT = 62;

const HEADER_BYTES = 12;

/**
 * Makes an index of version 2 with one entry, without the extensions and the checksum at the end.
 *
 * @param path Relative to the root of the repository.
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
