/**
 * Logs a message after the boundary that the client is about to write. A line before the boundary would
 * belong to the old conversation.
 */

import type { Client } from "./client.ts";
import { readBytes } from "./files.ts";

const CHECK_MS = 50;

/** Stop waiting after this; a boundary comes sooner or not at all. */
const MAX_WAIT_MS = 60_000;

const BOUNDARY = '"subtype":"compact_boundary"';

/** `from` is the byte offset in the transcript at which the search for the boundary starts. */
interface PendingMessage {
  readonly text: string;
  readonly path: string;
  readonly from: number;
}

let pending: PendingMessage | undefined;

/** Logs a message once the transcript has a boundary at or after the byte `from`. */
export function logAfterBoundary(
  client: Client,
  text: string,
  lines: { path: string; from: number },
): void {
  if (pending !== undefined) void logIfWritten(client, pending, lines.from);
  pending = { text, ...lines };
  check(client, pending, { size: lines.from, left: MAX_WAIT_MS / CHECK_MS });
}

/** Logs the message of an earlier boundary if the client wrote that boundary. */
async function logIfWritten(client: Client, earlier: PendingMessage, to: number): Promise<void> {
  if (await hasBoundary(client, earlier, to).catch(() => false)) client.ui.log(earlier.text);
}

/** Logs a message without waiting for its boundary, because the session ends. */
export function logPending(client: Client): void {
  if (pending !== undefined) client.ui.log(pending.text);
  pending = undefined;
}

function check(client: Client, mine: PendingMessage, seen: { size: number; left: number }): void {
  client.clock.after(CHECK_MS, async () => {
    if (pending !== mine) return;
    const size = await sizeOf(client, mine.path) ?? seen.size;
    const isNew = size > seen.size && await hasBoundary(client, mine, size).catch(() => false);
    if (pending !== mine) return;
    if (isNew) return logPending(client);
    if (seen.left <= 0) pending = undefined;
    else check(client, mine, { size, left: seen.left - 1 });
  });
}

async function sizeOf(client: Client, path: string): Promise<number | undefined> {
  return await client.fs.stat(path).then(({ size }) => size, () => undefined);
}

async function hasBoundary(
  client: Client,
  { path, from }: PendingMessage,
  to: number,
): Promise<boolean> {
  const bytes = await readBytes(client, path, { from, to });
  return new TextDecoder().decode(bytes).includes(BOUNDARY);
}
