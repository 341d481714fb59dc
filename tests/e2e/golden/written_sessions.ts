/**
 * Hand-written transcripts, which show how the client handles trees that it never writes, or writes only in
 * rare circumstances.
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { signThinking } from "../bed/signature.ts";
import { linesOf } from "../../transcript/dsl.ts";
import type { GoldenSession } from "./bench.ts";
import {
  assistant,
  boundary,
  by,
  exchanges,
  hookContext,
  keep,
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

const TWO = "u1 a1<u1 u2<a1 a2<u2";
const THREE = `${TWO} u3<a2 a3<u3`;

/** Transcripts in the notation of tests/transcript/dsl.ts, in which `u8` stands for a summary. */
const TREES: Readonly<Record<string, string>> = {
  "lines in reverse order": "a2<u2 u2<a1 a1<u1 u1",
  "a last prompt whose branch ends the file, but is older than the other branch":
    `${TWO} lp(a1) u3<a1@1 a3<u3@2`,
  "a last prompt on another branch": `lp(u2) ${TWO} u3<a1 a3<u3`,
  "a last prompt that was written before a compaction":
    `${TWO} lp(a2) u3<a2 a3<u3 b u8<b u9<u8 a9<u9`,
  "a last prompt on the branch before a compaction": `${THREE} b u8<b u9<u8 a9<u9 lp(a3)`,
  "a boundary at the end, with a child": `${TWO} b y<b`,
  "two roots, and a last prompt that refers to an unknown line": `${TWO} u7 a7<u7 lp(zz)`,
  "parallel calls, and results outside of the chain":
    // A message with three calls, whose newest result is the parent of the next answer
    "u1 tA/m1<u1 tB/m1<tA tC/m1<tB rA<tA@90 rB<tB@80 rC<tC@100 " +
    // Two calls that are children of the first call's result, so the chain excludes the call before them
    "tD/m2<rC@101 tE/m2<tD rD<tD rE<tE tF/m3<rD tG/m3<rD rG<tG rF<tF a1<rG",
  "preserved lines before the summary, and from before an older boundary":
    `${THREE} b{u8:a3} u8<b u9<u8 a9<u9 b2{b2:u3,a3,u9,a9} u7<b2 u10<u7`,
  "a preserved segment": `${THREE} b{u8:a2..a3} u8<b u9<u8 a9<u9`,
  "preserved lines, one of them missing": `${THREE} b{u8:u3,zz,a3} u8<b u9<u8 a9<u9`,
  "a child of the last preserved line": `${THREE} b{u8:u3,a3} u8<b u9<a3 a9<u9`,
  "a child of an inner preserved line": `${THREE} b{u8:u2,a2,u3,a3} u8<b u9<a2 a9<u9`,
  "a child of a dropped line": `${THREE} b{u8:u3,a3} u8<b u9<a1 a9<u9`,
  "preserved calls, one of them without its result, and gaps":
    "u1 tA/m<u1 tB/m<tA rA<tA rB<tB a1<rB b{u8:u1,tA,tB,rB} u8<b u9<u8",
  // The client sends no earlier line if the previous line is 5.001 seconds older, and treats a line that is its
  // own parent as a line without a parent.
  "missing parents, and lines near and far in time":
    "u1@0 a1<u1 u2<a1 a2<u2 u3<zz@8.001 a3<u3@9 u4<a3@10 a4<u4@30 u5<zz@15 a5<u5 u6<u6 a6<u6",
};

const SESSIONS: Readonly<Record<string, Line[]>> = {
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
  "a preserved segment with an empty list of preserved lines": [
    ...exchanges(3),
    boundary("b", {
      ...keep("s"),
      preservedSegment: { headUuid: "a2", anchorUuid: "s", tailUuid: "a3" },
    }),
    summary("s", "b"),
    user("u9", "s", "question 9"),
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
  // The client sends only parts of the following lines.
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
  ...Object.entries(TREES).map(([name, text]) => writtenSession(name, linesOf(text))),
  ...Object.entries(SESSIONS).map(([name, lines]) => writtenSession(name, lines)),
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
