/**
 * Finds the errors of a past that its future speaks of: what a bench asks a trimmed copy for.
 *
 * @module
 */

import { errorMatcherFor } from "../src/core/error_lines.ts";
import { namesIn } from "../src/core/names.ts";
import { gramsOf } from "./grams.ts";
import type { Item, Point } from "./regret_points.ts";

/** Tools whose results are what a program printed. */
const OUTPUT_TOOLS = ["Bash", "BashOutput", "PowerShell"];

/** A run of shorter words tells no error from another, in characters. */
const MIN_GRAM_CHARS = 20;

/** An error, as the runs of words and the names by which the future mentions it. */
type Mention = readonly string[];

/**
 * Lists the errors that the future mentions: lines of outputs and of failed calls that report an
 * error, and of which the assistant later says or types a run of four words or a name that no message
 * and no call has had, before a later result shows it.
 */
export function mentionedErrors(point: Point): Mention[] {
  const tools = new Map(
    point.past.map(({ id, toolName }) => [id, toolName] as const).filter(
      ([, tool]) => tool !== undefined,
    ),
  );
  const errors = new Map(
    point.past.flatMap((item) =>
      isReport(item, tools.get(item.id) ?? "")
        ? errorLinesOf(item.text).map((line) => [line, keysOf(line)] as const)
        : []
    ),
  );
  if (errors.size === 0) return [];
  const all = new Set([...errors.values()].flatMap((keys) => [...keys]));
  for (const { kind, text } of point.past) {
    if (kind !== "result") { for (const key of keysOf(text)) all.delete(key); }
  }
  const said = saidBy(point.future, all);
  return [...errors.values()].map((keys) => [...keys].filter((key) => said.has(key)))
    .filter((keys) => keys.length > 0);
}

/** Counts the mentioned errors of which a context holds nothing that is mentioned. */
export function lostErrors(mentions: readonly Mention[], kept: readonly Item[]): number {
  const wanted = new Set(mentions.flat());
  if (wanted.size === 0) return 0;
  const left = new Set(kept.flatMap(({ text }) => [...keysOf(text).intersection(wanted)]));
  return mentions.filter((keys) => !keys.some((key) => left.has(key))).length;
}

function isReport({ kind, isError }: Item, toolName: string): boolean {
  return kind === "result" && (isError === true || OUTPUT_TOOLS.includes(toolName));
}

function errorLinesOf(text: string): string[] {
  const lines = text.split("\n");
  const isError = errorMatcherFor(lines);
  return lines.filter((line) => isError(line));
}

/** Those of some keys that the assistant says or types before a result shows them. */
function saidBy(future: readonly Item[], keys: ReadonlySet<string>): Set<string> {
  const open = new Set(keys);
  const said = new Set<string>();
  for (const item of future) {
    const found = keysOf(item.text).intersection(open);
    for (const key of found) open.delete(key);
    if (item.kind !== "result" && item.role === "assistant") {
      for (const key of found) said.add(key);
    }
  }
  return said;
}

function keysOf(text: string): Set<string> {
  const grams = [...gramsOf(text)].filter((gram) => gram.length >= MIN_GRAM_CHARS);
  return new Set(grams).union(namesIn(text));
}
