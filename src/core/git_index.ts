/** Reads the tracked files from git's index, as described at https://git-scm.com/docs/index-format. */

const SIGNATURE = 0x44495243;

/** Signature, version and entry count. */
const HEADER_BYTES = 12;

/** Times, device, inode, mode, owner, size and the SHA-1 object id, which come before the flags of an entry. */
const BYTES_BEFORE_FLAGS = 60;

/** Bit of an entry's flags that is set if two more bytes of flags follow. */
const EXTENDED = 0x4000;

/** Bits of an entry's flags that contain the path's length; all are set if the length does not fit. */
const LENGTH_MASK = 0xfff;

/** From this version on, the index stores each path as its difference from the previous path. */
const PREFIX_COMPRESSED = 4;

const DECODER = new TextDecoder();

/**
 * Lists the tracked paths that begin with a prefix; `undefined` for an unknown format.
 *
 * @throws {RangeError} When the index is cut off.
 */
export function listTracked(index: Uint8Array, prefix: string): Set<string> | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  if (view.getUint32(0) !== SIGNATURE || version < 2 || version > PREFIX_COMPRESSED) {
    return undefined;
  }
  return version < PREFIX_COMPRESSED
    ? searchPlain(index, view, new TextEncoder().encode(prefix))
    : readPrefixed(index, view, prefix);
}

/** Finds the prefix by its bytes. The length field before a path rules out matches inside a longer path. */
function searchPlain(index: Uint8Array, view: DataView, wanted: Uint8Array): Set<string> {
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

/** Returns `undefined` if a path does not match its flags, as with SHA-256 object ids. */
function readPrefixed(index: Uint8Array, view: DataView, prefix: string): Set<string> | undefined {
  const found = new Set<string>();
  const count = view.getUint32(8);
  let position = HEADER_BYTES;
  let path = new Uint8Array(0);
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = position + BYTES_BEFORE_FLAGS;
    const flags = view.getUint16(flagsAt);
    position = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    let byte = index[position++] ?? 0;
    let dropped = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = index[position++] ?? 0;
      dropped = ((dropped + 1) << 7) | (byte & 0x7f);
    }
    const end = index.indexOf(0, position);
    if (end < 0) return undefined;
    const kept = Math.max(0, path.length - dropped);
    const next = new Uint8Array(kept + end - position);
    next.set(path.subarray(0, kept));
    next.set(index.subarray(position, end), kept);
    path = next;
    if (Math.min(path.length, LENGTH_MASK) !== (flags & LENGTH_MASK)) return undefined;
    position = end + 1;
    // Most paths already differ in the first byte.
    if (path[0] !== prefix.charCodeAt(0)) continue;
    const text = DECODER.decode(path);
    if (text.startsWith(prefix)) found.add(text);
  }
  return found;
}
