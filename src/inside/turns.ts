import { cleanLine } from "../inject/clean.ts";
import { boundText, counted } from "../inject/bound.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { contentParts } from "../transcript/content.ts";
import type { Row, Rows } from "./client.ts";
import { hiddenReminder, unhide } from "./reminders.ts";
import { callsIn, resultsIn, userRow } from "./rows.ts";
import {
  isPrompt as isPromptLine,
  NOT_A_PROMPT,
  renderedTexts,
  type SessionLine,
} from "./session_lines.ts";

/** A prompt and everything up to the next prompt. */
export interface Turn {
  /** Counted from 1. */
  readonly number: number;
  readonly rows: Rows;
  /** Its lines in the transcript. */
  readonly lines: { readonly from: number; readonly to: number };
  /** Estimate before calibration. */
  readonly tokens: number;
  readonly title: string;
  /** A sign that the turn is obsolete, such as "refused"; empty if there is no sign. */
  readonly sign: string;
}

/** UTF-16 code units at the start of a message that identify it in the transcript. */
const TEXT_KEY_UNITS = 200;

const TITLE_CHARS = 44;

const REFUSED = /^The user doesn't want to (?:proceed|take this action)/;
const REVERTED = /\bgit (?:checkout|restore|stash|reset --hard|revert)\b/;
const WITHDRAWAL =
  /^(?:no\b|stop\b|undo\b|revert\b|forget\b|go back\b|that(?:'s| is) (?:wrong|not)\b)/i;

/**
 * Returns a function that finds the line of a message by the start of its text: the first match after a
 * given line.
 */
export function messageLineFinder(
  lines: readonly SessionLine[],
): (text: string, after?: number) => number | undefined {
  const numbers = new Map<string, number[]>();
  for (const { number, entry } of lines) {
    for (const { kind, text } of contentParts(entry)) {
      const key = text.slice(0, TEXT_KEY_UNITS);
      if (kind === "text") numbers.set(key, [...numbers.get(key) ?? [], number]);
    }
  }
  return (text, after = 0) =>
    numbers.get(text.slice(0, TEXT_KEY_UNITS))?.find((number) => number > after);
}

/** Lists the turns of a conversation. Rows before the first prompt belong to no turn. */
export function listTurns(
  { rows, lines }: {
    readonly rows: Rows;
    readonly lines: { readonly active: readonly SessionLine[] };
  },
): Turn[] {
  const starts = startsOf(rows, lines.active);
  const last = lines.active.at(-1)?.number ?? 0;
  return starts.map(({ first, prompt, from }, n) => {
    const next = starts[n + 1];
    const turnRows = rows.slice(first, next?.first);
    return {
      number: n + 1,
      rows: turnRows,
      lines: { from, to: (next?.from ?? last + 1) - 1 },
      tokens: turnRows.reduce((sum, row) => sum + tokensOf(row), 0),
      title: firstWords(rows[prompt]?.text ?? "", TITLE_CHARS),
      sign: signOf(turnRows, next && rows[next.prompt]),
    };
  });
}

interface Start {
  /** Index of the turn's first row: its prompt, or a reminder that belongs to the prompt. */
  readonly first: number;
  /** Index of the prompt's row. */
  readonly prompt: number;
  /** The turn's first line. */
  readonly from: number;
}

/** A text without a line of its own, such as a skill's or the second block of a prompt, begins no turn. */
function startsOf(rows: Rows, lines: readonly SessionLine[]): Start[] {
  const promptLineOf = messageLineFinder(lines.filter(isPromptLine));
  const lineOf = messageLineFinder(lines);
  const attached = new Map<string, number>();
  for (const { number, entry } of lines) {
    for (const text of renderedTexts(entry)) attached.set(text.trim(), number);
  }
  const starts: Start[] = [];
  let previous = 0;
  for (const [prompt, row] of rows.entries()) {
    const line = isPrompt(row) ? promptLineOf(row.text, previous) : undefined;
    if (line === undefined) continue;
    let [first, from] = [prompt, line];
    // The client sends what it attaches to a prompt before the prompt. The transcript has it after the
    // prompt's line, unless a trim has rewritten it.
    while (first > 0) {
      const before = rows[first - 1] ?? row;
      const text = unhide(before.text).trim();
      if (!text.startsWith("<system-reminder>") || droppedLines(before) !== undefined) break;
      // What stands before the first prompt of a rewritten conversation is the client's own.
      if ((attached.get(text) ?? (starts.length && line)) < line) break;
      from = Math.min(from, lineOf(before.text, previous) ?? from);
      first--;
    }
    starts.push({ first, prompt, from });
    previous = line;
  }
  return starts;
}

/** Matches the client's own tags. It shows nothing of an answer that contains `<local-command-caveat>`. */
const CLIENT_TAG = /<\/?(?:bash|command|local-command|system|task|user-prompt)-[\w-]*>/g;

/** Returns the start of a text as one line without the client's tags. */
export function firstWords(text: string, maxChars: number): string {
  const words = cleanLine(boundText(text, 400).replaceAll(CLIENT_TAG, " "));
  return words.length > maxChars ? `${boundText(words, maxChars - 1)}…` : words;
}

function isPrompt({ role, text, toolResults }: Readonly<Row>): boolean {
  return role === "user" && toolResults === undefined && text !== "" && !NOT_A_PROMPT.test(text);
}

function tokensOf({ text, toolUses, toolResults = [] }: Readonly<Row>): number {
  const inputs = toolUses.map(({ input }) => JSON.stringify(input));
  const texts = [text, ...inputs, ...toolResults.map((result) => result.text)];
  return texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
}

function signOf(rows: Rows, next: Readonly<Row> | undefined): string {
  if (callsIn(rows).some(({ input }) => REVERTED.test(`${input.command}`))) {
    return "changes reverted";
  }
  if (resultsIn(rows).some(({ text }) => REFUSED.test(text))) return "refused";
  return WITHDRAWAL.test(next?.text ?? "") ? "withdrawn by the next prompt" : "";
}

export interface DroppedTurns {
  readonly rows: Rows;
  readonly turns: readonly Turn[];
  /** Estimate before calibration. */
  readonly tokens: number;
}

/** Matches typed lines such as `12` or `12-30`, and typed turns such as `#2` or `#2-#4`. */
const RANGE = /^(#?)(\d{1,9})(?:-#?(\d{1,9}))?$/;

/**
 * Replaces whole turns with a note. Keeps the last answer of adjacent turns if it is a question, because a
 * later prompt answers it.
 *
 * @throws {RangeError} When a range is malformed, matches no turn, or includes the newest turn.
 */
export function dropTurns(
  session: Parameters<typeof listTurns>[0],
  ranges: readonly string[],
  sessionName: string,
): DroppedTurns {
  const turns = listTurns(session);
  const named = new Set(ranges.flatMap((range) => turnsIn(range, turns)));
  const newest = turns.at(-1);
  if (newest !== undefined && named.has(newest)) {
    throw new RangeError(`turn ${newest.number} is the newest: /rewind undoes it`);
  }
  const first = turns[0]?.rows[0];
  const rows = session.rows.slice(0, first && session.rows.indexOf(first));
  let run: Turn[] = [];
  for (const turn of turns) {
    if (named.has(turn)) {
      run.push(turn);
      continue;
    }
    rows.push(...noteFor(run, sessionName), ...turn.rows);
    run = [];
  }
  const dropped = turns.filter((turn) => named.has(turn));
  return { rows, turns: dropped, tokens: dropped.reduce((sum, { tokens }) => sum + tokens, 0) };
}

function turnsIn(range: string, turns: readonly Turn[]): Turn[] {
  const [, hash, from, to = from] = RANGE.exec(range) ?? [];
  if (from === undefined) {
    throw new RangeError(
      `"${range}" is not a range: --drop takes lines such as 12-30, or turns #2-#4`,
    );
  }
  const [low, high] = [Number(from), Number(to)];
  const found = turns.filter(({ number, lines }) =>
    hash === "#" ? number >= low && number <= high : lines.from <= high && lines.to >= low
  );
  if (found.length === 0) {
    throw new RangeError(`"${range}" matches no turn: /trim --entries lists them`);
  }
  return found;
}

function noteFor(run: readonly Turn[], sessionName: string): Readonly<Row>[] {
  const [from, to] = [run[0]?.lines.from, run.at(-1)?.lines.to];
  if (from === undefined || to === undefined) return [];
  const calls = callsIn(run.flatMap(({ rows }) => rows)).length;
  const note = `[The user took ${counted(run.length, "turn")} with ${counted(calls, "call")} ` +
    `out of the conversation: lines ${from} to ${to} of ${sessionName}]`;
  const question = run.at(-1)?.rows.findLast(({ role, text }) =>
    role === "assistant" && text !== ""
  );
  return [
    userRow(hiddenReminder(note)),
    ...(question !== undefined && /\?[\s*_)"'`]*$/.test(question.text) ? [question] : []),
  ];
}

/** Matches the whole note, because a person or the model may quote it. */
const NOTE =
  /^<system-reminder>\n\[The user took [\d,]+ turns? with [\d,]+ calls? out of the conversation: lines (\d+) to (\d+) of ([0-9a-f-]+)\]\n<\/system-reminder>$/;

export function droppedLines(
  { text }: Readonly<Row>,
): { readonly from: number; readonly to: number; readonly session: string } | undefined {
  const [, from, to, session = ""] = NOTE.exec(unhide(text)) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to), session };
}
