/** Describes configuration problems. Imports nothing, because hooks load this file. */

/** A problem with the configuration. */
export interface ConfigProblem {
  /** The file with the problem. */
  readonly file: string;
  /** Key with its table, such as `context.warn_threshold`; empty if the problem concerns the whole file. */
  readonly key: string;
  /** The value as read, shortened; empty if there is none. */
  readonly value: string;
  /** The expected value. */
  readonly expected: string;
}

/** A key that has no effect: a key of an earlier version, or one whose value only the user may set. */
export interface RetiredKey {
  /** The file that sets the key. */
  readonly file: string;
  /** The table and the key, such as `context.warn_tokens`. */
  readonly key: string;
  /** Advice for the user. */
  readonly instead: string;
}

const MAX_SHOWN_CHARS = 80;

/** Thrown for a configuration that cannot be used. */
export class ConfigError extends Error {
  /** The problems, in the order of the files. */
  readonly problems: readonly ConfigProblem[];

  /** Creates an error that lists every problem; expects at least one. */
  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(problemText);
    super(
      lines.length === 1
        ? `Cannot use the configuration: ${lines[0]}`
        : `Cannot use the configuration: ${lines.length} problems\n  ${lines.join("\n  ")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

export function problemText(problem: ConfigProblem): string {
  const value = problem.value === "" ? "" : ` = ${problem.value}`;
  const key = problem.key === "" ? "" : ` ${problem.key}${value}:`;
  return `${problem.file}:${key} expected ${problem.expected}`;
}

export function shownValue(value: unknown): string {
  // JSON would show NaN and Infinity as null.
  const text = typeof value === "number" ? String(value) : JSON.stringify(value) ?? String(value);
  return shorten(text, MAX_SHOWN_CHARS);
}

/** Never splits a surrogate pair. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
