/** Counts units of text with a finite automaton. Each character adds at most one unit. */

export const TOKEN_WEIGHTS = {
  /** Letters (A to Z) that do not follow another letter. */
  word: 0.91,
  /** Uppercase letters that follow a lowercase letter, such as the V in `keyValue`. */
  hump: 1.16,
  capital: 0.58,
  /** Lowercase letters of a word or hump, except for the first four letters. */
  letter: 0.17,
  /** First digit of a number, and every third digit after it. */
  digits: 1.39,
  mark: 1.16,
  newline: 0.84,
  /** Second space of a run, once for each indentation. A single space costs nothing. */
  indent: 0.68,
  tab: 0.97,
  /** Further characters in a run of digits, punctuation, line breaks, spaces or tabs. */
  more: 0.05,
  /** Control characters, and UTF-16 code units from U+0080 on that are in no class below. */
  symbol: 0.64,
  cjk: 1.56,
  /** Terminal escape sequences such as `ESC [ 0 m`, each counted as one unit. */
  escape: 3.08,
};

export type TextUnits = Record<keyof typeof TOKEN_WEIGHTS, number>;

const UNITS = Object.keys(TOKEN_WEIGHTS) as readonly (keyof TextUnits)[];

const NO_UNIT = UNITS.length;
const SYMBOL = UNITS.indexOf("symbol");
const CJK = UNITS.indexOf("cjk");
const ESCAPE = UNITS.indexOf("escape");

const ESCAPE_CODE = 0x1b;
const BRACKET_CODE = 0x5b;

const MAX_ESCAPE_PARAMETERS = 16;

/**
 * Kinds of the characters below U+0080: 0 for lowercase letters, 1 uppercase letters, 2 digits, 3 spaces,
 * 4 tabs, 5 line breaks, 6 punctuation, 7 control characters. This table and {@linkcode STEP_TABLE} are
 * literals, because the client parses the module before each start, and code that computes them would take
 * longer to parse.
 */
const KIND_TABLE = `
77777777745775777777777777777777
36666666666666662222222222666666
61111111111111111111111111166666
60000000000000000000000000066667`;

/**
 * One line for each state before a character, named after the previous character: `small1` is a lowercase
 * first letter of a word, `small5` its fifth or a later letter.
 * One column for each kind: the next state and the unit, as hexadecimal digits.
 */
const STEP_TABLE = `
start   10 60 74 ad c8 d6 e5 fa
small1  2d 61 74 ad c8 d6 e5 fa
small2  3d 61 74 ad c8 d6 e5 fa
small3  4d 61 74 ad c8 d6 e5 fa
small4  53 61 74 ad c8 d6 e5 fa
small5  53 61 74 ad c8 d6 e5 fa
capital 2d 62 74 ad c8 d6 e5 fa
digit1  10 60 89 ad c8 d6 e5 fa
digit2  10 60 99 ad c8 d6 e5 fa
digit3  10 60 74 ad c8 d6 e5 fa
space1  10 60 74 b7 c8 d6 e5 fa
space2  10 60 74 b9 c8 d6 e5 fa
tab     10 60 74 ad c9 d6 e5 fa
newline 10 60 74 ad c8 d9 e5 fa
mark    10 60 74 ad c8 d6 e9 fa
other   10 60 74 ad c8 d6 e5 fa`;

const CONTROL = 7;
const OTHER = 0xf;

const KIND_OF_CODE = Uint8Array.from(KIND_TABLE.match(/\d/g) ?? [], Number);
const STEPS = Uint8Array.from(STEP_TABLE.match(/\b\w\w\b/g) ?? [], (step) => parseInt(step, 16));

export function countTextUnits(text: string): TextUnits {
  const counts = new Uint32Array(NO_UNIT + 1);
  const { length } = text;
  let state = 0;
  for (let position = 0; position < length; position++) {
    const code = text.charCodeAt(position);
    let step = OTHER << 4 | SYMBOL;
    if (code < 128) {
      if (code === ESCAPE_CODE && text.charCodeAt(position + 1) === BRACKET_CODE) {
        step = OTHER << 4 | ESCAPE;
        position = endOfEscape(text, position);
      } else step = STEPS[state << 3 | (KIND_OF_CODE[code] ?? CONTROL)] ?? 0;
    } else if (isCjk(code)) step = OTHER << 4 | CJK;
    state = step >> 4;
    const unit = step & 15;
    counts[unit] = (counts[unit] ?? 0) + 1;
  }
  const units = { ...TOKEN_WEIGHTS };
  for (const [slot, unit] of UNITS.entries()) units[unit] = counts[slot] ?? 0;
  return units;
}

export function priceTextUnits(units: TextUnits): number {
  return UNITS.reduce((sum, unit) => sum + units[unit] * TOKEN_WEIGHTS[unit], 0);
}

/** Returns the index of the last code unit of an escape sequence that begins with `ESC [`. */
function endOfEscape(text: string, start: number): number {
  let position = start + 2;
  const stop = Math.min(text.length, position + MAX_ESCAPE_PARAMETERS);
  while (position < stop) {
    const code = text.charCodeAt(position);
    if (code < 0x30 || code > 0x3f) break;
    position++;
  }
  return Math.min(position, text.length - 1);
}

function isCjk(code: number): boolean {
  return (code >= 0x2e80 && code <= 0xd7ff) || (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef);
}
