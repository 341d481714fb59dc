/** Undoes a trim or a compaction: the earlier conversation is still before the boundary. */

import { resultTexts } from "../transcript/content.ts";
import { asString, type Entry, isObject, type JsonObject } from "../transcript/entry.ts";
import type { ApiMessage, Row } from "./client.ts";
import { unhide } from "./reminders.ts";
import type { RawConversation, RowChanges } from "./rows.ts";
import type { Boundary, SessionLine, SessionLines } from "./session_lines.ts";

/** A conversation with the messages of before in the place of their summary. */
export interface UndoneCompaction extends RawConversation {
  /** Number of restored messages. */
  readonly count: number;
  /** The lines that hold them. */
  readonly lines: readonly SessionLine[];
}

/** Finds the newest trim or compaction that was not undone. */
export function findUndoable({ boundaries }: SessionLines): Boundary | undefined {
  const standing: Boundary[] = [];
  for (const boundary of boundaries) {
    if (boundary.kind === "undo") standing.pop();
    else standing.push(boundary);
  }
  return standing.at(-1);
}

/** Restores what a compaction summarised; `undefined` if its summary is not in the conversation. */
export function undoCompaction(
  { rows, messages }: RawConversation,
  { before, active, boundaries, parents }: SessionLines,
  { line: { number } }: Boundary,
): UndoneCompaction | undefined {
  const start = boundaries.findLast(({ line }) => line.number < number)?.line.number ?? 0;
  const lines = before.filter((line) => line.number > start && line.number < number);
  const old = conversationOf(lines, parents);
  const summary = [...before, ...active].find((line) =>
    line.number > number && line.entry.raw.isCompactSummary === true
  );
  const text = textOf(summary?.entry.message?.content);
  const at = messages.findIndex(({ role, content }) =>
    role === "user" && content.some((block) => isSummary(block, text))
  );
  if (text === "" || at < 0 || old.length === 0) return undefined;
  // Beside its summary the client puts files and words of hooks: those of before come back themselves.
  const renewed = lines.some((line) => renderedBlocks(line).length > 0)
    ? textsBeside([...before, ...active].filter((line) => line.number > number))
    : new Set<string>();
  const later = messages.slice(at).map(({ role, content }) => ({
    role,
    content: content.filter((block) => !isSummary(block, text) && !renewed.has(wordsOf(block))),
  }));
  return {
    rows: [...promptRows(old), ...rows],
    messages: [...messages.slice(0, at), ...old, ...withoutKept(later, old)],
    count: old.length,
    lines,
  };
}

/** Texts of the attachments between a summary and what was said next. */
function textsBeside(behind: readonly SessionLine[]): Set<string> {
  const end = behind.findIndex((line) =>
    line.entry.raw.isCompactSummary !== true && line.entry.type !== "attachment" &&
    blocksOf(line).some((block) => !isOfCommand(block))
  );
  const beside = end < 0 ? behind : behind.slice(0, end);
  return new Set(beside.flatMap(renderedBlocks).map(wordsOf));
}

/** The messages without those at their beginning that the compaction kept: they are in the old ones, too. */
function withoutKept(later: readonly ApiMessage[], old: readonly ApiMessage[]): ApiMessage[] {
  const known = old.flatMap(keysOf);
  const kept = later.flatMap(keysOf);
  let count = Math.min(known.length, kept.length);
  while (count > 0 && !kept.slice(0, count).every((key, n) => key === known.at(n - count))) count--;
  return later.map(({ role, content }) => ({
    role,
    content: content.filter((block) => keyOf(role, block) === undefined || count-- <= 0),
  })).filter(({ content }) => content.length > 0);
}

function keysOf({ role, content }: ApiMessage): string[] {
  return content.flatMap((block) => keyOf(role, block) ?? []);
}

/** Names what was said or called; `undefined` for what the client puts beside it. */
function keyOf(role: string, block: JsonObject): string | undefined {
  if (isReminder(block)) return undefined;
  const said = asString(block.tool_use_id) ?? asString(block.id) ?? asString(block.text)?.trim();
  return said === undefined ? undefined : `${role} ${said}`;
}

function isReminder(block: JsonObject): boolean {
  return wordsOf(block).startsWith("<system-reminder>");
}

function wordsOf({ text }: JsonObject): string {
  return unhide(asString(text)?.trim() ?? "").trim();
}

/** Whether a command of the client's, such as `/compact`, left the text behind. */
function isOfCommand({ text }: JsonObject): boolean {
  return /^<(?:command-name|local-command-caveat|local-command-stdout)>/.test(asString(text) ?? "");
}

function isSummary({ type, text }: JsonObject, summary: string): boolean {
  return type === "text" && asString(text)?.trim() === summary;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content.trim();
  return (Array.isArray(content) ? content : []).flatMap((block) =>
    isObject(block) ? asString(block.text) ?? [] : []
  ).join("\n").trim();
}

