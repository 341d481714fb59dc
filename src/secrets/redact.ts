import { CONTEXT_KINDS } from "./contexts.ts";
import { SECRET_KINDS, type SecretKind, UNHINTED_KINDS } from "./kinds.ts";
import { findNamed } from "./named.ts";
import { addEdits, type Edit, readEscapes, type Reading, readLines, replaceIn } from "./reading.ts";

/** Searches in each form of the text. A replacement rarely reveals another credential twice. */
const MAX_ROUNDS = 4;

const MAX_KEY_CHARS = 64 * 1024;

/** Matches the rest of an earlier round's replacement, in case a match ends inside it. */
const REST_OF_REPLACEMENT = /(?<=\[redacted:) [\da-z-]+\]/y;

const DASHES = "-----";
const [KEY_BEGIN, KEY_END] = [markOf("BEGIN"), markOf("END")];

/** Matches a run of base64 that is long enough to be part of a key. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{24}/;

/** Matches separators between lines of a key in a file, an escaped string, a listing or a diff. */
const KEY_GAP = /(?:\\+[nrt\n]|[\s"'`+>|,])*(?:\d{1,6}[→:|\t]\s{0,8})?/y;
const KEY_LINE =
  /[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]{1,200}|[A-Za-z0-9+/=]{1,15}(?=\s*$|["\n\\])/y;

/** Kinds whose credentials span several lines. */
const MULTILINE_KINDS = ["putty-key", "private-key"];

/** Characters searched before and after a hint of these kinds. Covers an RSA key of 16,384 bits. */
const MULTILINE_REACH = 16 * 1024;

/** Characters searched before any other hint. */
const BEFORE_WINDOW_CHARS = 400;

/** Characters searched from the start of any other hint, unless the rest of the line is longer. */
const AFTER_WINDOW_CHARS = 600;

/** Maximum number of characters searched on the line of a hint. */
const MAX_LINE_CHARS = 16 * 1024;

/** Compiled on first use, so that the module loads quickly. */
let anyHint: RegExp | undefined;

const hintedKinds = new Map<string, readonly SecretKind[]>();

/** Kinds with a distinctive shape come first. */
const HINTED: readonly SecretKind[] = [...SECRET_KINDS, ...CONTEXT_KINDS];

/**
 * Replaces every recognized credential with `[redacted: <kind>]`, but keeps its context, such as the key of an
 * assignment. Redacting again has no effect. The time is proportional to the length of the text.
 */
export function redactSecrets(text: string): string {
  let redacted = text;
  // Searches the original text first, because decoding drops parts of it, such as the address of a link.
  const asWritten = (text: string): Reading => ({ text, toSourceEdits: (edits) => edits });
  for (const read of [asWritten, readEscapes, readLines]) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const reading = read(redacted);
      const found = reading === undefined ? [] : reading.toSourceEdits(findSecrets(reading.text));
      if (found.length === 0) break;
      redacted = replaceIn(redacted, found);
    }
  }
  return redacted;
}

function findSecrets(text: string): readonly Edit[] {
  const findUnhinted = (): readonly Edit[] => findKinds(text, UNHINTED_KINDS, 0);
  return [findKeyBlocks, findHinted, findUnhinted, findNamed]
    .reduce((edits: readonly Edit[], find) => addEdits(edits, find(text)), [])
    .map((edit) => ({ ...edit, end: matchEnd(REST_OF_REPLACEMENT, text, edit.end) }));
}

/** Searches only around hints, which takes a third of the time that a search of the whole text takes. */
function findHinted(text: string): Edit[] {
  anyHint ??= new RegExp(HINTED.flatMap(([, hints]) => hints.map(RegExp.escape)).join("|"), "g");
  const edits: Edit[] = [];
  let from = 0;
  anyHint.lastIndex = 0;
  let match = anyHint.exec(text);
  while (match !== null) {
    let [start, end] = windowOf(text, match);
    const hinted = new Set<SecretKind>();
    while (match !== null && match.index < end) {
      const [matchStart, matchEnd] = windowOf(text, match);
      start = Math.min(start, matchStart);
      end = Math.max(end, matchEnd);
      for (const kind of kindsFor(match[0])) hinted.add(kind);
      match = anyHint.exec(text);
    }
    start = Math.max(from, start);
    const kinds = HINTED.filter((kind) => hinted.has(kind));
    const found = findKinds(text.slice(start, end), kinds, start);
    if (found.length === 0) continue;
    edits.push(...found);
    from = end;
  }
  return edits;
}

/** Returns the kinds with this hint, or with a hint that can overlap it. */
function kindsFor(found: string): readonly SecretKind[] {
  const known = hintedKinds.get(found);
  if (known !== undefined) return known;
  const kinds = HINTED.filter(([, hints]) => hints.some((hint) => canOverlap(found, hint)));
  hintedKinds.set(found, kinds);
  return kinds;
}

function canOverlap(found: string, hint: string): boolean {
  for (let start = 0; start < found.length; start++) {
    const rest = found.slice(start);
    if (rest.startsWith(hint) || hint.startsWith(rest)) return true;
  }
  return false;
}

function windowOf(text: string, { 0: hint, index }: RegExpExecArray): [start: number, end: number] {
  const isMultiline = kindsFor(hint).some(([kind]) => MULTILINE_KINDS.includes(kind));
  const reach = isMultiline ? MULTILINE_REACH : 0;
  const line = text.slice(index, index + MAX_LINE_CHARS).indexOf("\n");
  const after = Math.max(reach, AFTER_WINDOW_CHARS, line === -1 ? MAX_LINE_CHARS : line);
  return [
    Math.max(0, index - Math.max(reach, BEFORE_WINDOW_CHARS)),
    Math.min(text.length, index + after),
  ];
}

function findKinds(piece: string, kinds: readonly SecretKind[], offset: number): readonly Edit[] {
  return kinds.reduce((edits: readonly Edit[], kind) => addEdits(edits, findKind(piece, kind)), [])
    .map(({ start, end, text }) => ({ start: start + offset, end: end + offset, text }));
}

function findKind(text: string, [kind, hints, pattern, check]: SecretKind): Edit[] {
  if (hints.length > 0 && !hints.some((hint) => text.includes(hint))) return [];
  const edits: Edit[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index, 0: whole, groups = {} } = match;
    const end = index + whole.length;
    const value = groups.value ?? whole;
    if (check?.(value, text.charAt(end)) === false) continue;
    const start = index + (groups.kept ?? "").length;
    edits.push({ start, end, text: `[redacted: ${kind}]` });
  }
  return edits;
}

function markOf(side: "BEGIN" | "END"): RegExp {
  const name = /(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN \w{1,20} key(?: V\d)?)/.source;
  return new RegExp(`${DASHES}${side} ?${name}${DASHES}`, "y");
}

function findKeyBlocks(text: string): Edit[] {
  const edits: Edit[] = [];
  let start = text.indexOf(DASHES);
  while (start !== -1) {
    const end = keyBlockEnd(text, start);
    if (end > start) edits.push({ start, end, text: "[redacted: private-key]" });
    start = text.indexOf(DASHES, Math.max(end, start + 1));
  }
  return edits;
}

function keyBlockEnd(text: string, start: number): number {
  const body = matchEnd(KEY_BEGIN, text, start);
  if (body === start) return start;
  const dashesAt = text.indexOf(DASHES, body);
  const end = dashesAt === -1 ? dashesAt : matchEnd(KEY_END, text, dashesAt);
  if (end > dashesAt && end - body <= MAX_KEY_CHARS) {
    return KEY_MATERIAL.test(text.slice(body, dashesAt)) ? end : start;
  }
  const cut = unfinishedKeyEnd(text, body);
  return KEY_MATERIAL.test(text.slice(body, cut)) ? cut : start;
}

function unfinishedKeyEnd(text: string, body: number): number {
  let end = body;
  while (true) {
    const line = matchEnd(KEY_GAP, text, end);
    const next = matchEnd(KEY_LINE, text, line);
    if (next === line) return end;
    end = next;
  }
}

function matchEnd(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start;
  return sticky.test(text) ? sticky.lastIndex : start;
}
