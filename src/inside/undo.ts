/** Undoes a trim or a compaction. The transcript still has the earlier conversation, before the boundary. */

import { isObject, type JsonObject, stringsIn } from "../core/record.ts";
import { isCutText } from "../core/marks.ts";
import { mediaData, queuedPrompt, resultTexts } from "../transcript/content.ts";
import { asString } from "../transcript/entry.ts";
import type { ApiMessage, Row, Rows } from "./client.ts";
import { isReminder, isRestoredContext, textBeforeHiding } from "./reminders.ts";
import { callsIn, type RawConversation, resultsIn, type RowChanges, userRow } from "./rows.ts";
import {
  type Boundary,
  contentBlocks,
  keptLinesOf,
  renderedBlocks,
  type SessionLine,
  type SessionLines,
  uuidOf,
} from "./session_lines.ts";

export function listUndoable({ boundaries }: SessionLines): Boundary[] {
  const undoable: Boundary[] = [];
  for (const boundary of boundaries) {
    if (boundary.kind === "undo") undoable.pop();
    else undoable.push(boundary);
  }
  return undoable.reverse();
}

/** Returns `undefined` if the compaction summarized nothing, or the conversation lacks the summary. */
export function undoCompaction(
  { rows, messages }: RawConversation,
  session: SessionLines,
  { line }: Boundary,
): RawConversation & { count: number; lines: readonly SessionLine[] } | undefined {
  const { number } = line;
  const { before, active } = session;
  const { lines, parents } = linesBefore(session, number);
  const summary = [...before, ...active].find((line) =>
    line.number > number && line.entry.raw.isCompactSummary === true
  );
  const text = resultTexts(summary?.entry.message?.content).join("\n").trim();
  const summaryIndex = messages.findIndex(({ role, content }) =>
    role === "user" && content.some((block) => trimmedText(block) === text)
  );
  // The kept lines are still in the conversation, after the summary or, with "from here", before it.
  const kept = new Set(keptLinesOf(line, parents).uuids);
  const old = conversationOf(lines, parents, {
    isWanted: (wanted) => !kept.has(uuidOf(wanted)),
    tip: tipBefore(line, parents),
  });
  if (old.length === 0) return undefined;
  // Without a summary, a client that was killed during a trim has written only some messages.
  const copied = summary === undefined ? countCopied(messages, old) : 0;
  let restored = [...old, ...withoutLeading(messages, copied, true)];
  if (copied === 0) {
    if (text === "" || summaryIndex < 0) return undefined;
    // The files and hook output that the client sends again after a summary are dropped.
    const renewed = lines.some(({ entry }) => renderedBlocks(entry).length > 0)
      ? attachmentsOf([...before, ...active].filter((line) => line.number > number))
      : [];
    const later = messages.slice(summaryIndex).map(({ role, content }) => ({
      role,
      content: content.filter((block) => {
        const key = contentKey(block);
        // Drops each re-sent block only once, because the user may have mentioned the same file again.
        const renewedAt = renewed.indexOf(key);
        if (renewedAt >= 0) renewed.splice(renewedAt, 1);
        return renewedAt < 0 && key !== text && !isRestoredContext(key);
      }),
    })).filter(({ content }) => content.length > 0);
    // If the boundary lists the kept lines, `old` already excludes them. Only some clients list them.
    const others = kept.size > 0 ? later : withoutKept(later, old);
    restored = [...messages.slice(0, summaryIndex), ...old, ...others];
  }
  return { rows: [...promptRows(old), ...rows], messages: restored, count: old.length, lines };
}

export function tipBefore(
  boundary: SessionLine,
  parents: ReadonlyMap<string, string>,
): string | undefined {
  const { uuids = [], anchorUuid } = keptLinesOf(boundary, parents);
  // If the user chose "from here", the kept lines come first, and the boundary is their anchor.
  if (uuids.length > 0) return anchorUuid === uuidOf(boundary) ? undefined : uuids.at(-1);
  return asString(boundary.entry.raw.logicalParentUuid);
}

function linesBefore(
  { before, boundaries, parents }: SessionLines,
  end: number,
): Pick<SessionLines, "parents"> & { readonly lines: readonly SessionLine[] } {
  const previous = boundaries.findLast(({ line }) => line.number < end)?.line;
  const start = previous?.number ?? 0;
  const own = before.filter(({ number }) => number > start && number < end);
  const { uuids, anchorUuid = "" } = previous === undefined ? {} : keptLinesOf(previous, parents);
  const ids = new Set(uuids);
  const kept = before.filter((line) => line.number < start && ids.has(uuidOf(line)));
  // Kept lines follow the summary or, with "from here", precede it; their followers are relinked.
  const insertAt = own.findIndex((line) => uuidOf(line) === anchorUuid) + 1;
  const links = new Map(parents);
  // Marks the boundary as a root: after a rewind to the first message, only links refer to it.
  if (previous !== undefined) links.set(uuidOf(previous), uuidOf(previous));
  let last = anchorUuid;
  for (const line of kept) {
    links.set(uuidOf(line), last);
    last = uuidOf(line);
  }
  // Also relinks attachments without text, which are not among the lines.
  for (const [id, parent] of parents) {
    if (parent === anchorUuid && !ids.has(id)) links.set(id, last);
  }
  return { lines: [...own.slice(0, insertAt), ...kept, ...own.slice(insertAt)], parents: links };
}

