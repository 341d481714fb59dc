/** A log of what trimtab did, for programs that watch a project. */

import { addToLogSync } from "../store/log.ts";
import { joinPath, projectOf } from "../store/paths.ts";
import { redactSecrets } from "../secrets/redact.ts";

export const EVENTS_FILE = ".claude/trimtab/events.jsonl";

const MAX_EVENT_BYTES = 64 * 1024;

/** Something that happened. */
export interface TrimtabEvent {
  /** The kind of event, in a word. */
  readonly type: string;
  /** Its details. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The part of trimtab that tells it. */
  readonly source: string;
}

/** Where and when an event is written down. */
export interface EmitEventOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** When it happened. @default {new Date()} */
  readonly now?: Date;
  /** The size at which the log starts anew, in bytes. @default {1048576} */
  readonly maxBytes?: number;
}

/**
 * Writes down an event: one line at the end of the project's log, in one write, so that the lines of
 * several writers never mix. Credentials in the payload are left out.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab`.
 *
 * @param event What happened.
 * @param options Where and when.
 * @returns The path of the log.
 * @throws {RangeError} When the event is too large.
 * @throws {Error} Whatever the system says when the log cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { emitEvent } from "./log.ts";
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
  const { type, source, payload } = event;
  const json = JSON.stringify({ type, source, timestamp: now.toISOString(), payload }, screen);
  const line = `${json}\n`;
  const { length } = new TextEncoder().encode(line);
  if (length > MAX_EVENT_BYTES) {
    throw new RangeError(
      `Cannot write event ${JSON.stringify(type)}: it has ${length} bytes, ` +
        `expected at most ${MAX_EVENT_BYTES}`,
    );
  }
  const path = joinPath(projectOf(options), EVENTS_FILE);
  addToLogSync(path, line, options);
  return path;
}

function screen(_name: string, value: unknown): unknown {
  return typeof value === "string" ? redactSecrets(value) : value;
}
