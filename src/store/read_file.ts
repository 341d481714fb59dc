/**
 * Reads only regular files of limited size, because a cloned project can contain links to devices, pipes and
 * huge files. A lint rule allows reads only here and in src/inside/files.ts.
 */

export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/** Follows links. @throws {NotRegularFileError} When the path is a folder, a pipe or a device. */
export function openFileSync(path: string): Deno.FsFile {
  // Checks the kind of file before opening, because opening a pipe waits for a writer.
  if (Deno.statSync(path).isFile) return Deno.openSync(path);
  throw new NotRegularFileError(path);
}

/** Follows links. @throws {NotRegularFileError | RangeError} For another kind of file, or a larger one. */
export function readFileSync(path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  using file = openFileSync(path);
  const { size } = file.statSync();
  if (size > maxBytes) {
    throw new RangeError(
      `Cannot read ${JSON.stringify(path)}: it has ${size} bytes, expected at most ${maxBytes}`,
    );
  }
  return readStart(file, size);
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export function readTextSync(path: string, maxBytes: number): string {
  const bytes = readFileSync(path, maxBytes);
  const text = new TextDecoder().decode(bytes);
  // Keeps a byte order mark, which the decoder drops. The client's decoder has no option for that.
  return BYTE_ORDER_MARK.every((byte, index) => byte === bytes[index]) ? `\uFEFF${text}` : text;
}

/** Reads up to `maxBytes` from the current position, even if the file reports no size, as in /proc. */
export function readStart(
  file: Pick<Deno.FsFile, "readSync">,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(maxBytes);
  return bytes.subarray(0, readInto(file, bytes));
}

export function readInto(file: Pick<Deno.FsFile, "readSync">, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null || count === 0) break;
    filled += count;
  }
  return filled;
}

export function readHead(path: string, maxBytes: number): string {
  using file = openFileSync(path);
  return new TextDecoder().decode(readStart(file, maxBytes));
}

export class NotRegularFileError extends TypeError {
  override name = "NotRegularFileError";

  constructor(path: string) {
    super(`Cannot use ${JSON.stringify(path)}: it is not a regular file`);
  }
}
