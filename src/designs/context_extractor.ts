import { extractFromEntries } from "../extract/extract_state.ts";
import { messageEntries } from "./message_entries.ts";
import { contentOf, type SnapshotContent, snapshotFromContent } from "../saved/save.ts";
import { cleanContent } from "./given_content.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import type { SavedSnapshot } from "../saved/snapshot.ts";
import { saveSnapshot } from "./save_snapshot.ts";

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

  /**
   * Creates an extractor for one project.
   *
   * @param options The project, the folder of its snapshots and the clock.
   */
  constructor(options: SnapshotMakerOptions = {}) {
    this.#options = options;
  }

  /**
   * Extracts the important content of a conversation.
   *
   * @param conversationData Messages or transcript entries, oldest first. System messages are ignored.
   * @returns Requirements, decisions, state, open items, tools, and the other fields of a snapshot.
   */
  extractFromConversation(conversationData: readonly object[]): SnapshotContent {
    const entries = messageEntries(conversationData).map((entry) => ({ entry, line: null }));
    return contentOf(extractFromEntries(entries));
  }

  /**
   * Saves content as a snapshot. {@linkcode ContextExtractor.saveContext} also returns a warning.
   *
   * Permissions: `--allow-read` for the project, `--allow-write` for `<project>/.claude`, and both for `trimtab`
   * in Claude Code's configuration folder; to find the folders also `--allow-env`.
   *
   * @param context Extracted content, or content created by the program. Missing fields are empty.
   * @param name A name for finding the snapshot.
   * @returns The path of the snapshot's file.
   * @throws {TypeError} When a field has the wrong type; the message contains the field's name.
   * @throws {Error} When the file cannot be written.
   */
  createSnapshot(context: Partial<SnapshotContent>, name?: string | null): string {
    return this.saveContext(context, name).path;
  }

  /**
   * Saves content like {@linkcode ContextExtractor.createSnapshot}, and also returns the snapshot and a warning.
   *
   * Permissions: the same as for {@linkcode ContextExtractor.createSnapshot}.
   *
   * @param context Extracted content, or content created by the program.
   * @param name A name for finding the snapshot.
   * @returns The path of the snapshot's file, the snapshot, and a warning if marking it as written on this
   * machine failed.
   * @throws {TypeError} When a field has the wrong type; the message contains the field's name.
   * @throws {Error} When the file cannot be written.
   */
  saveContext(context: Partial<SnapshotContent>, name?: string | null): SavedSnapshot {
    const now = this.#options.now?.() ?? new Date();
    const snapshot = snapshotFromContent(cleanContent(context), { name: name ?? null, now });
    return saveSnapshot(snapshot, { ...this.#options, now });
  }
}
