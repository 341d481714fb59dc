/** Repairs message content that the API refuses. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { sha256Hex } from "../../store/sha256.ts";
import { asString } from "../../transcript/entry.ts";
import type { RescueNote } from "./finding.ts";
import { repairImage } from "./image.ts";

/** Matches characters that the API refuses in call ids; ids from other providers can contain them. */
const BAD_ID_CHARS = /[^A-Za-z0-9_-]/g;

/** Maximum length of a new call id. */
const MAX_ID_CHARS = 64;
/** Length of the digest in a new call id. It distinguishes ids that differ only in replaced characters. */
const DIGEST_CHARS = 16;

/**
 * Matches an API error about thinking in a message, or about a signature, as the client records it. Does not
 * match errors about the thinking budget, because those do not refer to a message.
 */
const THINKING_REFUSED = /\b400\b.*\b(?:signature|messages\.\d+\..*\b(?:redacted_)?thinking)\b/s;

interface RepairedContent {
  content: unknown;
  notes: RescueNote[];
}

/** @param dropsThinking Whether to drop all thinking, not only thinking without a text or a signature. */
export function repairMessage({ type, message }: JsonObject, dropsThinking: boolean): {
  message: unknown;
  notes: RescueNote[];
} {
  if ((type !== "user" && type !== "assistant") || !isObject(message)) {
    return { message, notes: [] };
  }
  const { content, notes } = repairContent(message.content, dropsThinking);
  return { message: notes.length === 0 ? message : { ...message, content }, notes };
}

export function refusesThinking(raw: JsonObject): boolean {
  if (raw.isApiErrorMessage !== true || !isObject(raw.message)) return false;
  const { content } = raw.message;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => isObject(block) ? asString(block.text) ?? "" : "");
  return THINKING_REFUSED.test(texts.join("\n"));
}

export function repairContent(content: unknown, dropsThinking: boolean): RepairedContent {
  const notes: RescueNote[] = [];
  if (!Array.isArray(content)) return { content, notes };
  const repaired = content.flatMap((block) => {
    const kept = isObject(block) ? repairBlock(block, dropsThinking, notes) : block;
    return kept === undefined ? [] : [kept];
  });
  return { content: notes.length === 0 ? content : repaired, notes };
}

function repairBlock(
  block: JsonObject,
  dropsThinking: boolean,
  notes: RescueNote[],
): JsonObject | undefined {
  switch (block.type) {
    case "thinking":
    case "redacted_thinking": {
      const what = thinkingProblem(block, dropsThinking);
      if (what === undefined) return block;
      notes.push({ kind: "thinking", action: "left_out", what });
      return undefined;
    }
    case "image": {
      const repaired = repairImage(block);
      if (repaired !== undefined) notes.push(repaired.note);
      return repaired?.block ?? block;
    }
    case "tool_use":
      return withPlainId(block, "id", notes);
    case "tool_result": {
      const inner = repairContent(block.content, dropsThinking);
      notes.push(...inner.notes);
      const result = inner.notes.length === 0 ? block : { ...block, content: inner.content };
      return withPlainId(result, "tool_use_id", notes);
    }
    default:
      return block;
  }
}

/** Empty thinking is valid if it is signed. */
function thinkingProblem(block: JsonObject, dropsThinking: boolean): string | undefined {
  if (dropsThinking) return "thinking, which the API rejected";
  if (block.type === "redacted_thinking") return undefined;
  if (typeof block.thinking !== "string") return "thinking without text";
  return asString(block.signature) ? undefined : "thinking without a signature";
}

/** Derives the new id from the old one alone, so that a call and its result receive the same new id. */
function withPlainId(
  block: JsonObject,
  name: "id" | "tool_use_id",
  notes: RescueNote[],
): JsonObject {
  const id = block[name];
  if (typeof id !== "string" || id.search(BAD_ID_CHARS) < 0) return block;
  const what = "a call id that the API does not accept";
  notes.push({ kind: "tool_call", action: "replaced", what });
  const readable = id.replaceAll(BAD_ID_CHARS, "_").slice(0, MAX_ID_CHARS - DIGEST_CHARS - 1);
  return { ...block, [name]: `${readable}_${sha256Hex(id).slice(0, DIGEST_CHARS)}` };
}
