/** The facts about a session that starts. */

import type { ContextConfig } from "../config/schema.ts";
import type { EnvReader } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";

/** The event, as the client names it. */
export const EVENT = "SessionStart";

/** The client's entry points that no person looks at. */
export const HEADLESS_ENTRYPOINTS = /^sdk-/;

/** A prompt cache that has expired, as the client tells of it. */
export interface ColdCache {
  /** The tokens in context. */
  readonly tokens: unknown;
  /** The cost of writing them again, in dollars. */
  readonly cost: unknown;
}

export interface Start {
  /** The project and the session. */
  readonly owner: StateOwner;
  readonly configDir: string | undefined;
  /** Why it starts: startup, resume, clear, compact or fork. */
  readonly source: string;
  /** Its transcript; empty where the client does not tell. */
  readonly transcript: string;
  /** The session that was left for it by `/clear`; null where none is known. */
  readonly left: string | null;
  readonly config: ContextConfig;
  /** A prompt cache that has expired; left out where it has not. */
  readonly coldCache?: ColdCache | undefined;
  /** Whether no person looks at it. */
  readonly isHeadless: boolean;
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Where environment variables are looked up. */
  readonly env: EnvReader;
}
