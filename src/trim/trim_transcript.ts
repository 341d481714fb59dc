import { shortId } from "../core/marks.ts";
import type { NeedReason, NeedRules } from "../core/need.ts";
import { AtomicStream } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import { absolutePath } from "../store/paths.ts";
import { openFileSync } from "../store/read_file.ts";
import { sessionIdOf } from "../transcript/find.ts";
import { type ActiveContext, findActiveContext } from "../transcript/tree/active_context.ts";
import { VERSION } from "../version.ts";
import { cutEntry, type DoneCut, lowerUsage } from "./change_entry.ts";
import { type CopySink, type EntryChange, writeCopy } from "./copy.ts";
import { planTrim, type TrimPlan } from "./plan.ts";
import { checkChoices, planToTarget, resolveTrim, type TrimChoices } from "./trim_options.ts";

export interface TrimOptions extends TrimChoices {
  input: string;
  /** The copy, which must not exist yet; if absent, nothing is written. */
  output?: string;
  /** The limit in tokens that `targetPercent` is a percentage of, or a function that returns the limit. */
  limitTokens?: number | ((context: ActiveContext) => number);
  /** Returns the tokens in context; used only if no usage is known. @default {an estimate} */
  usedTokens?: (context: ActiveContext) => number | null;
  /** Tokens outside messages: the client's prompt and tools. @default {0} */
  nonMessageTokens?: number | undefined;
  /** Whether cut results and calls are listed with their reasons, with `keep: "need"`. @default {false} */
  explain?: boolean;
  /** Rules for `keep: "need"`. @default {the rules of the depth} */
  need?: NeedRules;
  sessionId?: string;
  /** The session that is trimmed. @default {the input's file name} */
  parentSessionId?: string;
  /** The parent's name in notices. @default {the first 8 characters of its id} */
  parentFile?: string;
  /** Whether the first entry of the copy gets `trim_metadata`. @default {false} */
  metadata?: boolean;
  /** Called with the plan before the copy is written; if it returns `false`, no copy is written. */
  onPlan?: (planned: PlannedTrim) => boolean | void;
  /** Returns lines to append to the copy, given the title of the session. */
  appendLines?: (title: string | undefined) => string[];
  now?: Date;
}

interface PlannedTrim {
  readonly context: ActiveContext;
  readonly plan: TrimPlan;
  readonly planOther: (choices: TrimChoices) => TrimPlan;
}

/** A figure before and after a trim. */
export interface BeforeAfter {
  /** The figure of the session. */
  before: number;
  /** The figure of the copy. */
  after: number;
}

/** Savings of one kind, such as one tool's results. */
export interface ToolSavings {
  /** Number of cuts. */
  count: number;
  /** Characters saved. */
  chars_saved: number;
}

/** A cut and its reason. */
export interface ExplainedCut {
  /** The line of the session with the full content, from 1. */
  line: number;
  /** The name of the tool. */
  tool: string;
  /** Whether a result or a call's arguments were cut. */
  part: "result" | "input";
  /** The reason for the cut. */
  reason: NeedReason;
  /** Characters saved. */
  chars_saved: number;
}

/** The counts of a trim, made or planned. */
export interface TrimCounts {
  /** Number of cut results since the newest compaction, including those on rewound branches. */
  trimmed_count: number;
  /** Savings in the text of the cut results, by tool. */
  by_tool: Record<string, ToolSavings>;
  /** Savings in the text of cut results that the client would send on resume, by tool. */
  context_by_tool: Record<string, ToolSavings>;
  /** Tools that the session calls, if the trim applies to none of them; otherwise empty. */
  other_tools: string[];
  /** Tools that the user or the configuration listed; empty for the default list. */
  named_tools: string[];
  /** Savings in the arguments of calls. */
  inputs: ToolSavings;
  /** Savings from pictures and documents, in results and in messages. */
  images: ToolSavings;
  /** Savings from thinking. */
  thinking: ToolSavings;
  /** Characters of message content that the client would send on resume. */
  context_chars: BeforeAfter;
  /** Whether the parent of the first message is missing, so that earlier messages are not sent. */
  is_cut_off: boolean;
  /** Whether earlier messages are missing from the file too, so that they cannot be reconnected. */
  is_start_missing: boolean;
  /** Tokens in the context; the figure after the trim is an estimate. */
  tokens: BeforeAfter;
  /** Estimated tokens of messages before the trim, without the system prompt and tools. */
  message_tokens: number;
  /** Source of `tokens.before`: the API, a later metadata line, or an estimate. */
  tokens_source: "api" | "metadata" | "estimate";
  /** The window that a metadata line reports, in tokens; undefined for other sources. */
  metadata_window: number | undefined;
  /** The calibration of the estimate. */
  estimate: { scale: number; source: "session" | "prior"; spans: number };
  /** The size of the file. */
  bytes: BeforeAfter;
  /** Number of results kept only because they are recent. */
  kept_recent_count: number;
  /** Number of long file reads that are not cut because the session has not used them yet. */
  kept_unused_count: number;
  /** Number of long results kept because they are about protected files, including recent ones. */
  protected_count: number;
  /** Number of cut results that keep passages about the current work. */
  worked_on_count: number;
  /** Each cut result or call in the context, with its reason; only if `explain` is set. */
  explained?: ExplainedCut[];
  /** The target, and whether it was reached; `null` without a target. */
  target: { percent: number; tokens: number; is_reached: boolean } | null;
  /** When the newest answer was written, ISO 8601. */
  newest_at: string | undefined;
  /** Lifetime of the prompt cache according to the newest answers, in seconds. */
  cache_ttl_seconds: number | undefined;
  /** Bytes of an unfinished last line that were left out. */
  torn_bytes: number;
  /** The model that answered last. */
  model: string | undefined;
}

