/** Renders, for a terminal, the contents of the window and the tokens that a trim would free. */

import { cleanLine } from "../inject/clean.ts";
import { ageText, counted, durationText, grouped } from "../inject/bound.ts";
import { type FreedAmounts, shortAdvice } from "../gauge/advice.ts";
import { contextPercent } from "../gauge/judge.ts";
import type { WarningLevel } from "../gauge/ladder.ts";
import type { InsideFill, InsideTrimRecord } from "../store/inside_record.ts";
import type { SinceTrim } from "../transcript/since_trim.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { PATH_ARGUMENTS } from "../trim/protect.ts";
import type { CallRow } from "./client.ts";
import { sinceTrimText } from "../trim/trim_words.ts";
import { COMPACTED_TOKENS, paybackOf } from "../trim/worth.ts";
import { isReminder } from "./reminders.ts";
import { callsById, resultsIn } from "./rows.ts";
import type { InsideTrim, RunningSession } from "./trim.ts";
import { firstWords, linesOfTexts, listTurns } from "./turns.ts";

const MAX_LISTED = { tools: 6, files: 6, entries: 12, turns: 15 } as const;

/** Smaller entries are not listed, because they are not worth cutting by hand. */
const MIN_ENTRY_TOKENS = 200;

/** Keep the line of a kind, of a tool or a file within 60 columns, and the line of an entry within 72. */
const BAR_CHARS = 12;
const GROUP_NAME_CHARS = 44;
const ENTRY_NAME_CHARS = 38;

interface ViewEntry {
  readonly line: number | undefined;
  readonly kind: "result" | "call" | "answer" | "prompt";
  /** Absent for an answer or a prompt. */
  readonly tool?: string;
  readonly path?: string | undefined;
  readonly name: string;
  readonly tokens: number;
  readonly freed: number;
}

interface View {
  readonly session: Pick<RunningSession, "rows" | "lines">;
  readonly plan: InsideTrim;
  readonly fill: InsideFill;
  readonly root: string;
}

export function drawEntries(view: View): string {
  const { entries, factor } = scaledEntries(view);
  const largest = entries.filter((entry) => entry.tokens >= MIN_ENTRY_TOKENS)
    .toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_LISTED.entries);
  const turns = listTurns(view.session);
  const shown = turns.slice(-MAX_LISTED.turns);
  const more = shown.length < turns.length ? `, the last ${shown.length} of ${turns.length}` : "";
  return [
    titleOf(view),
    ...(shown.length === 0 ? [] : [
      `Turns${more}:`,
      ...shown.map(({ number, lines: { from, to }, tokens, title }) =>
        [
          `#${number}`.padStart(5),
          `${from}-${to}`.padStart(12),
          grouped(tokens * view.plan.scale * factor).padStart(9),
          ` ${title}`,
        ].join(" ")
      ),
      "Drop turns: /trim --drop #2-#4, or by their lines: --drop 12-30",
    ]),
    ...(largest.length === 0 ? [] : [
      "Largest:",
      "    line    tokens  /trim frees",
      ...largest.map(({ line = "-", tokens, freed, name }) =>
        [
          `${line}`.padStart(8),
          grouped(tokens).padStart(9),
          grouped(freed).padStart(12),
          ` ${name}`,
        ].join(" ")
      ),
      "Cut an output or input to its head: /trim --entry LINE. Undo: /trim --undo",
    ]),
  ].join("\n");
}

interface StatusFacts {
  readonly freed: FreedAmounts | undefined;
  readonly level: WarningLevel;
  readonly trim: InsideTrimRecord | undefined;
  readonly since: SinceTrim | undefined;
  /** When the prompt cache was last used, and how long it is kept after that, in milliseconds. */
  readonly cache: { readonly usedAtMs: number; readonly keptMs: number } | undefined;
  readonly nowMs: number;
}

export function drawStatus(view: View, facts: StatusFacts): string {
  const { fill } = view;
  const { entries, kinds } = scaledEntries(view);
  return [
    titleOf(view),
    ...barLines(kinds, fill.limit),
    ...freedLines(facts, fill),
    ...cacheLine(facts),
    ...trimLines(facts),
    ...groupLines("By tool", Map.groupBy(entries, ({ tool }) => tool), MAX_LISTED.tools),
    ...groupLines("By file", Map.groupBy(entries, ({ path }) => path), MAX_LISTED.files),
  ].join("\n");
}

