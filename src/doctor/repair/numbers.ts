/** A list of 32-bit integers: large transcripts have millions of entries. */

/** Numbers in a chunk of the list; a list of chunks grows without copying. */
const PIECE = 16 * 1024;

export class NumberList {
  length = 0;

  readonly #pieces: Int32Array[] = [];

  push(value: number): void {
    if (this.length % PIECE === 0) this.#pieces.push(new Int32Array(PIECE));
    this.length++;
    this.set(this.length - 1, value);
  }

  at(index: number): number {
    if (index < 0 || index >= this.length) return -1;
    return this.#pieces[Math.floor(index / PIECE)]?.[index % PIECE] ?? -1;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[Math.floor(index / PIECE)];
    if (piece !== undefined) piece[index % PIECE] = value;
  }
}
