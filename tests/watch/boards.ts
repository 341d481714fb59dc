/**
 * A project with a blackboard, for the tests of this folder.
 *
 * @module
 */

import { blackboardPath } from "../../src/watch/board_path.ts";
import "../own_config.ts";

/** An hour of a day on which nothing happened. */
export const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");

/** A project of one test. */
export interface BoardProject extends Disposable {
  /** Its folder. */
  readonly projectDir: string;
  /** Its blackboard. */
  readonly path: string;
  /** Whose blackboard, and when. */
  readonly options: { readonly projectDir: string; readonly nowMs: number };
}

/** Makes a project; disposing of it removes it. */
export function newProject(): BoardProject {
  const projectDir = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-fleet-" }));
  return {
    projectDir,
    path: blackboardPath(projectDir),
    options: { projectDir, nowMs: NOW_MS },
    [Symbol.dispose]: () => Deno.removeSync(projectDir, { recursive: true }),
  };
}

/** The id of a session that is easy to read. */
export function sessionId(n: number): string {
  return `${String(n).repeat(8).slice(0, 8)}-0000-4000-8000-000000000000`;
}
