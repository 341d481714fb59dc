/** Returns cut text and pictures to the model; a command would need Deno and a permission. */

import { isCount, isObject, type JsonObject, parseObject, stringsIn } from "../core/record.ts";
import { boundText } from "../inject/bound.ts";
import {
  isCutText,
  isFileOfSession,
  type MarkedPart,
  type Place,
  placesIn,
} from "../core/marks.ts";
import { markedTexts, resultTexts } from "../transcript/content.ts";
import { asString, viewEntry } from "../transcript/entry.ts";
import { blocksAndAttachedMedia, mediaIn } from "./media.ts";
import { droppedRange, isTrimNote } from "../transcript/in_place.ts";
import type { CallRow, Client, Row, Rows, ToolAnswer, ToolEvent, Verdict } from "./client.ts";
import { callsById, currentRows } from "./rows.ts";
import { configDirOf } from "./settings.ts";
import {
  contentBlocks,
  readLinesAt,
  readSessionLines,
  renderedBlocks,
  type SessionLine,
} from "./session_lines.ts";

export const RECALL = "mcp__trimtab__recall";

/** In UTF-16 code units. The client moves longer results to a file. */
const MAX_CHARS = 40_000;

const SPEC = {
  name: "recall",
  description: "Returns the full text of a truncated tool output, or a masked picture; " +
    'its notice says "See line LINE of SESSION".',
  inputSchema: {
    type: "object",
    properties: {
      line: { type: "integer" },
      session: { type: "string" },
      from: { type: "integer", description: "character to continue at" },
    },
    required: ["line", "session"],
  },
  // The client sends only the name of a deferred tool, and leaves the cached prefix unchanged.
  isDeferred: true,
};

export const RECALL_NOTE =
  'Where a truncated tool output or a masked picture of this conversation says "See line LINE of ' +
  `SESSION for full content", ${RECALL} returns the whole text; it may need ToolSearch first.`;

let registration: { readonly id: string; readonly done: Promise<unknown> } | undefined;

/** A trim waits for the 50 ms that this takes, because a prompt sent in the meantime would lack the tool. */
export function offerRecall(client: Client, id: string): Promise<unknown> {
  if (registration?.id !== id) registration = { id, done: client.tool.register(SPEC) };
  return registration.done;
}

let isNotePending = false;

/** The note waits for a prompt, because it cannot be removed and the user may still undo the trim. */
export function setNotePending(isNeeded: boolean): void {
  isNotePending = isNeeded;
}

/** Resolves to the session's id if it started with cuts. The first prompt can arrive before this ends. */
let startCheck: Promise<string | undefined> = Promise.resolve(undefined);

let promptedId: string | undefined;

/** After `/resume` or `/branch`, the client reports no start, so the first prompt repeats its check. */
export async function appendNoteAtPrompt(client: Client, id: string): Promise<void> {
  const startedId = await startCheck.catch(() => undefined);
  const isFirst = promptedId !== id;
  promptedId = id;
  if (isFirst && startedId !== id) await offerRecallIfCut(client);
  // The trim may have been cancelled or rewound.
  else if (isNotePending) setNotePending(hasCuts(await currentRows(client)));
  await appendPendingNote(client);
}

export async function appendPendingNote(client: Client): Promise<void> {
  if (!isNotePending) return;
  isNotePending = false;
  // A rule or an option of the client can keep the tool from the model.
  const verdict = await client.tool.check({ tool: RECALL, input: {} }).catch(() => undefined);
  if (isDenied(verdict)) return;
  await client.session.append({
    message: { type: "user", content: [{ type: "text", text: RECALL_NOTE }] },
  });
}

/** With `isTextOnly`, pictures and documents do not count, because no row can restore them. */
export function hasCuts(rows: Rows, { isTextOnly = false } = {}): boolean {
  return rows.some((row) =>
    droppedRange(row.text) !== undefined ||
    partsOf(row).some(({ part, text }) => !(isTextOnly && part === undefined) && isCutText(text))
  );
}

/** A pending note is lost when the client's process ends, so a session that starts with cuts is checked. */
export function offerRecallIfCut(client: Client): Promise<unknown> {
  startCheck = (async () => {
    setNotePending(false);
    if (!hasCuts(await currentRows(client))) return undefined;
    const id = await client.session.id();
    await offerRecall(client, id);
    setNotePending(!await hasRecallNote(client));
    return id;
  })();
  return startCheck;
}

async function hasRecallNote(client: Client): Promise<boolean> {
  const messages = await client.session.messages({ as: "api" });
  const isInMessages = messages.some(({ content }) =>
    content.some(({ text }) => asString(text)?.includes(`, ${RECALL} returns`) === true)
  );
  // The API messages lack a note from the middle of a turn, and a fork has no transcript yet.
  const { transcriptPath } = await client.session.info();
  if (isInMessages || !await client.fs.exists(transcriptPath)) return isInMessages;
  const { active } = await readSessionLines(client, transcriptPath);
  return active.some(({ entry }) => isTrimNote(entry));
}

