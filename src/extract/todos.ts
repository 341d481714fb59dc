import { lastPart } from "../core/last_part.ts";
import { AGENT_TOOLS, isAgentStarted } from "../core/tools.ts";
import { commandOf, describeCheck, outcomeOf } from "../inject/outcome.ts";
import { counted } from "../inject/bound.ts";
import { namesIn } from "../core/names.ts";
import { setNewest } from "../core/newest.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { describeEdits, editedFile, FILE_NAME, filesEditedBy } from "../inject/edits.ts";
import { madeCommit } from "../changes/commits.ts";
import { treeMove } from "../changes/tree_moves.ts";
import { hasCheck } from "../core/shell_commands.ts";
import { excerptEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { patchOf } from "../inject/patches.ts";
import { sentencesOf } from "../inject/prose.ts";
import { checkKindsIn, isAnnouncement } from "../inject/step_words.ts";
import { isSameText, wordsOf } from "../inject/word_set.ts";
import { startedTask, taskEnd } from "./trail/background_tasks.ts";
import { isFullCheck } from "../commands/check_paths.ts";
import type { Collector, FinishedCall, NextStep, Origin } from "../core/work_state.ts";

const MAX_TODOS = 100;
const MAX_TODO_CHARS = 300;
const MAX_ANNOUNCED_CHARS = 400;
const MAX_NAMES = 500;

const CHECKS_ONLY =
  /^(?:(?:re-?)?(?:run|execute|verify|that|all|the|full|unit|and|with|by|running|pass(?:es|ing)?|suite|code|project|fmt|format(?:ting|ter)?|lint(?:er|ing)?|tests?|builds?|type-?checks?)\b[\s,&/+.]*)+(?:to (?:verify|check|confirm|ensure|make sure)\b[^,;&]{0,60})?$/i;

const SCRIPT = /\b(?:tests?|lint|fmt|format|build|check)\w*:[\w:-]+/g;

/** Matches a chain of commands in prose, such as "Run npm run fmt && npm test to verify it". */
const CHAIN =
  /\brun(?:ning)? ([a-z][\w./:@ -]*(?: && [a-z][\w./:@ -]*?)+)(?= (?:to|and|then|before|for|until|in order)\b|[.,;)](?:\s|$)|\n|$)/i;
