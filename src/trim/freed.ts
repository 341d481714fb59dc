/**
 * What each way out of a full window would free, found by dry runs and written down for those who
 * have no time for one.
 *
 * @module
 */

import { MAX_CONTEXT_CHARS } from "../inject/bound.ts";
import type { FreedRecord, StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";
import { CHARACTERS_PER_TOKEN } from "../transcript/tokens/tokens.ts";
import { trimSession, type TrimSessionOptions, type TrimSessionResult } from "./trim_session.ts";

/** A larger session is not looked through between two turns, in bytes. */
const MAX_MEASURED_BYTES = 64 * 1024 * 1024;

/** How long the state of the session is waited for, in milliseconds. */
const WAIT_MS = 500;

/** Works out what each way would free, and a light trim's dry run whole; null for too large a file. */
export function measureFreed(
  options: TrimSessionOptions,
): { record: FreedRecord; light: TrimSessionResult } | null {
  const bytes = Deno.statSync(options.session.path).size;
  if (bytes > MAX_MEASURED_BYTES) return null;
  const light = trimSession({ ...options, depth: "light", dryRun: true });
  const deep = trimSession({ ...options, depth: "deep", dryRun: true });
  const { tokens } = light;
  const record: FreedRecord = {
    at_tokens: tokens.before,
    light: freedBy(light),
    deep: freedBy(deep),
    rollover: freedByRollover(light),
    bytes,
    cache_ttl_seconds: light.cache_ttl_seconds ?? null,
    newest_at: light.newest_at ?? null,
  };
  return { record, light };
}

/** Writes a record down; whoever cannot write has to look again the next time. */
export function noteFreed(owner: StateOwner, record: FreedRecord): void {
  try {
    updateSessionState(owner, () => ({ freed: record }), { waitMs: WAIT_MS });
  } catch {
    // A project that cannot be written to: nothing depends on the record.
  }
}

function freedBy({ tokens }: TrimSessionResult): number {
  return Math.max(0, tokens.before - tokens.after);
}

/** A rollover leaves the system prompt, the tools, and at most a handoff's length of what was said. */
function freedByRollover({ context_chars: chars, tokens, estimate }: TrimSessionResult): number {
  const left = Math.max(0, chars.before - MAX_CONTEXT_CHARS);
  return Math.min(tokens.before, Math.round(left / CHARACTERS_PER_TOKEN * estimate.scale));
}
