/**
 * Patterns for lines that must never be dropped, based on real sessions and on the documentation of
 * test runners. They are independent of `src/core/error_lines.ts`, which matches more lines.
 *
 * @module
 */

interface ErrorPattern {
  about: string;
  pattern: RegExp;
  names_test: boolean;
  lines: string[];
}

const FILE = new URL("../fixtures/live/error_patterns.json", import.meta.url);

export const ERROR_PATTERNS: readonly ErrorPattern[] = readPatterns();

/** A shaped output must keep this many characters of a long error line. */
const HEAD_CHARS = 250;

function reportsError(line: string): boolean {
  return ERROR_PATTERNS.some(({ pattern }) => pattern.test(line));
}

export function errorLinesOf(text: string): string[] {
  return [...new Set(text.split("\n").filter(reportsError))];
}

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
