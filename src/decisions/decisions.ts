import { type Draft, readStatements } from "./draft.ts";
import { keyedRowsAsItems, readPlan, readPlanFile } from "./design_sections.ts";
import { readAnswers, readApprovedPlan } from "./dialogs.ts";
import { DENIAL, DID_NOT_HELP, isWithdrawal } from "./corrections.ts";
import { DECISION_CUES } from "./cues.ts";
import { decideExchange, type Exchange } from "./exchange.ts";
import { type Fix, readFixes } from "./fixes.ts";
import { lastQuestion, SAID_BEFORE } from "./agreement.ts";
import { filesEditedBy } from "../inject/edits.ts";
import { gitCommands } from "../core/git_commands.ts";
import { commandOf } from "../inject/outcome.ts";
import { asString } from "../transcript/entry.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse } from "../inject/prose.ts";
import { isSameText, pushOnce, wordsOf } from "../inject/word_set.ts";
import type { Collector, Decision, FinishedCall, Origin } from "../core/work_state.ts";

export const MAX_DECISIONS = 40;
const MAX_ITEMS = 160;
const MAX_DECISION_CHARS = 680;
const MAX_RATIONALE_CHARS = 480;
const MAX_ALTERNATIVES = 8;
const MAX_ALTERNATIVE_CHARS = 160;

/** Matches a reset that discards uncommitted changes and, before HEAD, the newest commits. */
const HARD_RESET = /^\s+--hard(?:\s+HEAD(?:([~^])(\d*))?)?$/;

const COMMAND = /^\/[\w:-]+\s+(?=\S)/;

interface Item extends Decision {
  readonly words: ReadonlySet<string>;
  readonly turn: number;
  readonly isFix: boolean;
  readonly commits: number;
}

interface StatedFix extends Fix {
  readonly from: Origin;
}

export class DecisionCollector implements Collector {
  #items: Item[] = [];
  #proposal: readonly ProseLine[] = [];
  /** The user's last message, until the assistant replies. */
  #open: Omit<Exchange, "reply"> & { readonly from: Origin } | undefined;
  /** Stated fixes that have not been followed by an edit. */
  #fixes: readonly StatedFix[] = [];
  /** The fix in the assistant's last thinking; used only if no message states a fix. */
  #thought: StatedFix | undefined;
  #commits = 0;
  #turn = 0;
  #hasEdits = false;
  #lastPrompt = "";

  prompt(text: string, from: Origin): void {
    this.#settle([]);
    this.#endTurn(text);
    const words = text.trimStart().replace(COMMAND, "");
    const lines = readProse(words);
    if (lines.length === 0) return;
    this.#open = { proposal: this.#proposal, text: words, lines, from };
    this.#proposal = [];
  }

  said(text: string, from: Origin): void {
    const lines = readProse(text);
    if (lines.length === 0) return;
    this.#settle(lines, from);
    if (isWithdrawal(text, this.#lastPrompt)) {
      this.#items = this.#items.filter(({ kind, rationale, turn }) =>
        turn !== this.#turn - 1 || (kind !== "assistant" && !rationale.startsWith(SAID_BEFORE))
      );
    }
    const thought = this.#thought?.rationale ?? "";
    const fixes = readFixes(lines).map((fix) => ({
      ...fix,
      rationale: fix.rationale === "" ? thought : fix.rationale,
      from,
    }));
    const isReport = ({ isDone }: Fix): boolean => isDone && this.#hasEdits;
    this.#carryOut(fixes.filter(isReport));
    const planned = fixes.filter((fix) => !isReport(fix));
    if (planned.length > 0) this.#fixes = planned;
    this.#add(readStatements(lines, "assistant"), from);
    this.#proposal = text.includes("|") ? readProse(keyedRowsAsItems(text)) : lines;
  }

  thought(text: string, from: Origin): void {
    const fix = readFixes(readProse(text)).at(-1);
    this.#thought = fix === undefined ? undefined : { ...fix, from };
  }

