/**
 * A work state: what a session was doing, extracted from its transcript. Checkpoint, snapshot,
 * fresh start and handoff are views of it.
 *
 * Field names are those of the JSON that is kept. Every text in a work state is bounded, cleaned
 * and screened for credentials; see {@linkcode excerpt}.
 */

/** Where in the transcript an item comes from. */
export interface Origin {
  /** The entry's id, where it has one. */
  readonly uuid: string | null;
  /** The line, from 1; null where the transcript was read from its end. */
  readonly line: number | null;
}

/** Words that somebody said. */
export interface Said {
  /** The words. */
  readonly text: string;
  /** Where they were said. */
  readonly from: Origin;
}

/** Changes of one file. */
export interface FileChange {
  /** The path, as the tool was given it. */
  readonly file: string;
  /** Whether the session made the file or found it. */
  readonly action: "created" | "modified";
  /** Number of calls that changed it. */
  readonly count: number;
  /** The first line touched, from 1; null where nothing tells. */
  readonly first_line: number | null;
  /** The last line touched, from 1; null where nothing tells. */
  readonly last_line: number | null;
  /** The last change in a line; may be empty. */
  readonly what: string;
  /** Why, in the words that led up to it; may be empty. */
  readonly why: string;
  /** The call that changed it last. */
  readonly from: Origin;
}

/** A commit that was made. */
export interface Commit {
  /** Its abbreviated hash; empty where the output does not tell. */
  readonly hash: string;
  /** The first line of its message. */
  readonly message: string;
  /** The first paragraph below it; missing where the command has none. */
  readonly why?: string;
  /** The call that made it. */
  readonly from: Origin;
}

/** A choice that later work must respect. */
export interface Decision {
  /** The decision. */
  readonly decision: string;
  /** Why; empty where nothing tells. */
  readonly rationale: string;
  /** Rejected options; empty if unknown. */
  readonly alternatives: readonly string[];
  /** The source of the decision: an answer to a dialog, an approved plan, or a statement. */
  readonly kind: "answer" | "plan" | "user" | "assistant";
  /** Where it was made. */
  readonly from: Origin;
}

/** Something that is still open. */
export interface Issue {
  /** Problems and unknowns. */
  readonly issue: string;
  /** The kind of issue; `stated` is one that the user or the assistant mentioned. */
  readonly kind: "command" | "tool" | "todo" | "question" | "stated";
  /** Where it showed. */
  readonly from: Origin;
}

/** An item of a todo list, or an announced next step. */
export interface NextStep {
  /** The description. */
  readonly step: string;
  /** Its progress. */
  readonly status: "pending" | "in_progress" | "completed";
  /** The work done since the list was last set; missing if there was none. */
  readonly since?: string;
  /** Where it was last set. */
  readonly from: Origin;
}

/** Number of uses. */
export interface Count {
  /** A tool, or a file. */
  readonly name: string;
  /** Number of times. */
  readonly count: number;
}

/** Progress of the work. */
export interface Progress {
  /** The last answers of the assistant, oldest first. */
  readonly recent: readonly Said[];
  /** Answers that ended the turns before this one, oldest first; missing in older saves. */
  readonly answers?: readonly Said[];
  /** Tools by how often they were called, most first. */
  readonly tools: readonly Count[];
  /** Files by how often they were read, most first. */
  readonly files_read: readonly Count[];
  /** Where earlier compactions left their summaries. */
  readonly summaries: readonly Origin[];
  /** Pending tasks, errors and problems by the newest of these summaries; missing without any. */
  readonly summed_up?: SummedUp;
}

/** What a compaction's summary tells of the work before it. */
export interface SummedUp {
  /** The items, a line each. */
  readonly items: readonly string[];
  /** Number of requests since then. */
  readonly requests_since: number;
  /** Where the summary is. */
  readonly from: Origin;
}

