/**
 * Lists the changes that the client makes when it sends a conversation. A request may differ from the active
 * context only in these ways. Each change was observed; in a full run, the test fails if an exception never
 * applies.
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import { asString } from "../../../src/transcript/entry.ts";
import { MODEL, SMALL_MODEL } from "../bed/client.ts";
import { type ContextBlock, isSameJson, type SentBlock } from "./blocks.ts";
import { matchReminder, splitReminders } from "./reminders.ts";

export interface ContextPosition {
  ahead: readonly ContextBlock[];
  context: readonly ContextBlock[];
  found: readonly ContextBlock[];
}

export interface Rewording {
  /** Characters that the client added to the sent block. */
  addedChars: number;
  /** Additional blocks of the context that the sent block includes. */
  with?: ContextBlock[];
}

interface NamedException {
  name: string;
  why: string;
}

/** A block of the request without a counterpart in the context. */
export interface AddedBlock extends NamedException {
  matches(sent: SentBlock, place: ContextPosition): boolean;
}

export interface DroppedBlock extends NamedException {
  matches(block: ContextBlock, place: ContextPosition): boolean;
}

export interface MovedBlock extends NamedException {
  /** Returns the block of the context that comes next under this exception. */
  pick(sent: SentBlock, place: ContextPosition): ContextBlock | undefined;
}

/** A block that is sent in another form. */
export interface RewrittenBlock extends NamedException {
  matches(sent: SentBlock, block: ContextBlock, place: ContextPosition): Rewording | null;
}

export const NEXT_PROMPT = "The next prompt.";

const REMINDER = "<system-reminder>\n";
const REMINDERS_OF_PROMPT = new RegExp(
  `^${REMINDER}(Available agent types for|The following (agent types|skills) are|The task tools )`,
);
/** The client sends these with every prompt, or after a change. */
const CHANGING_REMINDERS = new RegExp(
  `^${REMINDER}(The following deferred tools are no longer available|<total_tokens>|` +
    `Today's date is|The date has changed|Attribution for)`,
);
/** The client sends these once, and writes them to the transcript. */
const REMINDERS_OF_START = new RegExp(
  `^${REMINDER}(# Environment|You are powered by|The following deferred tools are now available)`,
);
const REMINDERS_OF_HOOKS = new RegExp(`^${REMINDER}(SessionStart|UserPromptSubmit)\\S* hook `);
const UNCHANGED: Rewording = { addedChars: 0 };

function textOf({ block }: { block: JsonObject }): string {
  return block.type === "text" ? asString(block.text) ?? "" : "";
}

function hasType(block: JsonObject, ...types: string[]): boolean {
  return types.includes(asString(block.type) ?? "");
}

function turnAhead({ ahead }: ContextPosition): readonly ContextBlock[] {
  const end = ahead.findIndex(({ role }) => role !== ahead[0]?.role);
  return end === -1 ? ahead : ahead.slice(0, end);
}

function isAnswered(id: unknown, { context }: ContextPosition): boolean {
  return context.some(({ block }) => block.type === "tool_result" && block.tool_use_id === id);
}

function messageIdOf(block: ContextBlock | undefined): unknown {
  return block?.entry.message?.id;
}

/**
 * Returns whether only system lines and attachments are left. The client inserts its own additions before
 * these.
 */
function isPastMessages(ahead: readonly ContextBlock[]): boolean {
  return ahead.every(({ entry }) => entry.type === "system" || entry.type === "attachment");
}

/**
 * Returns whether the client also sends this block with the new prompt. If such a block is
 * missing at the end, the comparison cannot distinguish it from the block of the new prompt.
 */
export function isAlsoSentWithNewPrompt(
  block: ContextBlock,
  context: readonly ContextBlock[],
): boolean {
  const [piece = ""] = block.reminder?.isVerbatim === true ? block.reminder.pieces : [];
  const isOfLastTurn = context.slice(context.indexOf(block)).every(({ role }) => role === "user");
  return CHANGING_REMINDERS.test(piece) || (isOfLastTurn && REMINDERS_OF_PROMPT.test(piece));
}

/** The client merges user text at the end with the new prompt, and puts the prompt's reminders first. */
function areLastUserTexts(ahead: readonly ContextBlock[]): boolean {
  return ahead.every(({ role, block, reminder }) =>
    role === "user" && (block.type === "text" || reminder !== undefined)
  );
}

