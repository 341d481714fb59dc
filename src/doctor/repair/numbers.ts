/** A compact list of 32-bit integers, since a large transcript has millions of entries. */

/** Numbers in a chunk; adding a chunk does not copy the list. */
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
