import { andMore } from "./bound.ts";
import { namesIn } from "../core/names.ts";
import { isObject } from "../core/record.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { asString } from "../transcript/entry.ts";

const MAX_TEXT_CHARS = 256 * 1024;
const MAX_CHANGED_LINES = 400;

/** Lines are counted from 1. The last line is included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

export interface EditCall {
  readonly name: string;
  readonly input: { readonly [key: string]: unknown };
  /** The client's own view of the result (`toolUseResult`). */
  readonly mirror: unknown;
}

export interface TextPatch {
  /** Position in the new text; null if unknown. */
  readonly lines: LineSpan | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly isWholeFile: boolean;
}

export function patchOf(call: EditCall): TextPatch {
  const mirror = isObject(call.mirror) ? call.mirror : {};
  const hunks = Array.isArray(mirror.structuredPatch) ? mirror.structuredPatch : [];
  const isWholeFile = call.name === "Write";
  // Without a patch, as for a new file, the change is read from the arguments of the call.
  if (hunks.length > 0) return { ...patchFromHunks(hunks), isWholeFile };
  const pairs = replacements(call);
  const changes = pairs.map(([before, after]) => diffLines(before, after));
  const added = changes.flatMap((change) => change.added).slice(0, MAX_CHANGED_LINES);
  const removed = changes.flatMap((change) => change.removed).slice(0, MAX_CHANGED_LINES);
  const content = isWholeFile ? asString(call.input.content) : undefined;
  const lines = content === undefined || content === ""
    ? null
    : { first: 1, last: content.replace(/\n$/, "").split("\n").length };
  return { lines, added, removed, isWholeFile };
}

function patchFromHunks(hunks: readonly unknown[]): Omit<TextPatch, "isWholeFile"> {
  const added: string[] = [];
  const removed: string[] = [];
  let first = Infinity;
  let last = -Infinity;
  for (const hunk of hunks) {
    if (!isObject(hunk) || typeof hunk.newStart !== "number") continue;
    let lineNumber = Math.max(1, hunk.newStart);
    for (const line of Array.isArray(hunk.lines) ? hunk.lines : []) {
      if (typeof line !== "string" || line.startsWith("\\")) continue;
      const isKept = line.startsWith(" ");
      const isAdded = line.startsWith("+");
      if (!isKept) {
        // A pure removal counts as a change at its position.
        first = Math.min(first, lineNumber);
        last = Math.max(last, lineNumber);
        const changed = isAdded ? added : removed;
        if (changed.length < MAX_CHANGED_LINES) changed.push(line.slice(1));
      }
      if (isKept || isAdded) lineNumber++;
    }
  }
  const lines = Number.isFinite(first) ? { first, last } : null;
  return { lines, added: redactKeys(added), removed: redactKeys(removed) };
}

function replacements(call: Omit<EditCall, "mirror">): [string, string][] {
  const { input, name } = call;
  if (name === "Write") return [["", asString(input.content) ?? ""]];
  if (name === "NotebookEdit") return [["", asString(input.new_source) ?? ""]];
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  return edits.map((edit) => [asString(edit.old_string) ?? "", asString(edit.new_string) ?? ""]);
}

function diffLines(before: string, after: string): Pick<TextPatch, "added" | "removed"> {
  const old = before.slice(0, MAX_TEXT_CHARS).split("\n");
  const now = after.slice(0, MAX_TEXT_CHARS).split("\n");
  const known = new Set(old);
  const kept = new Set(now);
  return {
    added: redactKeys(now.filter((line) => !known.has(line)).slice(0, MAX_CHANGED_LINES)),
    removed: redactKeys(old.filter((line) => !kept.has(line)).slice(0, MAX_CHANGED_LINES)),
  };
}

/** Redacts lines together, because a line from the middle of a key does not look like a key. */
function redactKeys(lines: readonly string[]): readonly string[] {
  const hasKey = lines.some((line) => line.includes("PRIVATE") || line.includes("Private-Lines"));
  return hasKey ? redactSecrets(lines.join("\n")).split("\n") : lines;
}

