/** Decides whether a value is a credential, given that its name suggests one. */

import { isUuid } from "../core/uuid.ts";

/** A value of kind `password` or `phrase` needs the least evidence, and a value of kind `other` the most. */
export type NamedKind = "password" | "phrase" | "secret" | "key" | "other";

export interface ValueContext {
  readonly kind: NamedKind;
  /** In quotation marks, in an environment (`NAME=value`), or elsewhere, such as in code. */
  readonly form: "quoted" | "set" | "bare";
  /** The character after the value; empty at the end of the text. */
  readonly next: string;
}

/** Matches words, names, paths, versions and dates. Each part may end in up to four digits. */
const WORDS =
  /^[-_./:\\@~#]*(?:[A-Za-z]+\d{0,4}|\d{1,4})(?:[-_./:\\@~#]+(?:[A-Za-z]+\d{0,4}|\d{1,4}|$))*(?:(?<!\d)[?!]+)?$/;

/** Matches SHA-1 and SHA-2 hashes in hexadecimal, with or without the name of the algorithm. */
const DIGEST =
  /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** Matches a reference, a template, a mask or an example, such as `${TOKEN}`, `***` and `your-key`. */
const STAND_IN =
  /\$\{|\$\(|\{\{|<[A-Za-z]|\*{3}|\.{3}|…|•|:\/\/|x{4}|X{4}|\[redacted: |%[sdv(]|^%\w+%$|^(?:process|import|os|env|config|self|this|var|data|local|module|secrets)\.|your[-_]?|example|placeholder|redacted|dummy/i;

const BARE_REFERENCE = /^[$%<{*&~|@!?([]/;
const QUOTED_REFERENCE = /^(?:\$[A-Za-z_]|[<{*&]|\$\d$)/;
const PATH = /^[~.]{0,2}\/(?=[\w.~-]*[./-]|[a-z-]+$)(?!.*=$)/;

/** Matches placeholders for a password in a URL or a command, such as `<password>`. */
const PLACEHOLDER =
  /^(?:[$<{*%]|x{3,}$|\.{3}|(?:my|your)?[-_]?(?:password|passwd|passwort|passphrase|pass|pwd|pw|secret|token|user|port|key)$)/i;

/** Matches words that are not passwords, such as `changeme` and `string`. */
const NOT_A_PASSWORD =
  /^(?:(?:my|your|the|new|old|current|confirm|db|database|user|app|test)?[-_]?(?:password|passwd|passwort|kennwort|passphrase|passcode|pass|pwd|pw|secret|token|key|credentials?)s?[-_]?(?:here)?|change[-_]?(?:me|it|this)|todo|tbd|n\/?a|none|null|nil|undefined|nan|true|false|yes|no|on|off|any|string|str|text|varchar|char|bytes?|bool(?:ean)?|int(?:eger)?|number|object|array|list|dict|map|unknown|never|void|required|optional|invalid|valid|missing|unset|set|hidden|empty|blank|default|auto|generated?|random|hash(?:ed)?|encrypted|masked|removed|secure|include|omit|same-origin|inherit|expired|mock|fake|stub|value|input|type|field|name|prompt|env|file|bearer|basic|await|new|function|const|let|return|typeof|self|this|async|lambda|import|require)$/i;

/** Matches names of algorithms and protocols, such as `sha256`. They end in digits, as some passwords do. */
const METHOD =
  /^(?:sha|md|base|aes|rsa|utf|argon|bcrypt|scrypt|pbkdf|hs|rs|es|oauth|v)[-_]?\d{1,4}(?:[-_][a-z\d]{1,12})*$/i;

const IDENTIFIER_PATH = /^[A-Za-z_$][\w$]*(?:(?:\??\.|->|::)[A-Za-z_$][\w$]*)+$/;
/** Matches bootstrap tokens, which nodes use to join a Kubernetes cluster. */
const BOOTSTRAP = /^(?=.*\d)[a-z\d]{6}\.[a-z\d]{16}$/;
/** Matches Google's app passwords, such as `abcd efgh ijkl mnop`. */
const APP_PASSWORD = /^[a-z]{4}(?: [a-z]{4}){3}$/;
const CREDENTIAL_NAME = /(?:key|token|secret|passw(?:or)?d|pass|pwd)\d{0,4}$/i;

export function isFilledIn(value: string): boolean {
  return !PLACEHOLDER.test(value);
}

/** Whether digits and letters of both cases alternate more often than in a compound name. */
export function isMixed(value: string): boolean {
  const changes = value.match(/\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/g) ?? [];
  return changes.length >= value.length / 5 && /\d.*\d/.test(value) &&
    /[a-z].*[a-z]/.test(value) &&
    /[A-Z].*[A-Z]/.test(value);
}

export function isPasswordInProse(value: string, next: string): boolean {
  return isNamedSecret(withoutSentenceEnd(value), { kind: "password", form: "bare", next });
}

export function isPasswordLiteral(value: string, next: string): boolean {
  return isNamedSecret(value, { kind: "password", form: "quoted", next });
}

/** Whether a value looks random, or is a UUID or a hexadecimal digest. */
export function isGenerated(value: string, next: string): boolean {
  return isNamedSecret(value, { kind: "secret", form: "quoted", next });
}

function withoutSentenceEnd(value: string): string {
  return value.replace(/[.!?:]+$/, "");
}

export function looksRandom(value: string, next: string): boolean {
  return !isUuid(value) && !DIGEST.test(value) && looksGenerated(value, next);
}

export function isNamedSecret(value: string, context: ValueContext): boolean {
  if (isStandIn(value, context)) return false;
  switch (context.kind) {
    case "phrase":
      return value.length >= 4 && (context.form !== "bare" || hasDigitOrSymbol(value));
    case "password":
      return isPassword(value, context);
    case "secret":
      return isSecret(value, context);
    case "other":
      return value.length >= 20 && isMixed(value) && looksGenerated(value, context.next);
    case "key":
      return value.length >= 16 &&
        (isGeneratedWithSpaces(value) || looksGeneratedOrDigest(value, context.next));
  }
}

function isStandIn(value: string, { form, next }: ValueContext): boolean {
  if (NOT_A_PASSWORD.test(value) || METHOD.test(value)) return true;
  if (STAND_IN.test(value)) return true;
  // A long mixed value is probably base64, which can start with a slash.
  if (PATH.test(value) && (value.length < 32 || !isMixed(value))) return true;
  if (form === "quoted") return QUOTED_REFERENCE.test(value);
  if (form === "set") return /^[$<{*]/.test(value);
  return next === "(" || next === "[" || BARE_REFERENCE.test(value) ||
    (IDENTIFIER_PATH.test(value) && !BOOTSTRAP.test(value) &&
      (value.length < 32 || !isMixed(value)));
}

function isPassword(value: string, { form }: ValueContext): boolean {
  if (APP_PASSWORD.test(value)) return true;
  if (/\s/.test(value)) return isGeneratedWithSpaces(value);
  if (form === "set") return value.length >= 3;
  if (form === "quoted") return value.length >= 4 && !/^[A-Z][A-Z_]+$/.test(value);
  if (value.length < 6 || !hasDigitOrSymbol(value)) return false;
  const bare = withoutSentenceEnd(value);
  return !(CREDENTIAL_NAME.test(bare) && WORDS.test(bare)) && !/^\d+(?:\.\d+)*$/.test(bare) &&
    !(/[-_./\\:]/.test(bare) && WORDS.test(bare));
}

function isSecret(value: string, { form, next }: ValueContext): boolean {
  if (/\s/.test(value)) return isGeneratedWithSpaces(value);
  if (form === "set" && value.length >= 8) return !/^\d{1,12}$/.test(value);
  return value.length >= (form === "quoted" ? 8 : 12) && looksGeneratedOrDigest(value, next);
}

function looksGeneratedOrDigest(value: string, next: string): boolean {
  if (value.length >= 12 && (isJumbled(value) || isScrambled(value))) return true;
  return isUuid(value) || /^(?=.*[a-f])[0-9a-f]{24,}$/i.test(value) ||
    looksGenerated(value, next);
}

function looksGenerated(value: string, next: string): boolean {
  if (next === "(" || BARE_REFERENCE.test(value) || STAND_IN.test(value)) return false;
  if (PATH.test(value) || /(?:key|token|secret|password)$/i.test(value)) return false;
  if (!/\d/.test(value) && !/[!#%^&*+?~@]/.test(value)) return false;
  return /[A-Za-z]/.test(value) && (!WORDS.test(value) || isScrambled(value));
}

function isGeneratedWithSpaces(value: string): boolean {
  const mix = [/\d/, /[a-z]/, /[A-Z]/, /[^\w\s.,:;'"?!()-]/].filter((pattern) =>
    pattern.test(value)
  );
  return value.length >= 16 && mix.length >= 4;
}

/** Whether the value has runs of consonants that do not occur in names. */
function isJumbled(value: string): boolean {
  if (/^[A-Z]{24,}$/.test(value)) return /[BCDFGHJKLMNPQRSTVWXZ]{5}/.test(value);
  return /^[A-Za-z_]+$/.test(value) &&
    (value.match(/[bcdfghjklmnpqrstvwxz]{4}/gi) ?? []).length >= 2 && /[a-z][A-Z]/.test(value);
}

/** Whether mixed-case letters do not form camelCase words. */
function isScrambled(value: string): boolean {
  const parts = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  if (letters < 8 || parts.length < 3 || !/[a-z][A-Z]/.test(value)) return false;
  const withoutVowel = parts.filter((part) => !/[aeiou]/i.test(part)).length;
  const isShort = letters < parts.length * 3.5 || /[bcdfghjklmnpqrstvwxz]{6}/i.test(value);
  return letters <= parts.length * 2.5 || withoutVowel * 3 >= parts.length * 2 ||
    (isShort && withoutVowel >= 2 && withoutVowel * 3 >= parts.length);
}

function hasDigitOrSymbol(value: string): boolean {
  return isScrambled(value) || /[\d!#$%^&*+?~@]|[A-Za-z]=$/.test(value) ||
    /^[A-Za-z+/]{18,}={2}$/.test(value);
}
