/** An event from the client. */

import type { ContextConfig } from "../config/schema.ts";
import { type EnvReader, findConfigDir, findProjectDir, isAbsolutePath } from "../store/paths.ts";
import { sessionStatePath, type StateOwner } from "../store/state.ts";

/** The surroundings of a hook; a test hands in its own. */
export interface HookDeps {
  /** Looks up an environment variable. */
  readonly env: EnvReader;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Waits, in milliseconds. */
  readonly sleep?: (ms: number) => void;
}

/** Any JSON object. */
export type PayloadObject = { readonly [key: string]: unknown };

export interface Call extends HookDeps {
  readonly payload: PayloadObject;
  /** The project and the session. */
  readonly owner: StateOwner;
  /** The transcript; undefined where the client does not tell. */
  readonly transcript: string | undefined;
  /** Claude Code's configuration folder; undefined where there is none. */
  readonly configDir: string | undefined;
}

/** A session starts. */
export interface Start extends Call {
  /** Why it starts: startup, resume, clear, compact or fork. */
  readonly source: string;
  /** The session that was left for it by `/clear`; null where none is known. */
  readonly left: string | null;
  readonly config: ContextConfig;
}

/** The client's entry points that no person looks at. */
export const HEADLESS_ENTRYPOINTS = /^sdk-/;

/** Reads an event; null where it names no session of a project. */
export function callOf(bytes: Uint8Array, deps: HookDeps): Call | null {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  if (payload === null || owner === null) return null;
  const transcript = textOf(payload, "transcript_path");
  return { ...deps, payload, owner, transcript, configDir: findConfigDir(deps.env) };
}

export function parsePayload(bytes: Uint8Array): PayloadObject | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isPayloadObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isPayloadObject(value: unknown): value is PayloadObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(payload: PayloadObject, key: string): string | undefined {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function ownerOf(payload: PayloadObject, { env }: HookDeps): StateOwner | null {
  const sessionId = textOf(payload, "session_id") ?? "";
  const projectDir = findProjectDir({ cwd: textOf(payload, "cwd") ?? "", env });
  const owner = { projectDir, sessionId };
  return isAbsolutePath(projectDir) && sessionStatePath(owner) !== null ? owner : null;
}

/** Whether the event is of a subagent, whose window is its own: the session does not hear its words. */
export function isSubagent({ payload }: Pick<Call, "payload">): boolean {
  return Object.hasOwn(payload, "agent_id") && payload["agent_id"] !== null;
}

/** Whether no person looks at the session. */
export function isHeadless({ env }: HookDeps): boolean {
  return HEADLESS_ENTRYPOINTS.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "");
}
