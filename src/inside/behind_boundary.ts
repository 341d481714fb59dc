/**
 * Logs a message after the boundary that the client is about to write. A line before the boundary would
 * belong to the old conversation.
 */

import type { Client } from "./client.ts";
import { readBytes } from "./files.ts";

const CHECK_MS = 50;

/** The client writes the boundary within seconds or not at all. */
const MAX_WAIT_MS = 60_000;

const BOUNDARY = '"subtype":"compact_boundary"';

/** `from` is the byte offset in the transcript at which the search for the boundary starts. */
interface PendingMessage {
  readonly text: string;
  readonly path: string;
  readonly from: number;
}

let pending: PendingMessage | undefined;

/** Whether the client may not have replaced the conversation yet. */
export function isBoundaryPending(): boolean {
  return pending !== undefined;
}

/** Logs a message once the transcript has a boundary at or after the byte `from`. */
export function logAfterBoundary(
  client: Client,
  text: string,
  transcript: { path: string; from: number },
): void {
  if (pending !== undefined) void logIfWritten(client, pending, transcript.from);
  pending = { text, ...transcript };
  check(client, pending, { size: transcript.from, checksLeft: MAX_WAIT_MS / CHECK_MS });
}

/** Logs the message of an earlier boundary if the client wrote that boundary. */
async function logIfWritten(client: Client, earlier: PendingMessage, to: number): Promise<void> {
  if (await hasBoundary(client, earlier, to)) client.ui.log(earlier.text);
}

/** Logs a message without waiting for its boundary, because the session ends. */
export function logPending(client: Client): void {
  if (pending !== undefined) client.ui.log(pending.text);
  pending = undefined;
}

function check(
  client: Client,
  message: PendingMessage,
  last: { size: number; checksLeft: number },
): void {
  client.clock.after(CHECK_MS, async () => {
    if (pending !== message) return;
    const { size } = await client.fs.stat(message.path).catch(() => last);
    const isNew = size > last.size && await hasBoundary(client, message, size);
    if (pending !== message) return;
    if (isNew) return logPending(client);
    if (last.checksLeft <= 0) pending = undefined;
    else check(client, message, { size, checksLeft: last.checksLeft - 1 });
  });
}

/** Returns false if the transcript cannot be read. */
function hasBoundary(client: Client, { path, from }: PendingMessage, to: number): Promise<boolean> {
  return readBytes(client, path, { from, to }).then(
    (bytes) => new TextDecoder().decode(bytes).includes(BOUNDARY),
    () => false,
  );
}
