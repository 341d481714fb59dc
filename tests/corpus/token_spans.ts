/**
 * Reads the spans of real sessions: the texts between two consecutive answers of the model, and the
 * growth of the billed usage. The code is slow and independent, so that the figures do not depend
 * on the code that they judge.
 *
 * @module
 */

import {
  countTextUnits,
  estimateThinkingTokens,
  finalOutput,
  sampleOfSpan,
  type TextUnits,
  TOKEN_WEIGHTS,
  TOOL_RESULT_TOKENS,
  TOOL_USE_TOKENS,
} from "../../src/transcript/tokens/tokens.ts";

/** In the order of {@linkcode SpanRow.units}. */
export const UNITS = Object.keys(TOKEN_WEIGHTS) as readonly (keyof TextUnits)[];

export const LARGE_CHARACTERS = 5000;

/** Tokens of the client's reminder about its task tools, whose text is not in the transcript. */
const TASK_REMINDER_TOKENS = 110;

export interface SpanRow {
  file: string;
  model: string | undefined;
  resultCharacters: number;
  characters: number;
  units: number[];
  /** Tokens that do not depend on text: a constant per block, and thinking. */
  fixed: number;
  /** Billed tokens. */
  actual: number;
}

export interface SpanCorpus {
  rows: SpanRow[];
  sessions: number;
  /** Includes excluded spans. */
  large: number;
  /** Number of excluded large spans, by reason. */
  excluded: Map<string, number>;
}

interface Block {
  type: string;
  id?: string;
  name?: string;
  input?: unknown;
  text?: string;
  thinking?: string;
  signature?: string;
  tool_use_id?: string;
  content?: string | Block[];
}

interface Attachment {
  type: string;
  text?: string;
  content?: string | string[] | { content?: string };
  addedLines?: string[];
  addedBlocks?: string[];
  prompt?: unknown;
  snippet?: string;
  files?: unknown;
}

interface Line {
  type: string;
  subtype?: string;
  uuid?: string;
  parentUuid?: string | null;
  isSidechain?: boolean;
  isApiErrorMessage?: boolean;
  attachment?: Attachment;
  message?: {
    id: string;
    model?: string;
    content?: string | Block[];
    stop_reason?: string | null;
    usage?: Record<string, number | undefined>;
  };
}

interface Session {
  byId: Map<string, Line>;
  children: Map<string, Line[]>;
  answers: Map<string, Line[]>;
  carriers: Map<string, Line>;
}

export function readSpanCorpus(folder: string): SpanCorpus {
  const corpus: SpanCorpus = { rows: [], sessions: 0, large: 0, excluded: new Map() };
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
  for (const name of names.filter((name) => name.endsWith(".jsonl"))) {
    corpus.sessions++;
    const session = readSession(`${folder}/${name}`);
    for (const answer of session.answers.values()) {
      const found = entriesBefore(answer, session);
      if (found !== undefined) addSpan(name, answer, found, session, corpus);
    }
  }
  return corpus;
}

function readSession(path: string): Session {
  const session: Session = {
    byId: new Map(),
    children: new Map(),
    answers: new Map(),
    carriers: new Map(),
  };
  for (const text of Deno.readTextFileSync(path).split("\n")) {
    const line = parse(text);
    if (line === undefined || line.isSidechain === true) continue;
    if (line.uuid !== undefined && !session.byId.has(line.uuid)) {
      session.byId.set(line.uuid, line);
      append(session.children, line.parentUuid ?? "", line);
    }
    if (line.type === "assistant") append(session.answers, line.message?.id ?? "", line);
    for (const block of blocksOf(line, "tool_result")) {
      const id = block.tool_use_id ?? "";
      if (!session.carriers.has(id)) session.carriers.set(id, line);
    }
  }
  return session;
}

/** Walks up from an answer to the previous answer; undefined if a compaction lies between. */
function entriesBefore(
  answer: Line[],
  session: Session,
): { before: Line[]; between: Line[] } | undefined {
  const id = answer[0]?.message?.id;
  const between: Line[] = [];
  let line = session.byId.get(answer[0]?.parentUuid ?? "");
  while (line !== undefined && (line.type !== "assistant" || line.message?.id === id)) {
    if (line.subtype?.includes("compact")) return undefined;
    if (line.type !== "assistant") between.push(line);
    line = session.byId.get(line.parentUuid ?? "");
  }
  const before = session.answers.get(line?.message?.id ?? "");
  if (before === undefined || !isBilled(before) || !isBilled(answer)) return undefined;
  return { before, between };
}

