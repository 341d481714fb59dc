/**
 * trimtab keeps a Claude Code session's context window healthy. Each command is a verb here, with the
 * same options, result and errors: it finds the session, the project and the configuration itself.
 *
 * A verb loads its code when it is called, so that importing this module costs next to nothing. The
 * names that the designs fix are in `@trimtab/trimtab/designs`.
 *
 * @module
 */

import type { StatusOptions, StatusResult } from "./src/verbs/status.ts";
import type { TrimOptions, TrimResult } from "./src/verbs/trim.ts";

export type { PlaceOptions } from "./src/verbs/place.ts";
export type { StatusChart, StatusOptions, StatusResult, TrimOutlook } from "./src/verbs/status.ts";
export type { OwnedFiles } from "./src/trim/owned.ts";
export type { BeforeAfter, ExplainedCut, ToolSavings, TrimCounts } from "./src/trim/trim_result.ts";
export type { TrimSessionResult, VainTrim } from "./src/trim/trim_session.ts";
export type { TrimWorth } from "./src/trim/worth.ts";
export type { TrimAtOptions, TrimChoices, TrimOptions, TrimResult } from "./src/verbs/trim.ts";

/**
 * Reads how full a session's window is, and what to do about it.
 *
 * Permissions: `--allow-read` for the transcript and the folders of trimtab and Claude Code,
 * `--allow-env`; `--allow-write` for `<project>/.claude/trimtab`, where it keeps what it worked out.
 *
 * @param options Which session.
 * @returns Tokens, window, limit, percent, level, and what a trim would free.
 * @throws {Error} When there is no such session.
 */
export async function status(options: StatusOptions = {}): Promise<StatusResult> {
  return await (await import("./src/verbs/status.ts")).status(options);
}

/**
 * Writes a smaller copy of a session under a new id beside it, with its task list and edit history, and
 * records it in the lineage. The session itself is only read.
 *
 * Permissions: as {@linkcode status}, and `--allow-write` for the session's folder and for `tasks` and
 * `file-history` of Claude Code's configuration folder.
 *
 * @param options Which session, and how to trim it.
 * @returns What was cut, the copy, and tokens before and after. `output` is `null` where a copy would
 * have freed next to nothing; `instead` then has what would free more.
 * @throws {Error} When there is no such session.
 * @throws {RangeError} When a number is out of range, or a glob is empty.
 * @throws {TypeError} When `tools` is a string.
 */
export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  return await (await import("./src/verbs/trim.ts")).trim(options);
}
