/** Collects the user's refusals and corrections, with their reasons. */

import { pushNewest } from "../../core/newest.ts";
import { isQuestion } from "../../core/questions.ts";
import { DECISION_CUES } from "../../decisions/cues.ts";
import { asString, jsonText } from "../../transcript/entry.ts";
import { describeEdit, editedFile } from "../../inject/edits.ts";
import { isCommit } from "../../changes/commits.ts";
import { NO_AS_ANSWER } from "../../decisions/corrections.ts";
import { excerptLine, inBackquotes } from "../../inject/excerpt.ts";
import { cutEnds, longestEnds } from "../../inject/ends.ts";
import { isAnnouncement } from "../../inject/step_words.ts";
import { sentencesOf } from "../../inject/prose.ts";
import { readableCommand, type SimpleCommand, simpleCommands } from "../../core/shell_commands.ts";
import { isRefusal, refusalWords } from "../../transcript/own_words.ts";
import type { FinishedCall, Origin, Said } from "../../core/work_state.ts";

const MAX_ITEMS = 12;
const MAX_SUBJECT_CHARS = 140;
const MAX_REASON_CHARS = 260;

const COMMAND_KEY_CHARS = 60;

/** A longer prompt is a task, not a correction. */
const MAX_CORRECTION_CHARS = 600;

/** Matches the start of an objection, such as "I meant", but not "No tests fail" or "Wait for CI". */
const OBJECTION = new RegExp(
  String
    .raw`^(?:${NO_AS_ANSWER}|nope|wait(?=\s*(?:$|[,.!…—–-])|\s+(?:no|don'?t|stop|what|why|i|you|that|this|it|the|a (?:sec|moment|minute))\b)|actually,|that'?s (?:not|wrong)|i (?:meant|said|prefer)\b|why (?:did|are|do) you\b|what are you doing)`,
  "i",
);

/** Matches a sentence that forbids or corrects something, such as "Don't push". */
const DEMAND =
  /^(?:(?:please|and|but|also|just|no|so|ok(?:ay)?)[, ]+)*(?:(?:don'?t|do not)\b(?! (?:worry|hesitate|mind)\b)|never\b(?! mind\b)|stop\b(?! (?!it|that|this|now|\w+ing\b)\w)|instead\b|not\b(?! (?:sure|yet|bad|a problem)))|\b(?:you (?:should(?:n'?t| not| have)|must(?:n'?t| not)|forgot|missed)|we should (?:not|be)|(?:instead of|rather than) \S)/i;

/** A shorter sentence only agrees, such as "Good catch." */
const MIN_REPLY_WORDS = 5;

/** Matches a sentence that ends in an announcement; the answer follows in a later message. */
const LOOKS_FIRST = /(?:—|–|-|,|;|\.\.\.|…)\s*let me (?:check|see|look|verify|confirm|find)\b/i;
const MAX_REPLY_TEXT_CHARS = 200;

export const REPLIED = "; the assistant replied: ";

interface Item extends Said {
  /** Identifies the call, to recognize that the user allowed it later. */
  readonly call?: string;
  readonly words?: string;
  readonly input?: string;
  /** Number of prompts before a refusal that only asks a question; missing or infinite if it never expires. */
  readonly askedAt?: number;
  /**
   * Whether other people would have seen the effect, such as that of a push. A similar call then lifts the
   * refusal even after a commit.
   */
  readonly isOutward?: boolean;
}

const PUBLISHING = /\b(?:git push|gh (?:pr|release) (?:create|merge)|npm publish|deploy)\b/;

/** After this many prompts, a refusal that only asked a question no longer applies. */
const EXPIRY_PROMPTS = 2;

export class RefusalCollector {
  #items: Item[] = [];
  /** Whether the last call was stopped without a reason; the next prompt then states it. */
  #isStopped = false;
  /** Whether the assistant's next message may reply to the reason of the newest refusal. */
  #isOpen = false;
  #prompts = 0;

  prompt(text: string, from: Origin): void {
    // The client repeats the reason of a refusal as a prompt.
    const isRepeated = this.#items.at(-1)?.text.endsWith(`: "${lineOf(text)}"`) === true;
    this.#isOpen &&= isRepeated;
    if (!isRepeated) this.#prompts++;
    const stopped = this.#isStopped ? this.#items.pop() : undefined;
    this.#isStopped = false;
    // The client stops `ExitPlanMode` if the user approves the plan and clears the context.
    const isApproved = stopped?.text.startsWith("stopped ExitPlanMode ") === true &&
      DECISION_CUES.handedPlan.test(text);
    if (isApproved) return;
    if (stopped !== undefined) {
      this.#items.push({
        ...stopped,
        text: `${stopped.text}; the user then wrote: "${lineOf(text)}"`,
      });
      return;
    }
    const isCorrection = text.length <= MAX_CORRECTION_CHARS && !isRepeated &&
      (OBJECTION.test(text) || sentencesOf(text).some(isDemand));
    if (isCorrection) pushNewest(this.#items, { text: `"${lineOf(text)}"`, from }, MAX_ITEMS);
  }

  call(call: FinishedCall): void {
    this.#isStopped = false;
    // A message after an edit is about the edit, not about the refusal.
    this.#isOpen &&= call.isError || editedFile(call) === undefined;
    const key = keyOf(call);
    if (!call.isError) {
      this.#accept(key, call);
      // After a commit, a similar call belongs to other work, so it does not lift the refusal.
      if (isCommit(asString(call.input.command) ?? "")) {
        this.#items = this.#items.map((item) => {
          const { text, from, askedAt = Infinity } = item;
          return item.isOutward === true ? item : { text, from, askedAt };
        });
      }
      return;
    }
    // A user who closes a question dialog answers in a prompt instead.
    if (!isRefusal(call.result) || call.name === "AskUserQuestion") return;
    const words = refusalWords(call.result);
    const { input } = call;
    const isEdit = editedFile(call) !== undefined;
    const command = asString(input.command);
    const subject = asString(input.file_path) ??
      (command === undefined ? undefined : readableCommand(command)) ??
      asString(input.plan) ?? asString(input.title) ?? asString(input.description) ??
      jsonText(input);
    const tool = excerptLine(call.name, 60);
    // Without a reason, the user may have pressed Esc during the call rather than refused it.
    const verb = words === "" ? "stopped" : "refused";
    const edit = isEdit ? describeEdit(call).replace(/^: (.*)$/, " ($1)") : "";
    const refusal = `${verb} ${tool} ${excerptLine(subject, MAX_SUBJECT_CHARS)}${edit}`.trim();
    pushNewest(this.#items, {
      text: words === "" ? refusal : `${refusal}: "${lineOf(words)}"`,
      from: call.from,
      call: key,
      words: wordsIn(command ?? ""),
      ...(isEdit ? { input: jsonText(input) } : {}),
      ...(PUBLISHING.test(command ?? "")
        ? { isOutward: true }
        : isPlainQuestion(words)
        ? { askedAt: this.#prompts }
        : {}),
    }, MAX_ITEMS);
    this.#isStopped = words === "";
    this.#isOpen = words !== "";
  }

  /** Adds the assistant's reply, which often says that the user's demand is already met. */
  said(text: string): void {
    const words = sentencesOf(text).filter((one) =>
      !isAnnouncement(one) && !LOOKS_FIRST.test(one) && !one.endsWith(":") &&
      one.split(" ").length >= MIN_REPLY_WORDS
    );
    const last = this.#items.at(-1);
    if (!this.#isOpen || last === undefined || words.length === 0) return;
    this.#isOpen = false;
    const reply = cutEnds(excerptLine(words.join(" "), Infinity), MAX_REPLY_TEXT_CHARS);
    this.#items[this.#items.length - 1] = { ...last, text: `${last.text}${REPLIED}"${reply}"` };
  }

  finish(): Said[] {
    const items = this.#items.filter(({ askedAt = Infinity }) =>
      this.#prompts - askedAt < EXPIRY_PROMPTS
    );
    return items.map(({ text, from }) => ({ text, from })).reverse();
  }

  #accept(key: string, call: FinishedCall): void {
    const words = wordsIn(asString(call.input.command) ?? "");
    const isAllowed = (item: Item | undefined): boolean =>
      key !== "" && item?.call === key && hasOptions(words, item.words ?? "");
    this.#isOpen &&= !isAllowed(this.#items.at(-1));
    this.#items = this.#items.map((item) =>
      isAllowed(item)
        ? {
          text: `${item.text}, and ${acceptanceText(item, call)}`,
          from: item.from,
          askedAt: item.askedAt ?? Infinity,
        }
        : item
    );
  }
}

