/** Trims a session. A hook loads this module, so it must not import npm packages. */

import { readConfig } from "../config/read_config.ts";
import type { ContextConfig } from "../config/schema.ts";
import { gaugeUsage } from "../gauge/gauge.ts";
import { usesTrimtab } from "../store/paths.ts";
import { nonMessageTokens } from "../store/inside_record.ts";
import { readInsideRecord, readSessionState } from "../store/state.ts";
import { type TrimChoices, withConfig } from "../trim/trim_options.ts";
import {
  type SkippedTrim,
  type TrimSessionResult,
  trimUnlessTooSmall,
} from "../trim/trim_session.ts";
import { freedOf } from "../events/known_freed.ts";
import { locateSession, type SessionOptions, type SessionPlace } from "./place.ts";

export type { TrimChoices } from "../trim/trim_options.ts";

/** Options of a trim. */
export interface TrimAtOptions extends TrimChoices {
  /** Whether to list each cut with its reason. @default {false} */
  readonly explain?: boolean | undefined;
  /** Whether to report the effect without writing anything. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** Returns the time of the trim. @default {() => new Date()} */
  readonly now?: (() => Date) | undefined;
}

/** The session to trim, and options for the trim. */
export type TrimOptions = SessionOptions & TrimAtOptions;

/** Result of a trim. `output` is `null` if no copy was written because the trim would free too little. */
export type TrimResult = TrimSessionResult | SkippedTrim;

export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  const place = locateSession(options);
  const { context } = await readConfig(place);
  return await trimAt(place, context, options);
}

export async function trimAt(
  place: Omit<SessionPlace, "owner">,
  config: ContextConfig,
  options: TrimAtOptions,
): Promise<TrimResult> {
  const { session, projectDir, configDir } = place;
  const { explain = false, dryRun = false, now = () => new Date() } = options;
  const owner = { projectDir, configDir, sessionId: session.id };
  const state = readSessionState(owner);
  const { fill } = readInsideRecord(owner);
  const result = trimUnlessTooSmall({
    ...withConfig(options, config),
    session,
    gauge: (usage) => gaugeUsage(usage, { owner, config }),
    nonMessageTokens: fill && nonMessageTokens(fill.categories),
    explain,
    dryRun,
    now: now(),
  });
  if (result.dry_run) {
    // Stores the figures, so that warnings can mention them.
    const { tokens: { before: tokens } } = result;
    if (usesTrimtab(projectDir)) {
      await freedOf({ owner, transcript: session.path, tokens, config, state });
    }
  } else if (result.output !== null) {
    const { recordTrimmedCopy } = await import("./record_copy.ts");
    recordTrimmedCopy(projectDir, result, now());
  }
  return result;
}
