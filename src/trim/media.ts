/** Computes the cost of a picture or a document in a message, and renders the line that can replace it. */

import { isObject, type JsonObject } from "../core/record.ts";
import { countChars } from "../core/chars.ts";
import { mediaData } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import {
  HIGH_RESOLUTION_IMAGE,
  imageTokens,
  readImageSize,
  STANDARD_IMAGE,
} from "../transcript/tokens/pictures.ts";
import { estimateTextTokens, scaleOfModel } from "../transcript/tokens/tokens.ts";
import { type MaskedPlace, mediaPlaceholder } from "./placeholder.ts";

const PDF_PAGE_TOKENS = 2200;

const HEADER_CHARS = 256 * 1024;

/** Matches a page in a PDF; pages in compressed objects are not found. */
const PDF_PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;

export interface MediaOrigin {
  /** The tool that returned the picture or document; absent if the user added it to a message. */
  toolName?: string | undefined;
  input?: unknown;
}

export function replaceMedia(
  block: JsonObject,
  origin: MediaOrigin,
  place?: MaskedPlace,
): { placeholder: string; charsSaved: number } | undefined {
  const placeholder = mediaLine(block, origin, place);
  const charsSaved = mediaData(block).length - countChars(placeholder);
  return charsSaved > 0 ? { placeholder, charsSaved } : undefined;
}

export function mediaLine(block: JsonObject, origin: MediaOrigin, place?: MaskedPlace): string {
  const source = isObject(block.source) ? block.source : {};
  const data = mediaData(block);
  const isPlain = source.type === "text";
  const input = isObject(origin.input) ? origin.input : {};
  return mediaPlaceholder(
    block.type === "document" ? "document" : "image",
    isPlain ? new TextEncoder().encode(data).length : decodedBytes(data),
    [
      ["type", asString(source.media_type)],
      block.type === "document" ? ["title", asString(block.title)] : ["size", sizeText(data)],
      ["from", origin.toolName ?? "user"],
      ["file", asString(input.file_path) ?? asString(input.path)],
    ],
    place,
  );
}

export function mediaTokens(block: JsonObject, model: string | undefined): number {
  const data = mediaData(block);
  if (isObject(block.source) && block.source.type === "text") {
    return Math.round(estimateTextTokens(data) * scaleOfModel(model));
  }
  if (block.type === "document") return pdfPages(data) * PDF_PAGE_TOKENS;
  const size = readImageSize(decodeHead(data, HEADER_CHARS));
  if (size === undefined) return 0;
  const limits = scaleOfModel(model) > 1 ? HIGH_RESOLUTION_IMAGE : STANDARD_IMAGE;
  return imageTokens(size.width, size.height, limits);
}

function sizeText(data: string): string | undefined {
  const size = readImageSize(decodeHead(data, HEADER_CHARS));
  return size === undefined ? undefined : `${size.width}x${size.height}`;
}

function pdfPages(data: string): number {
  // The client's runtime only decodes UTF-8, which is enough: the pattern is ASCII.
  const text = new TextDecoder().decode(decodeHead(data, data.length));
  return text.startsWith("%PDF") ? text.match(PDF_PAGE)?.length ?? 0 : 0;
}

function decodedBytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

function decodeHead(data: string, maxChars: number): Uint8Array {
  // Base64 encodes three bytes in four characters; an incomplete group cannot be decoded.
  const head = data.slice(0, Math.min(maxChars, data.length) & ~3);
  try {
    return Uint8Array.fromBase64(head);
  } catch {
    return new Uint8Array(0);
  }
}
