/** What a trim chooses among. */

import type { NeedReason } from "../core/need.ts";
import type { BlockChange } from "./edit/block_edits.ts";

/** Something that a trim can make smaller as a whole. */
export interface Piece {
  /** The place of its entry in the context. */
  readonly index: number;
  /** The call that it belongs to, if it does to one. */
  readonly id: string | undefined;
  /** What saving it brings by the estimate before calibration, in tokens. */
  readonly priorTokens: number;
  /** What it brings besides, in tokens as they are billed. */
  readonly mediaTokens: number;
  /** Its block and the change; a result has none, since results are cut wherever they stand. */
  readonly place: { offset: number; block: number; change: BlockChange } | undefined;
  /** Why it goes or stays, in the style `need`. */
  readonly reason?: NeedReason;
}
