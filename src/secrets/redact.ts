/**
 * Takes credentials out of text.
 *
 * @module
 */

import { COMMAND_KINDS } from "./commands.ts";
import { CONTEXT_KINDS, SECRET_KINDS, type SecretKind } from "./kinds.ts";

/** What can stand around a credential changes with the first round; hardly ever with a second. */
const MAX_ROUNDS = 4;

/** A key longer than this is none: the two marks do not belong together. */
const MAX_KEY_CHARS = 64 * 1024;

const MARKS = "-----";
const KEY_BEGIN = /-----BEGIN ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const KEY_END = /-----END ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;

/** So much base64 in one piece makes it a key, and no talk of one. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{24}/;

/** What stands between the lines of a key, in a file, in an escaped string, in a listing or a diff. */
const KEY_GAP = /(?:\\+[nrt]|[\s"'`+>|,])*(?:\d{1,6}[→:|\t]\s{0,8})?/y;
const KEY_LINE =
  /[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]{1,200}|[A-Za-z0-9+/=]{1,15}(?=\s*$|["\n\\])/y;

/** Words, names, paths, versions and dates: parts that are all letters, with few digits at an end. */
const WORDS =
  /^[-_./:\\@~#]*(?:[A-Za-z]+\d{0,4}|\d{1,4})(?:[-_./:\\@~#]+(?:[A-Za-z]+\d{0,4}|\d{1,4}|$))*(?:(?<!\d)[?!]+)?$/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What git and the sums of files give: SHA-1 and SHA-2, also with the name of the method. */
const DIGEST =
  /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** A reference, a template, a mask or a path in the place of a value. */
const STAND_IN =
  /^[$%<{*&.~/!|@]|\$\{|\{\{|<[A-Za-z]|\*{3}|\.{3}|…|:\/\/|x{4}|^(?:process|import|os|env|config|self|this)\.|your[-_]?|example|placeholder|redacted|(?:key|token|secret|password)$/i;

/** What stands in an address where its reader must fill in a password. */
const BLANK =
  /^(?:[$<{*%]|x{3,}$|\.{3}|(?:my|your)?[-_]?(?:password|passwd|passwort|passphrase|pass|pwd|pw|secret|token|user|port|key)$)/i;

interface Table {
  readonly kinds: readonly SecretKind[];
  /** Made when the first text comes, so that loading costs nothing. */
  hint?: RegExp;
}

const TABLES: readonly Table[] = [
  { kinds: SECRET_KINDS },
  { kinds: CONTEXT_KINDS },
  { kinds: COMMAND_KINDS },
];

/**
 * Replaces every credential in a text by `[redacted: <kind>]`. What names it (the key of an
 * assignment, the scheme of a header, the user of an address) stays. Redacting again changes nothing.
 *
 * Permissions: none.
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
    const after = TABLES.reduce(redactTable, redactKeyBlocks(before));
    if (after === before) return after;
    before = after;
  }
  return before;
}

/** One look for all that a table's kinds begin with: most texts have nothing of it. */
function redactTable(text: string, table: Table): string {
  table.hint ??= new RegExp(table.kinds.flatMap((one) => one.hints.map(escapePattern)).join("|"));
  return table.hint.test(text) ? table.kinds.reduce(redactKind, text) : text;
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
    const isSecret = judged === undefined ||
      (judged === "set" ? !BLANK.test(value) : looksRandom(value, text[at + whole.length]));
    return isSecret ? `${groups.kept ?? ""}[redacted: ${kind}]` : whole;
  });
}

function escapePattern(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Tells a value that was drawn by lot from one that a person wrote, or that code computes. */
function looksRandom(value: string, next: string | undefined): boolean {
  if (next === "(" || STAND_IN.test(value) || UUID.test(value) || DIGEST.test(value)) return false;
  if (!/\d/.test(value) && !/[!#%^&*+?~@]/.test(value)) return false;
  return /[A-Za-z]/.test(value) && !WORDS.test(value);
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
