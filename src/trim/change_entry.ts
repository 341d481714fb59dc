/** Applies the cuts of a plan to an entry of a copy. */

import { countChars } from "../core/chars.ts";
import { attachedBlocks, fileMedia, isMedia, notebookOutputs } from "../transcript/content.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import type { Cut, CutRules } from "./cut_planner.ts";
import { cutArguments, jsonChars } from "./inputs.ts";
import {
  type Remainder,
  remainderText,
  truncateContent,
  type TruncateOptions,
} from "./remainder.ts";
import { type MediaOrigin, replaceMedia } from "./media.ts";

export interface DoneCut {
  readonly cut: Cut;
  readonly chars: number;
  readonly mediaCount: number;
  readonly mediaChars: number;
}

type LineRules = Pick<CutRules, "keep" | "threshold" | "parentFile"> & {
  readonly lineNumber: number;
};

export function cutEntry(entry: JsonObject, cuts: readonly Cut[], rules: LineRules): DoneCut[] {
  const blocks = contentOf(entry);
  const removed = new Set<unknown>();
  const attempted = cuts.map((cut): DoneCut => {
    const index = cut.place?.block ?? -1;
    const block = blocks[index];
    const noEffect = { cut, chars: 0, mediaCount: 0, mediaChars: 0 };
    if (!isObject(block)) return noEffect;
    switch (cut.kind) {
      case "thinking":
        removed.add(block);
        return { ...noEffect, chars: cut.thinkingChars ?? 0 };
      case "media": {
        const mediaChars = dropMedia(blocks, index, cut.media, rules);
        return { ...noEffect, mediaCount: Number(mediaChars > 0), mediaChars };
      }
      case "call":
        return { ...noEffect, chars: cutCall(block, cut, rules) };
      case "result":
        return { ...noEffect, ...cutResult(block, cut, rules) };
    }
  });
  // Removed thinking counts as cut even if it was empty, or was not sent.
  const done = attempted.filter(({ cut, chars, mediaCount }) =>
    chars + mediaCount > 0 || cut.kind === "thinking"
  );
  setContent(entry, blocks.filter((block) => !removed.has(block)));
  if (done.some(({ cut }) => cut.kind === "result") && entry.toolUseResult !== undefined) {
    entry.toolUseResult = cutToolUseResult(entry.toolUseResult, rules);
  }
  return done;
}

function contentOf({ message, attachment }: JsonObject): unknown[] {
  if (isObject(message)) return Array.isArray(message.content) ? message.content : [];
  if (!isObject(attachment)) return [];
  return Array.isArray(attachment.prompt) ? attachment.prompt : attachedBlocks(attachment);
}

function setContent({ message, attachment }: JsonObject, blocks: unknown[]): void {
  if (isObject(message)) {
    if (Array.isArray(message.content)) message.content = blocks;
  } else if (isObject(attachment) && !Array.isArray(attachment.prompt)) {
    const [block] = blocks;
    if (fileMedia(attachment.content) === undefined) return setPictures(attachment, blocks);
    if (!isObject(block) || block.type !== "text") return;
    // The attached file becomes a text file, in the client's format.
    const file = { filePath: "", content: block.text, numLines: 1, startLine: 1, totalLines: 1 };
    attachment.content = { type: "text", file };
  }
}

/** Moves the lines that replaced pictures of a notebook into the outputs that had the pictures. */
function setPictures(attachment: JsonObject, blocks: readonly unknown[]): void {
  const pictured = notebookOutputs(attachment.content).filter(({ image }) => isObject(image));
  const pictures = [...attachedBlocks(attachment).entries()].filter(([, block]) => isMedia(block));
  for (const [n, output] of pictured.entries()) {
    const { type, text } = Object(blocks[pictures[n]?.[0] ?? -1]);
    if (type !== "text") continue;
    delete output.image;
    output.text = [output.text, text].filter((one) => typeof one === "string").join("");
  }
}