export const ADDED: AddedBlock[] = [
  {
    name: "the new prompt",
    why: "The test resumes the session with a prompt.",
    // Reminders in separate messages follow the prompt, even if their lines precede its line.
    matches: (sent, { ahead }) =>
      textOf(sent) === NEXT_PROMPT && ahead.every(({ reminder }) => reminder !== undefined),
  },
  {
    name: "reminders that come with the new prompt",
    why:
      "The client mentions agents, skills and tasks that the conversation lacks or that changed.",
    matches: (sent, { ahead }) => REMINDERS_OF_PROMPT.test(textOf(sent)) && isPastMessages(ahead),
  },
  {
    name: "reminders that the client stores once",
    why: "If the transcript lacks the first prompt's reminders, they come with the new prompt.",
    matches: (sent, { ahead, context }) =>
      (isPastMessages(ahead) || areLastUserTexts(ahead)) &&
      (CHANGING_REMINDERS.test(textOf(sent)) ||
        (REMINDERS_OF_START.test(textOf(sent)) &&
          context.every(({ reminder }) => reminder?.isVerbatim !== true))),
  },
  {
    name: "text after a loaded tool",
    why: "The client adds this text after a result that only refers to a tool.",
    matches: (sent, { found }) =>
      textOf(sent) === "Tool loaded." && hasType(found.at(-1)?.block ?? {}, "tool_result"),
  },
  {
    name: "hooks of the new prompt",
    why: "SessionStart and UserPromptSubmit run for the resumed session too.",
    matches: (sent, { ahead }) => REMINDERS_OF_HOOKS.test(textOf(sent)) && isPastMessages(ahead),
  },
  {
    name: "an answer to the user's last message",
    why:
      "If a session ends with a message of the user, the client answers it before the new prompt.",
    matches: (sent, { ahead }) =>
      sent.role === "assistant" && textOf(sent) === "No response requested." &&
      isPastMessages(ahead),
  },
  {
    name: "a placeholder for a message without content",
    why: "The API rejects empty messages.",
    matches: (sent) => textOf(sent) === "(no content)",
  },
  {
    name: "a made-up result",
    why:
      "The API requires a result for every call; a line with several calls keeps its open calls.",
    matches: ({ block }, place) =>
      block.type === "tool_result" && block.is_error === true &&
      block.content === "[Tool result missing due to internal error]" &&
      !isAnswered(block.tool_use_id, place),
  },
];

export const DROPPED: DroppedBlock[] = [
  {
    name: "a call without a result",
    why: "The API requires a result for every call, so the client drops a line without any result.",
    matches: ({ block, entry }, place) =>
      block.type === "tool_use" &&
      place.context.every((other) =>
        other.entry !== entry || other.block.type !== "tool_use" ||
        !isAnswered(other.block.id, place)
      ),
  },
  {
    name: "a result without a call",
    why: "The API rejects a result without a call.",
    matches: ({ block }, { context }) =>
      block.type === "tool_result" &&
      !context.some((other) =>
        other.block.type === "tool_use" && other.block.id === block.tool_use_id
      ),
  },
  {
    name: "a second result of one call",
    why: "The API accepts only one result for each call.",
    matches: ({ block, entry }, { found }) =>
      block.type === "tool_result" &&
      found.some((other) =>
        other.block.type === "tool_result" && other.block.tool_use_id === block.tool_use_id &&
        other.entry.uuid !== entry.uuid
      ),
  },
  {
    name: "blank text",
    why: "The API rejects blank text.",
    matches: ({ block }) =>
      block.type === "text" && typeof block.text === "string" && block.text.trim() === "",
  },
  {
    name: "the thinking of another model",
    why: "The model of the run cannot verify its signature.",
    matches: ({ block, entry }) =>
      hasType(block, "thinking", "redacted_thinking") &&
      ![MODEL, SMALL_MODEL].includes(asString(entry.message?.model) ?? ""),
  },
  {
    name: "a message that contains only thinking",
    why: "The API requires other content after thinking.",
    matches: (block, { context }) =>
      context.filter((other) => messageIdOf(other) === messageIdOf(block))
        .every((other) => hasType(other.block, "thinking", "redacted_thinking")),
  },
];

