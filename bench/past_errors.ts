/**
 * Finds errors in the earlier part of a session that the later part mentions. The benches look for them in a
 * trimmed copy.
 */

import { errorMatcherFor } from "../src/core/error_lines.ts";
import { namesIn } from "../src/core/names.ts";
import { isExperiment, simpleCommands } from "../src/core/shell_commands.ts";
import { gramsOf, type Item, type Point } from "./regret_points.ts";

/** Number of words in a word run. */
const GRAM_WORDS = 5;
/** Minimum length of a word run. Shorter runs do not identify an error. */
const MIN_GRAM_CHARS = 25;

/** The word runs and names by which later messages mention one error. */
type Mention = readonly string[];

/**
 * Lists the errors that later messages mention. An error is an error line in the result of a failed call or of
 * a command that does more than inspect. It counts as mentioned if the assistant writes a run of words or a
 * name from the line before a later result shows it again. Text in earlier messages and calls does not count,
 * because a trim keeps it.
 */
export function mentionedErrors(point: Point): Mention[] {
  const commands = new Map(
    point.past.flatMap(({ kind, id, input }) =>
      kind === "use" && typeof input?.command === "string" ? [[id, input.command] as const] : []
    ),
  );
  const errors = new Map(
    point.past.flatMap((item) =>
      isReport(item, commands.get(item.id))
        ? errorLinesOf(item.text).map((line) => [line, keysOf(line)] as const)
        : []
    ),
  );
  if (errors.size === 0) return [];
  const all = new Set([...errors.values()].flatMap((keys) => [...keys]));
  for (const { kind, text } of point.past) {
    if (kind !== "result") { for (const key of keysOf(text)) all.delete(key); }
  }
  const written = writtenBy(point.future, all);
  return [...errors.values()].map((keys) => [...keys].filter((key) => written.has(key)))
    .filter((keys) => keys.length > 0);
}

export function countLostErrors(mentions: readonly Mention[], kept: readonly Item[]): number {
  const wanted = new Set(mentions.flat());
  if (wanted.size === 0) return 0;
  const keptKeys = new Set(kept.flatMap(({ text }) => [...keysOf(text).intersection(wanted)]));
  return mentions.filter((keys) => !keys.some((key) => keptKeys.has(key))).length;
}

function isReport({ kind, isError }: Item, command: string | undefined): boolean {
  if (kind !== "result") return false;
  // A command that only inspects, or tries something out, does not report on the task.
  return isError === true ||
    simpleCommands(command ?? "").some(({ words }) => !isExperiment(words));
}

function errorLinesOf(text: string): string[] {
  const lines = text.split("\n");
  const isError = errorMatcherFor(lines);
  return lines.filter((line) => isError(line));
}

function writtenBy(future: readonly Item[], keys: ReadonlySet<string>): Set<string> {
  const open = new Set(keys);
  const written = new Set<string>();
  for (const item of future) {
    const found = keysOf(item.text).intersection(open);
    for (const key of found) open.delete(key);
    if (item.kind !== "result" && item.role === "assistant") {
      for (const key of found) written.add(key);
    }
  }
  return written;
}

function keysOf(text: string): Set<string> {
  const grams = [...gramsOf(text, GRAM_WORDS)].filter((gram) => gram.length >= MIN_GRAM_CHARS);
  return new Set(grams).union(namesIn(text));
}
