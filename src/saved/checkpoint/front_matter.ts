/** Front matter: YAML whose values are JSON scalars, so that it is read back without a library. */

export type FrontMatterValue = string | number | boolean | null;

interface FrontMatter {
  /** Whether the text begins with front matter that also ends. */
  readonly found: boolean;
  /** The fields by name; one that stands twice has its first value. */
  readonly fields: ReadonlyMap<string, FrontMatterValue>;
  /** What stands behind the closing line; the whole text where there is no front matter. */
  readonly body: string;
}

interface ReadFrontMatterOptions {
  /** Fields that hold text: what looks like a number there stays text. @default {[]} */
  readonly textFields?: readonly string[];
}

/** No front matter is longer, in UTF-16 code units. */
const MAX_CHARS = 32 * 1024;

const MAX_LINES = 200;

const FENCE = "---";
const FIELD_NAME = /^[A-Za-z_][\w-]*$/;
const FIELD_LINE = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/;
const DOUBLE_QUOTED = /^"(?:[^"\\]|\\.)*"(?=\s*(?:#.*)?$)/;
const SINGLE_QUOTED = /^'((?:[^']|'')*)'\s*(?:#.*)?$/;

/** What JSON leaves as it is and other readers take for the end of a line, or do not show. */
const UNSEEN =
  /[\u{7f}-\u{9f}\u{ad}\u{2028}\u{2029}]|[\u{200b}-\u{200f}\u{202a}-\u{202e}]|[\u{2060}-\u{206f}\u{feff}]/gu;

/** Words front matter: one line for each field, between two lines of three dashes. */
export function writeFrontMatter(fields: readonly (readonly [string, FrontMatterValue])[]): string {
  const lines = fields.map(([name, value]) => {
    if (!FIELD_NAME.test(name)) {
      throw new RangeError(`Cannot write front matter: ${JSON.stringify(name)} is no name`);
    }
    return `${name}: ${JSON.stringify(value).replaceAll(UNSEEN, escaped)}\n`;
  });
  return `${FENCE}\n${lines.join("")}${FENCE}\n`;
}

/** Reads front matter, also where a person or another tool wrote it. */
export function readFrontMatter(text: string, options: ReadFrontMatterOptions = {}): FrontMatter {
  const whole = text.startsWith("\ufeff") ? text.slice(1) : text;
  const none: FrontMatter = { found: false, fields: new Map(), body: whole };
  const fields = new Map<string, FrontMatterValue>();
  const lines = /([^\r\n]*)(\r\n|\n|\r|$)/gy;
  const head = whole.slice(0, MAX_CHARS);
  for (let number = 0; number < MAX_LINES; number++) {
    const match = lines.exec(head);
    const line = match?.[1]?.trimEnd();
    if (line === undefined) return none;
    const isFence = line === FENCE || (number > 0 && line === "...");
    if (number === 0 ? !isFence : isFence) {
      return number === 0 ? none : { found: true, fields, body: whole.slice(lines.lastIndex) };
    }
    // At the end without a closing line.
    if (match?.[2] === "") return none;
    const [, name, raw] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined || fields.has(name)) continue;
    const value = readValue(raw?.trim() ?? "", options.textFields?.includes(name) ?? false);
    if (value !== undefined) fields.set(name, value);
  }
  return none;
}

/** A value, or undefined for what is no scalar. */
function readValue(raw: string, isText: boolean): FrontMatterValue | undefined {
  const quoted = DOUBLE_QUOTED.exec(raw)?.[0];
  if (quoted !== undefined) return scalarOf(quoted) ?? quoted.slice(1, -1);
  const single = SINGLE_QUOTED.exec(raw)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = raw.replace(/(?:^|\s)#.*$/, "");
  if (plain === "" || plain === "~" || plain === "null") return null;
  if (isText) return plain;
  if (/^[[{]/.test(plain)) return undefined;
  return scalarOf(plain) ?? plain;
}

function scalarOf(json: string): FrontMatterValue | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isScalar = typeof value === "string" || typeof value === "number" ||
      typeof value === "boolean";
    return isScalar ? value : undefined;
  } catch {
    // A plain string: the caller takes it as it is.
    return undefined;
  }
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
