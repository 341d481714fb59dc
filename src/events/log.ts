/** Logs trimtab's actions for programs that watch a project. */

import { addToLogSync } from "../store/log.ts";
import { joinPath } from "../store/paths.ts";
import { redactSecrets } from "../secrets/redact.ts";

export const EVENTS_FILE = ".claude/trimtab/events.jsonl";

const MAX_EVENT_BYTES = 64 * 1024;

/** These names are part of the public design. */
export const AUTO_COMPACTION = {
  type: "auto_compaction_complete",
  source: "auto-compaction-manager",
};

/** An action that trimtab took. */
export interface TrimtabEvent {
  /** The kind of event, in one word. */
  readonly type: string;
  /** Details of the event. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The part of trimtab that reports the event. */
  readonly source: string;
}

/** Writes the line in one call, so that lines of concurrent writers never interleave. */
export function addEvent(
  event: TrimtabEvent,
  options: { readonly projectDir: string; readonly now: Date; readonly maxBytes?: number },
): string {
  const { type, source, payload } = event;
  const json = JSON.stringify(
    { type, source, timestamp: options.now.toISOString(), payload },
    (_, value: unknown) => typeof value === "string" ? redactSecrets(value) : value,
  );
  const line = `${json}\n`;
  const { length } = new TextEncoder().encode(line);
  if (length > MAX_EVENT_BYTES) {
    throw new RangeError(
      `Cannot write event ${JSON.stringify(type)}: it has ${length} bytes, ` +
        `expected at most ${MAX_EVENT_BYTES}`,
    );
  }
  const path = joinPath(options.projectDir, EVENTS_FILE);
  addToLogSync(path, line, options);
  return path;
}
