import { addEvent, type TrimtabEvent } from "../events/log.ts";
import { projectOf } from "../store/paths.ts";

/** Options for {@linkcode emitEvent}. */
export interface EmitEventOptions {
  /** The project's folder. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** Time of the event. @default {new Date()} */
  readonly now?: Date;
  /** Size at which the log is rotated, in bytes. @default {1048576} */
  readonly maxBytes?: number;
}

/**
 * Appends an event to the project's log as one line, in a single write, so that lines of concurrent
 * writers never mix. Credentials in the payload are redacted.
 *
 * Permissions: `--allow-read` for `<project>/.claude`, `--allow-write` for `<project>/.claude/trimtab`; to find the
 * project also `--allow-env`.
 *
 * @returns The path of the log.
 * @throws {RangeError} When the event is too large.
 * @throws {Error} When the log cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { emitEvent } from "./emit_event.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const path = emitEvent({ type: "saved", payload: { n: 1 }, source: "me" }, { projectDir });
 * assertEquals(JSON.parse(Deno.readTextFileSync(path)).payload, { n: 1 });
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function emitEvent(event: TrimtabEvent, options: EmitEventOptions = {}): string {
  const { now = new Date() } = options;
  return addEvent(event, { ...options, projectDir: projectOf(options), now });
}
