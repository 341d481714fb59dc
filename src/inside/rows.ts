/**
 * The conversation as rows that a compaction can be answered with.
 *
 * The client's rows follow the lines of the transcript: the calls of one answer can be apart, with
 * results between them. The messages of the next request have them paired, so rows are laid out by
 * those. Every row is rebuilt: one that keeps its handle brings back, on resume, everything before it.
 */

import { isMedia, resultTexts } from "../transcript/content.ts";
import { asString, type JsonObject } from "../transcript/entry.ts";
import type { ApiMessage, CallRow, ResultRow, Row } from "./client.ts";
import type { SessionMedia } from "./media.ts";
import { isHidden, type Reminders, remindersIn } from "./reminders.ts";

/** A conversation in both forms in which the client hands it out. */
export interface RawConversation {
  readonly rows: readonly Readonly<Row>[];
  readonly messages: readonly ApiMessage[];
}

/** Replacements for parts of rows. */
export interface RowChanges {
  /** Texts of results, by the id of the call. */
  readonly results: ReadonlyMap<string, string>;
  /** Arguments, by the id of the call. */
  readonly inputs: ReadonlyMap<string, CallRow["input"]>;
}

/** The command that makes the client hand its conversation to a trim, with what it printed, and `/trim`. */
const TRIM_COMMAND =
  /^<command-name>\/(?:trimtab:trim<|compact<\/command-name>[^]*<command-args>trimtab\b)/;
const TRIM_OUTPUT = /^<local-command-stdout>[^A-Z]*(?:Compacted|Not compacted)/;

/** The client's lead-in to a command's lines. It hides such a text on the screen. */
const CAVEAT = "<local-command-caveat>";

/** As typed in a terminal: at that moment the client already counts it as said. */
const TYPED_COMMAND = /^\/compact trimtab(?:\s|$)/;

/** Characters of an output that are compared with the sent text. */
const COMPARED_CHARS = 200;

/** Lays a conversation out in rows, with every result right behind the answer that called for it. */
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

/**
 * Puts cut texts and arguments into rows.
 *
 * @throws {Error} When a call in them would lose its result: the client would tell the model that it failed.
 */
export function changeRows(rows: readonly Readonly<Row>[], changes: RowChanges): Row[] {
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
  const unpaired = findUnpairedCall(changed);
  if (unpaired !== undefined) throw new Error(`the result of call ${unpaired} would be lost`);
  return changed;
}

/** Finds the first call whose result does not come next. */
function findUnpairedCall(rows: readonly Readonly<Row>[]): string | undefined {
  for (const [index, { toolUses }] of rows.entries()) {
    const answered = resultIds(rows[index + 1]);
    const unpaired = toolUses.find(({ tool_use_id: id }) => !answered.has(id));
    if (unpaired !== undefined) return unpaired.tool_use_id;
  }
  return undefined;
}

function resultIds(row: Readonly<Row> | undefined): Set<string> {
  return new Set((row?.toolResults ?? []).map(({ tool_use_id: id }) => id));
}

/** Joins neighbours of one role, as the API does. */
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

/** The client's rows, looked up by what the messages name. */
interface KnownRows {
  readonly calls: ReadonlyMap<string, CallRow>;
  readonly results: ReadonlyMap<string, ResultRow>;
  /** Takes the next row that holds a text of a user message. */
  takeText(text: string): boolean;
}

function knownRows(rows: readonly Readonly<Row>[]): KnownRows {
  const texts = rows.filter(({ role, text }) => role === "user" && text !== "")
    .map(({ text }) => text);
  let next = 0;
  return {
    calls: new Map(rows.flatMap(({ toolUses }) => toolUses).map((c) => [c.tool_use_id, c])),
    results: new Map(
      rows.flatMap(({ toolResults = [] }) => toolResults).map((r) => [r.tool_use_id, r]),
    ),
    takeText: (text) => {
      const found = texts.findIndex((one, index) => index >= next && one.includes(text));
      if (found < 0) return false;
      // A prompt of several blocks is one row: its next block may be in the same text.
      next = found;
      return true;
    },
  };
}

