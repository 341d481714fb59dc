/** Plans a trim of the active context: what stays whole, what is made smaller, what that saves. */

import { type ActiveContext, readNodes } from "../transcript/tree/active_context.ts";
import { contentChars, type ContentPart, contentParts } from "../transcript/content.ts";
import type { TreeNode } from "../transcript/tree/conversation.ts";
import { type Entry, isObject } from "../transcript/entry.ts";
import { hiddenTexts, noteHidden } from "../transcript/hidden_texts.ts";
import { LIGHT_NEED, type NeedReason, type NeedRules, regretOf } from "../core/need.ts";
import type { SeekableSource } from "../transcript/lines.ts";
import { LONG_TEXT_BYTES } from "../transcript/long_lines.ts";
import { SentParts } from "../transcript/tree/sent_parts.ts";
import type { TokenScale } from "../transcript/tokens/tokens.ts";
import type { PlannedChange } from "./edit/block_edits.ts";
import { CallInputs } from "./call_inputs.ts";
import { type KeptTexts, NeedFinder, type Piece } from "./need_pieces.ts";
import { PieceFinder, type PieceRules } from "./pieces.ts";
import { mediaOf, SpanReader } from "./spans.ts";
import { cacheTtlSeconds } from "./worth.ts";

export interface PlanRules extends PieceRules {
  keepRecent: number;
  /** Whether a call is about files whose results stay whole. */
  isProtected?: ((toolName: string, input: unknown) => boolean) | undefined;
  /** What is still needed, in the style `need`. @default {LIGHT_NEED} */
  need?: NeedRules;
  targetTokens?: ((usage: ContextUsage) => number) | undefined;
}

/** What the size of a window is told from. */
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
  /** The results that stay whole because they are recent, by the id of their call. */
  keptIds: ReadonlySet<string>;
  /** How many of those would have been cut otherwise. */
  keptCount: number;
  /** How many results stay whole just because they are about protected files. */
  protectedCount: number;
  /** The only results that are cut, by the id of their call; `undefined` for all targeted. */
  onlyIds: ReadonlySet<string> | undefined;
  /** In the style `need`: what stays of the results that are cut, by the id of their call. */
  kept: ReadonlyMap<string, KeptTexts>;
  /** In the style `need`: why results are cut or stay, by the id of their call. */
  reasons: ReadonlyMap<string, NeedReason>;
  contextIds: ReadonlySet<string>;
  /** What else changes, by where the entry starts in the file, in bytes. */
  changes: ReadonlyMap<number, readonly PlannedChange[]>;
  /** What each entry becomes smaller by, by where it starts in the file, in tokens, not rounded. */
  freed: ReadonlyMap<number, number>;
  tokens: { before: number; after: number };
  /** What of the tokens before is messages, by the estimate: neither system prompt nor tools. */
  messageTokens: number;
  targetTokens: number | undefined;
  scale: TokenScale;
  /** How long the prompt cache lives, as the newest answers tell, in seconds. */
  cacheTtlSeconds: number | undefined;
}

