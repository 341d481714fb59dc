/**
 * Random choices that a seed repeats.
 *
 * @module
 */

/** Picks at random, the same for the same seed. */
export class Random {
  #state: number;

  /** Starts a row of choices: each case of a run has its own, so that it can be replayed alone. */
  constructor(seed: number, caseNumber: number) {
    this.#state = mix(mix(seed >>> 0) ^ (caseNumber >>> 0) ^ mix(Math.floor(caseNumber / 2 ** 32)));
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return Math.floor((mix(this.#state) / 2 ** 32) * limit);
  }

  /** Whether something happens that does so `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError("Cannot pick: the list is empty");
    return picked;
  }
}

/** Spreads 32 bits so that neighbours have nothing in common. */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
