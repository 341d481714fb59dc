/** Finds credentials by their names, in environments, configuration, headers, markup and code. */

import type { Edit } from "./reading.ts";
import { isMixed, isNamedSecret, type NamedKind } from "./values.ts";

const MAX_NAME_CHARS = 80;

const MAX_VALUE_CHARS = 4 * 1024;

/** Matches the end of a name that may belong to a credential, such as `DB_PASSWORD`. */
const NAME_END =
  /(?:pass|pwd|pw|psk|secret|token|key|cred|auth|salt|pat|login|signature|sig|mnemonic|kennwort|pem)[\w-]{0,40}(?=[\\"'`\]?:=>,\s])/gi;

/**
 * Matches the text between name and value: `name = value`, `"name": "value"`, `name: string = "value"`,
 * `["name"] = value`. The value may also be in a string constructor, or alone on the next line.
 */
const ASSIGNED =
  /\\{0,3}["'`]?\]?\??(?::\s?&?[A-Za-z]{1,12}\s?(?==[^=>]))?[ \t]{0,8}(?:=>|:=|(?:\|\||\?\?)?={1,3}|:(?!:)(?: &\w{1,40}(?= ))?)[ \t]{0,8}(?:(?:&?(?:std::)?[Ss]tring(?:::from)?|new String|(?:Q|NS|C|Secret|Secure)String(?:::new|::from)?|Secret(?:Str)?(?:::new)?|Zeroizing::new|Some|Ok|Buffer\.from|bytes|str|\[\]byte)\(\s{0,4}(?=\\{0,3}["'`])|(?:[|>][+-]?\d?[ \t]{0,8})?\n[ \t]{1,40}(?=["'`])|(?:[|>][+-]?\d?[ \t]{0,8}\n[ \t]{1,40}|<<[~-]?["']?\w{1,20}["']?\n[ \t]{0,40})(?=\S+[ \t]{0,8}(?:\n|$)))?/y;
/** Matches the text between name and value in `<name>value</name>`. Tried only for a name after `<`. */
const IN_MARKUP = />(?=[^\s<])/y;
/** Matches the text between name and value in `define("name", "value")`. Tried only for a name after `(`. */
const AS_ARGUMENT = /\\{0,3}["'`],\s{0,4}(?=\\{0,3}["'`])/y;
/** Matches what precedes a quoted name that is the first argument of a call, not an item of a list. */
const FIRST_ARGUMENT = /\(\s{0,4}\\{0,3}["'`]$/;
/** Matches the text between name and value in `name: NAME, value: value`. */
const IN_TWO_FIELDS =
  /\\{0,3}["'`]?(?:[,;]|\s\{)?(?:\\n|\s){1,20}(?:type\s?=\s?string(?:\\n|\s){1,20})?\\{0,3}["'`]?(?:value|default)\\{0,3}["'`]?\s{0,3}[:=]\s{0,3}/yi;
/** Matches the space between name and value in `--name value`. */
const OPTION = /[ \t]{1,4}(?=[^\s-])/y;
/** Matches the text between name and value in a table row: `| name | value |`. */
const CELL = /[ \t]{0,40}\|[ \t]{0,8}(?=[^\s|]{6,}[ \t]{0,200}\|)/y;
/** Matches the space in `name value`. Used only if the value looks like a credential. */
const SPACED = /\\{0,3}["'`]?[ \t]{1,4}(?=\\{0,3}["'`]?[\w+/=~-]{12,4096}(?![\w.:/(]))/y;
/** Matches the space between two columns, `name   value`. Tried only at the start of a line. */
const COLUMN = /(?:[ \t]{2,30}|\t)(?=[^\s|]{6,}[ \t]{0,8}(?:\n|\\n|$))/y;

const OPENING = /(?:[bru@]{0,2}(?=\\{0,3}["'`]))?(\\{0,3})(["'`])/y;
const BARE = /[^\s"'`\\,;&(){}<>[\]|]{1,4096}/y;
const SET = /(?:[^\s"'`\\<>])[^\s"'`\\]{0,4096}/y;

interface Name {
  readonly start: number;
  readonly end: number;
}

interface Value extends Name {
  readonly form: "quoted" | "set" | "bare";
}

export function findNamed(text: string): Edit[] {
  const edits: Edit[] = [];
  NAME_END.lastIndex = 0;
  for (let match = NAME_END.exec(text); match !== null; match = NAME_END.exec(text)) {
    const end = NAME_END.lastIndex;
    const start = nameStart(text, match.index);
    const kind = end - start > MAX_NAME_CHARS ? undefined : kindAt(text, { start, end });
    if (kind === undefined) continue;
    const value = valueAfter(text, { start, end });
    if (value === undefined) continue;
    const found = text.slice(value.start, value.end);
    const next = text.charAt(value.end);
    if (!isNamedSecret(found, { kind, form: value.form, next })) {
      // Skips a long value that is not a credential, because a search inside it takes quadratic time.
      if (found.length > MAX_NAME_CHARS && value.form !== "quoted") NAME_END.lastIndex = value.end;
      continue;
    }
    const label = kind === "password" || kind === "phrase" ? "password" : "secret";
    edits.push({ start: value.start, end: value.end, text: `[redacted: ${label}]` });
    NAME_END.lastIndex = value.end;
  }
  return edits;
}

function kindAt(text: string, { start, end }: Name): NamedKind | undefined {
  // `PASS: name` is the outcome of a test, not a password.
  if (text.startsWith("PASS:", start)) return undefined;
  const kind = kindOfName(text.slice(start, end));
  // A name can have a space, such as `api key`.
  if (kind !== undefined || text[start - 1] !== " ") return kind;
  return kindOfName(text.slice(nameStart(text, start - 1), end));
}

/** Returns the start of the name that contains `index`. Dots are part of a name. */
function nameStart(text: string, index: number): number {
  let start = index;
  const min = Math.max(0, index - MAX_NAME_CHARS);
  while (start > min && isNameUnit(text.charCodeAt(start - 1))) start--;
  // The letter of an escape, as in `\nPASSWORD=`, is not part of the name.
  if (text[start - 1] === "\\" && /[nrt]/.test(text[start] ?? "")) start++;
  return start;
}

function isNameUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) || unit === 95 || unit === 45 || unit === 46;
}

function valueAfter(text: string, name: Name): Value | undefined {
  const before = text.charAt(name.start - 1);
  const quoted = before === '"' || before === "'" || before === "`";
  const isOption = text.startsWith("--", name.start) ||
    (text.startsWith("-", name.start) && /^\s?$/.test(before));
  const index = skip(ASSIGNED, text, name.end) ||
    (before === "<" ? skip(IN_MARKUP, text, name.end) : 0) ||
    (quoted && FIRST_ARGUMENT.test(text.slice(Math.max(0, name.start - 9), name.start))
      ? skip(AS_ARGUMENT, text, name.end)
      : 0) ||
    skip(IN_TWO_FIELDS, text, name.end) ||
    (isOption ? skip(OPTION, text, name.end) : 0) ||
    skip(CELL, text, name.end) ||
    (before === "" || before === "\n" ? skip(COLUMN, text, name.end) : 0);
  if (index === 0) return mixedValueAfter(text, name.end);
  // Between two colons, the name is part of a resource name.
  if (before === ":" && text[name.end] === ":") return undefined;
  const isSet = !quoted && text[name.end] === "=" && index === name.end + 1 &&
    (/^[A-Z][A-Z\d_]*$/.test(text.slice(name.start, name.end)) ||
      text.startsWith("--", name.start));
  return readValue(text, index, isSet);
}

function mixedValueAfter(text: string, end: number): Value | undefined {
  const index = skip(SPACED, text, end);
  const value = index === 0 ? undefined : readValue(text, index, false);
  return value !== undefined && isMixed(text.slice(value.start, value.end)) ? value : undefined;
}

function readValue(text: string, index: number, isSet: boolean): Value | undefined {
  OPENING.lastIndex = index;
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const start = OPENING.lastIndex;
    const end = quoteEnd(text, start, `${opening[1]}${opening[2]}`);
    if (end !== undefined) return { start, end, form: isSet ? "set" : "quoted" };
    const bare = skip(BARE, text, start);
    return bare === 0 ? undefined : { start, end: bare, form: "bare" };
  }
  const end = skip(isSet ? SET : BARE, text, index);
  return end === 0 ? undefined : { start: index, end, form: isSet ? "set" : "bare" };
}

function quoteEnd(text: string, start: number, mark: string): number | undefined {
  const rest = text.slice(start, start + MAX_VALUE_CHARS);
  const line = rest.indexOf("\n");
  const room = line === -1 ? rest : rest.slice(0, line);
  let end = room.indexOf(mark);
  // An escaped quotation mark is part of the value.
  while (mark.length === 1 && room[end - 1] === "\\") end = room.indexOf(mark, end + 1);
  return end === -1 ? undefined : start + end;
}

function skip(sticky: RegExp, text: string, index: number): number {
  sticky.lastIndex = index;
  return sticky.test(text) ? sticky.lastIndex : 0;
}

/** Words at the end of a name that do not change its kind, as in `password_prod`. */
const NEUTRAL =
  /^(?:\d{1,4}|v\d|prod|production|dev|development|stag|staging|test|live|sandbox|local|default|current|new|old|value|val|base64|b64|hex|plain|plaintext|raw|primary|secondary|main|backup|admin|root|user|db|id2|base|data|string|env|eu|us|de)$/;

const PASSWORD =
  /(?:password|passwd|passwort|passcode|pswd|kennwort|^pwd?|[a-z]{2,}pwd|^pass|(?:db|smtp|mail|ftp|ssh|user|admin|root|key|store|sql|ldap|bind|vnc|redis|login)(?:pass|pw)|^psk|masterauth|requirepass)$/;
const PHRASE = /(?:passphrase|mnemonic|seedphrase)$/;
const SECRET = /(?:secret|token|^credentials?|^creds?|^pat|^salt)$/;
const KEY = /(?:key|^auth|^login|^signature|^sig|^pem)$/;

/** Words that make `key` a credential, unless the name is in uppercase or a header's. */
const KEY_QUALIFIERS =
  /^(?:x?api|amz|goog|access|secret|private|auth|authtoken|signing|sign|signature|encryption|encrypt|encrypted|cipher|crypto|crypt|master|client|account|service|subscription|app|application|admin|license|licence|shared|preshared|webhook|jwt|hmac|deploy|role|write|server|session|rest|consumer|openai|anthropic|stripe|sendgrid|mailgun|algolia|datadog|aes|rsa|ssh|tls|ssl|rubygems)$/;
const WHOLE_KEYS =
  /(?:(?:api|access|secret|private|auth|signing|encryption|master|shared|account)key|^auth|^login|^sig|^pem)$/;

/** Words that rule out a secret or a key, as in `public_key`, but not a password. */
const DISQUALIFIERS =
  /^(?:public|publishable|pub|primary|foreign|sort|partition|range|cache|cached|idempotency|hash|object|row|column|dict|map|index|unique|group|query|route|event|next|page|pagination|continuation|sync|cursor|eos|bos|pad|unk|sep|cls|mask|stop|special|lexer|syntax|max|min|count|total|input|output|prompt|websocket|feature|field|storage|hot|no|is|has|with|use|show|hide|translation|i18n|react|press|keyboard|tokenizer)$/;

/** Splits `DB_PASSWORD`, `dbPassword` and `db.password` into the same lower-case words. */
function wordsOfName(name: string): string[] {
  return name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[^a-z\d]+/).filter((word) => word !== "");
}

function kindOfName(name: string): NamedKind | undefined {
  const words = wordsOfName(name);
  while (words.length > 1 && NEUTRAL.test(words.at(-1) ?? "")) words.pop();
  const head = words.at(-1) ?? "";
  if (PHRASE.test(head) || (head === "phrase" && words.includes("pass"))) return "phrase";
  if (PASSWORD.test(head) || (head === "word" && words.at(-2) === "pass")) return "password";
  if (words.slice(0, -1).some((word) => DISQUALIFIERS.test(word))) return undefined;
  if (SECRET.test(head) || (head === "id" && words.at(-2) === "secret")) return "secret";
  if (!KEY.test(head)) return undefined;
  if (isKeyName(name, words)) return "key";
  return words.length > 1 && !name.includes(" ") ? "other" : undefined;
}

function isKeyName(name: string, words: readonly string[]): boolean {
  if (WHOLE_KEYS.test(words.at(-1) ?? "")) return true;
  if (words.length < 2) return false;
  return /^[A-Z][A-Z\d_]*$/.test(name) || /^[A-Z][A-Za-z\d]*(?:-[A-Z]+[a-z\d]*)+$/.test(name) ||
    words.slice(0, -1).some((word) => KEY_QUALIFIERS.test(word));
}
