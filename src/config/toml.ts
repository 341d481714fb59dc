/**
 * Parses TOML without a library, so that hooks, commands and the module inside the client use the same
 * parser and start without npm. Rejects dates and arrays of tables, which no key accepts.
 */

type Value = string | number | boolean | Value[] | TomlTable;

export interface TomlTable {
  [key: string]: Value;
}

const MAX_DEPTH = 8;

const BARE_NAME = /[A-Za-z0-9_-]+/y;
const BLANKS = /[ \t]*/y;
/** Matches spaces, line ends and comments between the values of a list. */
const FILLER = /(?:[ \t\n]|#[^\n]*)*/y;
const LITERAL_LINES = /'''\n?((?:(?!''')[^])*'{0,2})'''/y;
const BASIC_LINES = /"""\n?((?:(?!""")(?:\\[^]|[^\\]))*"{0,2})"""/y;
const LITERAL = /'([^'\n]*)'/y;
const BASIC = /"((?:\\[^\n]|[^"\\\n])*)"/y;
const ESCAPE = /\\(?:([btnfr"\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\n[ \t\n]*)|[^])/g;
const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};
const NUMBER =
  /[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?(?![\w.:+-])/y;
const BASED =
  /0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)(?![\w.:+-])/y;
const BOOLEAN = /(true|false)(?![\w.:+-])/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
/** Matches characters that TOML forbids. A carriage return is allowed only before a line feed. */
const CONTROL = /[^\P{Cc}\n\t]|\uFEFF/u;

/**
 * Parses TOML.
 *
 * @throws {SyntaxError} When the text is not TOML or uses unsupported syntax. The message names the line.
 */
export function parseToml(text: string): TomlTable {
  // Some editors on Windows write a byte order mark.
  return new Reader(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")).read();
}

/** Names that are in use. Each name is the JSON text of a path. */
class Names {
  readonly values = new Set<string>();
  /** All tables, including parents. */
  readonly tables = new Set<string>();
  /** Tables with a header of their own. */
  readonly headers = new Set<string>();
  /** Tables made by dotted keys. A header for such a table is an error. */
  readonly dotted = new Set<string>();

  isValue(path: readonly string[]): boolean {
    return path.some((_, index) => this.values.has(nameOf(path.slice(0, index + 1))));
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  #names = new Names();

  constructor(text: string) {
    this.#text = text;
    this.#at = Math.max(0, text.search(CONTROL));
    if (CONTROL.test(text)) this.#refuse("text without control characters");
  }

  read(): TomlTable {
    const root: TomlTable = {};
    let path: readonly string[] = [];
    while (this.#at < this.#text.length) {
      this.#take(BLANKS);
      if (this.#take(LINE_END) !== null) continue;
      if (this.#takeMark("[")) path = this.#header(root);
      else this.#pair(root, path, 0);
      if (this.#take(LINE_END) === null) this.#refuse("the end of the line");
    }
    return root;
  }

  #header(root: TomlTable): readonly string[] {
    if (this.#text[this.#at] === "[") this.#refuse("a table, in single brackets");
    const path = this.#path();
    if (!this.#takeMark("]")) this.#refuse("the end of a table's name, ]");
    const { headers, dotted, tables } = this.#names;
    const above = path.map((_, index) => nameOf(path.slice(0, index + 1)));
    const name = nameOf(path);
    if (headers.has(name) || above.some((one) => dotted.has(one)) || this.#names.isValue(path)) {
      this.#refuse("a new table");
    }
    headers.add(name);
    for (const one of above) tables.add(one);
    tableAt(root, path);
    return path;
  }

  #pair(root: TomlTable, above: readonly string[], depth: number): void {
    const keys = this.#path();
    const path = [...above, ...keys];
    this.#take(BLANKS);
    if (!this.#takeMark("=")) this.#refuse("a key and =");
    this.#take(BLANKS);
    const { values, tables, headers, dotted } = this.#names;
    const name = nameOf(path);
    if (this.#names.isValue(path) || tables.has(name)) {
      this.#refuse("a new key");
    }
    const between = keys.slice(1).map((_, index) =>
      nameOf(path.slice(0, above.length + index + 1))
    );
    // A dotted key cannot add to a table that has a header.
    if (between.some((one) => headers.has(one) || (tables.has(one) && !dotted.has(one)))) {
      this.#refuse("a key below the header of its table");
    }
    for (const one of between) {
      dotted.add(one);
      tables.add(one);
    }
    const value = this.#value(depth);
    values.add(name);
    tableAt(root, path.slice(0, -1))[keys.at(-1) ?? ""] = value;
  }

  #path(): string[] {
    const path: string[] = [];
    do {
      this.#take(BLANKS);
      path.push(this.#name());
      this.#take(BLANKS);
    } while (this.#takeMark("."));
    return path;
  }

  #name(): string {
    const name = this.#take(BARE_NAME)?.[0] ?? this.#line();
    return name === undefined || name === "__proto__" ? this.#refuse("a name") : name;
  }

  #line(): string | undefined {
    const basic = this.#take(BASIC)?.[1];
    return basic === undefined ? this.#take(LITERAL)?.[1] : this.#unescaped(basic);
  }

  #string(): string | undefined {
    const lines = this.#take(BASIC_LINES)?.[1];
    if (lines !== undefined) return this.#unescaped(lines);
    return this.#take(LITERAL_LINES)?.[1] ?? this.#line();
  }

  #unescaped(text: string): string {
    return text.replaceAll(ESCAPE, (_, one, short, long, end) => {
      if (end !== undefined) return "";
      if (one !== undefined) return ESCAPED[one] ?? "";
      const point = short ?? long;
      const code = point === undefined ? NaN : parseInt(point, 16);
      // A lone surrogate is not a character.
      if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) {
        return this.#refuse("an escape");
      }
      return String.fromCodePoint(code);
    });
  }

  #value(depth: number): Value {
    if (depth > MAX_DEPTH) this.#refuse(`at most ${MAX_DEPTH} nested lists`);
    if (this.#takeMark("[")) return this.#list(depth + 1);
    if (this.#takeMark("{")) return this.#inlineTable(depth + 1);
    const text = this.#string();
    if (text !== undefined) return text;
    const word = this.#take(BOOLEAN);
    if (word !== null) return word[1] === "true";
    const digits = this.#take(NUMBER)?.[0] ?? this.#take(BASED)?.[0];
    const number = Number(digits?.replaceAll("_", ""));
    // Rejects -0, because parsers disagree on it.
    return Number.isFinite(number) && !Object.is(number, -0)
      ? number
      : this.#refuse("a string, a number, true, false or a list");
  }

  #list(depth: number): Value[] {
    const items: Value[] = [];
    while (true) {
      this.#take(FILLER);
      if (this.#takeMark("]")) return items;
      items.push(this.#value(depth));
      this.#take(FILLER);
      if (this.#takeMark(",")) continue;
      if (this.#takeMark("]")) return items;
      this.#refuse("a comma or the end of the list, ]");
    }
  }

  /** Gives an inline table a separate set of names. */
  #inlineTable(depth: number): TomlTable {
    const table: TomlTable = {};
    const around = this.#names;
    this.#names = new Names();
    this.#take(BLANKS);
    if (!this.#takeMark("}")) {
      do {
        this.#take(BLANKS);
        this.#pair(table, [], depth);
        this.#take(BLANKS);
      } while (this.#takeMark(","));
      if (!this.#takeMark("}")) this.#refuse("a comma or the end of the table, }");
    }
    this.#names = around;
    return table;
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

  #refuse(expected: string): never {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    throw new SyntaxError(`line ${line}: expected ${expected}`);
  }
}

function nameOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The caller has checked that no value has the name of the table. */
function tableAt(root: TomlTable, path: readonly string[]): TomlTable {
  let table = root;
  for (const name of path) {
    const known = Object.hasOwn(table, name) ? table[name] : undefined;
    const next = typeof known === "object" && !Array.isArray(known) ? known : {};
    table[name] = next;
    table = next;
  }
  return table;
}
