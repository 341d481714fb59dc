/**
 * Checks subagents with entries in the session's own file, as older clients write them: their work
 * is not part of the conversation.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { readRunningUsage } from "../../src/gauge/running_usage.ts";
import { pressureOrEstimate } from "../../src/trim/any_pressure.ts";
import { sessionReport } from "../../src/report/session_report.ts";
import { readTailUsage } from "../../src/transcript/tokens/tail_usage.ts";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { trimTranscript } from "./by_length.ts";
import {
  Home,
  ID,
  type Json,
  messageLine,
  NOW,
  objectsOf,
  textOf,
} from "../doctor/repair/broken.ts";

const SIDE = { isSidechain: true };

const AGENT_PROMPT = "Search the whole web for it";

function usageOf(tokens: number): Json {
  return { input_tokens: tokens, output_tokens: 10 };
}

function withUsage(line: Json, tokens: number): Json {
  const message = {
    ...line["message"] as Json,
    model: "claude-sonnet-4-5",
    usage: usageOf(tokens),
  };
  return { ...line, message };
}

function call(id: string, name: string, input: Json): Json {
  return { type: "tool_use", id, name, input };
}

function result(id: string, content: string): Json {
  return { type: "tool_result", tool_use_id: id, content };
}

/** Makes the lines of a subagent that fills its own window with long results. */
function agent(): Json[] {
  const edit = { file_path: "/p/by_agent.ts", old_string: "a", new_string: "b" };
  return [
    messageLine("u20", null, AGENT_PROMPT, SIDE),
    withUsage(
      messageLine("a20", "u20", [call("s1", "Read", { file_path: "/p/big.txt" })], SIDE),
      190_000,
    ),
    messageLine("u21", "a20", [result("s1", "far too long ".repeat(2_000))], SIDE),
    withUsage(messageLine("a21", "u21", [call("s2", "Edit", edit)], SIDE), 195_000),
    messageLine("u22", "a21", [result("s2", "done")], SIDE),
    withUsage(
      messageLine("a22", "u22", [{ type: "text", text: "We decided to use agents." }], SIDE),
      196_000,
    ),
  ];
}

function conversation(): [head: Json[], tail: Json[]] {
  return [
    [
      messageLine("u1", null, "Find it, please"),
      withUsage(messageLine("a1", "u1", [call("t1", "Task", { prompt: AGENT_PROMPT })]), 10_000),
    ],
    [
      messageLine("u2", "a1", [result("t1", "It was found.")]),
      withUsage(messageLine("a2", "u2", [{ type: "text", text: "Here it is." }]), 12_000),
    ],
  ];
}

function shapes(): Record<string, Json[]> {
  const [head, tail] = conversation();
  return {
    "in the middle": [...head, ...agent(), ...tail],
    "line by line": [...head, ...agent().slice(0, 4), ...tail, ...agent().slice(4)],
    "at the end": [...head, ...tail, ...agent()],
    "at the start": [...agent(), ...head, ...tail],
  };
}

for (const [where, lines] of Object.entries(shapes())) {
  Deno.test(`a subagent's lines ${where} are not part of the context, its usage or its trim`, () => {
    using home = new Home(textOf(lines));
    const { path } = home;
    using file = Deno.openSync(path);
    const context = findActiveContext(file, file.statSync().size);
    assertEquals(context.nodes.map(({ uuid }) => uuid), ["u1", "a1", "u2", "a2"]);
    assertEquals(context.usage?.tokens, 12_000);
    assertEquals(readTailUsage(path).usage?.tokens, 12_000);
    assertEquals(readRunningUsage(path).usage?.tokens, 12_000);
    const { tokens, context_chars: chars, by_tool: tools } = trimTranscript({
      input: path,
      threshold: 100,
      keepRecent: 0,
    });
    assertEquals([tokens.before, chars.before < 1_000], [12_000, true]);
    assert(!("Task" in tools), JSON.stringify(tools));
  });

  Deno.test(`checkpoint and report separate a subagent's lines ${where} from the conversation`, async () => {
    using home = new Home(textOf(lines));
    const { path } = home;
    const state = extractState(path);
    const text = JSON.stringify(state);
    assert(text.includes("Find it, please"));
    assert(!text.includes("We decided to use agents"), text);
    assert(!JSON.stringify(state.requirements).includes(AGENT_PROMPT));
    // The subagent's changes count as the session's.
    assert(text.includes("by_agent.ts"));
    const { context: config } = DEFAULT_CONFIG;
    const env = (): undefined => undefined;
    const pressure = await pressureOrEstimate({
      transcript: path,
      config,
      owner: { projectDir: "/nowhere", sessionId: "none" },
      env,
    });
    assertEquals(pressure.tokens, 12_000);
    const session = { id: ID, path };
    const report = sessionReport({
      session,
      projectDir: "/nowhere",
      pressure,
      config,
      now: NOW,
    });
    assertEquals(report.requests.filter(({ tokens }) => tokens > 100_000).length, 0);
  });

  Deno.test(`rescueSession() makes no line of the conversation a child of a subagent's lines ${where}`, () => {
    const cut = lines.map((line) => line["uuid"] === "u2" ? { ...line, parentUuid: "gone" } : line);
    using home = new Home(textOf(cut));
    assertEquals(home.rescue().findings.length, 1);
    const parents = new Map(objectsOf(home).map((line) => [line["uuid"], line["parentUuid"]]));
    assertEquals(parents.get("u2"), "a1");
    assertEquals(parents.get("u21"), "a20");
  });
}
