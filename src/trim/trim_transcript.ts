/** Writes a smaller copy of a transcript. */

import type { NeedReason } from "../core/need.ts";
import { AtomicStream } from "../store/atomic_stream.ts";
import { exists } from "../store/exists.ts";
import { absolutePath } from "../store/paths.ts";
import { type ActiveContext, findActiveContext } from "../transcript/tree/active_context.ts";
import { VERSION } from "../version.ts";
import { changeBlocks } from "./edit/block_edits.ts";
import { CallInputs } from "./call_inputs.ts";
import { EntryEditor } from "./edit/entry_editor.ts";
import { lowerMetadata, lowerUsage } from "./edit/lower_usage.ts";
import { planTrim, type TrimPlan } from "./plan.ts";
import { inputSizes } from "./need_texts.ts";
import { keptInputChars } from "./pieces.ts";
import { type CopySink, type PlannedEdit, Rewriter } from "./rewrite.ts";
import { TranscriptRecord } from "./marks/transcript_record.ts";
import { addToolNames, ToolNames } from "./tool_names.ts";
import {
  resolveOptions,
  targetLadder,
  type TrimOptions,
  type TrimSettings,
} from "./trim_options.ts";
import { openFileSync } from "../store/read_file.ts";

export {
  type ContextUsage,
  DEFAULT_TARGET_TOOLS,
  DEFAULT_THRESHOLD_CHARS,
  type ToolNameList,
  type TrimDepth,
  type TrimOptions,
  type TrimStyle,
} from "./trim_options.ts";

/** A size before and after. */
export interface BeforeAfter {
  /** Of the session. */
  before: number;
  /** Of the copy. */
  after: number;
}

/** What was cut of one kind, such as one tool's results. */
export interface ToolSavings {
  /** How many were cut. */
  count: number;
  /** How many characters fewer they hold. */
  chars_saved: number;
}

/** One cut, and why. */
export interface ExplainedCut {
  /** The line of the session that holds it whole, from 1. */
  line: number;
  /** The tool. */
  tool: string;
  /** Whether it is a result, or what a call wrote. */
  part: "result" | "input";
  /** Why. */
  reason: NeedReason;
  /** How many characters fewer it holds. */
  chars_saved: number;
}

/** What a trim did, or would do. */
export interface TrimResult {
  /** How many results were cut, in the whole file. */
  trimmed_count: number;
  /** What was cut of the texts of results, by tool, in the whole file. */
  by_tool: Record<string, ToolSavings>;
  /** The same of those results alone that the client would send on resume. */
  context_by_tool: Record<string, ToolSavings>;
  /** The tools that the session calls, where it calls none of those whose results are cut. */
  other_tools: string[];
  /** Whether the mirrors of results that stay were cut too: that frees disk, not context. */
  mirrors: boolean;
  /** What was cut of the arguments of calls. */
  inputs: ToolSavings;
  /** What pictures and documents, in results and in messages, gave way to. */
  images: ToolSavings;
  /** What was taken out of thinking. */
  thinking: ToolSavings;
  /** Characters of message content that the client would send on resume. */
  context_chars: BeforeAfter;
  /** Whether a link is lost: messages before what the client would send are left out. */
  is_cut_off: boolean;
  /** Whether those messages are not even in the file, so that nothing can reconnect them. */
  is_start_missing: boolean;
  /** Tokens in the context. After the trim: by the calibrated estimate. */
  tokens: BeforeAfter;
  /** Who told the size before: the API, or a metadata line that is later; else an estimate. */
  tokens_source: "api" | "metadata" | "estimate";
  /** The window that such a metadata line names, in tokens. */
  metadata_window: number | undefined;
  /** How the estimate was calibrated. */
  estimate: { scale: number; source: "session" | "prior"; spans: number };
  /** The size of the file. */
  bytes: BeforeAfter;
  /** How many results were not cut just because they are recent. */
  kept_recent_count: number;
  /** How many results were not cut just because they are about protected files. */
  protected_count: number;
  /** How many results were cut but for passages about what is being worked on. */
  worked_on_count: number;
  /** Each cut with the reason for it, where that was asked for. */
  explained?: ExplainedCut[];
  /** How far down the context was to come, and whether it did; `null` where nobody said. */
  target: { percent: number; tokens: number; is_reached: boolean } | null;
  /** When the newest answer was written, ISO 8601. */
  newest_at: string | undefined;
  /** How long the prompt cache lives, as the newest answers tell, in seconds. */
  cache_ttl_seconds: number | undefined;
  /** How many bytes of a last line that was still being written were left out. */
  torn_bytes: number;
  /** The model that answered last. */
  model: string | undefined;
}

