/**
 * Compares the client's request with the library's active context. Both become lists of turns with their
 * content in one form: the client moves texts, calls, results and reminders within a turn, and puts reminders
 * into results or separate messages, so the order within a turn does not count.
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import {
  contentChars,
  contentParts,
  NO_ANSWER,
  resultTexts,
} from "../../../src/transcript/content.ts";
import type { Entry } from "../../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../../src/transcript/tree/active_context.ts";
import { MODEL, SMALL_MODEL } from "../bed/client.ts";
import { blocksOf, type WireRequest } from "../bed/wire.ts";

export const NEXT_PROMPT = "The next prompt.";

/** One piece of content: its kind and its text or JSON. */
type Piece = string;

export interface Turn {
  readonly role: string;
  /** Sorted. */
  readonly pieces: readonly Piece[];
}

interface Block {
  readonly role: string;
  readonly block: JsonObject;
}

interface ContextBlock extends Block {
  readonly entry: Entry;
}

export interface Context {
  readonly turns: readonly Turn[];
  /** Characters of the entries as the library counts them. */
  readonly countedChars: number;
  /** The same, counted independently of the library. */
  readonly chars: number;
}

const REMINDER = /<system-reminder>\n?([^]*?)\n?<\/system-reminder>/g;

/** Matches reminders that the client sends with every prompt, after a change, or if the transcript lacks them. */
const REPEATED_REMINDERS = new RegExp(
  "^text: (?:" + [
    "Available agent types for",
    "The following (?:agent types|skills) are",
    "The task tools ",
    "The following deferred tools are ",
    "<total_tokens>",
    "Today's date is",
    "The date has changed",
    "Attribution for",
    "# Environment",
    "You are powered by",
    "(?:SessionStart|UserPromptSubmit)\\S* hook ",
  ].join("|") + ")",
);

/** Texts and results that the client adds, because the API requires them. */
const ADDED = [
  `text: ${NEXT_PROMPT}`,
  `text: ${NO_ANSWER}`,
  "text: (no content)",
  "text: Tool loaded.",
];
/** The client's own words before the context that a hook adds. */
const HOOK_WORDS = " hook additional context: ";

const MADE_UP_RESULT = "[Tool result missing due to internal error]";

/**
 * Returns the turns of a request without the client's additions.
 *
 * @param context The turns of the context. The client sends each of their reminders once, and then adds others.
 */
export function turnsSent({ messages }: WireRequest, context: readonly Turn[]): Turn[] {
  const unseen = context.flatMap(({ pieces }) => pieces);
  const blocks = messages.flatMap(({ role, content }) =>
    blocksOf(content).map(({ cache_control: _, ...block }): Block => ({ role, block }))
  );
  return turnsOf(
    blocks.filter(({ block }) => block.content !== MADE_UP_RESULT),
    (piece) => {
      if (!REPEATED_REMINDERS.test(piece)) return true;
      const index = unseen.indexOf(piece);
      if (index >= 0) unseen.splice(index, 1);
      return index >= 0;
    },
  );
}

export function readContext(path: string): Context {
  using file = Deno.openSync(path);
  const { nodes } = findActiveContext(file, file.statSync().size);
  const entries = [...readNodes(file, nodes)].map(({ entry }) => entry)
    .filter((entry) => contentParts(entry).length > 0 && !isSilentHook(entry));
  const blocks = entries.flatMap(blocksOfEntry);
  return {
    turns: turnsOf(blocks.filter((block) => isSent(block, blocks))),
    countedChars: entries.reduce((sum, entry) => sum + contentChars(contentParts(entry)), 0),
    chars: blocks.reduce((sum, { block }) => sum + charsOfBlock(block), 0) -
      HOOK_WORDS.length * entries.filter(isWrittenHook).length,
  };
}

/** Newer clients store the text that was sent; hand-written lines only have the context of a hook. */
function isWrittenHook({ raw }: Entry): boolean {
  return raw.type === "attachment" && !Array.isArray(raw.rendered);
}

/** The client does not send a hook's empty output; the library counts the hook's name. */
function isSilentHook({ raw }: Entry): boolean {
  const { type, content } = Object(raw.attachment);
  return type === "hook_success" && content === "";
}

function blocksOfEntry(entry: Entry): ContextBlock[] {
  const { type, raw, message } = entry;
  const role = type === "assistant" ? "assistant" : "user";
  const content = type === "attachment"
    ? attachmentTexts(raw).map((text) => ({ type: "text", text }))
    : type === "system"
    ? raw.content
    : message?.content;
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return blocks.map((block) => ({ role, block: isObject(block) ? block : {}, entry }));
}

