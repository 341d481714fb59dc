/**
 * Lays out the conversation as rows for the answer to a compaction.
 *
 * The rows are built from the API messages, which pair calls with results. In the client's own rows, results
 * can come between the calls of one answer. Every row is newly created: on resume, a row with its old handle
 * would restore everything before it.
 */

import type { JsonObject } from "../core/record.ts";
import { isMedia, resultTexts } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import type { ApiMessage, CallRow, Client, ResultRow, Row, Rows } from "./client.ts";
import { referenceText, type SessionMedia } from "./media.ts";
import {
  HIDDEN_OPEN,
  type Reminders,
  remindersIn,
  TOOL_LOADED,
  withoutHidden,
  withoutReminders,
} from "./reminders.ts";

export const MAX_ROWS = 4096;

export function currentRows(client: Client): Promise<readonly Row[]> {
  return client.session.messages({ last: MAX_ROWS });
}

export function callsIn(rows: Rows): CallRow[] {
  return rows.flatMap(({ toolUses }) => toolUses);
}

export function callsById(rows: Rows): ReadonlyMap<string, CallRow> {
  return new Map(callsIn(rows).map((call) => [call.tool_use_id, call]));
}

export function resultsIn(rows: Rows): ResultRow[] {
  return rows.flatMap(({ toolResults = [] }) => toolResults);
}

export interface RawConversation {
  readonly rows: Rows;
  readonly messages: readonly ApiMessage[];
}

export interface RowChanges {
  readonly results: ReadonlyMap<string, string>;
  readonly inputs: ReadonlyMap<string, CallRow["input"]>;
}

/**
 * Matches the commands that start a trim: `/trim`, and the client's `/compact` with arguments that begin with
 * `trimtab`. A `/compact` text must match as a whole, because a prompt can begin by quoting such a text.
 */
const TRIM_COMMAND =
  /^<command-name>\/(?:trimtab:trim<|compact<\/command-name>\s*<command-message>compact<\/command-message>\s*<command-args>trimtab\b[^<]*<\/command-args>\s*$)/;
const TRIM_OUTPUT = /^<local-command-stdout>[^A-Z]*(?:Compacted|Not compacted)/;

const COMMAND_OR_OUTPUT = /^<(?:command-name|local-command-stdout|bash-input|bash-stdout)>/;

/** Matches the typed command, which the client counts as a message while the command runs. */
const TYPED_COMMAND = /^\/compact trimtab(?:\s|$)/;

export function layOutRows(
  conversation: RawConversation,
  reminders: Reminders,
  media: Pick<SessionMedia, "textsOf">,
): Row[] {
  const known = knownRows(conversation.rows);
  const built = mergeMessages(conversation.messages).flatMap(({ role, content }) =>
    role === "assistant" ? answerRows(content, known) : userRows(content, known, reminders, media)
  );
  return withoutOldStates(withoutTrimCommands(built), reminders);
}

export function isSameConversation(rows: Rows, others: Rows): boolean {
  return rows.length === others.length && rows.every(({ text, toolUses, toolResults }, row) => {
    const other = others[row];
    return text === other?.text && toolUses.length === other.toolUses.length &&
      toolResults?.length === other.toolResults?.length &&
      toolResults?.every((result, index) => result.text === other.toolResults?.[index]?.text) !==
        false;
  });
}

/**
 * Applies new result text and arguments to rows.
 *
 * @throws {Error} When a call would lose its result, or a result would lose its call. The client would report
 * such a call as failed, and leave out such a result.
 */
export function changeRows(
  rows: Rows,
  changes: RowChanges = { results: new Map(), inputs: new Map() },
): Row[] {
  const changed = rows.map((row) => {
    const toolUses = row.toolUses.map((call) => ({
      ...call,
      input: changes.inputs.get(call.tool_use_id) ?? call.input,
    }));
    if (row.toolResults === undefined) return { ...row, toolUses };
    const toolResults = row.toolResults.map((result) => ({
      ...result,
      text: changes.results.get(result.tool_use_id) ?? result.text,
    }));
    return { ...row, toolUses, toolResults };
  });
  let called = new Set<string>();
  for (const { toolUses, toolResults = [] } of [...changed, userRow("")]) {
    const answered = new Set(toolResults.map(({ tool_use_id: id }) => id));
    const [unpaired] = called.symmetricDifference(answered);
    if (unpaired !== undefined) throw new Error(`call ${unpaired} or its result would be lost`);
    called = new Set(toolUses.map(({ tool_use_id: id }) => id));
  }
  return changed;
}

function mergeMessages(
  messages: readonly ApiMessage[],
): { role: ApiMessage["role"]; content: JsonObject[] }[] {
  const merged: { role: ApiMessage["role"]; content: JsonObject[] }[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last?.role === role) last.content = last.content.concat(content);
    else merged.push({ role, content: [...content] });
  }
  return merged;
}

/** Removes the line break that the client appends to a text block when it merges adjacent messages. */
function withoutBreak(text: string): string {
  return text.replace(/\n$/, "");
}

