import { isQuestion } from "../core/questions.ts";
import { cleanLine } from "../inject/clean.ts";
import { boundText, counted } from "../inject/bound.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { contentParts, queuedPrompt } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import { droppedRange, isRebuilt } from "../transcript/in_place.ts";
import type { Row, Rows } from "./client.ts";
import { hiddenReminder, isReminder, textBeforeHiding } from "./reminders.ts";
import { callsIn, userRow } from "./rows.ts";
import {
  contentBlocks,
  isPrompt,
  renderedTexts,
  type SessionLine,
  type SessionLines,
} from "./session_lines.ts";

/** A prompt and everything up to the next prompt. */
export interface Turn {
  readonly number: number;
  readonly rows: Rows;
  readonly lines: { readonly from: number; readonly to: number };
  /** Estimate before calibration. */
  readonly tokens: number;
  readonly title: string;
}

type Lines = Pick<SessionLines, "before" | "live">;

interface Conversation {
  readonly rows: Rows;
  readonly lines: Lines;
}

const TITLE_CHARS = 44;

/** Matches the start of a command that the user ran with `!`. */
const BASH_INPUT = /^<bash-input>/;

/** Lists the turns of a conversation. Rows before the first prompt belong to no turn. */
export function listTurns({ rows, lines }: Conversation): Turn[] {
  const { live } = lines;
  const lineOf = linesOfTexts(rows, live);
  const remainingPrompts = promptLines(lines);
  const starts = rows.flatMap((row, prompt) => {
    const line = lineOf.get(row) ?? 0;
    const from = remainingPrompts.get(line);
    // Only a line's first row starts a turn; further blocks of the prompt have the same line.
    remainingPrompts.delete(line);
    return from === undefined ? [] : [{ prompt, from }];
  });
  // Attachments belong to the turn that contains their line: undoing a drop restores whole lines.
  const turnRows = Map.groupBy(rows, (row, index) => {
    const line = isAttached(row.text) ? lineOf.get(row) : undefined;
    return starts.findLastIndex(({ prompt, from }) =>
      line === undefined ? prompt <= index : from <= line
    );
  });
  const end = (live.at(-1)?.number ?? 0) + 1;
  return starts.map(({ prompt, from }, n) => {
    const own = turnRows.get(n) ?? [];
    return {
      number: n + 1,
      rows: own,
      lines: { from, to: (starts[n + 1]?.from ?? end) - 1 },
      tokens: own.reduce((sum, row) => sum + tokensOf(row), 0),
      title: firstWords(rows[prompt]?.text.replace(BASH_INPUT, "! ") ?? "", TITLE_CHARS),
    };
  });
}

/** If more lines than rows have the same text, the client sends only the newest of these lines. */
export function linesOfTexts(
  rows: Rows,
  lines: readonly SessionLine[],
): Map<Readonly<Row>, number> {
  const found = textsOf(lines);
  return new Map(
    rows.toReversed().flatMap((row) => {
      const line = row.text === "" ? undefined : found.get(textBeforeHiding(row.text))?.pop()?.line;
      return line === undefined ? [] : [[row, line.number]];
    }),
  );
}

function textsOf(
  lines: readonly SessionLine[],
): Map<string, { readonly line: SessionLine; readonly index: number }[]> {
  const places = lines.flatMap((line) => {
    const { entry } = line;
    const own = contentParts(entry).filter(({ kind }) => kind === "text");
    const texts = [...own.map(({ text }) => text), ...renderedTexts(entry)];
    const queued = queuedPrompt(entry);
    if (queued !== undefined && !texts.includes(queued)) texts.push(queued);
    return texts.map((text, index) => ({ key: textBeforeHiding(text), line, index }));
  });
  return Map.groupBy(places, ({ key }) => key);
}

/** A trim writes each block as a user message, so only the original line shows who wrote it. */
function addedLines({ before, live }: Lines): Set<SessionLine | undefined> {
  const dropped = live.flatMap((line) => droppedRange(textOf(line)) ?? []);
  const originals = textsOf(
    before.filter(({ number, entry }) =>
      entry.type !== "assistant" && !isRebuilt(entry) &&
      !dropped.some(({ from, to }) => number >= from && number <= to)
    ),
  );
  return new Set(
    live.toReversed().filter((line) => {
      const place = isRebuilt(line.entry)
        ? originals.get(textBeforeHiding(textOf(line)))?.pop()
        : undefined;
      const { line: { entry: { type, raw } }, index } = place ?? { line, index: 0 };
      return type !== "user" || raw.isMeta === true || index > 0;
    }),
  );
}

