/**
 * Generates repeatable random numbers: the same seed gives the same transcript on every machine.
 *
 * @module
 */

const HEX = "0123456789abcdef";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Number of fractions in the {@linkcode Deck} of {@linkcode Quantiles}. */
const STRATA = 64;

/** A small pseudo-random generator (three 32-bit words and a counter, mixed by shifts and sums). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** @param seed Any whole number. */
  constructor(seed: number) {
    this.#a = 0x9e3779b9 ^ seed;
    this.#b = 0x243f6a88 ^ Math.imul(seed, 0x85ebca6b);
    this.#c = 0xb7e15162;
    // Mixes the state, because similar seeds give similar initial states.
    for (let round = 0; round < 16; round++) this.word();
  }

  /** Returns a whole number from 0 to 2^32 - 1. */
  word(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  fraction(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  logBetween(low: number, high: number): number {
    return Math.round(low * Math.pow(high / low, this.fraction()));
  }

  uuid(): string {
    let text = "";
    for (let position = 0; position < 36; position++) {
      if (position === 8 || position === 13 || position === 18 || position === 23) text += "-";
      else if (position === 14) text += "4";
      else if (position === 19) text += HEX.charAt(8 + (this.word() & 3));
      else text += HEX.charAt(this.word() & 15);
    }
    return text;
  }

  /**
   * Returns `prefix` followed by 22 letters and digits, like the API's ids of messages and tool
   * calls.
   */
  id(prefix: string): string {
    let text = prefix;
    for (let position = 0; position < 22; position++) text += BASE62.charAt(this.word() % 62);
    return text;
  }
}

/**
 * Deals items in random order, each once per round, so that even a short transcript has the
 * proportions of a long one.
 */
export class Deck<T> {
  readonly #random: Random;
  readonly #items: T[];
  #next: number;

  /** @param items An item that is listed twice is dealt twice as often. */
  constructor(random: Random, items: readonly [T, ...T[]]) {
    this.#random = random;
    this.#items = [...items];
    this.#next = this.#items.length;
  }

  deal(): T {
    if (this.#next >= this.#items.length) {
      this.#shuffle();
      this.#next = 0;
    }
    const item = this.#items[this.#next];
    this.#next++;
    if (item === undefined) throw new RangeError("Cannot deal from a deck: it is empty");
    return item;
  }

  #shuffle(): void {
    for (let last = this.#items.length - 1; last > 0; last--) {
      const other = this.#random.between(0, last);
      const [a, b] = [this.#items[last], this.#items[other]];
      if (a === undefined || b === undefined) continue;
      this.#items[last] = b;
      this.#items[other] = a;
    }
  }
}

/** Draws random values that follow quantiles. Points are `[fraction of values below, value]`, both rising. */
export class Quantiles {
  readonly #random: Random;
  readonly #points: readonly (readonly [number, number])[];
  readonly #deck: Deck<number>;

  /** @param points The first at 0, the last at 1. Values are at least 1. */
  constructor(random: Random, points: readonly (readonly [number, number])[]) {
    this.#random = random;
    this.#points = points;
    const [first, ...rest] = Array.from({ length: STRATA }, (_, stratum) => stratum);
    this.#deck = new Deck(random, [first ?? 0, ...rest]);
  }

  /** Interpolates between two points on a logarithmic scale, and returns a whole number. */
  next(): number {
    const fraction = (this.#deck.deal() + this.#random.fraction()) / STRATA;
    let [lowerFraction, lowerValue] = this.#points[0] ?? [0, 1];
    for (const [upperFraction, value] of this.#points) {
      if (fraction < upperFraction) {
        const share = (fraction - lowerFraction) / (upperFraction - lowerFraction);
        return Math.round(lowerValue * Math.pow(value / lowerValue, share));
      }
      [lowerFraction, lowerValue] = [upperFraction, value];
    }
    return lowerValue;
  }
}
