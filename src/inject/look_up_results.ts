/** Describes what a look-up found: hits of a search, passages of a file, or a result from MCP or the web. */

import { eachName } from "../core/names.ts";
import { lastPart } from "../core/last_part.ts";
import { isObject, parseObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { redactSecrets } from "../secrets/redact.ts";
import type { FinishedCall, OpenCall } from "../core/work_state.ts";
import { counted } from "./bound.ts";
import { excerptLine } from "./excerpt.ts";
import { OUTCOME } from "./step_words.ts";
import { FOUND_NOTHING } from "./telling_lines.ts";

const MAX_SCOPE_CHARS = 60;
const MAX_FOUND_CHARS = 160;
const MAX_HITS = 3;
const MAX_HITS_WITH_ROOM = 8;

/** Room for the number of hits that are left out. */
const MORE_CHARS = 14;
const MAX_HITS_CHARS = 8 * 1024;

const MAX_WANTED_LINES = 5;
export const MAX_WANTED_CHARS = 400;
const MAX_OUTPUT_CHARS = 64 * 1024;

/** Matches the number that the client puts before each line of a file. */
const LINE_NUMBER = /^\s*(\d+)(?:→|\t)\s*/;

const TEST_PROGRESS = /^\s*(?:=== \w+|--- PASS)/;

/** Returns the first lines of an output that contain a wanted name. Lines of a file keep their numbers. */
export function linesNaming(output: string, wanted: ReadonlySet<string>): string[] {
  if (wanted.size === 0) return [];
  // Redacts before splitting, because a credential can span lines.
  return redactSecrets(output.slice(0, MAX_OUTPUT_CHARS)).split("\n")
    .filter((line) => !TEST_PROGRESS.test(line) && namesAny(line, wanted))
    .slice(0, MAX_WANTED_LINES)
    .map((line) => line.replace(LINE_NUMBER, "$1: ").trim());
}

function namesAny(line: string, wanted: ReadonlySet<string>): boolean {
  let isNamed = false;
  eachName(line, (name) => isNamed ||= wanted.has(name));
  return isNamed;
}

export function findings(
  call: FinishedCall,
  wanted: ReadonlySet<string>,
  maxChars = MAX_FOUND_CHARS,
): string {
  const found = hitsOf(call, wanted, maxChars) || passagesOf(call, wanted) ||
    answerOf(call, maxChars);
  return found === "" ? "" : OUTCOME + found;
}

/** Describes the part of the project that a search was limited to, such as ` in src/`; empty if unlimited. */
export function scopeOf({ name, input }: OpenCall): string {
  if (name !== "Grep") return "";
  const path = asString(input.path) ?? "";
  const file = /[^\\/]+\.\w+$/.exec(path)?.[0];
  const folder = path === "" ? "" : `${lastPart(path)}/`;
  const scope = asString(input.glob) ?? file ?? asString(input.type) ?? folder;
  return scope === "" ? "" : ` in ${excerptLine(scope, MAX_SCOPE_CHARS)}`;
}

const HIT = /^(?:[^:\s]+:)?\d+:/;

const PLACE = /^(?:\S+?:)?\d+(?=:)/;

const CONTEXT_PLACE = /^(?:\S+-)?\d+-\s*/;

/** Matches a hit in a test, which reveals less about where something is used. */
const TEST_HIT = /^[^:]*(?:[._]test\.|[._]spec\.|\/test_)|^(?:[^:]*\/)?tests?\//;

/**
 * Returns the number of hits of a search, and the most useful hits. Hits with a wanted name come first. Hits in
 * tests come after other hits of the same group.
 */
function hitsOf(
  { name, result }: FinishedCall,
  wanted: ReadonlySet<string>,
  maxChars: number,
): string {
  if (name !== "Grep" && name !== "Glob" && name !== "LSP") return "";
  const text = redactSecrets(result.slice(0, MAX_HITS_CHARS));
  const lines = (name === "LSP" ? withFiles(text) : text).split("\n")
    .filter((line) => line.trim() !== "");
  const [first = "", ...others] = lines;
  if (FOUND_NOTHING.test(first)) return first;
  if (first === "<persisted-output>") return "too many to count";
  const found = /^Found \d+ \w+/.test(first) ? others : lines;
  // If a search shows context lines, only lines with a colon after their number are hits.
  const numbered = found.filter((line) => HIT.test(line));
  const hits = numbered.length > 0 ? numbered : found;
  const [only, another] = hits;
  if (only === undefined) return first;
  // The lines after a single hit, such as the body of a function, are often what the search was for.
  const hasRoom = maxChars > MAX_FOUND_CHARS;
  const after = another === undefined && hasRoom ? found.slice(found.indexOf(only) + 1) : [];
  if (after.length > 0) {
    const lines = [only, ...after.map((line) => line.replace(CONTEXT_PLACE, ""))]
      .filter((line) => line.trim() !== "");
    return excerptLine(`1 line: ${lines.join(" | ")}`, maxChars);
  }
  const isCut = result.length > MAX_HITS_CHARS;
  const isWanted = (hit: string): boolean => namesAny(hit, wanted);
  const rank = (hit: string): number => Number(TEST_HIT.test(hit)) + 2 * Number(!isWanted(hit));
  const sorted = hits.toSorted((a, b) => rank(a) - rank(b));
  const isFound = hits.some(isWanted);
  const maxHits = hasRoom ? MAX_HITS_WITH_ROOM : isFound ? MAX_WANTED_LINES : MAX_HITS;
  const count = first !== found[0]
    ? first.replace(/:$/, "")
    : isCut
    ? `${hits.length} or more lines`
    : counted(hits.length, "line") + (hits.length > maxHits ? filesOf(hits) : "");
  // All hits of a search in one file are usually changed, so their line numbers are shown beyond the limit.
  const [best = "", ...rest] = sorted
    .filter((hit, at) => at < maxHits || /^\d+:/.test(hit))
    .map((hit, at) =>
      at < maxHits ? excerptLine(hit, MAX_WANTED_CHARS) : hit.split(":", 1)[0] ?? ""
    );
  const room = (isFound ? Math.max(maxChars, MAX_WANTED_CHARS) : maxChars) - MORE_CHARS;
  let [shown, more] = [excerptLine(`${count}: ${best}`, room), hits.length - 1];
  for (const hit of rest) {
    // The file and line alone are better than a part of the text, which could seem to belong to another hit.
    const part = [hit, PLACE.exec(hit)?.[0] ?? hit]
      .find((one) => shown.length + 3 + one.length <= room);
    if (part === undefined) break;
    shown += ` | ${part}`;
    more--;
  }
  return shown + (more === 0 || isCut ? "" : ` | +${more} more`);
}

/** Prefixes each place with its file. In a shortened list, a place could seem to be in another file. */
function withFiles(places: string): string {
  return places.replaceAll(
    /^(\S+):\n((?:\s+Line \d+:\d+.*(?:\n|$))+)/gm,
    (_, file: string, lines: string) => lines.replaceAll(/^\s+Line (\d+)(?=:)/gm, `${file}:$1`),
  );
}

/** Counts the hits per file if there are few files, because the hits shown may all be in one file. */
function filesOf(hits: readonly string[]): string {
  const byFile = Map.groupBy(hits, (hit) => lastPart(/^([^:\s]+):\d+:/.exec(hit)?.[1] ?? ""));
  return byFile.size < 2 || byFile.size > MAX_HITS || byFile.has("")
    ? ""
    : ` (${[...byFile].map(([file, { length }]) => `${file} ${length}`).join(", ")})`;
}

function passagesOf({ name, result }: FinishedCall, wanted: ReadonlySet<string>): string {
  const lines = name === "Read" ? linesNaming(result, wanted) : [];
  return excerptLine(lines.join(" | "), MAX_WANTED_CHARS);
}

/** Matches fields of a record that say nothing about its content: ids, times and authors. */
const BOOKKEEPING = /^id$|(?:Id|At|By|_id|_at)$/;

const CHANGING_TOOL =
  /^mcp__[\w-]*_(?:create|update|add|set|save|edit|move|close|delete|assign|merge)(?![a-z])/i;

/** The arguments of a call that changed a record already contain its long texts. */
const MAX_CHANGED_CHARS = 160;

/** Returns the fields of a record from MCP, or else the start of a result from MCP or the web. */
function answerOf({ name, result }: FinishedCall, maxChars: number): string {
  if (!/^(?:mcp__|Web)/.test(name)) return "";
  const fields = Object.entries(parseObject(result) ?? {}).flatMap(([field, value]) => {
    const words = [isObject(value) ? value.name : value].flat().filter((one) =>
      typeof one === "string" || typeof one === "number"
    ).join(", ");
    const isLong = words.length > MAX_CHANGED_CHARS && CHANGING_TOOL.test(name);
    return words === "" || isLong || BOOKKEEPING.test(field) ? [] : `${field}: ${words}`;
  });
  return excerptLine(fields.length > 1 ? fields.join("; ") : result, maxChars);
}
