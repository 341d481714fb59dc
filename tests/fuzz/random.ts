/** Makes random choices; the same seed produces the same choices. */

export class Random {
  #state: number;

  /** The choices of one case do not depend on other cases, so that the case can be replayed alone. */
  constructor(seed: number, caseNumber: number) {
    this.#state = mix(mix(seed >>> 0) ^ (caseNumber >>> 0) ^ mix(Math.floor(caseNumber / 2 ** 32)));
  }

  /** Returns a whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return Math.floor((mix(this.#state) / 2 ** 32) * limit);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError("Cannot pick: the list is empty");
    return picked;
  }
}

/** Mixes 32 bits so that similar inputs produce unrelated outputs. */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
