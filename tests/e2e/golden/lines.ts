/**
 * Short functions that write the lines of a transcript. Ids are short names instead of uuids, since the
 * client accepts any text.
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { MODEL, type TestHome } from "../bed/client.ts";
import { clientVersion } from "../bed/version.ts";

export type Line = JsonObject | string;

const START_MS = Date.UTC(2026, 0, 5, 9);

const VERSION = await clientVersion();

export function user(uuid: string, parentUuid: string | null, content: unknown): JsonObject {
  return { type: "user", uuid, parentUuid, message: { role: "user", content } };
}

/** Makes a line of an assistant's message. Lines with the same message id belong to one message. */
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

export function by(model: string, line: JsonObject): JsonObject {
  return { ...line, message: { ...Object(line.message), model } };
}

export function use(id: string, name = "Bash"): JsonObject {
  return { type: "tool_use", id, name, input: { command: `run ${id}` } };
}

export function answer(id: string, content: unknown = `result of ${id}`): JsonObject {
  return { type: "tool_result", tool_use_id: id, content };
}

/** Makes the line of a call's result; its id is `r-` and the call's id. */
export function result(callId: string, parentUuid: string, content?: unknown): JsonObject {
  return user(`r-${callId}`, parentUuid, [answer(callId, content)]);
}

export function hookContext(uuid: string, parentUuid: string | null): JsonObject {
  const addedContext = { type: "hook_additional_context", content: [`context ${uuid}`] };
  const attachment = { ...addedContext, hookName: "PostToolUse:Bash", hookEvent: "PostToolUse" };
  return { type: "attachment", uuid, parentUuid, attachment };
}

export function system(uuid: string, parentUuid: string | null, subtype: string): JsonObject {
  return { type: "system", uuid, parentUuid, subtype, content: `content of ${uuid}` };
}

export function boundary(uuid: string, compactMetadata: JsonObject = {}): JsonObject {
  return { ...system(uuid, null, "compact_boundary"), compactMetadata };
}

export function keep(anchorUuid: string, ...uuids: string[]): JsonObject {
  return { preservedMessages: { anchorUuid, uuids, allUuids: uuids } };
}

export function summary(uuid: string, parentUuid: string): JsonObject {
  const line = user(uuid, parentUuid, `the summary ${uuid}`);
  return { ...line, isCompactSummary: true, isVisibleInTranscriptOnly: true };
}

function timestamp(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

/** Makes exchanges with the ids u1, a1, u2, a2 and so on. */
export function exchanges(turns: number): JsonObject[] {
  return Array.from({ length: turns }, (_, index) => index + 1).flatMap((n) => [
    user(`u${n}`, n === 1 ? null : `a${n - 1}`, `question ${n}`),
    assistant(`a${n}`, `u${n}`, `answer ${n}`),
  ]);
}

/**
 * Writes a transcript to the client's folder and returns the session's id.
 *
 * @param finish Changes the finished text.
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
