/**
 * Writes down what a trim and a rollover would free, so that warnings can say it.
 *
 * @module
 */

import type { ContextConfig } from "../src/config/schema.ts";
import type { SettingsPlace } from "../src/pressure/compaction_settings.ts";
import type { EnvReader } from "../src/store/paths.ts";
import type { SessionState, StateOwner } from "../src/store/state.ts";

/** A session whose window has filled up. */
interface FilledSession {
  readonly owner: StateOwner;
  readonly transcript: string;
  readonly place: SettingsPlace;
  readonly config: ContextConfig;
  readonly state: SessionState;
  readonly env: EnvReader;
}

/** Measures and writes down; what cannot be measured stays without a record. */
export async function recordFreed(filled: FilledSession): Promise<void> {
  const { owner, transcript, place, config, state, env } = filled;
  try {
    const { measureFreed, noteFreed } = await import("../src/trim/freed.ts");
    const found = measureFreed({
      session: { id: owner.sessionId, path: transcript },
      place,
      threshold: config.trim_threshold_chars,
      targetTools: config.trim_target_tools,
      keepRecent: config.trim_keep_recent,
      window: {
        configured: config.window_tokens ?? undefined,
        recorded: state.window_tokens,
        env,
      },
    });
    if (found !== null) noteFreed(owner, found.record);
  } catch (error) {
    // A warning without figures is better than a turn that ends with an error of ours.
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}
