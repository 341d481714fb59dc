/** Reads a file without decoding it: in blocks of complete lines, line by line, or backward line by line. */

import { readInto } from "../store/read_file.ts";

export const BLOCK_BYTES = 112 * 1024;

/** Larger buffers grow straight to the next size, because the allocator keeps every size in between. */
const SMALL_BUFFER_BYTES = 4 * 1024 * 1024;
const LARGE_BUFFER_BYTES = 40 * 1024 * 1024;

const NEWLINE = 0x0a;

/** A longer line is treated as damage; the limit bounds memory. */
export const MAX_LINE_BYTES = 128 * 1024 * 1024;

function lineTooLong(): RangeError {
  const mb = MAX_LINE_BYTES / 1024 / 1024;
  return new RangeError(
    `Cannot read a line of more than ${mb} MB. If a power failure left NULs at the end of the ` +
      "file, remove them: tr -d '\\000' < FILE > COPY",
  );
}

export interface ByteSource {
  readSync(into: Uint8Array): number | null;
}

interface BlockReaderOptions {
  blockBytes?: number;
  /** Position at which reading stops, in bytes, so that lines appended in the meantime are not read. */
  limitBytes?: number;
}

export class BlockReader {
  /** Contains the block from `start` to `end` until the next call of `next`, which may empty it. */
  bytes: Uint8Array<ArrayBuffer>;
  start = 0;
  end = 0;
  offset = 0;

  readonly #source: ByteSource;
  readonly #blockBytes: number;
  #remaining: number;
  #tail = 0;
  #isAtEnd = false;

  constructor(source: ByteSource, options: BlockReaderOptions = {}) {
    this.#source = source;
    this.#blockBytes = options.blockBytes ?? BLOCK_BYTES;
    this.#remaining = options.limitBytes ?? Infinity;
    this.bytes = new Uint8Array(this.#blockBytes * 2);
  }

  next(): boolean {
    this.offset += this.end - this.start;
    this.start = this.end;
    let searched = this.start;
    for (;;) {
      const newline = this.bytes.subarray(searched, this.#tail).lastIndexOf(NEWLINE);
      if (newline >= 0) {
        this.end = searched + newline + 1;
        return true;
      }
      if (this.#isAtEnd) {
        this.end = this.#tail;
        return this.end > this.start;
      }
      searched = this.#tail;
      searched -= this.#makeRoom();
      this.#fill();
    }
  }

  /** Moves the incomplete line to the front, and grows a full buffer. Returns the distance moved. */
  #makeRoom(): number {
    const open = this.#tail - this.start;
    if (open > MAX_LINE_BYTES) throw lineTooLong();
    const moved = this.start;
    // Reads at most the rest of the source, if its size is known.
    const needed = open + Math.min(this.#blockBytes, this.#remaining);
    if (needed > this.bytes.length) {
      const maxBytes = open + this.#remaining;
      const doubled = Math.max(this.bytes.length * 2, needed);
      const preferredBytes = doubled > SMALL_BUFFER_BYTES
        ? Math.max(doubled, LARGE_BUFFER_BYTES)
        : doubled;
      const grown = new Uint8Array(Math.min(preferredBytes, maxBytes));
      grown.set(this.bytes.subarray(this.start, this.#tail));
      // Frees the old buffer now instead of at the next garbage collection.
      this.bytes.buffer.transfer(0);
      this.bytes = grown;
    } else if (moved > 0) {
      this.bytes.copyWithin(0, this.start, this.#tail);
    }
    this.start = 0;
    this.end = 0;
    this.#tail = open;
    return moved;
  }

  #fill(): void {
    const room = Math.min(this.#blockBytes, this.bytes.length - this.#tail, this.#remaining);
    const count = room === 0
      ? null
      : this.#source.readSync(this.bytes.subarray(this.#tail, this.#tail + room));
    if (count === null || count === 0) {
      this.#isAtEnd = true;
    } else {
      this.#tail += count;
      this.#remaining -= count;
    }
  }
}

const FIRST_TAIL_BYTES = 64 * 1024;

/** The size of each read doubles up to this limit. Only a longer line needs a larger read. */
const MAX_TAIL_BYTES = 256 * 1024;

const RELEASED_BYTES = 4 * 1024 * 1024;

export interface Line {
  /** Without the newline. Valid until the next line is read, because the buffer is reused or released. */
  bytes: Uint8Array;
  offset: number;
}

interface NumberedLine extends Line {
  number: number;
}

export function* readLines(
  source: ByteSource,
  options: BlockReaderOptions = {},
): Generator<NumberedLine, void, undefined> {
  const reader = new BlockReader(source, options);
  const line: NumberedLine = { bytes: reader.bytes, offset: 0, number: 0 };
  try {
    while (reader.next()) {
      const { bytes, start, end, offset } = reader;
      let position = start;
      while (position < end) {
        const newline = bytes.indexOf(NEWLINE, position);
        const stop = newline >= 0 && newline < end ? newline : end;
        line.bytes = bytes.subarray(position, stop);
        line.offset = offset + position - start;
        line.number++;
        yield line;
        position = stop + 1;
      }
    }
  } finally {
    release(reader.bytes);
  }
}

export interface SeekableSource extends ByteSource {
  seekSync(offset: number, whence: Deno.SeekMode): number;
}

/** Yields lines from the last to the first, within the last `maxBytes` bytes. */
export function* readLinesBackward(
  source: SeekableSource,
  size: number,
  maxBytes = Infinity,
): Generator<Line, void, undefined> {
  const downTo = Math.max(0, size - maxBytes);
  let bytes = new Uint8Array(0);
  let from = size;
  let end = 0;
  let step = FIRST_TAIL_BYTES;
  const line: Line = { bytes, offset: 0 };
  if (size === 0) return;
  try {
    for (;;) {
      const newline = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);
      if (newline < 0 && from > downTo) {
        if (end > MAX_LINE_BYTES) throw lineTooLong();
        const added = Math.min(Math.max(step, end), from - downTo, MAX_LINE_BYTES - end + 1);
        step = Math.min(step * 2, MAX_TAIL_BYTES);
        if (added + end > bytes.length) {
          const grown = new Uint8Array(added + end);
          grown.set(bytes.subarray(0, end), added);
          release(bytes);
          bytes = grown;
        } else {
          bytes.copyWithin(added, 0, end);
        }
        if (readAt(source, from - added, bytes.subarray(0, added)) < added) {
          throw new RangeError(`Cannot read the file's end: it shrank below ${from} bytes`);
        }
        end += added;
        from -= added;
        continue;
      }
      // The remaining bytes may be only the end of a line that starts before `downTo`.
      if (newline < 0 && from > 0) return;
      const isEmptyTail = newline === end - 1 && from + end === size;
      if (!isEmptyTail) {
        line.bytes = bytes.subarray(newline + 1, end);
        line.offset = from + newline + 1;
        yield line;
      }
      if (newline < 0) return;
      end = newline;
    }
  } finally {
    release(bytes);
  }
}

export function release(bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length >= RELEASED_BYTES) bytes.buffer.transfer(0);
}

export function readAt(source: SeekableSource, offset: number, into: Uint8Array): number {
  source.seekSync(offset, Deno.SeekMode.Start);
  return readInto(source, into);
}
