/** Tracks the checks of a plan that have not been run, and the planned files that have not been edited. */

import { SHELL_TAG } from "../core/shell.ts";
import { boundText } from "../inject/bound.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { sentencesOf } from "../inject/prose.ts";
import { simpleCommands } from "../core/shell_commands.ts";
import { covers, type KnownRun } from "./known_run.ts";
import type { Origin, Said } from "../core/work_state.ts";

const MAX_PLAN_CHARS = 64 * 1024;
const MAX_CHECKS = 8;
const MAX_MANUAL_CHARS = 120;
const MANUAL_STEPS = "manual";
const MAX_MANUAL_STEPS_CHARS = 280;

export const UNRUN = " is in the plan, but was not seen to run";

export const UNEDITED = " is in the plan, but was not seen to be edited";

export function isPlanned(line: string): boolean {
  return line.endsWith(UNRUN) || line.endsWith(UNEDITED);
}

const MAX_FILES = 30;

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

/** Matches a line such as "Run: `npm test`". */
const RUN_LINE = /^\s*(?:[-*+•]\s*)?(?:\*\*)?Run:(?:\*\*)?\s*`/i;

const HEADING = /^(#{1,6})\s+(.*)$/;

const CHECKS_HEADING = /\b(?:verif\w*|test(?:ing)? plan|how to test|validation|checks?)\b/i;

/** Matches lines of code that are not checks: comments, brackets, commands that only prepare or inspect. */
const NOT_A_CHECK =
  /^(?:[#$>{}()[\]]|\/\/|(?:cd|echo|export|cat|ls|mkdir|rm|cp|mv|git|grep|rg|find|head|tail|sleep|source)\b)/;

const CODE = /`([^`\n]{3,200})`/g;

/** Matches a check made by hand, such as "Manual test: start it twice". */
const MANUAL = /^\s*(?:[-*+•]|\d{1,2}[.)])?\s*(?:\*\*)?manual(?:ly)?\b.{3,}/i;

const STEP = /^\s*\d{1,2}[.)] /;

const DONE_REPORT =
  /\b(?:all )?(?:done|complete|completed|finished)\b[.!:,]|\bsummary of (?:what|the|all|my) \w+|\b(?:here'?s|here is) (?:a|the) summary\b|\ball (?:tests|checks) (?:now )?pass/i;

/** Matches a sentence about a later or partial completion, such as "Once it is done, I'll test it.". */
const NOT_ALL_DONE =
  /\bplan (?:is |was )?(?:now )?(?:done|complete|finished)\b|\b(?:once|when|after|until|unless|if|as soon as|before|not|half|partly)\b|n't\b|\b(?:step|task|part|phase) \d/i;

/** UTF-16 code units at the start of a message that are searched for a report that the work is done. */
const DONE_REPORT_CHARS = 300;

export class OpenPlan {
  /**
   * Checks and manual tests that have not been run, by the head of the command, the text of the manual test,
   * or `MANUAL_STEPS`.
   */
  #open = new Map<string, string>();
  /** Heads of the commands in the steps of a manual test. */
  #manual = new Set<string>();
  /** Files that have not been edited, by their paths in the plan. */
  #files = new Set<string>();
  #isStarted = false;
  /** Whether the plan awaits approval. Its checks then count as open only once one of its files is edited. */
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
    let [isCheckSection, isCode, isShell, isManual] = [false, false, false, false];
    const manual: string[] = [];
    /** Level of the heading above files; 0 elsewhere. */
    let filesLevel = 0;
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
      }
      const [, file] = FILE_LINE.exec(line) ?? (filesLevel > 0 ? FILE_ITEM.exec(line) : null) ?? [];
      if (file !== undefined && !isCode) this.#files.add(file);
      if (!(isCheckSection || (!isCode && RUN_LINE.test(line))) || this.#open.size >= MAX_CHECKS) {
        continue;
      }
      const commands = isCode
        ? (isShell ? [line] : [])
        : [...line.matchAll(CODE)].map(([, code = ""]) => code);
      for (const { head, words, isCheck } of commands.flatMap(simpleCommands)) {
        const isRun = isCheck || (isCode && !NOT_A_CHECK.test(words));
        if (isRun) this.#open.set(head, `\`${words}\``);
      }
      const isLabel = /:\W*$/.test(line) || heading !== undefined;
      if (isLabel) isManual = /\bmanual/i.test(line);
      else if (isManual && STEP.test(line)) manual.push(line.trim());
      if (!isCode && MANUAL.test(line) && !isLabel) {
        const words = line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s*/, "");
        this.#open.set(words, excerptLine(words.replaceAll("**", ""), MAX_MANUAL_CHARS));
      }
    }
    if (manual.length === 0) return;
    const codes = [...manual.join(" ").matchAll(CODE)].map(([, code = ""]) => code);
    this.#manual = new Set(codes.flatMap(simpleCommands).map(({ head }) => head));
    const steps = `manual test: ${manual.join(" ")}`;
    this.#open.set(MANUAL_STEPS, excerptLine(steps, MAX_MANUAL_STEPS_CHARS));
  }

  drop(head: string): void {
    this.#open.delete(head);
  }

  /** Drops the manual test if `head` is one of its commands, wherever the command ran. */
  ranManually(head: string): void {
    if (this.#manual.has(head)) this.#open.delete(MANUAL_STEPS);
  }

  passed(check: KnownRun): void {
    for (const [head, words] of this.#open) {
      const planned = { words: words.replaceAll("`", ""), tree: "" };
      if (words.startsWith("`") && covers(check, planned)) this.#open.delete(head);
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
    const isByHand = (words: string): boolean => !words.startsWith("`");
    return this.#hasPlan && this.#isDone && this.#files.size === 0 &&
      [...this.#open.values()].every(isByHand);
  }

  /** Drops what remains of a plan that the assistant reported as done before this prompt. */
  prompt(): void {
    if (this.#isDone) this.#clear();
  }

  finish(): Said[] {
    const files = this.#isStarted ? [...this.#files].slice(0, MAX_FILES) : [];
    return [
      ...(this.#isDraft && !this.#isStarted ? [] : [...this.#open.values()])
        .map((words) => words + UNRUN),
      ...files.map((file) => `\`${file}\`${UNEDITED}`),
    ].map((text) => ({ text, from: this.#from }));
  }

  #clear(): void {
    this.#open = new Map();
    this.#files = new Set();
    this.#isStarted = false;
    this.#hasPlan = false;
  }
}
