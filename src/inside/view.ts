/** Draws what fills the window now, and what a trim would free of it, as text that fits a terminal. */

import { cleanLine } from "../inject/clean.ts";
import { boundText, grouped } from "../inject/bound.ts";
import { contextPercent } from "../pressure/judge.ts";
import type { InsideFill } from "../store/inside_record.ts";
import type { JsonObject } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { PATH_ARGUMENTS } from "../trim/protect.ts";
import type { Row } from "./client.ts";
import type { InsideTrim } from "./trim.ts";

/** How many are listed of what there is more of. */
const LISTED = { tools: 6, files: 6, entries: 12 } as const;

/** Nobody cuts a smaller one by hand, in tokens. */
const MIN_ENTRY_TOKENS = 200;

/** The longest bar and the longest name, in characters: a line has 72. */
const BAR_CHARS = 24;
const NAME_CHARS = 44;

/** A result or the arguments of a call. */
interface ViewEntry {
  readonly line: number;
  readonly kind: "result" | "input";
  readonly tool: string;
  readonly path: string | undefined;
  readonly name: string;
  readonly tokens: number;
  readonly freed: number;
}

/** Draws it, files as they are called in the project. */
export function drawFill(
  rows: readonly Readonly<Row>[],
  plan: InsideTrim,
  fill: InsideFill,
  root: string,
): string {
  const entries = listEntries(rows, plan, root);
  const { tokens, limit } = fill;
  const kinds = kindsOf(rows, entries, plan, fill);
  const title = tokens === null
    ? "Context"
    : `Context: ${grouped(tokens)} of ${grouped(limit)} tokens, ${contextPercent(tokens, limit)}%`;
  const largest = entries.filter((entry) => entry.tokens >= MIN_ENTRY_TOKENS)
    .toSorted((a, b) => b.tokens - a.tokens).slice(0, LISTED.entries);
  return [
    title,
    ...barLines(kinds, limit),
    ...groupLine("By tool", groupBy(entries, ({ tool }) => tool), LISTED.tools),
    ...groupLine("By file", groupBy(entries, ({ path }) => path), LISTED.files),
    ...(largest.length === 0 ? [] : [
      "Largest:",
      "    line    tokens  /trim frees",
      ...largest.map(entryLine),
      "Cut one to its head: /trim --entry LINE. Put it back: /trim --undo",
    ]),
  ].join("\n");
}

function listEntries(
  rows: readonly Readonly<Row>[],
  plan: InsideTrim,
  root: string,
): ViewEntry[] {
  const calls = new Map(rows.flatMap(({ toolUses }) => toolUses).map((c) => [c.tool_use_id, c]));
  const sizeOf = (text: string): number => estimateTextTokens(text) * plan.scale;
  const inputs = [...calls.values()].map(({ tool_use_id: id, tool, input }) => {
    const text = JSON.stringify(input);
    const cut = plan.cuts.inputs.get(id);
    const left = cut === undefined ? text : JSON.stringify(cut);
    return { kind: "input" as const, id, tool, input, text, left };
  });
  const results = rows.flatMap(({ toolResults = [] }) => toolResults)
    .map(({ tool_use_id: id, text }) => {
      const { tool = "?", input = {} } = calls.get(id) ?? {};
      const left = plan.cuts.results.get(id) ?? text;
      return { kind: "result" as const, id, tool, input, text, left };
    });
  return [...inputs, ...results].flatMap(({ kind, id, tool, input, text, left }) => {
    const line = plan.lineOf(id, kind === "input" ? "call" : "result");
    const [tokens, after] = [sizeOf(text), left === text ? sizeOf(text) : sizeOf(left)];
    const named = PATH_ARGUMENTS.map((name) => input[name]).find((one) => typeof one === "string");
    const path = named?.startsWith(`${root}/`) === true ? named.slice(root.length + 1) : named;
    const name = nameOf(kind, tool, input, path);
    return line === undefined
      ? []
      : [{ line, kind, tool, path, name, tokens, freed: tokens - after }];
  });
}

function nameOf(
  kind: ViewEntry["kind"],
  tool: string,
  input: JsonObject,
  path: string | undefined,
): string {
  const about = path ?? Object.values(input).find((value) => typeof value === "string") ?? "";
  const short = cleanLine(boundText(String(about), 400));
  const end = path === undefined ? boundText(short, NAME_CHARS) : short.slice(-NAME_CHARS);
  return `${tool}${kind === "input" ? " (input)" : ""} ${end}`;
}

/** What is what, the client's own categories with what was said split by kind. */
function kindsOf(
  rows: readonly Readonly<Row>[],
  entries: readonly ViewEntry[],
  plan: InsideTrim,
  { categories }: InsideFill,
): [name: string, tokens: number][] {
  const sum = (kind: ViewEntry["kind"]): number =>
    entries.filter((one) => one.kind === kind).reduce((all, { tokens }) => all + tokens, 0);
  const texts = (role: Row["role"]): number =>
    rows.filter((row) => row.role === role)
      .reduce((all, { text }) => all + estimateTextTokens(text) * plan.scale, 0);
  const { Messages: _, ...others } = categories;
  return [
    ["Results of tools", sum("result")],
    ["Arguments of calls", sum("input")],
    ["Answers", texts("assistant")],
    ["Prompts and reminders", texts("user")],
    ["Thinking", plan.losses.thinkingTokens * plan.scale],
    ...Object.entries(others),
  ];
}

function barLines(kinds: readonly [string, number][], limit: number): string[] {
  const shown = kinds.filter(([, tokens]) => tokens >= 1);
  const most = Math.max(...shown.map(([, tokens]) => tokens), 1);
  return shown.map(([name, tokens]) => {
    const bar = "█".repeat(Math.round(tokens / most * BAR_CHARS));
    const share = `${contextPercent(tokens, limit)}%`;
    return `  ${name.padEnd(24)}${grouped(tokens).padStart(9)} ${share.padStart(4)} ${bar}`
      .trimEnd();
  });
}

function groupBy(
  entries: readonly ViewEntry[],
  keyOf: (entry: ViewEntry) => string | undefined,
): [name: string, tokens: number][] {
  const found = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== undefined) found.set(key, (found.get(key) ?? 0) + entry.tokens);
  }
  return [...found].sort(([, a], [, b]) => b - a);
}

function groupLine(title: string, groups: readonly [string, number][], most: number): string[] {
  const shown = groups.slice(0, most).map(([name, tokens]) =>
    `  ${grouped(tokens).padStart(9)}  ${cleanLine(name).slice(-NAME_CHARS)}`
  );
  const rest = groups.length - shown.length;
  const more = rest === 0 ? "" : `, the first ${most} of ${grouped(groups.length)}`;
  return shown.length === 0 ? [] : [`${title}${more}:`, ...shown];
}

function entryLine({ line, tokens, freed, name }: ViewEntry): string {
  const amounts = [grouped(tokens).padStart(9), grouped(freed).padStart(12)].join(" ");
  return `${String(line).padStart(8)} ${amounts}  ${name}`;
}