function answerRows(content: readonly JsonObject[], known: KnownRows): Row[] {
  const texts = content.filter(({ type }) => type === "text").map(({ text }) => asString(text))
    .filter((text) => text !== undefined && text.trim() !== "");
  const toolUses = content.filter(({ type }) => type === "tool_use").flatMap((block): CallRow[] => {
    const id = asString(block.id);
    if (id === undefined) return [];
    const { tool, input } = known.calls.get(id) ?? { tool: `${block.name}`, input: block.input };
    return [{ tool_use_id: id, tool, input: input as JsonObject }];
  });
  return [
    ...texts.map((text): Row => ({ role: "assistant", text: `${text}`, toolUses: [] })),
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
  const toolResults = blocks.flatMap((block) => resultRow(block, known));
  const folded = blocks.flatMap((block) => foldedReminders(block, known));
  return [
    ...(toolResults.length === 0 ? [] : [{ ...userRow(""), toolResults }]),
    ...folded.flatMap((text) => reminders.keep(text)).map(userRow),
    // A result that was a picture alone holds no text: the client would drop it.
    ...blocks.flatMap(media.textsOf).map(userRow),
    ...content.flatMap((block) => {
      const { type, text } = block;
      if (isMedia(block)) return media.textsOf(block);
      // The client ends a text with a line break when it joins neighbouring messages.
      const own = type === "text" ? (asString(text) ?? "").replace(/\n$/, "") : "";
      if (own.trim() === "") return [];
      const isSaid = known.takeText(own) || isCommand(own);
      // A reminder that an earlier trim kept is a row like any other.
      return isSaid && !isHidden(own) ? [own] : reminders.keep(own);
    }).map(userRow),
  ];
}

function userRow(text: string): Row {
  return { role: "user", text, toolUses: [] };
}

function resultRow(block: JsonObject, known: KnownRows): ResultRow[] {
  const id = asString(block.tool_use_id);
  if (id === undefined) return [];
  const texts = resultTexts(block.content);
  const text = ownText(id, texts, known) ?? texts.join("\n");
  return [{ tool_use_id: id, text, isError: block.is_error === true }];
}

/** The tool's own output; `undefined` where the client sends something else in its place. */
function ownText(
  id: string,
  [sent = ""]: readonly string[],
  { results }: KnownRows,
): string | undefined {
  const own = results.get(id)?.text ?? "";
  return own !== "" && sent.startsWith(own.slice(0, COMPARED_CHARS)) ? own : undefined;
}

/** Reminders that the client has added to a result, and that are not part of the tool's own output. */
function foldedReminders(block: JsonObject, known: KnownRows): string[] {
  const texts = resultTexts(block.content);
  const own = ownText(asString(block.tool_use_id) ?? "", texts, known);
  if (own === undefined) return [];
  return texts.flatMap(remindersIn).filter((text) => !own.includes(text));
}

function isCommand(text: string): boolean {
  return /^<(?:command-name|local-command-stdout|bash-input|bash-stdout)>/.test(text);
}

/** Keeps the newest of equal reminders of how things are: a second trim in one turn finds them twice. */
function withoutOldStates(rows: readonly Row[], reminders: Reminders): Row[] {
  const last = new Map(rows.map(({ text }, index) => [text, index]));
  return rows.filter(({ text }, index) => last.get(text) === index || !reminders.isState(text));
}

/** Removes the lines of earlier trims' own commands: they tell the model nothing. */
function withoutTrimCommands(rows: readonly Row[]): Row[] {
  const isTrim = rows.map(({ text }) => TRIM_COMMAND.test(text));
  return rows.filter(({ text }, index) => {
    if (isTrim[index] || TYPED_COMMAND.test(text)) return false;
    if (isTrim[index - 1] && TRIM_OUTPUT.test(text)) return false;
    return !(isTrim[index + 1] && text.startsWith(CAVEAT));
  });
}
