import { findEpisodicMemory, startEpisodicMemorySync } from "./episodic_memory.ts";
import { handoffTemplate } from "../saved/views/handoff.ts";
import { type RolledOver, rollOver } from "../saved/lineage/roll_over.ts";
import { gaugeSession } from "../gauge/session_pressure.ts";
import { readableWorkState, sessionWorkState } from "../saved/session.ts";
import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to end, and the handoff. */
export interface RolloverOptions extends SessionOptions {
  /** The handoff as Markdown. @default {the earlier handoff, or one generated from the work state} */
  readonly summary?: string | undefined;
  /** The issue in progress, such as `#42`. @default {the issue of the handoff that the session received} */
  readonly issue?: string | undefined;
  /** Whether the handoff remains available after a session claims it. @default {false} */
  readonly keep?: boolean;
  /** Whether a headless session may claim the handoff. @default {false} */
  readonly forHeadless?: boolean;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** The result of a rollover. */
export interface RolloverResult extends RolledOver {
  /** A sentence that states whether a sync of episodic-memory was started. */
  readonly episodic_memory: string;
}

export async function rollover(options: RolloverOptions = {}): Promise<RolloverResult> {
  const { summary = null, issue, keep = false, forHeadless = false, now } = options;
  const place = locateSession(options);
  const { session: { path: transcript }, configDir, owner } = place;
  const { context: config } = await readConfig(place);
  const command = findEpisodicMemory();
  const done = rollOver({
    owner,
    transcript,
    summary,
    percent: gaugeSession({ transcript, owner, config }).percent,
    configDir,
    retentionDays: config.retention_days,
    now: () => (now?.() ?? new Date()).getTime(),
    ...(issue === undefined ? {} : { issue }),
    keep,
    forHeadless,
    hasEpisodicMemory: command !== null,
    // Without a summary, an unreadable session is an error, because the handoff would be empty.
    state: summary === null ? readableWorkState({ owner, transcript, configDir }) : undefined,
  });
  return { ...done, episodic_memory: startEpisodicMemorySync(command) };
}

export function handoff(options: SessionOptions = {}): { readonly template: string } {
  const { session, projectDir, configDir, owner } = locateSession(options);
  const state = sessionWorkState({ owner, transcript: session.path, configDir });
  return { template: handoffTemplate(state, projectDir) };
}
