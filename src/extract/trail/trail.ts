/** Collects the trail of a session: where it stopped, command outcomes, refusals, plans, links and names. */

import { lastPart } from "../../core/last_part.ts";
import { setNewest } from "../../core/newest.ts";
import { asString } from "../../transcript/entry.ts";
import { gitCommands } from "../../core/git_commands.ts";
import { hasCheck } from "../../core/shell_commands.ts";
import { isNeverCommitted, isPathOf, removedBy } from "../../core/shell_files.ts";
import { editedFile, filesEditedBy } from "../../inject/edits.ts";
import { planToImplement, readApprovedPlan } from "../../decisions/dialogs.ts";
import { AGENT_TOOLS } from "../../core/tools.ts";
import { BackgroundTasks } from "./background_tasks.ts";
import { CommandCollector } from "../../commands/command_outcomes.ts";
import { counted } from "../../inject/bound.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { commandOf, isOwnCall, outcomeOf, passedChecks } from "../../inject/outcome.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { isLookUp } from "../../inject/joined_steps.ts";
import { INTERRUPTED } from "../../inject/step_words.ts";
import { FOUND_NOTHING } from "../../inject/telling_lines.ts";
import { LastSteps } from "./last_steps.ts";
import { NameCollector } from "./names_in_play.ts";
import { RefusalCollector } from "./refusals.ts";
import {
  announcesOnly,
  concludes,
  intentionsIn,
  ONLY_LOOKS,
  plannedSteps,
  thoughtIn,
} from "./thoughts.ts";
import type {
  Collector,
  FinishedCall,
  Issue,
  OpenCall,
  Origin,
  Trail,
} from "../../core/work_state.ts";

const MAX_READ_FILES = 60;
const MAX_PLANS = 3;
const MAX_KNOWN_PLANS = 20;
const MAX_LINKS = 6;

/** After more calls than this, not counting look-ups, a thought is out of date. */
const MAX_ACTS_SINCE = 8;

/** After more edits and checks than this, a thought is out of date. */
const MAX_EDITS_AND_CHECKS_SINCE = 1;
const MAX_NAME_CHARS = 300;
const MAX_OUTPUT_CHARS = 16 * 1024;

const LINK = /https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\/(?:pull|issues|-\/merge_requests)\/\d+/g;

const LISTING = /\bgh\s+(?:pr|issue)\s+(?:list|status)\b/;
const LINKING = /\bgh\s+(?:pr|issue)\b|\bglab\b|\bgit\b[^|;&]*\bpush\b/;

/** MCP tools that create something elsewhere and return its link. */
const CREATING_TOOLS = /^mcp__.*_(?:create|save|add)(?:_|$)/;
const MADE_LINK = /(?<="url": ?")https:\/\/[^"\s\\]{1,200}/g;

/** Matches git's output with the name of the branch, such as `On branch main`, or with a detached HEAD. */
const BRANCH =
  /^\[((?:detached )?[^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,40}\] |^On branch (\S+)$|^Switched to (?:a new )?branch '([^']+)'|^HEAD (detached) (?:at|from) |^You are in '(detached) HEAD' state|\bSuccessfully rebased and updated (?:refs\/heads\/)?(.+)\.$/gm;

const DETACHED_HEAD = "detached HEAD";

const BRANCH_COMMAND =
  /\b(?:checkout|switch|worktree|rebase|bisect|branch\s+-[mMcCf]|stash\s+branch)\b|\b(?:gt|jj)\s/;
const WORKTREE_TOOL = /Worktree$/;

/** Matches a report that contains the hash of a commit. */
const COMMITTED = /\bcommit(?:ted)?\b[^]{0,80}\b[0-9a-f]{7,40}\b/i;

/** Matches a file in a folder of plans, or a Markdown file such as `login-plan.md`. */
const PLAN = /(?:^|\/)plans\/[^/]+$|(?:^|[/_.-])plans?(?:[_.-][^/]*)?\.md$/i;

