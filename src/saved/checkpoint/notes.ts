/** Notes by hand: what only the model or the user knows. */

import { emptyState } from "../../extract/empty_state.ts";
import { excerpt } from "../../extract/excerpt.ts";
import type {
  Decision,
  FileChange,
  Issue,
  NextStep,
  Said,
  WorkState,
} from "../../extract/work_state.ts";
import { BY_HAND } from "./item.ts";
import { foldState, mergeStates } from "./merge.ts";
import { renderSections } from "./render_sections.ts";
import { isEndMarker, NONE_RECORDED, sectionOf } from "./sections.ts";

/** No more of notes is read, in UTF-16 code units. */
const MAX_NOTES_CHARS = 64 * 1024;

const MAX_NOTES = 200;

const FRONT_MATTER = /^---\n[^]*?\n---\n/;

const WORDS = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?(.*)$/;

/** The place at the end of a line of a draft, which is no part of a note. */
const PLACE =
  / \((?:[a-z ]{4,11}, )?(?:line \d{1,16}|[0-9a-f]{8}|noted by hand|source unknown)\)$/i;

interface Noted {
  readonly requirements: Said[];
  readonly changes: FileChange[];
  readonly decisions: Decision[];
  readonly issues: Issue[];
  readonly next_steps: NextStep[];
  readonly learnings: Said[];
  readonly recent: Said[];
}

/** Adds each line of Markdown to the part whose heading it stands under; others tell of progress. */
export function mergeNotes(state: WorkState, notes: string, projectDir = ""): WorkState {
  const ours = foldState(state, projectDir);
  // Drafts come back with notes added: what we said ourselves is no note.
  const known = new Set(
    renderSections(ours, projectDir).split("\n").map((line) => wordsOf(line).toLowerCase()),
  );
  const noted: Noted = {
    requirements: [],
    changes: [],
    decisions: [],
    issues: [],
    next_steps: [],
    learnings: [],
    recent: [],
  };
  let section = "";
  let left = MAX_NOTES;
  for (const line of excerpt(notes, MAX_NOTES_CHARS).replace(FRONT_MATTER, "").split("\n")) {
    const heading = sectionOf(line);
    section = heading ?? section;
    const words = wordsOf(line);
    const isNote = heading === null && /[\p{L}\p{N}]/u.test(words) && words !== NONE_RECORDED &&
      !/^`{3}|^~{3}/.test(words) && !isEndMarker(line);
    if (isNote && !known.has(words.toLowerCase()) && left-- > 0) addNote(noted, section, words);
  }
  const { recent, ...items } = noted;
  const added = { ...emptyState(), ...items };
  const merged = mergeStates(
    { ...added, progress: { ...added.progress, recent } },
    ours,
    projectDir,
  );
  const all = { ...ours.progress, recent: merged.progress.recent };
  return { ...merged, progress: all, partial: ours.partial };
}

function addNote(noted: Noted, section: string, words: string): void {
  const from = BY_HAND;
  const said = { text: words, from };
  switch (section) {
    case "Task":
      noted.requirements.push(said);
      break;
    case "What Changed":
      noted.changes.push(changeOf(words, "what"));
      break;
    case "Why Changed":
      noted.changes.push(changeOf(words, "why"));
      break;
    case "Active Issues":
      noted.issues.push({ issue: words, kind: "stated", from });
      break;
    case "Key Decisions":
      noted.decisions.push(decisionOf(words));
      break;
    case "Next Steps": {
      const [, mark, step] = /^\[([ xX]?)\] ?(.*)$/.exec(words) ?? [];
      const status = mark?.toLowerCase() === "x" ? "completed" : "pending";
      noted.next_steps.push({ step: step ?? words, status, from });
      break;
    }
    case "Learnings":
      noted.learnings.push(said);
      break;
    default:
      noted.recent.push(said);
  }
}

/** A note on a file is written `[file:line] - note`; any other is about the whole project. */
function changeOf(words: string, field: "what" | "why"): FileChange {
  const [, file, line, text] = /^\[(.+?)(?::(\d{1,9})(?:-\d{1,9})?)?\] - (.*)$/.exec(words) ?? [];
  const first_line = line === undefined ? null : Number(line);
  return {
    file: file ?? ".",
    action: "modified",
    count: 1,
    first_line,
    last_line: first_line,
    what: "",
    why: "",
    from: BY_HAND,
    [field]: text ?? words,
  };
}

/** Reads `decision - because reason - not: others`, with hyphens or dashes. */
function decisionOf(words: string): Decision {
  const [rest = "", others = ""] = words.split(/ (?:—|--?) not: (.*)/);
  const [decision = "", rationale = ""] = rest.split(/ (?:—|--?) because (.*)/);
  const alternatives = others === "" ? [] : others.split("; ");
  return { decision, rationale, alternatives, kind: "user", from: BY_HAND };
}

function wordsOf(line: string): string {
  return (WORDS.exec(line)?.[1]?.trim() ?? "").replace(PLACE, "");
}
