/** Counts tokens by kind of content in an active context, and finds the largest entries. */

import { isObject } from "../core/record.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ActiveContext, readNodes } from "../transcript/tree/active_context.ts";
import {
  attachmentTexts,
  contentChars,
  type ContentPart,
  contentParts,
} from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import type { SeekableSource } from "../transcript/lines.ts";
import { tokensFreed } from "../trim/cut_planner.ts";
import { mediaTokens } from "../trim/media.ts";
import type { TrimPlan } from "../trim/plan.ts";
import { PATH_ARGUMENTS } from "../trim/protect.ts";
import { partTokens } from "../trim/spans.ts";

export const MAX_ENTRIES = 20;

const MAX_ABOUT_CHARS = 120;

const MAX_PARTS = 12;

/** Names of the kinds of content; `system` is the content before the conversation. */
export const KIND_NAMES = {
  system: "System and tools",
  prompt: "Prompts",
  answer: "Answers",
  thinking: "Thinking",
  input: "Tool inputs",
  result: "Results",
  image: "Images and documents",
  reminder: "Reminders",
} as const;

export type ContentKind = keyof typeof KIND_NAMES;

const KINDS = Object.keys(KIND_NAMES) as ContentKind[];

/**
 * Used if the first message's parent is missing, because the first known usage also counts messages that are no
 * longer sent.
 */
const CUT_OFF_NAME = "System, tools, and messages no longer sent";

export interface ContentShare {
  /** A tool, a part of the system group, the name of the kind, or a rest such as "3 other tools". */
  readonly name: string;
  /** An estimate, calibrated on the session. */
  readonly tokens: number;
  /** Number of blocks; in the system group, number of texts and tool definitions, or 1 if unknown. */
  readonly count: number;
}

export interface ContentGroup extends ContentShare {
  readonly kind: ContentKind;
  /** One for each tool of inputs and results and for each known part of the system; else a single one. */
  readonly parts: readonly ContentShare[];
}

export interface LargeEntry {
  /** Byte position of the entry in the transcript. */
  readonly offset: number;
  readonly kind: ContentKind;
  /** Empty unless the entry is a call or a result. */
  readonly tool: string;
  /** The subject of a call, such as a path or a command; otherwise the start of the text. */
  readonly about: string;
  /** An estimate. */
  readonly tokens: number;
  /** Characters that the model receives. */
  readonly chars: number;
  readonly freed: number;
}

export interface ContextContents {
  /** Tokens of the newest request according to the API or a metadata line; otherwise an estimate. */
  readonly tokens: number;
  /** Estimated tokens of the newest answer and the entries after it. */
  readonly since: number;
  readonly groups: readonly ContentGroup[];
  /** Largest first. */
  readonly largest: readonly LargeEntry[];
}

interface Block {
  kind: ContentKind;
  /** Undefined unless the block is a call or a result. */
  id: string | undefined;
  tokens: number;
  isRecent: boolean;
}

export function contextContents(
  file: SeekableSource,
  context: ActiveContext,
  plan: TrimPlan,
): ContextContents {
  const model = context.usage?.model;
  const newest = context.usage?.messageId;
  const scale = plan.scale.scale;
  const calls = new Map<string, { name: string; about: string }>();
  const all: Block[] = [];
  const largest: (LargeEntry & Pick<Block, "isRecent">)[] = [];
  let before = 0;
  let since = 0;
  let isRecent = false;
  let systemTokens: number | undefined;
  for (const { node, entry } of readNodes(file, context.nodes)) {
    const parts = contentParts(entry);
    isRecent ||= newest !== undefined && node.messageId === newest;
    // The first known usage, minus the estimate for the entries before it, is the size of the system prompt and
    // the tools.
    if (node.usage !== undefined) systemTokens ??= Math.max(0, node.usage.tokens - before);
    collectCalls(entry, calls);
    const blocks = parts.map((part): Block => {
      const { id, media } = part;
      return media === undefined
        ? { kind: kindOf(part, entry), id, tokens: partTokens(part) * scale, isRecent }
        : { kind: "image", id: undefined, tokens: mediaTokens(media, model), isRecent };
    });
    const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0);
    if (isRecent) since += tokens;
    else before += tokens;
    // Avoids a spread, because a line can contain more blocks than a call accepts arguments.
    for (const block of blocks) all.push(block);
    const [main] = blocks.toSorted((a, b) => b.tokens - a.tokens);
    if (main === undefined || tokens <= (largest[MAX_ENTRIES - 1]?.tokens ?? -1)) continue;
    const call = calls.get(main.id ?? "");
    largest.push({
      offset: node.offset,
      kind: main.kind,
      tool: call?.name ?? "",
      about: call?.about || excerptLine(startOf(entry, parts), MAX_ABOUT_CHARS),
      tokens,
      chars: contentChars(parts),
      freed: Math.round(tokensFreed(plan.cuts.get(node.offset) ?? [], scale)),
      isRecent,
    });
    largest.sort((a, b) => b.tokens - a.tokens).splice(MAX_ENTRIES);
  }
  const { before: total } = plan.tokens;
  const isKnown = context.usage !== null;
  // Estimates are scaled down to the API's count, which does not cover recent blocks.
  const known = isKnown ? Math.max(0, total - Math.min(systemTokens ?? 0, total - 1)) : Infinity;
  const factor = before > known ? known / before : 1;
  const scaled = ({ tokens, isRecent }: Pick<Block, "tokens" | "isRecent">): number =>
    isRecent ? tokens : tokens * factor;
  for (const block of all) block.tokens = scaled(block);
  const system = {
    name: context.cutOff !== null ? CUT_OFF_NAME : KIND_NAMES.system,
    tokens: isKnown ? Math.max(0, total - before * factor) : 0,
  };
  const toolOf = (id: string | undefined): string => calls.get(id ?? "")?.name ?? "unknown tool";
  return {
    tokens: plan.tokens.before,
    since: Math.round(since),
    groups: groupsOf(all, system, toolOf),
    largest: largest.map((entry) => {
      const { isRecent: _, ...others } = entry;
      return { ...others, tokens: Math.round(scaled(entry)) };
    }),
  };
}

