import { GIT_READS } from "../../core/command_names.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { asString } from "../../transcript/entry.ts";
import { cutText, excerptEnds, longestEnds } from "../../inject/ends.ts";
import { andMore } from "../../inject/bound.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { describeEdit, editedFile } from "../../inject/edits.ts";
import { withoutBlocks } from "../../inject/prose.ts";
import {
  hasCheck,
  isApiWrite,
  lastLabelled,
  readableCommand,
  withoutOwnEchoes,
} from "../../core/shell_commands.ts";
import { namesIn } from "../../core/names.ts";
import { AGENT_TOOLS } from "../../core/tools.ts";
import { reportOf } from "../../inject/agent_report.ts";
import {
  API_ERROR,
  ASSISTANT,
  HIDDEN_END,
  LOST_RESULT,
  NO_RESULT,
  OUTCOME,
  USER,
} from "../../inject/step_words.ts";
import { isLookUp } from "../../inject/joined_steps.ts";
import { findings, linesNaming, MAX_WANTED_CHARS, scopeOf } from "../../inject/look_up_results.ts";
import { commandOf, isOwnCall, outcomeOf, verdictIn } from "../../inject/outcome.ts";
import { COMMIT_OUTPUT, isCommit } from "../../changes/commits.ts";
import { addressIn, ciChecksIn } from "./gh_results.ts";
import { type BackgroundTasks, taskEnd } from "./background_tasks.ts";
import {
  errorLines,
  failureLines,
  firstLines,
  isOutput,
  isRejectedCall,
  lastLines,
  NOT_STARTED,
  OUTDATED_EDIT,
  reasonNotRun,
  reportsSuccess,
} from "../../inject/telling_lines.ts";
import type { FinishedCall, OpenCall, Origin, Said } from "../../core/work_state.ts";

const MAX_CHARS = 5_000;
const MAX_STEPS = 160;

/** Limit for the last answer, the first answer to the newest prompt, and the answer before that prompt. */
const MAX_LAST_ANSWER_CHARS = 2_400;

/** An answer counts toward `MAX_CHARS` only up to this length. */
const COUNTED_ANSWER_CHARS = 1_100;

/** A step other than an answer counts toward `MAX_CHARS` only up to this length. */
const COUNTED_STEP_CHARS = 520;
const MAX_ANSWER_CHARS = 420;
const MAX_PROMPT_CHARS = 160;
const MAX_SUBJECT_CHARS = 200;
const MAX_ERROR_CHARS = 320;
const MAX_OUTCOME_CHARS = 120;
const MAX_READ_CHARS = 500;
const MAX_ERROR_LINES = 3;

/** Limits for a result after which the assistant said nothing, because no message says what it shows. */
const MAX_UNREAD_LINES = 5;
const MAX_UNREAD_CHARS = 700;
const MAX_STORED_CHARS = 64 * 1024;

/** Tools whose calls are listed elsewhere, or that only search for tools. */
const NOT_LISTED = new Set([
  "TodoWrite",
  "TaskCreate",
  "TaskUpdate",
  "TaskList",
  "TaskGet",
  "ToolSearch",
]);

const TASK_OUTPUT = ["<output>", "</output>"] as const;

/** Arguments that describe a call, the most important first. */
const SUBJECT_FIELDS =
  "file_path filePath notebook_path command pattern description query url skill title name id"
    .split(" ");

/** Matches an output that starts with an error; a filter may have removed the rest. */
const ERROR_START = /^(?:error|fatal|failed to|traceback|panic)\b/i;

/** Matches a last line that is an error; a filter such as `head` may have hidden the exit code. */
const ERROR_END = /^(?:error:|fatal:|failed to) [^\n]*\s*$(?![^])/im;

