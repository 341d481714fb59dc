/**
 * A slow and simple trim, which reads the whole file at once and parses every line. The only code
 * that it shares with the trimmer under test finds the active context.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";

export interface ReferenceOptions {
  threshold: number;
  tools: readonly string[];
  keepRecent: number;
  parentFile: string;
  /** The new usage of the newest message, in tokens. */
  tokensAfter: number;
}

/** The unchanged bytes of a line, one character each, or a changed entry. */
type CopyLine = string | Record<string, unknown>;

export interface ReferenceResult {
  lines: CopyLine[];
  byTool: Record<string, { count: number; chars_saved: number }>;
  count: number;
  /** Counts only results that are sent. */
  sentByTool: Record<string, { count: number; chars_saved: number }>;
  /** Counts only results that are sent. */
  sentCharsSaved: number;
  /** Results kept only because they are recent. */
  keptRecent: number;
  tornBytes: number;
}

// deno-lint-ignore no-explicit-any
type Json = any;

const NOTICE = /\n\n\[\.\.\.truncated - original was [\d,]+ chars, showing first \d+\. See line /;

export function referenceTrim(path: string, options: ReferenceOptions): ReferenceResult {
  const texts = latin1(Deno.readFileSync(path)).split("\n");
  const result: ReferenceResult = {
    lines: [],
    byTool: {},
    count: 0,
    sentByTool: {},
    sentCharsSaved: 0,
    keptRecent: 0,
    tornBytes: 0,
  };
  using file = Deno.openSync(path);
  const context = findActiveContext(file, file.statSync().size);
  const last = texts.pop() ?? "";
  const isTorn = last.trim() !== "" && objectsOf(last).length === 0;
  if (isTorn) result.tornBytes = last.length;
  else if (last !== "") texts.push(last);
  let offset = 0;
  const entries = texts.flatMap((text, index) => {
    const objects = objectsOf(text);
    const isSplit = objects.length > 1 && context.joints.has(offset);
    const parts = (isSplit ? objects : [text]).map((part) => {
      const value = objects.length === 0 || (objects.length > 1 && !isSplit) ? null : parse(part);
      // The first entry of a line has the offset of the line; other entries have their own.
      const own = { text: part, value, offset, number: index + 1 };
      offset += part.length;
      return own;
    });
    offset++;
    return parts;
  });
  const nodes = new Set(context.nodes.map((node) => node.offset));
  const others = new Set(context.beside.map((node) => node.offset));
  const at = new Map(entries.map((entry) => [entry.offset, entry]));
  const sentIds = sentResults(context.nodes.map((node) => at.get(node.offset)?.value ?? {}));
  const names = new Map(
    entries.filter((entry) => nodes.has(entry.offset) || others.has(entry.offset))
      .flatMap(({ value }) => value?.type === "assistant" ? blocksOf(value) : [])
      .filter(({ type }) => type === "tool_use").map(({ id, name }) => [id, name]),
  );
  const newest = new Set(
    context.nodes.filter(({ messageId }) =>
      messageId !== undefined && messageId === context.usage?.messageId
    ).map((node) => node.offset),
  );
  const recent = options.keepRecent === 0 ? [] : sentIds.slice(-options.keepRecent);
  result.lines = entries.map((entry) => {
    const { text, offset, number } = entry;
    const value = structuredClone(entry.value);
    let isChanged = false;
    if (value?.type === "user" && (nodes.has(offset) || others.has(offset))) {
      const meant = (id: string) => {
        const isSent = nodes.has(offset) && sentIds.includes(id);
        return { tool: names.get(id), isKept: isSent && recent.includes(id), isSent };
      };
      isChanged = cutResults(value, meant, { ...options, number }, result);
    }
    if (newest.has(offset)) isChanged = lowerUsage(value, options.tokensAfter) || isChanged;
    if (offset === context.metadataOffset && options.tokensAfter < Infinity) {
      value.contextTokens = options.tokensAfter;
      isChanged = true;
    }
    return isChanged ? value : text;
  });
  return result;
}

/** @param copy Has one character per byte. */
export function assertLines(copy: string, { lines }: ReferenceResult, name = ""): void {
  const found = copy.split("\n");
  assertEquals(found.pop(), "", `${name}: the last line ends`);
  assertEquals(found.length, lines.length, `${name}: lines`);
  for (const [index, expected] of lines.entries()) {
    const line = found[index] ?? "";
    if (line === expected) continue;
    const where = `${name}: line ${index + 1} of the copy`;
    if (typeof expected === "string") assertEquals(line, expected, where);
    else assertEquals(parse(line), expected, where);
  }
}

/** Returns the ids of the results that are sent, which must directly follow their call. */
function sentResults(entries: readonly Json[]): string[] {
  let [messageId, waiting, passed] = ["", [] as string[], [] as string[]];
  return entries.flatMap((entry) => {
    const blocks = blocksOf(entry);
    if (entry.type === "assistant") {
      const hasOtherBlock = blocks.some((block) => !/thinking/.test(block?.type));
      if (hasOtherBlock && entry.message.id !== messageId) {
        passed = [...passed, ...waiting];
        [messageId, waiting] = [entry.message.id, []];
      }
      waiting.push(...blocks.filter((block) => block?.type === "tool_use").map(({ id }) => id));
      return [];
    }
    const results = blocks.filter((block) => block?.type === "tool_result")
      .map((block) => block.tool_use_id);
    waiting = waiting.filter((id) => !results.includes(id));
    return results.filter((id) => !passed.includes(id));
  });
}

function blocksOf(entry: Json): Json[] {
  const content = entry?.message?.content;
  return Array.isArray(content) ? content : [];
}

/** Returns the objects of a line as text; an empty list if the line is broken or blank. */
function objectsOf(line: string): string[] {
  if (isObject(parse(line))) return [line];
  for (let joint = line.indexOf("}{"); joint >= 0; joint = line.indexOf("}{", joint + 1)) {
    const rest = objectsOf(line.slice(joint + 1));
    if (rest.length > 0 && isObject(parse(line.slice(0, joint + 1)))) {
      return [line.slice(0, joint + 1), ...rest];
    }
  }
  return [];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    return JSON.parse(utf8(text));
  } catch {
    return undefined;
  }
}

