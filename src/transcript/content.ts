/** Reads the parts of an entry that are sent; newer clients store an attachment's text in `rendered`. */

import { isObject, type JsonObject, stringsIn } from "../core/record.ts";
import { countChars } from "../core/chars.ts";
import type { MarkedPart } from "../core/marks.ts";
import { asString, type Entry, jsonText } from "./entry.ts";

export interface ContentPart {
  /** `attachment` is the text of an attachment, which the client usually sends as a reminder. */
  kind: "text" | "thinking" | "tool_use" | "tool_result" | "image" | "attachment";
  /** For an image or a document, its data; for a tool call, its input as JSON. */
  text: string;
  id?: string | undefined;
  name?: string | undefined;
  signatureChars?: number;
  /** Whether the client has cleared the result. If so, `text` is the text that is sent instead. */
  isCleared?: boolean;
  media?: JsonObject;
}

const SENT_ATTACHMENTS = new Set(
  "agent_listing_delta auto_mode date_change deferred_tools_delta diagnostics edited_text_file file hook_additional_context hook_blocking_error hook_stopped_continuation mcp_instructions_delta nested_memory queued_command skill_listing task_reminder total_tokens_reminder"
    .split(" "),
);

const HOOKS_WITH_CONTEXT = new Set(["SessionStart", "UserPromptSubmit"]);

const UNSENT_FIELDS = new Set(
  "type toolUseID hookEvent command durationMs stdout source_uuid delivery_id commandMode timestamp"
    .split(" "),
);

const MAX_ATTACHMENT_DEPTH = 8;

const CLEARED = "tool_results_cut";

/** The client's placeholder for a missing answer, for example after a resume in the middle of a turn. */
export const NO_ANSWER = "No response requested.";

export function contentParts(entry: Entry): ContentPart[] {
  if (entry.type === "attachment") {
    const { attachment, rendered } = entry.raw;
    const isRendered = Array.isArray(rendered) && rendered.length > 0;
    return isRendered ? joinedPart(renderedTextsIn(rendered)) : attachmentParts(attachment);
  }
  if (entry.type === "system") {
    const text = entry.subtype === "local_command" ? asString(entry.raw.content) : undefined;
    return text === undefined ? [] : [{ kind: "text", text }];
  }
  if (entry.type !== "user" && entry.type !== "assistant") return [];
  if (entry.raw.isApiErrorMessage === true && entry.message?.model === "<synthetic>") return [];
  const content = entry.message?.content;
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return Array.isArray(content) ? content.flatMap(blockParts) : [];
}

export function contentChars(parts: readonly ContentPart[]): number {
  let chars = 0;
  for (const part of parts) {
    // Base64 is ASCII, so its length is its number of characters. For a plain-text document, the length can
    // be higher than the number of characters.
    chars += part.kind === "image" ? part.text.length : countChars(part.text);
    chars += part.signatureChars ?? 0;
  }
  return chars;
}

export function resultTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isObject(block) && block.type === "text" ? asString(block.text) ?? [] : []
  );
}

export function fullText(entry: Entry): string {
  const content = entry.message?.content;
  if (typeof content === "string") return content;
  const texts = blocksOf(entry).flatMap(({ type, text, content }) =>
    type === "text" ? asString(text) ?? [] : type === "tool_result" ? resultTexts(content) : []
  );
  return texts.length > 0 ? texts.join("\n") : jsonText(entry.raw, 2);
}

export function blockParts(block: unknown): ContentPart[] {
  if (!isObject(block)) return [];
  switch (block.type) {
    case "text": {
      const text = asString(block.text) ?? "";
      return text === "" ? [] : [{ kind: "text", text }];
    }
    case "thinking": {
      const signatureChars = asString(block.signature)?.length ?? 0;
      return [{ kind: "thinking", text: asString(block.thinking) ?? "", signatureChars }];
    }
    case "redacted_thinking":
      return [{ kind: "thinking", text: asString(block.data) ?? "" }];
    case "tool_use": {
      // Callers parse the text as JSON, so it must not be empty.
      const text = jsonText(block.input ?? {}) || "{}";
      return [{ kind: "tool_use", text, id: asString(block.id), name: asString(block.name) }];
    }
    case "tool_result":
      return resultParts(block);
    case "image":
    case "document":
      return [imagePart(block)];
    default:
      return [];
  }
}

function resultParts({ content, tool_use_id }: JsonObject): ContentPart[] {
  const text = resultTexts(content).join("");
  const images = Array.isArray(content) ? content.filter(isMedia).map(imagePart) : [];
  return [{ kind: "tool_result", text, id: asString(tool_use_id) }, ...images];
}

export function isMedia(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === "image" || block.type === "document");
}

/** Returns base64, or the text of a plain document; empty if the block only refers to its data. */
export function mediaData({ source }: JsonObject): string {
  return isObject(source) ? asString(source.data) ?? "" : "";
}

function imagePart(block: JsonObject): ContentPart {
  return { kind: "image", text: mediaData(block), media: block };
}

function joinedPart(texts: readonly string[]): ContentPart[] {
  const text = texts.join("");
  return text === "" ? [] : [{ kind: "attachment", text }];
}

