/** Tracks the checks of a plan that were not seen to run, and the planned files that have not been edited. */

import { SHELL_TAG } from "../core/shell.ts";
import { boundText } from "../inject/bound.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { sentencesOf } from "../inject/prose.ts";
import { simpleCommands } from "../core/shell_commands.ts";
import { covers, type KnownRun } from "./known_run.ts";
import type { Origin, Said } from "../core/work_state.ts";

const MAX_PLAN_CHARS = 64 * 1024;
const MAX_CHECKS = 8;

export const UNRUN = " is in the plan, but was not seen to run";

export const UNEDITED = " is in the plan, but was not seen to be edited";

export const BY_HAND = " is a manual check of the plan, not known to be done";

export function isPlanned(line: string): boolean {
  return [UNRUN, UNEDITED, BY_HAND].some((end) => line.endsWith(end));
}

const MAX_FILES = 30;
const MAX_MANUAL_CHECKS = 6;
const MAX_MANUAL_CHARS = 160;

/** Captures the indent and the words of a line without its list marker. */
const PLAN_LINE = /^(\s*)(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(.*)$/;

const MANUAL = /\bmanual(?:ly)?\b|\bby hand\b|\bin (?:a|the|your) browser\b/i;

/** Matches a label such as "Manual test:", which does not say what to check. */
const MANUAL_LABEL = /^(?:then )?manual(?:ly)?(?: \w+)?:\s*/i;

const FILES_HEADING =
  /\bfiles?\b.*\b(?:modif\w+|creat\w+|chang\w+|edit\w*|updat\w+|touch\w*|add\w*)\b|\b(?:modified|changed|new|affected|critical) files\b/i;

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

/** The start of a message that is searched for a report of completion, in UTF-16 code units. */
const DONE_REPORT_CHARS = 300;

export class OpenPlan {
  /** Checks that have not been run, keyed by the head of the command. */
  #open = new Map<string, string>();
  readonly #manual = new Set<string>();
  /** Planned files that have not been edited, with their paths as written in the plan. */
  #files = new Set<string>();
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
    /** Indent of the line that introduces manual checks; -1 elsewhere. */
    let manualIndent = -1;
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
        manualIndent = -1;
        const isBelow = filesLevel > 0 && marks.length > filesLevel;
        const isUnchanged = UNCHANGED_HEADING.test(heading);
        if (isUnchanged) filesLevel = 0;
        else if (!isBelow) filesLevel = FILES_HEADING.test(heading) ? marks.length : 0;
      }
      for (const file of isCode ? [] : filesIn(line, filesLevel > 0)) {
        this.#files.add(file);
      }
      if (isCheckSection && !isCode && heading === undefined) {
        manualIndent = this.#manualCheck(line, manualIndent);
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

  /** Adds the manual check in a line of a section with checks. Returns the indent of its introduction, or -1. */
  #manualCheck(line: string, introduced: number): number {
    const [, { length: indent } = "", item = ""] = PLAN_LINE.exec(line) ?? [];
    const words = item.replaceAll("**", "").trim();
    if (words === "") return introduced;
    const isItem = words !== line.trim().replaceAll("**", "");
    const isManual = MANUAL.test(words);
    const isBelow = introduced >= 0 && isItem && indent >= introduced;
    const isIntroduction = isManual && words.endsWith(":");
    const check = words.replace(MANUAL_LABEL, "").replace(/:$/, "");
    const isCheck = isIntroduction ? check.length < words.length - 1 : isManual || isBelow;
    if (isCheck && check.includes(" ") && this.#manual.size < MAX_MANUAL_CHECKS) {
      this.#manual.add(excerptLine(check, MAX_MANUAL_CHARS));
    }
    // If the introduction is an item, items at the same indent are its siblings.
    if (isIntroduction) return isItem ? indent + 1 : indent;
    return isBelow ? introduced : -1;
  }

  /** Drops the manual checks that name a command in this line. */
  ran(line: string): void {
    for (const check of this.#manual) {
      if (Array.from(check.matchAll(CODE)).some(([, code = ""]) => line.includes(code))) {
        this.#manual.delete(check);
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
    for (const file of this.#files) {
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
    const files = this.#isStarted ? [...this.#files].slice(0, MAX_FILES) : [];
    return [
      ...(this.#isDraft && !this.#isStarted && hasEdits ? [] : [...this.#open.values()])
        .map((words) => `\`${words}\`${UNRUN}`),
      ...files.map((file) => `\`${file}\`${UNEDITED}`),
      ...(hasEdits && (!this.#isDraft || this.#isStarted) ? this.#manual : [])
        .values().map((check) => check + BY_HAND),
    ].map((text) => ({ text, from: this.#from }));
  }

  #clear(): void {
    this.#open = new Map();
    this.#files = new Set();
    this.#manual.clear();
    this.#isStarted = false;
    this.#hasPlan = false;
  }
}

function filesIn(line: string, isListed: boolean): string[] {
  if (FILE_LINE.test(line)) return [...line.matchAll(FILE_CODE)].map(([, file = ""]) => file);
  const [, file] = isListed ? FILE_ITEM.exec(line) ?? [] : [];
  return file === undefined ? [] : [file];
}