/**
 * Writes a copy of a transcript with cuts. Every entry without a cut is copied byte for byte, except for its
 * session id, the newest usage, and the metadata in the first entry. Without `output`, or if `onPlan` returns
 * `false`, only computes the counts.
 */
export function trimTranscript(options: TrimOptions): TrimCounts {
  checkChoices(options);
  const attempts = resolveTrim(options);
  using file = openFileSync(options.input);
  // Lines that the client appends from now on are not copied.
  const size = file.statSync().size;
  const context = findActiveContext(file, size);
  const parentSessionId = options.parentSessionId ?? sessionIdOf(options.input);
  const common = {
    parentFile: options.parentFile ?? shortId(parentSessionId),
    targetTokens: targetTokensOf(options, context),
    knownTokens: options.usedTokens?.(context) ?? undefined,
    nonMessageTokens: options.nonMessageTokens,
  };
  const planOf = (steps: typeof attempts): TrimPlan =>
    planToTarget(steps, (settings) => planTrim(file, context, { ...settings, ...common }));
  const plan = planOf(attempts);
  const planOther = (choices: TrimChoices): TrimPlan =>
    planOf(resolveTrim({ ...options, ...choices }));
  const isWritten = options.onPlan?.({ context, plan, planOther }) !== false;
  const known = { size, context, plan, parentSessionId };
  if (options.output === undefined || !isWritten) {
    return writeTrimmed(options, known, new CountingSink());
  }
  if (exists(options.output)) {
    throw new Deno.errors.AlreadyExists(
      `Cannot write the trimmed copy: ${options.output} already exists`,
    );
  }
  using stream = new AtomicStream(options.output);
  const result = writeTrimmed(options, known, stream);
  stream.commit();
  return result;
}

function targetTokensOf(
  { targetPercent, limitTokens }: TrimOptions,
  context: ActiveContext,
): number | undefined {
  if (targetPercent === undefined) return undefined;
  const limit = typeof limitTokens === "function" ? limitTokens(context) : limitTokens;
  if (limit === undefined || !(limit > 0)) {
    throw new RangeError(`Cannot trim: limitTokens must be a number above 0, got ${limit}`);
  }
  return Math.floor((targetPercent * limit) / 100);
}

interface RewriteInput {
  size: number;
  context: ActiveContext;
  plan: TrimPlan;
  parentSessionId: string;
}

class CountingSink implements CopySink {
  bytesWritten = 0;

  write(bytes: Uint8Array): void {
    this.bytesWritten += bytes.length;
  }
}

function writeTrimmed(options: TrimOptions, known: RewriteInput, sink: CopySink): TrimCounts {
  const { context, size } = known;
  const result = emptyResult(options, known);
  const currentMetadata = (): string => metadataText(options, known, result);
  // The metadata has numbers that are known only at the end, so this reserves room for longer numbers.
  const room = options.metadata === true ? currentMetadata().length + METADATA_ROOM : 0;
  let metadataOffset = -1;
  using source = openFileSync(options.input);
  const { tornBytes, title } = writeCopy(source, size, sink, {
    sessionId: options.sessionId,
    changes: changesOf(known, result),
    multiEntryLines: context.multiEntryLines,
    metadata: room === 0 ? undefined : {
      key: "trim_metadata",
      text: currentMetadata().padEnd(room),
      onPlace: (offset) => metadataOffset = offset,
    },
  });
  result.torn_bytes = tornBytes;
  for (const line of options.appendLines?.(title) ?? []) {
    sink.write(new TextEncoder().encode(line + "\n"));
  }
  result.bytes.after = sink.bytesWritten;
  if (metadataOffset >= 0) {
    sink.overwrite?.(metadataOffset, new TextEncoder().encode(currentMetadata().padEnd(room)));
  }
  return result;
}

