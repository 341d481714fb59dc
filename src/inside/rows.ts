/**
 * Builds the rows of a conversation anew.
 *
 * A row that is handed back with its handle brings back all that was before it, whole, when the session
 * is resumed; one that is built anew does not. Calls that were made at once stand in rows of their own, and must
 * come back in one row with all their results in the next: else all but the last lose their result.
 */

import type { CallRow, ResultRow, Row } from "./client.ts";

/** Words of the conversation that stand in no row, such as a file that a prompt mentions. */
export interface Aside {
  /** The handle of the row that they follow. */
  readonly after: string;
  /** What the model read. */
  readonly text: string;
}

/** What is put in the place of what. */
export interface RowChanges {
  /** Texts of results, by the id of the call. */
  readonly results: ReadonlyMap<string, string>;
  /** Arguments, by the id of the call. */
  readonly inputs: ReadonlyMap<string, CallRow["input"]>;
  /** Words to be kept in rows of their own. */
  readonly asides?: readonly Aside[];
}

/** Builds rows anew, with changes. */
export function rebuildRows(rows: readonly Readonly<Row>[], changes: RowChanges): Row[] {
  const answered = new Set(
    rows.flatMap(({ toolResults = [] }) => toolResults).map(({ tool_use_id: id }) => id),
  );
  const asides = asidesByRow(changes.asides ?? []);
  const built: Row[] = [];
  // Between a call and its result nothing may stand: what came there waits until all are in.
  const open = new Set<string>();
  const waiting: string[] = [];
  for (const row of rows.filter((row) => !isOwnTrace(row.text))) {
    if (open.size === 0) flush(built, waiting);
    for (const { tool_use_id: id } of row.toolUses) if (answered.has(id)) open.add(id);
    for (const { tool_use_id: id } of row.toolResults ?? []) open.delete(id);
    if (row.role === "assistant") addAssistant(built, row, changes);
    else addUser(built, row, changes, open.size > 0 ? waiting : undefined);
    waiting.push(...asides.get(row.handle ?? "") ?? []);
  }
  flush(built, waiting);
  return built;
}

/** What the client wrote down of the command by which an earlier trim came about: it says nothing. */
function isOwnTrace(text: string): boolean {
  return text.startsWith("<command-name>/compact</command-name>") &&
    text.includes("<command-args>trimtab");
}

function asidesByRow(asides: readonly Aside[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { after, text } of asides) found.set(after, [...found.get(after) ?? [], text]);
  return found;
}

function addAssistant(built: Row[], row: Readonly<Row>, changes: RowChanges): void {
  const calls = row.toolUses.map((call) => callOf(call, changes));
  if (row.text !== "") insertText(built, { role: "assistant", text: row.text, toolUses: [] });
  if (calls.length === 0) return;
  const last = built.at(-1);
  if (last?.role === "assistant") last.toolUses.push(...calls);
  else built.push({ role: "assistant", text: "", toolUses: calls });
}

/** A text behind a call of the same answer goes before it: the call's result must come next. */
function insertText(built: Row[], row: Row): void {
  const last = built.at(-1);
  if (last?.role === "assistant" && last.toolUses.length > 0) built.splice(-1, 0, row);
  else built.push(row);
}

function addUser(
  built: Row[],
  row: Readonly<Row>,
  changes: RowChanges,
  waiting: string[] | undefined,
): void {
  const results = (row.toolResults ?? []).map((result) => resultOf(result, changes));
  const last = built.at(-1);
  if (results.length > 0 && last?.toolResults !== undefined) last.toolResults.push(...results);
  else if (results.length > 0) built.push(userRow("", results));
  if (row.text === "") return;
  if (waiting === undefined) built.push(userRow(row.text));
  else waiting.push(row.text);
}

function flush(built: Row[], waiting: string[]): void {
  for (const text of waiting.splice(0)) built.push(userRow(text));
}

function userRow(text: string, results?: ResultRow[]): Row {
  return {
    role: "user",
    text,
    toolUses: [],
    ...(results === undefined ? {} : { toolResults: results }),
  };
}

function callOf({ tool_use_id, tool, input }: CallRow, changes: RowChanges): CallRow {
  return { tool_use_id, tool, input: changes.inputs.get(tool_use_id) ?? input };
}

function resultOf({ tool_use_id, text, isError }: ResultRow, changes: RowChanges): ResultRow {
  return { tool_use_id, text: changes.results.get(tool_use_id) ?? text, isError };
}
