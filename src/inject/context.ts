import { boundText, MAX_CONTEXT_CHARS } from "./bound.ts";
import { cleanText } from "./clean.ts";
import { fenceData, type FencedData } from "./fence.ts";

/** Strings are trimtab's own text. All other parts are fenced. */
export type ContextPart = string | Omit<FencedData, "maxChars">;

const GAP = "\n\n";

export function buildContext(
  parts: readonly ContextPart[],
  maxChars: number = MAX_CONTEXT_CHARS,
): string {
  const cleaned = parts.map((part) => typeof part === "string" ? cleanText(part) : part);
  const ownText = cleaned.filter((part) => typeof part === "string").join("");
  let room = maxChars - ownText.length - GAP.length * (parts.length - 1);
  const pieces = cleaned.map((part) => {
    if (typeof part === "string") return part;
    const fenced = fenceData({ ...part, maxChars: room });
    room -= fenced.length;
    return fenced;
  });
  return boundText(pieces.filter((piece) => piece !== "").join(GAP), maxChars);
}
