/** Reads the TOML of a configuration without a library; refuses what it does not understand. */

type Value = string | number | boolean | Value[];

export interface SimpleToml {
  [key: string]: Value | SimpleToml;
}

const MAX_DEPTH = 8;

const BARE_NAME = /[A-Za-z0-9_-]+/y;
const BLANKS = /[ \t]*/y;
/** Blanks, line ends and comments, as they may stand within a list. */
const FILLER = /(?:[ \t\n]|#[^\n]*)*/y;
/** A string on one line without escapes; a second quote behind an empty one opens another kind. */
const TEXT = /"([^"\\\n]*)"(?!")|'([^'\n]*)'(?!')/y;
const NUMBER =
  /[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?(?![\w.:+-])/y;
const SWITCH = /(true|false)(?![\w.:+-])/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
/** TOML allows none of these anywhere; a line break is one only with a line feed. */
const CONTROL = /[^\P{Cc}\n\t]|\uFEFF/u;

/** Reads a text; throws a `SyntaxError` at what it does not understand. */
export function parseSimpleToml(text: string): SimpleToml {
  return new Reader(text.replaceAll("\r\n", "\n")).read();
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** Every name that is a value, and every one that is a table, with the tables above it. */
  readonly #values = new Set<string>();
  readonly #tables = new Set<string>();

  constructor(text: string) {
    if (CONTROL.test(text)) this.#refuse();
    this.#text = text;
  }

  read(): SimpleToml {
    const root: SimpleToml = {};
    let path: readonly string[] = [];
    let table = root;
    while (this.#at < this.#text.length) {
      this.#take(BLANKS);
      if (this.#take(LINE_END) !== null) continue;
      if (this.#text[this.#at] === "[") {
        path = this.#header();
        table = tableAt(root, path);
      } else {
        const [key, value] = this.#pair(path);
        table[key] = value;
      }
      if (this.#take(LINE_END) === null) this.#refuse();
    }
    return root;
  }

  #header(): readonly string[] {
    this.#at++;
    const path: string[] = [];
    do {
      this.#take(BLANKS);
      path.push(this.#name());
      this.#take(BLANKS);
    } while (this.#takeMark("."));
    if (!this.#takeMark("]")) this.#refuse();
    const full = path.join(".");
    const above = path.map((_, index) => path.slice(0, index + 1).join("."));
    // A table that is opened below one of its own is TOML, which libraries differ about.
    if (this.#tables.has(full) || above.some((name) => this.#values.has(name))) this.#refuse();
    for (const name of above) this.#tables.add(name);
    return path;
  }

  #pair(path: readonly string[]): [key: string, value: Value] {
    const key = this.#name();
    this.#take(BLANKS);
    if (!this.#takeMark("=")) this.#refuse();
    this.#take(BLANKS);
    const full = [...path, key].join(".");
    if (this.#values.has(full) || this.#tables.has(full)) this.#refuse();
    this.#values.add(full);
    return [key, this.#value(0)];
  }

  #name(): string {
    const name = this.#take(BARE_NAME)?.[0];
    return name === undefined || name === "__proto__" ? this.#refuse() : name;
  }

  #value(depth: number): Value {
    if (this.#takeMark("[")) return this.#list(depth + 1);
    const text = this.#take(TEXT);
    if (text !== null) return text[1] ?? text[2] ?? "";
    const word = this.#take(SWITCH);
    if (word !== null) return word[1] === "true";
    const number = Number(this.#take(NUMBER)?.[0].replaceAll("_", ""));
    // A negative zero is a question that no configuration asks.
    return Number.isFinite(number) && !Object.is(number, -0) ? number : this.#refuse();
  }

  #list(depth: number): Value[] {
    if (depth > MAX_DEPTH) this.#refuse();
    const items: Value[] = [];
    while (true) {
      this.#take(FILLER);
      if (this.#takeMark("]")) return items;
      items.push(this.#value(depth));
      this.#take(FILLER);
      if (this.#takeMark(",")) continue;
      if (this.#takeMark("]")) return items;
      this.#refuse();
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #takeMark(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #refuse(): never {
    const line = (this.#text ?? "").slice(0, this.#at).split("\n").length;
    throw new SyntaxError(`line ${line} is too complex for a hook to parse`);
  }
}

/** The table of that path, made if missing; the caller checked that no value has its name. */
function tableAt(root: SimpleToml, path: readonly string[]): SimpleToml {
  let table = root;
  for (const name of path) {
    const known = table[name];
    const next = typeof known === "object" && !Array.isArray(known) ? known : {};
    table[name] = next;
    table = next;
  }
  return table;
}
