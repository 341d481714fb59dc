/** Tracks the checks of a plan that have not been run, and the planned files that have not been edited. */

import { SHELL_TAG } from "../core/shell.ts";
import { boundText } from "../inject/bound.ts";
import { sentencesOf } from "../inject/prose.ts";
import { simpleCommands } from "../core/shell_commands.ts";
import { covers, type KnownRun } from "./known_run.ts";
import type { Origin, Said } from "../core/work_state.ts";

const MAX_PLAN_CHARS = 64 * 1024;
const MAX_CHECKS = 8;

export const UNRUN = " is in the plan, but was not seen to run";

export const UNEDITED = " is in the plan, but was not seen to be edited";

export function isPlanned(line: string): boolean {
  return line.endsWith(UNRUN) || line.endsWith(UNEDITED);
}

const MAX_FILES = 30;

const FILES_HEADING =
  /\bfiles?\b.*\b(?:modif\w+|creat\w+|chang\w+|edit\w*|updat\w+|touch\w*|add\w*)\b|\b(?:modified|changed|new|affected|critical) files\b/i;

/** Matches a label above files, such as "**Modified tests:**". */
const FILES_LABEL =
  /^\s*\*\*(?:new|modified|changed|updated|affected|added) (?:\w+ )?(?:tests?|files?)\b[^*]*\*\*:?\s*$/i;
const LABEL = /^\s*\*\*[^*`]+\*\*:?\s*$/;

/** Level of a label, below all headings. */
const LABEL_LEVEL = 7;

const UNCHANGED_HEADING =
  /\b(?:no (?:\w+ )?changes?|unchanged|not changed|referenced?|read[- ]only)\b/i;

/** Matches a heading, a list item, a table row or a bold line that begins with the name of a file. */
const FILE_ITEM =
  /^\s*(?:[-*+•|]|#{2,6}|\d{1,2}[.)]|(?=\*\*`))\s*(?:\d{1,2}[.)]\s*)?(?:\*\*|(?:new|modify|create|update|edit)\b:?)?\s*`?((?:[\w@.-]+\/)*[\w@-]+(?:\.[\w-]+)*\.[a-z]{1,5})(?=[`*:\s|,]|$)/i;

/** Matches a line such as "**File:** `src/a.ts`" or "- Modify: `src/a.ts:12`". */
const FILE_LINE =
  /^\s*(?:[-*+•]\s*)?(?:\*\*Files?:?\*\*:?|(?:\*\*)?(?:create|modify|update|edit|test):(?:\*\*)?)\s*`([\w./@-]+\.[a-z]{1,5})(?:`|:\d)/i;

/** Matches the name of a file in backquotes. */
const FILE_CODE = /`([\w./@-]+\.[a-z]{1,5})(?:`|:\d)/g;

/** Matches a heading such as "Step 12: Update README.md". */
const FILE_IN_HEADING =
  /\b(?:create|modify|update|edit|document in)\s+`?([\w./@-]+\.(?!\d)[a-z]{1,5})\b/i;

/** Matches the number of a step in a heading. */
const STEP_NUMBER = /^\W*(?:step|task|phase|part)\s+(\d{1,2})\b/i;

/** Matches a statement that steps are done, such as "Steps 1 (schema), 4 and 6 are already done". */
const DONE_STEPS =
  /\b(?:steps?|tasks?|phases?|parts?) ((?:\d{1,2}(?: ?\([^()]*\))?(?:,? (?:and|&) |, ?|(?= )))+) ?(?:is|are|was|were|has been|have been) (?:both |all )?(?:already |now )?(?:done|complete|completed|implemented|finished|in place)\b/i;

/** Matches a statement that is conditional or negated, such as "Once steps 1 and 2 are done". */
const CONDITIONAL =
  /\b(?:once|when|after|until|unless|if|as soon as|before|not|half|partly|almost|nearly)\b|n't\b/i;

/** UTF-16 code units at the end of a message that are searched for steps that are done. */
const DONE_STEPS_CHARS = 1_000;

/** Matches a line such as "Run: `npm test`". */
const RUN_LINE = /^\s*(?:[-*+•]\s*)?(?:\*\*)?Run:(?:\*\*)?\s*`/i;

