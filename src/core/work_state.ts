/**
 * A work state: what a session was doing, extracted from its transcript. Checkpoints, snapshots, fresh starts
 * and handoffs are views of it.
 *
 * Field names match the stored JSON. Every string is bounded, cleaned and screened for credentials;
 * see {@linkcode excerpt}.
 */

/** The entry of the transcript that an item comes from. */
export interface Origin {
  /** The entry's uuid; null if there is none. */
  readonly uuid: string | null;
  /** The line, from 1; null if the transcript was read from its end. */
  readonly line: number | null;
}

/** A text from the session, such as a message or a command with its outcome. */
export interface Said {
  /** The text. */
  readonly text: string;
  /** The entry that contains the text. */
  readonly from: Origin;
}

/** Changes to one file. */
export interface FileChange {
  /** The path as written in a call or by git, absolute or relative. */
  readonly file: string;
  /** Whether the session created the file or changed an existing one. */
  readonly action: "created" | "modified";
  /** Number of calls that changed the file. */
  readonly count: number;
  /** The first changed line, from 1; null if unknown. */
  readonly first_line: number | null;
  /** The last changed line, from 1; null if unknown. */
  readonly last_line: number | null;
  /** The last change, in one line; may be empty. */
  readonly what: string;
  /** The reason, from the assistant's message before the change; may be empty. */
  readonly why: string;
  /** The last call that changed the file. */
  readonly from: Origin;
}

/** A commit of the session. */
export interface Commit {
  /** The abbreviated hash; empty if unknown. */
  readonly hash: string;
  /** The first line of the commit message. */
  readonly message: string;
  /**
   * The first paragraph of prose below the first line of the commit message; missing if there is none, or if
   * it is unknown.
   */
  readonly why?: string;
  /** The folder of another repository, as written in the command; missing for the session's own. */
  readonly folder?: string;
  /** The branch that git printed; missing if unknown. */
  readonly branch?: string;
  /** The call that made the commit. */
  readonly from: Origin;
}

/** A choice that later work must respect. */
export interface Decision {
  /** The decision itself. */
  readonly decision: string;
  /** The reason; empty if unknown. */
  readonly rationale: string;
  /** Rejected options; empty if unknown. */
  readonly alternatives: readonly string[];
  /** Source: an answer in a dialog, an approved plan, or a statement by the user or the assistant. */
  readonly kind: "answer" | "plan" | "user" | "assistant";
  /** The entry that contains the decision. */
  readonly from: Origin;
}

/** An open problem or question. */
export interface Issue {
  /** Description of the issue. */
  readonly issue: string;
  /** Kind of the issue; `stated` if it comes from notes, or if the save does not record its kind. */
  readonly kind: "command" | "tool" | "todo" | "question" | "stated";
  /** The entry in which the issue appeared. */
  readonly from: Origin;
}

/** An item of a todo list, or an announced next step. */
export interface NextStep {
  /** Description of the step. */
  readonly step: string;
  /** State of the step. */
  readonly status: "pending" | "in_progress" | "completed";
  /** Work done since the list was last set; missing if there was none. */
  readonly since?: string;
  /** The entry that last set the step. */
  readonly from: Origin;
}

/** Number of uses of a tool or a file. */
export interface Count {
  /** The tool or file. */
  readonly name: string;
  /** The number of uses. */
  readonly count: number;
}

/** Progress of the work. */
export interface Progress {
  /** The assistant's last messages, oldest first. */
  readonly recent: readonly Said[];
  /** Answers that the user replied to, each with the reply, oldest first; missing in older saves. */
  readonly answers?: readonly Said[];
  /** Tools by number of calls, highest first. */
  readonly tools: readonly Count[];
  /** Files by number of reads, highest first. */
  readonly files_read: readonly Count[];
  /** The entries with the summaries of earlier compactions. */
  readonly summaries: readonly Origin[];
  /**
   * Current work, next steps, pending tasks, errors and problems from the newest compaction's summary;
   * missing if there are none.
   */
  readonly summed_up?: SummedUp;
}

/** Items of a compaction's summary. */
export interface SummedUp {
  /** The items, one line each. */
  readonly items: readonly string[];
  /** Number of requests since the compaction. */
  readonly requests_since: number;
  /** The entry with the summary. */
  readonly from: Origin;
}

