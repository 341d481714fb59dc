/**
 * Trims a broken session: everything that is not cut is kept byte for byte, and a second trim makes no
 * further change.
 *
 * @module
 */

import { cutCount, trimByLength, type TrimCounts, type TrimOptions } from "../trim/by_length.ts";
import { bytesOf, readBytes, writeBytes } from "./bytes.ts";
import { mutateLines } from "./mutate.ts";
import { type Seeds, sessionPart } from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import type { Random } from "./random.ts";
import { must, type Parts, type Place, type Target } from "./target.ts";

export const trimTarget: Target = { name: "trim", weight: 16, make: makeSession, run: runTrim };

export function makeSession(random: Random, seeds: Seeds): Parts {
  return { session: mutateLines(sessionPart(seeds, random), random) };
}

function anyOptions(random: Random): Partial<TrimOptions> {
  const setsAll = random.chance(40);
  return {
    threshold: random.pick([0, 20, 150, 500]),
    keepRecent: random.pick([0, 0, 1, 5]),
    ...(setsAll
      ? {
        keep: random.pick(["head", "line", "need", "need"]),
        depth: random.pick(["light", "deep"]),
        dropImages: random.chance(50),
        ...(random.chance(30) ? { protect: ["**/a.ts"] } : {}),
      }
      : {}),
  };
}

function runTrim(parts: Parts, place: Place, random: Random): void {
  const text = parts.session ?? "";
  writeBytes(place.transcript, text);
  const options = anyOptions(random);
  const isPlain = options.keep === undefined;
  const input = place.transcript;
  const result = trimByLength({ input, output: place.output, ...options });
  mustBeConsistent(result);
  const copy = readBytes(place.output);
  must(readBytes(input) === text, "the session as it was");
  must(copy.length === result.bytes.after, "the reported number of bytes", result.bytes);
  if (random.chance(20)) {
    const dry = trimByLength({ input, ...options });
    const isSame = JSON.stringify(dry) === JSON.stringify(result);
    must(isSame, "the same result from a dry run", { dry, result });
  }
  mustKeepLines(text, copy, { isPlain, tornBytes: result.torn_bytes });
  if (!hasBrokenResult(text) && !hasSharedId(text)) {
    const again = trimByLength({ input: place.output, ...options });
    must(cutCount(again) === 0, "nothing to cut the second time", again);
    must(again.bytes.after === again.bytes.before, "the same bytes the second time", again.bytes);
  }
  if (random.chance(65)) return;
  Deno.removeSync(place.output);
  const full = { sessionId: "7a117a11-0000-4000-8000-00000000beef", metadata: true };
  trimByLength({ input, output: place.output, parentSessionId: SESSION, ...full, ...options });
  mustKeepCount(copy, readBytes(place.output));
}

function mustBeConsistent(result: TrimCounts): void {
  const { context_chars: chars, tokens, bytes } = result;
  for (const { before, after } of [chars, tokens, bytes]) {
    const isSane = [before, after].every((n) => Number.isFinite(n) && n >= 0);
    must(isSane, "sizes that are counts", { chars, tokens, bytes });
  }
  for (const { before, after } of [chars, tokens]) {
    must(after <= before, "no more than before", { chars, tokens });
  }
}

function mustKeepLines(
  text: string,
  copy: string,
  { isPlain, tornBytes }: { isPlain: boolean; tornBytes: number },
): void {
  if (hasUnsplittableLine(text)) return;
  const linesBefore = linesOf(text.slice(0, text.length - tornBytes));
  const linesAfter = linesOf(copy);
  must(linesBefore.length === linesAfter.length, "as many lines", { linesBefore, linesAfter });
  for (const [n, line] of linesAfter.entries()) {
    const original = linesBefore[n] ?? "";
    if (line === original) continue;
    const [after, before] = [parsed(line), parsed(original)];
    // A trim does not parse whole lines, so it may cut a broken one. No session resumes from such a line.
    if (before === undefined) continue;
    const both = { original, line };
    must(isObject(after) && isObject(before), "a line that is cut to be an entry", both);
    for (const key of ["type", "uuid", "parentUuid", "sessionId", "timestamp"]) {
      must(JSON.stringify(after[key]) === JSON.stringify(before[key]), `the same ${key}`, original);
    }
    must(Object.keys(after).join() === Object.keys(before).join(), "the same keys", both);
    if (!isPlain) continue;
    // A trim overlooks a `type` key that is written with an escape, even if it overrides an earlier one, and
    // may cut the line as a message.
    const isEscaped = original.includes('"\\u0074ype"');
    const isMessage = ["user", "assistant"].includes(String(before.type)) || isEscaped;
    const isMetadata = Number(after.contextTokens) < Number(before.contextTokens);
    must(isMessage || isMetadata, "only messages and a metadata line's figure to change", both);
    const [now, then] = [after, before].map((one) => JSON.stringify(unchangingParts(one)));
    must(now === then, "only results and usage to change", both);
  }
}

/** Under a new id, there must be as many lines, and each line that parsed before must still parse. */
function mustKeepCount(copy: string, renamed: string): void {
  if (hasUnsplittableLine(copy)) return;
  const [before, after] = [linesOf(copy), linesOf(renamed)];
  must(before.length === after.length, "as many lines under a new id", { before, after });
  for (const [n, line] of after.entries()) {
    const isLost = parsed(before[n] ?? "") !== undefined && parsed(line) === undefined;
    must(!isLost, "a line that parses as before", { line, before: before[n] });
  }
}

function unchangingParts(entry: Record<string, unknown>): unknown {
  const message = isObject(entry.message) ? entry.message : {};
  const content: unknown = Array.isArray(message.content)
    ? message.content.map((block) =>
      isObject(block) && block.type === "tool_result" ? { ...block, content: 0 } : block
    )
    : message.content;
  const changing = { toolUseResult: 0, contextTokens: 0 };
  return { ...entry, ...changing, message: { ...message, content, usage: 0 } };
}

/**
 * Whether two calls share an id. The call that a result belongs to then depends on where reading starts, so a
 * second trim may cut more.
 */
function hasSharedId(text: string): boolean {
  const ids = [...text.matchAll(/"type":"tool_use","id":"([^"]*)"/g)].map(([, id]) => id);
  return new Set(ids).size < ids.length;
}

/** Whether a result is on a broken line, where a second trim does not recognize its notice. */
function hasBrokenResult(text: string): boolean {
  return hasUnsplittableLine(text) ||
    linesOf(text).some((line) => line.includes("tool_result") && parsed(line) === undefined);
}

/** Whether a line looks like several entries but cannot be split, so that their number is unknown. */
function hasUnsplittableLine(text: string): boolean {
  return text.includes("}{") &&
    text.split("\n").some((line) => line.includes("}{") && splitLine(line) === null);
}

/** Returns the lines of a text. Splits a line with several entries, as a copy does. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n").flatMap((line) => splitLine(line) ?? [line]);
}

function splitLine(line: string): string[] | null {
  if (isObject(parsed(line))) return [line];
  for (let index = line.indexOf("}{"); index >= 0; index = line.indexOf("}{", index + 1)) {
    if (!isObject(parsed(line.slice(0, index + 1)))) continue;
    const rest = splitLine(line.slice(index + 1));
    return rest === null ? null : [line.slice(0, index + 1), ...rest];
  }
  return null;
}

function parsed(line: string): unknown {
  try {
    // Replaces invalid UTF-8 as the client does.
    return JSON.parse(new TextDecoder().decode(bytesOf(line)));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
