/**
 * Writes a smaller copy of a transcript.
 *
 * @module
 */

import { AtomicStream, type StreamFileSystem } from "../store/atomic_stream.ts";
import { fileName } from "../store/paths.ts";
import { type ActiveContext, findActiveContext } from "../transcript/active_context.ts";
import { VERSION } from "../version.ts";
import { EntryEditor } from "./entry_editor.ts";
import { lowerUsage } from "./lower_usage.ts";
import { planTrim, type TrimPlan } from "./plan.ts";
import { type CopySink, type PlannedEdit, Rewriter } from "./rewrite.ts";
import { addToolNames, ToolNames } from "./tool_names.ts";

/** The tools whose results are cut unless the caller says otherwise. */
export const DEFAULT_TARGET_TOOLS: readonly string[] = ["Read", "Bash", "Grep", "Glob"];

/** How many characters of a result stay unless the caller says otherwise. */
export const DEFAULT_THRESHOLD_CHARS = 500;

/** How many characters of a session's id a trim notice names. */
const SHORT_ID_CHARS = 8;

/** What to trim, and how. */
export interface TrimOptions {
  /** The transcript; it is only read. */
  input: string;
  /** The copy; it must not be there yet. Left out, nothing is written. */
  output?: string;
  /** How many characters of a result stay. @default {500} */
  threshold?: number;
  /** The tools whose results are cut. @default {DEFAULT_TARGET_TOOLS} */
  targetTools?: Iterable<string>;
  /** How many of the newest results of the conversation stay whole. @default {0} */
  keepRecent?: number;
  /** The copy's session id; left out, ids stay as they are. */
  sessionId?: string;
  /** The session that is trimmed. @default {the input's file name} */
  parentSessionId?: string;
  /** The parent as notices name it. @default {the first 8 characters of its id} */
  parentFile?: string;
  /** Whether the mirrors of results that stay are cut too: that frees disk, not context. */
  mirrors?: boolean;
  /** Whether the copy says what it is, on its first entry. @default {false} */
  metadata?: boolean;
  /** Adds lines behind the copy, given the title of the session. */
  appendLines?: (title: string | undefined) => string[];
  /** Told of progress now and then: bytes done, and of how many. */
  onProgress?: (done: number, total: number) => void;
  /** The time that the metadata names. @default {now} */
  now?: Date;
  /** The system calls that write the copy. @default {Deno} */
  fs?: StreamFileSystem;
}

/** A size before and after. */
export interface BeforeAfter {
  /** Of the session. */
  before: number;
  /** Of the copy. */
  after: number;
}

/** What was cut of one tool's results. */
export interface ToolSavings {
  /** How many results were cut. */
  count: number;
  /** How many characters fewer they hold. */
  chars_saved: number;
}

/** What a trim did, or would do. */
export interface TrimResult {
  /** How many results were cut, in the whole file. */
  trimmed_count: number;
  /** What was cut, by tool. */
  by_tool: Record<string, ToolSavings>;
  /** Characters of message content that the client would send on resume. */
  context_chars: BeforeAfter;
  /** Tokens in the context. After the trim: by the calibrated estimate. */
  tokens: BeforeAfter;
  /** `api` where the API told the size before, `estimate` otherwise. */
  tokens_source: "api" | "estimate";
  /** How the estimate was calibrated. */
  estimate: { scale: number; source: "session" | "prior"; spans: number };
  /** The size of the file. */
  bytes: BeforeAfter;
  /** How many results were not cut just because they are recent. */
  kept_recent_count: number;
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
 * @throws {RangeError} When `threshold` or `keepRecent` is not a whole number from 0.
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
  const settings = resolveOptions(options);
  using file = Deno.openSync(options.input);
  // Lines appended from now on belong to a later copy.
  const size = file.statSync().size;
  const context = findActiveContext(file, size);
  const plan = planTrim(file, context, settings);
  const tokens = tokensOf(context, plan);
  if (options.output === undefined) {
    return rewrite(options, settings, { size, context, plan, tokens }, new CountingSink());
  }
  if (exists(options.output)) {
    throw new Deno.errors.AlreadyExists(
      `Cannot write the trimmed copy: ${options.output} is there already`,
    );
  }
  using stream = new AtomicStream(options.output, options.fs);
  const result = rewrite(options, settings, { size, context, plan, tokens }, stream);
  stream.commit();
  return result;
}

interface Settings {
  threshold: number;
  keepRecent: number;
  targets: ReadonlySet<string>;
  parentSessionId: string;
  parentFile: string;
  isTarget(toolName: string): boolean;
}