function addSpan(
  file: string,
  answer: Line[],
  { before, between }: { before: Line[]; between: Line[] },
  session: Session,
  corpus: SpanCorpus,
): void {
  const calls = before.flatMap((line) => blocksOf(line, "tool_use"));
  const entered = readEntered(calls, withParallelResults(between, calls, session));
  const isLarge = entered.resultCharacters > LARGE_CHARACTERS;
  if (isLarge) corpus.large++;
  const contextBefore = contextOf(before);
  const contextAfter = contextOf(answer);
  const why = contextAfter <= contextBefore
    ? "the context shrank"
    : before.at(-1)?.message?.model !== answer.at(-1)?.message?.model
    ? "another model"
    : entered.trouble;
  if (why !== undefined) {
    if (isLarge) corpus.excluded.set(why, (corpus.excluded.get(why) ?? 0) + 1);
    return;
  }

  const last = before.at(-1)?.message;
  const outputTokens = finalOutput({
    first: before[0]?.message?.usage?.output_tokens ?? 0,
    last: last?.usage?.output_tokens ?? 0,
    stopReason: last?.stop_reason,
  });
  const own = outputTokens === undefined
    ? readOwn(before, calls)
    : { texts: [], fixed: 0, thinkingTokens: 0 };
  const texts = [...entered.texts, ...own.texts];
  const counted = texts.map((text) => countTextUnits(text));
  const { actualTokens } = sampleOfSpan({
    contextBefore,
    contextAfter,
    outputTokens,
    ownPriorTokens: 0,
    enteredPriorTokens: 0,
  });
  if (actualTokens <= 0) return;
  corpus.rows.push({
    file,
    model: last?.model,
    resultCharacters: entered.resultCharacters,
    characters: texts.reduce((sum, text) => sum + text.length, own.thinkingTokens),
    units: UNITS.map((unit) => counted.reduce((sum, units) => sum + units[unit], 0)),
    fixed: entered.fixed + own.fixed,
    actual: actualTokens,
  });
}

/** Parallel results are children of their own calls, outside of the chain, but are sent, too. */
function withParallelResults(between: Line[], calls: Block[], session: Session): Set<Line> {
  const lines = new Set(between);
  for (const call of calls) {
    const carrier = session.carriers.get(call.id ?? "");
    if (carrier !== undefined) lines.add(carrier);
  }
  for (const line of lines) {
    for (const child of session.children.get(line.uuid ?? "") ?? []) {
      if (child.type === "attachment" || child.type === "progress") lines.add(child);
    }
  }
  return lines;
}

interface Entered {
  texts: string[];
  fixed: number;
  resultCharacters: number;
  trouble: string | undefined;
}

function readEntered(calls: Block[], lines: Set<Line>): Entered {
  const entered: Entered = { texts: [], fixed: 0, resultCharacters: 0, trouble: undefined };
  const unanswered = new Set(calls.map((call) => call.id));
  for (const { type, attachment, message } of lines) {
    if (attachment !== undefined) {
      entered.texts.push(...attachmentTexts(attachment));
      if (attachment.type === "task_reminder") entered.fixed += TASK_REMINDER_TOKENS;
    }
    if (type !== "user" || message === undefined) continue;
    const { content = "" } = message;
    for (const block of typeof content === "string" ? [{ type: "text" } as Block] : content) {
      if (block.type === "text") entered.trouble ??= "a prompt";
      else if (block.type !== "tool_result") entered.trouble = "a picture or document";
      else {
        if (!unanswered.delete(block.tool_use_id)) entered.trouble = "another message's result";
        const parts = typeof block.content === "string"
          ? [{ type: "text", text: block.content }]
          : block.content ?? [];
        if (parts.some((part) => part.type !== "text")) entered.trouble = "a picture or document";
        const text = parts.map((part) => part.text ?? "").join("\n");
        entered.texts.push(text);
        entered.resultCharacters += text.length;
        entered.fixed += TOOL_RESULT_TOKENS;
      }
    }
  }
  if (unanswered.size > 0) entered.trouble = "a result is missing";
  return entered;
}

/** Reads an answer's own content, for answers whose output tokens are unknown. */
function readOwn(
  before: Line[],
  calls: Block[],
): { texts: string[]; fixed: number; thinkingTokens: number } {
  const texts = calls.map((call) => [call.name, ...stringsOf(call.input)].join("\n"));
  texts.push(
    ...before.flatMap((line) => blocksOf(line, "text")).map((block) => block.text ?? ""),
  );
  let fixed = calls.length * TOOL_USE_TOKENS;
  let thinkingTokens = 0;
  for (const block of before.flatMap((line) => blocksOf(line, "thinking"))) {
    const { thinking = "", signature = "" } = block;
    fixed += estimateThinkingTokens(thinking, signature.length);
    thinkingTokens += thinking.length;
  }
  return { texts, fixed, thinkingTokens: thinkingTokens };
}

/**
 * Returns the part of an attachment that reaches the model: empty for outcomes of hooks and for
 * settings.
 */
function attachmentTexts(attachment: Attachment): string[] {
  switch (attachment.type) {
    case "total_tokens_reminder":
    case "deferred_tools_delta":
    case "agent_listing_delta":
    case "mcp_instructions_delta":
    case "skill_listing":
    case "hook_additional_context":
    case "queued_command":
    case "nested_memory":
    case "edited_text_file":
    case "diagnostics": {
      const { text, content, addedLines, addedBlocks, prompt, snippet, files } = attachment;
      const inner = typeof content === "object" && "content" in content ? content.content : content;
      return stringsOf([text, inner, addedLines, addedBlocks, prompt, snippet, files]);
    }
    default:
      return [];
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [String(value)];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)]);
}

function blocksOf(line: Line, type: string): Block[] {
  const content = line.message?.content;
  return Array.isArray(content) ? content.filter((block) => block.type === type) : [];
}

function isBilled(answer: Line[]): boolean {
  return answer[0]?.message?.model !== "<synthetic>" && answer[0]?.isApiErrorMessage !== true;
}

function contextOf(answer: Line[]): number {
  const usage = answer.at(-1)?.message?.usage ?? {};
  return (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0);
}

function append(map: Map<string, Line[]>, key: string, line: Line): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [line]);
  else list.push(line);
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined; // a torn or doubled line: only the spans around it are lost
  }
}
