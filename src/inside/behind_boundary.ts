/**
 * Logs a message after the boundary that the client is about to write; an earlier line would belong to the
 * old conversation.
 */

import type { Client } from "./client.ts";
import { readBytes } from "./files.ts";

/** Interval between checks of the transcript, in milliseconds. */
const CHECK_MS = 50;

/** Longest wait for a boundary, in milliseconds; a client that is later than this writes none. */
const MAX_WAIT_MS = 60_000;

const BOUNDARY = '"subtype":"compact_boundary"';

/** A pending message; `from` is the byte of the transcript where its boundary is expected. */
interface Waiting {
  readonly text: string;
  readonly path: string;
  readonly from: number;
}

let waiting: Waiting | undefined;

/** Logs a text as soon as the transcript has a boundary at or after a byte. */
export function sayBehindBoundary(
  client: Client,
  text: string,
  lines: { path: string; from: number },
): void {
  sayNow(client);
  waiting = { text, ...lines };
  check(client, waiting, { size: lines.from, left: MAX_WAIT_MS / CHECK_MS });
}

/** Logs a pending message at once, for example when the session ends. */
export function sayNow(client: Client): void {
  if (waiting !== undefined) client.ui.log(waiting.text);
  waiting = undefined;
}

function check(client: Client, mine: Waiting, seen: { size: number; left: number }): void {
  client.clock.after(CHECK_MS, async () => {
    if (waiting !== mine) return;
    const size = await sizeOf(client, mine.path) ?? seen.size;
    const isNew = size > seen.size && await hasBoundary(client, mine, size).catch(() => false);
    if (waiting !== mine) return;
    if (isNew || seen.left <= 0) return sayNow(client);
    check(client, mine, { size, left: seen.left - 1 });
  });
}

async function sizeOf(client: Client, path: string): Promise<number | undefined> {
  return await client.fs.stat(path).then(({ size }) => size, () => undefined);
}

async function hasBoundary(client: Client, { path, from }: Waiting, to: number): Promise<boolean> {
  const bytes = await readBytes(client, path, { from, to });
  return new TextDecoder().decode(bytes).includes(BOUNDARY);
}
