/**
 * Writes `progress` lines, which older clients wrote while a tool ran. Each line has an id and a parent, as a
 * message has. A line about a subagent contains a whole message of the subagent.
 *
 * @module
 */

import type { Json, JsonObject, SessionState } from "./state.ts";
import type { Tools } from "./tools.ts";

export function* bashProgress(state: SessionState, id: string): Generator<string> {
  const { random, texts } = state;
  const count = random.chance(0.3) ? random.between(1, 8) : 0;
  const output = texts.cut("output", random.logBetween(30, 500));
  for (let second = 1; second <= count; second++) {
    state.wait(1_000, 1_001);
    yield progress(state, {
      data: {
        type: "bash_progress",
        output,
        fullOutput: output,
        elapsedTimeSeconds: second + 1,
        totalLines: output.split("\n").length,
        timeoutMs: 120_000,
      },
      toolUseID: `bash-progress-${second - 1}`,
      parentToolUseID: id,
    });
  }
}

/** Makes a line that says that a hook is running. The line is a leaf next to the result. */
export function hookProgress(
  state: SessionState,
  use: string,
  tool: string,
  toolUseID: string,
): string {
  return state.entry(use, {
    type: "progress",
    data: {
      type: "hook_progress",
      hookEvent: "PostToolUse",
      hookName: `PostToolUse:${tool}`,
      command: "callback",
    },
    parentToolUseID: toolUseID,
    toolUseID,
    timestamp: state.timestamp(),
    uuid: state.random.uuid(),
  });
}

/**
 * Yields a subagent's calls and results. Each line repeats the subagent's prompt.
 *
 * @param id The id of the call that started the subagent.
 */
export function* agentProgress(
  state: SessionState,
  prompt: string,
  id: string,
  tools: Tools,
): Generator<string> {
  const { random } = state;
  const shared = {
    normalizedMessages: [],
    type: "agent_progress",
    prompt,
    agentId: random.word().toString(16),
  };
  const ids = { toolUseID: random.id("agent_msg_01"), parentToolUseID: id };
  const line = (message: Json) => progress(state, { data: { message, ...shared }, ...ids });
  yield line(user(state, [{ type: "text", text: prompt }]));
  const pairs = random.between(13, 20);
  for (let pair = 0; pair < pairs; pair++) {
    const inner = tools.nextOfAgent();
    const innerId = random.id("toolu_01");
    const use = { type: "tool_use", id: innerId, name: inner.name, input: inner.input };
    state.wait(900, 6_000);
    yield line({
      type: "assistant",
      timestamp: state.timestamp(),
      message: {
        model: "claude-opus-4-5-20251101",
        id: random.id("msg_01"),
        type: "message",
        role: "assistant",
        content: [use],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 3,
          cache_creation_input_tokens: random.between(200, 9_000),
          cache_read_input_tokens: random.between(12_000, 60_000),
          output_tokens: 3,
          service_tier: "standard",
        },
      },
      requestId: random.id("req_011C"),
      uuid: random.uuid(),
    });
    yield line(user(state, [
      { tool_use_id: innerId, type: "tool_result", content: inner.content },
    ]));
  }
}

function user(state: SessionState, content: Json): JsonObject {
  return {
    type: "user",
    message: { role: "user", content },
    uuid: state.random.uuid(),
    timestamp: state.timestamp(),
  };
}

function progress(state: SessionState, body: JsonObject): string {
  return state.append({ type: "progress", ...body });
}
