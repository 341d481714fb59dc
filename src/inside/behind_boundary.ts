/** Says something behind the boundary that the client is about to write: before it, it would tell of another. */

import type { Client } from "./client.ts";
import { readBytes } from "./session_lines.ts";

/** How often the transcript is looked at, in milliseconds. */
const LOOK_MS = 50;

/** A client that has written no boundary by then writes none, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const BOUNDARY = '"subtype":"compact_boundary"';

/** What waits to be said. */
let waiting: string | undefined;

/** Says it as soon as a transcript has a boundary from a byte on. */
export function sayBehindBoundary(
  client: Client,
  text: string,
  lines: { path: string; from: number },
): void {
  waiting = text;
  look(client, lines, { size: lines.from, left: MAX_WAIT_MS / LOOK_MS });
}

/** Says what still waits, as where the session ends. */
export function sayNow(client: Client): void {
  if (waiting !== undefined) client.ui.log(waiting);
  waiting = undefined;
}

function look(
  client: Client,
  lines: { path: string; from: number },
  seen: { size: number; left: number },
): void {
  client.clock.after(LOOK_MS, async () => {
    if (waiting === undefined) return;
    let { size } = seen;
    try {
      size = (await client.fs.stat(lines.path)).size;
      const isNew = size > seen.size && await hasBoundary(client, { ...lines, to: size });
      if (isNew || seen.left <= 0) return sayNow(client);
    } catch {
      // The next look may tell.
    }
    if (seen.left > 0) look(client, lines, { size, left: seen.left - 1 });
    else sayNow(client);
  });
}

async function hasBoundary(
  client: Client,
  { path, from, to }: { path: string; from: number; to: number },
): Promise<boolean> {
  const bytes = await readBytes(client, path, { from, to });
  return new TextDecoder().decode(bytes).includes(BOUNDARY);
}
