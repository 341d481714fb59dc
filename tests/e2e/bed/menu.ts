/**
 * Chooses items in lists of the interactive client. A busy machine may ignore a key or show its effect late,
 * so a key is pressed again if it has no effect, and its effect is checked before the next key.
 */

import type { Terminal } from "./terminal.ts";

/** Matches the selected item of a list, such as ` ❯ (current)`. */
const SELECTED = /^ +❯ (.*?) *$/m;
/** After this time without an effect, the key is pressed again. */
const TRY_MS = 8_000;
const MAX_TRIES = 24;
const OPPOSITE = { Up: "Down", Down: "Up" } as const;

/**
 * Moves the selection of a list to the item with the wanted text. The direction reverses at the end of the
 * list, since a late key can have moved the selection past the item.
 */
export async function pick(
  terminal: Terminal,
  wanted: string,
  direction: "Up" | "Down",
): Promise<void> {
  let failures = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const selected = SELECTED.exec(await terminal.see(SELECTED))?.[1] ?? "";
    if (selected === wanted) return;
    await terminal.press(direction);
    const unmoved = selected.replaceAll(/[^\w ]/g, ".");
    const hasMoved = await resolves(terminal.unsee(new RegExp(`^ +❯ ${unmoved} *$`, "m"), TRY_MS));
    failures = hasMoved ? 0 : failures + 1;
    // Two key presses in a row did not move the selection, so this is the end of the list.
    if (failures === 2) [direction, failures] = [OPPOSITE[direction], 0];
  }
  throw new Error(`Cannot choose "${wanted}": the screen shows\n${await terminal.screen()}`);
}

export async function pressUntilGone(
  terminal: Terminal,
  key: string,
  shown: RegExp,
): Promise<void> {
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    await terminal.press(key);
    if (await resolves(terminal.unsee(shown, TRY_MS))) return;
  }
  await terminal.unsee(shown);
}

function resolves(waiting: Promise<unknown>): Promise<boolean> {
  return waiting.then(() => true, () => false);
}