/** Where a session stopped, and how its work went. Every text is one line. */
export interface Trail {
  /** The last things that were said and done, newest last. */
  readonly stopped: readonly Said[];
  /** Commands with how they ended last: what failed and checks first, of each the newest first. */
  readonly commands: readonly Said[];
  /** Refusals and corrections by the user, with the words for them, newest first. */
  readonly refused: readonly Said[];
  /** The branch on which the work was done; empty where nothing tells. */
  readonly branch: string;
  /** Pull requests and issues, newest first. */
  readonly links: readonly string[];
  /** Files that were read and not changed, newest first. */
  readonly read: readonly string[];
  /** Files that hold plans, newest last. */
  readonly plans: readonly string[];
  /** Names that the work is about, the most mentioned first. */
  readonly names: readonly string[];
  /** Number of files with edits that the session did not commit; missing if nothing tells. */
  readonly uncommitted?: number;
  /** Number of commits that the session did not push; missing if nothing tells. */
  readonly unpushed?: number;
  /** The operation of git that was stopped in the middle, such as a merge; empty without one. */
  readonly halted?: string;
  /** Whether the assistant spoke last and called nothing behind its words; missing if nothing tells. */
  readonly answered?: boolean;
}

/** Work state of a session. */
export interface WorkState {
  /** The session, where the transcript tells. */
  readonly session_id: string | null;
  /** The user's requests: the first prompt, then the newest that fit, in their order. */
  readonly requirements: readonly Said[];
  /** Changes of files, the file changed last first. */
  readonly changes: readonly FileChange[];
  /** Commits, newest first. */
  readonly commits: readonly Commit[];
  /** Decisions, newest first. */
  readonly decisions: readonly Decision[];
  /** Open items, newest first. */
  readonly issues: readonly Issue[];
  /** The last todo list in its order; without one, the announced next steps. */
  readonly next_steps: readonly NextStep[];
  /** Findings and things to remember, newest first. */
  readonly learnings: readonly Said[];
  /** Progress of the work. */
  readonly progress: Progress;
  /** Where it stopped and how it went; missing if not collected. */
  readonly trail?: Trail;
  /** Why the state is not that of the whole session; empty where it is. */
  readonly partial: string;
}

/** A tool call together with its result. */
export interface FinishedCall {
  /** The tool's name. */
  readonly name: string;
  /** Its input. */
  readonly input: { readonly [key: string]: unknown };
  /** Whether the result is an error; a refused call is one. */
  readonly isError: boolean;
  /** The texts of the result, as the model gets them. */
  readonly result: string;
  /** The client's own view of the result (`toolUseResult`); undefined without one. */
  readonly mirror: unknown;
  /** Whether a subagent made the call. */
  readonly isSidechain: boolean;
  /** Where the call was made. */
  readonly from: Origin;
}

/** A call without its result. */
export type OpenCall = Pick<FinishedCall, "name" | "input" | "isSidechain" | "from">;

/**
 * Collects one part of a work state from what happens in a session, in the order of the file.
 * Everything that is not of the main conversation is left out, but the calls of subagents.
 */
export interface Collector {
  /** A message in the user's own words: no wrapper, no tool result, no summary. */
  prompt?(text: string, from: Origin): void;
  /** A skill or a command was expanded into its instructions. */
  instructed?(text: string, from: Origin): void;
  /** The user ran a command in the client's shell box. */
  shell?(command: string, from: Origin): void;
  /** The assistant said something. */
  said?(text: string, from: Origin): void;
  /** A call came to its end. */
  call?(call: FinishedCall): void;
  /** The user stopped the assistant. */
  interrupted?(from: Origin): void;
  /** Work in the background came to its end, with what it reported. */
  returned?(summary: string, report: string, from: Origin): void;
  /** A call has no result at the end of the session. */
  unfinished?(call: OpenCall): void;
  /** The client told the model the state of its task list again. */
  tasks?(tasks: readonly unknown[], from: Origin): void;
  /** A compaction left its summary. */
  summary?(from: Origin, text: string): void;
  /** The work is done on a branch, as git names it. */
  branch?(name: string): void;
}
