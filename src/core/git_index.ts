/** Reads the tracked files from git's index, as described at https://git-scm.com/docs/index-format. */

/** The bytes "DIRC" as a number. */
const SIGNATURE = 0x44495243;

/** Signature, version and entry count. */
const HEADER_BYTES = 12;

/** Times, mode, owner and size, which come before the object id of an entry. */
const STAT_BYTES = 40;

const SHA1_BYTES = 20;

/** Set in an entry's flags if two more bytes of flags follow. */
const EXTENDED = 0x4000;

/** Length of the path in an entry's flags. All bits are set for a longer path. */
const LENGTH_MASK = 0xfff;

/** From this version on, the index stores each path as its difference from the previous path. */
const PREFIXED = 4;

const DECODER = new TextDecoder();

/**
 * Lists the tracked paths that begin with a prefix, relative to the root of the repository. Returns
 * `undefined` for an unknown format.
 */
export function listTracked(index: Uint8Array, prefix: string): Set<string> | undefined {
  if (index.length < HEADER_BYTES) return undefined;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  if (view.getUint32(0) !== SIGNATURE || version < 2 || version > PREFIXED) return undefined;
  const wanted = new TextEncoder().encode(prefix);
  return version === PREFIXED
    ? readPrefixed(index, view, prefix)
    : searchPlain(index, view, wanted);
}

/** Finds the prefix by its bytes. The length field before a path rules out matches inside a longer path. */
function searchPlain(index: Uint8Array, view: DataView, wanted: Uint8Array): Set<string> {
  const found = new Set<string>();
  const [first = 0] = wanted;
  for (let at = index.indexOf(first); at >= 0; at = index.indexOf(first, at + 1)) {
    if (at < HEADER_BYTES || !wanted.every((byte, offset) => index[at + offset] === byte)) continue;
    const end = index.indexOf(0, at);
    if (end < 0) break;
    const length = Math.min(end - at, LENGTH_MASK);
    const isPath = [at - 2, at - 4].some((place) =>
      (view.getUint16(place) & LENGTH_MASK) === length
    );
    if (isPath) found.add(DECODER.decode(index.subarray(at, end)));
  }
  return found;
}

function readPrefixed(index: Uint8Array, view: DataView, prefix: string): Set<string> {
  const found = new Set<string>();
  const count = view.getUint32(8);
  let at = HEADER_BYTES;
  let path = new Uint8Array(0);
  for (let entry = 0; entry < count; entry++) {
    const flags = at + STAT_BYTES + SHA1_BYTES;
    if (flags + 4 > index.length) break;
    at = flags + ((view.getUint16(flags) & EXTENDED) === 0 ? 2 : 4);
    let byte = index[at++] ?? 0;
    let dropped = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = index[at++] ?? 0;
      dropped = ((dropped + 1) << 7) | (byte & 0x7f);
    }
    const end = index.indexOf(0, at);
    if (end < 0) break;
    const kept = Math.max(0, path.length - dropped);
    const next = new Uint8Array(kept + end - at);
    next.set(path.subarray(0, kept));
    next.set(index.subarray(at, end), kept);
    path = next;
    at = end + 1;
    // Most paths already differ in the first byte.
    if (path[0] !== prefix.charCodeAt(0)) continue;
    const text = DECODER.decode(path);
    if (text.startsWith(prefix)) found.add(text);
  }
  return found;
}
