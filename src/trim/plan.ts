/** Plans a trim of the active context: the cuts, the remaining text, and the savings. */

import { isObject } from "../core/record.ts";
import {
  type ActiveContext,
  newestAnswerAt,
  readNodes,
} from "../transcript/tree/active_context.ts";
import { clearedBy, contentChars, type ContentPart, contentParts } from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import type { TreeNode } from "../transcript/tree/tree.ts";
import type { SeekableSource } from "../transcript/lines.ts";
import type { TokenScale } from "../transcript/tokens/tokens.ts";
import { ContextReader } from "./context_reader.ts";
import type { Cut, CutPlan, CutPlanner, CutRules } from "./cut_planner.ts";
import { SpanReader } from "./spans.ts";
import { cacheTtlSeconds } from "./worth.ts";

interface PlanRules extends CutRules {
  readonly targetTokens?: number | undefined;
  /** Tokens in context, used if no answer reports usage. @default {an estimate} */
  readonly knownTokens?: number | undefined;
  readonly nonMessageTokens?: number | undefined;
}

export interface TrimPlan extends Omit<CutPlan, "cuts" | "savedTokens"> {
  contextChars: number;
  /** The cuts in each entry, keyed by the entry's byte offset. */
  cuts: ReadonlyMap<number, readonly Cut[]>;
  rules: PlanRules;
  tokens: { before: number; after: number };
  isReached: boolean;
  /** Estimated tokens of messages before the trim, without the system prompt and tools. */
  messageTokens: number;
  scale: TokenScale;
  cacheTtlSeconds: number | undefined;
  newestAt: string | undefined;
}

export function planTrim(file: SeekableSource, context: ActiveContext, rules: PlanRules): TrimPlan {
  const model = context.usage?.model;
  const spans = new SpanReader();
  const reader = new ContextReader(rules, model);
  const cleared = clearedResults(file, context);
  let chars = 0;
  let ttl: number | undefined;
  for (const { node, entry } of readNodes(file, context.nodes)) {
    const parts = clearParts(sentParts(entry, model), cleared);
    chars += contentChars(parts);
    spans.add(entry, parts);
    reader.add(node, entry, parts);
    const usage = entry.message?.usage;
    if (isObject(usage)) ttl = cacheTtlSeconds(usage) ?? ttl;
  }
  const { targetTokens } = rules;
  const scale = context.usage === null
    ? fittingScale(spans, model, rules)
    : spans.scale(model, rules.nonMessageTokens);
  const messageTokens = Math.round(spans.priorTokens * scale.scale + spans.mediaTokens);
  const before = context.usage?.tokens ?? rules.knownTokens ?? messageTokens;
  const excess = targetTokens === undefined ? undefined : before - targetTokens;
  const { cuts, savedTokens, ...counts } = reader.finish(excess, scale.scale);
  const unsent = targetTokens === undefined
    ? cutUnsentResults(file, context.unsent, rules, reader.planner)
    : [];
  const after = Math.min(before, Math.max(0, before - Math.round(savedTokens)));
  return {
    ...counts,
    rules,
    contextChars: chars,
    cuts: Map.groupBy([...cuts, ...unsent], ({ place }) => place?.offset ?? -1),
    tokens: { before, after },
    isReached: targetTokens === undefined || after <= targetTokens,
    messageTokens: Math.min(before, messageTokens),
    scale,
    cacheTtlSeconds: ttl,
    newestAt: newestAnswerAt(file, context),
  };
}

/** Omits the thinking of other models, which the client does not send. */
export function sentParts(entry: Entry, model: string | undefined): ContentPart[] {
  const isSameModel = model === undefined || entry.message?.model === model;
  return contentParts(entry).filter(({ kind }) => kind !== "thinking" || isSameModel);
}

/** Returns the texts that the client sends instead of results that it has cleared, by call id. */
function clearedResults(file: SeekableSource, { nodes }: ActiveContext): Map<unknown, string> {
  const found = readNodes(file, nodes.filter(({ clearsResults }) => clearsResults));
  return new Map(
    [...found].flatMap(({ entry }) => {
      const text = asString(Object(entry.raw.attachment).standIn) ?? "";
      return clearedBy(entry).map((id) => [id, text] as const);
    }),
  );
}

function clearParts(
  parts: readonly ContentPart[],
  cleared: ReadonlyMap<unknown, string>,
): readonly ContentPart[] {
  if (cleared.size === 0) return parts;
  let text: string | undefined;
  return parts.flatMap((part) => {
    if (part.kind !== "image") {
      text = part.kind === "tool_result" ? cleared.get(part.id) : undefined;
    }
    if (text === undefined) return [part];
    return part.kind === "image" ? [] : [{ ...part, text, isCleared: true }];
  });
}

/** Lowers an uncalibrated scale if the messages would exceed the known tokens in context. */
function fittingScale(
  spans: SpanReader,
  model: string | undefined,
  { knownTokens, nonMessageTokens = 0 }: PlanRules,
): TokenScale {
  const { priorTokens, mediaTokens } = spans;
  const scale = spans.scale(model);
  if (scale.source !== "prior" || knownTokens === undefined || priorTokens === 0) return scale;
  const maxScale = Math.max(0, knownTokens - nonMessageTokens - mediaTokens) / priorTokens;
  return { ...scale, scale: Math.min(scale.scale, maxScale) };
}

/** Cuts results on rewound branches, which the client does not send. */
function cutUnsentResults(
  file: SeekableSource,
  unsent: readonly TreeNode[],
  rules: PlanRules,
  known: CutPlanner,
): readonly Cut[] {
  if (unsent.length === 0) return [];
  const keep = rules.keep === "need" ? "head" : rules.keep;
  const overrides = { keepRecent: 0, cutsInputs: false, dropsThinking: false };
  const reader = new ContextReader({ ...rules, ...overrides, keep }, undefined, known);
  // Reads the calls first, because a result can precede its call in the file.
  const nodes = [
    ...unsent.filter((node) => node.hasToolCall),
    ...unsent.filter((node) => node.hasToolResult),
  ];
  for (const { node, entry } of readNodes(file, nodes)) {
    reader.add(node, entry, contentParts(entry));
  }
  return reader.finish(undefined, 1).cuts.filter(({ kind }) => kind === "result")
    .map((cut) => ({ ...cut, isUnsent: true }));
}