/** The conversation at the end of some lines, as the client would send it: no answer is given twice. */
export function conversationOf(
  lines: readonly SessionLine[],
  parents: ReadonlyMap<string, string>,
): ApiMessage[] {
  const sent = sentLines(lines, parents);
  const answered = new Set(
    sent.flatMap((line) => blocksOf(line)).flatMap((block) => asString(block.tool_use_id) ?? []),
  );
  const messages: { role: ApiMessage["role"]; content: JsonObject[] }[] = [];
  const answers = new Map<string, JsonObject[]>();
  for (const line of sent) {
    const { type, message } = line.entry;
    // A call that was killed has no result, and the API takes none without.
    const blocks = blocksOf(line).filter((block) =>
      block.type !== "tool_use" || answered.has(asString(block.id) ?? "")
    );
    const id = type === "assistant" ? asString(message?.id) : undefined;
    const started = id === undefined ? undefined : answers.get(id);
    if (started !== undefined) {
      started.push(...blocks);
      continue;
    }
    const content = type === "attachment" ? renderedBlocks(line) : [...blocks];
    if (id !== undefined) answers.set(id, content);
    if (type === "assistant") messages.push({ role: type, content });
    if (type === "user" || type === "attachment") messages.push({ role: "user", content });
  }
  return messages.filter(({ content }) => content.length > 0);
}

/** Texts that the client sent for an attachment, such as a file that a prompt mentions. */
function renderedBlocks({ entry: { raw: { rendered } } }: SessionLine): JsonObject[] {
  const messages = Array.isArray(rendered) ? rendered.filter(isObject) : [];
  return messages.flatMap(({ content }): JsonObject[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : []
  );
}

/** Leaves out branches that somebody went back from, but not the other results of one answer. */
function sentLines(
  lines: readonly SessionLine[],
  parents: ReadonlyMap<string, string>,
): SessionLine[] {
  const own = lines.filter(({ entry }) => !isFailure(entry));
  const chain = new Set<string>();
  const isOnChain = (line: SessionLine) => chain.has(uuidOf(line));
  const known = new Set([...parents.keys(), ...own.map(uuidOf)]);
  for (let last = own.at(-1); last !== undefined && !isOnChain(last);) {
    let id: string | undefined = uuidOf(last);
    while (id !== undefined && known.has(id) && !chain.has(id)) {
      chain.add(id);
      id = parents.get(id);
    }
    // If a parent is in no file, the client continues with the line before.
    last = id === undefined || chain.has(id) ? undefined : own[own.findIndex(isOnChain) - 1];
  }
  const answers = new Set(
    own.filter(isOnChain).flatMap(({ entry }) =>
      entry.type === "assistant" ? asString(entry.message?.id) ?? [] : []
    ),
  );
  const ofAnswer = own.filter(({ entry }) =>
    entry.type === "assistant" && answers.has(asString(entry.message?.id) ?? "")
  );
  const calls = new Set(
    ofAnswer.flatMap((line) => blocksOf(line)).flatMap((block) => asString(block.id) ?? []),
  );
  const said = new Set(ofAnswer);
  return own.filter((line) =>
    isOnChain(line) || said.has(line) ||
    blocksOf(line).some(({ tool_use_id: id }) => calls.has(asString(id) ?? ""))
  );
}

/** Whether an entry records a failed request. The client never sends those. */
function isFailure({ raw, message }: Entry): boolean {
  return raw.isApiErrorMessage === true && message?.model === "<synthetic>";
}

function uuidOf({ entry }: SessionLine): string {
  return asString(entry.raw.uuid) ?? "";
}

function blocksOf({ entry }: SessionLine): JsonObject[] {
  const content = entry.message?.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Rows that tell which old texts people said. */
export function promptRows(messages: readonly ApiMessage[]): Row[] {
  return messages.filter(({ role }) => role === "user").flatMap(({ content }) =>
    content.flatMap((block): Row[] =>
      block.type === "text" && !isReminder(block)
        ? [{ role: "user", text: asString(block.text) ?? "", toolUses: [] }]
        : []
    )
  );
}

/** Finds what calls and results were before the last trim, where they are something else now. */
export function findCutAway(
  rows: readonly Readonly<Row>[],
  before: readonly SessionLine[],
): RowChanges {
  const old = collectBlocks(before);
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  for (const { tool_use_id: id, text } of rows.flatMap(({ toolResults = [] }) => toolResults)) {
    const was = old.results.get(id);
    // References to tools have no text, and cannot be put back.
    if (was !== undefined && was !== "" && was !== text) results.set(id, was);
  }
  for (const { tool_use_id: id, input } of rows.flatMap(({ toolUses }) => toolUses)) {
    const was = old.inputs.get(id);
    if (was !== undefined && JSON.stringify(was) !== JSON.stringify(input)) inputs.set(id, was);
  }
  return { results, inputs };
}

/** The newest form of each call and result. */
function collectBlocks(
  lines: readonly SessionLine[],
): { results: Map<string, string>; inputs: Map<string, JsonObject> } {
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  for (const { entry } of lines) {
    const content = entry.message?.content;
    for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
      const id = asString(block.tool_use_id) ?? asString(block.id);
      if (id === undefined) continue;
      if (block.type === "tool_result") results.set(id, resultTexts(block.content).join("\n"));
      if (block.type === "tool_use" && isObject(block.input)) inputs.set(id, block.input);
    }
  }
  return { results, inputs };
}
