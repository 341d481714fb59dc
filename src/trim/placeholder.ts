/**
 * Renders and recognizes the line that replaces a masked tool result. The grammar is strict and anchored at
 * both ends, because a result that counts as masked is never trimmed.
 *
 *     [NAME result masked -- N lines{, FIELD: VALUE}{, starts with: TEXT}]
 *     [NAME result masked -- N bytes{ of output}{, FIELD: VALUE}]
 *     [NAME result masked -- exit_code=C, stdout=N bytes]
 *     [masked]
 *
 * Except in `[masked]`, the place `. See line N of SESSION for full content` can precede the last bracket. A
 * VALUE is a JSON string, number or boolean. A TEXT is not quoted, so its brackets must come in pairs.
 */

import { countChars, countLines, indexOfChar } from "../core/chars.ts";
import { isObject } from "../core/record.ts";

/** The shortest placeholder; recognized in messages that other programs masked, but never generated. */
export const MASKED_MARKER = "[masked]";

// Except for the number of fields, these limits are in code points.

const MAX_FIRST_LINE = 60;
const MAX_VALUE = 300;
const MAX_UNKNOWN_FIELDS = 3;
const MAX_NAME = 128;
const MAX_QUOTED = 400;
const MAX_PARENT = 300;
/** Room for three quoted values, a name, numbers, a first line and a place. */
const MAX_PLACEHOLDER = 2_000;

/** Code points that can end a line, or change how the rest of it is shown. */
const UNSAFE = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}";
const NAME = `[\\p{L}\\p{M}\\p{N}_.:/$@-]{1,${MAX_NAME}}`;
const LABEL = "[A-Za-z_][A-Za-z0-9_-]{0,39}";
const STRING = `"(?:[^"\\\\${UNSAFE}]|\\\\["\\\\bfnrt]|\\\\u[0-9a-f]{4})*"`;
const NUMBER = "-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?";
const FIELDS = `(?:, ${LABEL}: (?:${STRING}|${NUMBER}|true|false)){0,4}`;
const FIRST_LINE = `(?:, starts with: (?<text>[^${UNSAFE}]{0,${MAX_FIRST_LINE}}?))?`;
const PLACE = `(?:\\. See line \\d+ of [^${UNSAFE}]{1,${MAX_PARENT}} for full content)?`;
const DESCRIPTION = `(?:\\d+ lines${FIELDS}${FIRST_LINE}|\\d+ bytes(?: of output)?${FIELDS}` +
  "|exit_code=-?\\d+, stdout=\\d+ bytes)";
/** Compiled on first use, because compiling takes a millisecond. */
let placeholderPattern: RegExp | undefined;
const NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_.:/$@-]/gu;
const WHOLE_LABEL = new RegExp(`^${LABEL}$`);
const UNSAFE_POINT = new RegExp(`[${UNSAFE}]`, "gu");

/** The unit in which a result is counted, and the arguments of its call to show, as `label:argument`. */
type Wording = readonly [amount: "lines" | "bytes" | "bytes of output", ...fields: string[]];

const AGENT: Wording = ["bytes of output", "task:description"];

const WORDINGS: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ["Read", ["lines", "file:file_path", "offset", "limit"]],
  ["Bash", ["bytes of output", "command"]],
  ["Write", ["bytes", "file:file_path"]],
  ["Edit", ["bytes", "file:file_path"]],
  ["MultiEdit", ["bytes", "file:file_path"]],
  ["NotebookEdit", ["bytes", "file:notebook_path"]],
  ["Grep", ["lines", "pattern", "path", "glob"]],
  ["Glob", ["lines", "pattern", "path"]],
  ["WebFetch", ["bytes of output", "url"]],
  ["WebSearch", ["bytes of output", "query"]],
  ["Task", AGENT],
  ["Agent", AGENT],
  ["TodoWrite", ["bytes"]],
]);

/** Where the full result is. */
export interface MaskedPlace {
  /** The line of the session, from 1; if absent, the placeholder refers to no line. */
  readonly lineNumber?: number | undefined;
  /** A name by which `trimtab show` or the user can find the session. */
  readonly parentFile?: string | undefined;
}

/** Renders a placeholder, even for text that already looks like one. */
export function placeholderFor(content: string, call: PlaceholderCall & MaskedPlace): string {
  const { toolName, input } = call;
  const description = describeResult(toolName, content, input);
  return withPlace(`[${safeName(toolName)} result masked -- ${description}]`, call);
}

export function withPlace(placeholder: string, place: MaskedPlace): string {
  return `${placeholder.slice(0, -1)}${placeText(place)}]`;
}

/**
 * Whether a result is a placeholder: `[masked]`, or one line of the form `[NAME result masked -- ...]`, as
 * {@linkcode generatePlaceholder} renders it. NAME can be the name of any tool. Text that only starts like a
 * placeholder or contains one does not count.
 *
 * @param content The result's text.
 * @returns Whether it is a placeholder from its first character to its last.
 *
 * @example
 * ```ts
 * import { isAlreadyMasked } from "./placeholder.ts";
 * import { assert, assertFalse } from "@std/assert";
 *
 * assert(isAlreadyMasked("[anything result masked -- 12 bytes of output]"));
 * assertFalse(isAlreadyMasked("[the masked singer is a show]"));
 * ```
 */
