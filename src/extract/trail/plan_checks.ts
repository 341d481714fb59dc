/** Tracks the checks that a plan names and that have not been run. */

import { boundText } from "../../inject/bound.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { simpleCommands } from "../../core/shell_commands.ts";
import type { Origin, Said } from "../../core/work_state.ts";

const MAX_PLAN_CHARS = 64 * 1024;

const MAX_CHECKS = 8;

const MAX_MANUAL_CHARS = 120;

/** Ends a line about a check that has not been run. */
export const UNRUN = " is in the plan; no run was seen";

const HEADING = /^#{1,6}\s+(.*)$/;

/** Matches headings above a plan's checks, such as "Verification". */
const CHECKS_HEADING = /\b(?:verif\w*|test(?:ing)? plan|how to test|validation|checks?)\b/i;

const CODE = /`([^`\n]{3,200})`/g;

/** Matches a check made by hand, such as "Manual test: start it twice". */
const MANUAL = /^\s*(?:[-*+•]|\d{1,2}[.)])?\s*(?:\*\*)?manual(?:ly)?\b.{3,}/i;

/** Matches the start of a message that reports the work as done. */
const DONE_REPORT =
  /\b(?:all )?(?:done|complete|completed|finished)\b[.!:,]|\bsummary of (?:what|the|all|my) \w+|\b(?:here'?s|here is) (?:a|the) summary\b|\ball (?:tests|checks) (?:now )?pass/i;

const MAX_DONE_CHARS = 300;

export class PlanChecks {
  /** Checks that have not been run, by the head of their command. */
  #open = new Map<string, string>();
  #from: Origin = { uuid: null, line: null };
  #isDone = false;

  plan(text: string, from: Origin): void {
    this.#open = new Map();
    this.#isDone = false;
    this.#from = from;
    let [isChecks, isCode] = [false, false];
    for (const line of boundText(text, MAX_PLAN_CHARS).split("\n")) {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const heading = isCode ? undefined : HEADING.exec(line)?.[1];
      if (heading !== undefined) isChecks = CHECKS_HEADING.test(heading);
      if (!isChecks || this.#open.size >= MAX_CHECKS) continue;
      const commands = isCode ? [line] : [...line.matchAll(CODE)].map(([, code = ""]) => code);
      for (const { head, words, isCheck } of commands.flatMap(simpleCommands)) {
        if (isCheck) this.#open.set(head, `\`${words}\``);
      }
      if (!isCode && MANUAL.test(line) && !/:\W*$/.test(line)) {
        const words = line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s*/, "");
        this.#open.set(words, excerptLine(words.replaceAll("**", ""), MAX_MANUAL_CHARS));
      }
    }
  }

  /** Drops a check that was run, or that the user refused. */
  drop(head: string): void {
    this.#open.delete(head);
  }

  said(text: string): void {
    this.#isDone = DONE_REPORT.test(text.slice(0, MAX_DONE_CHARS));
  }

  /** Drops the checks of a plan that the assistant reported as done before this prompt. */
  prompt(): void {
    if (this.#isDone) this.#open = new Map();
  }

  finish(): Said[] {
    return [...this.#open.values()].map((words) => ({ text: words + UNRUN, from: this.#from }));
  }
}
