/** What a trim in place goes by. */

import type { NeedSettings } from "../trim/need_texts.ts";
import type { TrimSettings } from "../trim/trim_options.ts";

export interface CutRules extends TrimSettings, Pick<NeedSettings, "parentFile" | "record"> {
  /** The only lines whose calls and results are cut. @default {all} */
  readonly entries?: ReadonlySet<number> | undefined;
  /** The line of the transcript that holds a call or its result. */
  lineOf(id: string, kind: "call" | "result"): number | undefined;
  /** What the context is to shrink by, in tokens; `undefined` for as much as can be. */
  readonly excessTokens: number | undefined;
  /** What to multiply an estimate of tokens by. */
  readonly scale: number;
}
