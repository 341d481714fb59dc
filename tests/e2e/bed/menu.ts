/**
 * Chooses in the lists of the interactive client.
 *
 * A list is drawn before it takes keys, and a busy machine may show late what a key has done: so a key
 * is pressed again when nothing comes of it, and what it did is looked at before the next one.
 *
 * @module
 */

import type { Terminal } from "./terminal.ts";

/** The line of a list that is marked. */
const MARKED = /^ +❯ (.*?) *$/m;
/** Wait for the effect of a key before it is pressed again. */
const TRY_MS = 8_000;
const MOST_TRIES = 24;
const OPPOSITE = { Up: "Down", Down: "Up" } as const;

/**
 * Moves in a list until the mark is at the wanted line.
 *
 * @param terminal The client's.
 * @param wanted The line.
 * @param key Where it is. A key that came late can have moved the mark past it: then the way back is gone.
 * @throws {Error} When it is not found, with what the screen shows.
 */
export async function pick(
  terminal: Terminal,
  wanted: string,
  key: "Up" | "Down",
): Promise<void> {
  let way = key;
  let failures = 0;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const marked = MARKED.exec(await terminal.see(MARKED))?.[1] ?? "";
    if (marked === wanted) return;
    await terminal.press(way);
    const still = marked.replaceAll(/[^\w ]/g, ".");
    const hasMoved = await comes(terminal.unsee(new RegExp(`^ +❯ ${still} *$`, "m"), TRY_MS));
    failures = hasMoved ? 0 : failures + 1;
    // At the end of the list, as it seems.
    if (failures === 2) [way, failures] = [OPPOSITE[way], 0];
  }
  throw new Error(`Cannot choose "${wanted}": the screen shows\n${await terminal.screen()}`);
}

/**
 * Presses a key until a text has disappeared.
 *
 * @param terminal The client's.
 * @param key The key, by tmux's name.
 * @param shown What it takes away.
 * @throws {Error} When it stays, with what the screen shows.
 */
export async function pressUntilGone(
  terminal: Terminal,
  key: string,
  shown: RegExp,
): Promise<void> {
  for (let tries = 1; tries < MOST_TRIES; tries++) {
    await terminal.press(key);
    if (await comes(terminal.unsee(shown, TRY_MS))) return;
  }
  await terminal.unsee(shown);
}

function comes(waiting: Promise<unknown>): Promise<boolean> {
  return waiting.then(() => true, () => false);
}
