/** Classifies a value by the name of its key. */

/** A value of kind `password` or `phrase` needs the least evidence, and a value of kind `other` the most. */
export type NamedKind = "password" | "phrase" | "secret" | "key" | "other";

/** Words at the end of a name that do not change its kind, as in `password_prod`. */
const NEUTRAL =
  /^(?:\d{1,4}|v\d|prod|production|dev|development|stag|staging|test|live|sandbox|local|default|current|new|old|value|val|base64|b64|hex|plain|plaintext|raw|primary|secondary|main|backup|admin|root|user|db|id2|base|data|string|env|eu|us|de)$/;

const PASSWORD =
  /(?:password|passwd|passwort|passcode|pswd|kennwort|^pwd?|[a-z]{2,}pwd|^pass|(?:db|smtp|mail|ftp|ssh|user|admin|root|key|store|sql|ldap|bind|vnc|redis|login)(?:pass|pw)|^psk|masterauth|requirepass)$/;
const PHRASE = /(?:passphrase|mnemonic|seedphrase)$/;
const SECRET = /(?:secret|token|^credentials?|^creds?|^pat|^salt)$/;
const KEY = /(?:key|^auth|^login|^signature|^sig|^pem)$/;

/**
 * Words that make `key` a credential, as in `api_key`. Uppercase names and header names need no such word.
 */
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

export function kindOfName(name: string): NamedKind | undefined {
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
