/** The interface of a write path, with the times and ids of its rounds. */

import { type Place, START_MS } from "./place.ts";

export interface WritePath {
  readonly name: string;
  /** Adds the files that this write path needs or may delete. */
  readonly prepare?: (place: Place) => void;
  /**
   * Returns a warning in words or a list of findings if some data was not stored, and null if the operation
   * was not carried out. All other results, such as a path, are not reports.
   */
  readonly run: (place: Place, round: number) => unknown;
  readonly assertDone: (place: Place, round: number) => void;
}

/**
 * Returns the start of a round in milliseconds since 1970. Rounds are a minute apart.
 *
 * @param round Counted from 0.
 */
export function timeOf(round: number): number {
  return START_MS + (round + 1) * 60_000;
}

/**
 * Returns a session id that is unique to one round of one write path.
 *
 * @param kind Two hexadecimal digits, for the write path.
 */
export function idOf(kind: string, round: number): string {
  return `${kind}000000-0000-4000-8000-${String(round).padStart(12, "0")}`;
}