function cutCall(
  block: JsonObject,
  { toolName = "", argumentNames }: Cut,
  rules: LineRules,
): number {
  const { input } = block;
  block.input = cutArguments(toolName, input, { ...rules, argumentNames });
  return block.input === input ? 0 : jsonChars(input) - jsonChars(block.input);
}

function cutResult(
  block: JsonObject,
  { remainders = [], media }: Cut,
  rules: LineRules,
): Omit<DoneCut, "cut"> {
  const saved = { chars: 0, mediaCount: 0, mediaChars: 0 };
  const cutText = (text: string, remainder: Remainder | undefined): string => {
    if (remainder === undefined) return text;
    const after = remainderText(text, remainder, rules);
    saved.chars += countChars(text) - countChars(after);
    return after;
  };
  const { content } = block;
  if (typeof content === "string") block.content = cutText(content, remainders[0]);
  if (!Array.isArray(content)) return saved;
  let texts = 0;
  for (const [index, inner] of content.entries()) {
    if (!isObject(inner)) continue;
    if (inner.type === "text" && typeof inner.text === "string") {
      inner.text = cutText(inner.text, remainders[texts++]);
    } else if (media !== undefined && isMedia(inner)) {
      const chars = dropMedia(content, index, media, rules);
      saved.mediaChars += chars;
      saved.mediaCount += Number(chars > 0);
    }
  }
  return saved;
}

function dropMedia(
  blocks: unknown[],
  index: number,
  origin: MediaOrigin | undefined,
  rules: LineRules,
): number {
  const block = blocks[index];
  const media = isObject(block) ? replaceMedia(block, origin ?? {}, rules) : undefined;
  if (media === undefined) return 0;
  blocks[index] = { type: "text", text: media.placeholder };
  return media.charsSaved;
}

/** Fields that contain a file, and the value that replaces a long one. */
const FILE_CONTENTS: Readonly<Record<string, unknown>> = { originalFile: null, base64: "" };

/** Cuts long texts and lists, and removes files, in the client's own view of a result. */
function cutToolUseResult(value: unknown, options: TruncateOptions): unknown {
  if (typeof value === "string") return truncateContent(value, options);
  const { threshold } = options;
  if (Array.isArray(value)) value.length = fittingCount(value, threshold) || value.length;
  if (typeof value !== "object" || value === null) return value;
  for (const [key, inner] of Object.entries(value)) {
    const isFile = typeof inner === "string" && inner.length > threshold &&
      Object.hasOwn(FILE_CONTENTS, key);
    const left = isFile ? FILE_CONTENTS[key] : cutToolUseResult(inner, options);
    if (left !== inner) Object.assign(value, { [key]: left });
  }
  return value;
}

/** Returns how many strings of a list fit into `maxChars` as JSON; 0 if an item is not a string. */
function fittingCount(list: readonly unknown[], maxChars: number): number {
  if (!list.every((item) => typeof item === "string")) return 0;
  let room = maxChars;
  const end = list.findIndex((text) => (room -= jsonChars(text) + 1) < 0);
  return end < 0 ? list.length : end;
}

/** The counts that make up the context, in the order in which they are lowered. */
const USAGE_COUNTS = ["cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"];

export function lowerUsage(entry: JsonObject, tokens: number): boolean {
  const isMetadata = typeof entry.contextTokens === "number";
  if (isMetadata) entry.contextTokens = tokens;
  const usage = isObject(entry.message) ? entry.message.usage : undefined;
  if (!isObject(usage)) return isMetadata;
  const countOf = (key: string): number => {
    const count = usage[key];
    return typeof count === "number" && count > 0 ? count : 0;
  };
  let excess = USAGE_COUNTS.reduce((sum, key) => sum + countOf(key), 0) - tokens;
  if (excess <= 0) return isMetadata;
  for (const key of USAGE_COUNTS) {
    const taken = Math.max(0, Math.min(excess, countOf(key)));
    if (taken > 0) usage[key] = countOf(key) - taken;
    excess -= taken;
  }
  return true;
}