  call(call: FinishedCall): void {
    if (call.isSidechain) return;
    if (!call.isError) this.#trackCommits(commandOf(call));
    if (filesEditedBy(call).length > 0) {
      this.#hasEdits = true;
      const thought = this.#thought === undefined ? [] : [this.#thought];
      const fixes = this.#fixes.length > 0 ? this.#fixes : thought;
      this.#carryOut(fixes.filter(({ isDone }) => !isDone));
      this.#fixes = [];
      this.#thought = undefined;
    }
    if (call.name === "Write" && !call.isError) {
      const [path, content] = [asString(call.input.file_path), asString(call.input.content)];
      this.#add(readPlanFile(path ?? "", content ?? ""), call.from);
    }
    if (call.name === "AskUserQuestion") this.#add(readAnswers(call), call.from);
    const plan = call.name === "ExitPlanMode" ? readApprovedPlan(call) : undefined;
    if (plan !== undefined) this.#add(readPlan(plan), call.from);
  }

  finish(): Decision[] {
    this.#settle([]);
    return this.#items.slice(-MAX_DECISIONS).reverse()
      .map(({ words: _, turn: _turn, isFix: _isFix, commits: _commits, ...decision }) => decision);
  }

  /** Keeps an unfinished fix only if the user agrees to it, and drops fixes that the user says do not work. */
  #endTurn(prompt: string): void {
    if (!DECISION_CUES.agreement.test(prompt.trim())) this.#fixes = [];
    this.#thought = undefined;
    const isAsked = lastQuestion(this.#proposal) !== "";
    if (DID_NOT_HELP.test(prompt) || (!isAsked && DENIAL.test(prompt.trimStart()))) {
      this.#items = this.#items.filter(({ isFix, turn }) => !isFix || turn !== this.#turn);
    }
    this.#turn++;
    this.#hasEdits = false;
    this.#lastPrompt = prompt;
  }

  #trackCommits(line: string): void {
    for (const { name, options, folder } of gitCommands(line)) {
      if (folder !== "") continue;
      if (name === "commit" && !/\s--amend\b/.test(options)) this.#commits++;
      const reset = name === "reset" ? HARD_RESET.exec(options) : null;
      if (reset === null) continue;
      const [, isBefore, count = ""] = reset;
      this.#commits -= isBefore === undefined ? 0 : Number(count || 1);
      this.#items = this.#items.filter(({ isFix, commits }) => !isFix || commits < this.#commits);
    }
  }

  #carryOut(fixes: readonly StatedFix[]): void {
    for (const { from, isDone: _, ...draft } of fixes) {
      const words = wordsOf(draft.decision);
      // A design that the user accepted can contain the fix.
      const isKnown = this.#items.some((item) =>
        item.decision.length > draft.decision.length && isSameText(item.words, words)
      );
      if (!isKnown) this.#add([draft], from, true);
    }
  }

  #settle(reply: readonly ProseLine[], repliedFrom?: Origin): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    for (const draft of decideExchange({ ...open, reply })) {
      // A decision in the assistant's words has the reply as its origin.
      this.#add([draft], (draft.kind === "assistant" ? repliedFrom : undefined) ?? open.from);
    }
  }

  #add(drafts: readonly Draft[], from: Origin, isFix = false): void {
    for (const { kind, ...draft } of drafts) {
      const decision = excerptLine(draft.decision, MAX_DECISION_CHARS);
      if (decision === "") continue;
      const rationale = excerptLine(draft.rationale, MAX_RATIONALE_CHARS);
      const alternatives = draft.alternatives.slice(0, MAX_ALTERNATIVES)
        .map((text) => excerptLine(text, MAX_ALTERNATIVE_CHARS)).filter((text) => text !== "");
      const item = {
        decision,
        rationale,
        alternatives,
        kind,
        from,
        words: wordsOf(decision),
        turn: this.#turn,
        isFix,
        commits: this.#commits,
      };
      pushOnce(this.#items, item, detailOf, MAX_ITEMS);
    }
  }
}

function detailOf({ decision, rationale, alternatives }: Item): number {
  return decision.length + 2 * rationale.length + 100 * alternatives.length;
}
