/**
 * Trims the slow and plain way: the whole file at once, every line parsed, and nothing shared with
 * the trimmer that is held against it.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";

/** What the reference is to cut. */
export interface ReferenceOptions {
  /** How many characters of a result stay. */
  threshold: number;
  /** The tools whose results are cut. */
  targetTools: readonly string[];
  /** How many of the newest results of the conversation stay whole. */
  keepRecent: number;
  /** The parent as notices name it. */
  parentFile: string;
  /** The size that the newest message's usage comes down to, in tokens. */
  tokensAfter: number;
}

/** What the reference came to. */
export interface ReferenceResult {
  /** The copy, one character a byte. */
  copy: string;
  /** The numbers of the lines of the original that changed, from 1, without those of usage. */
  cutLines: number[];
  /** How many results were cut, and how many characters fewer they hold, by tool. */
  byTool: Record<string, { count: number; chars_saved: number }>;
  /** How many results were cut. */
  count: number;
  /** What was cut of the results that are sent, by tool. */
  sentByTool: Record<string, { count: number; chars_saved: number }>;
  /** How many characters fewer the results that are sent hold. */
  sentCharsSaved: number;
  /** How many results stay just because they are recent. */
  keptRecent: number;
  /** How many bytes of a torn last line were left out. */
  tornBytes: number;
}