const HEADING = /^(#{1,6})\s+(.*)$/;

const CHECKS_HEADING = /\b(?:verif\w*|test(?:ing)? plan|how to test|validation|checks?)\b/i;

/** Matches lines of code that are not checks: comments, brackets, commands that only prepare or inspect. */
const NOT_A_CHECK =
  /^(?:[#$>{}()[\]]|\/\/|(?:cd|echo|export|cat|ls|mkdir|rm|cp|mv|git|grep|rg|find|head|tail|sleep|source)\b)/;

const CODE = /`([^`\n]{3,200})`/g;

const DONE_REPORT =
  /\b(?:all )?(?:done|complete|completed|finished)\b[.!:,]|\bsummary of (?:what|the|all|my) \w+|\b(?:here'?s|here is) (?:a|the) summary\b|\ball (?:tests|checks) (?:now )?pass/i;

/** Matches a sentence about a later or partial completion, such as "Once it is done, I'll test it.". */
const NOT_ALL_DONE =
  /\bplan (?:is |was )?(?:now )?(?:done|complete|finished)\b|\b(?:once|when|after|until|unless|if|as soon as|before|not|half|partly)\b|n't\b|\b(?:step|task|part|phase) \d/i;

/** UTF-16 code units at the start of a message that are searched for a report that the work is done. */
const DONE_REPORT_CHARS = 300;

export class OpenPlan {
  /** Checks that have not been run, by the head of the command. */
  #open = new Map<string, string>();
  /** Numbers of the steps of the files that have not been edited, by their paths in the plan. */
  #files = new Map<string, Set<number>>();
  #isStarted = false;
  /** Whether the plan awaits approval. Its checks then do not count as open after edits of other files. */
  #isDraft = false;
  #from: Origin = { uuid: null, line: null };
  #hasPlan = false;
  #isDone = false;

  /**
   * Replaces the plan.
   *
   * @param isDraft Whether the session only wrote the plan into a file.
   */
  plan(text: string, from: Origin, isDraft: boolean): void {
    this.#clear();
    this.#isDone = false;
    this.#hasPlan = true;
    this.#isDraft = isDraft;
    this.#from = from;
    let [isCheckSection, isCode, isShell] = [false, false, false];
    /** Level of the heading above files; 0 elsewhere. */
    let filesLevel = 0;
    /** Number of the step below whose heading the lines are; 0 elsewhere. */
    let step = 0;
    let stepLevel = 0;
    for (const line of boundText(text, MAX_PLAN_CHARS).split("\n")) {
      const [, tag] = /^\s*```(.*)/.exec(line) ?? [];
      if (tag !== undefined) {
        isCode = !isCode;
        isShell = isCode && (tag.trim() === "" || SHELL_TAG.test(tag.trim()));
        continue;
      }
      const [, marks = "", heading] = isCode ? [] : HEADING.exec(line) ?? [];
      if (heading !== undefined) {
        isCheckSection = CHECKS_HEADING.test(heading);
        const isBelow = filesLevel > 0 && marks.length > filesLevel;
        const isUnchanged = UNCHANGED_HEADING.test(heading);
        if (isUnchanged) filesLevel = 0;
        else if (!isBelow) filesLevel = FILES_HEADING.test(heading) ? marks.length : 0;
        const number = STEP_NUMBER.exec(heading)?.[1];
        if (number !== undefined || marks.length <= stepLevel) {
          step = Number(number ?? 0);
          stepLevel = marks.length;
        }
      }
      if (!isCode && FILES_LABEL.test(line)) filesLevel = LABEL_LEVEL;
      else if (filesLevel === LABEL_LEVEL && LABEL.test(line)) filesLevel = 0;
      for (const file of isCode ? [] : filesIn(line, { heading, isListed: filesLevel > 0 })) {
        this.#files.set(file, (this.#files.get(file) ?? new Set()).add(step));
      }
      if (!(isCheckSection || (!isCode && RUN_LINE.test(line))) || this.#open.size >= MAX_CHECKS) {
        continue;
      }
      const commands = isCode
        ? (isShell ? [line] : [])
        : [...line.matchAll(CODE)].map(([, code = ""]) => code);
      for (const { head, words, isCheck } of commands.flatMap(simpleCommands)) {
        const isRun = isCheck || (isCode && !NOT_A_CHECK.test(words));
        if (isRun) this.#open.set(head, words);
      }
    }
  }

  drop(head: string): void {
    this.#open.delete(head);
  }

  passed(check: KnownRun): void {
    for (const [head, words] of this.#open) {
      if (covers(check, { words, tree: "" })) this.#open.delete(head);
    }
  }

  edited(path: string): void {
    for (const file of this.#files.keys()) {
      if (path !== file && !path.endsWith(`/${file}`)) continue;
      this.#files.delete(file);
      this.#isStarted = true;
    }
  }

  /** Drops the files, because a commit often ends the work on a plan. */
  committed(): void {
    this.#files.clear();
  }

  said(text: string): void {
    this.#isDone = sentencesOf(text.slice(0, DONE_REPORT_CHARS)).some((one) =>
      DONE_REPORT.test(one) && !NOT_ALL_DONE.test(one)
    );
    for (const sentence of sentencesOf(text.slice(-DONE_STEPS_CHARS))) {
      const [, numbers = ""] = CONDITIONAL.test(sentence) ? [] : DONE_STEPS.exec(sentence) ?? [];
      const done = numbers.replaceAll(/\([^()]*\)/g, "").match(/\d+/g) ?? [];
      for (const number of done) this.#dropStep(Number(number));
    }
  }

  /** Drops the files that belong to no other step. */
  #dropStep(number: number): void {
    for (const [file, steps] of this.#files) {
      if (steps.delete(number) && steps.size === 0) this.#files.delete(file);
    }
  }

  get isCarriedOut(): boolean {
    return this.#hasPlan && this.#isDone && this.#files.size === 0 && this.#open.size === 0;
  }

  /** Drops what remains of a plan that the assistant reported as done before this prompt. */
  prompt(): void {
    if (this.#isDone) this.#clear();
  }

  /** @param hasEdits Whether any file was edited after the plan. */
  finish(hasEdits: boolean): Said[] {
    const files = this.#isStarted ? [...this.#files.keys()].slice(0, MAX_FILES) : [];
    return [
      ...(this.#isDraft && !this.#isStarted && hasEdits ? [] : [...this.#open.values()])
        .map((words) => `\`${words}\`${UNRUN}`),
      ...files.map((file) => `\`${file}\`${UNEDITED}`),
    ].map((text) => ({ text, from: this.#from }));
  }

  #clear(): void {
    this.#open = new Map();
    this.#files = new Map();
    this.#isStarted = false;
    this.#hasPlan = false;
  }
}

function filesIn(
  line: string,
  { heading, isListed }: { readonly heading: string | undefined; readonly isListed: boolean },
): string[] {
  const [, listed] = isListed ? FILE_ITEM.exec(line) ?? [] : [];
  if (FILE_LINE.test(line)) return [...line.matchAll(FILE_CODE)].map(([, file = ""]) => file);
  const file = listed ?? FILE_IN_HEADING.exec(heading ?? "")?.[1];
  return file === undefined ? [] : [file];
}