function resolveOptions(options: TrimOptions): Settings {
  const { threshold = DEFAULT_THRESHOLD_CHARS, keepRecent = 0 } = options;
  for (const [name, value] of Object.entries({ threshold, keepRecent })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot trim: ${name} must be a whole number from 0, is ${value}`);
  }
  const targets = new Set(options.targetTools ?? DEFAULT_TARGET_TOOLS);
  const parentSessionId = options.parentSessionId ??
    fileName(options.input).replace(/\.jsonl$/, "");
  return {
    threshold,
    keepRecent,
    targets,
    parentSessionId,
    parentFile: options.parentFile ?? parentSessionId.slice(0, SHORT_ID_CHARS),
    isTarget: (toolName) => targets.has(toolName),
  };
}

/** What is known before the copy is written. */
interface Known {
  size: number;
  context: ActiveContext;
  plan: TrimPlan;
  tokens: BeforeAfter;
}

function tokensOf(context: ActiveContext, plan: TrimPlan): BeforeAfter {
  const before = context.usage?.tokens ?? Math.round(plan.priorTokens * plan.scale.scale);
  const saved = Math.round(plan.priorTokensSaved * plan.scale.scale);
  return { before, after: Math.max(0, before - saved) };
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

function rewrite(options: TrimOptions, settings: Settings, known: Known, sink: Sink): TrimResult {
  const { plan } = known;
  const names = new ToolNames();
  let areNamesComplete = false;
  const toolNameOf = (id: string): string | undefined => {
    const name = names.byId.get(id);
    if (name !== undefined || areNamesComplete) return name;
    // A result can stand before its call: only then is the rest of the file read ahead.
    areNamesComplete = true;
    using file = Deno.openSync(options.input);
    addToolNames(names, file, known.size);
    return names.byId.get(id);
  };
  const editor = new EntryEditor({
    threshold: settings.threshold,
    isTarget: settings.isTarget,
    keptIds: plan.keptIds,
    toolNameOf,
    parentFile: settings.parentFile,
    cutsMirrors: options.mirrors ?? false,
  });
  const result = emptyResult(known);
  const isSomethingSaved = known.tokens.after < known.tokens.before;
  const metadata = options.metadata === true ? metadataText(options, settings, result) : undefined;
  let metadataOffset = -1;
  using source = Deno.openSync(options.input);
  const rewriter = new Rewriter(source, known.size, sink, {
    sessionId: options.sessionId,
    parentSessionId: settings.parentSessionId,
    // Numbers are known last and written first: room for the longest is left.
    metadata: metadata?.padEnd(metadata.length + METADATA_ROOM),
    onMetadata: (offset) => metadataOffset = offset,
    editor,
    cutsMirrors: options.mirrors ?? false,
    names,
    planned: isSomethingSaved ? usageEdits(known) : [],
    ...(options.onProgress === undefined
      ? {}
      : { onProgress: (done) => options.onProgress?.(done, known.size) }),
  });
  rewriter.onCut = (cut) => {
    result.trimmed_count++;
    const tool = result.by_tool[cut.toolName] ??= { count: 0, chars_saved: 0 };
    tool.count++;
    tool.chars_saved += cut.charsSaved;
    if (plan.contextIds.has(cut.id)) result.context_chars.after -= cut.charsSaved;
  };
  const { tornBytes, title } = rewriter.run();
  result.torn_bytes = tornBytes;
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

function emptyResult(known: Known): TrimResult {
  const { plan, context } = known;
  return {
    trimmed_count: 0,
    by_tool: {},
    context_chars: { before: plan.contextChars, after: plan.contextChars },
    tokens: known.tokens,
    tokens_source: context.usage === null ? "estimate" : "api",
    estimate: plan.scale,
    bytes: { before: known.size, after: 0 },
    kept_recent_count: plan.keptCount,
    torn_bytes: 0,
    model: context.usage?.model,
  };
}

function metadataText(options: TrimOptions, settings: Settings, result: TrimResult): string {
  const chars = Object.values(result.by_tool).reduce((sum, tool) => sum + tool.chars_saved, 0);
  return JSON.stringify({
    parent_file: options.input,
    parent_session_id: settings.parentSessionId,
    trimmed_at: (options.now ?? new Date()).toISOString(),
    threshold: settings.threshold,
    trimmed_count: result.trimmed_count,
    bytes_saved: result.bytes.before - result.bytes.after,
    chars_saved: chars,
    trimtab_version: VERSION,
  });
}

/** The newest message's usage stands on every line of it. */
function usageEdits(known: Known): PlannedEdit[] {
  const { context, tokens } = known;
  const messageId = context.usage?.messageId;
  if (messageId === undefined) return [];
  return context.nodes
    .filter((node) => node.messageId === messageId)
    .sort((a, b) => a.offset - b.offset)
    .map((node) => ({
      offset: node.offset,
      apply: (text, start, end, edits) => lowerUsage(text, start, end, edits, tokens.after),
    }));
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
