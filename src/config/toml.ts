/** Parses the part of TOML that the configuration needs, so that hooks and the module need no package. */

type Scalar = string | number | boolean;

export interface TomlTable {
  [key: string]: Scalar | Scalar[] | TomlTable;
}

const NAME = /[ \t]*([\w-]+)[ \t]*/y;
const BLANKS = /[ \t]*/y;
const FILLER = /(?:[ \t\n]|#[^\n]*)*/y;
const LITERAL = /'([^'\n]*)'/y;
/** Excludes escaped surrogates, which TOML does not allow. */
const BASIC = /"(?:\\(?:[btnfr"\\]|u(?![dD][89a-fA-F])[\da-fA-F]{4})|[^"\\\n])*"/y;
const NUMBER = /[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?(?![\w.:+-])/y;
const BOOLEAN = /(true|false)(?![\w.:+-])/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
/** Matches control characters except line feed and tab, and byte order marks after the start of the text. */
const CONTROL = /[^\P{Cc}\n\t]|\uFEFF/u;

/** @throws {SyntaxError} With a line number, for text that is not TOML or is not supported. */
export function parseToml(text: string): TomlTable {
  // Some editors on Windows write a byte order mark, and carriage returns before line feeds.
  return new Reader(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")).read();
}

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#position = Math.max(0, text.search(CONTROL));
    if (CONTROL.test(text)) this.#refuse("text without control characters");
  }

  read(): TomlTable {
    const root: TomlTable = {};
    let table = root;
    while (this.#position < this.#text.length) {
      this.#take(BLANKS);
      if (this.#take(LINE_END) !== null) continue;
      if (this.#takeMark("[")) table = this.#header(root);
      else this.#pair(table);
      if (this.#take(LINE_END) === null) this.#refuse("the end of the line");
    }
    return root;
  }

  #header(root: TomlTable): TomlTable {
    if (this.#text[this.#position] === "[") this.#refuse("a table, in single brackets");
    const name = this.#name();
    if (Object.hasOwn(root, name)) this.#refuse("a new table");
    if (!this.#takeMark("]")) this.#refuse("the end of a table's name, ]");
    return root[name] = {};
  }

  #pair(above: TomlTable): void {
    let [table, name] = [above, this.#name()];
    while (this.#takeMark(".")) {
      const inner = Object.hasOwn(table, name) ? table[name] : table[name] = {};
      if (typeof inner !== "object" || Array.isArray(inner)) this.#refuse("a new key");
      [table, name] = [inner, this.#name()];
    }
    if (Object.hasOwn(table, name)) this.#refuse("a new key");
    if (!this.#takeMark("=")) this.#refuse("a key and =");
    this.#take(BLANKS);
    table[name] = this.#takeMark("[") ? this.#list() : this.#scalar();
  }

  #name(): string {
    const name = this.#take(NAME)?.[1];
    return name === undefined || name === "__proto__" ? this.#refuse("a name") : name;
  }

  #scalar(): Scalar {
    const literal = this.#take(LITERAL)?.[1];
    if (literal !== undefined) return literal;
    const basic = this.#take(BASIC)?.[0];
    if (basic !== undefined) return JSON.parse(basic.replaceAll("\t", "\\t"));
    const word = this.#take(BOOLEAN);
    if (word !== null) return word[1] === "true";
    const number = Number(this.#take(NUMBER)?.[0].replaceAll("_", ""));
    // Rejects -0, because parsers disagree on it.
    return Number.isFinite(number) && !Object.is(number, -0)
      ? number
      : this.#refuse("a string, a number, true, false or a list");
  }

  #list(): Scalar[] {
    const items: Scalar[] = [];
    while (true) {
      this.#take(FILLER);
      if (this.#takeMark("]")) return items;
      items.push(this.#scalar());
      this.#take(FILLER);
      if (this.#takeMark(",")) continue;
      if (this.#takeMark("]")) return items;
      this.#refuse("a comma or the end of the list, ]");
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#position = pattern.lastIndex;
    return match;
  }

  #takeMark(mark: string): boolean {
    if (this.#text[this.#position] !== mark) return false;
    this.#position++;
    return true;
  }

  #refuse(expected: string): never {
    const line = this.#text.slice(0, this.#position).split("\n").length;
    throw new SyntaxError(`line ${line}: expected ${expected}`);
  }
}