/** Omits prompts that the user sent while the model worked, and calls and results, which have no key. */
function attachmentsOf(after: readonly SessionLine[]): string[] {
  const end = after.findIndex((line) =>
    line.entry.raw.isCompactSummary !== true && line.entry.type !== "attachment" &&
    contentBlocks(line).some(({ text }) => !COMMAND_OR_OUTPUT.test(asString(text) ?? ""))
  );
  const between = end < 0 ? after : after.slice(0, end);
  return between.flatMap(({ entry }) => queuedPrompt(entry) ? [] : renderedBlocks(entry))
    .map(contentKey).filter((key) => key !== "");
}

/** Removes the leading messages that the compaction kept, because the old messages include them. */
function withoutKept(later: readonly ApiMessage[], old: readonly ApiMessage[]): ApiMessage[] {
  const known = old.flatMap(keysOf);
  const kept = later.flatMap(keysOf);
  let count = Math.min(known.length, kept.length);
  while (count > 0 && !kept.slice(0, count).every((key, n) => key === known.at(n - count))) count--;
  return withoutLeading(later, count);
}

/** Counts the leading blocks that `messages` and `old` share; 0 if later calls also occur in `old`. */
function countCopied(messages: readonly ApiMessage[], old: readonly ApiMessage[]): number {
  const known = old.flatMap(keysOf);
  const keys = messages.flatMap(keysOf);
  const end = keys.findIndex((key, n) => key !== known[n]);
  if (end < 0) return keys.length;
  // Only ids are compared, because a text can be repeated.
  return keys.slice(end).some((key) => key.includes(ID_MARK) && known.includes(key)) ? 0 : end;
}

/** Drops the first `count` blocks with a key and, with `areCopies`, the reminders among them. */
function withoutLeading(
  messages: readonly ApiMessage[],
  count: number,
  areCopies = false,
): ApiMessage[] {
  let left = count;
  return messages.map(({ role, content }) => ({
    role,
    content: content.filter((block) =>
      keyOf(role, block) === undefined ? left <= 0 || !areCopies : left-- <= 0
    ),
  })).filter(({ content }) => content.length > 0);
}

function keysOf({ role, content }: ApiMessage): string[] {
  return content.flatMap((block) => keyOf(role, block) ?? []);
}

/** Starts the key of a call or a result; the key of a text never starts with it. */
const ID_MARK = "\0";

function keyOf(role: string, block: JsonObject): string | undefined {
  if (isReminder(trimmedText(block))) return undefined;
  const id = asString(block.tool_use_id) ?? asString(block.id);
  const key = id === undefined ? asString(block.text)?.trim() : ID_MARK + id;
  return key === undefined ? undefined : `${role} ${key}`;
}

function contentKey(block: JsonObject): string {
  return mediaData(block) || trimmedText(block);
}

function trimmedText({ text }: JsonObject): string {
  return textBeforeHiding(asString(text) ?? "");
}

const COMMAND_OR_OUTPUT = /^<(?:command-name|local-command-caveat|local-command-stdout)>/;

/**
 * Rebuilds the conversation that the client would send after the given lines. Each answer, call and result
 * occurs once, and each result follows the answer that made the call.
 *
 * @param options.isWanted Selects lines; the results of their calls are included.
 * @param options.tip The uuid of the last line, because the user may have rewound the conversation.
 */
