/**
 * Prints the client's status line, and records figures that only the client has. The client runs this command
 * after every answer, so it loads the option parser only if there are options, and it never fails.
 */

import { readPayload, SYSTEM_DEPS, writeAll } from "../hooks/_payload.ts";
import { isCount, isObject } from "../src/core/record.ts";
import {
  type HookDeps,
  ownerOf,
  parsePayload,
  type PayloadObject,
  textOf,
} from "../src/events/call.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { hookConfig } from "../src/config/read_config.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { isFresh } from "../src/gauge/advice.ts";
import { judgeUsage, type PressureFacts, type SessionPressure } from "../src/gauge/judge.ts";
import { drawStatusLine, type StatusLine } from "../src/gauge/status_line.ts";
import {
  readInsideRecord,
  readSessionState,
  type SessionState,
  type StateOwner,
} from "../src/store/state.ts";
import { recordState } from "../src/store/state_update.ts";

export const SPEC = {
  name: "statusline",
  notes: [
    "It always exits 0, and prints an empty line for invalid input. It obeys NO_COLOR and COLUMNS.",
  ],
};

const DEFAULT_COLUMNS = 80;

interface ClientWindow {
  readonly tokens: number | null;
  readonly window: number | null;
}

const KEYS = "session_id model tokens window limit percent level last_checkpoint".split(" ");

const NO_OUTPUT: StatusLineOutput = {
  text: "",
  json: Object.fromEntries(KEYS.map((key) => [key, null])),
};

interface StatusLineOutput {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export async function run(argv: readonly string[]): Promise<number> {
  const answer = () => statusLine(readPayload(Deno.stdin), SYSTEM_DEPS);
  if (argv.length > 0) {
    const { command } = await import("../cli/command.ts");
    return command(SPEC, answer)(argv);
  }
  writeAll(`${(await answer()).text}\n`);
  return 0;
}

export async function statusLine(bytes: Uint8Array, deps: HookDeps): Promise<StatusLineOutput> {
  try {
    return await describe(parsePayload(bytes), deps);
  } catch {
    // The client would show an error in place of the status line.
    return NO_OUTPUT;
  }
}

async function describe(payload: PayloadObject, deps: HookDeps): Promise<StatusLineOutput> {
  const owner = ownerOf(payload, deps);
  const client = clientWindow(payload["context_window"]);
  const place = { projectDir: owner.projectDir, configDir: findConfigDir(deps.env) };
  const { config } = await hookConfig(place);
  const state = readSessionState(owner);
  const model = isObject(payload["model"]) ? payload["model"] : {};
  const figures = figuresOf(client, {
    config: config.context,
    env: deps.env,
    place,
    state,
    inside: readInsideRecord(owner),
    model: textOf(model, "id"),
  });
  record(owner, state, client, deps);
  const { tokens, window, limit, percent, level } = figures;
  const { last_checkpoint = null, freed } = state;
  const created = Date.parse(last_checkpoint?.created ?? "");
  const nowMs = deps.now();
  const columns = Number(deps.env("COLUMNS"));
  const line: StatusLine = {
    model: cleanLine(textOf(model, "display_name") ?? textOf(model, "id") ?? "") || null,
    tokens,
    limit: limit ?? window,
    percent,
    level,
    checkpointAgeMs: Number.isNaN(created) ? null : Math.max(0, nowMs - created),
    freed: isFresh(freed, tokens ?? 0) ? freed : null,
    nowMs,
  };
  const style = {
    columns: Number.isSafeInteger(columns) && columns > 0 ? columns : DEFAULT_COLUMNS,
    hasColor: deps.env("NO_COLOR") === undefined,
  };
  const session_id = textOf(payload, "session_id") ?? null;
  const json = { session_id, model: line.model, ...figures, last_checkpoint };
  return { text: drawStatusLine(line, style), json };
}

interface Figures extends Pick<SessionPressure, "tokens" | "percent" | "level"> {
  readonly window: number | null;
  readonly limit: number | null;
}

function clientWindow(value: unknown): ClientWindow {
  const { context_window_size: size, current_usage: current, total_input_tokens: total } =
    isObject(value) ? value : {};
  return {
    window: isCount(size) && size > 0 ? size : null,
    // Before the first answer, the client sends null as `current_usage`, and 0 tokens.
    tokens: current !== null && isCount(total) ? total : null,
  };
}

function figuresOf(
  { tokens: reported, window: size }: ClientWindow,
  facts: PressureFacts,
): Figures {
  const usage = reported === null ? null : { tokens: reported, source: "api" as const };
  const state = size === null ? facts.state : { ...facts.state, window_tokens: size };
  // Before the first answer, the usage is unknown, as it is after a compaction.
  const gauge = judgeUsage({ usage, isCompacted: usage === null }, { ...facts, state });
  const { tokens, window, limit, percent, level } = gauge;
  const isKnown = tokens !== null || size !== null || facts.config.window_tokens !== null;
  return {
    tokens,
    window: isKnown ? window : null,
    limit: isKnown ? limit : null,
    percent,
    level,
  };
}

function record(
  owner: StateOwner,
  state: SessionState,
  { tokens, window }: ClientWindow,
  { now }: HookDeps,
): void {
  const change = {
    ...(window === null || window === state.window_tokens
      ? {}
      : { window_tokens: window, window_seen_at: new Date(now()).toISOString() }),
    ...(tokens === null || tokens === state.usage_tokens ? {} : { usage_tokens: tokens }),
  };
  if (Object.keys(change).length > 0) recordState(owner, change);
}

if (import.meta.main) Deno.exit(await run(Deno.args));
