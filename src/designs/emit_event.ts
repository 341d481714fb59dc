/** The log of events, for programs. */

import { addEvent, type TrimtabEvent } from "../events/log.ts";
import { projectOf } from "../store/paths.ts";

/** The project and the time of an event. */
export interface EmitEventOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** When it happened. @default {new Date()} */
  readonly now?: Date;
  /** Size at which a new log is started, in bytes. @default {1048576} */
  readonly maxBytes?: number;
}

/**
 * Writes down an event: one line at the end of the project's log, in one write, so that the lines of
 * several writers never mix. Credentials in the payload are left out.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab`.
 *
 * @param event The event.
 * @param options The project and the time.
 * @returns The path of the log.
 * @throws {RangeError} When the event is too large.
 * @throws {Error} Whatever the system says when the log cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { emitEvent } from "./emit_event.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const now = new Date("2026-03-01T14:35:22Z");
 * const path = emitEvent({ type: "saved", payload: { n: 1 }, source: "me" }, { projectDir, now });
 * assertEquals(
 *   Deno.readTextFileSync(path),
 *   '{"type":"saved","source":"me","timestamp":"2026-03-01T14:35:22.000Z","payload":{"n":1}}\n',
 * );
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function emitEvent(event: TrimtabEvent, options: EmitEventOptions = {}): string {
  const { now = new Date() } = options;
  return addEvent(event, { ...options, projectDir: projectOf(options), now });
}
