/**
 * Posting messages on the blackboard.
 *
 * @module
 */

import { redactSecrets } from "../secrets/redact.ts";
import {
  appendLines,
  atBlackboard,
  MAX_BOARD_BYTES,
  openBoard,
  readHeader,
  sizeOf,
} from "./board_file.ts";
import type { ClaimOptions } from "./claims.ts";
import { compactFile } from "./compact_board.ts";
import { type BoardMessage, encodeLine, isName, isReserved } from "./message.ts";

/** How long a message is of use, unless its writer says otherwise, in milliseconds. */
export const MESSAGE_LIFE_MS = 24 * 60 * 60 * 1000;

/** From this size on the blackboard is compacted, in bytes. */
export const COMPACT_AT_BYTES = 1024 * 1024;

/** A message takes no more bytes than this. */
export const MAX_MESSAGE_BYTES = 16 * 1024;

/** How long others at the blackboard are waited for, in milliseconds: each writes one line. */
const WAIT_MS = 2_000;

/** A message that is to be posted. */
export interface NewMessage {
  /** What it is about, in a word. */
  readonly type: string;
  /** The session that it is for; null for any. @default {null} */
  readonly to?: string | null;
  /** Its other fields. @default {{}} */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Its id. @default a random one */
  readonly id?: string;
  /** How long it is of use, in milliseconds. @default {MESSAGE_LIFE_MS} */
  readonly lifeMs?: number;
}

/** Whose blackboard, when, and how large it may get. */
export interface PostOptions extends ClaimOptions {
  /** From which size on it is compacted, in bytes. @default {COMPACT_AT_BYTES} */
  readonly maxBytes?: number;
}

/** Posts a message: one line at the end of the project's blackboard, in one write. */
export function post(message: NewMessage, options: PostOptions): BoardMessage {
  const { waitMs = WAIT_MS, maxBytes = COMPACT_AT_BYTES, nowMs } = options;
  const posted = messageOf(message, nowMs);
  const line = { kind: "message", message: posted, position: null } as const;
  const bytes = new TextEncoder().encode(encodeLine(line)).length;
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new RangeError(
      `Cannot post message: it has ${bytes} bytes, expected at most ${MAX_MESSAGE_BYTES}`,
    );
  }
  Deno.statSync(options.projectDir);
  const locked = atBlackboard({ ...options, waitMs }, (path) => {
    if (isLarge(path, bytes, maxBytes)) compactFile(path, nowMs);
    appendLines(path, [line]);
  });
  if (locked === null) {
    throw new Error(`Cannot post message: could not get the lock within ${waitMs} ms`);
  }
  return posted;
}

function messageOf(message: NewMessage, nowMs: number): BoardMessage {
  const { type, to = null, payload = {}, id = crypto.randomUUID() } = message;
  for (const [what, value] of Object.entries({ id, type, to })) {
    if (isName(value) || (what === "to" && value === null)) continue;
    throw new TypeError(`Cannot post message: its ${what} is ${JSON.stringify(value)}`);
  }
  const taken = Object.keys(payload).find(isReserved);
  if (taken !== undefined) {
    throw new TypeError(
      `Cannot post message: its payload has a field "${taken}" of the line's own`,
    );
  }
  const screened: Record<string, unknown> = JSON.parse(JSON.stringify(payload, screen));
  const created = new Date(nowMs).toISOString();
  const expires = new Date(nowMs + (message.lifeMs ?? MESSAGE_LIFE_MS)).toISOString();
  return { id, type, to, created, expires, payload: screened };
}

function screen(_name: string, value: unknown): unknown {
  return typeof value === "string" ? redactSecrets(value) : value;
}

/** What a compaction could not take out is not gone through again with every message. */
function isLarge(path: string, bytes: number, maxBytes: number): boolean {
  const size = sizeOf(path);
  if (size === 0 || size + bytes <= maxBytes) return false;
  if (size + bytes > MAX_BOARD_BYTES) return true;
  using file = openBoard(path);
  return file !== null && size + bytes > 2 * readHeader(file).carried;
}
