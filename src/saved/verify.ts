import { reasonOf } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import {
  endMarker,
  metaOfSave,
  metaOfText,
  REQUIRED_SECTIONS,
  sectionOf,
} from "./views/checkpoint_view.ts";
import { readSave, readSaveText } from "./read.ts";
import type { CheckpointMeta } from "./save.ts";
import { checkpointFiles, MAX_VIEW_BYTES, readView } from "./store.ts";

/** Result of verifying a checkpoint's files. */
export interface CheckpointVerdict {
  /** The path that was given. */
  readonly path: string;
  /** Whether the checkpoint exists, is complete and was not edited. */
  readonly valid: boolean;
  /** Descriptions of the problems; empty if there are none. */
  readonly problems: readonly string[];
  /** Facts about the checkpoint; null if unreadable. */
  readonly meta: CheckpointMeta | null;
}

/**
 * Verifies a checkpoint: its JSON matches the schema, and its Markdown is unchanged. For Markdown
 * without JSON, as written by version 0.1.0 and other tools, checks the front matter, the sections and the end
 * marker.
 *
 * Permissions: `--allow-read` for the files.
 *
 * @param path The path of the Markdown or of the JSON.
 * @returns The verdict; an unreadable file is a problem, not an error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyCheckpoint } from "./verify.ts";
 *
 * const { valid, problems } = verifyCheckpoint("/nowhere/2025-12-20-143022.md");
 * assertEquals(valid, false);
 * assertEquals(problems, [
 *   'Cannot read checkpoint "/nowhere/2025-12-20-143022.md": there is no such file. ' +
 *   "Run `trimtab list` to see all saves.",
 * ]);
 * ```
 */
export function verifyCheckpoint(path: string): CheckpointVerdict {
  const problems: string[] = [];
  const { json, view } = checkpointFiles(path);
  let meta: CheckpointMeta | null = null;
  try {
    meta = exists(json) ? checkJson(json, view, problems) : checkMarkdown(path, problems);
  } catch (error) {
    problems.push(`${reasonOf(error)}.`);
  }
  return { path, valid: problems.length === 0, problems, meta };
}

function checkJson(path: string, view: string, problems: string[]): CheckpointMeta | null {
  const save = readSave(path);
  const meta = metaOfSave(save);
  const text = readView({ view, save });
  if (text === null) {
    problems.push("Its Markdown is missing or unreadable; `trimtab restore` needs only the JSON.");
  } else if (text.isEdited) {
    problems.push(
      `Its Markdown was edited or damaged after it was saved. \`trimtab restore ${meta.id} ` +
        "--trust` accepts the edit and prints the current text.",
    );
  }
  return meta;
}

function checkMarkdown(path: string, problems: string[]): CheckpointMeta | null {
  const text = readSaveText(path, `Cannot read checkpoint ${JSON.stringify(path)}`, MAX_VIEW_BYTES);
  const meta = metaOfText(text);
  if (meta === null) {
    problems.push("Its front matter is missing or incomplete; save the checkpoint again.");
  }
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const sections = new Set(lines.map(sectionOf));
  const missing = REQUIRED_SECTIONS.filter((name) => !sections.has(name));
  if (missing.length > 0) {
    problems.push(`It lacks ${missing.join(", ")}; save the checkpoint again.`);
  }
  if (meta !== null && lines.at(-1) !== endMarker(meta.id)) {
    problems.push(
      "Its end marker is missing: it was truncated or modified, or trimtab did not write it. " +
        "`trimtab restore` reads it anyway.",
    );
  }
  return meta;
}
