/** Which tool a result belongs to. */

import { BlockReader, type ByteSource } from "../transcript/blocks.ts";
import { type JsonObject, latin1Text, splitObjects, type TextRange } from "../transcript/entry.ts";
import { MemberWalker, skipSpace, skipValue } from "../transcript/json_scan.ts";
import { release } from "../transcript/lines.ts";
import { openFileSync } from "../store/read_file.ts";
import { decodeRaw, parseRaw, type RawText } from "./edit/raw_string.ts";
import { usesArgument } from "./placeholder.ts";
import { PATH_ARGUMENTS } from "./protect.ts";

/** A part of `"tool_use"`: short patterns are searched by the engine's fastest way. */
const TOOL_USE_HINT = '_use"';

/** Where two objects stand on one line, this stands between them. */
export const JOINT = '}{"';

/** The type of a block that calls a tool. */
const TOOL_USE = '"tool_use"';

/** Why an answer with a call ended: the same words, which name no call. */
const STOP_REASON = '"stop_reason":"tool_use"';

const CALL_START = '{"type":"tool_use"';

/** The rest of the pattern; ids and names that need escapes are left to the walk. */
const CALL_KEYS = /,"id":("[\w-]+"),"name":("[\w-]+"),/y;

const INPUT_START = '"input":{';

/** Called for each call; its arguments stand at `start`. */
export type CallListener = (id: string, name: string, raw: RawText, start: number) => void;

/** Collects the names of tools by the ids of their calls, from blocks of whole lines. */
export class ToolNames {
  readonly byId: Map<string, string> = new Map();

  readonly #onCall: CallListener | undefined;
  readonly #line = new MemberWalker();
  readonly #message = new MemberWalker();
  readonly #block = new MemberWalker();

  constructor(onCall?: CallListener) {
    this.#onCall = onCall;
  }

  #addObject(raw: RawText, start: number, end: number): void {
    const { text } = raw;
    const line = this.#line;
    const at = skipSpace(text, start, end);
    if (!line.start(text, at, end)) return;
    let isAssistant = false;
    let content = -1;
    while (line.next()) {
      if (line.keyIs("type")) {
        isAssistant = text.startsWith('"assistant"', line.valueStart);
        if (!isAssistant || content >= 0) break;
      } else if (line.keyIs("message")) {
        content = this.#contentOf(text, line.valueStart, end);
        if (isAssistant) break;
      }
    }
    if (isAssistant && content >= 0) this.#addBlocks(raw, content, end);
  }

  addLines(raw: RawText): void {
    const { text } = raw;
    let at = 0;
    for (;;) {
      const hint = text.indexOf(TOOL_USE_HINT, at);
      if (hint < 0) return;
      const stop = hint + TOOL_USE_HINT.length;
      if (
        !text.startsWith(TOOL_USE, stop - TOOL_USE.length) ||
        text.startsWith(STOP_REASON, stop - STOP_REASON.length)
      ) {
        at = stop;
        continue;
      }
      const behind = this.#addPlain(raw, stop);
      if (behind > 0) {
        at = behind;
        continue;
      }
      const start = text.lastIndexOf("\n", hint) + 1;
      const newline = text.indexOf("\n", hint);
      const end = newline < 0 ? text.length : newline;
      for (const object of objectsOf(text, start, end)) {
        this.#addObject(raw, object.start, object.end);
      }
      at = end;
    }
  }

  /** Takes in a call whose keys stand in the client's order, without walking its line. */
  #addPlain(raw: RawText, at: number): number {
    const { text } = raw;
    CALL_KEYS.lastIndex = at;
    const match = CALL_KEYS.exec(text);
    if (match === null || !text.startsWith(CALL_START, at - CALL_START.length)) return -1;
    // Parsed, not sliced: a slice would keep the whole text in memory.
    const [id, name] = [String(JSON.parse(match[1] ?? "")), String(JSON.parse(match[2] ?? ""))];
    const input = CALL_KEYS.lastIndex;
    if (this.#onCall !== undefined) {
      // The arguments stand next as a rule; where they do not, the walk finds them.
      if (!text.startsWith(INPUT_START, input)) return -1;
      this.#onCall(id, name, raw, input + INPUT_START.length - 1);
    }
    this.byId.set(id, name);
    return input;
  }

  #contentOf(text: string, at: number, end: number): number {
    const message = this.#message;
    if (!message.start(text, at, end)) return -1;
    while (message.next()) {
      if (message.keyIs("content")) {
        return text[message.valueStart] === "[" ? message.valueStart : -1;
      }
    }
    return -1;
  }

  #addBlocks(raw: RawText, content: number, end: number): void {
    const { text } = raw;
    let at = skipSpace(text, content + 1, end);
    while (text[at] === "{") {
      const stop = skipValue(text, at, end);
      if (stop < 0) return;
      this.#addBlock(raw, at, stop);
      at = skipSpace(text, stop, end);
      if (text[at] !== ",") return;
      at = skipSpace(text, at + 1, end);
    }
  }

  #addBlock(raw: RawText, start: number, end: number): void {
    const { text } = raw;
    const block = this.#block;
    let isCall = false;
    let id = "";
    let name = "";
    let input = -1;
    block.start(text, start, end);
    while (block.next()) {
      if (block.keyIs("type")) isCall = text.startsWith(TOOL_USE, block.valueStart);
      else if (block.keyIs("id")) id = decodeRaw(raw, block.valueStart, block.skip());
      else if (block.keyIs("name")) name = decodeRaw(raw, block.valueStart, block.skip());
      else if (block.keyIs("input")) input = block.valueStart;
    }
    if (!isCall || id === "" || name === "") return;
    this.byId.set(id, name);
    if (input >= 0) this.#onCall?.(id, name, raw, input);
  }
}

