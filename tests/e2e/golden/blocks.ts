/**
 * Lists both sides of the comparison as content blocks: the client's request, and the library's active
 * context.
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import { contentChars, contentParts } from "../../../src/transcript/content.ts";
import type { Entry } from "../../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../../src/transcript/tree/active_context.ts";
import { blocksOf, type WireRequest } from "../bed/wire.ts";
import { MISCOUNTED } from "./known_differences.ts";
import { type Reminder, remindersOf, renderedReminders, splitReminders } from "./reminders.ts";

export interface SentBlock {
  role: string;
  block: JsonObject;
}

export interface ContextBlock {
  role: string;
  block: JsonObject;
  entry: Entry;
  /** The attachment's wording in a request; `block` is then empty. */
  reminder?: Reminder;
}

/**
 * Lists the blocks of a request's messages, without cache markers.
 *
 * Models since Sonnet 5 receive reminders in messages of role `system`, several in one text. Each
 * is listed as its own user block, as older models receive it.
 */
export function sentBlocks(body: WireRequest): SentBlock[] {
  return body.messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap(({ cache_control: _, ...block }): SentBlock[] => {
      const reminders = role === "system" ? splitReminders(block.text ?? "") : [];
      return reminders.length === 0
        ? [{ role, block }]
        : reminders.map((text) => ({ role: "user", block: { type: "text", text } }));
    })
  );
}

export interface Context {
  blocks: ContextBlock[];
  /** Characters as the trimmer counts them, with its errors for the {@linkcode MISCOUNTED} kinds corrected. */
  chars: number;
  miscounted: Set<string>;
}

export function contextBlocks(path: string): Context {
  using file = Deno.openSync(path);
  const { nodes } = findActiveContext(file, file.statSync().size);
  const context: Context = { blocks: [], chars: 0, miscounted: new Set() };
  for (const { entry } of readNodes(file, nodes)) {
    const parts = contentParts(entry);
    const { attachment } = entry.raw;
    // The library assumes that an entry without parts is not sent.
    const isCounted = parts.length > 0;
    const error = MISCOUNTED.find(({ matches, isSent }) =>
      isObject(attachment) && matches(attachment) && isSent !== isCounted
    );
    if (error !== undefined) context.miscounted.add(error.name);
    const blocks = (error?.isSent ?? isCounted) ? blocksOfEntry(entry) : [];
    context.blocks.push(...blocks);
    const pieces = blocks.flatMap(({ reminder }) => reminder?.pieces ?? []);
    context.chars += error === undefined ? contentChars(parts) : pieces.join("").length;
  }
  return context;
}

function blocksOfEntry(entry: Entry): ContextBlock[] {
  const { type, raw, message } = entry;
  if (type === "attachment") {
    const attachment = isObject(raw.attachment) ? raw.attachment : {};
    const reminders = Array.isArray(raw.rendered)
      ? renderedReminders(raw.rendered)
      : remindersOf(attachment);
    return reminders.map((reminder) => ({ role: "user", block: {}, entry, reminder }));
  }
  const role = type === "assistant" ? "assistant" : "user";
  const content = type === "system" ? raw.content : message?.content;
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return blocks.map((block) => ({ role, block: isObject(block) ? block : {}, entry }));
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return sortedJson(a) === sortedJson(b);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1));
  });
}

/** Counts code points of texts, input as JSON, signature and data, independently of the library. */
export function charsOfBlock(block: JsonObject): number {
  const { text, thinking, signature, data, input, source, content } = block;
  const input_text = input === undefined ? "" : JSON.stringify(input);
  const source_data = isObject(source) ? source.data : "";
  const ownChars = [text, thinking, signature, data, input_text, source_data, content]
    .map((value) => typeof value === "string" ? [...value].length : 0)
    .reduce((sum, chars) => sum + chars, 0);
  const inner = Array.isArray(content) ? content.filter(isObject).map(charsOfBlock) : [];
  return inner.reduce((sum, chars) => sum + chars, ownChars);
}
