/**
 * What stays of a result, as a command line names it. The module inside the client reads it, too.
 */

import type { TrimStyle } from "../src/trim/mask_text.ts";
import { type Arguments, textOf } from "./spec.ts";

/** What each value of `--keep` and of `--style` is called in the library. */
const STYLES: ReadonlyMap<string, TrimStyle> = new Map([
  ["need", "need"],
  ["head", "truncate"],
  ["truncate", "truncate"],
  ["line", "mask"],
  ["mask", "mask"],
]);

/** Reads what is to stay of a result. */
export function styleOf(args: Arguments): TrimStyle {
  return STYLES.get(textOf(args, "style") ?? textOf(args, "keep") ?? "") ?? "need";
}
