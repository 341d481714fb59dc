/** What a trim in place goes by. */

import type { TrimStyle } from "../trim/mask_text.ts";
import type { NeedSettings } from "../trim/need_texts.ts";

export interface CutRules extends NeedSettings {
  /** How a result is made smaller. */
  readonly style: TrimStyle;
  isTarget(toolName: string): boolean;
  /** Whether a call is about files whose results stay whole. */
  isProtected(toolName: string, input: unknown): boolean;
  /** Whether what calls write into files is cut. */
  readonly cutsInputs: boolean;
  /** The only lines whose calls and results are cut; all where nobody said. */
  readonly entries: ReadonlySet<number> | undefined;
  /** The line of the transcript that holds a call or its result. */
  lineOf(id: string, kind: "call" | "result"): number | undefined;
  /** What the context is to shrink by, in tokens; `undefined` for as much as can be. */
  readonly excessTokens: number | undefined;
  /** What to multiply an estimate of tokens by. */
  readonly scale: number;
}
