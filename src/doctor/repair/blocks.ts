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

/** @param dropsThinking Whether to drop all thinking, not only thinking without a text or a signature. */
export function repairMessage({ type, message }: JsonObject, dropsThinking: boolean): {
  message: unknown;
  notes: RescueNote[];
} {
  const notes: RescueNote[] = [];
  if ((type !== "user" && type !== "assistant") || !isObject(message)) return { message, notes };
  return { message: repairContent(message, dropsThinking, notes), notes };
}

export function refusesThinking(raw: JsonObject): boolean {
  if (raw.isApiErrorMessage !== true || !isObject(raw.message)) return false;
  const { content } = raw.message;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => isObject(block) ? asString(block.text) ?? "" : "");
  return THINKING_REFUSED.test(texts.join("\n"));
}

/** Returns the same object if the content of the message or result needs no repair. */
function repairContent(whole: JsonObject, drops: boolean, notes: RescueNote[]): JsonObject {
  if (!Array.isArray(whole.content)) return whole;
  const { length } = notes;
  const content = whole.content.flatMap((block) =>
    isObject(block) ? repairBlock(block, drops, notes) : [block]
  );
  return notes.length === length ? whole : { ...whole, content };
}

/** Returns the repaired blocks; an empty list for thinking that the API refuses. */
function repairBlock(block: JsonObject, drops: boolean, notes: RescueNote[]): JsonObject[] {
  switch (block.type) {
    case "thinking":
    case "redacted_thinking": {
      const what = thinkingProblem(block, drops);
      if (what === undefined) return [block];
      notes.push({ kind: "thinking", action: "left_out", what });
      return [];
    }
    case "image":
      return [repairImage(block, notes)];
    case "tool_use":
      return [withPlainId(block, "id", notes)];
    case "tool_result":
      return [withPlainId(repairContent(block, drops, notes), "tool_use_id", notes)];
    default:
      return [block];
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

function repairImage(block: JsonObject, notes: RescueNote[]): JsonObject {
  const { source } = block;
  if (!isObject(source) || source.type !== "base64") return block;
  const bytes = decodeBase64(asString(source.data) ?? "");
  const start = String.fromCharCode(...bytes?.subarray(0, MAGIC_BYTES) ?? []);
  const mediaType = MAGIC.find(([, magic]) => magic.test(start))?.[0];
  const size = bytes && mediaType && readImageSize(bytes);
  const why = bytes === undefined
    ? "its data is not valid base64"
    : mediaType === undefined
    ? "its data is not an image that the API accepts"
    : size && Math.max(size.width, size.height) > MAX_IMAGE_PIXELS
    ? `${size.width} by ${size.height} pixels, over ${MAX_IMAGE_PIXELS}`
    : undefined;
  if (why !== undefined) {
    notes.push({ kind: "image", action: "replaced", what: `an image: ${why}` });
    return { type: "text", text: `[An image was removed: ${why}]` };
  }
  if (mediaType === source.media_type) return block;
  const declared = asString(source.media_type) ?? "something else";
  const what = `an image of type ${mediaType} is declared as ${declared}`;
  notes.push({ kind: "image", action: "replaced", what });
  return { ...block, source: { ...source, media_type: mediaType } };
}

function decodeBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(data);
  } catch {
    return undefined;
  }
}
