/** Merges notes by the model or the user into a work state. */

import { emptyState } from "../extract/empty_state.ts";
import { excerpt } from "../inject/excerpt.ts";
import type { Decision, FileChange, Issue, NextStep, Said, WorkState } from "../core/work_state.ts";
import {
  bodyOfText,
  checkpointSections,
  DERIVED_SECTIONS,
  metaOfText,
  sectionOf,
} from "./views/checkpoint_view.ts";
import { NONE_RECORDED } from "../layout/layout.ts";
import { BY_HAND, WHOLE_PROJECT } from "../layout/lines.ts";
import { MAX_ITEMS, MAX_REQUIREMENTS, mergeDuplicates, mergeStates } from "./merge.ts";
import { contentOf } from "./save.ts";

interface NotesOptions {
  readonly projectDir?: string;
  /** Receives a warning for notes that are left out. */
  readonly warnings?: string[];
}

interface Note {
  readonly section: string;
  readonly words: string;
}

const PROGRESS = "Progress";
const STEPS = "Next Steps";

const MAX_NOTES_CHARS = 64 * 1024;

const LINE_TEXT = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?(.*)$/;

/** Matches the suffix of a fact in a draft, such as ` (command, line 12)`. It is not part of a note. */
const DRAFT_SUFFIX =
  / \((?:(?:[a-z ]{4,11}, )?(?:(?:listed before .{1,400}?|the newest request may change it|\d{1,6} later requests may have changed it), )?(?:line \d{1,16}|[0-9a-f]{8}|noted by hand)|in progress|(?:in progress, )?listed before .{1,400})\)$/i;

/** Adds each note to the section of its heading. Notes without a known heading count as progress. */
export function mergeNotes(
  state: WorkState,
  notes: string,
  { projectDir = "", warnings = [] }: NotesOptions = {},
): WorkState {
  const current = mergeDuplicates(state, projectDir);
  if (notes.length > MAX_NOTES_CHARS) {
    warnings.push(
      `Only the first ${MAX_NOTES_CHARS} of ${notes.length} characters of the notes were read.`,
    );
  }
  const sections = checkpointSections(contentOf(current), projectDir);
  const noteLines = readNotes(excerpt(notes, MAX_NOTES_CHARS), sections);
  const usedSections = new Set<string>();
  const bounded = (all: readonly Note[], section: string, max = MAX_ITEMS): string[] => {
    if (all.length > max) {
      warnings.push(`Only the first ${max} of ${all.length} notes under ${section} were saved.`);
    }
    return all.slice(0, max).map(({ words }) => words);
  };
  const linesOf = (name: string, max?: number): string[] => {
    usedSections.add(name);
    return bounded(noteLines.filter(({ section }) => section === name), name, max);
  };
  const added = {
    ...emptyState(),
    requirements: linesOf("Task", MAX_REQUIREMENTS - 1).map(saidByHand),
    changes: [
      ...linesOf("What Changed").map((words) => changeOf(words, "what")),
      ...linesOf("Why Changed").map((words) => changeOf(words, "why")),
    ],
    decisions: linesOf("Key Decisions").map(decisionOf),
    issues: linesOf("Active Issues").map((issue): Issue => {
      return { issue, kind: "stated", from: BY_HAND };
    }),
    next_steps: linesOf(STEPS).map(stepOf),
    learnings: linesOf("Learnings").map(saidByHand),
  };
  const others = noteLines.filter(({ section }) => !usedSections.has(section));
  const recent = bounded(others, PROGRESS).map(saidByHand);
  const progress = { ...added.progress, recent };
  const merged = mergeStates({ ...added, progress }, current, projectDir);
  return {
    ...merged,
    progress: { ...current.progress, recent: merged.progress.recent },
    // Notes do not describe how the session ended.
    ...(current.trail === undefined ? {} : { trail: current.trail }),
    partial: current.partial,
  };
}

function readNotes(text: string, current: string): Note[] {
  const known = new Set(current.split("\n").map((line) => noteText(line).toLowerCase()));
  const labels = new Set([...known].map(labelOf));
  // A filled-in draft may be older than the current checkpoint. Its generated lines can then differ, but they
  // are not notes.
  const isDraft = metaOfText(text) !== null;
  const isGenerated = ({ section, words }: Note): boolean =>
    DERIVED_SECTIONS.includes(section) || (section === PROGRESS && labels.has(labelOf(words))) ||
    (section === STEPS && known.has(words.toLowerCase().replace(/^\[ \]/, "[x]")));
  const notes: Note[] = [];
  let section = "";
  for (const line of bodyOfText(text).split("\n")) {
    const heading = sectionOf(line);
    section = heading ?? section;
    const note = { section, words: noteText(line) };
    const isNote = heading === null && /[\p{L}\p{N}]/u.test(note.words) &&
      note.words !== NONE_RECORDED && !/^`{3}|^~{3}/.test(note.words) &&
      !known.has(note.words.toLowerCase()) && !(isDraft && isGenerated(note));
    if (isNote) notes.push(note);
  }
  return notes;
}

/** Returns the label of a progress line, in lower case and without digits: `next` for `Next: test it`. */
function labelOf(words: string): string {
  return words.toLowerCase().split(":")[0]?.replaceAll(/\d+/g, "") ?? "";
}

function saidByHand(text: string): Said {
  return { text, from: BY_HAND };
}

function stepOf(words: string): NextStep {
  const [, mark, step = words] = /^\[([ xX]?)\] ?(.*)$/.exec(words) ?? [];
  const status = mark?.toLowerCase() === "x" ? "completed" : "pending";
  return { step, status, from: BY_HAND };
}

/** Reads a note about a file in the form `[file:line] - note`. Other notes are about the whole project. */
function changeOf(words: string, field: "what" | "why"): FileChange {
  const [, file, first, last, text] =
    /^\[(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?\] - (.*)$/.exec(words) ?? [];
  // Line numbers start at 1.
  const lines = [first, last].map(Number).filter((line) => line >= 1);
  return {
    file: file ?? WHOLE_PROJECT,
    action: "modified",
    count: 1,
    first_line: lines.length === 0 ? null : Math.min(...lines),
    last_line: lines.length === 0 ? null : Math.max(...lines),
    what: "",
    why: "",
    from: BY_HAND,
    [field]: text ?? words,
  };
}

/** Reads a note in the form `decision - because reason - not: others`, with hyphens or dashes. */
function decisionOf(words: string): Decision {
  const [rest = "", others = ""] = words.split(/ (?:—|--?) not: (.*)/);
  const [decision = "", rationale = ""] = rest.split(/ (?:—|--?) because (.*)/);
  const alternatives = others === "" ? [] : others.split("; ");
  return { decision, rationale, alternatives, kind: "user", from: BY_HAND };
}

function noteText(line: string): string {
  return (LINE_TEXT.exec(line)?.[1]?.trim() ?? "").replace(DRAFT_SUFFIX, "");
}