export const MOVED: MovedBlock[] = [
  {
    name: "an attachment before the texts of its message",
    why: "Reminders come first in a message, or directly after its tool results.",
    pick: (sent, place) => {
      if (!textOf(sent).startsWith(REMINDER)) return undefined;
      const turn = turnAhead(place);
      const index = turn.findIndex(({ reminder }) => reminder !== undefined);
      const isPastTexts = turn.slice(0, index).every(({ block }) => block.type === "text");
      return isPastTexts ? turn[index] : undefined;
    },
  },
  {
    name: "attribution before the other reminders of its message",
    why: "The other reminders can follow the prompt in a separate message; attribution cannot.",
    pick: (sent, place) =>
      textOf(sent).startsWith(`${REMINDER}Attribution for`)
        ? turnAhead(place).find(({ reminder }) =>
          reminder !== undefined && matchReminder(textOf(sent), reminder) !== null
        )
        : undefined,
  },
  {
    name: "texts before the attachments of their message",
    why: "Models since Sonnet 5 receive reminders in a separate message, which comes after.",
    pick: (sent, place) =>
      hasType(sent.block, "text") && !textOf(sent).startsWith(REMINDER)
        ? turnAhead(place).find(({ reminder }) => reminder === undefined)
        : undefined,
  },
  {
    name: "a result before the texts of its message",
    why: "The API requires results to come first in a message.",
    pick: (sent, place) =>
      hasType(sent.block, "tool_result")
        ? turnAhead(place).find(({ block }) => hasType(block, "tool_result"))
        : undefined,
  },
  {
    name: "texts before the calls of their message",
    why: "Calls come last in a message.",
    pick: (sent, place) => {
      if (!hasType(sent.block, "text", "thinking", "redacted_thinking")) return undefined;
      const other = turnAhead(place).find(({ block }) => !hasType(block, "tool_use"));
      return messageIdOf(other) === messageIdOf(place.ahead[0]) ? other : undefined;
    },
  },
];

export const REWRITTEN: RewrittenBlock[] = [
  {
    name: "an attachment as a reminder",
    why: "The client adds its own text around the content of an attachment.",
    matches: (sent, { reminder }) => {
      const added = reminder === undefined ? null : matchReminder(textOf(sent), reminder);
      return added === null ? null : { addedChars: added };
    },
  },
  {
    name: "a reminder without its tags",
    why: "A queued prompt is sent as the user's text, with the wording of its reminder.",
    matches: (sent, { reminder }) => {
      const [piece = ""] = reminder?.isVerbatim === true ? reminder.pieces : [];
      const text = textOf(sent).trimEnd();
      return piece.trimEnd() === `${REMINDER}${text}\n</system-reminder>`
        ? { addedChars: text.length - piece.length }
        : null;
    },
  },
  {
    name: "attachments at the end of a result",
    why:
      "Reminders become part of a plain-text result that they follow, without outer white space.",
    matches: ({ block: sent }, { block }, place) => {
      if (typeof sent.content !== "string" || typeof block.content !== "string") return null;
      const head = block.content.trim();
      const tail = sent.content.slice(head.length).replace(/^\n\n/, "");
      const rest = { ...sent, content: block.content };
      if (!sent.content.startsWith(head) || !isSameJson(rest, block)) return null;
      return matchAll(splitReminders(tail), place);
    },
  },
  {
    name: "attachments at the end of a result that is a list",
    why: "Reminders that follow such a result become texts in it.",
    matches: ({ block: sent }, { block }, place) => {
      if (!Array.isArray(sent.content) || !Array.isArray(block.content)) return null;
      const [head, tail] = [block.content, sent.content.slice(block.content.length)];
      const kept = sent.content.slice(0, head.length).map((inner, index) =>
        isObject(inner) && isObject(head[index]) && inner.text === `${head[index].text}\n`
          ? { ...inner, text: head[index].text }
          : inner
      );
      if (!isSameJson({ ...sent, content: kept }, block)) return null;
      return matchAll(
        tail.map((inner) => isObject(inner) ? asString(inner.text) ?? "" : ""),
        place,
      );
    },
  },
  {
    name: "a line break between two texts",
    why: "The client merges adjacent user messages, and separates their texts.",
    matches: (sent, { block, role }) =>
      role === "user" && block.type === "text" && textOf(sent) === `${block.text}\n`
        ? UNCHANGED
        : null,
  },
  {
    name: "the agent tool's older name",
    why: "A call of Task is sent as a call of Agent.",
    matches: ({ block: sent }, { block }) =>
      block.name === "Task" && isSameJson(sent, { ...block, name: "Agent" }) ? UNCHANGED : null,
  },
  {
    name: "half a surrogate pair",
    why: "The API accepts only well-formed text.",
    matches: ({ block: sent }, { block }) => isSameJson(sent, wellFormed(block)) ? UNCHANGED : null,
  },
];

export const EXCEPTIONS: NamedException[] = [...ADDED, ...DROPPED, ...MOVED, ...REWRITTEN];

function matchAll(texts: string[], place: ContextPosition): Rewording | null {
  const attachments = turnAhead(place).filter(({ reminder }) => reminder !== undefined)
    .slice(0, texts.length);
  if (texts.length === 0 || attachments.length < texts.length) return null;
  let addedChars = "\n\n".length * texts.length;
  for (const [index, { reminder }] of attachments.entries()) {
    const added = reminder === undefined ? null : matchReminder(texts[index] ?? "", reminder);
    if (added === null) return null;
    addedChars += added;
  }
  return { addedChars, with: attachments };
}

function wellFormed(block: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(block, (_, value) => typeof value === "string" ? value.toWellFormed() : value),
  );
}
