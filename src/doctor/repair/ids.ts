/** A table of ids that takes little more memory than their UTF-8 bytes. */

import { NumberList } from "./numbers.ts";

/** Size of a buffer of ids, in bytes; an id that is longer gets its own buffer. */
const PIECE_BYTES = 256 * 1024;

const FIRST_SLOTS = 2048;

/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;

const EMPTY = -1;

/** Assigns numbers to ids in the order in which they are added; a repeated id gets another number. */
export class IdTable {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #pieceOf = new NumberList();
  readonly #starts = new NumberList();
  readonly #lengths = new NumberList();
  readonly #encoder = new TextEncoder();
  /** Bytes used in the newest buffer. */
  #usedBytes = PIECE_BYTES;
  #encoded = new Uint8Array(128);
  /** A hash table with open addressing; contains the newest number of each id. */
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  #used = 0;

  get count(): number {
    return this.#lengths.length;
  }

  add(id: string): number {
    const number = this.count;
    const letters = this.#encode(id);
    const slot = this.#slotOf(letters);
    const before = this.#slots[slot] ?? EMPTY;
    if (before === EMPTY) {
      this.#used++;
      this.#store(letters);
    } else {
      this.#pieceOf.push(this.#pieceOf.at(before));
      this.#starts.push(this.#starts.at(before));
      this.#lengths.push(letters.length);
    }
    this.#slots[slot] = number;
    if (this.#used * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  find(id: string): number {
    return this.#slots[this.#slotOf(this.#encode(id))] ?? EMPTY;
  }

  idOf(number: number): string | undefined {
    if (number < 0 || number >= this.count) return undefined;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#bytesOf(number));
  }

  /** Encodes an id into a shared buffer, so the result is valid only until the next call. */
  #encode(id: string): Uint8Array {
    const room = id.length * MAX_CHAR_BYTES;
    if (room > this.#encoded.length) this.#encoded = new Uint8Array(room);
    const { written } = this.#encoder.encodeInto(id, this.#encoded);
    return this.#encoded.subarray(0, written);
  }

  #store(letters: Uint8Array): void {
    if (this.#usedBytes + letters.length > PIECE_BYTES) {
      this.#pieces.push(new Uint8Array(Math.max(PIECE_BYTES, letters.length)));
      this.#usedBytes = 0;
    }
    this.#pieces.at(-1)?.set(letters, this.#usedBytes);
    this.#pieceOf.push(this.#pieces.length - 1);
    this.#starts.push(this.#usedBytes);
    this.#lengths.push(letters.length);
    this.#usedBytes += letters.length;
  }

  #bytesOf(number: number): Uint8Array {
    const start = this.#starts.at(number);
    const piece = this.#pieces[this.#pieceOf.at(number)] ?? new Uint8Array(0);
    return piece.subarray(start, start + this.#lengths.at(number));
  }

  #slotOf(letters: Uint8Array): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(letters) & mask;
    for (;;) {
      const number = this.#slots[slot] ?? EMPTY;
      if (number === EMPTY || this.#isSame(number, letters)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isSame(number: number, letters: Uint8Array): boolean {
    if (this.#lengths.at(number) !== letters.length) return false;
    const piece = this.#pieces[this.#pieceOf.at(number)];
    const start = this.#starts.at(number);
    for (let at = 0; at < letters.length; at++) {
      if (piece?.[start + at] !== letters[at]) return false;
    }
    return true;
  }

  #rehash(): void {
    const numbers = this.#slots.filter((number) => number !== EMPTY);
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    for (const number of numbers) this.#slots[this.#slotOf(this.#bytesOf(number))] = number;
  }
}

function hashOf(letters: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const letter of letters) hash = Math.imul(hash ^ letter, 0x01000193);
  return hash ^ (hash >>> 15);
}
