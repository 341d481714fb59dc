/**
 * Hand-written transcripts, which show how the client handles trees that it never writes, or writes only in
 * rare circumstances.
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { signThinking } from "../bed/signature.ts";
import type { GoldenSession } from "./bench.ts";
import {
  assistant,
  at,
  boundary,
  by,
  exchanges,
  hookContext,
  keep,
  lastPrompt,
  type Line,
  result,
  summary,
  system,
  use,
  user,
  writeTranscript,
} from "./lines.ts";

function thinking(): JsonObject {
  const thinking = "a thought";
  return { type: "thinking", thinking, signature: signThinking(thinking) };
}

/** Makes exchanges, a compaction with the summary `s`, and an exchange whose parent is `next`. */
function compactedSession(metadata: JsonObject, next = "s"): JsonObject[] {
  return [
    ...exchanges(3),
    boundary("b", metadata),
    summary("s", "b"),
    user("u9", next, "question 9"),
    assistant("a9", "u9", "answer 9"),
  ];
}

const ENDS: Record<string, Line[]> = {
  "lines in reverse order": exchanges(2).toReversed(),
  "a last prompt whose branch ends the file, but is older than the other branch": [
    ...exchanges(2),
    lastPrompt("a1"),
    at(1, user("u3", "a1", "question 3")),
    at(2, assistant("a3", "u3", "answer 3")),
  ],
  "a last prompt on another branch": [
    lastPrompt("u2"),
    ...exchanges(2),
    user("u3", "a1", "question 3"),
    assistant("a3", "u3", "answer 3"),
  ],
  "a last prompt that was written before a compaction": [
    ...exchanges(2),
    lastPrompt("a2"),
    ...compactedSession({}).slice(4),
  ],
  "a last prompt on the branch before a compaction": [...compactedSession({}), lastPrompt("a3")],
  "a boundary at the end, with a child": [...exchanges(2), boundary("b"), hookContext("x", "b")],
  "two roots, and a last prompt that refers to an unknown line": [
    ...exchanges(2),
    user("v1", null, "another root"),
    assistant("b1", "v1", "its answer"),
    lastPrompt("no-such-line"),
  ],
};

const PARALLEL: Record<string, Line[]> = {
  "parallel calls, and results outside of the chain": [
    user("u1", null, "question 1"),
    // D, the next answer, is a child of the newest result.
    assistant("A", "u1", [use("A")], "m1"),
    assistant("B", "A", [use("B")], "m1"),
    assistant("C", "B", [use("C")], "m1"),
    at(90, result("A", "A")),
    at(80, result("B", "B")),
    at(100, result("C", "C")),
    // F and G are children of the first call's result, so the chain excludes the second call.
    at(101, assistant("D", "r-C", [use("D")], "m2")),
    at(102, assistant("E", "D", [use("E")], "m2")),
    at(103, result("D", "D")),
    at(104, result("E", "E")),
    // Both calls are children of the same line, and an attachment is a child of one result.
    at(105, assistant("F", "r-D", [use("F")], "m3")),
    at(106, assistant("G", "r-D", [use("G")], "m3")),
    at(107, result("G", "G")),
    at(108, result("F", "F")),
    at(109, hookContext("x", "r-F")),
    at(110, assistant("a1", "r-G", "answer 1")),
  ],
  "parallel calls with other lines between them": [
    user("u1", null, "question 1"),
    // A message with lines before and after a result, and with a line outside of the chain.
    assistant("T", "u1", [thinking()], "m1"),
    assistant("A", "T", [use("A")], "m1"),
    assistant("B", "A", [use("B")], "m1"),
    result("B", "B"),
    result("A", "A"),
    assistant("C", "r-A", [use("C")], "m1"),
    result("C", "C"),
    // The client skips a progress line to reach its parent, but it does not skip an attachment.
    assistant("D", "r-C", [use("D")], "m2"),
    assistant("E", "D", [use("E")], "m2"),
    assistant("F", "E", [use("F")], "m2"),
    { type: "progress", uuid: "p", parentUuid: "D", data: { type: "hook_progress" } },
    result("D", "p"),
    hookContext("x", "E"),
    result("E", "x"),
    result("F", "F"),
    // A rewind into the middle of a message.
    assistant("a1", "r-F", "answer 1", "m3"),
    assistant("G", "a1", [use("G")], "m3"),
    result("G", "G"),
    user("u2", "a1", "question 2"),
    assistant("a2", "u2", "answer 2"),
  ],
};

