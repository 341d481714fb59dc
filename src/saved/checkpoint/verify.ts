/** Whether a checkpoint is there and whole. */

import { type CheckpointMeta, parseCheckpoint } from "./parse.ts";
import { endMarker, isEndMarker, MAX_CHECKPOINT_BYTES, REQUIRED_SECTIONS } from "./sections.ts";
import { readTextSync } from "../../store/read_file.ts";

/** What a look at a checkpoint's file has shown. */
export interface CheckpointVerdict {
  /** The file. */
  readonly path: string;
  /** Whether the file is there, whole, and a checkpoint. */
  readonly valid: boolean;
  /** What is wrong, in sentences that say what to do. */
  readonly problems: readonly string[];
  /** The front matter, where it can be read. */
  readonly meta: CheckpointMeta | null;
}

/**
 * Checks a checkpoint: the file is there, its front matter has its fields, its sections are there,
 * and nothing is missing at its end. Whether it was verified before does not matter.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The file.
 * @returns What was found; a file that cannot be read is a problem, not an error.
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
  const read = readText(path);
  if (read.problem !== null) return { path, valid: false, problems: [read.problem], meta: null };
  const { meta, sections, problems: found } = parseCheckpoint(read.text);
  const problems = [...found];
  for (const name of REQUIRED_SECTIONS) {
    if (!sections.has(name)) problems.push(`Section "## ${name}" is missing; save it again.`);
  }
  const last = read.text.trimEnd().split(/[\r\n]/).at(-1) ?? "";
  if (meta !== null && !isEndMarker(last) && !/^id:/m.test(read.text)) {
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
  return { path, valid: problems.length === 0, problems, meta };
}

function readText(path: string): { text: string; problem: string | null } {
  const shown = JSON.stringify(path);
  try {
    const info = Deno.statSync(path);
    if (!info.isFile) {
      return { text: "", problem: `${shown} is no file; name the checkpoint's own file.` };
    }
    if (info.size > MAX_CHECKPOINT_BYTES) {
      return { text: "", problem: `${shown} is much larger than a checkpoint; save it again.` };
    }
    return { text: readTextSync(path, MAX_CHECKPOINT_BYTES), problem: null };
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    const problem = isMissing
      ? `There is no file ${shown}; save a checkpoint with \`trimtab checkpoint\`.`
      : `Cannot read ${shown}: ${error instanceof Error ? error.message : error}.`;
    return { text: "", problem };
  }
}
