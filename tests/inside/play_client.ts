/**
 * Simulates a client: passes a session's conversation to the module, and writes the module's answer after a
 * boundary, as Claude Code 2.1.330 does.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../src/core/record.ts";
import { register } from "../../hooks/_inside.ts";
import type {
  ApiMessage,
  Client,
  CompactAnswer,
  CompactEvent,
  On,
  Row,
} from "../../src/inside/client.ts";
import { answerRecall } from "../../src/inside/recall.ts";
import type { Place } from "../../src/core/marks.ts";
import { resultTexts } from "../../src/transcript/content.ts";
import type { Entry } from "../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../src/transcript/tree/active_context.ts";
import type { Random } from "../fuzz/random.ts";
import { makeOddSession } from "../trim/odd_session.ts";
import { fakeFiles, resolving } from "./fake_files.ts";

type Hook = (client: Client, event: unknown, next: (event: unknown) => unknown) => unknown;

const FOLDER = "/h/.claude/projects/p/";
const ROOT = "/p";

/** The client sends this text in place of a result that is missing or late. */
export const INTERRUPTED = "[Tool call interrupted]";

export interface SentConversation {
  readonly calls: ReadonlyMap<string, string>;
  readonly results: ReadonlyMap<string, string>;
  readonly answers: readonly string[];
  readonly prompts: readonly string[];
}

export function oddSession(random: Random, { repeats = false } = {}): string {
  return new TextDecoder().decode(makeOddSession(random, { isValid: true, repeats }).bytes);
}

interface TrimRules {
  readonly threshold: number;
  readonly keepRecent: number;
  readonly keep: "head" | "line" | "need";
  readonly depth: "light" | "deep";
}

export function anyRules(random: Random): TrimRules {
  return {
    threshold: random.pick([20, 150, 500]),
    keepRecent: random.pick([0, 1, 5]),
    keep: random.pick(["head", "line", "need"]),
    depth: random.pick(["light", "deep"]),
  };
}

export function optionsOf({ threshold, keepRecent, keep, depth }: TrimRules): string {
  return `--threshold ${threshold} --keep-recent ${keepRecent} --keep ${keep} --depth ${depth} ` +
    "--drop-images";
}

export function partsOf({ calls, results }: SentConversation): Map<string, string> {
  return new Map([
    ...[...calls].map(([id, text]) => [`call ${id}`, text] as const),
    ...[...results].map(([id, text]) => [`result ${id}`, text] as const),
  ]);
}

export class PlayClient {
  readonly #id: string;
  readonly #path: string;
  readonly #files = new Map<string, string>();
  readonly #hooks = new Map<string, Hook>();
  readonly #timers: (() => unknown)[] = [];
  #compacting: (args: string) => Promise<void> = () => Promise.resolve();
  readonly client: Client;
  /** Tokens in context, as the client reports them. */
  tokens = 150_000;
  #last: string | null = null;
  #count = 0;
  #clock = Date.UTC(2026, 0, 6, 9);
  #isTyped = false;

  /** @param others Texts of other transcripts in the same folder, by session id. */
  constructor(id: string, text: string, others: Readonly<Record<string, string>> = {}) {
    this.#id = id;
    this.#path = `${FOLDER}${id}.jsonl`;
    for (const [name, other] of Object.entries({ ...others, [id]: text })) {
      this.#files.set(`${FOLDER}${name}.jsonl`, other);
    }
    const on = (event: string, ...more: unknown[]): unknown => {
      this.#hooks.set(event, more.at(-1) as Hook);
      return { catch: () => {} };
    };
    register(on as unknown as On);
    this.client = this.#makeClient(id);
  }

  get text(): string {
    return this.#files.get(this.#path) ?? "";
  }

