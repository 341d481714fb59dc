/** Plans a trim of the active context: what stays whole, what is made smaller, what that saves. */

import { type ActiveContext, readNodes } from "../transcript/tree/active_context.ts";
import { contentChars, type ContentPart, contentParts } from "../transcript/content.ts";
import type { TreeNode } from "../transcript/tree/conversation.ts";
import { type Entry, isObject } from "../transcript/entry.ts";
import { hiddenTexts, noteHidden } from "../transcript/hidden_texts.ts";
import type { SeekableSource } from "../transcript/lines.ts";
import { LONG_TEXT_BYTES } from "../transcript/long_lines.ts";
import { SentParts } from "../transcript/tree/sent_parts.ts";
import type { TokenScale } from "../transcript/tokens/tokens.ts";
import { BlockReader } from "./block_reader.ts";
import {
  type Cut,
  type CutPlanner,
  type CutRules,
  type PlannedChange,
  tokensOf,
} from "./cut_planner.ts";
import { mediaOf, SpanReader } from "./spans.ts";
import { cacheTtlSeconds } from "./worth.ts";

/** Settings of a trim, with its target. */
export interface PlanRules extends CutRules {
  /** Target size of the context, in tokens. @default {no target: everything is cut} */
  readonly targetTokens?: ((usage: ContextUsage) => number) | undefined;
}

/** Facts from which the size of a window is told. */
export interface ContextUsage {
  /** Tokens in the context. */
  tokens: number;
  /** The model that answered last. */
  model: string | undefined;
  /** The window that a metadata line names, in tokens. */
  metadataWindow: number | undefined;
}

export interface TrimPlan {
  /** The characters of message content that the client would send on resume. */
  contextChars: number;
  /** The entries with results that the model gets, by where they start in the file, in bytes. */
  resultOffsets: ReadonlySet<number>;
  /** The results of the context that are cut, by the id of their call. */
  results: ReadonlyMap<string, Cut>;
  /** The newest results, by the id of their call. */
  newestIds: ReadonlySet<string>;
  /** Number of those that would be cut otherwise. */
  newestCount: number;
  /** Number of results that stay only because they are about protected files. */
  protectedCount: number;
  /** All results of the context, by the id of their call. */
  contextIds: ReadonlySet<string>;
  /** Other changes, by the byte at which the entry starts in the file. */
  changes: ReadonlyMap<number, readonly PlannedChange[]>;
  /** Tokens that each entry loses, not rounded, by the byte at which it starts in the file. */
  freed: ReadonlyMap<number, number>;
  tokens: { before: number; after: number };
  /** Tokens of messages before the trim, by the estimate: neither system prompt nor tools. */
  messageTokens: number;
  targetTokens: number | undefined;
  scale: TokenScale;
  /** Lifetime of the prompt cache by the newest answers, in seconds. */
  cacheTtlSeconds: number | undefined;
}

export function planTrim(file: SeekableSource, context: ActiveContext, rules: PlanRules): TrimPlan {
  const model = context.usage?.model;
  const spans = new SpanReader();
  const reader = new BlockReader(rules, model);
  const sent = new SentParts(model);
  const offsets: number[] = [];
  let chars = 0;
  let ttl: number | undefined;
  const resultOffsets = new Set<number>();
  // The part of a text that is read has to show that it is over the threshold.
  const isBrief = rules.threshold * MAX_CHAR_BYTES < LONG_TEXT_BYTES;
  const lines = readContext(file, context, { isBrief });
  for (const { node, entry, parts: held } of answersTogether(lines)) {
    const parts = sent.of(entry, held);
    chars += contentChars(parts);
    spans.add(entry, parts);
    reader.add(node, entry, parts);
    offsets.push(node.offset);
    if (parts.some(({ kind }) => kind === "tool_result")) resultOffsets.add(node.offset);
    const usage = entry.message?.usage;
    if (isObject(usage)) ttl = cacheTtlSeconds(usage) ?? ttl;
  }
  const { planner } = reader;
  const plan = reader.finish();
  const scale = spans.scale(model);
  const messageTokens = Math.round(spans.priorTokens * scale.scale + spans.mediaTokens);
  const before = context.usage?.tokens ?? messageTokens;
  const targetTokens = rules.targetTokens?.({
    tokens: before,
    model,
    metadataWindow: context.usage?.window,
  });
  const chosen = targetTokens === undefined
    ? plan.cuts
    : planner.choose(plan, before - targetTokens, scale.scale);
  const saved = chosen.reduce((sum, cut) => sum + tokensOf(cut, scale.scale), 0);
  return {
    contextChars: chars,
    resultOffsets,
    results: new Map(chosen.flatMap((cut) => cut.kind === "result" ? [[cut.id ?? "", cut]] : [])),
    contextIds: new Set(planner.resultIds),
    newestIds: plan.newestIds,
    newestCount: plan.newestCount,
    protectedCount: plan.protectedCount,
    changes: changesOf(chosen, planner),
    freed: freedOf(chosen, offsets, scale.scale),
    tokens: { before, after: lessBy(before, saved) },
    messageTokens: Math.min(before, messageTokens),
    targetTokens,
    scale,
    cacheTtlSeconds: ttl,
  };
}

