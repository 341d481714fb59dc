/**
 * Makes transcripts of any kind for property tests: lines as the client and other writers write
 * them, whole and broken, in any order.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { JsonObject } from "../../src/core/record.ts";

export const PARENT_ID = "b82405ba-0000-4000-8000-000000000000";

/** Replaced by bytes that are not UTF-8. */
const INVALID = "@invalid@";

/** A trim never cuts these texts. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    '"sessionId":"nested","type":"tool_use"}{"',
    '{"type":"tool_use","id":"t0","name"',
    `${INVALID} and more`,
    "back\\slash \\u0041 \ud83d \u2028 \u0000",
    "<system-reminder>\n}{\n</system-reminder>",
  ),
);

/** Mostly long enough to be cut. */
const anyResultText = fc.oneof(
  fc.tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), fc.integer({ max: 90 }))
    .map(([piece, times]) => piece.repeat(Math.max(0, times))),
  fc.integer({ min: 0, max: 1200 }).map((length) => "plain text, ".repeat(100).slice(0, length)),
  fc.constantFrom(
    "<persisted-output>\nSaved to: /x/tool-results/é.txt\n\nPreview (first 2KB):\n" +
      "p".repeat(800),
    '👩‍👩‍👧 "quoted" \\ \t\n'.repeat(70),
    "[Read result masked -- 12 lines, starts with: fn main() {]",
    "",
  ),
);

const anyLookAlike: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { sessionId: "nested", session_id: PARENT_ID, message: { content: [] } },
  { type: "tool_use", id: "nested-1", name: "Read", input: { sessionId: "nested" } },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "nested-1" }] } },
  { tool_use_id: "t0", type: "tool_result", content: "x".repeat(900) },
  { deep: [[{ sessionId: "nested" }], { toolUseResult: { stdout: "y".repeat(900) } }] },
);

const anyResult = fc.oneof(
  anyResultText,
  fc.array(
    fc.oneof(
      anyResultText.map((text) => ({ type: "text", text })),
      fc.constant({ type: "image", source: { type: "base64", data: "A".repeat(900) } }),
      fc.constant({ type: "tool_reference", tool_name: "x".repeat(900) }),
      anyLookAlike,
    ),
    { maxLength: 3 },
  ),
);

const anyMirror = fc.oneof(
  anyResultText,
  anyResultText.map((stdout) => ({ stdout, stderr: "", interrupted: false })),
  anyResultText.map((content) => ({
    type: "text",
    file: { filePath: "/a", content, numLines: 3 },
  })),
  fc.integer({ max: 60 }).map((n) => ({
    mode: "files_with_matches",
    filenames: Array.from({ length: Math.max(0, n) }, (_, i) => `/some/folder/file-${i}.ts`),
  })),
  anyResultText.map((originalFile) => ({ originalFile, structuredPatch: [{ lines: ["+a"] }] })),
  anyResultText.map((text) => [{ type: "text", text }]),
  fc.constant({ type: "image", file: { base64: "A".repeat(900), originalSize: 5 } }),
  anyLookAlike,
);

const anyCall = fc.record({
  name: fc.constantFrom("Read", "Bash", "Grep", "Glob", "Edit", "WebFetch"),
  result: anyResult,
  mirror: fc.option(anyMirror, { nil: undefined }),
  isError: fc.boolean(),
  input: fc.oneof(anyLookAlike, anyText.map((command) => ({ command }))),
});

const anyOther: fc.Arbitrary<JsonObject> = fc.oneof(
  anyText.map((content) => ({ type: "user", message: { role: "user", content } })),
  anyText.map((text) => ({
    type: "assistant",
    message: { id: "said", content: [{ type: "text", text }], usage: { input_tokens: 50_000 } },
  })),
  fc.record({ type: fc.constantFrom("progress", "attachment", "novelty"), data: anyLookAlike }),
  anyText.map((content) => ({ type: "system", subtype: "local_command", content })),
  fc.record({ type: fc.constant("user"), toolUseResult: anyMirror, message: anyLookAlike }),
  fc.constant({
    type: "system",
    subtype: "compact_boundary",
    compactMetadata: { trigger: "auto" },
  }),
  fc.constant({ contextTokens: 1000, maxContextTokens: 200_000 }),
  fc.constant({ type: "file-history-snapshot", snapshot: { sessionId: "nested" } }),
  anyText.map((customTitle) => ({ type: "custom-title", customTitle })),
);

interface Style {
  /** Picks the order of the keys. */
  order: number;
  /**
   * By default, Python puts spaces after commas and colons, and escapes all characters outside of
   * ASCII.
   */
  writer: "client" | "python" | "spaced";
  /** The keys with which the entry names its session. */
  session: "sessionId" | "session_id" | "both" | "other" | "none";
  ending: "\n" | "\r\n" | "" | "\n\n" | "\n  \n";
}

