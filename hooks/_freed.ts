/**
 * Writes down what a trim and a rollover would free, so that warnings can say it.
 *
 * @module
 */

import type { ContextConfig } from "../src/config/schema.ts";
import { isFresh } from "../src/pressure/advice.ts";
import type { SessionState, StateOwner } from "../src/store/state.ts";

/** A session whose window has filled up. */
interface FilledSession {
  readonly owner: StateOwner;
  readonly transcript: string;
  readonly tokens: number;
  readonly config: ContextConfig;
  readonly state: SessionState;
}

/** Measures and writes down where that is out of date; what cannot be measured stays without. */
export async function recordFreed(filled: FilledSession): Promise<void> {
  const { owner, transcript, tokens, config, state } = filled;
  if (isFresh(state.freed, tokens)) return;
  try {
    const { measureFreed, noteMeasured } = await import("../src/trim/freed.ts");
    const found = measureFreed({
      input: transcript,
      threshold: config.trim_threshold_chars,
      targetTools: config.trim_target_tools,
      keepRecent: config.trim_keep_recent,
    });
    if (found !== null) noteMeasured(owner, found);
  } catch (error) {
    // A warning without figures is better than a turn that ends with an error of ours.
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}
