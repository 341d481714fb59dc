/**
 * Trims by length alone, unless the options set `keep`. Keeps the head of a result, or a single line if the
 * trim is deep or has a target.
 *
 * @module
 */

import * as trim from "../../src/trim/trim_transcript.ts";

export type TrimOptions = trim.TrimOptions;
export type TrimCounts = trim.TrimCounts;

export function cutCount({ trimmed_count, inputs, images, thinking }: TrimCounts): number {
  return trimmed_count + inputs.count + images.count + thinking.count;
}

export function trimByLength(options: TrimOptions): TrimCounts {
  const isDeep = options.depth === "deep" || options.targetPercent !== undefined;
  return trim.trimTranscript({ keep: isDeep ? "line" : "head", ...options });
}