export function planTrim(file: SeekableSource, context: ActiveContext, rules: PlanRules): TrimPlan {
  const model = context.usage?.model;
  const spans = new SpanReader();
  const calls = new CallInputs({
    keepsArguments: rules.style === "mask" || rules.dropsImages === true,
    isProtected: rules.isProtected,
  });
  const need = rules.style !== "need" ? undefined : new NeedFinder({
    need: rules.need ?? LIGHT_NEED,
    keepRecent: rules.keepRecent,
    threshold: rules.threshold,
    parentFile: rules.parentFile,
    record: rules.record,
    cutsDeadInputs: rules.cutsInputs !== true,
  });
  const finder = new PieceFinder(rules, calls, model, need);
  const sent = new SentParts(model);
  const offsets: number[] = [];
  let chars = 0;
  let ttl: number | undefined;
  const resultOffsets = new Set<number>();
  // What is read of a text has to show that it is over the threshold.
  const isBrief = rules.threshold * MAX_CHAR_BYTES < LONG_TEXT_BYTES;
  const lines = readContext(file, context, { isBrief });
  for (const { node, entry, parts: held } of answersTogether(lines)) {
    const parts = sent.of(entry, held);
    chars += contentChars(parts);
    spans.add(entry, parts);
    finder.add(node, entry, parts);
    offsets.push(node.offset);
    if (parts.some(({ kind }) => kind === "tool_result")) resultOffsets.add(node.offset);
    const usage = entry.message?.usage;
    if (isObject(usage)) ttl = cacheTtlSeconds(usage) ?? ttl;
  }
  const { resultIds } = finder;
  const keptIds = new Set(rules.keepRecent === 0 ? [] : resultIds.slice(-rules.keepRecent));
  const pieces = finder.finish();
  const isFree = ({ id }: Piece): boolean =>
    id === undefined || (!keptIds.has(id) && !calls.isProtected(id));
  const free = pieces.filter(isFree);
  const held = pieces.filter((piece) => isResult(piece) && !isFree(piece));
  const scale = spans.scale(model);
  const messageTokens = Math.round(spans.priorTokens * scale.scale + spans.mediaTokens);
  const before = context.usage?.tokens ?? messageTokens;
  const targetTokens = rules.targetTokens?.({
    tokens: before,
    model,
    metadataWindow: context.usage?.window,
  });
  const chosen = targetTokens === undefined ? free : choose(
    need === undefined ? inOrder(free, finder.superseded()) : byRegret(free),
    before - targetTokens,
    scale.scale,
  );
  const saved = chosen.reduce((sum, piece) => sum + tokensOf(piece, scale.scale), 0);
  return {
    contextChars: chars,
    resultOffsets,
    keptIds,
    keptCount: held.filter(({ id }) => !calls.isProtected(id ?? "")).length,
    protectedCount: held.filter(({ id }) => calls.isProtected(id ?? "")).length,
    onlyIds: targetTokens === undefined
      ? undefined
      : new Set(chosen.flatMap((piece) => isResult(piece) ? piece.id ?? [] : [])),
    kept: need?.kept ?? new Map(),
    reasons: need?.reasons ?? new Map(),
    contextIds: new Set(resultIds),
    changes: changesOf(chosen),
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
  { nodes, entries }: Pick<ActiveContext, "nodes" | "entries">,
  { isBrief }: { readonly isBrief: boolean },
): Generator<{ node: TreeNode; entry: Entry; parts: ContentPart[] }, void, undefined> {
  for (const { node, entry, longLine } of readNodes(file, nodes, { isBrief, entries })) {
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

function isResult(piece: Piece): boolean {
  return piece.place === undefined;
}

function tokensOf(piece: Piece, scale: number): number {
  return piece.priorTokens * scale + piece.mediaTokens;
}

/** What is needed least goes first, then what is oldest. */
function byRegret(pieces: readonly Piece[]): Piece[] {
  return pieces.toSorted((a, b) => regretOf(a.reason) - regretOf(b.reason) || a.index - b.index);
}

/** What is superseded goes first, then what is oldest. */
function inOrder(pieces: readonly Piece[], superseded: ReadonlySet<string>): Piece[] {
  const isFirst = (piece: Piece): boolean => isResult(piece) && superseded.has(piece.id ?? "");
  return [...pieces.filter(isFirst), ...pieces.filter((piece) => !isFirst(piece))];
}

/** Takes pieces until they save enough, and passes over those that save nothing. */
function choose(pieces: readonly Piece[], excess: number, scale: number): Piece[] {
  const chosen: Piece[] = [];
  let saved = 0;
  for (const piece of pieces) {
    if (Math.round(saved) >= excess) break;
    const tokens = tokensOf(piece, scale);
    if (tokens <= 0) continue;
    saved += tokens;
    chosen.push(piece);
  }
  return chosen;
}

function freedOf(
  pieces: readonly Piece[],
  offsets: readonly number[],
  scale: number,
): Map<number, number> {
  const freed = new Map<number, number>();
  for (const piece of pieces) {
    const offset = offsets[piece.index] ?? -1;
    freed.set(offset, (freed.get(offset) ?? 0) + tokensOf(piece, scale));
  }
  return freed;
}

function changesOf(pieces: readonly Piece[]): Map<number, PlannedChange[]> {
  const changes = new Map<number, PlannedChange[]>();
  for (const { place, reason } of pieces) {
    if (place === undefined) continue;
    const { offset, block, change } = place;
    changes.set(offset, [...changes.get(offset) ?? [], { block, change, reason }]);
  }
  return changes;
}