export function isAlreadyMasked(content: string): boolean {
  if (content === MASKED_MARKER) return true;
  // Avoids compiling the expression, because few results look like a placeholder.
  if (!content.startsWith("[") || !content.endsWith("]")) return false;
  if (content.length > 2 * MAX_PLACEHOLDER || countChars(content) > MAX_PLACEHOLDER) return false;
  placeholderPattern ??= new RegExp(`^\\[${NAME} result masked -- ${DESCRIPTION}${PLACE}\\]$`, "u");
  const match = placeholderPattern.exec(content);
  return match !== null && unpairedBrackets(match.groups?.["text"] ?? "").size === 0;
}

export interface PlaceholderCall {
  readonly toolName: string;
  readonly input?: unknown;
}

export function isMediaPlaceholder(placeholder: string): boolean {
  return /^\[(?:image|document) result masked -- /.test(placeholder);
}

export function mediaPlaceholder(
  kind: "image" | "document",
  bytes: number,
  fields: readonly (readonly [label: string, value: string | undefined])[],
  place: MaskedPlace = {},
): string {
  const shown = fields.map(([label, value]) => renderField(label, value)).join("");
  return withPlace(`[${kind} result masked -- ${bytes} bytes${shown}]`, place);
}

function placeText({ lineNumber, parentFile = "" }: MaskedPlace): string {
  if (lineNumber === undefined || parentFile === "" || parentFile.length > MAX_PARENT) return "";
  const parent = parentFile.toWellFormed().replace(UNSAFE_POINT, "?");
  return `. See line ${lineNumber} of ${parent} for full content`;
}

function describeResult(toolName: string, content: string, input: unknown): string {
  const [amount = "bytes of output"] = WORDINGS.get(toolName) ?? [];
  const count = amount === "lines" ? countLines(content) : byteLength(content);
  // Claude Code's Read puts a line number before every line.
  const start = toolName === "Read"
    ? `, starts with: ${firstLine(content.replace(/^ *\d+(?:→|\t)/, ""))}`
    : "";
  return `${count} ${amount}${fieldsOf(toolName, input)}${start}`;
}

function fieldsOf(toolName: string, input: unknown): string {
  const args = isObject(input) ? input : {};
  const fields = WORDINGS.get(toolName)?.slice(1);
  if (fields === undefined) return toolName.startsWith("mcp__") ? simpleFields(args) : "";
  return fields.map((field) => {
    const [label = "", argument = label] = field.split(":");
    return renderField(label, args[argument]);
  }).join("");
}

function simpleFields(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args).filter(([name]) => WHOLE_LABEL.test(name))
    .map(([name, value]) => renderField(name, value)).filter((text) => text !== "")
    .slice(0, MAX_UNKNOWN_FIELDS).join("");
}

function renderField(label: string, value: unknown): string {
  if (typeof value === "string") return `, ${label}: ${quoteValue(value)}`;
  return typeof value === "boolean" || Number.isFinite(value) ? `, ${label}: ${value}` : "";
}

function quoteValue(text: string): string {
  for (let maxPoints = MAX_VALUE;; maxPoints = Math.floor(maxPoints / 2)) {
    const head = headOf(text, maxPoints);
    const shown = head.length < text.length ? `${head}…` : head;
    const quoted = JSON.stringify(shown.toWellFormed()).replace(UNSAFE_POINT, escapeUnits);
    if (countChars(quoted) <= MAX_QUOTED) return quoted;
  }
}

function escapeUnits(point: string): string {
  return point.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Returns the start of the first line, with parentheses in place of unpaired brackets. */
export function firstLine(content: string): string {
  const [line = ""] = content.split("\n", 1);
  const head = headOf(line.replace(/\r$/, ""), MAX_FIRST_LINE).toWellFormed()
    .replace(UNSAFE_POINT, " ");
  const unpaired = unpairedBrackets(head);
  return head.replace(
    /[[\]]/g,
    (bracket, at: number) => !unpaired.has(at) ? bracket : bracket === "[" ? "(" : ")",
  );
}

/** Finds brackets without a partner, which would make it unclear where the placeholder ends. */
function unpairedBrackets(text: string): Set<number> {
  const unpaired = new Set<number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") open.push(index);
    else if (open.pop() === undefined) unpaired.add(index);
  }
  return unpaired.union(new Set(open));
}

function headOf(text: string, maxPoints: number): string {
  return text.slice(0, indexOfChar(text, maxPoints));
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function safeName(toolName: string): string {
  const name = headOf(toolName.toWellFormed().replace(NOT_IN_NAME, "_"), MAX_NAME);
  return name === "" ? "unknown" : name;
}
