import { type Draft, readStatements } from "./draft.ts";
import { keyedRowsAsItems, readPlan } from "./design_sections.ts";
import { readAnswers, readApprovedPlan } from "./dialogs.ts";
import { decideExchange, type Exchange } from "./exchange.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse } from "../inject/prose.ts";
import { pushOnce, wordsOf } from "../inject/word_set.ts";
import type { Collector, Decision, FinishedCall, Origin } from "../core/work_state.ts";

export const MAX_DECISIONS = 40;
const MAX_ITEMS = 160;
const MAX_DECISION_CHARS = 680;
const MAX_RATIONALE_CHARS = 480;
const MAX_ALTERNATIVES = 8;
const MAX_ALTERNATIVE_CHARS = 160;

const COMMAND = /^\/[\w:-]+\s+(?=\S)/;

interface Item extends Decision {
  readonly words: ReadonlySet<string>;
}

export class DecisionCollector implements Collector {
  readonly #items: Item[] = [];
  #proposal: readonly ProseLine[] = [];
  /** The user's last message, until the assistant replies. */
  #open: Omit<Exchange, "reply"> & { readonly from: Origin } | undefined;

  prompt(text: string, from: Origin): void {
    this.#settle([]);
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
    this.#add(readStatements(lines, "assistant"), from);
    this.#proposal = text.includes("|") ? readProse(keyedRowsAsItems(text)) : lines;
  }

  call(call: FinishedCall): void {
    if (call.isSidechain) return;
    if (call.name === "AskUserQuestion") this.#add(readAnswers(call), call.from);
    const plan = call.name === "ExitPlanMode" ? readApprovedPlan(call) : undefined;
    if (plan !== undefined) this.#add(readPlan(plan), call.from);
  }

  finish(): Decision[] {
    this.#settle([]);
    return this.#items.slice(-MAX_DECISIONS).reverse().map(({ words: _, ...decision }) => decision);
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

  #add(drafts: readonly Draft[], from: Origin): void {
    for (const { kind, ...draft } of drafts) {
      const decision = excerptLine(draft.decision, MAX_DECISION_CHARS);
      if (decision === "") continue;
      const rationale = excerptLine(draft.rationale, MAX_RATIONALE_CHARS);
      const alternatives = draft.alternatives.slice(0, MAX_ALTERNATIVES)
        .map((text) => excerptLine(text, MAX_ALTERNATIVE_CHARS)).filter((text) => text !== "");
      const item = { decision, rationale, alternatives, kind, from, words: wordsOf(decision) };
      pushOnce(this.#items, item, detailOf, MAX_ITEMS);
    }
  }
}

function detailOf({ decision, rationale, alternatives }: Item): number {
  return decision.length + 2 * rationale.length + 100 * alternatives.length;
}
