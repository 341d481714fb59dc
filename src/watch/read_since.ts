/**
 * Reading the blackboard from where one stopped.
 *
 * @module
 */

import { type BoardPlace, openBoard, readHeader, readPart } from "./board_file.ts";
import { blackboardPath } from "./board_path.ts";
import { positionAt, positionOf } from "./compact_board.ts";
import type { BoardMessage } from "./message.ts";

/** Where a reader stopped. */
export interface BoardCursor {
  /** Which blackboard it read: one that was deleted and made anew is another. */
  readonly board: string;
  /** How many bytes had ever been written there; a compaction takes none away. */
  readonly position: number;
}

/** What is new on a blackboard. */
export interface BoardNews {
  /** The messages, the oldest first, whatever became of them. */
  readonly messages: readonly BoardMessage[];
  /** Where to go on; null while there is no blackboard. */
  readonly cursor: BoardCursor | null;
}

/** Reads the messages that were posted since the last time. */
export function readSince(
  cursor: BoardCursor | null,
  options: Pick<BoardPlace, "projectDir">,
): BoardNews {
  using file = openBoard(blackboardPath(options.projectDir));
  if (file === null) return { messages: [], cursor };
  const header = readHeader(file);
  const { board } = header;
  const known = cursor?.board === board ? cursor.position : 0;
  const body = header.bytes + header.carried;
  // Somebody may have cut the file; then all that comes later is new.
  const from = known < header.start
    ? header.bytes
    : Math.min(body + known - header.start, file.statSync().size);
  const { lines, end } = readPart(file, from);
  const messages = lines.flatMap(({ line, offset }) =>
    line.kind === "message" && positionOf(header, line, offset) >= known ? [line.message] : []
  );
  return { messages, cursor: { board, position: positionAt(header, Math.max(end, body)) } };
}
