/** Runs the hooks and the status line on malformed payloads, transcripts and states. */

import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { main as postToolUse } from "../../hooks/post_tool_use.ts";
import { main as preCompact } from "../../hooks/pre_compact.ts";
import { main as sessionEnd } from "../../hooks/session_end.ts";
import { main as sessionStart } from "../../hooks/session_start.ts";
import { main as stop } from "../../hooks/stop.ts";
import { main as userPromptExpansion } from "../../hooks/user_prompt_expansion.ts";
import { main as userPromptSubmit } from "../../hooks/user_prompt_submit.ts";
import type { HookMain } from "../../hooks/_payload.ts";
import { statusLine } from "../../scripts/statusline.ts";
import { MAX_CONTEXT_CHARS } from "../../src/inject/bound.ts";
import { MAX_SUMMARISER_CHARS } from "../../src/saved/views/summariser.ts";
import { PAYLOADS } from "../hooks/payloads.ts";
import { NOW } from "../saved/snapshots.ts";
import { bytesOf, byteText } from "./bytes.ts";
import { mutateBytes, mutateJson, mutateLines } from "./mutate.ts";
import type { Random } from "./random.ts";
import {
  CHECKPOINT_SEED,
  payloadSeed,
  type Seeds,
  sessionPart,
  SNAPSHOT_SEED,
  STATE_SEED,
  STATUS_SEED,
} from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import { must, type Parts, type Place, type Target, writeParts } from "./target.ts";

const HOOKS: readonly (readonly [weight: number, name: string, main: HookMain])[] = [
  [4, "session_start", sessionStart],
  [2, "session_end", sessionEnd],
  [3, "user_prompt_submit", userPromptSubmit],
  [3, "post_tool_batch", postToolBatch],
  [2, "post_tool_use", postToolUse],
  [4, "stop", stop],
  [3, "pre_compact", preCompact],
  [3, "user_prompt_expansion", (payload) => userPromptExpansion(payload)],
];

export const HOOK_TARGETS: readonly Target[] = [
  ...HOOKS.map(([weight, name, main]): Target => ({
    name: `hook ${name}`,
    weight,
    mayRefuse: true,
    make: (random, seeds, place) => makeHook(PAYLOADS[name] ?? [], random, seeds, place),
    run: async (parts, place) => mustBeAnswer(await runHook(main, parts, place), name),
  })),
  { name: "statusline", weight: 4, make: makeStatus, run: runStatusLine },
];

function makeHook(fields: readonly object[], random: Random, seeds: Seeds, place: Place): Parts {
  const payload = JSON.stringify({ ...payloadSeed(place), ...random.pick(fields) });
  const isPayloadBroken = random.chance(60);
  const lines = sessionPart(seeds, random);
  return {
    payload: isPayloadBroken ? mutated(byteText(payload), random) : byteText(payload),
    session: mutateLines(lines, random),
    ...(random.chance(40) ? { state: mutated(STATE_SEED, random) } : {}),
    ...(random.chance(25) ? { checkpoint: CHECKPOINT_SEED } : {}),
    ...(random.chance(25) ? { snapshot: mutated(SNAPSHOT_SEED, random) } : {}),
    ...(random.chance(15) ? { left: mutated(leftSeed(), random) } : {}),
  };
}

function leftSeed(): string {
  return JSON.stringify([{ session_id: SESSION, left_at: NOW.getTime(), prompt_id: "3a628e37" }]);
}

function mutated(text: string, random: Random): string {
  const changed = mutateJson(text, random);
  return random.chance(15) ? mutateBytes(changed, random) : changed;
}

async function runHook(main: HookMain, parts: Parts, place: Place): Promise<string> {
  writeParts(parts, place);
  const deps = { env: place.env, now: () => NOW.getTime(), sleep: () => {} };
  return await main(bytesOf(parts.payload ?? ""), deps);
}

/** Requires one JSON object or no output; PreCompact prints plain text for the summarizer. */
function mustBeAnswer(output: string, hook: string): void {
  must(output.isWellFormed(), "a well-formed answer", output);
  if (output === "") return;
  if (hook === "pre_compact") {
    must(output.length <= MAX_SUMMARISER_CHARS + 2, "a bounded answer", output.length);
    return;
  }
  must(output.trimEnd().split("\n").length === 1, "one line", output);
  const answer: unknown = JSON.parse(output);
  must(typeof answer === "object" && answer !== null, "an object", output);
  const { hookSpecificOutput } = answer as { hookSpecificOutput?: { additionalContext?: string } };
  const length = hookSpecificOutput?.additionalContext?.length ?? 0;
  must(length <= MAX_CONTEXT_CHARS, "a bounded context", length);
}

function makeStatus(random: Random, _seeds: Seeds, place: Place): Parts {
  const payload = byteText(JSON.stringify({ ...payloadSeed(place), ...STATUS_SEED }));
  return { payload: mutated(payload, random), state: mutated(STATE_SEED, random) };
}

async function runStatusLine(parts: Parts, place: Place): Promise<void> {
  writeParts(parts, place);
  const deps = { env: place.env, now: () => NOW.getTime() };
  const { text, json } = await statusLine(bytesOf(parts.payload ?? ""), deps);
  // deno-lint-ignore no-control-regex
  const plain = text.replaceAll(/\x1b\[[\d;]*m/g, "");
  must(plain.isWellFormed(), "a well-formed line", text);
  must(
    !/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(plain),
    "a line without control characters",
    text,
  );
  must(plain.length <= 400, "a short line", plain.length);
  for (const key of ["tokens", "window", "percent"]) {
    const value = json[key];
    const isCount = typeof value === "number" && Number.isFinite(value) && value >= 0;
    must(value === null || isCount, `${key} to be a count`, value);
  }
}
