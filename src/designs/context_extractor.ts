import { extractFromEntries } from "../extract/extract_state.ts";
import { isObject, type JsonObject, parseObject } from "../core/record.ts";
import { asString, type Entry, viewEntry } from "../transcript/entry.ts";
import { contentOf, type SnapshotContent, snapshotFromContent } from "../saved/save.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import type { SavedSnapshot } from "../saved/snapshot.ts";
import { cleanContent, saveSnapshot } from "./save_snapshot.ts";

/** The folder of the snapshots, and the clock. */
export interface SnapshotMakerOptions extends SnapshotPlace {
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/**
 * Extracts the important content of a conversation and saves it as a snapshot.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ContextExtractor } from "./context_extractor.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const extractor = new ContextExtractor({ projectDir });
 * const context = extractor.extractFromConversation([
 *   { role: "user", content: "Add a test for the parser" },
 * ]);
 * assertEquals(context.original_requirements, "Add a test for the parser");
 * assertEquals(Deno.statSync(extractor.createSnapshot(context, "parser")).isFile, true);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export class ContextExtractor {
  readonly #options: SnapshotMakerOptions;

  /** Creates an extractor for one project. */
  constructor(options: SnapshotMakerOptions = {}) {
    this.#options = options;
  }

  /** Extracts the content of messages or transcript entries, oldest first. Ignores system messages. */
  extractFromConversation(conversationData: readonly object[]): SnapshotContent {
    const entries = messageEntries(conversationData).map((entry) => ({ entry, line: null }));
    return contentOf(extractFromEntries(entries));
  }

  /**
   * Saves content as a snapshot.
   *
   * Permissions: `--allow-read` for the project, `--allow-write` for `<project>/.claude`, and both for `trimtab`
   * in Claude Code's configuration folder; to find the folders also `--allow-env`.
   *
   * @param context Extracted content, or content created by the program. Missing fields are empty.
   * @returns The path of the snapshot's file.
   * @throws {TypeError} When a field has the wrong type; the message contains the field's name.
   * @throws {Error} When the file cannot be written.
   */
  createSnapshot(context: Partial<SnapshotContent>, name?: string | null): string {
    return this.saveContext(context, name).path;
  }

  /** Saves content like `createSnapshot()`; also returns the snapshot, and a warning if marking it failed. */
  saveContext(context: Partial<SnapshotContent>, name?: string | null): SavedSnapshot {
    const now = this.#options.now?.() ?? new Date();
    const snapshot = snapshotFromContent(cleanContent(context), { name: name ?? null, now });
    return saveSnapshot(snapshot, { ...this.#options, now });
  }
}

/** Converts messages of common APIs to transcript entries, and keeps entries, which have no role. */
export function* messageEntries(
  conversation: readonly object[],
): Generator<Entry, void, undefined> {
  for (const item of conversation) {
    if (!isObject(item)) continue;
    const raw = item.role === undefined ? item : rawEntry(item);
    if (raw !== null) yield viewEntry(raw);
  }
}

function rawEntry(message: JsonObject): JsonObject | null {
  switch (message.role) {
    case "user":
      return { type: "user", message: { role: "user", content: message.content } };
    case "assistant":
      return { type: "assistant", message: { role: "assistant", content: blocksOf(message) } };
    case "tool":
      return { type: "user", message: { role: "user", content: [resultBlock(message)] } };
    default:
      return null;
  }
}

function blocksOf(message: JsonObject): unknown[] {
  const { content } = message;
  const textBlocks = Array.isArray(content)
    ? content
    : typeof content === "string"
    ? [{ type: "text", text: content }]
    : [];
  const calls = [message.toolCalls, message.tool_calls].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : []
  );
  return [...textBlocks, ...calls.map(callBlock)];
}

function callBlock(call: JsonObject): JsonObject {
  const inner = isObject(call.function) ? call.function : call;
  const input = inner.input ?? inner.arguments;
  return {
    type: "tool_use",
    id: call.id,
    name: asString(inner.name) ?? "unknown",
    input: typeof input === "string" ? parseObject(input) ?? {} : input,
  };
}

function resultBlock(message: JsonObject): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: message.toolCallId ?? message.tool_call_id,
    content: message.content,
    is_error: message.isError === true || message.is_error === true,
  };
}