export class TrailCollector implements Collector {
  readonly #commands = new CommandCollector();
  readonly #refusals = new RefusalCollector();
  readonly #names = new NameCollector();
  readonly #background = new BackgroundTasks();
  readonly #steps = new LastSteps();
  readonly #parts: readonly Collector[] = [
    ...[this.#refusals, this.#names, this.#commands],
    ...[this.#background, this.#steps],
  ];
  readonly #read = new Map<string, Origin>();
  /** Paths of plan files, and whether the session wrote each file. */
  readonly #plans = new Map<string, boolean>();
  readonly #links = new Map<string, Origin>();
  #branch = "";
  /** The newest change of branch that was made outside the session. */
  #branchChange = { before: "", after: "" };
  #hasCalls = false;
  /** The newest command that may change the branch. */
  #branchCommand = "";
  /** Whether a command that may change the branch ran after the newest prompt. */
  #hasBranchCommand = false;
  #mode = "";
  #thought: Thought | undefined;
  /** The steps that the last thought plans, until calls carry them out or the assistant says something. */
  #intentions: readonly string[] = [];

  get #intention(): string {
    return this.#intentions.at(-1) ?? "";
  }

  /** The steps that the thinking since the newest prompt plans, until the first edit. */
  #plannedSteps = "";
  #isAnswered = false;