  append(...entries: JsonObject[]): void {
    let parentUuid = this.#last ??= this.#entries().at(-1)?.uuid ?? null;
    for (const entry of entries) {
      const uuid = `play-${this.#id}-${++this.#count}`;
      this.#clock += 1000;
      const timestamp = new Date(this.#clock).toISOString();
      const line = {
        parentUuid,
        isSidechain: false,
        uuid,
        timestamp,
        version: "2.1.330",
        ...entry,
      };
      this.#files.set(this.#path, `${this.text}${JSON.stringify(line)}\n`);
      this.#last = parentUuid = `${line.uuid}`;
    }
  }

  /** Changes the transcript as `/branch` does in its copy: links each boundary to the message before it. */
  branch(): void {
    const lines = this.text.split("\n").map((line) => {
      const raw = line.includes('"compact_boundary"') ? JSON.parse(line) : {};
      if (typeof raw.logicalParentUuid !== "string") return line;
      return JSON.stringify({ ...raw, parentUuid: raw.logicalParentUuid });
    });
    this.#files.set(this.#path, lines.join("\n"));
  }

  /**
   * Runs a compaction with instructions. Returns the reason if nothing was changed. With `isCancelled`, the
   * user cancels the compaction, so the module's answer has no effect.
   */
  async compact(
    instructions: string,
    { isCancelled = false, trigger = "manual" }: {
      readonly isCancelled?: boolean;
      readonly trigger?: CompactEvent["trigger"];
    } = {},
  ): Promise<string | undefined> {
    const messages = this.#rows();
    const event = { trigger, instructions, messages };
    const answer = await this.#hooks.get("session.compact")?.(
      this.client,
      event,
      () => Promise.resolve({ summary: true }),
    ) as CompactAnswer & { summary?: true };
    if (answer.skip !== undefined || isCancelled) return answer.skip ?? "cancelled";
    const earlier = new Date(this.#clock).toISOString();
    this.append({
      type: "system",
      subtype: "compact_boundary",
      parentUuid: null,
      logicalParentUuid: this.#last ?? this.#entries().at(-1)?.uuid,
      content: "Conversation compacted",
      compactMetadata: { trigger: "manual", preTokens: 1000, postTokens: 10 },
    });
    if (answer.summary === true) {
      this.append({ ...prompt(`The summary ${this.#count}`), isCompactSummary: true });
    } else {
      this.append(...(answer.messages ?? []).map((row) => ({
        ...lineOf(row, `row-${this.#id}-${++this.#count}`),
        timestamp: earlier,
      })));
    }
    const command = `<command-name>/compact</command-name>\n<command-message>compact` +
      `</command-message>\n<command-args>${instructions}</command-args>`;
    const output =
      "<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>";
    this.append(
      prompt("<local-command-caveat>The command below was run directly</local-command-caveat>"),
      prompt(command),
      prompt(output),
    );
    for (const run of this.#timers.splice(0)) await run();
    return undefined;
  }

  /**
   * Types `/trim` with options into a terminal. Returns the answer if nothing was changed. `between` runs
   * before the compaction that the command starts.
   */
  async type(options: string, between = (): void => {}): Promise<string | undefined> {
    let skipped: string | undefined;
    this.#isTyped = true;
    this.#compacting = async (args) => {
      between();
      skipped = await this.compact(args);
    };
    const event = { command: "trimtab:trim", args: options };
    const answer = await this.#hooks.get("command.run")?.(this.client, event, () => undefined);
    const timers = this.#timers.splice(0);
    for (const run of timers) await run();
    this.#isTyped = false;
    if (timers.length > 0) return skipped;
    return isObject(answer) ? `${answer.text}` : "left to the client";
  }

  sent(): SentConversation {
    const messages = this.#messages();
    const blocks = (role: string, type: string): JsonObject[] =>
      messages.filter((message) => message.role === role).flatMap(({ content }) => content)
        .filter((block) => block.type === type);
    return {
      calls: new Map(
        blocks("assistant", "tool_use").map(({ id, input }) => [`${id}`, JSON.stringify(input)]),
      ),
      results: new Map(
        blocks("user", "tool_result").map((block) => [
          `${block.tool_use_id}`,
          `${block.is_error === true ? "error: " : ""}${resultTexts(block.content).join("\n")}`,
        ]),
      ),
      answers: blocks("assistant", "text").map(({ text }) => `${text}`),
      prompts: blocks("user", "text").map(({ text }) => `${text}`),
    };
  }

  async recall(place: Place): Promise<string> {
    const { result, deny } = await answerRecall(this.client, { tool: "recall", ...place });
    if (deny !== undefined || typeof result === "string") return deny ?? `${result}`;
    const data = (Array.isArray(result) ? result : []).flatMap(({ source }) => source?.data ?? []);
    return [...resultTexts(result), ...data].join("\n");
  }

  #entries(): Entry[] {
    const bytes = new TextEncoder().encode(this.text);
    let position = 0;
    const source = {
      seekSync: (offset: number): number => position = offset,
      readSync: (into: Uint8Array): number | null => {
        const part = bytes.subarray(position, position + into.length);
        into.set(part);
        position += part.length;
        return part.length === 0 ? null : part.length;
      },
    };
    const { nodes } = findActiveContext(source, bytes.length);
    return [...readNodes(source, nodes)].map(({ entry }) => entry);
  }