type Cutting = ReferenceOptions & { readonly number: number };

function cutResults(
  entry: Json,
  meant: (id: string) => { tool: string | undefined; isKept: boolean; isSent: boolean },
  options: Cutting,
  result: ReferenceResult,
): boolean {
  let isCut = false;
  for (const block of blocksOf(entry)) {
    if (block?.type !== "tool_result") continue;
    const found = meant(block.tool_use_id);
    if (found.tool === undefined || !options.tools.includes(found.tool)) continue;
    let saved = 0;
    const cut = (text: string): string => {
      const [left, chars] = cutText(text, options, true);
      saved += chars;
      return left;
    };
    const content = typeof block.content === "string"
      ? cut(block.content)
      : Array.isArray(block.content)
      ? block.content.map((inner: Json) =>
        inner?.type === "text" && typeof inner.text === "string"
          ? { ...inner, text: cut(inner.text) }
          : inner
      )
      : block.content;
    if (saved === 0) continue;
    if (found.isKept) {
      result.keptRecent++;
      continue;
    }
    block.content = content;
    isCut = true;
    result.count++;
    addTo(result.byTool, found.tool, saved);
    if (!found.isSent) continue;
    result.sentCharsSaved += saved;
    addTo(result.sentByTool, found.tool, saved);
  }
  if (isCut && "toolUseResult" in entry) {
    entry.toolUseResult = cutMirror(entry.toolUseResult, "", options);
  }
  return isCut;
}

function addTo(byTool: ReferenceResult["byTool"], tool: string, chars: number): void {
  const savings = byTool[tool] ??= { count: 0, chars_saved: 0 };
  savings.count++;
  savings.chars_saved += chars;
}

function cutMirror(value: Json, key: string, options: Cutting): Json {
  if (typeof value === "string") {
    if (value.length <= options.threshold) return value;
    if (key === "originalFile") return null;
    return key === "base64" ? "" : cutText(value, options, false)[0];
  }
  if (Array.isArray(value)) {
    const isText = value.length > 0 && value.every((item) => typeof item === "string");
    const fits = (count: number): boolean =>
      JSON.stringify(value.slice(0, count)).length - 1 <= options.threshold;
    const kept = isText ? value.findLastIndex((_, index) => fits(index + 1)) + 1 : 0;
    return (kept === 0 ? value : value.slice(0, kept))
      .map((item) => cutMirror(item, "", options));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cutMirror(inner, name, options)]),
  );
}

/** Returns the number of characters that the text loses. */
function cutText(
  content: string,
  { threshold, parentFile, number }: Cutting,
  isResult: boolean,
): [left: string, saved: number] {
  if (NOTICE.test(content) && content.endsWith(" for full content]")) return [content, 0];
  const path = content.startsWith("<persisted-output>")
    ? Math.max(0, content.slice(0, 4200).indexOf("\n\nPreview ("))
    : 0;
  const points = [...content];
  const kept = Math.max(threshold, [...content.slice(0, path)].length);
  const notice =
    `\n\n[...truncated - original was ${points.length.toLocaleString("en-US")} chars, ` +
    `showing first ${kept}. See line ${number} of ${parentFile} for full content]`;
  const saved = points.length - kept - notice.length;
  // The trimmer's plan assumes a line number of five digits in the notice.
  const least = saved - "10000".length + `${number}`.length;
  if (saved <= 0 || (isResult && least < Math.max(200, points.length * 0.3))) return [content, 0];
  return [points.slice(0, kept).join("") + notice, saved];
}

function lowerUsage(entry: Json, tokens: number): boolean {
  const usage = entry?.message?.usage;
  const keys = ["cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"]
    .filter((key) => usage?.[key] > 0);
  let excess = keys.reduce((sum, key) => sum + usage[key], 0) - tokens;
  if (!(excess > 0)) return false;
  for (const key of keys) {
    const taken = Math.max(0, Math.min(excess, usage[key]));
    usage[key] -= taken;
    excess -= taken;
  }
  return true;
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

export function utf8(text: string): string {
  // deno-lint-ignore no-control-regex
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;
}
