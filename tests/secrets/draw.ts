/**
 * Assembles credentials when a test runs, so that secret scanners do not report any file as a leak.
 *
 * @module
 */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";

/** The alphabets of `{name:length}` in a template. */
const ALPHABETS: Record<string, string> = {
  an: LOWER + UPPER + DIGITS,
  lo: LOWER,
  up: UPPER,
  dg: DIGITS,
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  ln: LOWER + DIGITS,
  un: UPPER + DIGITS,
  b32: `${UPPER}234567`,
  b64: `${LOWER}${UPPER}${DIGITS}+/`,
  url: `${LOWER}${UPPER}${DIGITS}-_`,
};

/**
 * A credential counts as leaked if this many consecutive characters are left, or all of a shorter credential.
 */
const PROBE_CHARS = 10;

export interface DocumentedKind {
  /** The service, the program or the text in which the credential occurs. */
  readonly name: string;
  /** A text with each credential between guillemets, and with drawn parts in braces. */
  readonly template: string;
}

export interface DrawnText {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Kinds from the documentation of services, programs and formats, listed before the rules were written. */
export const DOCUMENTED_KINDS: readonly DocumentedKind[] = kindsIn("documented_kinds.txt");

/** Kinds listed after the rules for the documented kinds. Their misses show how well the rules generalize. */
export const LATER_KINDS: readonly DocumentedKind[] = kindsIn("later_kinds.txt");

/** Ordinary lines of sessions that only look like they contain a credential. */
export const ORDINARY_LINES: readonly string[] = linesIn("ordinary_lines.txt");

/** Reads lines such as `NAME | TEMPLATE`; `\n` and `\t` in a template are a line break and a tab. */
function kindsIn(name: string): DocumentedKind[] {
  return linesIn(name).map((line) => {
    const index = line.indexOf(" | ");
    return {
      name: line.slice(0, index).trim(),
      template: line.slice(index + 3).replaceAll("\\n", "\n").replaceAll("\\t", "\t"),
    };
  });
}

function linesIn(name: string): string[] {
  const text = Deno.readTextFileSync(new URL(name, import.meta.url));
  return text.split("\n").filter((line) => line !== "");
}

export function drawFrom(template: string, seed: number): DrawnText {
  const filled = fillIn(template, seed);
  const secrets = [...filled.matchAll(/«([^»]*)»/g)].map((match) => match[1] ?? "");
  return { text: filled.replaceAll(/[«»]/g, ""), secrets };
}

export function fillIn(template: string, seed: number): string {
  const draw = makeRandomText(seed);
  return template.replaceAll(/\{(?:uuid|([a-z0-9]+):(\d+))\}/gi, (whole, name, count) => {
    if (whole === "{uuid}") {
      const hex = ALPHABETS.hex ?? "";
      return [8, 4, 4, 4, 12].map((length) => draw(hex, length)).join("-");
    }
    const alphabet = ALPHABETS[String(name)];
    if (alphabet === undefined) throw new RangeError(`Cannot draw: no alphabet ${name}`);
    return draw(alphabet, Number(count));
  });
}

export function leakedPiece(text: string, secret: string): string | undefined {
  const length = Math.min(PROBE_CHARS, secret.length);
  for (let start = 0; start + length <= secret.length; start++) {
    const piece = secret.slice(start, start + length);
    if (text.includes(piece)) return piece;
  }
  return undefined;
}

function makeRandomText(seed: number): (alphabet: string, length: number) => string {
  let state = (seed + 1) * 2_654_435_761 >>> 0;
  return (alphabet, length) =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return alphabet.charAt((state >>> 8) % alphabet.length);
    }).join("");
}