function freedLines(
  { freed, level, cache, nowMs }: StatusFacts,
  { tokens, model }: InsideFill,
): string[] {
  if (freed === undefined) return [];
  const total = tokens ?? freed.at_tokens;
  const pays = paybackOf(freed, {
    tokens: total,
    model,
    ttl: cache && cache.keptMs / 1000,
    isWarm: cache === undefined ? null : nowMs < cache.usedAtMs + cache.keptMs,
  });
  const options = [
    ["/trim", freed.light, pays.light],
    ["/trim --depth deep", freed.deep, pays.deep],
    ["/rollover", freed.rollover, pays.rollover],
    ["/compact, typically", total - COMPACTED_TOKENS, pays.compact],
  ] as const;
  const shown = options.filter(([, tokens]) => tokens > 0).map(([name, tokens, after]) =>
    `  ${name.padEnd(22)}${grouped(tokens).padStart(10)}  ` +
    (after === null ? "never" : after === 1 ? "at once" : `after ${counted(after, "request")}`)
  );
  if (shown.length === 0) return [];
  const advice = level === "ok" ? [] : [`Advice: ${shortAdvice(freed, { level, tokens, nowMs })}`];
  return [`${"Would free".padEnd(28)}tokens  pays off`, ...shown, ...advice];
}

function trimLines({ trim, since, nowMs }: StatusFacts): string[] {
  if (trim === undefined) return [];
  const { tokens_before: before, tokens_after: after, at_ms: atMs } = trim;
  const sizes = before === null || after === null
    ? ""
    : `: ${grouped(before)} -> ${grouped(after)} tokens`;
  const last = `Last trim ${ageText(nowMs - atMs)}${sizes}`;
  if (!since?.requests) return [last];
  return [last, `Since then: ${sinceTrimText(since, (before ?? 0) - (after ?? 0))}`];
}

function cacheLine({ cache, nowMs }: StatusFacts): string[] {
  if (cache === undefined) return [];
  const leftMs = cache.usedAtMs + cache.keptMs - nowMs;
  const left = durationText(leftMs) || "less than a minute";
  return [
    leftMs > 0
      ? `Prompt cache: used ${ageText(nowMs - cache.usedAtMs)}, kept for ${left} more`
      : "Prompt cache: expired. The next request writes it again anyway, so a trim costs nothing extra",
  ];
}

function titleOf({ fill: { tokens, limit }, plan }: View): string {
  const size = tokens ?? plan.tokens.before;
  return `Context: ${grouped(size)} of ${grouped(limit)} tokens, ${contextPercent(size, limit)}%` +
    (tokens === null ? " (estimate)" : "");
}

/**
 * Splits the client's category "Messages" by kind. Scales entries and kinds down if they add up to more than
 * the API's count, and lists a shortfall as unexplained.
 */
function scaledEntries(
  view: View,
): { entries: ViewEntry[]; kinds: [name: string, tokens: number][]; factor: number } {
  const { plan, fill: { categories, tokens: total } } = view;
  const listed = listEntries(view);
  const tokensOfKind = (kind: ViewEntry["kind"]): number =>
    tokensOf(listed.filter((entry) => entry.kind === kind));
  const { Messages: _, ...others } = categories;
  const kinds: [string, number][] = [
    ["Tool results", tokensOfKind("result")],
    ["Tool inputs", tokensOfKind("call")],
    ["Answers", tokensOfKind("answer")],
    ["Prompts and reminders", tokensOfKind("prompt")],
    ["Thinking", plan.losses.thinkingTokens * plan.scale],
    ...Object.entries(others),
  ];
  const sum = kinds.reduce((all, [, count]) => all + count, 0);
  const factor = Math.min(1, (total ?? sum) / sum) || 1;
  return {
    entries: listed.map((entry) => ({
      ...entry,
      tokens: entry.tokens * factor,
      freed: entry.freed * factor,
    })),
    kinds: [
      ...kinds.map(([name, count]): [string, number] => [name, count * factor]),
      ["Unexplained", Math.max(0, (total ?? sum) - sum)],
    ],
    factor,
  };
}

