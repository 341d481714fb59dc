/**
 * Makes sessions with line orders that a client rarely writes. Answers span several lines. Results come
 * between calls, share a line, come late, come twice or are missing. There are branches and compactions, and
 * the lines of a file can occur twice.
 *
 * @module
 */

import type { JsonObject } from "../../src/core/record.ts";
import type { Random } from "../fuzz/random.ts";

export const ODD_ID = "0dd5e551-0000-4000-8000-000000000000";

const MODELS = ["claude-sonnet-4-6", "claude-opus-4-8"] as const;
const TOOLS = ["Read", "Bash", "Grep", "Edit", "Write", "MultiEdit", "mcp__db__query", "Task"];
const WORDS = ["alpha", "betaCount", "gamma_total", "DeltaView", "epsilon", "zetaIndex"];

const REPEATED = ["continue", "continue", "go on", "Done."];

const HARD_TEXTS = [
  "\u0000 and \u2028",
  "\ud83d alone",
  "👩‍👩‍👧",
  '"}{"type":"user"',
  "\\u0041",
  "</system-reminder>",
  "[...truncated - original was 9,000 chars, showing first 5. See line 2 of 0dd5e551 for full content]",
  "See line 3 of 0dd5e551 for full content]",
  "[Read result masked -- 12 lines]",
];

interface OddSession {
  readonly bytes: Uint8Array;
  readonly prompts: readonly string[];
}

interface OddOptions {
  /**
   * Whether only the order of lines is odd. If so, no line is broken, duplicated or unlinked, and there is no
   * compaction.
   */
  readonly isValid?: boolean;
  /** Whether prompts and answers can have equal texts. */
  readonly repeats?: boolean;
}

export function makeOddSession(random: Random, options: OddOptions = {}): OddSession {
  return new OddWriter(random, options).write();
}

class OddWriter {
  readonly #random: Random;
  readonly #lines: string[] = [];
  readonly #prompts: string[] = [];
  readonly #uuids: string[] = [];
  readonly #late: (() => void)[] = [];
  readonly #calls: string[] = [];
  readonly #isValid: boolean;
  readonly #repeats: boolean;
  readonly #version: string;
  readonly #hasTimes: boolean;
  #tip: string | null = null;
  #count = 0;
  #clock = Date.UTC(2026, 0, 5, 9);
  #tokens = 20_000;

  constructor(random: Random, { isValid = false, repeats = false }: OddOptions) {
    this.#random = random;
    this.#isValid = isValid;
    this.#repeats = repeats;
    this.#version = isValid ? "2.1.330" : random.pick(["2.1.330", "2.1.330", "2.1.197", ""]);
    this.#hasTimes = isValid || !random.chance(10);
  }