/** Keyed by the line of a turn's prompt or, if a command supplies the prompt, of the command. */
function promptLines(session: Lines): Map<number, number> {
  const lines = session.live;
  const added = addedLines(session);
  const found = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const text = textOf(line);
    const next = lines[index + 1];
    // The line after the user's own command has the text of the command, which the client hides.
    const isCommand = /^<command-/.test(text) &&
      (isSkillText(next) || (added.has(next) && !/^(?:<|$)/.test(textOf(next))));
    const isTyped = isPrompt(line) && !isSkillText(line) && !added.has(line);
    if (!isCommand && !isTyped && !BASH_INPUT.test(text)) continue;
    let from = line.number;
    // A trim writes attachments before the prompt. Before the first prompt, they are the client's.
    for (let at = index - 1; found.size > 0 && isAttached(textOf(lines[at])); at--) {
      from = lines[at]?.number ?? from;
    }
    found.set(line.number, from);
  }
  return found;
}

function textOf(line: SessionLine | undefined): string {
  return line?.entry.type === "user" ? asString(contentBlocks(line)[0]?.text) ?? "" : "";
}

function isSkillText(line: SessionLine | undefined): boolean {
  return /^Base directory for this skill:/.test(textOf(line));
}

/** Whether a text belongs to the prompt after it, unlike a note about dropped turns. */
function isAttached(text: string): boolean {
  return isReminder(text) && droppedRange(text) === undefined;
}

/** Matches the client's own tags. The client hides an answer that contains `<local-command-caveat>`. */
const CLIENT_TAG = /<\/?(?:bash|command|local-command|system|task|user-prompt)-[\w-]*>/g;

export function firstWords(text: string, maxChars: number): string {
  const words = cleanLine(boundText(text, 400).replaceAll(CLIENT_TAG, " "));
  return words.length > maxChars ? `${boundText(words, maxChars - 1)}…` : words;
}

function tokensOf({ text, toolUses, toolResults = [] }: Readonly<Row>): number {
  const inputs = toolUses.map(({ input }) => JSON.stringify(input));
  const texts = [text, ...inputs, ...toolResults.map((result) => result.text)];
  return texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
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
  session: Conversation,
  ranges: readonly string[],
  sessionName: string,
): { readonly rows: Rows; readonly turns: readonly Turn[] } {
  const turns = listTurns(session);
  const named = new Set(ranges.flatMap((range) => turnsIn(range, turns, session.lines.before)));
  const newest = turns.at(-1);
  if (newest !== undefined && named.has(newest)) {
    throw new RangeError(`turn ${newest.number} is the newest: /rewind undoes it`);
  }
  const turnOf = new Map([...named].flatMap((turn) => turn.rows.map((row) => [row, turn])));
  const left = new Set(named);
  const rows = session.rows.flatMap((row) => {
    const turn = turnOf.get(row);
    if (turn === undefined) return [row];
    // Adjacent turns share one note, at the position of their first row.
    const run: Turn[] = [];
    for (let n = turn.number; left.delete(turns[n - 1] ?? turn); n++) {
      run.push(turns[n - 1] ?? turn);
    }
    return noteFor(run, sessionName);
  });
  return { rows, turns: turns.filter((turn) => named.has(turn)) };
}

function turnsIn(
  range: string,
  turns: readonly Turn[],
  before: readonly SessionLine[],
): Turn[] {
  const [, hash, from, to = from] = RANGE.exec(range) ?? [];
  if (from === undefined) {
    throw new RangeError(
      `"${range}" is not a range: --drop takes lines such as 12-30, or turns #2-#4`,
    );
  }
  const [low, high] = [Number(from), Number(to)];
  // A single number can be the original line of a call or a result, and selects its turn.
  const ids = new Set(
    before.filter(({ number }) => low === high && number === low).flatMap(contentBlocks)
      .map(({ id, tool_use_id }) => tool_use_id ?? id),
  );
  const found = turns.filter(({ number, lines, rows }) =>
    hash === "#" ? number >= low && number <= high : (lines.from <= high && lines.to >= low) ||
      callsIn(rows).some(({ tool_use_id }) => ids.has(tool_use_id))
  );
  if (found.length === 0) {
    throw new RangeError(`"${range}" matches no turn: /trim --entries lists the turns`);
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
    ...(question !== undefined && isQuestion(question.text) ? [question] : []),
  ];
}
