/** A checkpoint as the work state that it was written from, as far as it holds it. */

import { parseCheckpoint } from "./parse.ts";
import { readChange, readCommit, readWhy } from "./change_lines.ts";
import { readDecision, readIssue, readQuoted, readSaid, readStep } from "./lines.ts";
import { hasEnding, isByHand } from "./item.ts";
import { OPTIONAL_SECTIONS, type SectionName } from "./sections.ts";
import { readFiles, readGit, readNames } from "./trail_lines.ts";
import type { FileChange, Said, WorkState } from "../../extract/work_state.ts";

type Sections = ReadonlyMap<string, readonly string[]>;

interface CheckpointState {
  /** The facts. Which tools were used and which files were read is not read back. */
  readonly state: WorkState;
  /** The folder of the project; empty where the checkpoint does not tell. */
  readonly projectDir: string;
}

export function readCheckpointState(text: string): CheckpointState {
  const { meta, sections } = parseCheckpoint(text);
  const projectDir = meta?.project ?? "";
  const state = stateOfSections(sections, projectDir);
  return {
    state: { ...state, session_id: meta?.session_id || null, partial: meta?.partial ?? "" },
    projectDir,
  };
}

/** Reads the facts of sections, of a checkpoint or of notes in its form. */
export function stateOfSections(sections: Sections, projectDir: string): WorkState {
  const all = (name: SectionName): readonly string[] => sections.get(name) ?? [];
  return {
    session_id: null,
    requirements: readTask(all("Task")),
    changes: readChanges(sections, projectDir),
    commits: itemsOf(all("What Changed"), readCommit),
    decisions: itemsOf(all("Key Decisions"), readDecision),
    issues: itemsOf(all("Active Issues"), readIssue),
    next_steps: itemsOf(all("Next Steps"), readStep),
    learnings: itemsOf(all("Learnings"), readSaid),
    progress: {
      // The other lines of that section are our own words.
      recent: itemsOf(all("Progress").filter(hasEnding), readSaid),
      tools: [],
      files_read: [],
      summaries: [],
    },
    ...readTrail(sections, projectDir),
    partial: "",
  };
}

/** A checkpoint without these sections knows of no trail. */
function readTrail(sections: Sections, projectDir: string): Pick<WorkState, "trail"> {
  if (!OPTIONAL_SECTIONS.some((name) => sections.has(name))) return {};
  const all = (name: SectionName): readonly string[] => sections.get(name) ?? [];
  const { read, plans } = readFiles(all("Files Read"));
  return {
    trail: {
      stopped: itemsOf(all("Where It Stopped"), readSaid),
      commands: itemsOf(all("Commands"), readSaid),
      refused: itemsOf(all("Refused or Corrected"), readSaid),
      ...readGit(all("Git")),
      read: read.map((file) => wholePath(file, projectDir)),
      names: readNames(all("Names")),
      plans: plans.map((file) => wholePath(file, projectDir)),
    },
  };
}

/** The quote is the first requirement, the list holds the others. */
function readTask(lines: readonly string[]): readonly Said[] {
  const quoted = lines.filter((line) => line.startsWith(">"));
  const listed = itemsOf(lines, readSaid);
  if (quoted.length === 0) return listed;
  return [readQuoted(quoted.map((line) => line.replace(/^> ?/, "")).join("\n")), ...listed];
}

function readChanges(sections: Sections, projectDir: string): readonly FileChange[] {
  const changes = itemsOf(sections.get("What Changed") ?? [], readChange);
  for (const { files, why } of itemsOf(sections.get("Why Changed") ?? [], readWhy)) {
    for (const file of files) addReason(changes, file, why);
  }
  return changes.map((change) => ({ ...change, file: wholePath(change.file, projectDir) }));
}

/** A reason noted by hand is a note of its own; another belongs to the change of the file. */
function addReason(changes: FileChange[], file: string, { text, from }: Said): void {
  const change = { file, action: "modified", count: 1, first_line: null, last_line: null } as const;
  if (isByHand(from)) {
    changes.push({ ...change, what: "", why: text, from });
    return;
  }
  const at = changes.findIndex((one) => one.file === file && !isByHand(one.from));
  const known = changes[at];
  if (known !== undefined) changes[at] = { ...known, why: text };
}

/** On whichever system the session ran; inside the client nothing tells which it is. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

function wholePath(file: string, projectDir: string): string {
  if (file === "." || projectDir === "" || ABSOLUTE.test(file)) return file;
  return `${projectDir.replace(/[/\\]+$/, "")}/${file}`;
}

function itemsOf<T>(lines: readonly string[], read: (line: string) => T | null): T[] {
  return lines.map(read).filter((item) => item !== null);
}