const PREPARATION = /^(?:\s*(?:echo|mkdir|sleep|cd)\b[^;&|\n`$>]*(?:&&|;|\n|$))+$/;

type Step =
  | { readonly kind: "prompt" | "answer" | "return"; readonly text: string; readonly from: Origin }
  | { readonly kind: "call"; readonly call: ListedCall; readonly from: Origin };

type ListedCall = FinishedCall & { readonly unfinished?: typeof NO_RESULT | typeof LOST_RESULT };

function isListed(call: OpenCall): boolean {
  return !NOT_LISTED.has(call.name) && !isOwnCall(call);
}

function isRejected({ isError, result }: FinishedCall): boolean {
  return isError && isRejectedCall(result);
}

/**
 * Whether a call is a preparation that printed nothing, a look-up outside the shell that never ran, or a call
 * that the client rejected for a reason other than a missing path.
 */
function isWithoutEffect(call: FinishedCall): boolean {
  const command = commandOf(call);
  if (!call.isError && PREPARATION.test(command)) {
    return !isOutput(withoutOwnEchoes(command, call.result));
  }
  const reason = call.isError ? reasonNotRun(call.result) : undefined;
  if (reason === NOT_STARTED) return call.name !== "Bash" && isLookUp(call.name);
  return reason === undefined && isRejected(call);
}

export class LastSteps {
  #steps: Step[] = [];
  /** The newest prompt and the answer directly before it, kept regardless of how much follows. */
  #asked: readonly Step[] = [];
  readonly #tasks: BackgroundTasks;
  #failure: Said | undefined;

  constructor(tasks: BackgroundTasks) {
    this.#tasks = tasks;
  }

  prompt(text: string, from: Origin): void {
    const before = this.#steps.at(-1);
    const step: Step = { kind: "prompt", text: text.slice(0, 4 * 1024), from };
    this.#asked = before?.kind === "answer" ? [before, step] : [step];
    this.#add(step);
  }

  said(text: string, from: Origin): void {
    this.#add({ kind: "answer", text: longestEnds(text), from });
  }

  call(call: FinishedCall): void {
    if (call.isSidechain || !isListed(call)) return;
    if (isWithoutEffect(call) && editedFile(call) === undefined) return;
    if (call.name === "TaskOutput") return this.#output(call);
    // The client's error about an edit begins with the reason; a command's output ends with it.
    const result = editedFile(call) === undefined
      ? call.result.slice(-MAX_STORED_CHARS)
      : call.result.slice(0, MAX_STORED_CHARS);
    // Drops the other fields that the client records about a call, because they are large.
    const { structuredPatch } = Object(call.mirror);
    const mirror = call.name === "Write" ? { structuredPatch } : null;
    this.#add({ kind: "call", call: { ...call, result, mirror }, from: call.from });
  }

  returned(summary: string, report: string, from: Origin): void {
    const outcome = report === "" ? "" : `${OUTCOME}${reportOf(report)}`;
    this.#add({ kind: "return", text: excerptLine(summary, MAX_SUBJECT_CHARS) + outcome, from });
  }

  unfinished(call: OpenCall, isLost: boolean): void {
    if (!isListed(call)) return;
    const unfinished = isLost ? LOST_RESULT : NO_RESULT;
    const rest = { isError: false, result: "", mirror: null, unfinished } as const;
    this.#add({ kind: "call", call: { ...call, ...rest }, from: call.from });
  }

  /** Records an API error, until the work continues. */
  failed(error: string, from: Origin): void {
    this.#failure = { text: API_ERROR + excerptLine(error, MAX_SUBJECT_CHARS), from };
  }

  #output({ input, result, from }: FinishedCall): void {
    const end = taskEnd(result);
    if (end === "") return;
    const [open, close] = TASK_OUTPUT;
    const mark = result.includes(open) ? open : `<status>${end}</status>`;
    const stop = result.lastIndexOf(close);
    const output = result.slice(result.indexOf(mark) + mark.length, stop < 0 ? undefined : stop);
    const lines = longestEnds(output).split("\n");
    const report = lines.filter((line) => !line.startsWith("[Tool: ")).join("\n");
    const state = end === "completed" ? "is done" : `ended: ${end}`;
    const task = this.#tasks.label(asString(input.task_id) ?? "");
    this.returned(`Task ${task} ${state}`, report, from);
  }

  finish(): Said[] {
    const kept: Said[] = [];
    const edited = new Set<string>();
    let room = MAX_CHARS;
    let hasAnswer = false;
    const askedAt = this.#steps.findLastIndex(({ kind }) => kind === "prompt");
    const repliedTo = this.#steps.findLastIndex(({ kind }, at) =>
      at < askedAt && kind === "answer"
    );
    // The first message after the prompt often explains the approach.
    const firstAnswer = this.#steps.findIndex(({ kind }, at) =>
      askedAt >= 0 && at > askedAt && kind === "answer"
    );
    const isAnswered = this.#steps.at(-1)?.kind === "answer";
    const wanted = isAnswered
      ? NOTHING_WANTED
      : wantedNames(this.#steps.slice(Math.max(0, askedAt)));
    // An edit may have changed the results that were found before it.
    const foundFrom = Math.max(askedAt, this.#steps.findLastIndex(isEdit)) + 1;
    for (const [at, step] of [...this.#steps.entries()].reverse()) {
      const file = step.kind === "call" ? editedFile(step.call) : undefined;
      if (step.kind === "call" && file !== undefined) {
        // Skips a rejected edit if a later edit of the file succeeded.
        const isOutdated = step.call.isError && OUTDATED_EDIT.test(step.call.result);
        if ((isOutdated || isRejected(step.call)) && edited.has(file)) continue;
        if (!step.call.isError) edited.add(file);
      }
      const isLong = !hasAnswer || at === repliedTo || at === firstAnswer;
      const maxChars = isLong ? MAX_LAST_ANSWER_CHARS : MAX_ANSWER_CHARS;
      const isUnread = at === this.#steps.length - 1;
      const line = lineOf(step, maxChars, at < foundFrom ? NOTHING_WANTED : wanted, isUnread);
      const next = this.#steps[at + 1];
      const isJudged = next?.kind === "answer" && verdictIn(next.text) !== "";
      const text = isJudged ? line.replace(`${OUTCOME}${HIDDEN_END}: `, OUTCOME) : line;
      if (text === "") continue;
      const joined = joinReads(text, kept.at(-1)?.text ?? "");
      if (joined !== null) {
        room -= joined.length - (kept.at(-1)?.text.length ?? 0);
        if (room < 0) break;
        kept[kept.length - 1] = { text: joined, from: step.from };
        continue;
      }
      // A long step counts only in part, so that it does not displace shorter steps.
      const counted = step.kind === "answer" ? COUNTED_ANSWER_CHARS : COUNTED_STEP_CHARS;
      room -= Math.min(text.length, counted) + 1;
      if (room < 0) break;
      hasAnswer ||= step.kind === "answer";
      kept.push({ text, from: step.from });
    }
    if (!kept.some(({ text }) => text.startsWith(USER))) {
      for (const step of this.#asked.toReversed()) {
        kept.push({ text: lineOf(step, MAX_ANSWER_CHARS), from: step.from });
      }
    }
    const failure = this.#failure === undefined ? [] : [this.#failure];
    return [...kept.filter(({ text }) => text !== "").reverse(), ...failure];
  }

  #add(step: Step): void {
    this.#failure = undefined;
    // A prompt can arrive before the results of earlier calls. Those calls are placed before it.
    const at = this.#steps.findLastIndex((one) =>
      step.kind !== "call" || one.kind !== "prompt" ||
      (step.from.line ?? Infinity) >= (one.from.line ?? 0)
    );
    this.#steps.splice(at + 1, 0, step);
    // Trims in batches, because shifting a long list is expensive.
    if (this.#steps.length > 2 * MAX_STEPS) this.#steps = this.#steps.slice(-MAX_STEPS);
  }
}

function isEdit(step: Step): boolean {
  return step.kind === "call" && !step.call.isError && editedFile(step.call) !== undefined;
}

const NOTHING_WANTED: ReadonlySet<string> = new Set();

function wantedNames(steps: readonly Step[]): ReadonlySet<string> {
  const texts = steps.map((step) => {
    if (step.kind === "prompt") return step.text;
    const isSearch = step.kind === "call" && step.call.name === "Grep";
    return isSearch ? asString(step.call.input.pattern) ?? "" : "";
  });
  return namesIn(texts.join("\n"));
}

function lineOf(
  step: Step,
  maxAnswerChars: number,
  wanted = NOTHING_WANTED,
  isUnread = false,
): string {
  if (step.kind === "call") return callLine(step.call, wanted, isUnread);
  if (step.kind === "answer") return answerLine(step.text, maxAnswerChars);
  return step.kind === "return" ? step.text : `${USER}${excerptLine(step.text, MAX_PROMPT_CHARS)}`;
}

function joinReads(text: string, next: string): string | null {
  const isRead = (line: string): boolean => line.startsWith("Read ") && !line.includes(OUTCOME);
  if (!isRead(text) || !isRead(next) || text.length + next.length > MAX_READ_CHARS) return null;
  return `${text}, ${next.slice("Read ".length)}`;
}

function answerLine(text: string, maxChars: number): string {
  const whole = excerptEnds(withoutBlocks(text), Infinity).trim();
  const line = cutText(whole, maxChars, 1 / 2).replaceAll(/\s+/g, " ");
  return /[\p{L}\p{N}]/u.test(line) ? `${ASSISTANT}${line}` : "";
}

function callLine(call: ListedCall, wanted: ReadonlySet<string>, isUnread: boolean): string {
  const subject = SUBJECT_FIELDS.map((field) => asString(call.input[field])).find(Boolean) ?? "";
  const shown = excerptLine(
    call.name === "Bash" ? oneLine(readableCommand(subject)) : subject,
    MAX_SUBJECT_CHARS,
  );
  const words = `${excerptLine(call.name, 60)} ${shown}`.trim() + scopeOf(call);
  if (call.unfinished !== undefined) return words + describeEdit(call) + OUTCOME + call.unfinished;
  if (editedFile(call) === undefined) return words + endOf(call, wanted, isUnread);
  if (!call.isError) return words + describeEdit(call);
  const intended = describeEdit(call).replace(/^: /, "");
  return words + endOf(call, wanted, isUnread) +
    (intended === "" ? "" : ` (intended edit: ${intended})`);
}

/** Drops the comments above a command, and joins its lines if the result can be run as it is shown. */
function oneLine(command: string): string {
  const own = command.replace(/^(?:\s*#[^\n]*\n)+/, "");
  const lines = own.split("\n").map((line) => line.trim());
  // A line break in quotes or in a here-document is part of the text, and a line break after a comment ends
  // the comment. A command with such a line break is not joined.
  const isPlain = !own.includes("<<") &&
    lines.every((line) =>
      !/\S\s+#/.test(line) &&
      ['"', "'", "`"].every((quote) => line.split(quote).length % 2 === 1)
    );
  return isPlain
    ? lines.filter((line) => line !== "" && !line.startsWith("#")).join("\n")
      .replaceAll(/(?<![&|;({]|\b(?:do|then|else|in))\n/g, "; ")
    : own;
}

/** The first output lines of these commands matter most: they list the newest entry first, or end in `head`. */
const NEWEST_FIRST =
  /\|\s*head\b[^;&|\n]*$|\bgh (?:release|run|pr|issue) list\b[^;&|\n]*$|\bgit(?: -\S+(?: \S+)?)* (?:log|reflog|stash list|show)\b(?!.*--reverse)[^;&|\n]*(?:\|\s*head\b[^;&|\n]*)?$/;

const STATUS =
  /^(?:cd \S+ && )?git(?: -C \S+)? (?:status\b|diff\b[^;&|\n]* --name-(?:only|status)\b)[^;&|\n]*$/;
const MAX_STATUS_LINES = 7;
const GIT_HINT = /^ +\(use "git [^\n]*\n/gm;

/** Matches a command whose output is a diff. */
const DIFF =
  /^(?:cd \S+ && )?git(?: -C \S+)? (?:diff|show)\b(?!.* --(?:stat|numstat|shortstat|name-|check|quiet|exit-code))[^;&|\n]*$/;
const DIFF_FILE = /^\+\+\+ b\/(.+)$/gm;
const MAX_DIFF_FILES = 6;

/** Commands that are run for their output, so an empty output is also a result. */
const QUERY_COMMAND = new RegExp(
  String
    .raw`(?:^|[|;&\n]\s*)(?:e?grep|rg|find|ls|jq|awk|gh (?:api|pr|issue|run)|git(?: -C \S+)? (?:${GIT_READS}|stash list))\b`,
);

/** Matches a command that only writes a script to a temporary file, and captures the file's path. */
const HERE_DOCUMENT =
  /^(?:cd \S+ && )?cat\s*>\s*(\/tmp\/\S+\.(?!md|txt|json)\w+)\s*<<-?\s*(['"]?)(\w+)\2\n[^]*\n\3\s*$/;

/** Puts git's line about the newest commit first; later lines may come from another command. */
function withCommit(command: string, output: string, lines: readonly string[]): readonly string[] {
  const made = isCommit(command) ? output.match(COMMIT_OUTPUT)?.at(-1) : undefined;
  return made === undefined ? lines : [made, ...lines.filter((line) => line !== made)].slice(0, 2);
}

function labelledLines(command: string, result: string): readonly string[] {
  const last = lastLabelled(command, result);
  const label = last.label.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const [first = "", ...rest] = lastLines(withoutOwnEchoes(command, last.output, true), 2);
  if (first !== "") return [label === "" ? first : `${label}: ${first}`, ...rest];
  const others = lastLines(withoutOwnEchoes(command, result, true), 2);
  return others.length > 0 ? others : lastLines(result, 1);
}

/**
 * Matches a line of commands that ends with showing or listing files, which can be read again, or that
 * changes a repository, which only a few lines report.
 */
const BRIEF_COMMAND = new RegExp(
  /(?:^|&&|;|\n)\s*(?:cat|sed|head|tail|ls|find|wc|pwd)\b[^;&|\n]*$/.source +
    String.raw`|\bgit (?:-C \S+ )?(?!(?:${GIT_READS}|stash list)\b)`,
);

/** Returns lines of equal length, because each can be a finding of its own. */
function unreadLines(command: string, result: string): readonly string[] {
  const all = firstLines(withoutOwnEchoes(command, result, true), Infinity);
  const [first, last] = NEWEST_FIRST.test(command)
    ? [MAX_UNREAD_LINES, 0]
    : QUERY_COMMAND.test(command)
    ? [MAX_UNREAD_LINES - 1, 1]
    : [0, MAX_UNREAD_LINES];
  const lines = all.filter((_, at) => at < first || at >= all.length - last);
  const share = Math.floor(MAX_UNREAD_CHARS / lines.length) - " | ".length;
  return lines.map((line) => excerptLine(line, share));
}

function endOf(call: FinishedCall, wanted: ReadonlySet<string>, isUnread: boolean): string {
  const command = commandOf(call);
  const outcome = outcomeOf(command, call);
  if (outcome.unrun !== undefined) return `${OUTCOME}${outcome.unrun}`;
  if (AGENT_TOOLS.has(call.name)) return `${OUTCOME}${reportOf(call.result)}`;
  if (call.name !== "Bash" && !call.isError) {
    return findings(call, wanted, isUnread ? MAX_UNREAD_CHARS : undefined);
  }
  const { isFailed } = outcome;
  const onGitHub = ciChecksIn(command, call.result) ||
    (isApiWrite(command) && !isFailed ? redactSecrets(addressIn(call.result)) : "");
  if (onGitHub !== "") return OUTCOME + excerptLine(onGitHub, MAX_ERROR_CHARS);
  const isChecked = hasCheck(command);
  // A passing test may print lines that look like errors.
  const mayShowErrors = isFailed || (isChecked && !reportsSuccess(call.result)) ||
    ERROR_START.test(call.result) || ERROR_END.test(call.result);
  // Redacts the whole output first, because a single line of a key would not be recognized.
  const result = redactSecrets(call.result);
  const linesIn = isFailed ? failureLines : errorLines;
  const maxErrors = isUnread ? MAX_UNREAD_LINES : MAX_ERROR_LINES;
  const errors = mayShowErrors ? linesIn(result, maxErrors) : [];
  const isStatus = STATUS.test(command);
  const files = DIFF.test(command)
    ? [...result.matchAll(DIFF_FILE)].map(([, file = ""]) => file)
    : [];
  const lines = errors.length > 0 || isFailed
    ? errors
    : files.length > 0
    ? [`changes in ${andMore(files.slice(-MAX_DIFF_FILES), files.length)}`]
    : isStatus
    ? firstLines(result.replaceAll(GIT_HINT, ""), MAX_STATUS_LINES)
    : isUnread && !isChecked && !BRIEF_COMMAND.test(command)
    ? unreadLines(command, result)
    : NEWEST_FIRST.test(command) && !isChecked
    ? firstLines(result, 2)
    : withCommit(command, result, labelledLines(command, result));
  const found = isFailed ? [] : linesNaming(result, wanted).filter((line) => !lines.includes(line));
  const maxChars = isUnread
    ? MAX_UNREAD_CHARS
    : errors.length > 0 || isStatus
    ? MAX_ERROR_CHARS
    : MAX_OUTCOME_CHARS;
  const words = excerptLine(
    [...found, ...lines].join(" | "),
    found.length === 0 ? maxChars : Math.max(maxChars, MAX_WANTED_CHARS),
  );
  if (outcome.isUnseen) {
    return `${OUTCOME}${HIDDEN_END}: ${words === "" ? "nothing matched the filter" : words}`;
  }
  if (outcome.ranNoTest) return `${OUTCOME}ran no test`;
  if (words === "" && !isFailed) {
    const isEmptyResult = !isOutput(call.result) && QUERY_COMMAND.test(command);
    const written = HERE_DOCUMENT.exec(command)?.[1];
    if (written !== undefined) return `${OUTCOME}wrote ${written}, not run`;
    return OUTCOME + (isEmptyResult ? "no output" : "ok");
  }
  return `${OUTCOME}${isFailed ? "failed: " : ""}${words}`.replace(/:\s*$/, "");
}
