/** Takes credentials out of text. */

import { COMMAND_KINDS } from "./commands.ts";
import { CONTEXT_KINDS } from "./contexts.ts";
import { PREFIXED_KIND, SECRET_KINDS, type SecretKind } from "./kinds.ts";
import { redactNamed } from "./named.ts";
import { isMixed, isNamedSecret, isSetValue, isSpokenPassword, looksRandom } from "./values.ts";

/** What can stand around a credential changes with the first round; hardly ever with a second. */
const MAX_ROUNDS = 4;

/** A key longer than this is none: the two marks do not belong together. */
const MAX_KEY_CHARS = 64 * 1024;

const MARKS = "-----";
const KEY_BEGIN =
  /-----BEGIN ?(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN \w{1,20} key(?: V\d)?)-----/y;
const KEY_END =
  /-----END ?(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN \w{1,20} key(?: V\d)?)-----/y;

/** So much base64 in one piece makes it a key, and no talk of one. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{24}/;

/** What comes between the lines of a key, in a file, in an escaped string, in a listing or a diff. */
const KEY_GAP = /(?:\\+[nrt\n]|[\s"'`+>|,])*(?:\d{1,6}[→:|\t]\s{0,8})?/y;
const KEY_LINE =
  /[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]{1,200}|[A-Za-z0-9+/=]{1,15}(?=\s*$|["\n\\])/y;

/** No credential with a shape of its own is shorter, or has anything else in it. */
const WORD = /[\w.+/=~:%@-]{20,}/g;

/** What comes before and after a word shows whether it is a piece of something. */
const BEFORE_WORD_CHARS = 2;

/** So much around the words that a kind is known by is looked at; its line in any case. */
const BEFORE_WINDOW_CHARS = 400;
const BEHIND_WINDOW_CHARS = 600;
const MAX_LINE_CHARS = 16 * 1024;

/** Made when the first text comes, so that loading costs nothing. */
let shapeHint: RegExp | undefined;
let contextHint: RegExp | undefined;

const hintedKinds = new Map<string, readonly SecretKind[]>();

const AROUND: readonly SecretKind[] = [...CONTEXT_KINDS, ...COMMAND_KINDS];

/**
 * Replaces every credential in a text by `[redacted: <kind>]`. What names it (the key of an
 * assignment, the scheme of a header, the user of an address) stays. Redacting again changes nothing.
 *
 * @param text The text, of any length; the time is proportional to it.
 * @returns The text without them.
 *
 * @example
 * ```ts
 * import { redactSecrets } from "./redact.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const line = `GH_TOKEN=${"gh" + "p_" + "aB3".repeat(12)} deno task test`;
 * assertEquals(redactSecrets(line), "GH_TOKEN=[redacted: github-token] deno task test");
 * assertEquals(redactSecrets("password: string"), "password: string");
 * ```
 */
export function redactSecrets(text: string): string {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const after = redactNamed(redactContexts(redactShapes(redactKeyBlocks(before))));
    if (after === before) return after;
    before = after;
  }
  return before;
}

const judges: Record<
  NonNullable<SecretKind["judged"]>,
  (value: string, next: string) => boolean
> = {
  random: looksRandom,
  named: (value, next) => isNamedSecret(value, { kind: "secret", form: "quoted", next }),
  mixed: isMixed,
  set: isSetValue,
  spoken: isSpokenPassword,
  coded: (value) => /\d.*\d/.test(value),
  typed: (value, next) => isNamedSecret(value, { kind: "password", form: "quoted", next }),
};

/** Looks at long words alone for what has a shape of its own: most texts have few. */
function redactShapes(text: string): string {
  shapeHint ??= hintOf(SECRET_KINDS, "");
  let result = "";
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const start = Math.max(from, match.index - BEFORE_WORD_CHARS);
    const end = match.index + match[0].length;
    const piece = text.slice(start, end + 1);
    const known = shapeHint.test(piece) ? SECRET_KINDS.reduce(redactKind, piece) : piece;
    const redacted = redactKind(known, PREFIXED_KIND);
    if (redacted === piece) continue;
    result += text.slice(from, start) + redacted;
    from = Math.min(end + 1, text.length);
  }
  return from === 0 ? text : result + text.slice(from);
}

/** Looks around the words that kinds without a shape are known by. */
function redactContexts(text: string): string {
  contextHint ??= hintOf(AROUND, "g");
  let result = "";
  let from = 0;
  contextHint.lastIndex = 0;
  let match = contextHint.exec(text);
  while (match !== null) {
    const start = Math.max(from, match.index - BEFORE_WINDOW_CHARS);
    let end = windowEnd(text, match.index);
    const hinted = new Set<SecretKind>();
    while (match !== null && match.index < end) {
      end = Math.max(end, windowEnd(text, match.index));
      for (const one of hintedBy(match[0])) hinted.add(one);
      match = contextHint.exec(text);
    }
    const piece = text.slice(start, end);
    const redacted = AROUND.reduce(
      (sum, one) => hinted.has(one) ? redactKind(sum, one) : sum,
      piece,
    );
    if (redacted === piece) continue;
    result += text.slice(from, start) + redacted;
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** The kinds that a hint can stand for: its own, and those with a hint that it hides by lying over it. */
function hintedBy(found: string): readonly SecretKind[] {
  const known = hintedKinds.get(found);
  if (known !== undefined) return known;
  const kinds = AROUND.filter(({ hints }) => hints.some((hint) => canOverlap(found, hint)));
  hintedKinds.set(found, kinds);
  return kinds;
}

function canOverlap(found: string, hint: string): boolean {
  for (let at = 0; at < found.length; at++) {
    const rest = found.slice(at);
    if (rest.startsWith(hint) || hint.startsWith(rest)) return true;
  }
  return false;
}

function windowEnd(text: string, at: number): number {
  const line = text.slice(at, at + MAX_LINE_CHARS).indexOf("\n");
  return Math.min(
    text.length,
    at + Math.max(BEHIND_WINDOW_CHARS, line === -1 ? MAX_LINE_CHARS : line),
  );
}

function hintOf(kinds: readonly SecretKind[], flags: string): RegExp {
  return new RegExp(kinds.flatMap((one) => one.hints.map(escapePattern)).join("|"), flags);
}

function redactKind(text: string, secret: SecretKind): string {
  const { hints, pattern, kind, judged } = secret;
  if (hints.length > 0 && !hints.some((hint) => text.includes(hint))) return text;
  return text.replace(pattern, (...args) => {
    const whole = String(args[0]);
    const last: unknown = args.at(-1);
    const groups = typeof last === "object" ? last as Record<string, string | undefined> : {};
    const value = groups.value ?? whole;
    const at = Number(args.at(typeof last === "object" ? -3 : -2));
    const isSecret = judged === undefined || judges[judged](value, text.charAt(at + whole.length));
    return isSecret ? `${groups.kept ?? ""}[redacted: ${kind}]` : whole;
  });
}

function escapePattern(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Replaces blocks of private keys, those that are cut off before their end, too. */
function redactKeyBlocks(text: string): string {
  let result = "";
  let from = 0;
  let at = text.indexOf(MARKS);
  while (at !== -1) {
    const end = keyBlockEnd(text, at);
    if (end > at) {
      result += `${text.slice(from, at)}[redacted: private-key]`;
      from = end;
    }
    at = text.indexOf(MARKS, Math.max(end, at + 1));
  }
  return from === 0 ? text : result + text.slice(from);
}

/** Where the block that begins here ends; its beginning when there is none. */
function keyBlockEnd(text: string, at: number): number {
  const body = matchEnd(KEY_BEGIN, text, at);
  if (body === at) return at;
  const mark = text.indexOf(MARKS, body);
  const end = mark === -1 ? mark : matchEnd(KEY_END, text, mark);
  if (end > mark && end - body <= MAX_KEY_CHARS) {
    return KEY_MATERIAL.test(text.slice(body, mark)) ? end : at;
  }
  const cut = cutKeyEnd(text, body);
  return KEY_MATERIAL.test(text.slice(body, cut)) ? cut : at;
}

/** Where the lines of a key end that has no mark of its end. */
function cutKeyEnd(text: string, body: number): number {
  let end = body;
  while (true) {
    const line = matchEnd(KEY_GAP, text, end);
    const next = matchEnd(KEY_LINE, text, line);
    if (next === line) return end;
    end = next;
  }
}

function matchEnd(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}
