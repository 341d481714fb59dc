/** What a trim chooses among. */

import type { NeedReason } from "../core/need.ts";
import type { BlockChange } from "./edit/block_edits.ts";

export interface Piece {
  readonly index: number;
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