/**
 * Writes a copy of a transcript in which long results of tools are cut to their head. Every line
 * that holds nothing to cut is copied byte for byte.
 *
 * Permissions: `--allow-read` for the input, `--allow-read` and `--allow-write` for the output's
 * folder.
 *
 * @param options What to trim, and how.
 * @returns Counts of what was cut.
 * @throws {RangeError} When `threshold` or `keepRecent` is not a whole number from 0, when
 * `targetPercent` is not from 0 to 100 or there is no `windowTokens` over 0 with it, and when a
 * glob is empty.
 * @throws {TypeError} When `targetTools` is one text.
 * @throws {Deno.errors.AlreadyExists} When there is a file at `output`.
 * @throws {Deno.errors.NotFound} When there is no file at `input`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { trimTranscript } from "./trim_transcript.ts";
 *
 * const folder = Deno.makeTempDirSync();
 * const call = { type: "tool_use", id: "t1", name: "Read", input: {} };
 * const result = { type: "tool_result", tool_use_id: "t1", content: "x".repeat(1000) };
 * const lines = [
 *   { type: "assistant", uuid: "a", parentUuid: null, message: { content: [call] } },
 *   { type: "user", uuid: "b", parentUuid: "a", message: { content: [result] } },
 * ];
 * const input = `${folder}/session.jsonl`;
 * Deno.writeTextFileSync(input, lines.map((line) => JSON.stringify(line) + "\n").join(""));
 * const counts = trimTranscript({ input, output: `${folder}/copy.jsonl` });
 * assertEquals(counts.trimmed_count, 1);
 * assertEquals(counts.by_tool.Read?.count, 1);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function trimTranscript(options: TrimOptions): TrimResult {
  return trimByPlan(options);
}

/** Does what {@linkcode trimTranscript} does, and shows what it goes by. */
export function trimByPlan(
  options: TrimOptions,
  onPlan?: (context: ActiveContext, plan: TrimPlan) => void,
): TrimResult {
  using record = new TranscriptRecord(options.input);
  const ladder = targetLadder(options).map(resolveOptions).map((step) => ({ ...step, record }));
  using file = openFileSync(options.input);
  // Lines appended from now on belong to a later copy.
  const size = file.statSync().size;
  const context = findActiveContext(file, size);
  const { plan, settings } = planToTarget(file, context, ladder);
  onPlan?.(context, plan);
  if (options.output === undefined) {
    return rewrite(options, settings, { size, context, plan }, new CountingSink());
  }
  if (exists(options.output)) {
    throw new Deno.errors.AlreadyExists(
      `Cannot write the trimmed copy: ${options.output} already exists`,
    );
  }
  using stream = new AtomicStream(options.output, options.fs);
  const result = rewrite(options, settings, { size, context, plan }, stream);
  stream.commit();
  return result;
}

/** Plans the first trim that reaches its target, else the one that frees most. */
function planToTarget(
  file: Deno.FsFile,
  context: ActiveContext,
  ladder: readonly TrimSettings[],
): { plan: TrimPlan; settings: TrimSettings } {
  let best: { plan: TrimPlan; settings: TrimSettings } | undefined;
  for (const settings of ladder) {
    const plan = planTrim(file, context, settings);
    if (plan.tokens.after < (best?.plan.tokens.after ?? Infinity)) best = { plan, settings };
    if (plan.targetTokens === undefined || plan.tokens.after <= plan.targetTokens) break;
  }
  if (best === undefined) throw new RangeError("Cannot trim: the strategy is unknown");
  return best;
}

interface Known {
  size: number;
  context: ActiveContext;
  plan: TrimPlan;
}

/** Stands in for the copy where nothing is to be written. */
class CountingSink implements CopySink {
  bytesWritten = 0;

  write(bytes: Uint8Array): void {
    this.bytesWritten += bytes.length;
  }