export function conversationOf(
  lines: readonly SessionLine[],
  parents: ReadonlyMap<string, string>,
  { isWanted = () => true, tip }: {
    readonly isWanted?: (line: SessionLine) => boolean;
    readonly tip?: string | undefined;
  } = {},
): ApiMessage[] {
  const sent = sentLines(lines, parents, tip);
  const results = new Map<unknown, JsonObject>();
  for (const block of sent.flatMap(contentBlocks)) {
    if (isResult(block) && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
  }
  const messages: { role: ApiMessage["role"]; content: JsonObject[] }[] = [];
  const answers = new Map<string, Answer>();
  const callers = new Map<unknown, Answer>();
  for (const line of sent) {
    if (line.entry.type !== "assistant") {
      const content = line.entry.type === "attachment"
        ? renderedBlocks(line.entry)
        : contentBlocks(line).filter((block) => !isResult(block));
      if (isWanted(line)) messages.push({ role: "user", content });
      continue;
    }
    const id = answerOf(line);
    const answer = answers.get(id) ?? { blocks: [], results: [] };
    // Prompts can come between the lines of an answer, which takes the place of its first line.
    if (!answers.has(id) && isWanted(line)) {
      messages.push({ role: "assistant", content: answer.blocks });
      messages.push({ role: "user", content: answer.results });
    }
    answers.set(id, answer);
    for (const block of contentBlocks(line)) {
      const { id, type } = block;
      if (type === "tool_use") {
        // Omits a call without a result, which the API rejects, and a repeated call.
        if (!results.has(id) || callers.has(id)) continue;
        callers.set(id, answer);
      }
      answer.blocks.push(block);
    }
  }
  // The client sends the results of parallel calls in the order in which the calls ended.
  for (const [id, result] of results) callers.get(id)?.results.push(result);
  return messages.filter(({ content }) => content.length > 0);
}

interface Answer {
  readonly blocks: JsonObject[];
  readonly results: JsonObject[];
}

function isResult({ type }: JsonObject): boolean {
  return type === "tool_result";
}

/**
 * Leaves out abandoned branches, API errors and repeated lines. Keeps all lines and results of an
 * answer, and the lines that the client adds to them: attachments, and messages such as the text of a skill.
 * The results and the added lines can be on another branch.
 */
function sentLines(
  lines: readonly SessionLine[],
  parents: ReadonlyMap<string, string>,
  tip: string | undefined,
): SessionLine[] {
  const seen = new Set<unknown>();
  // A line can be written twice.
  const own = lines.filter(({ entry, number }) => {
    const { size } = seen;
    // The client never sends an API error.
    const isFailure = entry.raw.isApiErrorMessage === true &&
      entry.message?.model === "<synthetic>";
    return !isFailure && seen.add(entry.uuid ?? number).size > size;
  });
  const chain = new Set<string>();
  const isOnChain = (line: SessionLine) => chain.has(uuidOf(line));
  const ids = new Set(own.map(uuidOf));
  // Other lines of the client can come between, and their links can form a cycle.
  const nearest = (start: string | undefined): string | undefined => {
    let id = start;
    for (let steps = parents.size; steps > 0 && id !== undefined && !ids.has(id); steps--) {
      id = parents.get(id);
    }
    return id;
  };
  const tipId = nearest(tip);
  const end = own.find((line) => uuidOf(line) === tipId) ?? own.at(-1);
  for (let last = end; last !== undefined;) {
    let id: string | undefined = uuidOf(last);
    while (id !== undefined && (ids.has(id) || parents.has(id)) && !chain.has(id)) {
      chain.add(id);
      id = parents.get(id);
    }
    // If a parent is missing from the transcript, the client continues with the previous line.
    last = id === undefined || chain.has(id) ? undefined : own[own.findIndex(isOnChain) - 1];
  }
  const answers = new Set(
    own.filter((line) => line.entry.type === "assistant" && isOnChain(line)).map(answerOf),
  );
  const belongsToAnswer = (line: SessionLine) =>
    line.entry.type === "assistant" && answers.has(answerOf(line));
  const calls = new Set(own.filter(belongsToAnswer).flatMap(contentBlocks).map(({ id }) => id));
  /** Ids of answers and results, and of the lines that the client adds to them. */
  const followed = new Set<string | undefined>();
  return own.filter((line) => {
    const id = uuidOf(line);
    const { type, raw } = line.entry;
    const isAdded = type === "attachment" || raw.isMeta === true;
    const isAnswer = belongsToAnswer(line) || contentBlocks(line).some((block) =>
      isResult(block) && calls.has(block.tool_use_id)
    ) || (isAdded && followed.has(nearest(parents.get(id))));
    if (isAnswer) followed.add(id);
    return isAnswer || isOnChain(line);
  });
}

/** Returns the id of the answer that a line belongs to; an answer can have several lines. */
function answerOf(line: SessionLine): string {
  return asString(line.entry.message?.id) ?? uuidOf(line);
}

/** Returns rows for the restored user messages, to distinguish their text from reminders. */
export function promptRows(messages: readonly ApiMessage[]): Row[] {
  return messages.filter(({ role }) => role === "user").flatMap(({ content }) =>
    content.flatMap(({ type, text }) =>
      type === "text" && !isReminder(`${text}`) ? [userRow(`${text}`)] : []
    )
  );
}

export function findOriginals(rows: Rows, before: readonly SessionLine[]): RowChanges {
  const blocks = before.flatMap(contentBlocks);
  const texts = new Map(
    blocks.filter(isResult).map(({ tool_use_id, content }) => [
      tool_use_id,
      resultTexts(content).join("\n"),
    ]),
  );
  const calls = new Map(blocks.map(({ id, input }) => [id, input]));
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  for (const { tool_use_id: id, text } of resultsIn(rows)) {
    const original = texts.get(id);
    if (original !== undefined && original !== text && isCutText(text)) results.set(id, original);
  }
  for (const { tool_use_id: id, input } of callsIn(rows)) {
    const original = calls.get(id);
    if (!isObject(original) || JSON.stringify(original) === JSON.stringify(input)) continue;
    if (stringsIn(input).some(isCutText)) inputs.set(id, original);
  }
  return { results, inputs };
}
