/** Collects the text between two answers, to calibrate the token estimate. */

import { NOTICE_END } from "../core/marks.ts";
import type { ContentPart } from "../transcript/content.ts";
import type { Entry } from "../transcript/entry.ts";
import {
  estimateTextTokens,
  estimateThinkingTokens,
  TokenCalibration,
  type TokenScale,
  TOOL_RESULT_TOKENS,
  TOOL_USE_TOKENS,
} from "../transcript/tokens/tokens.ts";
import { usageOfEntry } from "../transcript/tokens/usage.ts";
import { mediaTokens } from "./media.ts";
import { isAlreadyMasked } from "./placeholder.ts";

/** With more spans, text may exceed the billed tokens, because old thinking is not sent. */
const FEW_SPANS = 5;

/** `own` is the text of the newest answer, `entered` the text after it, both before calibration. */
const EMPTY_SPAN = {
  own: 0,
  entered: 0,
  media: 0,
  firstOutput: 0,
  lastOutput: 0,
  hasStopped: false,
  isUsable: true,
};

export class SpanReader {
  readonly calibration: TokenCalibration = new TokenCalibration();
  priorTokens = 0;
  mediaTokens = 0;

  /** Tokens of all text up to the newest usage that the API reported, before calibration. */
  #priorBilled = 0;
  #messageId: string | undefined;
  #model: string | undefined;
  #context = 0;
  #span = { ...EMPTY_SPAN };

  add(entry: Entry, parts: readonly ContentPart[]): void {
    // A compaction replaces the context, so the usage before it cannot be compared with the usage after it.
    if (entry.subtype === "compact_boundary") this.#span.isUsable = false;
    const usage = usageOfEntry(entry);
    const prior = parts.reduce((tokens, part) => tokens + partTokens(part), 0);
    this.priorTokens += prior;
    if (usage?.messageId !== undefined && usage.messageId !== this.#messageId) {
      this.#beginSpan(usage.messageId, usage.tokens, usage.model);
    }
    this.#addMedia(parts);
    // Trimmed text was billed at its full length, so its span would distort the calibration.
    if (parts.some(isCut)) this.#span.isUsable = false;
    this.#span[entry.type === "assistant" ? "own" : "entered"] += prior;
    if (usage?.messageId === undefined) return;
    const { tokens, output = 0 } = usage;
    this.#span.firstOutput ||= output;
    this.#span.lastOutput = output;
    this.#span.hasStopped = typeof entry.message?.stop_reason === "string";
    [this.#context, this.#priorBilled] = [tokens, this.priorTokens];
  }

  /** Returns the scale of estimates; with few spans, at most what was billed. */
  scale(model: string | undefined, nonMessageTokens = 0): TokenScale {
    const found = this.calibration.result(model);
    const billed = this.#context - this.mediaTokens - nonMessageTokens;
    return found.spans < FEW_SPANS && billed > 0 && this.#priorBilled > 0
      ? { ...found, scale: Math.min(found.scale, billed / this.#priorBilled) }
      : found;
  }

  #addMedia(parts: readonly ContentPart[]): void {
    for (const { media } of parts) {
      if (media === undefined) continue;
      const tokens = mediaTokens(media, this.#model);
      if (tokens === 0) this.#span.isUsable = false;
      this.#span.media += tokens;
      this.mediaTokens += tokens;
    }
  }

  #beginSpan(messageId: string, tokens: number, model: string | undefined): void {
    const { own, entered, media, firstOutput, lastOutput, hasStopped, isUsable } = this.#span;
    if (this.#messageId !== undefined && isUsable) {
      const grown = tokens - this.#context - media;
      // Until an answer ends, its lines repeat the same figure, which is not its final output.
      const isFinal = hasStopped || lastOutput > firstOutput;
      this.calibration.add(
        isFinal
          ? { priorTokens: entered, actualTokens: grown - lastOutput, model }
          : { priorTokens: entered + own, actualTokens: grown, model },
      );
    }
    this.#messageId = messageId;
    this.#model = model;
    this.#span = { ...EMPTY_SPAN };
  }
}

function isCut(part: ContentPart): boolean {
  if (part.kind !== "tool_result" && part.kind !== "tool_use") return false;
  // Not `endsWith`: a call's arguments are JSON, so at least a quotation mark follows the notice.
  return part.text.includes(NOTICE_END) || isAlreadyMasked(part.text);
}

export function partTokens(part: ContentPart): number {
  switch (part.kind) {
    case "image":
      return 0;
    case "thinking":
      return estimateThinkingTokens(part.text, part.signatureChars ?? 0);
    case "tool_use":
      return estimateTextTokens(part.text) + TOOL_USE_TOKENS;
    case "tool_result":
      return estimateTextTokens(part.text) + TOOL_RESULT_TOKENS;
    default:
      return estimateTextTokens(part.text);
  }
}
