/**
 * Patterns of lines that must never get lost, made from real sessions and from the documentation of
 * test runners. They are independent of `src/core/error_lines.ts`, which matches more.
 *
 * @module
 */

/** A pattern, with lines that it must find. */
export interface ErrorPattern {
  about: string;
  pattern: RegExp;
  /** Whether it finds the name of a test that failed. */
  names_test: boolean;
  lines: string[];
}

const FILE = new URL("../fixtures/live/error_patterns.json", import.meta.url);

/** The patterns of the fixture. */
export const ERROR_PATTERNS: readonly ErrorPattern[] = readPatterns();

/** First characters of a long error line that a shaped output must keep. */
const HEAD_CHARS = 250;

/** Whether a line reports an error or a failed test. */
export function tellsOfError(line: string): boolean {
  return ERROR_PATTERNS.some(({ pattern }) => pattern.test(line));
}

/** The distinct error lines of a text. */
export function errorLinesOf(text: string): string[] {
  return [...new Set(text.split("\n").filter(tellsOfError))];
}

/** Those of a text's error lines that are not in its shaped form. */
export function lostLines(text: string, shaped: string): string[] {
  const kept = new Set(shaped.split("\n"));
  return errorLinesOf(text).filter((line) =>
    !kept.has(line) && !(line.length > HEAD_CHARS && shaped.includes(line.slice(0, HEAD_CHARS)))
  );
}

function readPatterns(): ErrorPattern[] {
  const raw: (Omit<ErrorPattern, "pattern"> & { pattern: string })[] = JSON.parse(
    Deno.readTextFileSync(FILE),
  );
  return raw.map((one) => ({ ...one, pattern: new RegExp(one.pattern, "u") }));
}
