/**
 * Writes transcripts line by line, in as few words as possible. Ids replace uuids: the client takes
 * any text as one.
 *
 * @module
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { MODEL, type TestHome } from "../bed/client.ts";
import { clientVersion } from "../bed/version.ts";

/** A line of a transcript, or its text where it is to be a broken one. */
export type Line = JsonObject | string;

const START_MS = Date.UTC(2026, 0, 5, 9);

/** The lines are those of the client that is to resume them. */
const VERSION = await clientVersion();

/** A prompt or a tool's result. */
export function user(uuid: string, parentUuid: string | null, content: unknown): JsonObject {
  return { type: "user", uuid, parentUuid, message: { role: "user", content } };
}

/** A block of what the assistant says; lines that name one message are parts of it. */
export function assistant(
  uuid: string,
  parentUuid: string | null,
  content: string | JsonObject[],
  messageId = `msg_${uuid}`,
): JsonObject {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: messageId, type: "message", role: "assistant", model: MODEL, usage };
  return { type: "assistant", uuid, parentUuid, message: { ...message, content: blocks } };
}

/** The same line, said by another model. */
export function by(model: string, line: JsonObject): JsonObject {
  return { ...line, message: { ...Object(line.message), model } };
}

/** A call of a tool, as a block. */
export function use(id: string, name = "Bash"): JsonObject {
  return { type: "tool_use", id, name, input: { command: `run ${id}` } };
}

/** The answer to a call, as a block. */
export function answer(id: string, content: unknown = `result of ${id}`): JsonObject {
  return { type: "tool_result", tool_use_id: id, content };
}

/** A line that answers a call; it is named after it. */
export function result(callId: string, parentUuid: string, content?: unknown): JsonObject {
  return user(`r-${callId}`, parentUuid, [answer(callId, content)]);
}

/** Context that a hook added. */
export function hookContext(uuid: string, parentUuid: string | null): JsonObject {
  const said = { type: "hook_additional_context", content: [`context ${uuid}`] };
  const attachment = { ...said, hookName: "PostToolUse:Bash", hookEvent: "PostToolUse" };
  return { type: "attachment", uuid, parentUuid, attachment };
}

/** A line of the client's own. */
export function system(uuid: string, parentUuid: string | null, subtype: string): JsonObject {
  return { type: "system", uuid, parentUuid, subtype, content: `content of ${uuid}` };
}

/** Where a compaction cuts. */
export function boundary(uuid: string, compactMetadata: JsonObject = {}): JsonObject {
  return { ...system(uuid, null, "compact_boundary"), compactMetadata };
}

/** The lines that a compaction keeps, by name. */
export function keep(anchorUuid: string, ...uuids: string[]): JsonObject {
  return { preservedMessages: { anchorUuid, uuids, allUuids: uuids } };
}

/** The summary of a compaction. */
export function summary(uuid: string, parentUuid: string): JsonObject {
  const line = user(uuid, parentUuid, `the summary ${uuid}`);
  return { ...line, isCompactSummary: true, isVisibleInTranscriptOnly: true };
}

/** Where the client says that the conversation ends. */
export function lastPrompt(leafUuid: string): JsonObject {
  return { type: "last-prompt", lastPrompt: "said", leafUuid };
}

/** Says when a line was written, in seconds; without it a line comes a second after the one before. */
export function at(seconds: number, line: JsonObject): JsonObject {
  return { ...line, timestamp: timestamp(seconds) };
}

function timestamp(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

/** A conversation of `turns` exchanges: u1, a1, u2, a2 and so on. */
export function exchanges(turns: number): JsonObject[] {
  return Array.from({ length: turns }, (_, index) => index + 1).flatMap((n) => [
    user(`u${n}`, n === 1 ? null : `a${n - 1}`, `question ${n}`),
    assistant(`a${n}`, `u${n}`, `answer ${n}`),
  ]);
}

/**
 * Puts a transcript where the client finds it.
 *
 * Needs `--allow-write` of the home.
 *
 * @param home Whose it is.
 * @param lines Its lines.
 * @param finish Has the last word on the text.
 * @returns The session's id.
 */
export function writeTranscript(
  home: TestHome,
  lines: readonly Line[],
  finish: (text: string) => string = (text) => text,
): string {
  const sessionId = crypto.randomUUID();
  const common = { isSidechain: false, userType: "external", cwd: home.cwd, sessionId };
  const texts = lines.map((line, index) =>
    typeof line === "string" ? line : JSON.stringify({
      ...common,
      version: VERSION,
      timestamp: timestamp(index),
      ...line,
    })
  );
  const text = texts.map((line) => `${line}\n`).join("");
  Deno.writeTextFileSync(`${home.sessions}/${sessionId}.jsonl`, finish(text));
  return sessionId;
}
