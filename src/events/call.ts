/** An event from the client. */

import type { ContextConfig } from "../config/schema.ts";
import { isObject } from "../core/record.ts";
import { type EnvReader, findConfigDir, findProjectDir, isAbsolutePath } from "../store/paths.ts";
import { sessionStatePath, type StateOwner } from "../store/state.ts";

/** The surroundings of a hook; tests pass their own. */
export interface HookDeps {
  readonly env: EnvReader;
  /** The current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Blocks for a time in milliseconds. */
  readonly sleep?: (ms: number) => void;
}

export type PayloadObject = { readonly [key: string]: unknown };

export interface Call extends HookDeps {
  readonly payload: PayloadObject;
  readonly owner: StateOwner;
  /** The transcript's path; undefined if the client did not send it. */
  readonly transcript: string | undefined;
  /** Claude Code's configuration folder; undefined if not found. */
  readonly configDir: string | undefined;
}

export interface Start extends Call {
  /** Why the session starts: startup, resume, clear, compact or fork. */
  readonly source: string;
  /** The session that `/clear` replaced by this one; null if unknown. */
  readonly left: string | null;
  readonly config: ContextConfig;
}

/** Entry points of the client that run without a user. */
export const HEADLESS_ENTRYPOINTS = /^sdk-/;

/** Reads an event; null if it lacks a project or a valid session id. */
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
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
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

/**
 * Whether a subagent sent the event. It has a window of its own, and the session does not see its messages.
 */
export function isSubagent({ payload }: Pick<Call, "payload">): boolean {
  return Object.hasOwn(payload, "agent_id") && payload["agent_id"] !== null;
}

export function isHeadless({ env }: HookDeps): boolean {
  return HEADLESS_ENTRYPOINTS.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "");
}