interface KnownRows {
  readonly calls: ReadonlyMap<string, CallRow>;
  readonly results: ReadonlyMap<string, ResultRow>;
  /** Returns the text of a block in the next user row that contains it, without an added line break. */
  takeText(sent: string): string | undefined;
}

function knownRows(rows: Rows): KnownRows {
  const texts = rows.filter(({ role }) => role === "user").map(({ text }) => withoutHidden(text));
  let next = 0;
  return {
    calls: callsById(rows),
    results: new Map(resultsIn(rows).map((result) => [result.tool_use_id, result])),
    takeText: (sent) => {
      const text = withoutBreak(sent);
      const found = texts.findIndex((rowText, index) => index >= next && rowText.includes(text));
      if (found < 0) return undefined;
      // A prompt of several blocks is one row, so the next block may be in the same row.
      next = found;
      return texts[found]?.endsWith(sent) ? sent : text;
    },
  };
}

function answerRows(content: readonly JsonObject[], known: KnownRows): Row[] {
  const toolUses = content.filter(({ type }) => type === "tool_use").flatMap((block): CallRow[] => {
    const id = asString(block.id);
    if (id === undefined) return [];
    const { tool, input } = known.calls.get(id) ?? { tool: `${block.name}`, input: block.input };
    return [{ tool_use_id: id, tool, input: input as JsonObject }];
  });
  return [
    ...resultTexts(content).filter((text) => text.trim() !== "")
      .map((text): Row => ({ role: "assistant", text, toolUses: [] })),
    ...(toolUses.length === 0 ? [] : [{ role: "assistant" as const, text: "", toolUses }]),
  ];
}

function userRows(
  content: readonly JsonObject[],
  known: KnownRows,
  reminders: Reminders,
  media: Pick<SessionMedia, "textsOf">,
): Row[] {
  const blocks = content.filter(({ type }) => type === "tool_result");
  const split = blocks.map((block) => splitResult(block, known));
  const toolResults = blocks.flatMap((block, index): ResultRow[] => {
    const { tool_use_id: id, is_error: isError } = block;
    if (typeof id !== "string") return [];
    const text = asString(reminders.cleared.get(id)) ?? referenceText(block) ?? split[index]?.text;
    return [{ tool_use_id: id, text: text ?? "", isError: isError === true }];
  });
  // Only the first block with the text `TOOL_LOADED` is the client's. A later one can be a prompt.
  const loaded = blocks.some(referenceText)
    ? content.find(({ text }) => withoutBreak(`${text}`) === TOOL_LOADED)
    : undefined;
  return [
    ...(toolResults.length === 0 ? [] : [{ ...userRow(""), toolResults }]),
    ...split.flatMap(({ added }) => added.flatMap(reminders.keep)).map(userRow),
    // A result in a row contains only text, so each image is replaced by a line in a separate row.
    ...blocks.flatMap(media.textsOf).map(userRow),
    ...content.flatMap((block) => {
      const { type, text } = block;
      if (isMedia(block)) return media.textsOf(block);
      const sent = type === "text" ? asString(text) ?? "" : "";
      const bodyText = withoutBreak(sent);
      if (bodyText.trim() === "") return [];
      const own = block === loaded ? undefined : known.takeText(sent);
      return own ?? (COMMAND_OR_OUTPUT.test(bodyText) ? bodyText : reminders.keep(bodyText));
    }).map(userRow),
  ];
}

export function userRow(text: string): Row {
  return { role: "user", text, toolUses: [] };
}

/** A result without a row comes from the transcript, where the client adds no reminders. */
function splitResult(
  { tool_use_id: id, content }: JsonObject,
  { results }: KnownRows,
): { readonly text: string; readonly added: readonly string[] } {
  const sent = resultTexts(content).join("\n");
  const own = results.get(`${id}`)?.text;
  if (own === undefined) return { text: sent, added: [] };
  // White space at the end can differ.
  const prefix = sent.startsWith(own.trimEnd()) ? own.trimEnd() : "";
  const rest = sent.slice(prefix.length);
  const others = withoutReminders(rest);
  return { text: others.trim() === "" ? own : prefix + others, added: remindersIn(rest) };
}

/** Keeps only the newest copy of a state reminder: a second trim in one turn finds each reminder twice. */
function withoutOldStates(rows: readonly Row[], reminders: Reminders): Row[] {
  const last = new Map(rows.map(({ text }, index) => [text, index]));
  return rows.filter(({ role, text }, index) =>
    last.get(text) === index || role === "assistant" || !reminders.isState(text)
  );
}

/** Removes the commands of earlier trims and their output, which the model does not need. */
function withoutTrimCommands(rows: readonly Row[]): Row[] {
  const isTrim = rows.map(({ role, text }) => role === "user" && TRIM_COMMAND.test(text));
  return rows.filter(({ role, text }, index) => {
    if (role === "assistant") return true;
    if (isTrim[index] || TYPED_COMMAND.test(text)) return false;
    if (isTrim[index - 1] && TRIM_OUTPUT.test(text)) return false;
    return !(isTrim[index + 1] && text.startsWith(HIDDEN_OPEN));
  });
}
