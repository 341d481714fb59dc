/** Collects decisions: answers to dialogs, approved plans, chosen options and statements. */

import { readStatements } from "./draft.ts";
import { DecisionList } from "./list.ts";
import { keyedRowsAsItems, readPlan } from "./design_sections.ts";
import { readAnswers, readApprovedPlan } from "./dialogs.ts";
import { decideExchange, type Exchange } from "./exchange.ts";
import { type ProseLine, readProse } from "../inject/prose.ts";
import type { Collector, Decision, FinishedCall, Origin } from "../core/work_state.ts";

/** Matches a slash command before the user's own words. */
const COMMAND = /^\/[\w:-]+\s+(?=\S)/;

export class DecisionCollector implements Collector {
  readonly #list = new DecisionList();
  /** The assistant's last message since the last prompt. */
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
    this.#settle(lines);
    for (const draft of readStatements(lines, "assistant")) this.#list.add(draft, from);
    this.#proposal = text.includes("|") ? readProse(keyedRowsAsItems(text)) : lines;
  }

  call(call: FinishedCall): void {
    if (call.isSidechain) return;
    if (call.name === "AskUserQuestion") {
      for (const draft of readAnswers(call)) this.#list.add(draft, call.from);
    }
    const plan = call.name === "ExitPlanMode" ? readApprovedPlan(call) : undefined;
    for (const draft of plan === undefined ? [] : readPlan(plan)) this.#list.add(draft, call.from);
  }

  finish(): Decision[] {
    this.#settle([]);
    return this.#list.newestFirst();
  }

  #settle(reply: readonly ProseLine[]): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    for (const draft of decideExchange({ ...open, reply })) this.#list.add(draft, open.from);
  }
}