const COMPACTED: Record<string, Line[]> = {
  "preserved lines before the summary, and from before an older boundary": [
    ...compactedSession(keep("s", "a3")),
    boundary("b2", keep("b2", "u3", "a3", "u9", "a9")),
    summary("s2", "b2"),
    user("u10", "s2", "question 10"),
  ],
  "a preserved segment": compactedSession({
    preservedSegment: { headUuid: "a2", anchorUuid: "s", tailUuid: "a3" },
  }),
  "preserved lines, one of them missing": compactedSession(keep("s", "u3", "no-such-line", "a3")),
  "a preserved segment with an empty list of preserved lines": compactedSession({
    ...keep("s"),
    preservedSegment: { headUuid: "a2", anchorUuid: "s", tailUuid: "a3" },
  }),
  "a child of the last preserved line": compactedSession(keep("s", "u3", "a3"), "a3"),
  "a child of an inner preserved line": compactedSession(keep("s", "u2", "a2", "u3", "a3"), "a2"),
  "a child of a dropped line": compactedSession(keep("s", "u3", "a3"), "a1"),
  "preserved calls, one of them without its result, and gaps": [
    user("u1", null, "question 1"),
    assistant("A", "u1", [use("A")], "m"),
    assistant("B", "A", [use("B")], "m"),
    result("A", "A"),
    result("B", "B"),
    assistant("a1", "r-B", "answer 1"),
    boundary("b", keep("s", "u1", "A", "B", "r-B")),
    summary("s", "b"),
    user("u9", "s", "question 9"),
  ],
};

const BROKEN: Record<string, Line[]> = {
  "missing parents, and lines near and far in time": [
    ...exchanges(2),
    // The previous line is 5.001 seconds older, so the client sends no earlier line.
    at(8.001, user("u3", "no-such-line", "question 3")),
    at(9, assistant("a3", "u3", "answer 3")),
    at(10, user("o1", "a3", "another branch")),
    at(30, assistant("o2", "o1", "its answer, much later")),
    at(15, user("u4", "no-such-line", "question 4")),
    at(16, assistant("a4", "u4", "answer 4")),
    // The client treats a line that is its own parent as a line without a parent.
    at(17, user("u5", "u5", "question 5")),
    at(18, assistant("a5", "u5", "answer 5")),
  ],
  "a cycle, parents of other types, and duplicate ids": [
    ...exchanges(1),
    user("u2", "a2", "question 2"),
    assistant("a2", "u2", "answer 2"),
    { type: "progress", uuid: "p", parentUuid: "a2", data: {} },
    { ...user("side", "p", "said to a subagent"), isSidechain: true },
    user("u3", "side", "question 3"),
    assistant("a3", "u3", "answer 3"),
    { type: "novelty", uuid: "n", parentUuid: "u1" },
    user("u4", "n", "question 4"),
    assistant("a4", "u4", "answer 4"),
    user("u2", "a2", "question 2, second version"),
    // If two lines have the same id, the client uses the later line, with its parent and its position.
    assistant("a3", "u1", "answer 3, nowhere"),
    user("u5", "a4", "question 5"),
    assistant("a3", "u3", "answer 3, second version"),
    user("u5", "a4", "question 5, second version"),
    { ...user("end", "u5", "the subagent goes on"), isSidechain: true },
  ],
};