/** Where a session stopped, and how its work went. Every string is one line. */
export interface Trail {
  /** The last messages and calls, oldest first. */
  readonly stopped: readonly Said[];
  /**
   * Planned commands that were not run and planned files that were not edited, followed by other commands
   * with their last outcome: failures and checks, then the rest, then commands that only inspect. Commands of
   * the same kind are newest first.
   */
  readonly commands: readonly Said[];
  /** Refusals and corrections by the user, newest first. */
  readonly refused: readonly Said[];
  /** The branch that the session works on; empty if unknown. */
  readonly branch: string;
  /** The previous branch, if the branch was changed outside the session; otherwise missing. */
  readonly branch_before?: string;
  /** Links to pull requests, issues and items that MCP tools created, newest first. */
  readonly links: readonly string[];
  /** Files that were read but not changed, newest first. */
  readonly read: readonly string[];
  /** Files with plans, oldest first. */
  readonly plans: readonly string[];
  /** Identifiers that the session works on, most mentioned first. */
  readonly names: readonly string[];
  /** Number of files with uncommitted edits by the session; missing if unknown. */
  readonly uncommitted?: number;
  /** Up to 20 of the uncommitted files; missing if unknown. */
  readonly uncommitted_files?: readonly string[];
  /** Uncommitted files that the session did not change, from git's last listing; missing if unknown. */
  readonly others?: readonly string[];
  /** Files that the session deleted or moved without a commit; missing if unknown. */
  readonly deleted?: readonly string[];
  /** Number of the session's unpushed commits; missing if unknown. */
  readonly unpushed?: number;
  /** A git operation that stopped halfway, such as a merge; empty if there is none, missing if unknown. */
  readonly halted?: string;
  /** Git stash entries that the session made and did not restore, oldest first; missing if unknown. */
  readonly stashed?: readonly string[];
  /** The newest finding in the assistant's thinking; missing if there is none, or if it is out of date. */
  readonly thought?: string;
  /**
   * The step planned in the assistant's last thinking; missing if there is none, if a call has carried out
   * the step, or if a message followed.
   */
  readonly intention?: string;
  /** The numbered steps planned in the same thinking; missing if there are none or if an edit followed. */
  readonly thought_steps?: string;
  /** Describes the current step: a section of a long plan, or the task's description; missing if unknown. */
  readonly spec?: string;
  /** Whether the session ends in plan mode, so its plan is not approved; missing if it does not. */
  readonly planning?: boolean;
  /** Background agents and commands whose end was not recorded; missing if unknown. */
  readonly running?: readonly string[];
  /** Whether the session ends with an assistant message; missing if unknown. */
  readonly answered?: boolean;
}

/** Work state of a session. */
export interface WorkState {
  /** The session's id; null if unknown. */
  readonly session_id: string | null;
  /** The user's requests: the first prompt, then the newest that fit, in order. */
  readonly requirements: readonly Said[];
  /** Changed files, most recently changed first. */
  readonly changes: readonly FileChange[];
  /** Commits, newest first. */
  readonly commits: readonly Commit[];
  /** Decisions, newest first. */
  readonly decisions: readonly Decision[];
  /** Open items. Failed commands come first, then questions, then TODO comments in the code. */
  readonly issues: readonly Issue[];
  /** The last todo list, in its order, or the announced next steps if there was no list. */
  readonly next_steps: readonly NextStep[];
  /** Findings and things to remember, newest first. */
  readonly learnings: readonly Said[];
  /** Progress of the work. */
  readonly progress: Progress;
  /** Where the session stopped and how its work went; missing if not collected. */
  readonly trail?: Trail;
  /** The reason why the state is incomplete; empty if it covers the whole session. */
  readonly partial: string;
}

export interface FinishedCall {
  readonly name: string;
  readonly input: { readonly [key: string]: unknown };
  /** Whether the call failed or was refused. */
  readonly isError: boolean;
  /** The result's text, without notices of a trim; empty for a command without output. */
  readonly result: string;
  /** The client's own view of the result (`toolUseResult`); undefined if it is missing or ambiguous. */
  readonly mirror: unknown;
  readonly isSidechain: boolean;
  readonly from: Origin;
}

export type OpenCall = Pick<FinishedCall, "name" | "input" | "isSidechain" | "from">;

/** Collects one part of a work state from the events of the main conversation and subagents' calls. */
export interface Collector {
  /** Called with a message that the user typed, without the client's wrappers. */
  prompt?(text: string, from: Origin): void;
  shell?(command: string, from: Origin): void;
  /** Called with a git command that the user ran in the client's shell mode, once its output is known. */
  userRan?(call: FinishedCall): void;
  said?(text: string, from: Origin): void;
  /** Called for the assistant's thinking; newer clients do not record it. */
  thought?(text: string, from: Origin): void;
  call?(call: FinishedCall): void;
  interrupted?(from: Origin): void;
  /** Called when the client recorded an API error in place of a message. */
  failed?(error: string, from: Origin): void;
  /** Called when a background task ended. `task` is the client's id of the task. */
  returned?(summary: string, report: string, from: Origin, task: string): void;
  /** Called for a call without a result at the end or, with `isLost`, before a compaction. */
  unfinished?(call: OpenCall, isLost: boolean): void;
  /** Called when the client repeated the task list to the model. */
  tasks?(tasks: readonly unknown[], from: Origin): void;
  summary?(from: Origin, text: string): void;
  /** Called when the permission mode changes. */
  mode?(name: string): void;
  folder?(path: string): void;
  /** Called when the branch changes; `isBetweenTurns` if no call followed the newest prompt. */
  branch?(name: string, isBetweenTurns: boolean): void;
}
