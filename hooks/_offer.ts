/** Tells a user once of live shaping, at the first flood that it would have kept out of the context. */

import { configFiles, MAX_CONFIG_FILE_BYTES } from "../src/config/files.ts";
import { DEFAULT_CONFIG } from "../src/config/schema.ts";
import { isTarget } from "../src/live/target.ts";
import { findConfigDir, joinPath } from "../src/store/paths.ts";
import { readTextSync } from "../src/store/read_file.ts";
import { isSubagent, ownerOf } from "./_owner.ts";
import { type HookDeps, isPayloadObject, parsePayload, textOf } from "./_payload.ts";

/** A payload has no more calls than this that are looked at. */
const MAX_CALLS = 100;

const { live: LIVE } = DEFAULT_CONFIG;

/** Adds an offer to what the hook says otherwise, where it was never made and nobody has decided. */
export async function withOffer(said: string, bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const configDir = findConfigDir(deps.env);
  if (configDir === undefined || isThere(joinPath(configDir, "trimtab", "told", "live"))) {
    return said;
  }
  // Where no person looks at it, it would be told to nobody.
  if (/^sdk-/.test(deps.env("CLAUDE_CODE_ENTRYPOINT") ?? "")) return said;
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  if (payload === null || owner === null || isSubagent(payload)) return said;
  const calls = Array.isArray(payload["tool_calls"]) ? payload["tool_calls"] : [];
  const floods = calls.slice(0, MAX_CALLS).flatMap(floodOf);
  if (floods.length === 0 || isDecided(owner.projectDir, configDir)) return said;
  const { offerWords } = await import("./_offer_words.ts");
  return offerWords(said, floods, { projectDir: owner.projectDir, configDir });
}

/** An output that is shaped where that is switched on. */
export interface Flood {
  readonly tool: string;
  readonly text: string;
}

function floodOf(call: unknown): Flood[] {
  if (!isPayloadObject(call)) return [];
  const [tool, text] = [textOf(call, "tool_name"), textOf(call, "tool_response")];
  const isLong = text !== undefined && text.length > LIVE.max_chars;
  return isLong && tool !== undefined && isTarget(tool, LIVE.tools) ? [{ tool, text }] : [];
}

/** A configuration that names it has switched it on, or off. */
function isDecided(projectDir: string, configDir: string): boolean {
  return configFiles({ projectDir, configDir }).some(({ path }) => {
    try {
      return readTextSync(path, MAX_CONFIG_FILE_BYTES).includes("live");
    } catch (error) {
      // An unreadable file may say anything.
      return !(error instanceof Deno.errors.NotFound);
    }
  });
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
