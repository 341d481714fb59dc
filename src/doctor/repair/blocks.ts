/** Repairs message content that the API refuses. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { sha256Hex } from "../../store/sha256.ts";
import { asString } from "../../transcript/entry.ts";
import { readImageSize } from "../../transcript/tokens/pictures.ts";
import type { RescueNote } from "./finding.ts";

/** Matches characters that the API refuses in call ids; ids from other providers can contain them. */
const BAD_ID_CHARS = /[^A-Za-z0-9_-]/g;

/** Maximum length of a new call id. */
const MAX_ID_CHARS = 64;
/** Length of the digest in a new call id. It distinguishes ids that differ only in replaced characters. */
const DIGEST_CHARS = 16;

/** Matches an API error about thinking or a signature in a message, not about the thinking budget. */
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

/** The longest side, in pixels, that the API accepts in a request with many images. */
export const MAX_IMAGE_PIXELS = 2000;

/** First bytes of the media types that the API accepts, as Latin-1. */
const MAGIC: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

const MAGIC_BYTES = 12;

export function repairImage(
  block: JsonObject,
): { block: JsonObject; note: RescueNote } | undefined {
  const { source } = block;
  if (!isObject(source) || source.type !== "base64") return undefined;
  const bytes = decodeBase64(asString(source.data) ?? "");
  if (bytes === undefined) return removedImage("its data is not valid base64");
  const start = String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
  const mediaType = MAGIC.find(([, magic]) => magic.test(start))?.[0];
  if (mediaType === undefined) return removedImage("its data is not an image that the API accepts");
  const size = readImageSize(bytes);
  if (size !== undefined && Math.max(size.width, size.height) > MAX_IMAGE_PIXELS) {
    return removedImage(`${size.width} by ${size.height} pixels, over ${MAX_IMAGE_PIXELS}`);
  }
  if (mediaType === source.media_type) return undefined;
  return {
    block: { ...block, source: { ...source, media_type: mediaType } },
    note: {
      kind: "image",
      action: "replaced",
      what: `an image of type ${mediaType} is declared as ${
        asString(source.media_type) ?? "something else"
      }`,
    },
  };
}

function removedImage(why: string): { block: JsonObject; note: RescueNote } {
  return {
    block: { type: "text", text: `[An image was removed: ${why}]` },
    note: { kind: "image", action: "replaced", what: `an image: ${why}` },
  };
}

function decodeBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(data);
  } catch {
    return undefined;
  }
}