function acceptanceText({ input, words = "" }: Item, call: FinishedCall): string {
  if (input === undefined) {
    const later = wordsIn(asString(call.input.command) ?? "");
    const isOther = later !== words && !isCommit(later);
    return `a later ${isOther ? inBackquotes(later, COMMAND_KEY_CHARS) : "call"} was allowed`;
  }
  return input === jsonText(call.input)
    ? "the same edit was allowed later"
    : "another edit of the file was allowed later";
}

/** Returns the commands of a line without their filters, and without the folder of `git -C`. */
function wordsIn(command: string): string {
  return commandsIn(command).map(({ words }) => words).join(" && ");
}

function commandsIn(command: string): SimpleCommand[] {
  return simpleCommands(command.replaceAll(/\bgit -C \S+/g, "git"));
}

/** Matches an option, such as `--force`; `-u` only records the remote branch. */
const OPTION = /(?<=\s)-(?!(?:u|-set-upstream)\b)\S*/g;
const QUOTED = /"[^"]*"|'[^']*'/g;

function optionsIn(words: string): readonly string[] {
  return words.replaceAll(QUOTED, "").match(OPTION) ?? [];
}

/** Whether a command has all options of another. Without an option such as `--force`, it can do much less. */
function hasOptions(words: string, other: string): boolean {
  const own = optionsIn(words);
  return optionsIn(other).every((option) => own.includes(option));
}

/**
 * Identifies a call by its edited file, the heads of its commands or its MCP tool, because its arguments may
 * differ later. Returns an empty string for other calls.
 */
function keyOf(call: FinishedCall): string {
  const command = asString(call.input.command) ?? "";
  // Keeps what precedes `git commit`, such as `git add a.ts`, because a commit of other files does not mean
  // that the refused commit was allowed.
  if (isCommit(command)) return command.split(/\bgit commit\b/, 1)[0] || command;
  const heads = commandsIn(command).map(({ head }) => head);
  const key = editedFile(call) ?? (heads.join(" && ") || command.slice(0, COMMAND_KEY_CHARS));
  return key === "" && call.name.startsWith("mcp__") ? call.name : key;
}

/** Whether a reason is a plain question, unlike the objection "What are you doing?". */
function isPlainQuestion(words: string): boolean {
  return isQuestion(words) && !OBJECTION.test(words);
}

/** Ignores questions, quotations, code, headings, list items and table rows. */
function isDemand(sentence: string): boolean {
  return DEMAND.test(sentence) && !isQuestion(sentence) && !/^[>|`#-]/.test(sentence);
}

function lineOf(text: string): string {
  return cutEnds(excerptLine(longestEnds(text), Infinity), MAX_REASON_CHARS);
}