  prompt(text: string, from: Origin): void {
    this.#isAnswered = false;
    this.#hasBranchCommand = false;
    this.#forgetThought();
    this.#plannedSteps = "";
    if (this.#commands.isPlanCarriedOut) this.#plans.clear();
    for (const part of this.#parts) part.prompt?.(text, from);
    const plan = planToImplement(text);
    if (plan !== "") this.#commands.plan(plan, from);
  }

  shell(command: string, from: Origin): void {
    this.#steps.prompt(`! ${command}`, from);
    if (BRANCH_COMMAND.test(command)) this.#addBranchCommand(command);
  }

  #forgetThought(): void {
    this.#thought = undefined;
    this.#intentions = [];
  }

  userRan(call: FinishedCall): void {
    this.#commands.userRan(call);
    this.#readBranch(commandOf(call), call);
  }

  thought(text: string): void {
    this.#plannedSteps = plannedSteps(text) || this.#plannedSteps;
    const words = thoughtIn(text);
    this.#intentions = intentionsIn(text);
    const plan = this.#intention;
    if (this.#thought !== undefined) this.#thought.plan = "";
    if (words !== "") this.#thought = { ...NO_THOUGHT, words, plan };
    else if (this.#thought !== undefined && concludes(text)) this.#thought.isSuperseded = true;
  }

  said(text: string, from: Origin): void {
    this.#isAnswered = true;
    // A message that only announces the next call does not give a reason, so the thought before it is kept.
    const why = this.#thought?.calls === 0 && announcesOnly(text) ? this.#thought : undefined;
    this.#forgetThought();
    if (why !== undefined) this.#thought = { ...why, plan: "" };
    for (const part of this.#parts) part.said?.(text, from);
  }

  folder(path: string): void {
    this.#commands.folder(path);
  }

  mode(name: string): void {
    this.#mode = name;
  }

  branch(name: string, isBetweenTurns: boolean): void {
    const isByOthers = isBetweenTurns && this.#hasCalls && !this.#branchCommand.includes(name) &&
      !this.#hasBranchCommand;
    const after = branchName(name);
    // A change from a detached HEAD does not count, because a rebase returns to the branch at its end.
    if (isByOthers && !["", DETACHED_HEAD, after].includes(this.#branch)) {
      this.#branchChange = { before: this.#branch, after };
    }
    this.#branch = after;
  }

  call(call: FinishedCall): void {
    for (const part of this.#parts) part.call?.(call);
    if (!call.isSidechain) this.#mainCall(call);
    this.#addFile(call);
    const command = commandOf(call);
    this.#hasCalls = true;
    if (BRANCH_COMMAND.test(command) || WORKTREE_TOOL.test(call.name)) {
      this.#addBranchCommand(command);
    }
    if (!call.isError) this.#forget(removedBy(command));
    this.#readBranch(command, call);
    const links = LINKING.test(command) ? LINK : CREATING_TOOLS.test(call.name) ? MADE_LINK : null;
    if (links === null) return;
    const found = call.result.slice(0, MAX_OUTPUT_CHARS).match(links) ?? [];
    // A list of several pull requests or issues includes unrelated work.
    if (LISTING.test(command) && new Set(found).size > 1) return;
    for (const link of found) {
      setNewest(this.#links, link, call.from, MAX_LINKS);
    }
  }

  #addBranchCommand(command: string): void {
    this.#branchCommand = command;
    this.#hasBranchCommand = true;
  }

  #mainCall(call: FinishedCall): void {
    if (AGENT_TOOLS.has(call.name)) this.#forgetNamed(call.result);
    // A command of trimtab is not work on the request.
    if (!isOwnCall(call)) this.#isAnswered = false;
    if (filesEditedBy(call).length > 0) this.#plannedSteps = "";
    this.#followThought(call);
    const plan = call.name === "ExitPlanMode" ? readApprovedPlan(call) : undefined;
    if (plan !== undefined) this.#commands.plan(plan.text, call.from);
    const path = editedFile(call) ?? "";
    // A plan in the client's own folder counts only once the user approves it.
    if (call.name !== "Write" || call.isError || !PLAN.test(path) || isNeverCommitted(path)) return;
    this.#commands.plan(redactSecrets(asString(call.input.content) ?? ""), call.from, true);
  }

  /** Forgets files that an agent's report mentions near a commit, because the agent may have changed them. */
  #forgetNamed(report: string): void {
    if (!COMMITTED.test(report)) return;
    for (const file of this.#read.keys()) {
      const [name = ""] = /[^\\/]+[\\/][^\\/]+$/.exec(file) ?? [];
      if (name !== "" && report.includes(name)) this.#read.delete(file);
    }
  }

  #followThought(call: FinishedCall): void {
    const command = commandOf(call);
    const looksUp = isLookUp(`${call.name} ${command}`);
    // A look-up carries out the planned step only if that step is a look-up, and something was found.
    const isFound = !call.isError && !FOUND_NOTHING.test(call.result.trim());
    const isPlan = !looksUp || (ONLY_LOOKS.test(this.#intention) && isFound);
    const done = isPlan ? this.#intention : "";
    if (done !== "") this.#intentions = looksUp ? this.#intentions.slice(0, -1) : [];
    if (this.#thought === undefined) return;
    const [edited] = filesEditedBy(call);
    this.#thought.calls++;
    if (ONLY_LOOKS.test(done)) this.#thought.plan = "";
    if (!looksUp) this.#thought.acts++;
    // The action carries out the newer thought, which may have replaced the stored finding.
    if (!looksUp && this.#thought.isSuperseded) return this.#forgetThought();
    if (edited !== undefined) this.#thought.edited = lastPart(edited);
    if (edited !== undefined || hasCheck(command)) this.#thought.editsAndChecks++;
    const outcome = outcomeOf(command, call);
    // A passed check settles the assistant's earlier suspicion.
    if (outcome.isPassed && passedChecks(outcome).length > 0) this.#thought = undefined;
  }

  interrupted(from: Origin): void {
    this.#isAnswered = false;
    this.#steps.returned(INTERRUPTED, "", from);
  }

  failed(error: string, from: Origin): void {
    this.#isAnswered = false;
    this.#steps.failed(error, from);
  }

  returned(summary: string, report: string, from: Origin, task: string): void {
    this.#isAnswered = false;
    this.#forgetNamed(report);
    for (const part of this.#parts) part.returned?.(summary, report, from, task);
  }

  unfinished(call: OpenCall, isLost = false): void {
    if (isOwnCall(call)) return;
    this.#isAnswered = false;
    if (call.isSidechain) return;
    this.#intentions = [];
    this.#steps.unfinished(call, isLost);
    const file = editedFile(call);
    // The edit may have been made, so the file is not listed as only read.
    if (file !== undefined) this.#read.delete(file);
  }

  failures(): Issue[] {
    return this.#commands.failures();
  }

  finish(): Trail {
    const thought = this.#currentThought();
    const newest = <T>(known: ReadonlyMap<string, T>): string[] =>
      [...known.keys()].reverse().map((name) => excerptLine(name, MAX_NAME_CHARS));
    return {
      stopped: this.#steps.finish(),
      commands: this.#commands.finish(),
      refused: this.#refusals.finish(),
      branch: excerptLine(this.#branch, MAX_NAME_CHARS),
      ...(this.#branchChange.after === "" || this.#branchChange.after !== this.#branch
        ? {}
        : { branch_before: excerptLine(this.#branchChange.before, MAX_NAME_CHARS) }),
      links: newest(this.#links),
      read: newest(this.#read),
      names: this.#names.finish(),
      plans: this.#namedPlans(),
      running: this.#background.finish(),
      ...(thought === "" ? {} : { thought }),
      ...(this.#intention === "" ? {} : { intention: this.#intention }),
      ...(this.#plannedSteps === "" ? {} : { thought_steps: this.#plannedSteps }),
      ...(this.#mode === "plan" ? { planning: true } : {}),
      answered: this.#isAnswered,
    };
  }

  #currentThought(): string {
    const { words, plan, calls, acts, editsAndChecks, edited } = this.#thought ?? NO_THOUGHT;
    if (acts > MAX_ACTS_SINCE || editsAndChecks > MAX_EDITS_AND_CHECKS_SINCE) return "";
    const all = plan === this.#intention ? words : `${words} ${plan}`.trim();
    // Names the file of an edit, because the edit may be the step that the thought plans.
    const since = edited === "" ? counted(calls, "call") : `an edit of ${edited}`;
    return calls === 0 ? all : `${all} (${since} since then)`;
  }

  /** Reads the branch from git's output, which is newer than the client's record. */
  #readBranch(command: string, { result, isError, isSidechain }: FinishedCall): void {
    const commands = isError || isSidechain ? [] : gitCommands(command);
    if (commands.length === 0 || commands.some(({ folder }) => folder !== "")) return;
    const names = [...result.slice(-MAX_OUTPUT_CHARS).matchAll(BRANCH)].at(-1)?.slice(1);
    this.#branch = branchName(names?.find((name) => name !== undefined) ?? this.#branch);
  }

  #forget(paths: readonly string[]): void {
    for (const file of paths.length === 0 ? [] : [...this.#read.keys(), ...this.#plans.keys()]) {
      if (!paths.some((path) => isPathOf(path, file))) continue;
      this.#read.delete(file);
      this.#plans.delete(file);
    }
  }

  #namedPlans(): string[] {
    const written = [...this.#plans].filter(([, isWritten]) => isWritten).map(([path]) => path);
    return (written.length > 0 ? written : [...this.#plans.keys()]).slice(-MAX_PLANS)
      .map((path) => excerptLine(path, MAX_NAME_CHARS));
  }

  #addFile(call: FinishedCall): void {
    // The conversation does not contain the files that a subagent read.
    const isRead = call.name === "Read" && !call.isSidechain;
    const path = isRead ? asString(call.input.file_path) : editedFile(call);
    if (path === undefined || path === "" || call.isError) return;
    if (PLAN.test(path)) {
      setNewest(
        this.#plans,
        path,
        !isRead || this.#plans.get(path) === true,
        MAX_KNOWN_PLANS,
      );
    }
    // A changed file is listed under changes.
    if (isRead) setNewest(this.#read, path, call.from, MAX_READ_FILES);
    else this.#read.delete(path);
  }
}

function branchName(name: string): string {
  return /^(?:detached(?: HEAD)?|HEAD)$/.test(name) ? DETACHED_HEAD : name;
}

interface Thought {
  readonly words: string;
  plan: string;
  calls: number;
  /** The number of calls besides look-ups. */
  acts: number;
  editsAndChecks: number;
  edited: string;
  /** Whether a newer thought reached a conclusion but stated no finding to quote. */
  isSuperseded: boolean;
}

const NO_THOUGHT: Thought = {
  words: "",
  plan: "",
  calls: 0,
  acts: 0,
  editsAndChecks: 0,
  edited: "",
  isSuperseded: false,
};

export function emptyTrail(): Trail {
  const lists = { stopped: [], commands: [], refused: [], links: [], read: [], plans: [] };
  return { ...lists, names: [], branch: "" };
}
