/**
 * Makes text to fill a transcript with: prose, source code, command output, base64. The text is cut from
 * pools that are made once for each transcript, so that large transcripts cost no more per byte than small
 * ones. It contains the characters that make real transcripts slow to read: tabs, quotes, backslashes, color
 * codes and characters outside of ASCII.
 *
 * @module
 */

import type { Random } from "./random.ts";

/** The length of each pool, which exceeds every requested length. */
const POOL_CHARS = 1_500_000;

const NOUNS =
  ("buffer window session branch parser index worker cursor ledger queue signal filter " +
    "header record schema socket stream ticket vector widget anchor bundle cache driver engine " +
    "folder gateway handler import journal").split(" ");
const VERBS =
  ("reads keeps drops moves checks closes opens merges splits counts writes trims loads " +
    "saves sends returns builds guards copies").split(" ");
const LINKS = "because while before after unless although once".split(" ");
const MARKS = ["—", "→", "…", "é", "“quoted”", "✓", "日本", "🙂"];
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export type TextKind = "prose" | "code" | "output";

/** Code and output have fewer characters per token than prose. */
export const CHARS_PER_TOKEN: Readonly<Record<TextKind, number>> = {
  prose: 4.4,
  code: 3.1,
  output: 2.7,
};

export class Texts {
  readonly #random: Random;
  readonly #pools: Readonly<Record<TextKind, string>>;
  readonly #base64: string;

  constructor(random: Random) {
    this.#random = random;
    this.#pools = {
      prose: fill(() => sentence(random)),
      code: fill(() => codeLine(random)),
      output: fill(() => outputLine(random)),
    };
    this.#base64 = fill(() => {
      let piece = "";
      for (let i = 0; i < 64; i++) piece += BASE64.charAt(random.word() & 63);
      return piece;
    });
  }

  /** Cuts `chars` characters of text. U+FFFD replaces half of a surrogate pair at an end. */
  cut(kind: TextKind, chars: number): string {
    const pool = this.#pools[kind];
    const length = Math.min(chars, POOL_CHARS / 2);
    const from = this.#random.between(0, POOL_CHARS - length - 1);
    // Starts at a line break, or a space in prose, because a tool's output does not start within a word.
    const line = pool.indexOf(kind === "prose" ? " " : "\n", from) + 1;
    const start = line > 0 && line + length <= pool.length ? line : from;
    return pool.slice(start, start + length).toWellFormed();
  }

  line(kind: TextKind, chars: number): string {
    return this.cut(kind, chars).split("\n", 1)[0] ?? "";
  }

  /** Makes base64 that starts with `prefix`: about `chars` characters in all, a multiple of four. */
  base64(chars: number, prefix: string): string {
    const length = Math.min(Math.max(chars, prefix.length + 4), POOL_CHARS / 2) & ~3;
    const from = this.#random.between(0, POOL_CHARS - length - 1);
    return prefix + this.#base64.slice(from, from + length - prefix.length);
  }

  path(folder: string): string {
    const random = this.#random;
    return `${folder}/src/${random.pick(NOUNS)}/${random.pick(NOUNS)}_${random.pick(NOUNS)}.ts`;
  }

  title(): string {
    const random = this.#random;
    return `Make the ${random.pick(NOUNS)} that ${random.pick(VERBS)} each ${random.pick(NOUNS)}`;
  }
}

function fill(piece: () => string): string {
  const pieces: string[] = [];
  let length = 0;
  while (length < POOL_CHARS) {
    const next = piece();
    pieces.push(next);
    length += next.length;
  }
  return pieces.join("");
}

function sentence(random: Random): string {
  const clause = () =>
    `the ${random.pick(NOUNS)} ${random.pick(VERBS)} ${random.between(2, 9)} ${
      random.pick(NOUNS)
    }s`;
  const mark = random.chance(0.12) ? ` ${random.pick(MARKS)}` : "";
  const end = random.chance(0.15) ? `.\n\n- \`${random.pick(NOUNS)}\` ` : ". ";
  return `Here ${clause()} ${random.pick(LINKS)} ${clause()}${mark}${end}`;
}

function codeLine(random: Random): string {
  const tabs = "\t".repeat(random.between(0, 3));
  const [a, b, c] = [random.pick(NOUNS), random.pick(NOUNS), random.between(0, 99)];
  const lines = [
    `const ${a} = read${b}("${b}/${a}.json", { limit: ${c} });\n`,
    `if (${a}.length > ${c}) {\n`,
    `}\n`,
    `\n`,
    `// A ${a} ${random.pick(VERBS)} its ${b} ${
      random.chance(0.2) ? random.pick(MARKS) : "here"
    }.\n`,
    `\treturn ${a}.${b}(\`\${${a}}\\n\`, '${b}');\n`,
    `export function ${a}${c}(${b}: string, count = ${c}): ${a} | undefined {\n`,
    `t.Errorf("${a}: got %d ${b}s\\n", ${a}.Count, ${c})\n`,
  ];
  return tabs + random.pick(lines);
}

function outputLine(random: Random): string {
  const [a, b, c] = [random.pick(NOUNS), random.pick(NOUNS), random.between(0, 9999)];
  const lines = [
    `ok  \texample.test/${a}/${b}\t${c / 1000}s\n`,
    `src/${a}/${b}.ts:${c}:${c % 80}: the ${a} ${random.pick(VERBS)} no ${b}\n`,
    `\u001b[32m✓\u001b[39m ${a} ${random.pick(VERBS)} ${b} (${c % 500} ms)\n`,
    `-rw-r--r--  1 dev  staff  ${c} Jan ${1 + (c % 28)} 10:${10 + (c % 50)} ${a}_${b}.ts\n`,
    `{"level":"info","${a}":${c},"message":"${a} ${random.pick(VERBS)} \\"${b}\\""}\n`,
    `    at ${a} (file:///home/dev/project/src/${b}.ts:${c}:${c % 70})\n`,
    `${random.word().toString(16)}${random.word().toString(16)} ${a} ${b}\n`,
  ];
  return random.pick(lines);
}
