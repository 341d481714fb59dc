// Older clients write a subagent's entries to the session's own file. These entries are not part of
// the conversation.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { pressureOrEstimate } from "../../src/trim/known_pressure.ts";
import { sessionReport } from "../../src/report/session_report.ts";
import { Home, ID, type Json, messageLine, NOW, textOf } from "../doctor/repair/broken.ts";
import { text, toolResult, toolUse } from "./build_session.ts";

const SIDE = { isSidechain: true };

const AGENT_PROMPT = "Search the whole web for it";

function answer(uuid: string, parentUuid: string, block: Json, tokens: number, rest?: Json): Json {
  const line = messageLine(uuid, parentUuid, [block], rest);
  const usage = { input_tokens: tokens, output_tokens: 10 };
  return { ...line, message: { ...Object(line["message"]), model: "claude-sonnet-4-5", usage } };
}

const EDIT = { file_path: "/p/by_agent.ts", old_string: "a", new_string: "b" };

/** The lines of a subagent that fills its own window with long results. */
const AGENT: readonly Json[] = [
  messageLine("u20", null, AGENT_PROMPT, SIDE),
  answer("a20", "u20", toolUse("s1", "Read", { file_path: "/p/big.txt" }), 190_000, SIDE),
  messageLine("u21", "a20", [toolResult("s1", "far too long ".repeat(2_000))], SIDE),
  answer("a21", "u21", toolUse("s2", "Edit", EDIT), 195_000, SIDE),
  messageLine("u22", "a21", [toolResult("s2", "done")], SIDE),
  answer("a22", "u22", text("We decided to use agents."), 196_000, SIDE),
];

const HEAD: readonly Json[] = [
  messageLine("u1", null, "Find it, please"),
  answer("a1", "u1", toolUse("t1", "Task", { prompt: AGENT_PROMPT }), 10_000),
];

const TAIL: readonly Json[] = [
  messageLine("u2", "a1", [toolResult("t1", "It was found.")]),
  answer("a2", "u2", text("Here it is."), 12_000),
];

const SHAPES: Record<string, readonly Json[]> = {
  "in the middle": [...HEAD, ...AGENT, ...TAIL],
  "among the other lines": [...HEAD, ...AGENT.slice(0, 4), ...TAIL, ...AGENT.slice(4)],
  "at the end": [...HEAD, ...TAIL, ...AGENT],
  "at the start": [...AGENT, ...HEAD, ...TAIL],
};

for (const [where, lines] of Object.entries(SHAPES)) {
  Deno.test(`extractState() and sessionReport() separate a subagent's lines ${where} from the conversation`, async () => {
    using home = new Home(textOf(lines));
    const { path } = home;
    const state = extractState(path);
    const json = JSON.stringify(state);
    assert(json.includes("Find it, please"));
    assert(!json.includes("We decided to use agents"), json);
    assert(!JSON.stringify(state.requirements).includes(AGENT_PROMPT));
    // The subagent's changes count as the session's.
    assert(json.includes("by_agent.ts"));
    const owner = { projectDir: "/nowhere", sessionId: "none" };
    const usage = { transcript: path, config: DEFAULT_CONFIG.context, env: () => undefined };
    const pressure = await pressureOrEstimate({ owner, ...usage });
    assertEquals(pressure.tokens, 12_000);
    const place = { session: { id: ID, path }, projectDir: "/nowhere", now: NOW };
    const { requests } = sessionReport({ ...place, pressure, config: DEFAULT_CONFIG });
    assert(requests.every(({ tokens }) => tokens < 100_000));
  });
}
