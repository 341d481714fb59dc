/** Which texts of an entry a notice of a trim can stand for. */

import type { MarkedPart } from "../core/marks.ts";
import { resultTexts } from "./content.ts";
import { type Entry, isObject } from "./entry.ts";

/** The texts of a result, also as one, or those in the arguments of a call; `undefined` without it. */
export function markedTexts(entry: Entry, { id, kind }: MarkedPart): string[] | undefined {
  const content = entry.message?.content;
  for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
    if (kind === "result" && block.type === "tool_result" && block.tool_use_id === id) {
      const texts = resultTexts(block.content);
      return texts.length > 1 ? [...texts, texts.join("\n")] : texts;
    }
    if (kind === "call" && block.type === "tool_use" && block.id === id) {
      return argumentTexts(block.input);
    }
  }
  return undefined;
}

/** The texts in the arguments of a call, as deep as a trim cuts them: `edits`, the edit, its text. */
export function argumentTexts(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (typeof input !== "object" || input === null) return [];
  return Object.values(input).flatMap((value) =>
    typeof value === "object" && value !== null
      ? Object.values(value).flatMap((item) =>
        isObject(item) ? Object.values(item).filter((one) => typeof one === "string") : []
      )
      : typeof value === "string"
      ? [value]
      : []
  );
}
