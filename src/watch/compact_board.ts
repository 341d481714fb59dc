/**
 * Making the blackboard small again, in place.
 *
 * @module
 */

import { writeFileAtomicSync } from "../store/atomic.ts";
import { atBlackboard, openBoard, type PlacedHeader, readHeader, readPart } from "./board_file.ts";
import { foldLines, isOpen } from "./board_state.ts";
import type { ClaimOptions } from "./claims.ts";
import { encodeLine, type MessageLine } from "./message.ts";

/** What is left of a blackboard. */
export interface Compaction {
  /** The messages that are still open. */
  readonly kept: number;
  /** The messages that were done or expired. */
  readonly dropped: number;
}

/**
 * Takes out of the blackboard what is done or expired, and lines that are damaged or of somebody
 * else.
 */
export function compact(options: ClaimOptions): Compaction | null {
  return atBlackboard(options, (path) => compactFile(path, options.nowMs))?.value ?? null;
}

/** Does the work of {@linkcode compact}; only under the lock. */
export function compactFile(path: string, nowMs: number): Compaction {
  using file = openBoard(path);
  if (file === null) return { kept: 0, dropped: 0 };
  const header = readHeader(file);
  const { lines } = readPart(file, header.bytes);
  const states = foldLines(lines.map(({ line }) => line));
  const seen = new Set<string>();
  let carried = "";
  for (const { line, offset } of lines) {
    if (line.kind !== "message" || seen.has(line.message.id)) continue;
    seen.add(line.message.id);
    const state = states.get(line.message.id);
    if (state === undefined || !isOpen(state, nowMs)) continue;
    carried += encodeLine({ ...line, position: positionOf(header, line, offset) });
    if (state.claim !== null) carried += encodeLine(state.claim);
  }
  const bytes = new TextEncoder().encode(carried).length;
  // Behind the last byte, torn or not: no later line may have a position that a reader has passed.
  const start = positionAt(header, file.statSync().size);
  const { board } = header;
  const first = encodeLine({ kind: "header", board, start, carried: bytes });
  file.close();
  writeFileAtomicSync(path, first + carried);
  const kept = [...states.values()].filter((state) => isOpen(state, nowMs)).length;
  return { kept, dropped: states.size - kept };
}

/** The position of a place in the file, which stays the same when the file is compacted. */
export function positionAt(header: PlacedHeader, offset: number): number {
  return Math.max(header.start, header.start + offset - header.bytes - header.carried);
}

/** The position of a message: of one that was carried over, that which it had at first. */
export function positionOf(header: PlacedHeader, line: MessageLine, offset: number): number {
  const isCarried = offset < header.bytes + header.carried;
  return isCarried ? line.position ?? 0 : positionAt(header, offset);
}