/** The longest lines come last, so that an original is preferred to a line of a copy. */
export async function readReferencedLines(client: Client, rows: Rows): Promise<SessionLine[]> {
  const named = new Map<string, Set<number>>();
  for (const { text } of rows.flatMap(partsOf)) {
    for (const { session, line } of placesIn(text)) {
      named.set(session, (named.get(session) ?? new Set()).add(line));
    }
  }
  const found: [number: number, text: string][] = [];
  for (const [session, wanted] of named) {
    for (const path of await pathsOf(client, session, { isAnywhere: true })) {
      found.push(...await readLinesAt(client, path, wanted));
    }
  }
  return found.sort(([, a], [, b]) => a.length - b.length).flatMap(([number, text]) => {
    const raw = parseObject(text);
    return raw === undefined ? [] : [{ number, entry: viewEntry(raw) }];
  });
}

export async function answerRecall(client: Client, event: ToolEvent): Promise<ToolAnswer> {
  const { line, session, from = 0 } = event;
  if (!isCount(line) || !isCount(from) || typeof session !== "string") {
    return { deny: "recall needs the line and the session from the notice" };
  }
  const rows = await currentRows(client);
  // The client also lists rows from before a trim. Of each part, only the newest row counts.
  const cuts = new Map<string, CutText>();
  for (const named of rows.flatMap(partsOf)) {
    const place = placesIn(named.text).find((candidate) =>
      candidate.line === line && session.startsWith(candidate.session)
    );
    if (place !== undefined) cuts.set(JSON.stringify(named.part), { ...named, place });
  }
  if (cuts.size === 0) {
    const range = rows.map(({ text }) => droppedRange(text)).find((range) =>
      range !== undefined && session.startsWith(range.session) && line >= range.from &&
      line <= range.to
    );
    if (range !== undefined) return answerDropped(client, { session: range.session, line }, from);
    return { deny: `no notice in this conversation refers to line ${line} of ${session}` };
  }
  const calls = callsById(rows);
  const reason = await reasonToDeny(
    client,
    [...cuts.values()].flatMap(({ part }) => calls.get(part?.id ?? "") ?? []),
  );
  if (reason !== undefined) return { deny: reason };
  const found: FoundContent = { texts: [], media: [] };
  for (const cut of cuts.values()) {
    const { texts, media } = await readOriginal(client, cut);
    found.texts.push(...texts);
    found.media.push(...media);
  }
  return answerOf(found, from) ??
    { deny: `line ${line} of ${session} does not contain the text that was cut` };
}

function answerOf({ texts, media }: FoundContent, from: number): ToolAnswer | undefined {
  if (texts.length + media.length === 0) return undefined;
  const text = excerptFrom(texts.join("\n"), from);
  if (media.length === 0) return { result: text };
  return { result: [...(text === "" ? [] : [{ type: "text", text }]), ...media] };
}

/** Reads a line of a removed turn; in a fork, from the transcript of the session that removed it. */
async function answerDropped(
  client: Client,
  { session, line }: Place,
  from: number,
): Promise<ToolAnswer> {
  const [path] = await pathsOf(client, session, { isAnywhere: false });
  if (path === undefined) return { deny: `the transcript of ${session} no longer exists` };
  const { before, active } = await readSessionLines(client, path);
  const lines = [...before, ...active];
  const blocks = lines.filter(({ number }) => number === line)
    .flatMap((one) => [...contentBlocks(one), ...renderedBlocks(one.entry)]);
  const ids = new Set(blocks.flatMap(({ tool_use_id: id }) => asString(id) ?? []));
  const calls = lines.flatMap(contentBlocks).filter(({ id }) => ids.has(asString(id) ?? ""));
  const reason = await reasonToDeny(
    client,
    calls.flatMap(({ name, input }) => isObject(input) ? { tool: `${name}`, input } : []),
  );
  if (reason !== undefined) return { deny: reason };
  const found = { texts: blocks.flatMap(textsOfBlock), media: blocks.flatMap(mediaIn) };
  return answerOf(found, from) ?? { deny: `line ${line} contains no message` };
}

function textsOfBlock({ type, text, input, content }: JsonObject): string[] {
  if (type === "tool_result") return resultTexts(content);
  return type === "tool_use" ? [JSON.stringify(input)] : [asString(text) ?? []].flat();
}

interface CutText {
  readonly part: MarkedPart | undefined;
  readonly place: Place;
  readonly text: string;
}

interface FoundContent {
  readonly texts: string[];
  readonly media: JsonObject[];
}