  #sometimes(percent: number, texts: readonly string[]): string {
    return this.#random.chance(percent) ? this.#random.pick(texts) : "";
  }

  #repeated(percent: number): string {
    return this.#repeats ? this.#sometimes(percent, REPEATED) : "";
  }

  #odd(percent: number): boolean {
    return !this.#isValid && this.#random.chance(percent);
  }

  write(): OddSession {
    const random = this.#random;
    if (random.chance(20)) this.#aside({ type: "summary", summary: "Of before", leafUuid: "x" });
    for (let turns = 1 + random.below(6); turns > 0; turns--) {
      this.#addTurn();
      if (!this.#isValid && random.chance(15)) this.#addCompaction();
    }
    // The client was killed before all results arrived.
    if (random.chance(15)) this.#addAnswer(true);
    if (this.#odd(30)) {
      this.#aside({ type: "last-prompt", lastPrompt: "x", leafUuid: random.pick(this.#uuids) });
    }
    return { bytes: this.#bytes(), prompts: this.#prompts };
  }

  #bytes(): Uint8Array {
    const random = this.#random;
    let lines = this.#lines;
    if (this.#isValid) return new TextEncoder().encode(lines.map((line) => line + "\n").join(""));
    if (random.chance(4)) lines = [...lines, ...lines];
    if (random.chance(8)) {
      const index = random.below(lines.length);
      lines = lines.toSpliced(index, 0, ...lines.slice(index, index + 1 + random.below(3)));
    }
    if (random.chance(5)) {
      const broken = random.pick(["", "   ", "\0".repeat(40), "{", '{"a":1}}', "null", "[1]"]);
      lines = lines.toSpliced(random.below(lines.length), 0, broken);
    }
    const end = random.chance(6) ? "\r\n" : "\n";
    // A writer that was killed leaves no newline, so two entries share a line.
    const joined = random.chance(6) ? random.below(lines.length) : -1;
    const text = lines.map((line, index) => index === joined ? line : line + end).join("");
    const tail = random.pick(["", "", "", "", "", '{"type":"user","message":{"ro', "\0\0\0\0"]);
    return new TextEncoder().encode((random.chance(4) ? "\ufeff" : "") + text + tail);
  }

  #addTurn(): void {
    const random = this.#random;
    if (this.#uuids.length > 2 && random.chance(15)) {
      this.#tip = random.pick(this.#uuids.slice(-25));
    }
    this.#noise();
    this.#addPrompt();
    if (random.chance(30)) this.#hook();
    for (let answers = 1 + random.below(3); answers > 0; answers--) {
      this.#addAnswer();
      for (const late of random.chance(30) ? this.#late.splice(0) : []) late();
    }
    const said = this.#repeated(25) || this.#words(4);
    if (random.chance(60)) return this.#assistant([{ type: "text", text: said }], this.#id("m"));
    if (random.chance(40)) this.#user([{ type: "text", text: "[Request interrupted by user]" }]);
    else if (random.chance(20)) {
      const content = [{ type: "text", text: "API Error: 500" }];
      const message = { id: this.#id("m"), role: "assistant", model: "<synthetic>", content };
      this.#add({ type: "assistant", isApiErrorMessage: true, message });
    }
  }

  #addPrompt(): void {
    const random = this.#random;
    const words = this.#words(3);
    const text = this.#repeated(25) || `${words} ${this.#sometimes(30, HARD_TEXTS)} ${this.#count}`;
    this.#prompts.push(text);
    const more = random.chance(20) ? { origin: { kind: "human" } } : {};
    if (random.chance(60)) return this.#user(text, more);
    const blocks: JsonObject[] = [{ type: "text", text }];
    if (random.chance(40)) blocks.push(this.#picture());
    if (random.chance(20)) blocks.unshift({ type: "document", source: pdf() });
    this.#user(blocks, more);
  }

  #addAnswer(isKilled = false): void {
    const random = this.#random;
    const id = this.#id("msg_");
    const model = random.chance(90) ? MODELS[0] : MODELS[1];
    const ownBlocks: JsonObject[] = [];
    if (random.chance(50)) ownBlocks.push(this.#thinking());
    const texts = Array.from({ length: random.below(3) }, () => this.#words(5));
    ownBlocks.push(...texts.map((text) => ({ type: "text", text })));
    if (this.#odd(10)) {
      const server = this.#id("srvtoolu_");
      ownBlocks.push(
        { type: "server_tool_use", id: server, name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: server, content: [{ title: "T" }] },
      );
    }
    if (random.chance(20)) ownBlocks.push(this.#thinking());
    const ids = Array.from({ length: random.below(5) }, () => this.#callId());
    const calls = ids.map((call) => this.#call(call));
    if (random.chance(10)) calls.push({ type: "text", text: this.#words(2) });
    if (ownBlocks.length + calls.length === 0) ownBlocks.push({ type: "text", text: "Yes." });
    const isLost = (): boolean => isKilled && random.chance(70);
    if (random.chance(20)) {
      this.#assistant([...ownBlocks, ...calls], id, model);
      return isLost() ? undefined : this.#addResults(ids);
    }
    for (const block of ownBlocks) this.#assistant([block], id, model);
    const open: string[] = [];
    const rows = new Map<string, string>();
    for (const block of calls) {
      this.#assistant([block], id, model);
      const call = `${block.id}`;
      if (block.type !== "tool_use") continue;
      rows.set(call, this.#tip ?? "");
      open.push(call);
      // The client writes a result as soon as it arrives.
      if (random.chance(35)) this.#addResults(open.splice(random.below(open.length), 1), rows);
      if (random.chance(10)) this.#noise();
    }
    if (!isLost()) this.#addResults(open, rows);
  }

  #addResults(ids: readonly string[], rows?: ReadonlyMap<string, string>): void {
    const random = this.#random;
    const pending = ids.toSorted(() => random.below(3) - 1);
    while (pending.length > 0) {
      const some = pending.splice(0, random.chance(25) ? 1 + random.below(3) : 1);
      if (random.chance(4)) continue;
      const blocks = some.map((id) => this.#result(id));
      if (random.chance(5)) blocks.push({ type: "text", text: this.#words(3) });
      if (random.chance(3)) blocks.unshift({ type: "text", text: this.#words(3) });
      const caller = rows?.get(some[0] ?? "");
      const more = {
        ...(random.chance(60) ? { toolUseResult: this.#toolUseResult() } : {}),
        ...(caller !== undefined && random.chance(60) ? { sourceToolAssistantUUID: caller } : {}),
      };
      const write = (): void => {
        if (caller !== undefined && random.chance(60)) this.#tip = caller;
        this.#user(blocks, more);
        if (random.chance(5)) this.#user(blocks, more);
        if (random.chance(5)) this.#user(`A skill's text ${this.#count}`, { isMeta: true });
        if (random.chance(10)) this.#hook();
      };
      if (random.chance(5)) this.#late.push(write);
      else write();
      if (random.chance(8)) this.#noise();
    }
  }

  #addCompaction(): void {
    const random = this.#random;
    const before = this.#tip;
    if (random.chance(25)) {
      return this.#add({ type: "system", subtype: "microcompact_boundary", content: "Micro" });
    }
    const kept = this.#uuids.slice(-random.below(6));
    const [headUuid, tailUuid] = [kept[0], kept.at(-1)];
    const summary = this.#id("u");
    const metadata = random.pick<JsonObject>([
      {},
      { preservedSegment: { headUuid, tailUuid, anchorUuid: summary } },
      { preservedMessages: { anchorUuid: summary, uuids: kept, allUuids: kept } },
    ]);
    this.#tip = null;
    const compactMetadata = { trigger: "auto", preTokens: this.#tokens, ...metadata };
    const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: before };
    this.#add({ ...boundary, content: "Conversation compacted", compactMetadata });
    this.#tokens = 15_000;
    if (random.chance(10)) return;
    const message = { role: "user", content: `The summary: ${this.#words(20)}` };
    this.#add({ type: "user", isCompactSummary: true, message, uuid: summary });
  }

  #noise(): void {
    const lines: readonly (() => void)[] = [
      () => this.#aside({ type: "queue-operation", operation: "enqueue", content: this.#words(3) }),
      () => this.#aside({ type: "file-history-snapshot", messageId: "x", snapshot: {} }),
      () => this.#add({ type: "progress", data: { type: "hook_progress" } }),
      () => this.#hook(),
      () => this.#sidechain(),
      () => this.#add({ type: "system", subtype: "local_command", content: "<command-name>/x" }),
      () => this.#addQueuedPrompt(),
      () => this.#aside({ type: "novelty", data: { type: "tool_use", id: "t", name: "Read" } }),
      () => this.#add({ type: "system", subtype: "turn_duration", durationMs: 5 }),
    ];
    for (let n = this.#random.below(3); n > 0; n--) this.#random.pick(lines)();
  }

  #addQueuedPrompt(): void {
    const prompt = this.#repeated(15) || `queued ${this.#words(3)} ${this.#count}`;
    const attachment = { type: "queued_command", prompt, commandMode: "prompt" };
    this.#prompts.push(prompt);
    this.#attach(attachment, `The user sent a new message while you were working:\n${prompt}`);
  }

  #hook(): void {
    const text = this.#words(10);
    const attachment = { type: "hook_additional_context", content: [text] };
    this.#attach(attachment, `PostToolUse hook additional context: ${text}`);
  }

  /** Newer clients store the text that they send. */
  #attach(attachment: JsonObject, words: string): void {
    const content = `<system-reminder>\n${words}\n</system-reminder>`;
    const rendered = this.#version === "2.1.330" ? { rendered: [{ content }] } : {};
    this.#add({ type: "attachment", attachment, ...rendered });
  }

  #sidechain(): void {
    const [tip, call] = [this.#tip, this.#callId()];
    const side = { isSidechain: true, agentId: "a1" };
    this.#user(this.#words(4), side);
    this.#assistant([this.#call(call)], this.#id("msg_"), MODELS[0], side);
    this.#user([this.#result(call)], side);
    this.#tip = tip;
    // A rewind never returns to a subagent's line.
    this.#uuids.splice(-3);
  }

  #callId(): string {
    const random = this.#random;
    const known = this.#calls.length > 0 && this.#odd(2);
    const id = known ? random.pick(this.#calls) : this.#id("toolu_");
    this.#calls.push(id);
    return id;
  }

  #call(id: string): JsonObject {
    const random = this.#random;
    const name = random.pick(TOOLS);
    const file_path = `/p/${random.pick(["a", "b", "c"])}.ts`;
    const text = (): string => this.#words(random.pick([3, 60, 200]));
    const inputs: Record<string, JsonObject> = {
      Read: random.chance(40) ? { file_path, offset: 1, limit: 50 } : { file_path },
      Edit: { file_path, old_string: text(), new_string: text() },
      Write: { file_path, content: text() },
      MultiEdit: { file_path, edits: [{ old_string: text(), new_string: text() }, { x: 1 }] },
      Task: { description: "look", prompt: text(), subagent_type: "x" },
    };
    return { type: "tool_use", id, name, input: inputs[name] ?? { command: this.#words(3) } };
  }

  #result(id: string): JsonObject {
    const random = this.#random;
    const block: JsonObject = { tool_use_id: id, type: "tool_result" };
    if (random.chance(15)) block.is_error = random.chance(80);
    const text = (): JsonObject => ({ type: "text", text: this.#long() });
    const contents: readonly (() => unknown)[] = [
      () => undefined,
      () => "",
      () => [],
      () => [text(), text()],
      () => [text(), this.#picture(), { type: "text", text: "" }],
      () => [this.#picture()],
      () => [{ type: "tool_reference", tool_name: "x" }],
      () => [text()],
    ];
    const content = contents[random.below(12)] ?? (() => this.#long());
    return { ...block, content: content() };
  }

  #toolUseResult(): unknown {
    const random = this.#random;
    return random.pick<unknown>([
      this.#long(),
      { stdout: this.#long(), stderr: "", interrupted: false },
      { type: "text", file: { filePath: "/p/a.ts", content: this.#long() } },
      { originalFile: this.#long(), structuredPatch: [{ lines: ["+a"] }] },
      [{ type: "text", text: this.#long() }],
      null,
    ]);
  }

  #thinking(): JsonObject {
    const random = this.#random;
    if (random.chance(10)) return { type: "redacted_thinking", data: "r".repeat(40) };
    const isEmpty = random.chance(20);
    const thinking = isEmpty ? "" : this.#words(12);
    const signature = isEmpty && random.chance(30) ? "" : "c".repeat(60);
    return { type: "thinking", thinking, signature };
  }

  #picture(): JsonObject {
    const data = "iVBORw0KGgo" + "A".repeat(this.#random.pick([1, 889]) * 4 + 1);
    return { type: "image", source: { type: "base64", media_type: "image/png", data } };
  }

  #words(count: number): string {
    const random = this.#random;
    return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
  }

  #long(): string {
    const random = this.#random;
    const length = random.pick([0, 1, 5, 30, 80, 200]);
    const line = (n: number): string =>
      `${n + 1}\tconst ${random.pick(WORDS)}${random.below(40)} = ${n};`;
    const lines = Array.from({ length }, (_, n) => line(n));
    if (random.chance(20)) lines.push(random.pick(HARD_TEXTS));
    if (random.chance(5)) lines.unshift(random.pick(HARD_TEXTS));
    return lines.join("\n");
  }

  #id(prefix: string): string {
    return `${prefix}${++this.#count}`;
  }

  #user(content: unknown, more: JsonObject = {}): void {
    this.#add({ type: "user", message: { role: "user", content }, ...more });
  }

  #assistant(
    content: readonly JsonObject[],
    id: string,
    model: string = MODELS[0],
    more: JsonObject = {},
  ): void {
    this.#tokens += 500;
    const usage = { input_tokens: 3, cache_read_input_tokens: this.#tokens, output_tokens: 50 };
    const message = { id, type: "message", role: "assistant", model, content, usage };
    this.#add({ type: "assistant", message, ...more });
  }

  #add(entry: JsonObject): void {
    const random = this.#random;
    const uuid = this.#odd(1) && this.#uuids.length > 0
      ? random.pick(this.#uuids)
      : `${entry.uuid ?? this.#id("u")}`;
    this.#clock += this.#odd(3) ? -20_000 : random.below(3000);
    const timestamp = new Date(this.#clock).toISOString();
    const parentUuid = this.#odd(1) ? "gone" : this.#tip;
    const time = this.#hasTimes && !this.#odd(2) ? { timestamp } : {};
    const version = this.#version === "" ? {} : { version: this.#version };
    this.#aside({ parentUuid, isSidechain: false, ...entry, uuid, ...time, ...version });
    this.#tip = uuid;
    this.#uuids.push(uuid);
  }

  /** Writes a line. An entry without `uuid` and `parentUuid` is outside the tree. */
  #aside(entry: JsonObject): void {
    this.#lines.push(JSON.stringify({ ...entry, sessionId: ODD_ID }));
  }
}

function pdf(): JsonObject {
  const data = btoa("%PDF-1.4 " + "/Type /Page ".repeat(80));
  return { type: "base64", media_type: "application/pdf", data };
}
