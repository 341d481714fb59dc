/** Keeps files editable after a trim, which makes the client forget the files that the model has read. */

import { isObject, type JsonObject } from "../core/record.ts";
import { WRITERS } from "../core/tools.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import type { Client, Rows } from "./client.ts";
import { callsById } from "./rows.ts";
import type { SessionLine } from "./session_lines.ts";

interface KnownFile {
  /** Input of a `Read` call after which the client counts the file as read. */
  readonly input: JsonObject;
  readonly atMs: number;
}

let forgotten: { id: string; files: Map<string, KnownFile> } | undefined;

export function knownFiles(lines: readonly SessionLine[], rows: Rows): Map<string, KnownFile> {
  const present = callsById(rows);
  const calls = new Map<string, JsonObject>();
  const seen = new Set<string>();
  const known = new Map<string, KnownFile>();
  for (const { entry } of lines) {
    for (const block of blocksOf(entry)) {
      const id = asString(block.tool_use_id) ?? asString(block.id);
      if (id === undefined) continue;
      if (block.type === "tool_use") calls.set(id, block);
      // A trim writes the rows again with a later timestamp, so only the first occurrence counts.
      if (block.type !== "tool_result" || block.is_error === true || seen.has(id)) continue;
      seen.add(id);
      if (!present.has(id)) continue;
      const { name, input } = calls.get(id) ?? {};
      const isRead = name === "Read";
      // The client also counts a file as read after it was written.
      if (!isObject(input) || !(isRead || WRITERS.has(name))) continue;
      const path = pathIn(input);
      if (path === undefined) continue;
      const atMs = Date.parse(entry.timestamp ?? "");
      known.set(path, { input: isRead ? input : { file_path: path }, atMs });
    }
  }
  return known;
}

function pathIn({ file_path: file, notebook_path: notebook }: JsonObject): string | undefined {
  return asString(file) ?? asString(notebook);
}

export function setForgottenFiles(id: string, lines: readonly SessionLine[], rows: Rows): void {
  forgotten = { id, files: knownFiles(lines, rows) };
}

/** Called before a compaction, which also removes the files' text from the conversation. */
export function clearForgottenFiles(): void {
  forgotten = undefined;
}

/** Reads a file again before its first edit after a trim, unless it has changed in the meantime. */
export async function rereadFile(client: Client, edit: JsonObject): Promise<void> {
  const path = pathIn(edit);
  if (forgotten === undefined || path === undefined) return;
  const known = forgotten.files.get(path);
  if (known === undefined || forgotten.id !== await client.session.id()) return;
  forgotten.files.delete(path);
  const { mtimeMs } = await client.fs.stat(path);
  // `atMs` is NaN if the entry has no valid timestamp.
  if (!(mtimeMs <= known.atMs)) return;
  await client.tool.call({ tool: "Read", ...known.input });
}
