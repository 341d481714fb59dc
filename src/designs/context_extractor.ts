/** Extracts and saves what matters of a conversation, for programs. */

import { extractFromEntries } from "../extract/extract_state.ts";
import { messageEntries } from "./message_entries.ts";
import { contentOf, sealSnapshot, type SnapshotContent } from "../saved/save.ts";
import { contentFrom } from "./given_content.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import type { SavedSnapshot } from "../saved/snapshot.ts";
import { saveSnapshot } from "./save_snapshot.ts";

/** The folder of a program's snapshots, and its clock. */
export interface SnapshotMakerOptions extends SnapshotPlace {
  /** Returns the time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/**
 * Extracts what matters of a conversation and saves it as a snapshot.
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

  /**
   * Extracts for one project.
   *
   * @param options The project, its snapshots and the clock.
   */
  constructor(options: SnapshotMakerOptions = {}) {
    this.#options = options;
  }

  /**
   * Extracts what matters of a conversation.
   *
   * @param conversationData Messages, or entries of a transcript, oldest first.
   * @returns Requirements, decisions, state, open items, tools, and the other fields of a snapshot.
   * @throws {TypeError} When it is not a list.
   */
  extractFromConversation(conversationData: readonly object[]): SnapshotContent {
    if (!Array.isArray(conversationData)) {
      throw new TypeError("Cannot extract context: the conversation must be a list of messages");
    }
    const entries = messageEntries(conversationData).map((entry) => ({ entry, line: null }));
    return contentOf(extractFromEntries(entries));
  }

  /**
   * Saves context as a snapshot.
   *
   * Permissions: `--allow-read` and `--allow-write` for the folder.
   *
   * @param context The extracted content, or a program's own; missing fields are empty.
   * @param name A name for people.
   * @returns The path of the snapshot's file.
   * @throws {TypeError} When a field is of a wrong type; the message names it.
   * @throws {Error} Whatever the system says when the file cannot be written.
   */
  createSnapshot(context: Partial<SnapshotContent>, name?: string | null): string {
    return this.saveContext(context, name).path;
  }

  /**
   * Saves context as a snapshot, like {@linkcode ContextExtractor.createSnapshot}.
   *
   * Permissions: `--allow-read` and `--allow-write` for the folder.
   *
   * @param context The extracted content, or a program's own.
   * @param name A name for people.
   * @returns The file and what is in it.
   * @throws {TypeError} When a field is of a wrong type.
   */
  saveContext(context: Partial<SnapshotContent>, name?: string | null): SavedSnapshot {
    const now = this.#options.now?.() ?? new Date();
    const snapshot = sealSnapshot(contentFrom(context), { name: name ?? null, now });
    return saveSnapshot(snapshot, { ...this.#options, now });
  }
}
