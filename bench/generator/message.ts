/**
 * Writes one API message of the assistant as the client does: several lines that share an id and a usage
 * object, and the lines around tool calls and their results.
 *
 * @module
 */

import { isObject, isText } from "../../src/core/record.ts";
import { agentProgress, bashProgress, hookProgress } from "./progress.ts";
import { Quantiles } from "./random.ts";
import type { Json, JsonObject, SessionState } from "./state.ts";
import type { ToolCall, Tools } from "./tools.ts";

/** Lengths of thinking signatures in characters. The thinking text is about a quarter of that length. */
const SIGNATURE_CHARS = [
  ...[[0, 200], [0.1, 330], [0.5, 600], [0.9, 3_300], [0.99, 14_000], [1, 40_000]] as const,
];

/** Share of the newer client's calls whose result is written before the call. */
const RESULT_FIRST = 0.007;

export class Messages {
  readonly #state: SessionState;
  readonly #tools: Tools;
  readonly #signatures: Quantiles;

  /** @param tools The tools that subagents call. */
  constructor(state: SessionState, tools: Tools) {
    this.#state = state;
    this.#tools = tools;
    this.#signatures = new Quantiles(state.random, SIGNATURE_CHARS);
  }

  /** @param calls An empty list ends the turn. */
  *write(calls: readonly ToolCall[]): Generator<string> {
    const { random } = this.#state;
    const message = this.#open(calls.length > 0);
    if (random.chance(0.55)) yield this.#assistant(message, this.#thinking(message));
    if (calls.length === 0 || random.chance(0.4)) {
      const text = this.#state.texts.cut(
        "prose",
        random.logBetween(40, calls.length ? 400 : 3_000),
      );
      message.output += text.length;
      this.#state.see("prose", text.length);
      yield this.#assistant(message, { type: "text", text });
    }
    // Clients write in either of two orders: all calls before all results, or each call followed by its
    // result.
    if (calls.length > 1 && random.chance(0.5)) yield* this.#parallel(message, calls);
    else for (const call of calls) yield* this.#single(message, call);
  }

  *#single(message: Message, call: ToolCall): Generator<string> {
    const id = this.#state.random.id("toolu_01");
    const use = this.#use(message, call, id);
    if (this.#state.era === "new" && this.#state.random.chance(RESULT_FIRST)) {
      yield this.#result(call, id, use.uuid);
      yield use.line;
      return;
    }
    yield use.line;
    yield* this.#before(call, id, use.uuid);
    yield this.#result(call, id, use.uuid);
    yield* this.#after(call, id);
  }

  *#parallel(message: Message, calls: readonly ToolCall[]): Generator<string> {
    const { random } = this.#state;
    const open: { call: ToolCall; id: string; uuid: string }[] = [];
    for (const call of calls) {
      const id = random.id("toolu_01");
      const use = this.#use(message, call, id);
      yield use.line;
      yield* this.#before(call, id, use.uuid);
      open.push({ call, id, uuid: use.uuid });
    }
    if (random.chance(0.3)) open.reverse();
    for (const { call, id, uuid } of open) {
      yield this.#result(call, id, uuid);
      yield* this.#after(call, id);
    }
  }

  *#before(call: ToolCall, id: string, use: string): Generator<string> {
    const state = this.#state;
    if (state.era === "new") {
      if (state.random.chance(0.35)) yield hookAttachment(state, "PreToolUse", call.name, id);
      return;
    }
    if (call.name === "Bash") yield* bashProgress(state, id);
    if (call.agentPrompt !== "") yield* agentProgress(state, call.agentPrompt, id, this.#tools);
    if (call.name !== "Bash" || state.random.chance(0.25)) {
      yield hookProgress(state, use, call.name, id);
    }
  }

  *#after(call: ToolCall, id: string): Generator<string> {
    const state = this.#state;
    if (state.era === "new" && state.random.chance(0.5)) {
      yield hookAttachment(state, "PostToolUse", call.name, id);
    }
  }

  #open(calls: boolean): Message {
    const state = this.#state;
    state.wait(1_500, 9_000);
    const created = Math.max(0, state.tokens - state.cachedTokens - 3);
    const message: Message = {
      id: state.random.id("msg_01"),
      requestId: state.random.id("req_011C"),
      stop: state.era === "new" ? (calls ? "tool_use" : "end_turn") : null,
      created,
      read: state.cachedTokens,
      output: 0,
    };
    state.cachedTokens = state.tokens - 3;
    return message;
  }

  #assistant(message: Message, block: Json): string {
    const state = this.#state;
    state.wait(200, 1_500);
    return state.append({
      message: {
        model: "claude-opus-4-5-20251101",
        id: message.id,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: message.stop,
        stop_sequence: null,
        ...(state.era === "new" ? { stop_details: null } : {}),
        usage: usage(state, message),
      },
      requestId: message.requestId,
      type: "assistant",
    });
  }

  #thinking(message: Message): JsonObject {
    const state = this.#state;
    const signature = state.texts.base64(this.#signatures.next(), "EqQBCkYIBxgCKkB");
    // Newer clients keep only the signature.
    const shownChars = state.era === "new" ? 0 : Math.ceil(signature.length / 4);
    const thinking = state.texts.cut("prose", shownChars);
    message.output += shownChars;
    state.see("prose", shownChars);
    return { type: "thinking", thinking, signature };
  }

  #use(message: Message, call: ToolCall, id: string): { line: string; uuid: string } {
    const state = this.#state;
    const caller = state.era === "new" ? { caller: { type: "direct" } } : {};
    const block = { type: "tool_use", id, name: call.name, input: call.input, ...caller };
    const chars = JSON.stringify(call.input).length;
    message.output += chars;
    state.see("code", chars);
    const line = this.#assistant(message, block);
    return { line, uuid: state.tip ?? "" };
  }

  #result(call: ToolCall, id: string, use: string): string {
    const state = this.#state;
    const { content } = call;
    const uuid = state.random.uuid();
    state.tip = uuid;
    state.wait(10, 2_500);
    state.see(call.kind, textLength(content));
    state.tokens += call.imageTokens;
    const ok = call.name === "Bash" ? { is_error: false } : {};
    const block = call.failed
      ? { type: "tool_result", content, is_error: true, tool_use_id: id }
      : { tool_use_id: id, type: "tool_result", content, ...ok };
    return state.entry(use, {
      ...(state.era === "new" ? { promptId: state.promptId } : {}),
      type: "user",
      message: { role: "user", content: [block] },
      uuid,
      timestamp: state.timestamp(),
      ...(call.mirror === undefined ? {} : { toolUseResult: call.mirror }),
      sourceToolAssistantUUID: use,
    });
  }
}

