/**
 * Generates repeatable random numbers: the same seed produces the same transcript everywhere.
 *
 * @module
 */

import { randomFrom } from "../../tools/random.ts";

const HEX = "0123456789abcdef";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** {@linkcode Quantiles} divides 0 to 1 into this many parts, and draws from all parts equally often. */
const STRATA = 64;

export class Random {
  /** Returns a number from 0 (included) to 1 (excluded). */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = randomFrom(seed);
  }

  word(): number {
    return this.between(0, 0xffff_ffff);
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** @param items Must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
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

  /** @param items Must not be empty. An item that is listed twice is dealt twice as often. */
  constructor(random: Random, items: readonly T[]) {
    this.#random = random;
    this.#items = [...items];
    this.#next = this.#items.length;
  }

  deal(): T {
    if (this.#next >= this.#items.length) {
      this.#shuffle();
      this.#next = 0;
    }
    return this.#items[this.#next++] as T;
  }

  #shuffle(): void {
    for (let last = this.#items.length - 1; last > 0; last--) {
      const other = this.#random.between(0, last);
      const item = this.#items[last] as T;
      this.#items[last] = this.#items[other] as T;
      this.#items[other] = item;
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
    this.#deck = new Deck(random, Array.from({ length: STRATA }, (_, stratum) => stratum));
  }

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
