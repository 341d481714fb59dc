/** Lines that are added to parts of real sessions. */

import { text, thinking, toolUse } from "../trim/build_session.ts";
import { makeOddSession } from "../trim/odd_session.ts";
import { byteText, textOfBytes } from "./bytes.ts";
import { Random } from "./random.ts";

export const SESSION = "b82405ba-0000-4000-8000-000000000000";

const COMMON = { isSidechain: false, sessionId: SESSION, timestamp: "2026-03-01T10:00:00.000Z" };
const PNG = {
  ...{ type: "base64", media_type: "image/png" },
  data: "iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAIAAABkPN1a".padEnd(800, "A"),
};

function user(uuid: string, content: unknown, more: object = {}): object {
  const message = { role: "user", content };
  return { ...COMMON, parentUuid: null, type: "user", uuid, message, ...more };
}

function assistant(uuid: string, content: unknown, more: object = {}): object {
  const cached = { cache_creation_input_tokens: 1_000, cache_read_input_tokens: 150_000 };
  const usage = { input_tokens: 9, ...cached, output_tokens: 42 };
  const id = `msg_${uuid}`;
  const message = { id, role: "assistant", model: "claude-opus-5-5", content, usage };
  return { ...COMMON, parentUuid: "x1", type: "assistant", uuid, message, ...more };
}

function attachment(uuid: string, parentUuid: string, attachment: object): object {
  return { ...COMMON, parentUuid, type: "attachment", uuid, attachment };
}

function result(id: string, content: unknown, more: object = {}): object {
  return { type: "tool_result", tool_use_id: id, content, ...more };
}

const PATCH = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ["-a", "+b"] };
const REMINDER = { id: "1", subject: "a", status: "pending" };
const QUESTION = { question: "A or B?", header: "H", options: [{ label: "A" }] };
const TODO = { content: "one", status: "in_progress", activeForm: "Doing" };
const [OLD, NEW] = ["a\n".repeat(300), "b\n".repeat(300)];

const LINES: readonly object[] = [
  user("x1", "Implement the login. We must never log passwords."),
  user("x2", [text("Go on"), { type: "image", source: PNG }]),
  user("x3", [
    result("toolu_x4", "y".repeat(900)),
    result("toolu_x5", "npm test failed", { is_error: true }),
    result("toolu_x6", [text("z".repeat(900)), { type: "tool_reference", name: "T" }]),
  ], { parentUuid: "x4", toolUseResult: { stdout: "y".repeat(900), stderr: "" } }),
  assistant("x4", [
    thinking("I decided to use A rather than B.", 90),
    toolUse("toolu_x4", "Bash", { command: "git commit -m 'x'" }),
    toolUse("toolu_x5", "Bash", { command: "npm test" }),
    toolUse("toolu_x6", "Read", { file_path: "/p/a.ts" }),
  ]),
  assistant("x7", [
    toolUse("toolu_x7", "Edit", { file_path: "/p/a.ts", old_string: OLD, new_string: NEW }),
    toolUse("toolu_x8", "TodoWrite", { todos: [TODO] }),
    toolUse("toolu_x9", "AskUserQuestion", { questions: [QUESTION] }),
    toolUse("toolu_xa", "ExitPlanMode", { plan: "# Plan\n1. a" }),
  ]),
  user("x8", [result("toolu_x7", "ok")], {
    parentUuid: "x7",
    toolUseResult: {
      ...{ filePath: "/p/a.ts", oldString: "a", newString: "b", originalFile: OLD },
      structuredPatch: [PATCH],
    },
  }),
  attachment("xc", "xb", { type: "task_reminder", content: [REMINDER] }),
  { type: "context", contextTokens: 120_000, maxContextTokens: 200_000 },
];

/** Lines of kinds that are rare in real sessions, with one character per byte. */
export const EXTRA_LINES: readonly string[] = [
  ...LINES.map((line) => byteText(JSON.stringify(line))),
  ...[0, 1, 2].flatMap((number) => {
    const { bytes } = makeOddSession(new Random(1, number));
    return textOfBytes(bytes).split("\n").filter((line) => line !== "");
  }),
];
