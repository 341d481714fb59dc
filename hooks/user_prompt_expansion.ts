/**
 * UserPromptExpansion: answers `/trim` with the result itself. No request is made, so it works when
 * the window is already over-full.
 *
 * @module
 */

import { existsSync } from "@std/fs";
import { readHookConfig } from "../src/config/cached.ts";
import { findConfigDir, findProjectDir } from "../src/store/paths.ts";
import { readSessionState } from "../src/store/state.ts";
import { findSession, readStartedIn } from "../src/transcript/find.ts";
import { describeTrim } from "../src/trim/report_text.ts";
import { flagOf, helpText, TRIM_SPEC } from "../scripts/_spec.ts";
import { trimSettings } from "../scripts/_trim.ts";
import { messageOf } from "../scripts/_trouble.ts";
import { parseArguments, splitArguments } from "./_arguments.ts";

/** The plugin's own command; another plugin's `/trim` is none of our business. */
const COMMAND = "trimtab:trim";

/** No payload is larger, in bytes. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/**
 * Answers a payload.
 *
 * @param payload The payload as parsed.
 * @returns What the client is told, or `undefined` for nothing.
 */
export async function answer(payload: Record<string, unknown>): Promise<unknown> {
  if (payload.command_name !== COMMAND) return undefined;
  return { decision: "block", reason: await trim(payload) };
}

async function trim(payload: Record<string, unknown>): Promise<string> {
  try {
    const typed = typeof payload.command_args === "string" ? payload.command_args : "";
    const args = parseArguments(TRIM_SPEC, splitArguments(typed));
    if (flagOf(args, "help")) return helpText(TRIM_SPEC);
    // Loaded late: the engine is worth its start-up only once there is something to trim.
    const { trimSession } = await import("../src/trim/trim_session.ts");
    const [given] = args.positionals;
    const own = typeof payload.transcript_path === "string" ? payload.transcript_path : "";
    if (given === undefined && (own === "" || !existsSync(own))) {
      return "There is nothing to trim yet: the client has not written anything of this session.";
    }
    const cwd = typeof payload.cwd === "string" ? payload.cwd : Deno.cwd();
    const configDir = findConfigDir();
    const session = findSession(given ?? own, { configDir, cwd });
    const projectDir = findProjectDir({ cwd, startedIn: readStartedIn(session.path) });
    const { config, notice } = readHookConfig({ projectDir, configDir });
    const state = readSessionState({ projectDir, sessionId: session.id });
    const result = trimSession({ session, ...trimSettings(args, config.context, state) });
    const note = notice === null ? "" : `\n${notice}`;
    return flagOf(args, "json") ? JSON.stringify(result) : describeTrim(result) + note;
  } catch (error) {
    return `trimtab could not trim. ${messageOf(error)}`;
  }
}

function readPayload(): Record<string, unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = Deno.stdin.readSync(buffer);
    if (count === null || size > MAX_PAYLOAD_BYTES) break;
    chunks.push(buffer.slice(0, count));
    size += count;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof value === "object" && value !== null ? { ...value } : {};
}

if (import.meta.main) {
  try {
    const said = await answer(readPayload());
    if (said !== undefined) {
      Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(said) + "\n"));
    }
  } catch {
    // Not a payload: nothing to answer, and no reason to stop the user.
  }
}