interface Message {
  readonly id: string;
  readonly requestId: string;
  readonly stop: string | null;
  readonly created: number;
  readonly read: number;
  output: number;
}

function usage(state: SessionState, { created, read, output }: Message): JsonObject {
  const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: created };
  const context = {
    input_tokens: 3,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: read,
  };
  // Old clients wrote the usage of the stream's first event, whose output count is a placeholder.
  if (state.era === "old") {
    return { ...context, cache_creation, output_tokens: 1, service_tier: "standard" };
  }
  const output_tokens = Math.ceil(output / 3.6) + 2;
  return {
    ...context,
    output_tokens,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation,
    inference_geo: "not_available",
    iterations: [{ ...context, output_tokens, cache_creation, type: "message" }],
    speed: "standard",
  };
}

export function hookAttachment(
  state: SessionState,
  event: string,
  tool: string,
  toolUseID: string,
): string {
  return state.append({
    attachment: {
      type: "hook_success",
      hookName: `${event}:${tool}`,
      toolUseID,
      hookEvent: event,
      content: "",
      stdout: '{"continue":true}\n',
      stderr: "",
      exitCode: 0,
      command: 'node "${CLAUDE_PLUGIN_ROOT}/hooks/note.mjs"',
      durationMs: state.random.between(20, 90),
    },
    type: "attachment",
  });
}

function textLength(content: Json): number {
  if (typeof content === "string") return content.length;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.reduce((sum, { text }) => sum + (isText(text) ? text.length : 0), 0);
}
