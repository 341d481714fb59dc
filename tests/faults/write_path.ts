/**
 * The interface of a write path, with the times and ids of its rounds.
 *
 * @module
 */

import { type Place, START_MS } from "./place.ts";

/** One way in which trimtab writes files. */
export interface WritePath {
  readonly name: string;
  /** Adds files to a home that this write path needs or may delete. */
  readonly prepare?: (place: Place) => void;
  /** Writes once. Rounds are a minute apart. */
  readonly run: (place: Place, round: number) => unknown;
  /** Throws unless the round's data is stored. */
  readonly assertDone: (place: Place, round: number) => void;
}

/**
 * The start of a round, a minute after that of the round before.
 *
 * @param round The number of the round, from 0.
 * @returns The time, in milliseconds since 1970.
 */
export function timeOf(round: number): number {
  return START_MS + (round + 1) * 60_000;
}

/**
 * A session id that is unique to one round of one write path.
 *
 * @param kind Two hexadecimal digits, for the write path.
 * @param round The round.
 * @returns The id.
 */
export function idOf(kind: string, round: number): string {
  return `${kind}000000-0000-4000-8000-${String(round).padStart(12, "0")}`;
}