/** The client sends only parts of these lines. */
const CONTENTS: Record<string, Line[]> = {
  "the client's own lines, some of them after an unanswered prompt": [
    ...exchanges(1),
    { ...user("meta", "a1", "a caveat"), isMeta: true },
    system("printed", "meta", "local_command"),
    system("duration", "printed", "turn_duration"),
    by("<synthetic>", {
      ...assistant("error", "duration", "API Error: busy"),
      isApiErrorMessage: true,
    }),
    user("u2", "error", "question 2"),
    by("<synthetic>", assistant("none", "u2", "No response requested.")),
    { type: "attachment", uuid: "x", parentUuid: "none", attachment: { type: "novelty" } },
    user("u3", "x", "question 3"),
    hookContext("x2", "u3"),
    system("printed2", "x2", "local_command"),
    { type: "summary", summary: "An old title", leafUuid: "a1" },
  ],
  "attachments before and after text and results": [
    user("u1", null, "question 1"),
    hookContext("x1", "u1"),
    assistant("A", "x1", [use("A")], "m1"),
    result("A", "A", " padded \n"),
    hookContext("x2", "r-A"),
    hookContext("x3", "x2"),
    user("u2", "x3", "question 2"),
    hookContext("x4", "u2"),
    assistant("B", "x4", [use("B")], "m2"),
    hookContext("x5", "B"),
    result("B", "x5", [{ type: "text", text: "a list" }]),
    hookContext("x6", "r-B"),
    assistant("a2", "x6", "answer 2"),
  ],
  "calls without results, and results without calls": [
    user("u1", null, "question 1"),
    assistant("T", "u1", "a word before an open call", "m1"),
    assistant("A", "T", [use("A")], "m1"),
    result("stray", "A"),
    assistant("B", "r-stray", [use("B"), use("open")], "m2"),
    result("B", "B"),
    { ...result("B", "r-B", "a second result"), uuid: "r-B2" },
    assistant("C", "r-B2", [use("C")], "m3"),
    user("u2", "C", "words before a result"),
    result("C", "u2"),
    assistant("D", "r-C", [use("D"), { type: "text", text: "words behind a call" }], "m4"),
    result("D", "D"),
  ],
  "blocks that the API would refuse": [
    user("u1", null, [{ type: "text", text: "" }, { type: "text", text: "question \ud83d 1" }]),
    assistant("blank", "u1", " \n"),
    assistant("empty", "blank", []),
    user("u2", "empty", "question 2"),
    assistant("alone", "u2", [thinking()]),
    user("u3", "alone", "question 3"),
    by("another-model", assistant("foreign", "u3", [thinking()], "m1")),
    by("another-model", assistant("a3", "foreign", "answer 3", "m1")),
    user("u4", "a3", "question 4"),
    assistant("a4", "u4", [{ type: "redacted_thinking", data: "hidden" }], "m2"),
    assistant("A", "a4", [{ ...use("A"), caller: { type: "direct" } }], "m2"),
    result("A", "A", [{ type: "tool_reference", tool_name: "Bash" }]),
  ],
};

function withBrokenLines(text: string): string {
  return `\ufeff${text.replaceAll("\n", "\r\n\r\n")}{"type":"user","uuid":"torn`
    .replace('"question 2"', '"question 2');
}

export const WRITTEN_SESSIONS: GoldenSession[] = [
  ...[ENDS, PARALLEL, COMPACTED, BROKEN, CONTENTS].flatMap((table) =>
    Object.entries(table).map(([name, lines]) => writtenSession(name, lines))
  ),
  writtenSession(
    "a byte order mark, CRLF, and blank, broken and torn lines",
    exchanges(3),
    withBrokenLines,
  ),
];

function writtenSession(
  name: string,
  lines: Line[],
  finish?: (text: string) => string,
): GoldenSession {
  return {
    name,
    make: (bench) => {
      bench.sessionId = writeTranscript(bench.home, lines, finish);
    },
  };
}
