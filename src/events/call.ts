import type { ContextConfig } from "../config/schema.ts";
import { isObject, parseObject } from "../core/record.ts";
import { type EnvReader, findConfigDir, findProjectDir, isAbsolutePath } from "../store/paths.ts";
import { sessionStatePath, type StateOwner } from "../store/state.ts";

export interface HookDeps {
  readonly env: EnvReader;
  readonly now: () => number;
  readonly sleep?: (ms: number) => void;
}

export type PayloadObject = { readonly [key: string]: unknown };

export interface Call extends HookDeps {
  readonly payload: PayloadObject;
  readonly owner: StateOwner;
  readonly transcript: string | undefined;
  readonly configDir: string | undefined;
}

export interface Start extends Call {
  readonly source: string;
  /** The session that `/clear` replaced with this session; null if unknown. */
  readonly replacedId: string | null;
  readonly config: ContextConfig;
}

/** Matches entry points that run without a user present, such as `sdk-ts`. */
export const HEADLESS_ENTRYPOINT = /^sdk-/;

export function callOf(bytes: Uint8Array, deps: HookDeps): Call | null {
  const payload = parsePayload(bytes);
  const owner = ownerOf(payload, deps);
  if (!isAbsolutePath(owner.projectDir) || sessionStatePath(owner) === null) return null;
  const transcript = textOf(payload, "transcript_path");
  return { ...deps, payload, owner, transcript, configDir: findConfigDir(deps.env) };
}

/** Reads invalid input as a payload without fields, which every hook ignores. */
export function parsePayload(bytes: Uint8Array): PayloadObject {
  return parseObject(new TextDecoder().decode(bytes)) ?? {};
}

export function textOf(payload: PayloadObject, key: string): string | undefined {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function ownerOf(payload: PayloadObject, { env }: HookDeps): StateOwner {
  const sessionId = textOf(payload, "session_id") ?? "";
  // Only the status line's payload has a workspace.
  const { workspace } = payload;
  const startFolder = isObject(workspace) ? textOf(workspace, "project_dir") : undefined;
  const projectDir = findProjectDir({ cwd: textOf(payload, "cwd") ?? "", startFolder, env });
  return { projectDir, sessionId };
}

/** Whether a subagent made the call. A subagent's messages are not in the session's window. */
export function isSubagent({ payload }: Pick<Call, "payload">): boolean {
  return Object.hasOwn(payload, "agent_id") && payload["agent_id"] !== null;
}

export function isHeadless({ env }: HookDeps): boolean {
  return HEADLESS_ENTRYPOINT.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "");
}
