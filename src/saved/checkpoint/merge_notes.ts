/** Notes by hand: what only the model or the user knows. */

import { excerpt } from "../../extract/excerpt.ts";
import { BY_HAND, readEnding } from "./item.ts";
import { NONE_RECORDED, OPTIONAL_SECTIONS, SECTIONS, splitSections } from "./sections.ts";
import { readFrontMatter } from "./front_matter.ts";
import { renderSections } from "./render_sections.ts";
import { foldState, mergeStates } from "./fold_state.ts";
import { stateOfSections } from "./state.ts";
import type { WorkState } from "../../extract/work_state.ts";

/** No more of notes is read, in UTF-16 code units. */
const MAX_NOTES_CHARS = 64 * 1024;

const MAX_NOTES = 200;

/** The sections that take notes; others are about how far the work is. */
const NOTED: ReadonlySet<string> = new Set(
  SECTIONS.filter((name) => !OPTIONAL_SECTIONS.includes(name)),
);

const WORDS = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?(.*)$/;

export function mergeNotes(state: WorkState, notes: string, projectDir = ""): WorkState {
  const { body } = readFrontMatter(excerpt(notes, MAX_NOTES_CHARS));
  const ours = foldState(state, projectDir);
  const known = new Set(renderSections(ours, projectDir).split("\n").map(wordsOf));
  const added = new Map<string, string[]>();
  let left = MAX_NOTES;
  for (const [section, lines] of splitSections(body)) {
    for (const line of lines) {
      const words = noteIn(line);
      if (!isNote(words) || known.has(words.toLowerCase()) || left-- <= 0) continue;
      const name = NOTED.has(section) ? section : "Progress";
      const note = `- ${words} (${BY_HAND.uuid})`;
      added.set(name, [...added.get(name) ?? [], name === "Key Decisions" ? typeset(note) : note]);
    }
  }
  const merged = mergeStates(stateOfSections(added, ""), ours, projectDir);
  const { recent } = merged.progress;
  return { ...merged, progress: { ...ours.progress, recent }, partial: ours.partial };
}

function noteIn(line: string): string {
  return readEnding(WORDS.exec(line)?.[1]?.trim() ?? "").text;
}

/** People type a hyphen where a checkpoint has a dash. */
function typeset(line: string): string {
  return line.replace(/ --? because /, " — because ").replace(/ --? not: /, " — not: ");
}

/** Drafts come back with notes added: what we said ourselves is no note. */
function wordsOf(line: string): string {
  return noteIn(line).toLowerCase();
}

function isNote(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words) && words !== NONE_RECORDED && !/^`{3}|^~{3}/.test(words);
}