  overwrite(): void {
    // There is nothing to replace.
  }
}

/** Where the copy goes, and can be corrected. */
interface Sink extends CopySink {
  overwrite(offset: number, bytes: Uint8Array): void;
}

function rewrite(
  options: TrimOptions,
  settings: TrimSettings,
  known: Known,
  sink: Sink,
): TrimResult {
  const { plan } = known;
  const { style, dropsImages, isProtected } = settings;
  const calls = new CallInputs({ keepsArguments: style === "mask" || dropsImages, isProtected });
  const isListening = style === "mask" || dropsImages || isProtected !== undefined;
  const names = new ToolNames(isListening ? (...call) => calls.addRaw(...call) : undefined);
  let areNamesComplete = false;
  const toolNameOf = (id: string): string | undefined => {
    const name = names.byId.get(id);
    if (name !== undefined || areNamesComplete) return name;
    // A result can precede its call: only then is the rest of the file read ahead.
    areNamesComplete = true;
    using file = openFileSync(options.input);
    file.seekSync(rewriter.readTo, Deno.SeekMode.Start);
    addToolNames(names, file, known.size - rewriter.readTo);
    return names.byId.get(id);
  };
  const editor = new EntryEditor({
    threshold: settings.threshold,
    isTarget: settings.isTarget,
    keptIds: plan.keptIds,
    toolNameOf,
    parentFile: settings.parentFile,
    cutsMirrors: options.mirrors ?? false,
    style,
    dropsImages,
    onlyIds: plan.onlyIds,
    kept: plan.kept,
    contextIds: plan.contextIds,
    calls,
    record: settings.record,
  });
  const result = emptyResult(options, known);
  const metadata = options.metadata === true ? metadataText(options, settings, result) : undefined;
  let metadataOffset = -1;
  using source = openFileSync(options.input);
  const rewriter = new Rewriter(source, known.size, sink, {
    sessionId: options.sessionId,
    parentSessionId: settings.parentSessionId,
    // Numbers are known last and written first: room for the longest is left.
    metadata: metadata?.padEnd(metadata.length + METADATA_ROOM),
    onMetadata: (offset) => metadataOffset = offset,
    editor,
    cutsMirrors: options.mirrors ?? false,
    names,
    planned: [...blockEdits(known, settings, result), ...usageEdits(known)]
      .sort((a, b) => a.offset - b.offset),
    ...(options.onProgress === undefined
      ? {}
      : { onProgress: (done) => options.onProgress?.(done, known.size) }),
  });
  rewriter.onCut = (cut, offset) => {
    if (cut.charsSaved > 0) {
      result.trimmed_count++;
      addSavings(result.by_tool[cut.toolName] ??= noSavings(), 1, cut.charsSaved);
    }
    addSavings(result.images, cut.imageCount, cut.imageCharsSaved);
    // A line that stands twice in the file is sent once.
    if (!plan.resultOffsets.has(offset)) return;
    if (cut.charsSaved > 0) {
      addSavings(result.context_by_tool[cut.toolName] ??= noSavings(), 1, cut.charsSaved);
    }
    result.context_chars.after -= cut.charsSaved + cut.imageCharsSaved;
    const reason = plan.reasons.get(cut.id);
    if (cut.charsSaved === 0 || reason === undefined) return;
    if (reason === "worked on") result.worked_on_count++;
    const { lineNumber: line, toolName: tool, charsSaved: chars_saved } = cut;
    result.explained?.push({ line, tool, part: "result", reason, chars_saved });
  };
  const { tornBytes, title } = rewriter.run();
  result.torn_bytes = tornBytes;
  const called = [...new Set(names.byId.values())].sort();
  if (!called.some(settings.isTarget)) result.other_tools = called;
  for (const line of options.appendLines?.(title) ?? []) {
    sink.write(new TextEncoder().encode(line + "\n"));
  }
  result.bytes.after = sink.bytesWritten;
  if (metadata !== undefined && metadataOffset >= 0) {
    const final = metadataText(options, settings, result).padEnd(metadata.length + METADATA_ROOM);
    sink.overwrite(metadataOffset, new TextEncoder().encode(final));
  }
  return result;
}

/** How much longer the numbers of the metadata can become, in characters. */
const METADATA_ROOM = 48;

