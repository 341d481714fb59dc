/** Finds the problems of a written handoff. */

import { countWords, MAX_HANDOFF_WORDS } from "./handoff.ts";
import { guardHandoff, HANDOFF_SECTIONS, splitHandoff } from "./handoff_sections.ts";

interface HandoffProblem {
  readonly kind: "empty" | "too long" | "wordy" | "sections";
  readonly text: string;
  readonly isFatal: boolean;
}

/** No handoff is longer, in UTF-16 code units. */
export const MAX_HANDOFF_CHARS = 20_000;

export function checkHandoff(text: string): HandoffProblem[] {
  if (text.length > MAX_HANDOFF_CHARS) {
    const size = `it has ${text.length} characters, expected at most ${MAX_HANDOFF_CHARS}`;
    return [{ kind: "too long", text: `The handoff is too long: ${size}.`, isFatal: true }];
  }
  const guarded = guardHandoff(text);
  const parts = splitHandoff(guarded);
  if (parts.every(({ lines }) => lines.every((line) => line.trim() === ""))) {
    return [{ kind: "empty", text: "The handoff is empty.", isFatal: true }];
  }
  const missing = HANDOFF_SECTIONS.filter((name) => !parts.some((part) => part.name === name));
  const words = countWords(guarded);
  const sections = missing.join(", ");
  return [
    ...(words <= MAX_HANDOFF_WORDS ? [] : [{
      kind: "wordy" as const,
      text: `The handoff has ${words} words, expected at most ${MAX_HANDOFF_WORDS}.`,
      isFatal: false,
    }]),
    ...(missing.length === 0 ? [] : [{
      kind: "sections" as const,
      text: `The handoff lacks ${missing.length === 1 ? "the section" : "sections"} ${sections}.`,
      isFatal: false,
    }]),
  ];
}
