/**
 * Keeps files editable after a trim. When the conversation is replaced, the client forgets which files the
 * model has read and refuses to edit them until they are read again.
 */

import { isObject, type JsonObject } from "../core/record.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import type { Client } from "./client.ts";
import type { SessionLine } from "./session_lines.ts";

/** Tools after which the client considers a file read. */
const FILE_TOOLS: ReadonlySet<unknown> = new Set(["Read", "Edit", "MultiEdit", "Write"]);

/** Record of a file that the model has read or written. */
export interface KnownFile {
  /** Input of a `Read` call with the same effect. */
  readonly input: JsonObject;
  /** Time of the result, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Files that the client has forgotten, by path, and their session. */
let forgotten: { id: string; files: Map<string, KnownFile> } | undefined;

/** Lists the files that the model knows, in transcript order. */
export function knownFiles(lines: readonly SessionLine[]): Map<string, KnownFile> {
  const calls = new Map<string, JsonObject>();
  const seen = new Set<string>();
  const known = new Map<string, KnownFile>();
  for (const { entry } of lines) {
    for (const block of blocksOf(entry)) {
      const id = asString(block.tool_use_id) ?? asString(block.id);
      if (id === undefined) continue;
      if (block.type === "tool_use") calls.set(id, block);
      // Rows repeated by a trim have a later timestamp, so only the first counts.
      if (block.type !== "tool_result" || block.is_error === true || seen.has(id)) continue;
      seen.add(id);
      const { name, input } = calls.get(id) ?? {};
      const path = isObject(input) ? asString(input.file_path) : undefined;
      if (path === undefined || !isObject(input) || !FILE_TOOLS.has(name)) continue;
      const atMs = Date.parse(entry.timestamp ?? "");
      known.set(path, { input: name === "Read" ? input : { file_path: path }, atMs });
    }
  }
  return known;
}

/** Remembers the files that the client forgets with the replaced conversation. */
export function setForgotten(id: string, lines: readonly SessionLine[]): void {
  forgotten = { id, files: knownFiles(lines) };
}

/** Drops the remembered files when the model forgets their contents too. */
export function forgetFiles(): void {
  forgotten = undefined;
}

/** Reads a forgotten file again for the client, if it is unchanged since the model read it. */
export async function rememberFile(client: Client, path: unknown): Promise<void> {
  if (forgotten === undefined || typeof path !== "string") return;
  const known = forgotten.files.get(path);
  if (known === undefined || forgotten.id !== await client.session.id()) return;
  forgotten.files.delete(path);
  const { mtimeMs } = await client.fs.stat(path);
  if (mtimeMs > known.atMs) return;
  await client.tool.call({ tool: "Read", ...known.input });
}