function tokensOf(entries: readonly ViewEntry[]): number {
  return entries.reduce((all, { tokens }) => all + tokens, 0);
}

function listEntries({ session: { rows, lines }, plan, root }: View): ViewEntry[] {
  const calls = callsById(rows);
  const lineOf = linesOfTexts(rows, lines.live);
  const sizeOf = (text: string): number => estimateTextTokens(text) * plan.scale;
  const entryOf = (
    kind: "call" | "result",
    { tool_use_id: id, tool, input }: CallRow,
    text: string,
    cut: string | undefined,
  ): ViewEntry => {
    const tokens = sizeOf(text);
    const named = PATH_ARGUMENTS.map((name) => input[name]).find((value) =>
      typeof value === "string"
    );
    const path = named?.startsWith(`${root}/`) === true ? named.slice(root.length + 1) : named;
    const head = `${tool}${kind === "call" ? " (input)" : ""} `;
    const room = ENTRY_NAME_CHARS - head.length;
    const about = Object.values(input).find((value) => typeof value === "string") ?? "";
    return {
      line: plan.lineOf(id, kind),
      kind,
      tool,
      path,
      name: head + (path === undefined ? firstWords(`${about}`, room) : pathEnd(path, room)),
      tokens,
      freed: cut === undefined ? 0 : tokens - sizeOf(cut),
    };
  };
  return [
    ...[...calls.values()].map((call) => {
      const cut = plan.cuts.inputs.get(call.tool_use_id);
      return entryOf("call", call, JSON.stringify(call.input), cut && JSON.stringify(cut));
    }),
    ...resultsIn(rows).map(({ tool_use_id: id, text }) => {
      const call = calls.get(id) ?? { tool_use_id: id, tool: "?", input: {} };
      return entryOf("result", call, text, plan.cuts.results.get(id));
    }),
    // A trim never cuts prompts, answers or reminders, but they can be the largest entries.
    ...rows.filter(({ text }) => text !== "").map((row): ViewEntry => {
      const { role, text } = row;
      const [kind, lead] = role === "assistant"
        ? ["answer" as const, "Answer"]
        : ["prompt" as const, isReminder(text) ? "Reminder" : "Prompt"];
      const name = `${lead} ${firstWords(text, ENTRY_NAME_CHARS - lead.length - 1)}`;
      return { line: lineOf.get(row), kind, name, tokens: sizeOf(text), freed: 0 };
    }),
  ];
}

function pathEnd(path: string, maxChars: number): string {
  const whole = cleanLine(path);
  if (whole.length <= maxChars) return whole;
  const end = whole.slice(-Math.max(1, maxChars - 1));
  return `…${end.slice(Math.max(0, end.indexOf("/")))}`;
}

function barLines(kinds: readonly [string, number][], limit: number): string[] {
  const shown = kinds.filter(([, tokens]) => tokens >= 1);
  const largest = Math.max(...shown.map(([, tokens]) => tokens), 1);
  return shown.map(([name, tokens]) => {
    const bar = "█".repeat(Math.round(tokens / largest * BAR_CHARS));
    const share = `${contextPercent(tokens, limit)}%`;
    return `  ${name.padEnd(24)}${grouped(tokens).padStart(9)} ${share.padStart(4)} ${bar}`
      .trimEnd();
  });
}

function groupLines(
  title: string,
  groups: ReadonlyMap<string | undefined, readonly ViewEntry[]>,
  max: number,
): string[] {
  const named = [...groups].filter(([name]) => name !== undefined)
    .map(([name, entries]) => ({ name: `${name}`, tokens: tokensOf(entries) }))
    .sort((a, b) => b.tokens - a.tokens);
  const more = named.length > max ? `, the first ${max} of ${grouped(named.length)}` : "";
  const lines = named.slice(0, max).map(({ name, tokens }) =>
    `  ${grouped(tokens).padStart(9)}  ${pathEnd(name, GROUP_NAME_CHARS)}`
  );
  return lines.length === 0 ? [] : [`${title}${more}:`, ...lines];
}
