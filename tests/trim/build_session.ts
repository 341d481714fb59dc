/**
 * Builds transcripts line by line, as the client writes them, and reads parts of transcripts.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../src/core/record.ts";
import { findActiveContext, readNodes } from "../../src/transcript/tree/active_context.ts";
import { contentChars } from "../../src/transcript/content.ts";
import { sentParts } from "../../src/trim/plan.ts";

export type Block = JsonObject;

export interface TestSession extends Disposable {
  input: string;
  output: string;
}

export class SessionBuilder {
  readonly lines: JsonObject[] = [];
  #last: string | null = null;

  user(content: string | Block[], more: JsonObject = {}): this {
    return this.line({ type: "user", message: { role: "user", content }, ...more });
  }

  /** Adds one line of an assistant message. Lines with the same id form one message. */
  assistant(id: string, content: Block[], more: JsonObject = {}): this {
    const usage = { input_tokens: 10, cache_read_input_tokens: 90_000, output_tokens: 20 };
    const message = { id, role: "assistant", model: "claude-sonnet-4-6", content, usage };
    return this.line({ type: "assistant", message, ...more });
  }

  call(id: string, name: string, input: JsonObject, result: unknown, more: JsonObject = {}): this {
    this.assistant(`msg_${id}`, [toolUse(id, name, input)]);
    return this.result(id, result, more);
  }

  result(id: string, content: unknown, more: JsonObject = {}): this {
    return this.user([toolResult(id, content)], more);
  }

  write(): TestSession {
    return writeSession(this.lines.map((line) => JSON.stringify(line)));
  }

  line(line: JsonObject): this {
    const uuid = `u${this.lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 10, 22, 10, 0, this.lines.length)).toISOString();
    const ids = { uuid, timestamp, sessionId: "b82405ba-0000-4000-8000-000000000000" };
    this.lines.push({ parentUuid: this.#last, isSidechain: false, ...line, ...ids });
    this.#last = uuid;
    return this;
  }
}

export function writeSession(lines: readonly string[]): TestSession {
  const folder = Deno.makeTempDirSync({ prefix: "trimtab-trim-" });
  const input = `${folder}/b82405ba-0000-4000-8000-000000000000.jsonl`;
  Deno.writeTextFileSync(input, lines.map((line) => line + "\n").join(""));
  return {
    input,
    output: `${folder}/copy.jsonl`,
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

export function toolUse(id: string, name: string, input: JsonObject): Block {
  return { type: "tool_use", id, name, input };
}

export function toolResult(id: string, content: unknown, more: JsonObject = {}): Block {
  return { tool_use_id: id, type: "tool_result", content, ...more };
}

export function text(value: string): Block {
  return { type: "text", text: value };
}

export function thinking(value: string, signatureChars = 100): Block {
  return { type: "thinking", thinking: value, signature: "s".repeat(signatureChars) };
}

/** Makes an image block: a PNG header with the given size, padded with zeros to `bytes`. */
export function picture(width: number, height: number, bytes = 5000): Block {
  const data = new Uint8Array(bytes);
  data.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(data.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  const source = { type: "base64", media_type: "image/png", data: data.toBase64() };
  return { type: "image", source };
}

export function parseLines(path: string): JsonObject[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export function contentsOf(path: string): unknown[] {
  return parseLines(path).flatMap((line) => isObject(line.message) ? [line.message.content] : []);
}

export function blocksIn(path: string): Block[] {
  return contentsOf(path).flat().filter(isObject);
}

export function resultsOf(path: string): Map<string, unknown> {
  const results = blocksIn(path).filter(({ type }) => type === "tool_result");
  return new Map(results.map((block) => [String(block.tool_use_id), block.content]));
}

export function inputsOf(path: string): Map<string, JsonObject> {
  const calls = blocksIn(path).filter(({ type }) => type === "tool_use");
  return new Map(calls.flatMap(({ id, input }) => isObject(input) ? [[String(id), input]] : []));
}

export function sentChars(path: string): { chars: number; entries: number } {
  using file = Deno.openSync(path);
  const { nodes, usage } = findActiveContext(file, file.statSync().size);
  let chars = 0;
  for (const { entry } of readNodes(file, nodes)) {
    chars += contentChars(sentParts(entry, usage?.model));
  }
  return { chars, entries: nodes.length };
}
