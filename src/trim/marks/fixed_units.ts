/** Tells how much of a text a trim must leave, by what the session knows of earlier trims. */

import { fixedUnits, isPlaceOfWhole, type MarkContext, type MarkRecord } from "../../core/marks.ts";
import { isMediaPlaceholder, isPlaceholderOf, type PlaceholderCall } from "../placeholder.ts";
import type { TruncateOptions } from "../truncate.ts";

type KnownContext = Omit<MarkContext, "record"> & {
  /** Marks of earlier trims; without them the look of a mark decides. */
  readonly record: MarkRecord | undefined;
  /** The call of a result, which its placeholder must fit. */
  readonly call?: PlaceholderCall;
};

/** The option {@linkcode TruncateOptions.fixedUnits} for one part of a session. */
export function fixedUnitsOf(context: KnownContext): Pick<TruncateOptions, "fixedUnits"> {
  const { record, call } = context;
  if (record === undefined) return {};
  return {
    fixedUnits: (text) => {
      const known = { ...context, record };
      const isMasked = call !== undefined && isPlaceholderOf(text, call) &&
        (call.input !== undefined || isMediaPlaceholder(text) || isPlaceOfWhole(text, known));
      return isMasked ? text.length : fixedUnits(text, known);
    },
  };
}
