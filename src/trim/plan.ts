/**
 * Looks at the active context before a trim: how much it holds, which results stay whole, and what
 * cutting the others saves.
 *
 * @module
 */

import { type ActiveContext, readNodes } from "../transcript/active_context.ts";
import {
  contentChars,
  type ContentPart,
  contentParts,
  resultTexts,
} from "../transcript/content.ts";
import { asString, type Entry, isObject } from "../transcript/entry.ts";
import type { SeekableSource } from "../transcript/lines.ts";
import {
  estimateTextTokens,
  estimateThinkingTokens,
  finalOutput,
  sampleOfSpan,
  TokenCalibration,
  type TokenScale,
  TOOL_RESULT_TOKENS,
  TOOL_USE_TOKENS,
} from "../transcript/tokens.ts";
import { contextTokens, usageOfEntry } from "../transcript/usage.ts";
import { truncateContent } from "./truncate.ts";

/** What a trim is to cut, as far as it matters for planning it. */
export interface PlanRules {
  /** How many characters of a result stay. */
  threshold: number;
  /** Whether results of a tool are cut. */
  isTarget(toolName: string): boolean;
  /** How many of the newest results stay whole. */
  keepRecent: number;
  /** The parent session as notices name it. */
  parentFile: string;
}

/** What is known of an active context before a trim. */
export interface TrimPlan {
  /** The characters of message content that the client would send on resume. */
  contextChars: number;
  /** The results that the model gets, by the id of their call. */
  contextIds: ReadonlySet<string>;
  /** The results that stay whole because they are recent, by the id of their call. */
  keptIds: ReadonlySet<string>;
  /** How many of those would have been cut otherwise. */
  keptCount: number;
  /** What all of the content costs by the estimate before calibration, in tokens. */
  priorTokens: number;
  /** What cutting saves by the estimate before calibration, in tokens. */
  priorTokensSaved: number;
  /** How far that estimate is off in this session. */
  scale: TokenScale;
}

/** One result in the active context. */
interface PlannedResult {
  id: string;
  toolName: string | undefined;
  priorSaved: number;
}

/**
 * Plans a trim.
 *
 * @param file The transcript.
 * @param context Its active context.
 * @param rules What is to be cut.
 * @returns The plan.
 */
export function planTrim(file: SeekableSource, context: ActiveContext, rules: PlanRules): TrimPlan {
  const spans = new SpanReader();
  const names = new Map<string, string>();
  const results: PlannedResult[] = [];
  let chars = 0;
  for (const { entry } of readNodes(file, context.nodes)) {
    const parts = contentParts(entry);
    chars += contentChars(parts);
    spans.add(entry, parts);
    for (const part of parts) {
      if (part.kind === "tool_use" && part.id !== undefined && part.name !== undefined) {
        names.set(part.id, part.name);
      }
    }
    for (const { id, content } of resultsOf(entry)) {
      results.push({ id, toolName: undefined, priorSaved: priorSaved(content, rules) });
    }
  }
  const recent = rules.keepRecent === 0 ? [] : results.slice(-rules.keepRecent);
  const keptIds = new Set(recent.map((result) => result.id));
  const isCut = (result: PlannedResult): boolean =>
    result.priorSaved > 0 && rules.isTarget(names.get(result.id) ?? "");
  const cut = results.filter((result) => isCut(result) && !keptIds.has(result.id));
  return {
    contextChars: chars,
    contextIds: new Set(results.map((result) => result.id)),
    keptIds,
    keptCount: recent.filter(isCut).length,
    priorTokens: spans.priorTokens,
    priorTokensSaved: cut.reduce((sum, result) => sum + result.priorSaved, 0),
    scale: spans.calibration.result(context.usage?.model),
  };
}

function resultsOf(entry: Entry): { id: string; content: unknown }[] {
  const content = entry.message?.content;
  if (entry.type !== "user" || !Array.isArray(content)) return [];
  return content.flatMap((block) => {
    const id = isObject(block) && block.type === "tool_result"
      ? asString(block.tool_use_id)
      : undefined;
    return id === undefined ? [] : [{ id, content: block.content }];
  });
}

/** What cutting a result saves, in tokens of the prior. */
function priorSaved(content: unknown, rules: PlanRules): number {
  const { threshold, parentFile } = rules;
  let saved = 0;
  for (const text of resultTexts(content)) {
    // The notice's line number is not known yet; its digits do not matter to an estimate.
    const cut = truncateContent(text, { threshold, parentFile, lineNumber: 1000 });
    if (cut !== text) saved += estimateTextTokens(text) - estimateTextTokens(cut);
  }
  return saved;
}

/** Collects what entered the context between one answer and the next. */
class SpanReader {
  readonly calibration = new TokenCalibration();
  /** What everything so far costs before calibration, in tokens. */
  priorTokens = 0;

  #messageId: string | undefined;
  #context = 0;
  #own = 0;
  #entered = 0;
  #first = 0;
  #last = 0;
  #stopReason: string | null | undefined;

  add(entry: Entry, parts: readonly ContentPart[]): void {
    const usage = usageOfEntry(entry);
    const prior = priorOf(parts);
    this.priorTokens += prior;
    if (usage === undefined || usage.messageId === undefined) {
      if (entry.type === "assistant") this.#own += prior;
      else this.#entered += prior;
      return;
    }
    if (usage.messageId !== this.#messageId) {
      this.#begin(usage.messageId, usage.tokens, usage.model);
    }
    this.#own += prior;
    const raw = entry.message?.usage;
    const output = isObject(raw) && typeof raw.output_tokens === "number" ? raw.output_tokens : 0;
    if (this.#first === 0) this.#first = output;
    this.#last = output;
    const stop = entry.message?.stop_reason;
    this.#stopReason = stop === null ? null : asString(stop);
    const tokens = isObject(raw) ? contextTokens(raw) : undefined;
    if (tokens !== undefined) this.#context = tokens;
  }

  #begin(messageId: string, tokens: number, model: string | undefined): void {
    if (this.#messageId !== undefined) {
      this.calibration.add(sampleOfSpan({
        contextBefore: this.#context,
        contextAfter: tokens,
        outputTokens: finalOutput({
          first: this.#first,
          last: this.#last,
          stopReason: this.#stopReason,
        }),
        ownPriorTokens: this.#own,
        enteredPriorTokens: this.#entered,
        ...(model === undefined ? {} : { model }),
      }));
    }
    this.#messageId = messageId;
    this.#own =
      this.#entered =
      this.#first =
      this.#last =
        0;
    this.#stopReason = undefined;
  }
}

/** What parts cost before calibration, in tokens. */
function priorOf(parts: readonly ContentPart[]): number {
  let tokens = 0;
  for (const part of parts) {
    if (part.kind === "thinking") {
      tokens += estimateThinkingTokens(part.text, part.signatureChars ?? 0);
    } else if (part.kind !== "image") {
      tokens += estimateTextTokens(part.text);
      if (part.kind === "tool_use") tokens += TOOL_USE_TOKENS;
      if (part.kind === "tool_result") tokens += TOOL_RESULT_TOKENS;
    }
  }
  return tokens;
}
