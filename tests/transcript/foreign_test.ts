import { assertEquals } from "@std/assert";
import { isForeign } from "../../src/transcript/foreign.ts";
import { CORPUS, corpusTest, names } from "../corpus/corpus.ts";

type Json = Record<string, unknown>;

const TIME = "2026-01-05T09:00:00.000Z";
const UUID = "0199a213-81c0-7800-8aa1-bbab2a035a53";

const SESSIONS: readonly [agent: string, lines: readonly Json[]][] = [
  ["Codex", [
    { timestamp: TIME, type: "session_meta", payload: { id: UUID, originator: "codex_cli_rs" } },
    { timestamp: TIME, type: "response_item", payload: { type: "message", role: "user" } },
  ]],
  ["Codex", [{ id: UUID, timestamp: TIME, instructions: null }, { record_type: "state" }]],
  ["Codex", [{ type: "event_msg", payload: { type: "token_count" }, timestamp: TIME }]],
  ["Gemini CLI", [{ sessionId: UUID, projectHash: "ab12", startTime: TIME, messages: [] }]],
  ["Gemini CLI", [{ role: "model", parts: [{ text: "Hello" }] }]],
  ["Gemini CLI", [{ id: UUID, timestamp: TIME, type: "gemini", content: "Hello" }]],
  ["Qwen Code", [
    {
      uuid: UUID,
      parentUuid: null,
      sessionId: UUID,
      type: "user",
      message: { role: "user", parts: [] },
    },
  ]],
  ["Copilot CLI", [{
    type: "session.start",
    data: { sessionId: UUID, producer: "copilot-agent" },
  }]],
  ["OpenCode", [{ info: { id: "ses_6a1b", title: "x" }, messages: [] }]],
  ["OpenCode", [{ id: "msg_6a1b", sessionID: "ses_6a1b", role: "user" }]],
  ["Goose", [{ working_dir: "/p", description: "x", message_count: 2 }]],
  ["Goose", [{ role: "user", created: 1736067600, content: [{ type: "text", text: "hi" }] }]],
  ["Droid", [{ type: "session_start", id: UUID, title: "x" }]],
  ["Pi", [{ type: "session", version: 3, id: UUID, timestamp: TIME, cwd: "/p" }]],
  ["Amp", [{ v: 12, id: `T-${UUID}`, messages: [] }]],
  ["Kiro", [{ conversation_id: UUID, history: [] }]],
  ["Cursor", [{ role: "user", message: { content: [{ type: "text", text: "hi" }] } }]],
];

const CLAUDE_CODE_LINES: readonly Json[] = [
  {
    type: "user",
    uuid: UUID,
    parentUuid: null,
    sessionId: UUID,
    message: { role: "user", content: "x" },
  },
  { type: "summary", summary: "x", leafUuid: UUID },
  { type: "file-history-snapshot", messageId: UUID, snapshot: {} },
  { type: "queue-operation", operation: "enqueue", timestamp: TIME, sessionId: UUID },
  { type: "mode", mode: "normal", sessionId: UUID },
  { type: "user", message: { content: "x" } },
  { type: "metadata", contextTokens: 1, maxContextTokens: 2 },
  { type: "api-request", sessionId: UUID },
];

function isForeignText(text: string): boolean {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  try {
    Deno.writeTextFileSync(path, text);
    return isForeign(path);
  } finally {
    Deno.removeSync(path);
  }
}

/** Lines that have only some of an agent's fields. */
const PARTS: readonly Json[] = [
  { type: "session", cwd: "/p" },
  { type: "session", version: 3 },
  { type: "session", version: "3", cwd: "/p" },
  { version: 3, cwd: "/p" },
  { id: `T-${UUID}` },
  { id: UUID, messages: [] },
  { conversation_id: UUID },
  { kind: "Prompt", data: "x" },
  { working_dir: "/p" },
  { created: 1, role: "user" },
  { id: "msg_6a1b", role: "user" },
  { type: "session_start", hook_event_name: "SessionStart" },
  { a: 1 },
];

Deno.test("isForeign() recognizes the sessions of other agents", () => {
  for (const [agent, lines] of SESSIONS) {
    for (
      const text of [
        lines.map((line) => JSON.stringify(line)).join("\n"),
        JSON.stringify(lines, null, 2),
      ]
    ) {
      assertEquals([agent, isForeignText(text)], [agent, true]);
    }
  }
  for (const line of PARTS) assertEquals([line, isForeignText(JSON.stringify(line))], [line, true]);
});

Deno.test("isForeign() is false for a session of Claude Code, and for any file without objects", () => {
  for (const line of CLAUDE_CODE_LINES) {
    assertEquals([line, isForeignText(JSON.stringify(line))], [line, false]);
  }
  const codex = { type: "session_meta", timestamp: TIME, payload: { id: UUID } };
  for (const lines of [[CLAUDE_CODE_LINES[0], codex], [codex, CLAUDE_CODE_LINES[0]]]) {
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    assertEquals(isForeignText(text), false, "one line of Claude Code is enough");
  }
  for (const text of ["", "\n\n", "{", "no JSON", "[]", "null\n1\n"]) {
    assertEquals(isForeignText(text), false);
  }
});

corpusTest("isForeign() accepts a real session", () => {
  for (const name of names) assertEquals([name, isForeign(`${CORPUS}/${name}`)], [name, false]);
});