const DECLARATION =
  /^(?:(?:export|default|public|private|protected|static|async|abstract|pub(?:\(\w+\))?)\s+)*(?:func|function|fn|def|class|interface|type|struct|enum|trait|impl|module|namespace)\s+[\w(<*]/;

/** Captures the declared name; in Go it can follow a receiver, as in `func (s *Store) Save`. */
const DECLARED =
  /\b(?:func(?:tion)?\*?|fn|def|class|interface|type|struct|enum|trait|module|namespace)\s+(?:\([^)]*\)\s*)?(\w+)/;

/** If a change has this many new declarations, their names describe it better than a single line. */
const MIN_DECLARED = 3;
const MIN_REMOVED = 2;
const MAX_DECLARED = 6;

/** Returns an empty string if there are too few names to describe the change. */
export function declaredNames({ added, removed }: Pick<TextPatch, "added" | "removed">): string {
  const namesIn = (lines: readonly string[]): string[] =>
    withoutLiterals(lines).map((line) => line.trim()).filter((line) => DECLARATION.test(line))
      .flatMap((line) => DECLARED.exec(line)?.[1] ?? []);
  const [now, before] = [new Set(namesIn(added)), new Set(namesIn(removed))];
  const [fresh, gone] = [[...now.difference(before)], [...before.difference(now)]];
  if (fresh.length >= MIN_DECLARED) {
    return `declares ${andMore(fresh.slice(0, MAX_DECLARED), fresh.length)}`;
  }
  return now.size === 0 && gone.length >= MIN_REMOVED
    ? `removed ${andMore(gone.slice(0, MAX_DECLARED), gone.length)}`
    : "";
}

/**
 * Matches a constant with a short value, such as `const limit = 10 * time.Minute`; captures keyword and name.
 */
