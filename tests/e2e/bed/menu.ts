/**
 * Chooses items in the lists of the interactive client.
 *
 * The client draws a list before it accepts keys, and a busy machine may show the effect of a key late. A key
 * is therefore pressed again when it has no effect, and its effect is checked before the next key.
 *
 * @module
 */

import type { Terminal } from "./terminal.ts";

/** The selected item of a list. */
const MARKED = /^ +❯ (.*?) *$/m;
/** Time to wait for the effect of a key before pressing it again. */
const TRY_MS = 8_000;
const MOST_TRIES = 24;
const OPPOSITE = { Up: "Down", Down: "Up" } as const;

/**
 * Moves the selection of a list to an item.
 *
 * @param terminal The client's terminal.
 * @param wanted The text of the item.
 * @param key The direction to start in. It reverses at the end of the list, since a late key can have
 * moved the selection past the item.
 * @throws {Error} With the screen, when the item is not found.
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
    // The selection has not moved for two keys, so this is the end of the list.
    if (failures === 2) [way, failures] = [OPPOSITE[way], 0];
  }
  throw new Error(`Cannot choose "${wanted}": the screen shows\n${await terminal.screen()}`);
}

/**
 * Presses a key until a text has disappeared.
 *
 * @param terminal The client's terminal.
 * @param key The key, by tmux's name.
 * @param shown The text that the key removes.
 * @throws {Error} With the screen, when the text stays.
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