/** Matches the line that replaces an image or a document; after a trim in place, a tag precedes it. */
const MEDIA_LINE = /^\[(?:image|document) result masked -- /m;

export function countMediaLines(rows: Rows): number {
  const media = /<system-reminder>\\n\[(?:image|document) result masked -- /;
  return JSON.stringify(rows).split(media).length - 1;
}

function partsOf(
  { role, text, toolUses, toolResults = [] }: Readonly<Row>,
): Omit<CutText, "place">[] {
  return [
    ...(role === "user" && MEDIA_LINE.test(text) ? [{ part: undefined, text }] : []),
    ...toolUses.flatMap(({ tool_use_id: id, input }) =>
      stringsIn(input).map((text) => ({ part: { id, kind: "call" as const }, text }))
    ),
    ...toolResults.map(({ tool_use_id: id, text }) => ({
      part: { id, kind: "result" as const },
      text,
    })),
  ];
}

/** Returns a reason if the client forbids to repeat a call, or to read its file or the transcript. */
async function reasonToDeny(
  client: Client,
  calls: readonly Pick<CallRow, "tool" | "input">[],
): Promise<string | undefined> {
  const { transcriptPath } = await client.session.info();
  const paths = [transcriptPath, ...calls.map(({ input }) => input.file_path)]
    .filter((path) => typeof path === "string");
  const verdicts = await Promise.all([
    // The check fails if the tool's server is gone.
    ...calls.map(({ tool, input }) => client.tool.check({ tool, input }).catch(() => undefined)),
    ...paths.map((file_path) => client.tool.check({ tool: "Read", input: { file_path } })),
  ]);
  const denied = verdicts.find(isDenied);
  return denied && (denied.reason ?? "the permission rules deny reading it");
}

/** A denial by the permission mode does not count: the mode only refuses what it would have to ask about. */
function isDenied(verdict: Verdict | undefined): boolean {
  return verdict?.decision === "deny" &&
    (verdict.rule ?? verdict.plugin ?? verdict.ceiling) !== undefined;
}

export async function canReadStored(client: Client): Promise<boolean> {
  const file_path = `${await client.session.root()}/.claude/trimtab/spill/session/call.txt`;
  return !isDenied(await client.tool.check({ tool: "Read", input: { file_path } }));
}

async function readOriginal(client: Client, { part, place, text }: CutText): Promise<FoundContent> {
  const paths = await pathsOf(client, place.session, { isAnywhere: part !== undefined });
  for (const path of paths) {
    const [line = ""] = (await readLinesAt(client, path, new Set([place.line]))).values();
    const entry = viewEntry(parseObject(line) ?? {});
    if (entry.isSidechain) continue;
    const blocks = MEDIA_LINE.test(text) ? blocksAndAttachedMedia(entry) : [];
    const media = blocks.filter(({ tool_use_id: id }) => (part?.id ?? id) === id).flatMap(mediaIn);
    const longer = ((part && markedTexts(entry, part)) ?? []).filter((marked) =>
      marked.length > text.length
    );
    // If a result has several text blocks, the last element is all of them joined.
    const texts = part?.kind === "result" ? longer.slice(-1) : longer;
    if (texts.length + media.length > 0) return { texts, media };
  }
  return { texts: [], media: [] };
}

/** `isAnywhere` searches other projects, too: safe only for text that is found by the id of its call. */
async function pathsOf(
  client: Client,
  session: string,
  { isAnywhere }: { readonly isAnywhere: boolean },
): Promise<string[]> {
  const { transcriptPath } = await client.session.info();
  const configDir = configDirOf(transcriptPath);
  const find = async (folders: readonly string[]): Promise<string[]> => {
    const paths = await Promise.all(folders.map((folder) => list(client, folder, "file")));
    return paths.flat().filter((path) => isFileOfSession(session, path.replace(/.*[\\/]/, "")));
  };
  // The client deletes old transcripts, but trimtab may have kept a copy.
  const folders = [transcriptPath.replace(/[^\\/]*$/, ""), `${configDir}/trimtab/kept/`];
  const found = await find(folders);
  if (found.length > 0 || !isAnywhere) return found;
  const projects = await list(client, `${configDir}/projects/`, "dir");
  return await find(projects.map((path) => `${path}/`));
}

async function list(client: Client, folder: string, wanted: "file" | "dir"): Promise<string[]> {
  const found = await client.fs.list(folder).catch(() => []);
  return found.filter(({ kind, isLink }) => kind === wanted && !isLink)
    .map(({ name }) => folder + name);
}

function excerptFrom(text: string, from: number): string {
  // Never split a surrogate pair.
  const isInPair = from > 0 && (text.charCodeAt(from) & 0xfc00) === 0xdc00;
  const rest = text.slice(isInPair ? from - 1 : from);
  const part = boundText(rest, MAX_CHARS);
  const left = rest.length - part.length;
  if (left > 0) {
    return `${part}\n\n[characters left: ${left}; continue from ${text.length - left}]`;
  }
  // The client describes an empty result as a command that printed nothing.
  return part || (from > 0 ? "[no more characters]" : "");
}
