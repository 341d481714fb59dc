import { CONCESSION } from "../../decisions/corrections.ts";
import { asString } from "../../transcript/entry.ts";
import { MARK } from "../../inject/code_blocks.ts";
import { cutText, excerptEnds, longestEnds } from "../../inject/ends.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { describeEdit, editedFile } from "../../inject/edits.ts";
import { withoutBlocks } from "../../inject/prose.ts";
import { readableCommand, withoutOwnEchoes } from "../../core/shell_commands.ts";
import { namesIn } from "../../core/names.ts";
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
import { scopeOf } from "../../inject/look_up_results.ts";
import { commandOf, isOwnCall, verdictIn } from "../../inject/outcome.ts";
import { taskEnd } from "./background_tasks.ts";
import { endOf } from "./call_end.ts";
import {
  isOutput,
  isRejectedCall,
  NOT_STARTED,
  OUTDATED_EDIT,
  reasonNotRun,
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
const MAX_READ_CHARS = 500;
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

/** Arguments that describe a call, the most important first. */
const SUBJECT_FIELDS =
  "file_path filePath notebook_path command pattern title description query url skill name id task_id"
    .split(" ");

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
  /** The newest prompt, the answer before it, and the first answer or last concession after it; always kept. */
  #asked: readonly Step[] = [];
  #failure: Said | undefined;

  prompt(text: string, from: Origin): void {
    const before = this.#steps.at(-1);
    const step: Step = { kind: "prompt", text: text.slice(0, 4 * 1024), from };
    this.#asked = before?.kind === "answer" ? [before, step] : [step];
    this.#add(step);
  }

  said(text: string, from: Origin): void {
    const step: Step = { kind: "answer", text: longestEnds(text), from };
    const last = this.#asked.at(-1);
    if (last?.kind === "prompt") this.#asked = [...this.#asked, step];
    else if (CONCESSION.test(text)) this.#asked = [...this.#asked.slice(0, -1), step];
    this.#add(step);
  }

  call(call: FinishedCall): void {
    if (call.isSidechain || !isListed(call)) return;
    if (isWithoutEffect(call) && editedFile(call) === undefined) return;
    if (call.name === "TaskOutput" && taskEnd(call.result) === "") return;
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
      const isKept = (step: Step): boolean => kept.some(({ from }) => from === step.from);
      for (const step of this.#asked.toReversed().filter((one) => !isKept(one))) {
        const text = lineOf(step, MAX_ANSWER_CHARS);
        const isBeforeGap = step.kind === "answer" && step === this.#asked.at(-1) && text !== "";
        kept.push({ text: isBeforeGap ? `${text} ${MARK}` : text, from: step.from });
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
