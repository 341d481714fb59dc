/**
 * Gives the model back what a trim cut: a tool that reads the transcript's own lines, where a command
 * would need Deno and a permission.
 */

import { contentParts, wholeWords } from "../transcript/content.ts";
import { parseObject, viewEntry } from "../transcript/entry.ts";
import { isTrimNote } from "../transcript/in_place.ts";
import type { Client, ToolAnswer, ToolEvent } from "./client.ts";
import { readLinesAt, readSessionLines, type SessionLine } from "./session_lines.ts";

/** The tool, as the model calls it. */
export const RECALL = "mcp__trimtab__recall";

/** A longer text comes in parts, in characters: the client moves what is too long to a file. */
const MAX_CHARS = 40_000;

const SPEC = {
  name: "recall",
  description: "Returns the whole of a tool output that was truncated; " +
    'its notice says "See line LINE of SESSION".',
  inputSchema: {
    type: "object",
    properties: {
      line: { type: "integer" },
      session: { type: "string" },
      from: { type: "integer", description: "character to go on at" },
    },
    required: ["line", "session"],
  },
  // Behind the search for tools it costs its name, and leaves what is cached before the conversation.
  isDeferred: true,
};

/** What the model is told of the tool. */
export const RECALL_NOTE =
  "Older tool outputs of this conversation were truncated. Where one says " +
  `"See line LINE of SESSION for full content", ${RECALL} returns the whole; load it by ToolSearch.`;

/** How a notice at the end of what was cut tells where the whole is. */
const NOTICE = /See line \d+ of [0-9a-f]{8} for full/;

/** Offers the tool from the next prompt on. */
export async function offerRecall(client: Client): Promise<void> {
  await client.tool.register(SPEC);
}

/** Tells the model of the tool, behind the conversation that was just replaced. */
export async function tellOfRecall(client: Client): Promise<void> {
  const content = [{ type: "text", text: RECALL_NOTE }];
  await client.session.append({ message: { type: "user", content } });
}

/**
 * Tells it again where the conversation has cuts and no such note: one that no request had taken yet is
 * lost with the process.
 */
export async function tellLostRecall(client: Client): Promise<void> {
  const { transcriptPath } = await client.session.info();
  const { active } = await readSessionLines(client, transcriptPath);
  const isToldOrGone = ({ entry }: SessionLine): boolean =>
    isTrimNote(entry) || entry.raw.isCompactSummary === true;
  if (active.some(isToldOrGone)) return;
  const isCut = active.some(({ entry }) =>
    contentParts(entry).some(({ kind, text }) => kind === "tool_result" && NOTICE.test(text))
  );
  if (isCut) await tellOfRecall(client);
}

export async function answerRecall(client: Client, event: ToolEvent): Promise<ToolAnswer> {
  const { line, session, from = 0 } = event;
  if (!isCount(line) || !isCount(from) || typeof session !== "string") {
    return { deny: "recall takes the line and the session that the notice names" };
  }
  const path = await findTranscript(client, session);
  if (path === undefined) return { deny: `this project has no session ${session}` };
  const found = await readLinesAt(client, path, new Set([line]));
  const text = found.get(line);
  const raw = text === undefined ? undefined : parseObject(text);
  if (raw === undefined) return { deny: `${session} has no line ${line}` };
  return { result: partOf(wholeWords(viewEntry(raw)), from) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** A copy or a fork lies beside the session that its notices name. */
async function findTranscript(client: Client, session: string): Promise<string | undefined> {
  // As notices name it: a shorter one would be some session or other of the project.
  if (!/^[0-9a-f]{8}/.test(session)) return undefined;
  const { transcriptPath } = await client.session.info();
  const folder = transcriptPath.replace(/[^\\/]*$/, "");
  const files = await client.fs.list(folder);
  const name = files.map((file) => file.name)
    .find((name) => name.startsWith(session) && name.endsWith(".jsonl"));
  return name === undefined ? undefined : folder + name;
}

function partOf(text: string, from: number): string {
  // No part may end within a character of two units.
  const isHalf = (at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const start = isHalf(from) ? from - 1 : from;
  const end = start + MAX_CHARS;
  if (end >= text.length) return text.slice(start);
  const last = isHalf(end) ? end - 1 : end;
  return `${text.slice(start, last)}\n\n[${text.length - last} characters more: from ${last}]`;
}