function attachmentParts(attachment: unknown): ContentPart[] {
  if (!isObject(attachment)) return [];
  const type = asString(attachment.type) ?? "";
  const isSent = SENT_ATTACHMENTS.has(type) ||
    (type === "hook_success" && HOOKS_WITH_CONTEXT.has(asString(attachment.hookEvent) ?? ""));
  if (!isSent) return [];
  const images = attachedBlocks(attachment).filter(isMedia).map(imagePart);
  return [...joinedPart(attachmentTexts(attachment)), ...images];
}

/** Returns the blocks of an attached picture, PDF or notebook, or of a queued prompt. */
export function attachedBlocks(attachment: unknown): JsonObject[] {
  const { prompt, content } = isObject(attachment) ? attachment : {};
  if (Array.isArray(prompt)) return prompt.map((block) => isObject(block) ? block : {});
  const file = fileMedia(content);
  return file === undefined ? notebookBlocks(content) : [file];
}

export function notebookOutputs(content: unknown): JsonObject[] {
  return notebookCells(content).flatMap(({ outputs }) => objectsOf(outputs));
}

function notebookCells(content: unknown): JsonObject[] {
  const isNotebook = isObject(content) && content.type === "notebook" && isObject(content.file);
  return isNotebook ? objectsOf(Object(content.file).cells) : [];
}

/** Rebuilds the blocks that the client sends for a notebook with pictures, whose text it does not store. */
function notebookBlocks(content: unknown): JsonObject[] {
  const blocks: JsonObject[] = [];
  let texts: string[] = [];
  const flushText = (): void => {
    const text = `<system-reminder>\n${texts.join("\n")}\n</system-reminder>`;
    if (texts.length > 0) blocks.push({ type: "text", text });
    texts = [];
  };
  for (const { cellType, source, cell_id: id, outputs } of notebookCells(content)) {
    const typeTag = cellType === "code" ? "" : `<cell_type>${cellType}</cell_type>`;
    texts.push(`<cell id="${id}">${typeTag}${source}</cell id="${id}">`);
    for (const { text, image } of objectsOf(outputs)) {
      if (typeof text === "string") texts.push(`\n${text}`);
      const { image_data: data, media_type } = Object(image);
      if (typeof data !== "string") continue;
      flushText();
      blocks.push({ type: "image", source: { type: "base64", media_type, data } });
    }
  }
  flushText();
  return blocks;
}

/** Returns the picture or document of a file that a prompt mentions; the client stores no text for it. */
export function fileMedia(content: unknown): JsonObject | undefined {
  if (!isObject(content) || !isObject(content.file)) return undefined;
  const type = content.type === "pdf" ? "document" : content.type;
  const { base64: data, type: mediaType } = content.file;
  if ((type !== "image" && type !== "document") || typeof data !== "string" || data === "") {
    return undefined;
  }
  const media_type = asString(mediaType) ?? (type === "document" ? "application/pdf" : "image/png");
  return { type, source: { type: "base64", media_type, data } };
}

/** Returns the texts of an attachment in the exact form that the client sent and stored. */
export function renderedTextsIn(rendered: unknown): string[] {
  return objectsOf(rendered).flatMap(({ content }) => resultTexts(content));
}

/** Returns the text of a prompt that the user sent while the model worked. */
export function queuedPrompt({ raw: { attachment } }: Entry): string | undefined {
  if (!isObject(attachment) || attachment.type !== "queued_command") return undefined;
  const text = resultTexts(attachment.prompt).join("\n");
  return attachment.commandMode === "prompt" && text !== "" ? text : undefined;
}

export function attachmentTexts(attachment: unknown): string[] {
  if (!isObject(attachment)) return [];
  return Object.entries(attachment).filter(([key]) => !UNSENT_FIELDS.has(key))
    .flatMap(([, value]) => leafTexts(value, 0));
}

function leafTexts(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth > MAX_ATTACHMENT_DEPTH || typeof value !== "object" || value === null) return [];
  // Only the text of a block is sent, without its type or the data of a picture.
  if (isMedia(value) && isObject(value.source)) return [];
  if (fileMedia(value) !== undefined || Object.hasOwn(value, "image_data")) return [];
  if (isObject(value) && value.type === "text") {
    return leafTexts(isObject(value.file) ? value.file.content : value.text, depth + 1);
  }
  return Object.values(value).flatMap((inner) => leafTexts(inner, depth + 1));
}

/** Returns the ids of calls whose results the client has cleared and replaced by a short text. */
export function clearedBy({ raw: { attachment } }: Entry): readonly unknown[] {
  const { type, callIds } = Object(attachment);
  return type === CLEARED && Array.isArray(callIds) ? callIds : [];
}

export function attachedMedia(entry: Entry): JsonObject[] {
  return attachedBlocks(entry.raw.attachment).filter(isMedia);
}

export function blocksOf({ message }: Entry): JsonObject[] {
  return objectsOf(message?.content);
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the texts of a result, followed by all of them joined, or the strings in a call's arguments. */
export function markedTexts(entry: Entry, { id, kind }: MarkedPart): string[] | undefined {
  for (const block of blocksOf(entry)) {
    if (kind === "result" && block.type === "tool_result" && block.tool_use_id === id) {
      const texts = resultTexts(block.content);
      return texts.length > 1 ? [...texts, texts.join("\n")] : texts;
    }
    if (kind === "call" && block.type === "tool_use" && block.id === id) {
      return stringsIn(block.input);
    }
  }
  return undefined;
}