/** A value and where it stands. */
interface Node {
  start: number;
  end: number;
  members?: Map<string, Node>;
  items?: Node[];
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const CHARACTER =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]|[^]/gu;
const NOTICE = /\n\n\[\.\.\.truncated - original was [\d,]+ chars, showing first \d+\. See line /;

/**
 * Trims a session.
 *
 * @param path The session, which is only read.
 * @param options What to cut.
 * @returns The copy and the counts.
 */
export function referenceTrim(path: string, options: ReferenceOptions): ReferenceResult {
  const lines = latin1(Deno.readFileSync(path)).split("\n");
  const result: ReferenceResult = {
    copy: "",
    cutLines: [],
    byTool: {},
    count: 0,
    sentByTool: {},
    sentCharsSaved: 0,
    keptRecent: 0,
    tornBytes: 0,
  };
  const last = lines.pop() ?? "";
  const isTorn = last.trim() !== "" && objectsOf(last).length === 0;
  if (isTorn) result.tornBytes = last.length;
  else if (last !== "") lines.push(last);
  const all = lines.map((line) => ({ line, objects: objectsOf(line) }));
  const names = new Map(all.flatMap(({ objects }) => objects.flatMap(callsOf)));
  const sent = sentOf(path);
  const kept = new Set(options.keepRecent === 0 ? [] : sent.ids.slice(-options.keepRecent));
  const env = { ...options, names, kept, sent: new Set(sent.ids), newest: sent.newest, result };
  const metadata = sent.isByMetadata ? all.flatMap((one) => one.objects).findLast(isMetadata) : "";
  const lowered = all.findLastIndex(({ objects }) => objects.includes(metadata ?? ""));
  const copied = all.map(({ line, objects }, index) => {
    if (objects.length === 0) return line;
    const last = index === lowered ? objects.findLastIndex(isMetadata) : -1;
    return cutLine(
      objects.map((object, n) => n === last ? lowerMetadata(object, options.tokensAfter) : object),
      index + 1,
      env,
    );
  });
  result.copy = copied.map((line) => line + "\n").join("");
  return result;
}

interface Env extends ReferenceOptions {
  names: Map<string, string>;
  kept: Set<string>;
  sent: Set<string>;
  newest: Set<string>;
  result: ReferenceResult;
}

/** The results of the conversation in order, and the lines of its newest answer, by their ids. */
function sentOf(path: string): { ids: string[]; newest: Set<string>; isByMetadata: boolean } {
  using file = Deno.openSync(path);
  const { nodes, usage } = findActiveContext(file, file.statSync().size);
  const bytes = Deno.readFileSync(path);
  // A result is sent right behind its call, or not at all.
  let [messageId, waiting, passed] = ["", [] as string[], [] as string[]];
  const ids = nodes.flatMap(({ offset, length }) => {
    const text = utf8(latin1(bytes.subarray(offset, offset + length)));
    const { type, message } = JSON.parse(text);
    const content: unknown = message?.content;
    const blocks = Array.isArray(content) ? content : [];
    if (type === "assistant") {
      const isSaid = blocks.some((block) => !/thinking/.test(block?.type));
      if (isSaid && message.id !== messageId) {
        passed = [...passed, ...waiting];
        [messageId, waiting] = [message.id, []];
      }
      waiting.push(...blocks.filter((block) => block?.type === "tool_use").map(({ id }) => id));
      return [];
    }
    const results = blocks.filter((block) => block?.type === "tool_result")
      .map((block) => block.tool_use_id);
    waiting = waiting.filter((id) => !results.includes(id));
    return results.filter((id) => !passed.includes(id));
  });
  const newest = nodes.filter(({ messageId }) =>
    messageId !== undefined && messageId === usage?.messageId
  );
  const isByMetadata = usage?.source === "metadata";
  return { ids, newest: new Set(newest.map(({ uuid }) => uuid)), isByMetadata };
}

/** The objects of a line, as text; none where it is broken or blank. */
function objectsOf(line: string): string[] {
  if (isObject(line)) return [line];
  for (let joint = line.indexOf("}{"); joint >= 0; joint = line.indexOf("}{", joint + 1)) {
    const rest = objectsOf(line.slice(joint + 1));
    if (rest.length > 0 && isObject(line.slice(0, joint + 1))) {
      return [line.slice(0, joint + 1), ...rest];
    }
  }
  return [];
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(utf8(text));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function callsOf(object: string): [string, string][] {
  // A call must name its type; what does not hold the word need not be parsed.
  if (!object.includes("tool_use")) return [];
  const { type, message } = JSON.parse(utf8(object));
  const content: unknown = message?.content;
  if (type !== "assistant" || !Array.isArray(content)) return [];
  return content.filter((block) => block?.type === "tool_use")
    .map((block) => [block.id, block.name]);
}

function cutLine(objects: string[], lineNumber: number, env: Env): string {
  return objects.map((object) => {
    const { type, uuid, message } = JSON.parse(utf8(object));
    const edits: Edit[] = [];
    if (type === "user" && object.includes("tool_result") && Array.isArray(message?.content)) {
      cutResults(object, parse(object), lineNumber, env, edits);
    }
    if (env.newest.has(uuid)) {
      lowerUsage(object, parse(object), env.tokensAfter, edits);
    }
    edits.sort((a, b) => b.start - a.start);
    return edits.reduce(
      (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
      object,
    );
  }).join("\n");
}

function cutResults(object: string, tree: Node, lineNumber: number, env: Env, edits: Edit[]): void {
  const results = tree.members?.get("message")?.members?.get("content")?.items ?? [];
  let cutCount = 0;
  for (const { members } of results) {
    const block = { type: said(object, members, "type"), id: said(object, members, "tool_use_id") };
    const tool = env.names.get(String(block.id));
    const content = members?.get("content");
    if (block.type !== "tool_result" || tool === undefined || content === undefined) continue;
    if (!env.targetTools.includes(tool)) continue;
    const texts = content.items === undefined
      ? [content]
      : content.items.flatMap((item) =>
        said(object, item.members, "type") === "text" ? item.members?.get("text") ?? [] : []
      );
    const found: Edit[] = [];
    let saved = 0;
    for (const text of texts) saved += cutString(object, text, lineNumber, env, found, true);
    if (saved === 0) continue;
    if (env.kept.has(String(block.id))) {
      env.result.keptRecent++;
      continue;
    }
    edits.push(...found);
    cutCount++;
    const savings = env.result.byTool[tool] ??= { count: 0, chars_saved: 0 };
    savings.count++;
    savings.chars_saved += saved;
    env.result.count++;
    if (!env.sent.has(String(block.id))) continue;
    env.result.sentCharsSaved += saved;
    const sent = env.result.sentByTool[tool] ??= { count: 0, chars_saved: 0 };
    sent.count++;
    sent.chars_saved += saved;
  }
  if (cutCount === 0) return;
  env.result.cutLines.push(lineNumber);
  const mirror = tree.members?.get("toolUseResult");
  if (mirror !== undefined) cutMirror(object, mirror, "", lineNumber, env, edits);
}

function cutMirror(
  object: string,
  node: Node,
  key: string,
  lineNumber: number,
  env: Env,
  edits: Edit[],
): void {
  for (const [name, member] of node.members ?? []) {
    cutMirror(object, member, name, lineNumber, env, edits);
  }
  const { items } = node;
  if (items !== undefined) {
    const isText = items.length > 0 && items.every((item) => object[item.start] === '"');
    const kept = items.filter((item) => item.end - node.start <= env.threshold).at(-1);
    const last = items.at(-1);
    if (isText && kept !== undefined && last !== undefined && kept !== last) {
      edits.push({ start: kept.end, end: last.end, text: "" });
      return;
    }
    for (const item of items) cutMirror(object, item, key, lineNumber, env, edits);
  }
  if (object[node.start] !== '"' || node.end - node.start - 2 <= env.threshold) return;
  if (key === "originalFile") edits.push({ ...node, text: "null" });
  else if (key === "base64") edits.push({ ...node, text: '""' });
  else cutString(object, node, lineNumber, env, edits);
}

/** Cuts one string, and says how many characters it loses. */
function cutString(
  object: string,
  node: Node,
  lineNumber: number,
  env: Env,
  edits: Edit[],
  isResult = false,
): number {
  const source = object.slice(node.start, node.end);
  if (source[0] !== '"') return 0;
  const content = String(JSON.parse(utf8(source)));
  const pieces = utf8(source.slice(1, -1)).match(CHARACTER) ?? [];
  if (NOTICE.test(content) && content.endsWith(" for full content]")) return 0;
  const path = content.startsWith("<persisted-output>")
    ? Math.max(0, content.slice(0, 4200).indexOf("\n\nPreview ("))
    : 0;
  const kept = Math.max(env.threshold, [...content.slice(0, path)].length);
  if (pieces.length <= kept) return 0;
  const notice =
    `\n\n[...truncated - original was ${pieces.length.toLocaleString("en-US")} chars, ` +
    `showing first ${kept}. See line ${lineNumber} of ${env.parentFile} for full content]`;
  const saved = pieces.length - kept - notice.length;
  // A plan measures the notice with a line of five digits.
  const least = saved - "10000".length + `${lineNumber}`.length;
  if (saved <= 0 || (isResult && least < Math.max(200, pieces.length * 0.3))) return 0;
  const head = String(JSON.parse(`"${pieces.slice(0, kept).join("")}"`));
  edits.push({ ...node, text: latin1(new TextEncoder().encode(JSON.stringify(head + notice))) });
  return saved;
}

function lowerUsage(object: string, tree: Node, tokens: number, edits: Edit[]): void {
  const usage = tree.members?.get("message")?.members?.get("usage")?.members;
  const keys = ["cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"];
  const places = keys.flatMap((key) => usage?.get(key) ?? []);
  const counts = places.map(({ start, end }) => Number(object.slice(start, end)));
  let excess = counts.reduce((sum, count) => sum + count, 0) - tokens;
  for (const [n, place] of places.entries()) {
    const taken = Math.max(0, Math.min(excess, counts[n] ?? 0));
    excess -= taken;
    if (taken > 0) edits.push({ ...place, text: String((counts[n] ?? 0) - taken) });
  }
}

/** Whether an object tells by itself how full the window is. */
function isMetadata(object: string): boolean {
  if (!object.includes("contextTokens")) return false;
  const { contextTokens, maxContextTokens } = JSON.parse(utf8(object));
  return contextTokens >= 0 && maxContextTokens > 0;
}

function lowerMetadata(object: string, tokens: number): string {
  const place = parse(object).members?.get("contextTokens");
  if (place === undefined || !(tokens < Infinity)) return object;
  return object.slice(0, place.start) + tokens + object.slice(place.end);
}

function said(
  object: string,
  members: Map<string, Node> | undefined,
  key: string,
): unknown {
  const node = members?.get(key);
  return node === undefined ? undefined : JSON.parse(utf8(object.slice(node.start, node.end)));
}

/** Finds where every value of an object stands; the text is known to be valid. */
function parse(text: string): Node {
  const tokens = [...text.matchAll(TOKEN)];
  let next = 0;
  const take = (): { text: string; start: number; end: number } => {
    const token = tokens[next++];
    if (token === undefined) throw new SyntaxError("Cannot read on: the object has no end");
    return { text: token[0], start: token.index, end: token.index + token[0].length };
  };
  const isNext = (sign: string): boolean => tokens[next]?.[0] === sign;
  const value = (): Node => {
    const first = take();
    const node: Node = { start: first.start, end: first.end };
    if (first.text === "{") {
      node.members = new Map();
      while (!isNext("}")) {
        const key = String(JSON.parse(utf8(take().text)));
        take();
        node.members.set(key, value());
        if (isNext(",")) take();
      }
      node.end = take().end;
    } else if (first.text === "[") {
      node.items = [];
      while (!isNext("]")) {
        node.items.push(value());
        if (isNext(",")) take();
      }
      node.end = take().end;
    }
    return node;
  };
  return value();
}

/** Writes bytes as text of one character each. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Reads text of one character a byte as UTF-8. */
export function utf8(text: string): string {
  // deno-lint-ignore no-control-regex
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;
}
