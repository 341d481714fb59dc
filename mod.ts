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

export type { PlaceOptions } from "./src/verbs/place.ts";
export type { StatusChart, StatusOptions, StatusResult, TrimOutlook } from "./src/verbs/status.ts";

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
