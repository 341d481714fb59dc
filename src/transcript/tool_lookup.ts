/** Finds the tool that a result is of, by the call that it answers. */

import { BlockReader } from "./blocks.ts";
import { contentParts } from "./content.ts";
import { entriesOfText } from "./search/entries.ts";

/** Bytes before a result in which its call is sought before the whole file is read. */
const NEAR_BYTES = [32 * 1024, 512 * 1024];

const NEWLINE = "\n";

const CALL = '"tool_use"';

export interface TextBlock {
  text: string;
  /** Where they start in the file, in bytes. */
  offset: number;
}

export class ToolLookup {
  readonly #file: Deno.FsFile;
  readonly #size: number;
  readonly #decoder = new TextDecoder();
  #all: Map<string, string> | undefined;

  constructor(file: Deno.FsFile, size: number) {
    this.#file = file;
    this.#size = size;
  }

  nameOf(callId: string, block: TextBlock, start: number): string | null {
    // Nothing stands everywhere, and is no call's id.
    if (callId === "") return null;
    const nearest = nameIn(block.text, callId, start);
    if (nearest !== undefined) return nearest;
    if (this.#all === undefined) {
      for (const bytes of NEAR_BYTES) {
        const from = Math.max(0, block.offset - bytes);
        const found = nameIn(this.#read(from, block.offset), callId, Infinity);
        if (found !== undefined) return found;
      }
      this.#all = this.#readAll();
    }
    return this.#all.get(callId) ?? null;
  }

  #read(start: number, end: number): string {
    const bytes = new Uint8Array(end - start);
    this.#file.seekSync(start, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < bytes.length) {
      const count = this.#file.readSync(bytes.subarray(filled));
      if (count === null || count === 0) break;
      filled += count;
    }
    return this.#decoder.decode(bytes.subarray(0, filled));
  }

  #readAll(): Map<string, string> {
    const all = new Map<string, string>();
    this.#file.seekSync(0, Deno.SeekMode.Start);
    const reader = new BlockReader(this.#file, { limitBytes: this.#size });
    while (reader.next()) {
      const text = this.#decoder.decode(reader.bytes.subarray(reader.start, reader.end));
      let at = text.indexOf(CALL);
      while (at >= 0) {
        const lineEnd = text.indexOf(NEWLINE, at);
        const end = lineEnd < 0 ? text.length : lineEnd;
        const line = text.slice(text.lastIndexOf(NEWLINE, at) + 1, end);
        for (const [id, name] of callsOf(line)) all.set(id, name);
        at = text.indexOf(CALL, end);
      }
    }
    return all;
  }
}

/** Looks for a call in lines, from the last one that starts before a place. */
function nameIn(text: string, callId: string, before: number): string | undefined {
  let at = text.lastIndexOf(callId, before);
  while (at >= 0) {
    const start = text.lastIndexOf(NEWLINE, at) + 1;
    const newline = text.indexOf(NEWLINE, at);
    const name = callsOf(text.slice(start, newline < 0 ? text.length : newline)).get(callId);
    if (name !== undefined || start === 0) return name;
    // The id ends before the line does, or an id with a break in it would be found there for ever.
    at = text.lastIndexOf(callId, start - 1 - callId.length);
  }
  return undefined;
}

function callsOf(line: string): Map<string, string> {
  const calls = new Map<string, string>();
  if (!line.includes(CALL)) return calls;
  for (const entry of entriesOfText(line)) {
    for (const { kind, id, name } of contentParts(entry)) {
      if (kind === "tool_use" && id !== undefined && name !== undefined) calls.set(id, name);
    }
  }
  return calls;
}
