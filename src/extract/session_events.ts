/** Turns entries into events for collectors, such as messages, calls with their results, and summaries. */

import { gitCommands } from "../core/git_commands.ts";
import { GAP, NAMES_LEAD } from "../core/digest.ts";
import { readNotice } from "../core/marks.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { pushNewest, setNewest } from "../core/newest.ts";
import {
  blocksOf,
  contentParts,
  NO_ANSWER,
  queuedPrompt,
  resultTexts,
} from "../transcript/content.ts";
import { asString, type Entry, type NumberedEntry, viewEntry } from "../transcript/entry.ts";
import { withoutRepeats } from "../transcript/in_place.ts";
import { redactSecrets } from "../secrets/redact.ts";
import {
  isInterruption,
  ownWords,
  refusalWords,
  shellCommand,
  shellOutput,
  taskNotifications,
} from "../transcript/own_words.ts";
import type { Collector, FinishedCall, OpenCall, Origin } from "../core/work_state.ts";

/** The client's result for a command without output. */
const NO_OUTPUT = "(Bash completed with no output)";

/**
 * The permission mode after a call; empty after an approved plan, when the user chooses the mode.
 */
const MODE_AFTER: { readonly [tool: string]: string } = { EnterPlanMode: "plan", ExitPlanMode: "" };

/** The branch name that the client records if no branch is checked out. */
const DETACHED = "HEAD";

const MAX_WAITING = 1_000;
const MAX_REMEMBERED = 20;

interface Queued {
  readonly content: string;
  readonly from: Origin;
}

type OpenResult = Pick<FinishedCall, "isError" | "result" | "mirror">;

class SessionEvents {
  readonly #collectors: readonly Collector[];
  readonly #calls = new Map<string, OpenCall>();
  /** Calls since the last message; older calls without a result will not receive one. */
  readonly #pending = new Set<string>();
  readonly #results = new Map<string, OpenResult>();
  readonly #reports = new Map<string, string>();
  readonly #queue: Queued[] = [];
  readonly #recentPrompts = new Map<string, true>();
  /** The text that left the queue most recently, until its message follows. */
  #dequeued: Queued | undefined;
  /** The line of the newest prompt that started a turn. */
  #typedLine = 0;
  /** Prompts from the queue, which newer clients repeat in an attachment. */
  readonly #queued = new Map<string, true>();
  #sessionId: string | null = null;
  #branch = "";
  #branchFolder: string | undefined;
  #hasCalled = false;
  /** Whether the user only asked for a save in this turn. The messages of the turn are then not reported. */
  #isSave = false;
  #mode = "";
  /** The user's own command, until its output follows. */
  #shell = "";
  #initialFolder = "";
  #currentFolder = "";

  constructor(collectors: readonly Collector[]) {
    this.#collectors = collectors;
  }

  /** Reports all events. Returns the newest session id outside sidechains; null if there is none. */
  feed(entries: Iterable<NumberedEntry>): string | null {
    for (const { entry, line, isSave = false } of withoutRepeats(entries)) {
      this.#isSave = isSave;
      this.#add(entry, line);
    }
    this.#reportOpen(false);
    this.#addWaiting();
    return this.#sessionId;
  }