const CONSTANT =
  /^(?:(?:export|pub|public|private|static|final|readonly)\s+)*(const\s+|(?=[A-Z][A-Z\d_]{2}))?(\w+)(?:\s*:\s*[\w&']+|\s+[\w.]+)?\s*:?=\s*(-?\d[\d_.]*(?:\s*\*\s*[\w.]+)*|"[^"]{0,40}"|'[^']{0,40}'|[\d_]+\s*\*\s*[\w.]+);?$/;

/** Returns the first new constants of a change, with their values, if the change declares nothing else. */
export function constantsIn({ added, removed }: Pick<TextPatch, "added" | "removed">): string {
  if (added.some((line) => DECLARATION.test(line.trim()))) return "";
  const isBlock = added.some((line) => /^\s*const \($/.test(line));
  const found = added.flatMap((line) => {
    const [, mark, name = ""] = CONSTANT.exec(line.trim()) ?? [];
    const isNew = name !== "" && !removed.some((one) => one.includes(name));
    return isNew && (mark !== undefined || isBlock) ? line.trim() : [];
  });
  return found.slice(0, MIN_DECLARED).join("; ");
}

/** Leaves out lines inside backquoted literals, which can contain code. */
function withoutLiterals(lines: readonly string[]): readonly string[] {
  // With an odd number of backquotes, it is unknown which lines are inside a literal.
  if (lines.join().split("`").length % 2 === 0) return lines;
  let isInside = false;
  return lines.filter((line) => {
    const wasInside = isInside;
    if (line.split("`").length % 2 === 0) isInside = !isInside;
    return !wasInside;
  });
}

const COMMENT = /^(?:\/\/|\/?\*|#(?!\w)|--|<!--)/;

/**
 * Matches lines that occur in many places, such as error checks and bare returns. Does not match an error
 * check with a call in the same line, such as `if err := save(); err != nil {`.
 */
const GUARD =
  /^(?:\}?\s*(?:else\s+)?if\b(?!.* :?= .*\w\().*\b(?:err|error|nil|null|undefined|None)\b|return\b.{0,12}$|return\b.*\b(?:fmt\.Errorf|errors\.\w+)\(|(?:throw|raise)\b|\}\s*(?:else|catch)\b|(?:else|try|finally)\b)/;

/** Matches a part of a statement that began on an earlier line: its end, or a bare argument. */
const CLOSING = /^(?:["'`]*[)\]},;]|[\w.&*]+,$)/;

/** Matches a line that only prepares for others, such as `ctx := context.Background()`. */
const SETUP =
  /^(?:(?:const |let |var )?\w+ :?= (?:context\.(?:Background|TODO)\(\)|cmd\.\w+\(\)|\w+\.[Nn]ow\(\)|(?:true|false|nil|null|""|0|\[\]|\{\});?$)|(?:var|let) \w+(?:\s+[\w.*[\]]+|: [^=]+)?;?$|t\.(?:Helper|Parallel)\(\)|defer \w+|"[\w./@-]+",?$|["']use \w+["'];?$)/;

export function enclosingName(text: string, line: string): string {
  if (DECLARATION.test(line)) return "";
  const lines = text.slice(0, MAX_TEXT_CHARS).split("\n").map((text) => text.trim());
  const above = lines.slice(0, Math.max(0, lines.indexOf(line)));
  return DECLARED.exec(above.findLast((text) => DECLARATION.test(text)) ?? "")?.[1] ?? "";
}

/** Matches a comment with a warning, such as "do not call this twice". */
const WARNING =
  /\b(?:NOTE|IMPORTANT|WARNING|CAUTION|HACK|(?:Note|Warning|Caution)(?=:)|[Dd]o not|DO NOT|[Dd]on't|MUST|NEVER)\b/;

const CONSTRAINT = new RegExp(`${WARNING.source}|\\b(?:[Mm]ust|[Nn]ever)\\b`);

const MARKUP = /^(?:<\/?[\w.]+(?:\s+[\w:-]+="[^"]*")*\s*\/?>?|class(?:Name)?="[^"]*")$/;

/** In these files, a line that looks like a comment is a heading or a list item. */
export const PROSE_FILE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

/**
 * Returns the line that describes a change best. Ignores lines that changed only in white space or in their
 * number in a list.
 */
export function changedLine(
  file: string,
  lines: readonly string[],
  others: readonly string[],
): string | undefined {
  const known = new Set(others.map(normalized));
  const changed = lines.filter((line) => !known.has(normalized(line))).map((line) => line.trim())
    .filter(isMeaningful);
  // Prefers new lines to lines that differ only in punctuation at the end.
  const starts = new Set([...known].map(startOf));
  const own = changed.filter((line) => !starts.has(startOf(normalized(line))));
  const fresh = own.length > 0 ? own : changed;
  if (PROSE_FILE.test(file)) return fresh[0];
  const code = new Set(withoutLiterals(lines).map((line) => line.trim()));
  const old = namesIn(others.join("\n"));
  const newNames = (line: string): number => Math.min(2, namesIn(line).difference(old).size);
  const telling = fresh.filter((line) =>
    ![COMMENT, GUARD, CLOSING, SETUP, MARKUP].some((one) => one.test(line))
  );
  return fresh.find((line) => COMMENT.test(line) && WARNING.test(line)) ??
    fresh.find((line) => DECLARATION.test(line) && code.has(line)) ??
    fresh.find((line) => COMMENT.test(line) && CONSTRAINT.test(line)) ??
    telling.toSorted((a, b) => newNames(b) - newNames(a))[0] ??
    fresh.find((line) => ![COMMENT, GUARD, CLOSING].some((one) => one.test(line))) ??
    fresh.find((line) => !COMMENT.test(line) && !GUARD.test(line)) ??
    fresh.find((line) => !COMMENT.test(line)) ?? fresh[0];
}

function startOf(line: string): string {
  return line.replace(/(?:\\n|[^\p{L}\p{N}])+$/u, "");
}

export function isPlainComment(line: string): boolean {
  return COMMENT.test(line) && !CONSTRAINT.test(line);
}

function normalized(line: string): string {
  return line.replaceAll(/\s+/g, "").replace(/^\d+[.)](?=\D)/, "");
}

/** Whether a line is more than brackets, an import, a box drawing or an empty comment. */
function isMeaningful(line: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(line) && !/^[│├└]/.test(line) &&
    !/^(?:import|from|use|using|package|#include)\b/.test(line);
}
