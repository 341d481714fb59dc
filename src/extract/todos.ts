import { lastPart } from "../core/last_part.ts";
import { namesIn } from "../core/names.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { hasCheck } from "../core/shell_commands.ts";
import type { Collector, FinishedCall, NextStep, Origin } from "../core/work_state.ts";
import { madeCommit } from "../changes/commits.ts";
import { treeMove } from "../changes/tree_moves.ts";
import { describeEdits, editedFile, filesEditedBy } from "../inject/edits.ts";
import { excerptEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf, describeCheck, outcomeOf } from "../inject/outcome.ts";
import { patchOf } from "../inject/patches.ts";
import { sentencesOf } from "../inject/prose.ts";
import { checkKindsIn, isAnnouncement } from "../inject/step_words.ts";
import { isSameText, wordsOf } from "../inject/word_set.ts";
import { asString } from "../transcript/entry.ts";

const MAX_TODOS = 100;
const MAX_TODO_CHARS = 300;
const MAX_ANNOUNCED_CHARS = 400;
const MAX_NAMES = 500;
const MAX_NAMED = 2;
const MAX_COMMANDS_CHARS = 160;
const MAX_DESCRIPTION_CHARS = 700;

/** Matches a chain of commands in prose, such as "Run npm run fmt && npm test to verify it". */
const CHAIN =
  /\brun(?:ning)? ([a-z][\w./:@ -]*(?: && [a-z][\w./:@ -]*?)+)(?= (?:to|and|then|before|for|until|in order)\b|[.,;)](?:\s|$)|\n|$)/i;
const INLINE_CODE = /`([^`\n]+)`/g;

export const SINCE_NAMES = " that name ";

/** Work since the list was last changed, or since the assistant announced a step in progress. */
class Work {
  readonly edited = new Set<string>();
  /** Names in the new text of edits. */
  named: ReadonlySet<string> = new Set();
  isCommitted = false;
  /** The newest check with its outcome; empty if unknown, or once files change. */
  check = "";
}

export class TodoCollector implements Collector {
  #todos: NextStep[] | undefined;
  readonly #tasks = new Map<string, NextStep>();
  /** Descriptions of tasks, keyed by the text of their step. */
  readonly #descriptions = new Map<string, string>();
  #hasTasks = false;
  #work = new Work();

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
  }

  call(call: FinishedCall): void {
    const command = commandOf(call);
    const work = this.#work;
    if (hasCheck(command)) this.#addCheck(command, call);
    const { result, isError: isFailed } = call;
    // If the command changed files, for example by a checkout, earlier checks no longer cover the work.
    if (treeMove(command, { result, isFailed }) !== undefined) work.check = "";
    if (isFailed) return;
    for (const one of filesEditedBy(call)) {
      work.edited.add(lastPart(one));
      work.check = "";
    }
    if (editedFile(call) !== undefined) {
      const names = namesIn(patchOf(call).added.join("\n"));
      work.named = new Set([...work.named, ...names].slice(-MAX_NAMES));
    }
    work.isCommitted ||= madeCommit(command, call);
    // The lists of subagents are their own.
    if (call.isSidechain) return;
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

  tasks(tasks: readonly unknown[], from: Origin): void {
    const listed = tasks.filter(isObject).slice(0, MAX_TODOS).flatMap((task) => {
      const step = stepOf(task.subject, task.status, from);
      return step === undefined ? [] : [[idText(task.id), step] as const];
    });
    // An empty reminder does not mean that the tasks are done.
    if (listed.length === 0) return;
    for (const [id, step] of listed) this.#tasks.set(id, step);
    this.#useTasks();
  }

  finish(): NextStep[] | undefined {
    const steps = this.#steps;
    const inProgress = steps?.filter(({ status }) => status === "in_progress") ?? [];
    const firstOpen = steps?.find(({ status }) => status === "pending");
    return steps?.map((one) => {
      if (one.status === "completed") return one;
      const isOpen = inProgress.length > 0 ? inProgress.includes(one) : one === firstOpen;
      const named = this.#namedIn(one.step);
      const edits = named === "" ? "" : `edits${named}`;
      const since = isOpen ? this.#since(named) : edits;
      const shown = { ...one, step: one.step + this.#checksFor(one.step) };
      return since === "" ? shown : { ...shown, since };
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

  #addCheck(command: string, call: FinishedCall): void {
    // A call that did not run proves nothing.
    if (outcomeOf(command, call).unrun === undefined) {
      this.#work.check = describeCheck(command, call);
    }
  }

  /** Returns the check commands in the description of a step that only names kinds of checks; may be empty. */
  #checksFor(step: string): string {
    if (step.includes("`") || checkKindsIn(step).length === 0) return "";
    const description = this.#descriptions.get(step) ?? "";
    const quoted = [...description.matchAll(INLINE_CODE)].map(([, code = ""]) => code);
    const words = (quoted.length > 0 ? quoted : [CHAIN.exec(description)?.[1] ?? ""])
      .filter(hasCheck).map((code) => `\`${code.trim()}\``).join(", ");
    return words === "" || words.length > MAX_COMMANDS_CHARS ? "" : ` (${words})`;
  }

  /** Returns a phrase with the names that both the step and the edits contain; empty if there are none. */
  #namedIn(step: string): string {
    const names = [...namesIn(step).intersection(this.#work.named)].slice(0, MAX_NAMED);
    return names.length === 0 ? "" : SINCE_NAMES + names.map((name) => `\`${name}\``).join(" and ");
  }

  /** Describes the work since the list was last changed, because lists are often updated late. */
  #since(named: string): string {
    const { edited, check, isCommitted } = this.#work;
    const parts = [
      ...edited.size === 0 ? [] : [describeEdits(edited) + named, check],
      isCommitted ? "a commit" : "",
    ].filter((one) => one !== "");
    return parts.join(parts.length > 2 ? "; " : " and ");
  }

  #write({ input, from }: FinishedCall): void {
    if (!Array.isArray(input.todos)) return;
    this.#work = new Work();
    this.#hasTasks = false;
    this.#todos = input.todos.filter(isObject).slice(0, MAX_TODOS)
      .flatMap((todo) => stepOf(todo.content, todo.status, from) ?? []);
  }

  #create({ input, result, from }: FinishedCall, task: JsonObject): void {
    const id = asString(task.id) ?? /#(\d+)/.exec(result)?.[1];
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

function openStep(steps: readonly NextStep[]): NextStep | undefined {
  return steps.find(({ status }) => status === "in_progress") ??
    steps.find(({ status }) => status === "pending");
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