/** Arguments by which files are protected, and that placeholders name. */
const NAMING: ReadonlySet<string> = new Set([...PATH_ARGUMENTS, "pattern", "command"]);

/** Reads the arguments of a call that name what it is about; undefined if they are broken. */
export function namingArguments(
  toolName: string,
  raw: RawText,
  start: number,
): JsonObject | undefined {
  const { text } = raw;
  const walker = new MemberWalker();
  if (!walker.start(text, start, text.length)) return undefined;
  const input: JsonObject = {};
  while (walker.next()) {
    const name = text.slice(walker.keyStart, walker.keyEnd);
    if (!NAMING.has(name) && !usesArgument(toolName, name)) continue;
    const value = parsePlain(raw, walker.valueStart, walker.skip());
    // A slice would keep the whole text in memory; a key that was parsed does not.
    if (value !== undefined) input[String(JSON.parse(`"${name}"`))] = value;
  }
  return walker.objectEnd > 0 ? input : undefined;
}

function parsePlain(raw: RawText, start: number, end: number): unknown {
  const first = raw.text[start];
  return end < 0 || first === "{" || first === "[" ? undefined : parseRaw(raw, start, end);
}

/** Finds the objects of a line: one as a rule, more where a writer left out a newline. */
export function objectsOf(text: string, start: number, end: number): TextRange[] {
  const whole = [{ start, end }];
  if (!text.slice(start, end).includes(JOINT)) return whole;
  const ranges = splitObjects(text, start, end);
  return ranges.length > 1 ? ranges : whole;
}

/**
 * Maps the ids of tool calls to the names of the tools, over a whole session.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The session's file.
 * @returns Names by id.
 * @throws {Deno.errors.NotFound} When there is no such file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildToolNameMapping } from "./tool_names.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const content = [{ type: "tool_use", id: "tool-123", name: "Read" }];
 * Deno.writeTextFileSync(path, JSON.stringify({ type: "assistant", message: { content } }));
 * assertEquals(buildToolNameMapping(path), new Map([["tool-123", "Read"]]));
 * Deno.removeSync(path);
 * ```
 */
export function buildToolNameMapping(path: string): Map<string, string> {
  using file = openFileSync(path);
  const names = new ToolNames();
  addToolNames(names, file);
  return names.byId;
}

export function addToolNames(names: ToolNames, source: ByteSource, limitBytes = Infinity): void {
  const reader = new BlockReader(source, { limitBytes });
  while (reader.next()) {
    const bytes = reader.bytes.subarray(reader.start, reader.end);
    names.addLines({ text: latin1Text(bytes), bytes });
  }
  release(reader.bytes);
}
