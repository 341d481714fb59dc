/** The end of a session in the lineage. Loaded only where something is kept of a project. */

import { hookConfig } from "../config/read_config.ts";
import { gaugeSession } from "../gauge/session_pressure.ts";
import { endSessionIfKnown } from "../lineage/end.ts";
import type { EnvReader } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";

export interface End {
  /** The project and the session. */
  readonly owner: StateOwner;
  /** Its transcript; undefined where the client does not tell. */
  readonly transcript: string | undefined;
  /** Claude Code's configuration folder; undefined where there is none. */
  readonly configDir: string | undefined;
  /** Whether it is left for a new one. */
  readonly isCleared: boolean;
  readonly now: Date;
  /** Where environment variables are looked up. */
  readonly env: EnvReader;
}

/** Writes down how a session ended, if the lineage knows it or the one that it was forked from. */
export async function writeEnd(end: End): Promise<void> {
  const { projectDir, sessionId } = end.owner;
  const row = {
    projectDir,
    sessionId,
    reason: end.isCleared ? "clear" : "exit",
    contextAtEnd: await percentOf(end),
    now: end.now,
  } as const;
  if (endSessionIfKnown(row)) return;
  const { writeFork } = await import("./fork.ts");
  writeFork(row, { transcript: end.transcript ?? "", env: end.env });
}

async function percentOf({ owner, transcript, configDir, env }: End): Promise<number | null> {
  if (transcript === undefined) return null;
  const place = { projectDir: owner.projectDir, configDir };
  const { config } = await hookConfig(place);
  return gaugeSession({ transcript, owner, config: config.context, env }).percent;
}
