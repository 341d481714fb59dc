/**
 * The interface of a way of writing, with the times and ids of its rounds.
 *
 * @module
 */

import { type Place, START_MS } from "./place.ts";

/** A way of writing. */
export interface WritePath {
  readonly name: string;
  /** Adds to a home what this needs, and what it may delete. */
  readonly prepare?: (place: Place) => void;
  /** Writes. Rounds are a minute apart. */
  readonly run: (place: Place, round: number) => unknown;
  /** Throws unless the round is written down. */
  readonly assertDone: (place: Place, round: number) => void;
}

/**
 * When a round takes place.
 *
 * @param round Which.
 * @returns The time, in milliseconds since 1970.
 */
export function timeOf(round: number): number {
  return START_MS + (round + 1) * 60_000;
}

/**
 * An id of a session that only one round of one way of writing has.
 *
 * @param kind Two hexadecimal digits, for the way of writing.
 * @param round Which round.
 * @returns The id.
 */
export function idOf(kind: string, round: number): string {
  return `${kind}000000-0000-4000-8000-${String(round).padStart(12, "0")}`;
}
