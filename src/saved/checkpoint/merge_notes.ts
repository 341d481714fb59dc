/** Notes by hand: what only the model or the user knows. */

import { excerpt } from "../../extract/excerpt.ts";
import { BY_HAND, readEnding } from "./item.ts";
import { readChange, readCommit, readWhy } from "./change_lines.ts";
import { readDecision, readIssue, readSaid, readStep } from "./lines.ts";
import { NONE_RECORDED, splitSections } from "./sections.ts";
import { readFrontMatter } from "./front_matter.ts";
import { renderSections } from "./render_sections.ts";
import { foldState, mergeStates } from "./fold_state.ts";
import { emptyState } from "../../extract/empty_state.ts";
import type { FileChange, WorkState } from "../../extract/work_state.ts";

/** No more of notes is read, in UTF-16 code units. */
const MAX_NOTES_CHARS = 64 * 1024;

const MAX_NOTES = 200;

const WORDS = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?(.*)$/;

export function mergeNotes(state: WorkState, notes: string, projectDir = ""): WorkState {
  const { body } = readFrontMatter(excerpt(notes, MAX_NOTES_CHARS));
  const ours = foldState(state, projectDir);
  const known = new Set(renderSections(ours, projectDir).split("\n").map(wordsOf));
  const added = new Notes();
  let left = MAX_NOTES;
  for (const [section, lines] of splitSections(body)) {
    for (const line of lines) {
      const words = noteIn(line);
      if (!isNote(words) || known.has(words.toLowerCase()) || left-- <= 0) continue;
      added.add(section, `- ${words} (${BY_HAND.uuid})`);
    }
  }
  const merged = mergeStates(added.state, ours, projectDir);
  const { recent } = merged.progress;
  return { ...merged, progress: { ...ours.progress, recent }, partial: ours.partial };
}

function noteIn(line: string): string {
  return readEnding(WORDS.exec(line)?.[1]?.trim() ?? "").text;
}

/** Drafts come back with notes added: what we said ourselves is no note. */
/** People type a hyphen where a checkpoint has a dash. */
function typeset(line: string): string {
  return line.replace(/ --? because /, " — because ").replace(/ --? not: /, " — not: ");
}

function wordsOf(line: string): string {
  return noteIn(line).toLowerCase();
}

function isNote(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words) && words !== NONE_RECORDED && !/^`{3}|^~{3}/.test(words);
}

/** Notes as the parts of a work state. */
class Notes {
  readonly state: { -readonly [Part in keyof WorkState]: WorkState[Part] } = emptyState();

  add(section: string, line: string): void {
    const { state } = this;
    const said = readSaid(line);
    if (section === "Task" && said !== null) state.requirements = [...state.requirements, said];
    else if (section === "What Changed") {
      state.commits = [...state.commits, ...some(readCommit(line))];
      state.changes = [...state.changes, ...some(readChange(line))];
    } else if (section === "Why Changed") state.changes = [...state.changes, ...reasons(line)];
    else if (section === "Active Issues") {
      state.issues = [...state.issues, ...some(readIssue(line))];
    } else if (section === "Key Decisions") {
      state.decisions = [...state.decisions, ...some(readDecision(typeset(line)))];
    } else if (section === "Next Steps") {
      state.next_steps = [...state.next_steps, ...some(readStep(line))];
    } else if (section === "Learnings") state.learnings = [...state.learnings, ...some(said)];
    else if (said !== null) {
      state.progress = { ...state.progress, recent: [...state.progress.recent, said] };
    }
  }
}

function some<T>(item: T | null): readonly T[] {
  return item === null ? [] : [item];
}

function reasons(line: string): readonly FileChange[] {
  const { files = [], why } = readWhy(line) ?? {};
  return files.map((file) => ({
    file,
    action: "modified",
    count: 1,
    first_line: null,
    last_line: null,
    what: "",
    why: why?.text ?? "",
    from: BY_HAND,
  }));
}
