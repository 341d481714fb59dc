import { excerptLine } from "../inject/excerpt.ts";
import { pushOnce, wordsOf } from "../inject/word_set.ts";
import type { Decision, Origin } from "../core/work_state.ts";

export const MAX_DECISIONS = 40;

const MAX_ITEMS = 160;

const MAX_DECISION_CHARS = 680;

const MAX_RATIONALE_CHARS = 480;

const MAX_ALTERNATIVES = 8;

const MAX_ALTERNATIVE_CHARS = 160;

interface Item {
  readonly decision: Decision;
  readonly words: ReadonlySet<string>;
}

export class DecisionList {
  readonly #items: Item[] = [];

  /** Adds a decision; keeps only the more detailed of two duplicates. */
  add(draft: Omit<Decision, "from">, from: Origin): void {
    const decision = {
      decision: excerptLine(draft.decision, MAX_DECISION_CHARS),
      rationale: excerptLine(draft.rationale, MAX_RATIONALE_CHARS),
      alternatives: draft.alternatives.slice(0, MAX_ALTERNATIVES)
        .map((text) => excerptLine(text, MAX_ALTERNATIVE_CHARS)).filter((text) => text !== ""),
      kind: draft.kind,
      from,
    };
    if (decision.decision === "") return;
    pushOnce(this.#items, { decision, words: wordsOf(decision.decision) }, detailOf, MAX_ITEMS);
  }

  newestFirst(): Decision[] {
    return this.#items.slice(-MAX_DECISIONS).reverse().map(({ decision }) => decision);
  }
}

function detailOf({ decision: { decision, rationale, alternatives } }: Item): number {
  return decision.length + 2 * rationale.length + 100 * alternatives.length;
}
