/** Logs a message in the new conversation, after the boundary that the client is about to write. */

import type { Client } from "./client.ts";
import { readBytes } from "./files.ts";

const CHECK_MS = 50;

/** The client writes the boundary within seconds or not at all. */
const MAX_WAIT_MS = 60_000;

const BOUNDARY = '"subtype":"compact_boundary"';

interface PendingMessage {
  readonly text: string;
  readonly path: string;
  /** The byte offset in the transcript at which the search for the boundary starts. */
  readonly from: number;
  onDropped?(): unknown;
}

let pending: PendingMessage | undefined;

export function isBoundaryPending(): boolean {
  return pending !== undefined;
}

export function logAfterBoundary(client: Client, message: PendingMessage): void {
  pending = message;
  check(client, message, { size: message.from, checksLeft: MAX_WAIT_MS / CHECK_MS });
}

/** Called before the next boundary, and when the session ends. */
export async function settlePending(client: Client): Promise<void> {
  if (pending !== undefined) await finish(client, pending, await hasBoundary(client, pending));
}

async function finish(
  client: Client,
  message: PendingMessage,
  isWritten: boolean,
): Promise<void> {
  if (pending !== message) return;
  pending = undefined;
  if (isWritten) client.ui.log(message.text);
  else await message.onDropped?.();
}

function check(
  client: Client,
  message: PendingMessage,
  last: { size: number; checksLeft: number },
): void {
  client.clock.after(CHECK_MS, async () => {
    if (pending !== message) return;
    const { size } = await client.fs.stat(message.path).catch(() => last);
    const isWritten = size > last.size && await hasBoundary(client, message);
    if (isWritten || last.checksLeft <= 0) return await finish(client, message, isWritten);
    check(client, message, { size, checksLeft: last.checksLeft - 1 });
  });
}

async function hasBoundary(client: Client, { path, from }: PendingMessage): Promise<boolean> {
  try {
    const { size: to } = await client.fs.stat(path);
    const bytes = await readBytes(client, path, { from, to });
    return new TextDecoder().decode(bytes).includes(BOUNDARY);
  } catch {
    return false;
  }
}