function attachmentTexts({ rendered, attachment }: JsonObject): string[] {
  if (Array.isArray(rendered)) {
    return rendered.flatMap((piece) => resultTexts(isObject(piece) ? piece.content : undefined));
  }
  const { hookName, content } = Object(attachment);
  return [`${hookName}${HOOK_WORDS}${content}`];
}

/** Returns whether the client sends a block: it leaves out what the API would refuse. */
function isSent({ block, entry }: ContextBlock, all: readonly ContextBlock[]): boolean {
  const has = (type: string, key: string, id: unknown): boolean =>
    all.some((other) => other.block.type === type && other.block[key] === id);
  const isAnswered = (id: unknown): boolean => has("tool_result", "tool_use_id", id);
  switch (block.type) {
    case "tool_use":
      // A line with several calls keeps its open calls, and the client makes up their results.
      return all.some((other) =>
        other.entry === entry && other.block.type === "tool_use" && isAnswered(other.block.id)
      );
    case "tool_result":
      return has("tool_use", "id", block.tool_use_id) &&
        all.find((other) => other.block.tool_use_id === block.tool_use_id)?.entry === entry;
    case "thinking":
    case "redacted_thinking":
      // The model of the run cannot verify the signature of another model.
      return [MODEL, SMALL_MODEL].includes(String(entry.message?.model)) &&
        all.some((other) =>
          other.entry.message?.id === entry.message?.id && !/thinking$/.test(`${other.block.type}`)
        );
    default:
      return true;
  }
}

/** Merges adjacent blocks of a role, as the API does. Reminders in messages of role `system` are the user's. */
function turnsOf(blocks: readonly Block[], isKept: (piece: Piece) => boolean = () => true): Turn[] {
  const turns: { role: string; pieces: Piece[] }[] = [];
  for (const { role: sentRole, block } of blocks) {
    const role = sentRole === "system" ? "user" : sentRole;
    const pieces = piecesOf(block).filter((piece) => !ADDED.includes(piece) && isKept(piece));
    if (pieces.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.pieces.push(...pieces);
    else turns.push({ role, pieces });
  }
  return turns.map(({ role, pieces }) => ({ role, pieces: pieces.sort() }));
}

function piecesOf(block: JsonObject): Piece[] {
  if (block.type === "text") return textsOf(String(block.text)).map((text) => `text: ${text}`);
  if (block.type !== "tool_result") {
    // The client sends a call of the agent tool under its newer name.
    return [wholePiece(block.name === "Task" ? { ...block, name: "Agent" } : block)];
  }
  const content = Array.isArray(block.content)
    ? block.content.filter(isObject)
    : [{ type: "text", text: String(block.content) }];
  const reminders: Piece[] = [];
  const kept = content.flatMap((inner) => {
    if (inner.type !== "text") return [inner];
    const [text = "", ...others] = splitText(String(inner.text));
    reminders.push(...others.map((other) => `text: ${other}`));
    return text === "" ? [] : [{ type: "text", text }];
  });
  return [wholePiece({ ...block, content: kept }), ...reminders];
}

function textsOf(text: string): string[] {
  return splitText(text).filter((part) => part !== "");
}

/** Returns the text without reminders, then the reminders without their tags. */
function splitText(text: string): string[] {
  const reminders = [...text.matchAll(REMINDER)].map(([, words = ""]) => words);
  return [text.replaceAll(REMINDER, ""), ...reminders].map((part) => part.trim().toWellFormed());
}

/** Keys are sorted, and text is well-formed, as the API requires. */
function wholePiece(block: JsonObject): Piece {
  return JSON.stringify(block, (_, inner: unknown) => {
    if (typeof inner === "string") return inner.toWellFormed();
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1));
  });
}

/** Counts code points of texts, input as JSON, signature and data, independently of the library. */
export function charsOfBlock(block: JsonObject): number {
  const { text, thinking, signature, data, input, source, content } = block;
  const inputText = input === undefined ? "" : JSON.stringify(input);
  const sourceData = isObject(source) ? source.data : "";
  const ownChars = [text, thinking, signature, data, inputText, sourceData, content]
    .map((value) => typeof value === "string" ? [...value].length : 0)
    .reduce((sum, chars) => sum + chars, 0);
  const inner = Array.isArray(content) ? content.filter(isObject).map(charsOfBlock) : [];
  return inner.reduce((sum, chars) => sum + chars, ownChars);
}
