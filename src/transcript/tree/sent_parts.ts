/** Selects the parts of a context that are sent. The API refuses some of the others. */

import type { ContentPart } from "../content.ts";
import { asString, type Entry } from "../entry.ts";

export class SentParts {
  readonly #model: string | undefined;
  #messageId: string | undefined;
  /** Calls in the model's newest message that have no result yet. */
  readonly #unanswered = new Set<string>();
  /** Calls without a result when the next message began. The client answers each itself. */
  readonly #abandoned = new Set<string>();

  /** @param model The model to send to. Without it, the thinking of every model counts as sent. */
  constructor(model?: string) {
    this.#model = model;
  }

  of(entry: Entry, parts: readonly ContentPart[]): ContentPart[] {
    return entry.type === "assistant" ? this.#answer(entry, parts) : this.#otherParts(parts);
  }

  #answer(entry: Entry, parts: readonly ContentPart[]): ContentPart[] {
    const id = asString(entry.message?.id);
    // A message with only thinking is not sent, so it does not end the message before it.
    const hasOtherParts = parts.some(({ kind }) => kind !== "thinking");
    if (hasOtherParts && id !== undefined && id !== this.#messageId) {
      for (const call of this.#unanswered) this.#abandoned.add(call);
      this.#unanswered.clear();
      this.#messageId = id;
    }
    for (const part of parts) {
      if (part.kind === "tool_use" && part.id !== undefined) this.#unanswered.add(part.id);
    }
    const isSameModel = this.#model === undefined || entry.message?.model === this.#model;
    return parts.filter(({ kind }) => kind !== "thinking" || isSameModel);
  }

  #otherParts(parts: readonly ContentPart[]): ContentPart[] {
    let isLateResult = false;
    return parts.filter(({ kind, id }) => {
      if (kind === "tool_result") {
        isLateResult = id !== undefined && this.#abandoned.has(id);
        if (id !== undefined) this.#unanswered.delete(id);
      }
      // The pictures of a result follow it.
      return !isLateResult || (kind !== "tool_result" && kind !== "image");
    });
  }
}