const anyStyle: fc.Arbitrary<Style> = fc.record({
  order: fc.nat(),
  writer: fc.constantFrom<Style["writer"][]>("client", "client", "python", "spaced"),
  session: fc.constantFrom<Style["session"][]>("sessionId", "session_id", "both", "other", "none"),
  ending: fc.constantFrom<Style["ending"][]>("\n", "\n", "\n", "\r\n", "", "\n\n", "\n  \n"),
});

const anyBroken = fc.constantFrom(
  "not JSON at all",
  '{"type":"user","message":{"role":"user","content":"cut o',
  '{"type":"user","sessionId":"half","message":{"content":[{"type":"tool_result"',
  '{"type":"novelty","sessionId":"b","n":tru}',
  "null",
  '["sessionId","x"]',
  '"sessionId"',
  '{"a":1}}',
  '{"type":"us{"type":"user","uuid":"inner","sessionId":"c"}',
);

/** A transcript of any kind, as text with one character per byte. */
export const anySession: fc.Arbitrary<string> = fc.record({
  calls: fc.array(anyCall, { maxLength: 6 }),
  others: fc.array(anyOther, { maxLength: 8 }),
  broken: fc.array(anyBroken, { maxLength: 3 }),
  styles: fc.array(anyStyle, { minLength: 24, maxLength: 24 }),
  // Sorts the lines by these keys; without keys, the lines are in the order in which the client
  // writes them.
  order: fc.option(fc.array(fc.nat(), { minLength: 24, maxLength: 24 }), { nil: undefined }),
  torn: fc.option(fc.constantFrom('{"type":"user","mess', '{"a":"\\', "{"), { nil: undefined }),
  hasNewline: fc.boolean(),
}).map(({ calls, others, broken, styles, order, torn, hasNewline }) => {
  const entries: (JsonObject | string)[] = [];
  const queue: (JsonObject | string)[] = [...others, ...broken];
  for (const [n, call] of calls.entries()) {
    const { name, input, isError, mirror } = call;
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 90_000 + (n >> 1),
      output_tokens: 5,
    };
    const use = { type: "tool_use", id: `t${n}`, name, input };
    const block = { tool_use_id: `t${n}`, type: "tool_result", content: call.result };
    entries.push(
      { type: "assistant", message: { id: `m${n >> 1}`, model: "m", content: [use], usage } },
      {
        type: "user",
        message: { role: "user", content: [isError ? { ...block, is_error: true } : block] },
        ...(mirror === undefined ? {} : { toolUseResult: mirror }),
      },
      ...queue.splice(0, 2),
    );
  }
  entries.push(...queue);
  let last: string | null = null;
  const lines = entries.map((entry, n) => {
    const style = styles[n] ?? styles[0];
    if (typeof entry === "string" || style === undefined) return { text: String(entry), style };
    const parentUuid: string | null = last;
    last = `u${n}`;
    const timestamp = new Date(Date.UTC(2026, 10, 22, 10, 0, n)).toISOString();
    const whole = { parentUuid, uuid: last, timestamp, ...entry, ...idsOf(style.session) };
    return { text: writeJson(shuffled(whole, style.order), style.writer), style };
  });
  const places = lines.map((line, n) => ({ line, key: order?.[n] ?? n }));
  places.sort((a, b) => a.key - b.key);
  let text = "";
  for (const [n, { line }] of places.entries()) {
    const next = places[n + 1]?.line;
    // Only whole entries share a line: a writer that dies leaves no newline after its last entry.
    const isJoint = isEntry(line.text) && next !== undefined && isEntry(next.text);
    const ending = line.style?.ending ?? "\n";
    text += line.text + (ending === "" && !isJoint ? "\n" : ending);
  }
  if (torn !== undefined) text = text.replace(/\s*$/, "\n") + torn;
  else if (!hasNewline && isEntry(places.at(-1)?.line.text ?? "")) text = text.trimEnd();
  return Buffer.from(text).toString("latin1").replaceAll(INVALID, "\xff\xc3(\x80");
});

function isEntry(text: string): boolean {
  try {
    return JSON.parse(text)?.uuid !== undefined;
  } catch {
    return false;
  }
}

function idsOf(session: Style["session"]): JsonObject {
  switch (session) {
    case "sessionId":
      return { sessionId: PARENT_ID };
    case "session_id":
      return { session_id: PARENT_ID };
    case "both":
      return { sessionId: PARENT_ID, session_id: PARENT_ID };
    case "other":
      return { sessionId: "another session", session_id: "the first session" };
    case "none":
      return {};
  }
}

function shuffled(object: JsonObject, order: number): JsonObject {
  const entries = Object.entries(object).map(([key, value], n) => ({
    key,
    value,
    at: order === 0 ? n : ((n + 1) * 7919 * (order % 104_729)) % 10_007,
  }));
  entries.sort((a, b) => a.at - b.at);
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

function writeJson(value: unknown, writer: Style["writer"]): string {
  if (writer === "client") return JSON.stringify(value);
  const text = spaced(value);
  if (writer === "spaced") return text;
  return text.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ).replaceAll(
    INVALID,
    "plain",
  );
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([key, inner]) =>
    `${JSON.stringify(key)}: ${spaced(inner)}`
  );
  return `{${members.join(", ")}}`;
}
