/** Tells people that a session was started with what an earlier one saved. */

import { ageText } from "../inject/age.ts";
import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";

/** Longest shown summary of a save, in UTF-16 code units. */
const MAX_SUMMARY_CHARS = 200;

interface LoadedSave {
  readonly kind: "checkpoint" | "snapshot";
  readonly id: string;
  readonly summary: string;
  /** When it was saved, ISO 8601. */
  readonly created: string;
}

/** Says what was loaded, how old it is, and how to go without it. */
export function loadedWords(
  save: LoadedSave,
  { source, nowMs }: { readonly source: string; readonly nowMs: number },
): string {
  const age = ageText(Math.max(0, nowMs - Date.parse(save.created)));
  const once = source === "clear" ? "To start without it, restart Claude Code; to" : "To";
  return `loaded ${save.kind} ${save.id}, saved ${age}${aboutSave(save)}. ${once} ` +
    `stop loading at ${source}, set restore_on in trimtab.toml`;
}

/** Subject of a save, in parentheses; empty if it does not say. */
export function aboutSave({ summary }: Pick<LoadedSave, "summary">): string {
  const words = boundText(cleanLine(summary), MAX_SUMMARY_CHARS);
  return words === "" ? "" : ` (${words})`;
}
