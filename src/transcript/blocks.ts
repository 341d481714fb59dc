/** Reads a byte source in blocks of whole lines, in constant memory. */

export const BLOCK_BYTES = 112 * 1024;

/** Larger buffers get the large size, in bytes: the allocator keeps what lies between. */
const SMALL_BUFFER_BYTES = 4 * 1024 * 1024;
const LARGE_BUFFER_BYTES = 40 * 1024 * 1024;

const NEWLINE = 0x0a;

/** No longer line is read, in bytes: the engine could not take it as a text, nor could the client. */
export const MAX_LINE_BYTES = 128 * 1024 * 1024;

export function tooLong(): RangeError {
  const mb = MAX_LINE_BYTES / 1024 / 1024;
  return new RangeError(
    `Cannot read a line of more than ${mb} MB. If a lost power supply left NULs at the end of the ` +
      "file, take them out: tr -d '\\000' < FILE > COPY",
  );
}

/** Where bytes come from; a `Deno.FsFile` is one. */
export interface ByteSource {
  readSync(into: Uint8Array): number | null;
}

export interface BlockReaderOptions {
  /** Bytes read at a time. @default {BLOCK_BYTES} */
  blockBytes?: number;
  /** Where reading stops, in bytes, so that what is appended meanwhile is left alone. */
  limitBytes?: number;
}

export class BlockReader {
  /** The block is `bytes[start..end)` until the next call of `next`; a kept view can then be empty. */
  bytes: Uint8Array<ArrayBuffer>;
  start = 0;
  end = 0;
  /** Where the block starts in the source, in bytes. */
  offset = 0;
  /** Whether the block ends with a newline; only the last can lack one. */
  isTerminated = true;

  readonly #source: ByteSource;
  readonly #blockBytes: number;
  #left: number;
  #tail = 0;
  #isAtEnd = false;

  constructor(source: ByteSource, options: BlockReaderOptions = {}) {
    this.#source = source;
    this.#blockBytes = options.blockBytes ?? BLOCK_BYTES;
    this.#left = options.limitBytes ?? Infinity;
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
        this.isTerminated = this.end === this.start;
        return this.end > this.start;
      }
      searched = this.#tail;
      searched -= this.#makeRoom();
      this.#fill();
    }
  }

  /** Moves the open line to the front and grows the buffer where it fills it; tells by how much. */
  #makeRoom(): number {
    const open = this.#tail - this.start;
    if (open > MAX_LINE_BYTES) throw tooLong();
    const moved = this.start;
    // No more than there is left to read, where that is known.
    const needed = open + Math.min(this.#blockBytes, this.#left);
    if (needed > this.bytes.length) {
      const most = open + this.#left;
      const doubled = Math.max(this.bytes.length * 2, needed);
      const wanted = doubled > SMALL_BUFFER_BYTES ? Math.max(doubled, LARGE_BUFFER_BYTES) : doubled;
      const grown = new Uint8Array(Math.min(wanted, most));
      grown.set(this.bytes.subarray(this.start, this.#tail));
      // The old buffer is freed at once: left to the collector, a long line would be held twice.
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
    const room = Math.min(this.#blockBytes, this.bytes.length - this.#tail, this.#left);
    const count = room === 0
      ? null
      : this.#source.readSync(this.bytes.subarray(this.#tail, this.#tail + room));
    if (count === null || count === 0) {
      this.#isAtEnd = true;
    } else {
      this.#tail += count;
      this.#left -= count;
    }
  }
}
