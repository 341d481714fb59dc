/** Whether a checkpoint is there and whole. */

import { reasonOf } from "../../store/atomic.ts";
import { readTextSync } from "../../store/read_file.ts";
import { readSnapshot } from "../snapshot/read.ts";
import { checkpointPaths, MAX_CHECKPOINT_BYTES, readView } from "./files.ts";
import { type CheckpointMeta, metaOfSave, metaOfText } from "./meta.ts";
import { endMarker, isEndMarker, REQUIRED_SECTIONS, sectionOf } from "./sections.ts";

/** The result of a look at a checkpoint's files. */
export interface CheckpointVerdict {
  /** The file. */
  readonly path: string;
  /** Whether the file is there, whole, and a checkpoint. */
  readonly valid: boolean;
  /** Problems, in sentences that say what to do. */
  readonly problems: readonly string[];
  /** Facts about it, where they can be read. */
  readonly meta: CheckpointMeta | null;
}

/**
 * Checks a checkpoint: its JSON has its shape, and its Markdown is what was saved. Of Markdown alone,
 * as version 0.1.0 and other tools write it, the front matter, the sections and the end are checked.
 *
 * Permissions: `--allow-read` for the files.
 *
 * @param path The file with the Markdown, or with the JSON.
 * @returns The problems; a file that cannot be read is one, not an error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyCheckpoint } from "./verify.ts";
 *
 * const { valid, problems } = verifyCheckpoint("/nowhere/2025-12-20-143022.md");
 * assertEquals(valid, false);
 * assertEquals(problems, [
 *   'There is no file "/nowhere/2025-12-20-143022.md"; save a checkpoint with `trimtab checkpoint`.',
 * ]);
 * ```
 */
export function verifyCheckpoint(path: string): CheckpointVerdict {
  const problems: string[] = [];
  const { json, view } = checkpointPaths(path);
  const isSave = json !== view && isFile(json);
  const meta = isSave ? checkSave(json, problems) : checkText(path, problems);
  return { path, valid: problems.length === 0, problems, meta };
}

function checkSave(path: string, problems: string[]): CheckpointMeta | null {
  try {
    const save = readSnapshot(path);
    const view = readView({ path, save });
    if (view === null) {
      problems.push(
        "Its Markdown is gone or cannot be read; `trimtab restore` needs only the JSON.",
      );
    } else if (view.isEdited) {
      problems.push(
        "Its Markdown is not what was saved: it was edited, or it is damaged. `trimtab restore` " +
          "gives back that text.",
      );
    }
    return metaOfSave(save);
  } catch (error) {
    problems.push(`${reasonOf(error)}.`);
    return null;
  }
}

function checkText(path: string, problems: string[]): CheckpointMeta | null {
  const text = readText(path, problems);
  if (text === null) return null;
  const meta = metaOfText(text, problems);
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const sections = new Set(lines.map(sectionOf));
  for (const name of REQUIRED_SECTIONS) {
    if (!sections.has(name)) problems.push(`Section "## ${name}" is missing; save it again.`);
  }
  const last = lines.at(-1) ?? "";
  if (meta !== null && !isEndMarker(last) && !/^id:/m.test(text)) {
    // Ours name themselves in the front matter; those of a person or another tool need not.
    problems.push(
      "trimtab did not write it: it has no id and no end mark, so whether it is" +
        " complete is unknown. `trimtab restore` reads it anyway.",
    );
  } else if (!isEndMarker(last)) {
    problems.push("The end of the file is missing: it was truncated or modified; save it again.");
  } else if (meta !== null && last !== endMarker(meta.id)) {
    problems.push("The end of the file belongs to another checkpoint; save it again.");
  }
  return meta;
}

function readText(path: string, problems: string[]): string | null {
  const shown = JSON.stringify(path);
  try {
    const info = Deno.statSync(path);
    if (info.isFile && info.size <= MAX_CHECKPOINT_BYTES) {
      return readTextSync(path, MAX_CHECKPOINT_BYTES);
    }
    problems.push(
      info.isFile
        ? `${shown} is much larger than a checkpoint; save it again.`
        : `${shown} is no file; name the checkpoint's own file.`,
    );
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    problems.push(
      isMissing
        ? `There is no file ${shown}; save a checkpoint with \`trimtab checkpoint\`.`
        : `Cannot read ${shown}: ${error instanceof Error ? error.message : error}.`,
    );
  }
  return null;
}

function isFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}
