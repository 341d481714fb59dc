/** `trimtab show`: prints what a trim notice points to. */

import { wholeWords } from "../src/transcript/content.ts";
import { type Entry, readEntries } from "../src/transcript/entry.ts";
import { readLines } from "../src/transcript/lines.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateSession } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, UsageError } from "../cli/spec.ts";
import { openFileSync } from "../src/store/read_file.ts";

export const SHOW_SPEC: CommandSpec = {
  name: "show",
  summary: "Print one entry of a session whole.",
  positionals: "ID:LINE",
  positionalCount: [1, 1],
  options: [],
  notes: [
    "ID is a session's id, its first 8 characters, or a path; LINE is a line's number, from 1, as",
    "the notice of a trimmed output names them, or the 8 digits with which a checkpoint names an entry.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(SHOW_SPEC, argv, show);
}

function show(args: Arguments): CommandOutput {
  const [target = ""] = args.positionals;
  const [, name, place = ""] = /^(.+):(\d{1,9}|[0-9a-f]{8}(?:-[0-9a-f-]{1,27})?)$/i.exec(target) ??
    [];
  if (name === undefined || /^0+$/.test(place)) {
    throw new UsageError(
      `Cannot show ${JSON.stringify(target)}: give a session and a line, such as b82405ba:120`,
    );
  }
  const { session } = locateSession(name);
  const entries = readPlace(session.path, place.toLowerCase());
  const text = entries.map(wholeWords).join("\n");
  const [first] = entries;
  return {
    json: { entry: entries.length === 1 ? first?.raw : entries.map((one) => one.raw) },
    text,
    isContent: true,
  };
}

/** Eight digits can be a line as well as an id: the id is looked for where there is no such line. */
function readPlace(path: string, place: string): Entry[] {
  if (!/^\d+$/.test(place)) return readEntry(path, place);
  if (place.length !== 8) return readLine(path, Number(place));
  try {
    return readLine(path, Number(place));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) {
      throw error;
    }
    return readEntry(path, place);
  }
}

/** Finds the entry whose id begins with some digits, as checkpoints name entries. */
function readEntry(path: string, start: string): Entry[] {
  using file = openFileSync(path);
  const mark = new TextEncoder().encode(start);
  for (const line of readLines(file)) {
    if (!includes(line.bytes, mark)) continue;
    const found = readEntries(line.bytes).filter(({ uuid }) => uuid?.startsWith(start));
    if (found.length > 0) return found;
  }
  throw new Error(
    `Cannot show entry ${start} of ${path}: no entry has an id that starts with that`,
  );
}

function includes(bytes: Uint8Array, mark: Uint8Array): boolean {
  const [first = 0] = mark;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (mark.every((byte, offset) => bytes[at + offset] === byte)) return true;
  }
  return false;
}

function readLine(path: string, wanted: number): Entry[] {
  using file = openFileSync(path);
  let last = 0;
  for (const line of readLines(file)) {
    last = line.number;
    if (last < wanted) continue;
    const entries = readEntries(line.bytes);
    if (entries.length > 0) return entries;
    throw new Error(`Cannot show line ${wanted} of ${path}: it is not an entry`);
  }
  throw new Error(`Cannot show line ${wanted} of ${path}: the last line is ${last}`);
}

if (import.meta.main) Deno.exit(await run(Deno.args));