const INLINE_CODE = /`([^`\n]+)`/g;
const MAX_COMMANDS_CHARS = 160;

const PART = /^[ \t]*\d{1,2}[.)][ \t]+(.+)$/gm;

/** An agent with fewer words in its description may have done only a part of a step. */
const MIN_SAME_WORDS = 2;

const MAX_REMAINING_PARTS = 3;
const MAX_PART_CHARS = 70;
const MAX_LOST = 5;
const MAX_DESCRIPTION_CHARS = 700;

export const SINCE_NAMES = " that name ";
export const SINCE_FILES = " that wrote ";
export const SINCE_LOST = "the list was rewritten without it";
/** Prefix of a step's `since` if its files were edited, a check passed, and other files were edited after it. */
const SINCE_MADE = "edits of all its files and ";
/** Prefix of a step's `since` if an agent with the same task has reported. */
export const SINCE_REPORT = "the agent ";

interface Agent {
  readonly description: string;
  readonly hasReported: boolean;
}

/** Work since the list was last changed, or since the assistant announced a step in progress. */
class Work {
  readonly edited = new Set<string>();
  /** Names in the new text of edits. */
  named: ReadonlySet<string> = new Set();
  readonly written = new Map<string, Set<string>>();
  isCommitted = false;
  /** The newest check with its outcome; empty if unknown, or once files change. */
  check = "";
  isCheckAnnounced = false;
  /** Whether the last run of each check passed; cleared when an edit or a git command changes files. */
  readonly checks = new Map<string, boolean>();
  agentStarts = 0;
  agentReports = 0;
  /** Descriptions of the agents that reported. */
  readonly reported = new Set<string>();
  /** The passing check after the last edit of each file. */
  readonly checkedFiles = new Map<string, string>();

  forgetChecks(): void {
    this.check = "";
    this.checks.clear();
  }
}

export class TodoCollector implements Collector {
  #todos: NextStep[] | undefined;
  readonly #tasks = new Map<string, NextStep>();
  /** Descriptions of tasks, keyed by the text of their step. */
  readonly #descriptions = new Map<string, string>();
  readonly #agentTasks = new Set<string>();
  /** Agents in the background, by id. */
  readonly #agents = new Map<string, Agent>();
  #hasTasks = false;
  /** Open items missing from the newest list, if each item of that list was in the previous list. */
  #lost: readonly NextStep[] = [];
  #work = new Work();

  /** A new request can make earlier items obsolete. */
  prompt(): void {
    this.#lost = [];
  }

  returned(_summary: string, report: string, _from: Origin, task: string): void {
    // Skips background commands, which have no report. A known agent counts even if its report is empty.
    if (report !== "" || this.#agents.has(task)) this.#addReport(task);
  }

  /** Counts only the first report of an agent, because the client may repeat it. */
  #addReport(task: string): void {
    const { description = "", hasReported = false } = this.#agents.get(task) ?? {};
    if (hasReported) return;
    this.#work.agentReports++;
    this.#work.reported.add(description);
    setNewest(this.#agents, task, { description, hasReported: true }, MAX_TODOS);
  }

  get #steps(): NextStep[] | undefined {
    return this.#hasTasks ? [...this.#tasks.values()] : this.#todos;
  }

  /** Forgets earlier work if the assistant announces a step in progress: that work was for other steps. */
  said(text: string): void {
    const announced = sentencesOf(text.slice(-MAX_ANNOUNCED_CHARS)).filter(isAnnouncement);
    const isOpen = this.#steps?.some(({ step, status }) =>
      status === "in_progress" && announced.some((one) => isSameText(wordsOf(step), wordsOf(one)))
    );
    if (isOpen === true) this.#work = new Work();
    this.#work.isCheckAnnounced = announced.some((one) => checkKindsIn(one).length > 0);
  }

  call(call: FinishedCall): void {
    const command = commandOf(call);
    const work = this.#work;
    if (hasCheck(command)) this.#addChecks(command, call);
    const { result, isError: isFailed } = call;
    // If the command changed files, for example by a checkout, earlier checks no longer cover the work.
    if (treeMove(command, { result, isFailed }) !== undefined) {
      work.forgetChecks();
      work.checkedFiles.clear();
    }
    if (isFailed) return;
    for (const one of filesEditedBy(call)) {
      work.edited.add(lastPart(one));
      work.checkedFiles.delete(lastPart(one));
      work.forgetChecks();
    }
    const file = editedFile(call);
    if (file !== undefined) {
      const folder = /([^\\/]+)[\\/][^\\/]+$/.exec(file)?.[1] ?? "";
      if (call.name === "Write") {
        work.written.set(folder, (work.written.get(folder) ?? new Set()).add(lastPart(file)));
      }
      const names = namesIn(patchOf(call).added.join("\n"));
      work.named = new Set([...work.named, ...names].slice(-MAX_NAMES));
    }
    work.isCommitted ||= madeCommit(command, call);
    this.#countAgents(call);
    if (call.isSidechain) return this.#addAgentCall(call);
    const mirror = isObject(call.mirror) ? call.mirror : {};
    switch (call.name) {
      case "TodoWrite":
        return this.#write(call);
      case "TaskCreate":
        return this.#create(call, isObject(mirror.task) ? mirror.task : {});
      case "TaskUpdate":
        // A restarted client no longer finds its tasks, although the work continues.
        if (mirror.success !== false || /\bnot found\b/i.test(call.result)) this.#update(call);
        return;
      case "TaskList":
        if (!Array.isArray(mirror.tasks)) return;
        // No task is open if the list that the assistant requested is empty.
        for (const [id, { status }] of mirror.tasks.length === 0 ? this.#tasks : []) {
          if (status !== "completed") this.#tasks.delete(id);
        }
        this.tasks(mirror.tasks, call.from);
    }
  }

  #countAgents({ name, input, result }: FinishedCall): void {
    if (AGENT_TOOLS.has(name)) {
      const isStart = isAgentStarted(result);
      this.#work[isStart ? "agentStarts" : "agentReports"]++;
      const id = isStart ? startedTask(result) : undefined;
      const description = asString(input.description) ?? "";
      if (!isStart) this.#work.reported.add(description);
      if (id === undefined) return;
      setNewest(this.#agents, id, { description, hasReported: false }, MAX_TODOS);
    }
    const task = asString(input.task_id) ?? "";
    if (name === "TaskOutput" && this.#agents.has(task) && taskEnd(result) !== "") {
      this.#addReport(task);
    }
  }

  /**
   * Follows a subagent's updates of the session's tasks, but not its own todos and tasks. Ignores the
   * completion of a pending task, because subagents sometimes complete tasks that nobody has begun.
   */
  #addAgentCall(call: FinishedCall): void {
    const created = call.name === "TaskCreate" ? createdId(call.result) : undefined;
    if (created !== undefined) this.#agentTasks.add(created);
    const id = idText(call.input.taskId);
    if (call.name !== "TaskUpdate" || this.#agentTasks.has(id)) return;
    if (call.input.status === "completed" && this.#tasks.get(id)?.status === "pending") return;
    this.#update(call);
  }

  tasks(tasks: readonly unknown[], from: Origin): void {
    const listed = tasks.filter(isObject).flatMap((task) => {
      const step = stepOf(task.subject, task.status, from);
      return step === undefined ? [] : [[idText(task.id), step] as const];
    });
    // An empty reminder does not mean that the tasks are done.
    if (listed.length === 0) return;
    for (const [id, step] of listed) {
      // The list may arrive in a different order; known tasks keep their position.
      if (this.#tasks.has(id) || this.#tasks.size < MAX_TODOS) this.#tasks.set(id, step);
    }
    this.#useTasks();
  }

  finish(): NextStep[] | undefined {
    const steps = this.#steps;
    if (steps === undefined) return undefined;
    const inProgress = steps.filter(({ status }) => status === "in_progress");
    const open = inProgress.length > 0
      ? inProgress
      : steps.filter(({ status }) => status === "pending").slice(0, 1);
    const lost = this.#hasTasks ? [] : this.#lost;
    return [...steps, ...lost].map((step): NextStep => {
      if (lost.includes(step)) return { ...step, since: SINCE_LOST };
      const isOpen = open.includes(step);
      if (isOpen && this.#hasPassed(step.step)) return { ...step, status: "completed" };
      if (step.status === "completed") return step;
      const shown = { ...step, step: step.step + this.#checksFor(step.step) };
      const end = this.#reportOn(step.step) || (isOpen ? this.#checkAfterFiles(step.step) : "");
      if (end !== "") return { ...shown, since: end };
      const named = this.#writtenFor(step.step) || this.#namedIn(step.step);
      const since = isOpen ? this.#since(named) : named === "" ? "" : `edits${named}`;
      return since === "" ? shown : { ...shown, since: since + this.#remainingParts(step.step) };
    });
  }

  /** Returns the description of the step that {@linkcode openStep} returns; may be empty. */
  openDescription(): string {
    const open = openStep(this.finish() ?? [])?.step ?? "";
    const [, text] =
      [...this.#descriptions].find(([step]) => open === step + this.#checksFor(step)) ?? ["", ""];
    const isRepeated = wordsOf(text).isSubsetOf(wordsOf(open));
    return isRepeated ? "" : excerptLine(excerptEnds(text, MAX_DESCRIPTION_CHARS), Infinity);
  }

  #addChecks(command: string, call: FinishedCall): void {
    const { isPassed, runs, unrun } = outcomeOf(command, call);
    // A call that did not run proves nothing.
    if (unrun !== undefined) return;
    this.#work.check = describeCheck(command, call);
    if (isPassed && this.#work.check !== "") {
      for (const file of this.#work.edited) this.#work.checkedFiles.set(file, this.#work.check);
    }
    this.#work.isCheckAnnounced = false;
    for (const { words, isCheck, isFailed, isUnseen } of runs) {
      if (isCheck) this.#work.checks.set(words, isPassed && !isFailed && !isUnseen);
    }
  }

  /**
   * Whether a step, such as "Run tests and lint", only names kinds of checks that passed after the last edit.
   * Returns false if a check has failed since, or if another check is announced.
   */
  #hasPassed(step: string): boolean {
    const checks = [...this.#work.checks];
    if (!CHECKS_ONLY.test(step) || checks.some(([, isPassed]) => !isPassed)) return false;
    if (this.#work.isCheckAnnounced) return false;
    const kinds = checkKindsIn(step);
    const scripts = this.#descriptions.get(step)?.toLowerCase().match(SCRIPT) ?? [];
    // A run of only some tests does not complete the step.
    const whole = checks.map(([words]) => words).filter(isFullCheck);
    return kinds.length > 0 &&
      [...kinds, ...scripts].every((kind) =>
        whole.some((words) => words.toLowerCase().includes(kind))
      );
  }

  /**
   * Lists the numbered parts of a step's description for which no edit or passed check was seen; empty if
   * this applies to all of them or to none.
   */
  #remainingParts(step: string): string {
    const parts = [...this.#descriptions.get(step)?.matchAll(PART) ?? []].map(([, part = ""]) =>
      part
    );
    const left = parts.filter((part) => {
      const files = part.match(FILE_NAME) ?? [];
      return !files.some((file) => this.#work.edited.has(file)) && !this.#hasPassed(part);
    });
    if (left.length === 0 || left.length === parts.length) return "";
    const shown = left.slice(0, MAX_REMAINING_PARTS).map((part) =>
      excerptLine(part, MAX_PART_CHARS)
    );
    return `; no work seen on: ${shown.join("; ")}`;
  }

  /**
   * Returns a note if a check passed after the last edits of all files that a step or its description mentions,
   * and other files were edited after the check; otherwise empty.
   */
  #checkAfterFiles(step: string): string {
    const { edited, checkedFiles } = this.#work;
    const named = `${step} ${this.#descriptions.get(step)}`.match(FILE_NAME) ?? [];
    const checks = named.map((file) => checkedFiles.get(file) ?? "");
    const [check = ""] = checks.includes("") || checkedFiles.size === edited.size ? [] : checks;
    return check === "" ? "" : SINCE_MADE + check;
  }

  /** Returns the check commands in the description of a step that only names kinds of checks; may be empty. */
  #checksFor(step: string): string {
    const description = this.#descriptions.get(step) ?? "";
    if (step.includes("`") || checkKindsIn(step).length === 0) return "";
    const quoted = [...description.matchAll(INLINE_CODE)].map(([, code = ""]) => code);
    const chain = CHAIN.exec(description)?.[1] ?? "";
    const commands = (quoted.length > 0 ? quoted : [chain]).filter(hasCheck);
    const words = commands.map((one) => `\`${one.trim()}\``).join(", ");
    return words === "" || words.length > MAX_COMMANDS_CHARS ? "" : ` (${words})`;
  }

  /** Returns a note if an agent whose description matches the step has reported; otherwise empty. */
  #reportOn(step: string): string {
    const words = wordsOf(step);
    const name = [...this.#work.reported].find((one) => {
      const own = wordsOf(one);
      return own.size >= MIN_SAME_WORDS && own.isSubsetOf(words);
    });
    return name === undefined ? "" : `${SINCE_REPORT}"${name}" reported`;
  }

  /** Describes the writes to a folder that a step mentions, such as `todos/` for "Create todo files". */
  #writtenFor(step: string): string {
    const words = new Set([...wordsOf(step)].map(singular));
    const [folder, files] =
      [...this.#work.written].find(([folder]) => words.has(singular(folder.toLowerCase()))) ?? [];
    return folder === undefined
      ? ""
      : `${SINCE_FILES}${counted(files?.size ?? 0, "file")} in ${folder}/`;
  }

  /** Returns a phrase with up to two names that both the step and the edits contain; may be empty. */
  #namedIn(step: string): string {
    const names = [...namesIn(step)].filter((name) => this.#work.named.has(name)).slice(0, 2);
    return names.length === 0 ? "" : SINCE_NAMES + names.map((name) => `\`${name}\``).join(" and ");
  }

  /** Describes the work since the list was last changed, because lists are often updated late. */
  #since(named: string): string {
    const { edited, check, isCommitted, agentStarts, agentReports } = this.#work;
    const parts = [
      ...edited.size === 0 ? [] : [describeEdits(edited) + named, check],
      isCommitted ? "a commit" : "",
      agentStarts <= agentReports ? "" : `${counted(agentStarts, "agent")} started`,
      agentReports === 0 ? "" : counted(agentReports, "agent report"),
    ].filter((one) => one !== "");
    return parts.join(parts.length > 2 ? "; " : " and ");
  }

  #write({ input, from }: FinishedCall): void {
    if (!Array.isArray(input.todos)) return;
    this.#work = new Work();
    this.#hasTasks = false;
    const before = this.#todos ?? [];
    const todos = input.todos.filter(isObject).slice(0, MAX_TODOS)
      .flatMap((todo) => stepOf(todo.content, todo.status, from) ?? []);
    const has = (list: readonly NextStep[], { step }: NextStep): boolean =>
      list.some((one) => isSameText(wordsOf(one.step), wordsOf(step)));
    // Items may also be missing because they were reworded, so the list must have no new ones.
    const isShortened = todos.length > 0 && todos.every((one) => has(before, one));
    this.#lost = isShortened
      ? [...this.#lost, ...before].filter((one) => one.status !== "completed" && !has(todos, one))
        .slice(-MAX_LOST)
      : [];
    this.#todos = todos;
  }

  #create({ input, result, from }: FinishedCall, task: JsonObject): void {
    const id = asString(task.id) ?? createdId(result);
    const step = stepOf(task.subject ?? input.subject, "pending", from);
    if (id === undefined || step === undefined || this.#tasks.size >= MAX_TODOS) return;
    this.#tasks.set(id, step);
    this.#descriptions.set(step.step, asString(input.description) ?? "");
    this.#useTasks();
  }

  #update({ input, from }: FinishedCall): void {
    const id = idText(input.taskId);
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    const step = stepOf(input.subject ?? task.step, input.status ?? task.status, from);
    if (input.status === "deleted") this.#tasks.delete(id);
    else if (step !== undefined) this.#tasks.set(id, step);
    this.#useTasks();
  }

  #useTasks(): void {
    this.#work = new Work();
    this.#hasTasks = true;
    this.#todos = undefined;
  }
}

export function isMade({ since = "" }: NextStep): boolean {
  return since.startsWith(SINCE_MADE);
}

/** Returns the first step in progress that is not probably done, or else the first such open step. */
export function openStep(steps: readonly NextStep[]): NextStep | undefined {
  const open = steps.filter((one) => !isMade(one));
  return open.find(({ status }) => status === "in_progress") ??
    open.find(({ status }) => status === "pending");
}

function singular(word: string): string {
  return word.replace(/s$/, "");
}

function createdId(result: string): string | undefined {
  return /#(\d+)/.exec(result)?.[1];
}

/** Ids are strings or numbers; all other values share the empty id. */
function idText(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function stepOf(text: unknown, status: unknown, from: Origin): NextStep | undefined {
  const step = excerptLine(asString(text) ?? "", MAX_TODO_CHARS);
  if (step === "") return undefined;
  const isKnown = status === "in_progress" || status === "completed";
  return { step, status: isKnown ? status : "pending", from };
}