  #rows(): Row[] {
    return this.#entries().flatMap(rowOf);
  }

  #messages(): ApiMessage[] {
    return messagesOf(this.#entries());
  }

  #makeClient(id: string): Client {
    const files = fakeFiles(this.#files);
    const list = (folder: string) =>
      Promise.resolve(
        [...this.#files.keys()].filter((path) => path.startsWith(folder))
          .map((path) => ({ name: path.slice(folder.length), kind: "file", isLink: false })),
      );
    const client = {
      session: {
        ...resolving({ id, root: ROOT, model: "claude-sonnet-4-6", append: undefined }),
        ...resolving({ info: { transcriptPath: this.#path } }),
        surfaces: () => Promise.resolve(this.#isTyped ? ["terminal"] : []),
        usage: () => Promise.resolve({ context: { tokens: this.tokens, window: 200_000 } }),
        messages: (args: { as?: string }) =>
          Promise.resolve(
            args.as === "api" ? messagesOf(this.#entries(), { isFolded: true }) : this.#rows(),
          ),
      },
      env: resolving({ get: undefined, set: {} }),
      command: { run: async ({ args = "" }: { args?: string }) => await this.#compacting(args) },
      tool: resolving({ register: undefined, call: undefined, check: { decision: "allow" } }),
      fs: { ...files, list },
      process: { ...resolving({ hookEnv: {} }), run: () => Promise.reject(new Error("none")) },
      prompt: resolving({ read: { text: "" }, fill: undefined }),
      ui: {
        log: (text: string) => {
          this.append({ type: "system", subtype: "informational", content: `trimtab: ${text}` });
        },
        status: () => {},
      },
      clock: {
        now: () => Promise.resolve(this.#clock),
        after: (_: number, run: () => unknown) => this.#timers.push(run),
      },
    };
    return client as unknown as Client;
  }
}

function prompt(content: string): JsonObject {
  return { type: "user", promptId: "p", message: { role: "user", content } };
}

/** Returns the line that the client writes for a row of a trim. */
export function lineOf({ role, text, toolUses, toolResults }: Row, id: string): JsonObject {
  if (role === "assistant") {
    const calls = toolUses.map(({ tool_use_id, tool, input }) => ({
      type: "tool_use",
      id: tool_use_id,
      name: tool,
      input,
    }));
    const content = [...(text === "" ? [] : [{ type: "text", text }]), ...calls];
    const message = { id, model: "<synthetic>", role, type: "message", content };
    return { type: "assistant", madeBy: "other", isApiErrorMessage: false, message };
  }
  const results = (toolResults ?? []).map(({ tool_use_id, text, isError }) => ({
    type: "tool_result",
    tool_use_id,
    content: text,
    ...(isError ? { is_error: true } : {}),
  }));
  const content = results.length === 0
    ? text
    : [...results, ...(text === "" ? [] : [{ type: "text", text }])];
  return { type: "user", promptId: "p", message: { role, content } };
}

function blocksOf({ message }: Entry): JsonObject[] {
  const content = message?.content;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

export function rowOf(entry: Entry): Row[] {
  const { type, raw } = entry;
  if (type !== "user" && type !== "assistant") return [];
  const blocks = blocksOf(entry);
  const blocksOfType = (kind: string): JsonObject[] =>
    blocks.filter((block) => block.type === kind);
  const toolResults = blocksOfType("tool_result").map((block) => ({
    tool_use_id: `${block.tool_use_id}`,
    text: resultTexts(block.content).join("\n"),
    isError: block.is_error === true,
  }));
  return [{
    role: type,
    text: blocksOfType("text").map(({ text }) => `${text}`).join("\n"),
    toolUses: blocksOfType("tool_use").map(({ id, name, input }) => ({
      tool_use_id: `${id}`,
      tool: `${name}`,
      input: isObject(input) ? input : {},
    })),
    ...(toolResults.length > 0 ? { toolResults } : {}),
    handle: `${raw.uuid}`,
  }];
}

function isMessage({ type }: JsonObject): boolean {
  return type !== "thinking" && type !== "redacted_thinking";
}

/**
 * Builds the messages of the next request. Joins the lines of an answer by its id, puts results right after
 * their answer, and leaves reminders where they occur. With `isFolded`, builds the messages as the client
 * passes them to the module: a reminder after a result becomes part of the result, and a reminder after a
 * prompt is moved before the prompt.
 */
export function messagesOf(
  entries: readonly Entry[],
  { isFolded = false }: { readonly isFolded?: boolean } = {},
): ApiMessage[] {
  interface Message {
    readonly role: ApiMessage["role"];
    readonly content: JsonObject[];
  }
  const messages: Message[] = [];
  const byId = new Map<string, Message>();
  const owners = new Map<string, Message>();
  const results = new Map<Message, JsonObject[]>();
  const withResult = new Set<string>();
  /** The result or the prompt that the next attachment belongs to. */
  let latest: JsonObject | undefined;
  for (const entry of entries) {
    const { type, message, raw } = entry;
    if (raw.isApiErrorMessage === true && message?.model === "<synthetic>") continue;
    if (type === "attachment" && Array.isArray(raw.rendered)) {
      const content = raw.rendered.filter(isObject).map(({ content: text }) => ({
        type: "text",
        text,
      })).filter(({ text }) => `${text}`.trim() !== "");
      if (!isFolded || latest === undefined) {
        messages.push({ role: "user", content });
      } else if (latest.type === "tool_result") {
        const { content: own } = latest;
        latest.content = typeof own === "string"
          ? [own, ...content.map(({ text }) => text)].join("\n\n").trimStart()
          : [...Array.isArray(own) ? own : [], ...content];
      } else {
        const prompt = messages.findIndex(({ content }) => content[0] === latest);
        messages.splice(prompt, 0, { role: "user", content });
      }
    } else if (type === "assistant") {
      latest = undefined;
      const answer = byId.get(`${message?.id}`) ?? { role: type, content: [] };
      const isNew = !byId.has(`${message?.id}`);
      if (isNew) messages.push(answer);
      // The client drops a result that comes after the next answer, and sends `INTERRUPTED` instead.
      if (isNew && blocksOf(entry).some(isMessage)) owners.clear();
      byId.set(`${message?.id}`, answer);
      for (const block of blocksOf(entry)) {
        if (block.type === "tool_use") owners.set(`${block.id}`, answer);
        answer.content.push(block);
      }
    } else if (type === "user") {
      const answerBlocks: JsonObject[] = [];
      for (const block of blocksOf(entry)) {
        if (block.type !== "tool_result") {
          answerBlocks.push(block);
          continue;
        }
        const id = `${block.tool_use_id}`;
        const owner = owners.get(id);
        if (owner === undefined || withResult.has(id)) continue;
        withResult.add(id);
        latest = { ...block };
        results.set(owner, [...results.get(owner) ?? [], latest]);
      }
      if (answerBlocks.length === 0) continue;
      messages.push({ role: type, content: answerBlocks });
      latest = answerBlocks[0];
    }
  }
  return messages.flatMap((message): ApiMessage[] => {
    if (message.role === "user") return [message];
    if (!message.content.some(isMessage)) return [];
    const open = message.content.filter(({ type, id }) =>
      type === "tool_use" && !withResult.has(`${id}`)
    )
      .map(({ id }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: INTERRUPTED,
        is_error: true,
      }));
    const answered = [...results.get(message) ?? [], ...open];
    return answered.length === 0 ? [message] : [message, { role: "user", content: answered }];
  });
}