function noSavings(): ToolSavings {
  return { count: 0, chars_saved: 0 };
}

function addSavings(savings: ToolSavings, count: number, chars: number): void {
  savings.count += count;
  savings.chars_saved += chars;
}

function emptyResult(options: TrimOptions, known: Known): TrimResult {
  const { plan, context } = known;
  const { targetTokens: target, tokens } = plan;
  return {
    trimmed_count: 0,
    by_tool: {},
    context_by_tool: {},
    other_tools: [],
    mirrors: options.mirrors ?? false,
    inputs: noSavings(),
    images: noSavings(),
    thinking: noSavings(),
    context_chars: { before: plan.contextChars, after: plan.contextChars },
    is_cut_off: context.cutOff !== null,
    is_start_missing: context.cutOff === "absent",
    tokens,
    tokens_source: context.usage?.source ?? "estimate",
    metadata_window: context.usage?.window,
    estimate: plan.scale,
    bytes: { before: known.size, after: 0 },
    kept_recent_count: plan.keptCount,
    protected_count: plan.protectedCount,
    worked_on_count: 0,
    ...(options.explain === true ? { explained: [] } : {}),
    target: target === undefined
      ? null
      : { percent: options.targetPercent ?? 0, tokens: target, is_reached: tokens.after <= target },
    newest_at: context.usage?.timestamp,
    cache_ttl_seconds: plan.cacheTtlSeconds,
    torn_bytes: 0,
    model: context.usage?.model,
  };
}

function metadataText(options: TrimOptions, settings: TrimSettings, result: TrimResult): string {
  const all = [...Object.values(result.by_tool), result.inputs, result.images, result.thinking];
  const chars = all.reduce((sum, savings) => sum + savings.chars_saved, 0);
  return JSON.stringify({
    parent_file: absolutePath(options.input),
    parent_session_id: settings.parentSessionId,
    trimmed_at: (options.now ?? new Date()).toISOString(),
    threshold: settings.threshold,
    trimmed_count: result.trimmed_count,
    bytes_saved: result.bytes.before - result.bytes.after,
    chars_saved: chars,
    trimtab_version: VERSION,
  });
}

/** What changes in calls, messages and thinking, counted as it is done. */
function blockEdits(known: Known, settings: TrimSettings, result: TrimResult): PlannedEdit[] {
  const { threshold, parentFile, record } = settings;
  const sizes = settings.style === "need"
    ? inputSizes(threshold)
    : { threshold, keep: keptInputChars(settings.style) };
  const counts = { input: result.inputs, image: result.images, thinking: result.thinking };
  return [...known.plan.changes].map(([offset, changes]) => ({
    offset,
    apply: (text, start, end, edits, line) => {
      const options = { ...sizes, parentFile, lineNumber: line.number, changes, record };
      const saved = changeBlocks({ text, bytes: line.bytes }, start, end, edits, options);
      for (const [index, { change, reason }] of changes.entries()) {
        const chars = saved[index] ?? 0;
        // Thinking can be empty, and its signature too: it is gone all the same.
        if (chars === 0 && change.kind !== "thinking") continue;
        addSavings(counts[change.kind], 1, chars);
        if (change.kind === "input" && reason !== undefined) {
          const { toolName: tool } = change;
          const cut = {
            line: line.number,
            tool,
            part: "input",
            reason,
            chars_saved: chars,
          } as const;
          result.explained?.push(cut);
        }
        result.context_chars.after -= chars;
      }
    },
  }));
}

/** The newest message's usage stands on every line of it; a metadata line can tell a later one. */
function usageEdits(known: Known): PlannedEdit[] {
  const { context: { usage, nodes, metadataOffset }, plan: { tokens } } = known;
  if (tokens.after >= tokens.before) return [];
  const messageId = usage?.messageId;
  const lines = messageId === undefined ? [] : nodes.filter((node) => node.messageId === messageId);
  const edits: PlannedEdit[] = lines.map((node) => ({
    offset: node.offset,
    apply: (text, start, end, edits) => lowerUsage(text, start, end, edits, tokens.after),
  }));
  if (metadataOffset === null) return edits;
  return [...edits, {
    offset: metadataOffset,
    apply: (text, start, end, edits) => lowerMetadata(text, start, end, edits, tokens.after),
  }];
}
