/** Repairs message content that makes the client exit, or that the API refuses. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { jsonText } from "../../transcript/entry.ts";
import type { RescueAction, RescueKind, RescueNote } from "./finding.ts";
import { repairImage } from "./image.ts";

/** The text that the client sends for a message without content. */
const NO_CONTENT = "(no content)";

const BAD_ID_CHARS = /[^A-Za-z0-9_-]/g;

export interface ContentOptions {
  /** The author of the message; `result` for a tool's result. */
  role: "user" | "assistant" | "result";
  /** Whether to drop all thinking, because the API has refused some. */
  dropsThinking: boolean;
}

interface RepairedContent {
  content: unknown;
  notes: RescueNote[];
}

export function repairContent(content: unknown, options: ContentOptions): RepairedContent {
  const { role } = options;
  const notes: RescueNote[] = [];
  if (Array.isArray(content)) {
    const repaired = content.flatMap((block) => repairBlock(block, options, notes) ?? []);
    if (role === "user" && repaired.length === 0) {
      if (content.length === 0) notes.push(noteOf("a message without content"));
      return { content: [{ type: "text", text: NO_CONTENT }], notes };
    }
    return { content: notes.length === 0 ? content : repaired, notes };
  }
  if (typeof content === "string" && role !== "assistant") {
    if (role === "result" || content !== "") return { content, notes };
    return { content: NO_CONTENT, notes: [noteOf("a message without content")] };
  }
  if (content === undefined && role === "result") return { content, notes };
  notes.push(noteOf(`content that is ${typeName(content)}`));
  return { content: salvage(content, options, notes), notes };
}

function salvage(content: unknown, options: ContentOptions, notes: RescueNote[]): unknown {
  const isNothing = content === undefined || content === null || content === "";
  if (isNothing) {
    return options.role === "assistant" ? [] : options.role === "user" ? NO_CONTENT : "";
  }
  if (isObject(content) && typeof content.type === "string") {
    const block = repairBlock(content, options, notes);
    if (block !== undefined) return [block];
  }
  const text = typeof content === "string" ? content : jsonText(content) || NO_CONTENT;
  return [{ type: "text", text }];
}

/** Returns the given block if it is valid, and `undefined` to drop it. */
function repairBlock(
  block: unknown,
  options: ContentOptions,
  notes: RescueNote[],
): unknown {
  if (typeof block === "string" && block !== "") {
    notes.push(noteOf("a block that is plain text"));
    return { type: "text", text: block };
  }
  if (!isObject(block)) {
    notes.push(noteOf(`a block that is ${typeName(block)}`, "left_out"));
    return undefined;
  }
  switch (block.type) {
    case "text":
      if (typeof block.text === "string") return block;
      notes.push(noteOf("a text block without text", "left_out"));
      return undefined;
    case "thinking":
      return repairThinking(block, options, notes);
    case "redacted_thinking":
      if (!options.dropsThinking) return block;
      notes.push(noteOf("redacted thinking, which the API rejected", "left_out", "thinking"));
      return undefined;
    case "image": {
      const repaired = repairImage(block);
      if (repaired !== undefined) notes.push(repaired.note);
      return repaired?.block ?? block;
    }
    case "tool_use":
      return repairCall(block, notes);
    case "tool_result":
      return repairResult(block, options, notes);
    default:
      if (typeof block.type === "string") return block;
      notes.push(noteOf("a block without a type", "left_out"));
      return undefined;
  }
}

/** Drops thinking without text or a signature; empty text is valid if it is signed. */
function repairThinking(
  block: JsonObject,
  options: ContentOptions,
  notes: RescueNote[],
): JsonObject | undefined {
  const { thinking, signature } = block;
  const why = typeof thinking !== "string"
    ? "thinking without text"
    : typeof signature !== "string" || signature === ""
    ? "thinking without a signature"
    : options.dropsThinking
    ? "thinking, which the API rejected"
    : undefined;
  if (why === undefined) return block;
  notes.push(noteOf(why, "left_out", "thinking"));
  return undefined;
}

function repairCall(block: JsonObject, notes: RescueNote[]): JsonObject | undefined {
  const { id, input } = block;
  if (typeof id !== "string" || typeof block.name !== "string") {
    notes.push(noteOf("a call without an id or a name", "left_out", "tool_call"));
    return undefined;
  }
  const repaired = { ...block };
  const before = notes.length;
  if (!isObject(input)) {
    notes.push(noteOf(`the input of a call that is ${typeName(input)}`, "replaced", "tool_call"));
    repaired.input = inputOf(input);
  }
  if (id.search(BAD_ID_CHARS) >= 0) {
    notes.push(noteOf("a call id that the API does not accept", "replaced", "tool_call"));
    repaired.id = plainId(id);
  }
  return notes.length === before ? block : repaired;
}

function repairResult(
  block: JsonObject,
  options: ContentOptions,
  notes: RescueNote[],
): JsonObject | undefined {
  const { tool_use_id: id } = block;
  if (typeof id !== "string") {
    notes.push(noteOf("a result without the id of its call", "left_out"));
    return undefined;
  }
  const inner = repairContent(block.content, { ...options, role: "result" });
  notes.push(...inner.notes);
  if (id.search(BAD_ID_CHARS) >= 0) {
    notes.push(noteOf("a call id that the API does not accept", "replaced", "tool_call"));
  } else if (inner.notes.length === 0) {
    return block;
  }
  return { ...block, tool_use_id: plainId(id), content: inner.content };
}

function inputOf(input: unknown): JsonObject {
  if (input === undefined || input === null) return {};
  if (typeof input !== "string") return { input };
  try {
    const parsed: unknown = JSON.parse(input);
    return isObject(parsed) ? parsed : { input };
  } catch {
    return { input };
  }
}

function plainId(id: string): string {
  return id.replaceAll(BAD_ID_CHARS, "_") || "_";
}

function noteOf(
  what: string,
  action: RescueAction = "replaced",
  kind: RescueKind = "content",
): RescueNote {
  return { kind, action, what };
}

function typeName(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
