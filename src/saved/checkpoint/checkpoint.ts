/** The Markdown of a checkpoint: a view for people, which is not read back. */

import { foldState } from "./merge.ts";
import { oneLine } from "./item.ts";
import { endMarker } from "./sections.ts";
import { renderSections } from "./render_sections.ts";
import { mergeNotes } from "./notes.ts";
import type { CheckpointMeta } from "./meta.ts";
import type { WorkState } from "../../extract/work_state.ts";

/** Options of {@linkcode renderCheckpoint}. */
export interface RenderOptions {
  /** The folder of the project: paths inside it are shown without it. */
  readonly projectDir: string;
  /** Markdown with what only the model or the user knows; see {@linkcode mergeNotes}. */
  readonly notes?: string;
}

/** No checkpoint is longer, in UTF-16 code units. */
export const MAX_CHECKPOINT_CHARS = 48_000;

/** The most characters of a project's path, of an id and of other texts in the front matter. */
const MAX_PROJECT_CHARS = 1_000;
const MAX_ID_CHARS = 64;
const MAX_META_CHARS = 300;

const MAX_TASK_CHARS = 80;

/** Left as it is by JSON, and taken for the end of a line, or not shown, by other readers. */
const UNSEEN =
  /[\u{7f}-\u{9f}\u{ad}\u{2028}\u{2029}]|[\u{200b}-\u{200f}\u{202a}-\u{202e}]|[\u{2060}-\u{206f}\u{feff}]/gu;

/**
 * Words a work state as a checkpoint.
 *
 * Every fact is one line that ends in where it came from; a text that is quoted over several lines
 * has a mark before each. Nothing in the state can become a heading, front matter or the end of the
 * file. What does not fit is left out, the least recent first, and the section says how much.
 *
 * @param state What the session was doing.
 * @param meta The front matter; a summary that is missing is made.
 * @param options The project, and notes to merge.
 * @returns The file's text, at most {@linkcode MAX_CHECKPOINT_CHARS} long.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { renderCheckpoint } from "./checkpoint.ts";
 * import { extractFromEntries } from "../../extract/extract_state.ts";
 *
 * const from = { uuid: null, line: 7 };
 * const state = { ...extractFromEntries([]), learnings: [{ text: "It is slow", from }] };
 * const text = renderCheckpoint(state, {
 *   id: "2025-12-20-143022",
 *   created: "2025-12-20T14:30:22Z",
 *   trigger: "manual",
 *   project: "/p",
 *   session_id: "b82405ba-0000-4000-8000-000000000000",
 *   iteration: 1,
 *   verified: false,
 *   usage_percent: 61,
 *   parent: null,
 * }, { projectDir: "/p" });
 * assert(text.includes("## Learnings\n\n- It is slow (line 7)\n"));
 * assert(text.endsWith("<!-- trimtab: end of checkpoint 2025-12-20-143022 -->\n"));
 * ```
 */
export function renderCheckpoint(
  state: WorkState,
  meta: CheckpointMeta,
  options: RenderOptions,
): string {
  const { projectDir, notes } = options;
  const noted = notes === undefined ? state : mergeNotes(state, notes, projectDir);
  const whole = foldState(noted, projectDir);
  const partial = oneLine(meta.partial ?? whole.partial, MAX_META_CHARS);
  const front = frontMatter([
    ["id", oneLine(meta.id, MAX_ID_CHARS)],
    ["created", oneLine(meta.created, MAX_ID_CHARS)],
    ["trigger", meta.trigger],
    ["project", meta.project.replaceAll(/\p{Cc}/gu, "").slice(0, MAX_PROJECT_CHARS)],
    ["session_id", oneLine(meta.session_id, MAX_ID_CHARS)],
    ["iteration", meta.iteration],
    ["verified", meta.verified],
    ["usage_percent", meta.usage_percent],
    ["parent", meta.parent === null ? null : oneLine(meta.parent, MAX_ID_CHARS)],
    ...(partial === "" ? [] : [["partial", partial] as const]),
    ["summary", oneLine(meta.summary ?? summaryOf(whole), MAX_META_CHARS)],
  ]);
  return `${front}\n${renderSections(whole, projectDir)}\n${endMarker(meta.id)}\n`;
}

export function summaryOf(state: WorkState): string {
  const task = oneLine(state.requirements[0]?.text ?? "", MAX_TASK_CHARS) || "No task recorded";
  const files = new Set(state.changes.map(({ file }) => file).filter((file) => file !== ".")).size;
  return `${task} - ${files} ${files === 1 ? "file" : "files"} modified`;
}

/** Values are JSON: YAML reads them the same, and nothing in them ends a line. */
function frontMatter(fields: readonly (readonly [string, unknown])[]): string {
  const lines = fields.map(([name, value]) =>
    `${name}: ${JSON.stringify(value).replaceAll(UNSEEN, escaped)}\n`
  );
  return `---\n${lines.join("")}---\n`;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