function lessBy(before: number, saved: number): number {
  return Math.min(before, Math.max(0, before - Math.round(saved)));
}

/** Moves the results that stand between the lines of one answer behind them, as the client sends them. */
export function* answersTogether<T extends { readonly entry: Entry }>(
  items: Iterable<T>,
): Generator<T, void, undefined> {
  const held: T[] = [];
  let answer: unknown;
  for (const item of items) {
    const { type, message } = item.entry;
    if (type === "assistant" && message?.id === answer) {
      yield item;
    } else if (
      answer !== undefined && (held.length > 0 ? !isPrompt(item.entry) : hasResult(item.entry))
    ) {
      held.push(item);
    } else {
      yield* held.splice(0);
      answer = type === "assistant" ? message?.id : undefined;
      yield item;
    }
  }
  yield* held;
}

function isPrompt(entry: Entry): boolean {
  return entry.type === "assistant" || (entry.type === "user" && !hasResult(entry));
}

function hasResult({ message }: Entry): boolean {
  const content = message?.content;
  return Array.isArray(content) && content.some((block) => Object(block).type === "tool_result");
}

/** The longest escape of a character in JSON, in bytes. */
const MAX_CHAR_BYTES = 12;

export function* readContext(
  file: SeekableSource,
  { nodes }: Pick<ActiveContext, "nodes">,
  { isBrief }: { readonly isBrief: boolean },
): Generator<{ node: TreeNode; entry: Entry; parts: ContentPart[] }, void, undefined> {
  for (const { node, entry, longLine } of readNodes(file, nodes, { isBrief })) {
    // The pages of a document are all over it.
    if (longLine !== undefined && mediaOf(entry).some(({ type }) => type === "document")) {
      for (const whole of readNodes(file, [node])) {
        yield { ...whole, parts: contentParts(whole.entry) };
      }
      continue;
    }
    const parts = contentParts(entry);
    if (longLine !== undefined) noteHidden(parts, hiddenTexts(longLine));
    yield { node, entry, parts };
  }
}

function freedOf(
  cuts: readonly Cut[],
  offsets: readonly number[],
  scale: number,
): Map<number, number> {
  const freed = new Map<number, number>();
  for (const cut of cuts) {
    const offset = offsets[cut.index] ?? -1;
    freed.set(offset, (freed.get(offset) ?? 0) + tokensOf(cut, scale));
  }
  return freed;
}

function changesOf(cuts: readonly Cut[], { names }: CutPlanner): Map<number, PlannedChange[]> {
  const changes = new Map<number, PlannedChange[]>();
  for (const { kind, id = "", place, change: other, texts, reason } of cuts) {
    const change = kind === "call"
      ? {
        kind: "input" as const,
        id,
        toolName: names.get(id) ?? "",
        ...(texts === undefined ? {} : { texts }),
      }
      : other;
    if (place === undefined || change === undefined) continue;
    const { offset, block } = place;
    const ofEntry = changes.get(offset) ?? [];
    ofEntry.push({ block, change, reason });
    changes.set(offset, ofEntry);
  }
  return changes;
}