function startOf(entry: Entry, parts: readonly ContentPart[]): string {
  const attached = entry.type === "attachment" ? attachmentTexts(entry.raw.attachment) : [];
  return attached.length > 1
    ? attached.join(", ")
    : parts.find(({ text }) => text !== "")?.text ?? "";
}

const KINDS_OF_PARTS = {
  thinking: "thinking",
  tool_use: "input",
  tool_result: "result",
  image: "image",
  attachment: "reminder",
} as const;

function kindOf({ kind }: ContentPart, entry: Entry): ContentKind {
  if (kind !== "text") return KINDS_OF_PARTS[kind];
  if (entry.type === "assistant") return "answer";
  return entry.type === "user" && entry.raw.isMeta !== true ? "prompt" : "reminder";
}

function collectCalls(entry: Entry, calls: Map<string, { name: string; about: string }>): void {
  const content = entry.message?.content;
  if (entry.type !== "assistant" || !Array.isArray(content)) return;
  for (const block of content) {
    if (!isObject(block) || block.type !== "tool_use") continue;
    const id = asString(block.id);
    const name = excerptLine(asString(block.name) ?? "unknown tool", 60);
    if (id !== undefined) calls.set(id, { name, about: subjectOfCall(block.input) });
  }
}

/** Arguments that name the subject of a call, in order of preference. */
const SUBJECT_ARGUMENTS = [...PATH_ARGUMENTS, "command", "pattern", "url", "query"];

function subjectOfCall(input: unknown): string {
  if (!isObject(input)) return "";
  const values = [...SUBJECT_ARGUMENTS.map((name) => input[name]), ...Object.values(input)];
  const value = values.find((value) => typeof value === "string");
  return excerptLine(value ?? "", MAX_ABOUT_CHARS);
}

function groupsOf(
  blocks: readonly Block[],
  system: { readonly name: string; readonly tokens: number },
  toolOf: (id: string | undefined) => string,
): ContentGroup[] {
  const all = [
    ...(system.tokens > 0 ? [{ kind: "system" as const, ...system }] : []),
    ...blocks.map(({ kind, id, tokens }) => {
      const name = kind === "result" || kind === "input" ? toolOf(id) : KIND_NAMES[kind];
      return { kind, name, tokens };
    }),
  ];
  const byKind = Map.groupBy(all, ({ kind }) => kind);
  return KINDS.flatMap((kind): ContentGroup[] => {
    const byName = Map.groupBy(byKind.get(kind) ?? [], ({ name }) => name);
    const parts = [...byName].map(([name, own]): ContentShare => {
      const tokens = Math.round(own.reduce((sum, one) => sum + one.tokens, 0));
      return { name, tokens, count: own.length };
    });
    const sum = sumOf(parts);
    if (sum.tokens === 0) return [];
    const name = kind === "system" ? system.name : KIND_NAMES[kind];
    return [{ kind, name, ...sum, parts: joinSmallest(parts, MAX_PARTS, "tools") }];
  });
}

export function joinSmallest(
  shares: readonly ContentShare[],
  max: number,
  noun: string,
): readonly ContentShare[] {
  const sorted = shares.toSorted((a, b) => b.tokens - a.tokens);
  if (sorted.length <= max) return sorted;
  const rest = sorted.slice(max - 1);
  return [...sorted.slice(0, max - 1), { name: `${rest.length} other ${noun}`, ...sumOf(rest) }];
}

export function sumOf(shares: readonly ContentShare[]): Omit<ContentShare, "name"> {
  return {
    tokens: shares.reduce((sum, { tokens }) => sum + tokens, 0),
    count: shares.reduce((sum, { count }) => sum + count, 0),
  };
}
