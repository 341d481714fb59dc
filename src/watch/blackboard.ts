/**
 * The blackboard: the shared message log of the agents that work on one project. Append-only, one
 * line of JSON a message; who takes one and that it is done are lines, too.
 *
 * @module
 */

export { type BoardPlace, MAX_BOARD_BYTES } from "./board_file.ts";
export { BLACKBOARD_FILE, blackboardPath, hasBlackboard } from "./board_path.ts";
export {
  acknowledge,
  acknowledgeTaken,
  claim,
  type ClaimOptions,
  claimPending,
  type ClaimPendingOptions,
  pendingFor,
} from "./claims.ts";
export { compact, type Compaction } from "./compact_board.ts";
export type { BoardMessage } from "./message.ts";
export {
  COMPACT_AT_BYTES,
  MAX_MESSAGE_BYTES,
  MESSAGE_LIFE_MS,
  type NewMessage,
  post,
  type PostOptions,
} from "./post.ts";
export { type BoardCursor, type BoardNews, readSince } from "./read_since.ts";