  #reportOpen(isLost: boolean): void {
    for (const [id, call] of this.#calls) {
      for (const one of this.#pending.has(id) ? this.#collectors : []) {
        one.unfinished?.(call, isLost);
      }
    }
    this.#pending.clear();
  }

  #add(entry: Entry, line: number | null): void {
    const from = { uuid: entry.uuid ?? null, line };
    if (entry.sessionId !== undefined && !entry.isSidechain) this.#sessionId = entry.sessionId;
    this.#reportBranch(entry);
    if (!entry.isSidechain) this.#reportMode(asString(entry.raw.permissionMode));
    if (this.#initialFolder === "" || !entry.isSidechain) {
      this.#reportFolder(asString(entry.raw.cwd));
    }
    switch (entry.type) {
      case "user":
        return this.#addUser(entry, from);
      case "assistant":
        return this.#addAssistant(entry, from);
      case "attachment":
        return this.#addAttachment(entry, from);
      case "queue-operation":
        return this.#addQueued(entry, from);
      case "progress":
        return this.#addProgress(entry, line);
    }
  }

  /**
   * Tracks the queue of text that the user types while the assistant works: older clients record it
   * nowhere else. `remove` sends the text to the model during a turn, `dequeue` makes it a message,
   * and `popAll` returns it to the user's prompt.
   */
  #addQueued({ raw }: Entry, from: Origin): void {
    const content = asString(raw.content) ?? "";
    if (raw.operation === "enqueue") pushNewest(this.#queue, { content, from }, MAX_WAITING);
    if (raw.operation === "popAll") this.#queue.length = 0;
    if (raw.operation === "dequeue") this.#dequeued = this.#queue.shift();
    if (raw.operation !== "remove") return;
    const matching = this.#queue.findIndex((one) => one.content === content);
    const [queued] = this.#queue.splice(Math.max(0, matching), 1);
    if (queued !== undefined) this.#deliver(queued);
  }

  #deliver({ content, from }: Queued): void {
    this.#returned(content, from);
    const text = ownWords(content);
    // The client itself handles a bare command name.
    if (/^\/\S*$/.test(text) || this.#recentPrompts.has(text)) return;
    this.#prompt(text, from);
    setNewest(this.#queued, text, true, MAX_REMEMBERED);
  }

  /**
   * Adds texts that were still waiting when the session ended. Skips a text that was queued before the newest
   * typed prompt: it left the queue, although no line records that.
   */
  #addWaiting(): void {
    const waiting = this.#dequeued === undefined ? this.#queue : [this.#dequeued, ...this.#queue];
    const isNew = ({ from: { line } }: Queued): boolean => (line ?? 0) > this.#typedLine;
    for (const one of waiting.filter(isNew)) this.#deliver(one);
  }

  /** Drops a queued text that became a message although no line records that it left the queue. */
  #unqueue(content: unknown): void {
    const isKnown = content === this.#dequeued?.content;
    this.#dequeued = undefined;
    const at = isKnown ? -1 : this.#queue.findIndex((one) => one.content === content);
    if (at >= 0) this.#queue.splice(at, 1);
  }

  /** Adds a subagent's work, which older clients record in the session; newer clients use a separate file. */
  #addProgress({ raw }: Entry, line: number | null): void {
    const message = isObject(raw.data) ? raw.data.message : undefined;
    if (isObject(message)) {
      this.#add(viewEntry({ ...message, uuid: raw.uuid, isSidechain: true }), line);
    }
  }

  #reportFolder(folder = this.#currentFolder): void {
    if (folder === this.#currentFolder) return;
    this.#currentFolder = folder;
    if (this.#initialFolder === "") this.#initialFolder = folder;
    for (const collector of this.#collectors) collector.folder?.(folder);
  }

  #reportBranch(entry: Entry): void {
    const { raw, isSidechain } = entry;
    const branch = isSidechain ? undefined : asString(raw.gitBranch);
    const folder = asString(raw.cwd);
    // The client writes "HEAD" on a detached head, but also outside a repository. So "HEAD" counts only in
    // the folder in which the session had a branch.
    const isUnnamed = branch === DETACHED && (this.#branch === "" || folder !== this.#branchFolder);
    if (branch === undefined || ["", this.#branch].includes(branch) || isUnnamed) return;
    this.#branch = branch;
    this.#branchFolder = folder;
    const isPrompt = entry.type === "user" && raw.isMeta !== true &&
      !blocksOf(entry).some(({ type }) => type === "tool_result");
    const isBetweenTurns = isPrompt || !this.#hasCalled;
    for (const collector of this.#collectors) collector.branch?.(branch, isBetweenTurns);
  }

  #reportMode(mode = this.#mode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    for (const collector of this.#collectors) collector.mode?.(mode);
  }

  #addUser(entry: Entry, from: Origin): void {
    const { raw } = entry;
    if (raw.isCompactSummary === true) {
      this.#reportOpen(true);
      const summary = redactSecrets(textsOf(entry.message?.content).join("\n"));
      for (const collector of this.#collectors) collector.summary?.(from, summary);
      return;
    }
    const content = entry.message?.content;
    const blocks = blocksOf(entry);
    const results = blocks.filter((block) => block.type === "tool_result");
    for (const block of results) {
      // With several results, it is unknown which result the entry's `toolUseResult` belongs to.
      this.#addResult(block, results.length === 1 ? raw.toolUseResult : undefined, from);
    }
    if (!entry.isSidechain) this.#returned(content, from);
    if (!entry.isSidechain && isInterruption(content)) {
      for (const collector of this.#collectors) collector.interrupted?.(from);
    }
    this.#unqueue(content);
    const isOwn = !entry.isSidechain && raw.isMeta !== true &&
      raw.isVisibleInTranscriptOnly !== true && !isFromProgram(raw.origin);
    if (!isOwn) return;
    if (typeof content === "string") {
      const command = redactSecrets(shellCommand(content) ?? "");
      const output = shellOutput(content);
      if (output !== undefined) return this.#userRan(output, from);
      if (command === "") return this.#typed(ownWords(content), from);
      this.#shell = command;
      for (const collector of this.#collectors) collector.shell?.(command, from);
      return;
    }
    for (const block of results) {
      if (block.is_error !== true) continue;
      this.#prompt(refusalWords(resultTexts(block.content).join("\n")), from);
    }
    const texts = textsOf(blocks.filter(({ type }) => type === "text"));
    const text = texts.map(ownWords).filter((text) => text !== "").join("\n");
    // Older clients append a prompt that was typed during calls to the next result.
    if (results.length > 0) this.#prompt(text, from);
    else this.#typed(text, from);
  }

  /** Reports the output of the user's own git commands, which may have changed the tree. */
  #userRan(output: string, from: Origin): void {
    const command = this.#shell;
    this.#shell = "";
    if (gitCommands(command).length === 0) return;
    const result = redactSecrets(output);
    const shown = { isError: false, result, mirror: undefined, isSidechain: false };
    const call = { name: "Bash", input: { command }, ...shown, from };
    for (const collector of this.#collectors) collector.userRan?.(call);
  }

  /** Reports a prompt that starts a turn; open calls of the previous turn never receive a result. */
  #typed(text: string, from: Origin): void {
    if (text !== "") {
      this.#pending.clear();
      this.#typedLine = from.line ?? this.#typedLine;
      this.#hasCalled = false;
    }
    this.#prompt(text, from);
  }

  /** Reports a background task's notification only once, although the client may record it twice. */
  #returned(content: unknown, from: Origin): void {
    for (const { task, summary, report } of textsOf(content).flatMap(taskNotifications)) {
      if (this.#reports.get(task) === report) continue;
      setNewest(this.#reports, task, report, MAX_WAITING);
      const [title, words] = [redactSecrets(summary), redactSecrets(report)];
      for (const collector of this.#collectors) collector.returned?.(title, words, from, task);
    }
  }

  #addAssistant(entry: Entry, from: Origin): void {
    const { isSidechain } = entry;
    const blocks = blocksOf(entry);
    const texts = contentParts(entry).flatMap(({ kind, text }) => kind === "text" ? text : []);
    const text = texts.join("\n").trim();
    if (text !== "" && !isSidechain) this.#pending.clear();
    for (const block of blocks.filter(({ type }) => type === "tool_use")) {
      const id = asString(block.id);
      const name = asString(block.name) ?? "unknown";
      const input = readableInput(isObject(block.input) ? block.input : {}, this.#initialFolder);
      if (id !== undefined) this.#addCall(id, { name, input, isSidechain, from });
    }
    if (isSidechain || this.#isSave) return;
    if (entry.raw.isApiErrorMessage === true) {
      const error = redactSecrets(textsOf(entry.message?.content).join("\n"));
      for (const collector of this.#collectors) collector.failed?.(error, from);
    }
    for (const block of blocks.filter(({ type }) => type === "thinking")) {
      const thought = redactSecrets(asString(block.thinking) ?? "");
      for (const collector of this.#collectors) collector.thought?.(thought, from);
    }
    if (text === "" || text === NO_ANSWER) return;
    const screened = redactSecrets(text);
    for (const collector of this.#collectors) collector.said?.(screened, from);
  }

  #addAttachment(entry: Entry, from: Origin): void {
    const { attachment } = entry.raw;
    if (!isObject(attachment) || entry.isSidechain) return;
    this.#returned(attachment.prompt, from);
    // A prompt that was sent during a turn is in an attachment instead of a message.
    const prompt = queuedPrompt(entry);
    if (prompt !== undefined) {
      if (isFromProgram(attachment.origin)) return;
      const text = ownWords(prompt);
      if (!this.#queued.delete(text)) this.#prompt(text, from);
    }
    if (attachment.type === "task_reminder" && Array.isArray(attachment.content)) {
      for (const collector of this.#collectors) collector.tasks?.(attachment.content, from);
    }
  }

  #prompt(text: string, from: Origin): void {
    if (text === "") return;
    setNewest(this.#recentPrompts, text, true, MAX_REMEMBERED);
    if (this.#isSave) return;
    // Redacts before collectors split the text, because a part of a key would not be recognized.
    const screened = redactSecrets(text);
    for (const collector of this.#collectors) collector.prompt?.(screened, from);
  }

  #addCall(id: string, call: OpenCall): void {
    this.#hasCalled = true;
    const result = this.#results.get(id);
    this.#pending.add(id);
    if (result === undefined) return setNewest(this.#calls, id, call, MAX_WAITING);
    this.#results.delete(id);
    this.#finish({ ...call, ...result });
  }

  #addResult(block: JsonObject, mirror: unknown, from: Origin): void {
    const id = asString(block.tool_use_id);
    if (id === undefined) return;
    const isError = block.is_error === true;
    const text = resultTexts(block.content).map(withoutNotice).join("\n");
    const result = { isError, result: text === NO_OUTPUT ? "" : text, mirror };
    const call = this.#calls.get(id);
    // In real sessions a result can precede its call.
    if (call === undefined) return setNewest(this.#results, id, result, MAX_WAITING);
    this.#calls.delete(id);
    // A question gets the origin of its answer, because it is open until the user answers.
    this.#finish({ ...call, ...result, ...(call.name === "AskUserQuestion" ? { from } : {}) });
  }

  #finish(call: FinishedCall): void {
    this.#reportMode(call.isError || call.isSidechain ? undefined : MODE_AFTER[call.name]);
    for (const collector of this.#collectors) collector.call?.(call);
  }
}

export function feedSession(
  entries: Iterable<NumberedEntry>,
  collectors: readonly Collector[],
): string | null {
  return new SessionEvents(collectors).feed(entries);
}

function textsOf(content: unknown): string[] {
  return Array.isArray(content)
    ? content.flatMap((block) => isObject(block) ? asString(block.text) ?? [] : [])
    : [asString(content) ?? ""];
}

/**
 * Redacts a command as a whole, because a part of a key would not be recognized. Shows the entered
 * folder relative to the session's initial folder, and drops `git -C` options that name the initial
 * folder.
 */
function readableInput(input: JsonObject, folder: string): JsonObject {
  const command = asString(input.command);
  if (command === undefined) return input;
  const [lead = "", , path = ""] = FOLDER_CHANGE.exec(command) ?? [];
  const isInside = folder !== "" && (path === folder || path.startsWith(`${folder}/`));
  const inner = path.slice(folder.length + 1);
  const entered = inner === "" ? "" : `cd ${inner} && `;
  const words = isInside ? entered + command.slice(lead.length) : command;
  const own = folder === "" ? words : words.replaceAll(`git -C ${folder} `, "git ");
  return { ...input, command: redactSecrets(own) };
}

/** Matches a command that first changes to an absolute path, such as `cd /repo && make`. */
const FOLDER_CHANGE = /^\s*cd\s+(["']?)(\/[^"'\s;&|]+)\1\s*(?:&&|;|\n)\s*/;

/** Whether a program wrote the prompt; older clients do not record this. */
function isFromProgram(origin: unknown): boolean {
  return isObject(origin) && origin.kind !== "human" && asString(origin.kind) !== undefined;
}

/** Removes the lines that a trim added to an output. */
function withoutNotice(text: string): string {
  if (readNotice(text) === undefined) return text;
  return text.slice(0, text.lastIndexOf("\n\n[...truncated ")).split("\n")
    .filter((line) => line !== GAP && !line.startsWith(NAMES_LEAD)).join("\n");
}
