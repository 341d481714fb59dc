/** Writes a smaller copy of a transcript. */

import { type MarkRecord, SHORT_ID_CHARS } from "../core/marks.ts";
import { AtomicStream, type StreamFileSystem } from "../store/atomic_stream.ts";
import { exists } from "../store/exists.ts";
import { absolutePath, fileName } from "../store/paths.ts";
import { type ActiveContext, findActiveContext } from "../transcript/tree/active_context.ts";
import { VERSION } from "../version.ts";
import { changeBlocks } from "./edit/block_edits.ts";
import { CallInputs } from "./call_inputs.ts";
import { EntryEditor } from "./edit/entry_editor.ts";
import { lowerMetadata, lowerUsage } from "./edit/lower_usage.ts";
import { type ContextUsage, type PlanRules, planTrim, type TrimPlan } from "./plan.ts";
import { type CopySink, type PlannedEdit, Rewriter } from "./rewrite.ts";
import { TranscriptRecord } from "./marks/transcript_record.ts";
import { addToolNames, type CallListener, namingArguments, ToolNames } from "./tool_names.ts";
import type { ToolSavings, TrimCounts } from "./trim_result.ts";
import { resolveTrim, type TrimRequest, type TrimStyle } from "./trim_options.ts";
import { openFileSync } from "../store/read_file.ts";

export type { BeforeAfter, ToolSavings, TrimCounts } from "./trim_result.ts";
export { DEFAULT_THRESHOLD_CHARS, type ToolNameList, type TrimRequest } from "./trim_options.ts";

/** A transcript, how to trim it, and where its copy goes. */
export interface TrimOptions extends TrimRequest {
  /** The transcript; it is only read. */
  input: string;
  /** The copy, which must not exist yet; left out, nothing is written. */
  output?: string;
  /** The limit that `targetPercent` refers to, in tokens, or a function that gives it. */
  windowTokens?: number | ((usage: ContextUsage) => number);
  /** Whether each cut is listed with its reason, in the style `need`. @default {false} */
  explain?: boolean;
  /** The copy's session id; left out, ids stay as they are. */
  sessionId?: string;
  /** The session that is trimmed. @default {the input's file name} */
  parentSessionId?: string;
  /** The parent as notices name it. @default {the first 8 characters of its id} */
  parentFile?: string;
  /** Whether the first entry of the copy gets `trim_metadata`. @default {false} */
  metadata?: boolean;
  /** Lines to append to the copy, given the title of the session. */
  appendLines?: (title: string | undefined) => string[];
  /** Called now and then with the bytes done and their total. */
  onProgress?: (done: number, total: number) => void;
  /** The time that the metadata names. @default {now} */
  now?: Date;
  /** The system calls that write the copy. @default {Deno} */
  fs?: StreamFileSystem;
}

/** The inputs for planning and writing a copy. */
interface CopySettings extends PlanRules {
  parentSessionId: string;
  style: TrimStyle;
  dropsImages: boolean;
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
export function trimTranscript(options: TrimOptions): TrimCounts {
  return trimByPlan(options);
}

/** A trim that was planned. */
export interface PlannedTrim {
  readonly context: ActiveContext;
  readonly plan: TrimPlan;
  /** Plans the same context otherwise. */
  readonly planOther: (more: TrimRequest) => TrimPlan;
}

/** Called with the plan before the copy is written; with `false` it is not, and only counted. */
export type PlanListener = (planned: PlannedTrim) => boolean | void;

/** Trims as {@linkcode trimTranscript} does, and shows the plan first. */
export function trimByPlan(options: TrimOptions, onPlan?: PlanListener): TrimCounts {
  using record = new TranscriptRecord(options.input);
  const ladder = copySettings(options, record);
  using file = openFileSync(options.input);
  // Lines appended from now on belong to a later copy.
  const size = file.statSync().size;
  const context = findActiveContext(file, size);
  const { plan, settings } = planToTarget(file, context, ladder);
  const planOther = (more: TrimRequest): TrimPlan =>
    planToTarget(file, context, copySettings({ ...options, ...more }, record)).plan;
  const isWritten = onPlan?.({ context, plan, planOther }) !== false;
  if (options.output === undefined || !isWritten) {
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

function copySettings(options: TrimOptions, record: MarkRecord): CopySettings[] {
  const parentSessionId = options.parentSessionId ??
    fileName(options.input).replace(/\.jsonl$/, "");
  const parentFile = options.parentFile ?? parentSessionId.slice(0, SHORT_ID_CHARS);
  const own = { parentSessionId, parentFile, record, targetTokens: targetTokensOf(options) };
  return resolveTrim(options).map((settings) => ({ ...settings, ...own }));
}

function targetTokensOf(
  { targetPercent, windowTokens }: TrimOptions,
): CopySettings["targetTokens"] {
  if (targetPercent === undefined) return undefined;
  return (usage) => {
    const window = typeof windowTokens === "function" ? windowTokens(usage) : windowTokens;
    if (window === undefined || !(window > 0)) {
      throw new RangeError(`Cannot trim: windowTokens must be a number over 0, is ${window}`);
    }
    return Math.floor((targetPercent * window) / 100);
  };
}

/** Plans the first trim that reaches its target, else the one that frees most. */
function planToTarget(
  file: Deno.FsFile,
  context: ActiveContext,
  ladder: readonly CopySettings[],
): { plan: TrimPlan; settings: CopySettings } {
  let best: { plan: TrimPlan; settings: CopySettings } | undefined;
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
  settings: CopySettings,
  known: Known,
  sink: Sink,
): TrimCounts {
  const { plan } = known;
  const { style, dropsImages, isProtected } = settings;
  const calls = new CallInputs({ keepsArguments: style === "mask" || dropsImages, isProtected });
  const isListening = style === "mask" || dropsImages || isProtected !== undefined;
  const listen: CallListener = (id, name, raw, start) => {
    const input = namingArguments(name, raw, start);
    if (input !== undefined) calls.add(id, name, input);
  };
  const names = new ToolNames(isListening ? listen : undefined);
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
    plan,
    toolNameOf,
    parentFile: settings.parentFile,
    style,
    dropsImages,
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
    const reason = plan.results.get(cut.id)?.reason;
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

/** Largest growth of the metadata's numbers, in characters. */
const METADATA_ROOM = 48;

function noSavings(): ToolSavings {
  return { count: 0, chars_saved: 0 };
}

function addSavings(savings: ToolSavings, count: number, chars: number): void {
  savings.count += count;
  savings.chars_saved += chars;
}

function emptyResult(options: TrimOptions, known: Known): TrimCounts {
  const { plan, context } = known;
  const { targetTokens: target, tokens } = plan;
  return {
    trimmed_count: 0,
    by_tool: {},
    context_by_tool: {},
    other_tools: [],
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
    kept_recent_count: plan.newestCount,
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

function metadataText(options: TrimOptions, settings: CopySettings, result: TrimCounts): string {
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

/** Changes in calls, messages and thinking, counted as they are made. */
function blockEdits(known: Known, settings: CopySettings, result: TrimCounts): PlannedEdit[] {
  const counts = { input: result.inputs, image: result.images, thinking: result.thinking };
  return [...known.plan.changes].map(([offset, changes]) => ({
    offset,
    apply: (text, start, end, edits, line) => {
      const options = { ...settings, lineNumber: line.number };
      const raw = { text, bytes: line.bytes };
      const saved = changeBlocks(raw, { start, end }, changes, edits, options);
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
