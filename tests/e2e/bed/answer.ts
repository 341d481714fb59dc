/** Renders an assistant's turn as the API sends it: as one JSON body, or as server-sent events. */

import { signThinking } from "./signature.ts";
import type { Usage } from "./tokens.ts";

/** The mock fills in a missing `id` or `signature`. */
export type ScriptedBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature?: string }
  | { type: "tool_use"; name: string; input: Record<string, unknown>; id?: string };

export interface Answer {
  id: string;
  model: string;
  blocks: ScriptedBlock[];
  usage: Usage;
}

type FullBlock = ScriptedBlock & { id?: string; signature?: string };

export function answerAsJson(answer: Answer): Record<string, unknown> {
  const blocks = fullBlocks(answer);
  return {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: blocks,
    stop_reason: stopReason(blocks),
    stop_sequence: null,
    usage: answer.usage,
  };
}

export function answerAsEvents(answer: Answer): string {
  const blocks = fullBlocks(answer);
  const start = { ...answerAsJson({ ...answer, blocks: [] }), stop_reason: null };
  const delta = { stop_reason: stopReason(blocks), stop_sequence: null };
  return [
    { type: "message_start", message: start },
    ...blocks.flatMap(blockEvents),
    { type: "message_delta", delta, usage: { output_tokens: answer.usage.output_tokens } },
    { type: "message_stop" },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function fullBlocks(answer: Answer): FullBlock[] {
  return answer.blocks.map((block, index) => {
    switch (block.type) {
      case "text":
        return block;
      case "thinking":
        return { ...block, signature: block.signature ?? signThinking(block.thinking) };
      case "tool_use":
        return { ...block, id: block.id ?? `${answer.id.replace("msg", "toolu")}_${index}` };
    }
  });
}

function stopReason(blocks: FullBlock[]): string {
  return blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function blockEvents(block: FullBlock, index: number): { type: string; index: number }[] {
  const { empty, deltas } = pieces(block);
  const start = { type: "content_block_start", index, content_block: empty };
  const middle = deltas.map((delta) => ({ type: "content_block_delta", index, delta }));
  return [start, ...middle, { type: "content_block_stop", index }];
}

function pieces(block: FullBlock): { empty: FullBlock; deltas: Record<string, string>[] } {
  switch (block.type) {
    case "text":
      return { empty: { ...block, text: "" }, deltas: [{ type: "text_delta", text: block.text }] };
    case "thinking": {
      const { thinking, signature = "" } = block;
      return {
        empty: { ...block, thinking: "", signature: "" },
        deltas: [{ type: "thinking_delta", thinking }, { type: "signature_delta", signature }],
      };
    }
    case "tool_use":
      return {
        empty: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }],
      };
  }
}
