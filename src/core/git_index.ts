/** Reads the tracked files from git's index, as described at https://git-scm.com/docs/index-format. */

const SIGNATURE = 0x44495243;

/** Signature, version and entry count. */
const HEADER_BYTES = 12;

/** Bits of an entry's flags that contain the path's length; all are set if the length does not fit. */
const LENGTH_MASK = 0xfff;

/** From version 4 on, the index stores each path as its difference from the previous path. */
const MAX_VERSION = 3;

const DECODER = new TextDecoder();

/** Lists the tracked paths that begin with a prefix; `undefined` for an unknown format. */
export function listTracked(index: Uint8Array, prefix: string): Set<string> | undefined {
  if (index.length < HEADER_BYTES) return undefined;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  if (view.getUint32(0) !== SIGNATURE || version < 2 || version > MAX_VERSION) return undefined;
  // The length field before a path rules out matches inside a longer path.
  const wanted = new TextEncoder().encode(prefix);
  const found = new Set<string>();
  const [first = 0] = wanted;
  let position = index.indexOf(first, HEADER_BYTES);
  for (; position >= 0; position = index.indexOf(first, position + 1)) {
    if (!wanted.every((byte, offset) => index[position + offset] === byte)) continue;
    const end = index.indexOf(0, position);
    if (end < 0) break;
    const length = Math.min(end - position, LENGTH_MASK);
    const isPath = [position - 2, position - 4].some((field) =>
      (view.getUint16(field) & LENGTH_MASK) === length
    );
    if (isPath) found.add(DECODER.decode(index.subarray(position, end)));
  }
  return found;
}