/** Returns the changes, keyed by the byte offset of their entries. Each change adds its cuts to `result`. */
function changesOf(
  { plan, context }: RewriteInput,
  result: TrimCounts,
): Map<number, EntryChange> {
  const { cuts, rules, tokens: { before, after } } = plan;
  const lowered = new Set(after < before ? usageOffsets(context) : []);
  const offsets = [...lowered.union(cuts)].sort((a, b) => a - b);
  return new Map(offsets.map((offset) => [offset, (entry, lineNumber) => {
    const done = cutEntry(entry, cuts.get(offset) ?? [], { ...rules, lineNumber });
    const isLowered = lowered.has(offset) && lowerUsage(entry, after);
    if (done.length === 0 && !isLowered) return undefined;
    return () => {
      for (const one of done) countCut(result, one, lineNumber);
    };
  }]));
}

/** Returns the offsets of the lines that report the newest usage: the newest message and a metadata line. */
function usageOffsets({ usage, nodes, metadataOffset }: ActiveContext): number[] {
  const messageId = usage?.messageId;
  const lines = messageId === undefined ? [] : nodes.filter((node) => node.messageId === messageId);
  return [...lines.map(({ offset }) => offset), ...metadataOffset === null ? [] : [metadataOffset]];
}

function countCut(result: TrimCounts, done: DoneCut, line: number): void {
  const { cut: { kind, reason, toolName: tool = "", isUnsent = false } } = done;
  const { chars, mediaCount, mediaChars } = done;
  addSavings(result.images, mediaCount, mediaChars);
  if (!isUnsent) result.context_chars.after -= chars + mediaChars;
  if (kind === "thinking") addSavings(result.thinking, 1, chars);
  if (chars === 0 || (kind !== "result" && kind !== "call")) return;
  if (kind === "call") addSavings(result.inputs, 1, chars);
  else {
    result.trimmed_count++;
    addSavings(savingsOf(result.by_tool, tool), 1, chars);
    if (isUnsent) return;
    addSavings(savingsOf(result.context_by_tool, tool), 1, chars);
    if (reason === "worked on") result.worked_on_count++;
  }
  if (reason === undefined) return;
  const part = kind === "call" ? "input" : "result";
  result.explained?.push({ line, tool, part, reason, chars_saved: chars });
}

/** Characters reserved for growth of the metadata's numbers. */
const METADATA_ROOM = 48;

function noSavings(): ToolSavings {
  return { count: 0, chars_saved: 0 };
}

function addSavings(savings: ToolSavings, count: number, chars: number): void {
  savings.count += count;
  savings.chars_saved += chars;
}

/** Adds a tool that the table lacks. Checks only own keys, because a tool may be named `constructor`. */
function savingsOf(table: Record<string, ToolSavings>, tool: string): ToolSavings {
  if (!Object.hasOwn(table, tool)) table[tool] = noSavings();
  return table[tool] as ToolSavings;
}

function emptyResult(options: TrimOptions, known: RewriteInput): TrimCounts {
  const { plan, context } = known;
  const { tokens, isReached, rules: { targetTokens: target } } = plan;
  return {
    trimmed_count: 0,
    by_tool: {},
    context_by_tool: {},
    other_tools: [...plan.otherTools],
    named_tools: [...plan.namedTools],
    inputs: noSavings(),
    images: noSavings(),
    thinking: noSavings(),
    context_chars: { before: plan.contextChars, after: plan.contextChars },
    is_cut_off: context.cutOff !== null,
    is_start_missing: context.cutOff === "absent",
    tokens,
    message_tokens: plan.messageTokens,
    tokens_source: context.usage?.source ?? "estimate",
    metadata_window: context.usage?.window,
    estimate: plan.scale,
    bytes: { before: known.size, after: 0 },
    kept_recent_count: plan.newest,
    kept_unused_count: plan.unused,
    protected_count: plan.protectedCount,
    worked_on_count: 0,
    ...(options.explain === true ? { explained: [] } : {}),
    target: target === undefined
      ? null
      : { percent: options.targetPercent ?? 0, tokens: target, is_reached: isReached },
    newest_at: plan.newestAt,
    cache_ttl_seconds: plan.cacheTtlSeconds,
    torn_bytes: 0,
    model: context.usage?.model,
  };
}

function metadataText(
  options: TrimOptions,
  { plan, parentSessionId }: RewriteInput,
  result: TrimCounts,
): string {
  const all = [...Object.values(result.by_tool), result.inputs, result.images, result.thinking];
  const chars = all.reduce((sum, savings) => sum + savings.chars_saved, 0);
  return JSON.stringify({
    parent_file: absolutePath(options.input),
    parent_session_id: parentSessionId,
    trimmed_at: (options.now ?? new Date()).toISOString(),
    threshold: plan.rules.threshold,
    trimmed_count: result.trimmed_count,
    bytes_saved: result.bytes.before - result.bytes.after,
    chars_saved: chars,
    trimtab_version: VERSION,
  });
}
