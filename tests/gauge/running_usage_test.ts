import { assertEquals } from "@std/assert";
import { readRunningUsage } from "../../src/gauge/running_usage.ts";
import { answer, boundary, type Line, user, withTranscript, writeLines } from "./transcript.ts";

type Found = [tokens: number | null, isCompacted: boolean, isBehind: boolean];

function found(path: string, entries = {}): Found {
  const { usage, isCompacted, isBehind } = readRunningUsage(path, entries);
  return [usage?.tokens ?? null, isCompacted, isBehind];
}

const A1 = answer("a1", null, 1_000);
const A1_FOUND: Found = [1_000, false, false];
const NOTHING: Found = [null, false, false];
const COMPACTED: Found = [null, true, false];

const METADATA = { contextTokens: 700, maxContextTokens: 1_000 };

const KEEPING = {
  ...boundary("b"),
  compactMetadata: { preservedMessages: { anchorUuid: "b", uuids: ["a1"] } },
};

/** An answer, the lines that link a prompt to it, the prompt, and two later lines outside this path. */
const LINKED = [
  A1,
  { type: "progress", uuid: "p1", parentUuid: "a1" },
  { type: "attachment", uuid: "x1", parentUuid: "p1" },
  { type: "system", subtype: "turn_duration", uuid: "s1", parentUuid: "x1" },
  user("u2", "s1"),
  { type: "progress", uuid: "p2", parentUuid: "nowhere" },
  { type: "last-prompt", leafUuid: "u2" },
];

/** Prompts whose path to the root is broken. */
const BROKEN = [user("u3", "nowhere"), user("u4", "u3")];

const CASES: Readonly<Record<string, readonly (readonly [lines: readonly Line[], Found])[]>> = {
  // The second prompt was rewound, so its answer is on an abandoned branch.
  "finds the newest usage on the path to the root": [[[
    user("u1", null),
    answer("a1", "u1", 1_000),
    user("u2", "a1"),
    answer("a2", "u2", 2_000),
    user("u3", "a1"),
    answer("side", "u3", 9_000, { isSidechain: true }),
    { type: "mode", mode: "default" },
  ], A1_FOUND]],
  "skips answers that the client itself wrote": [[[
    A1,
    { ...answer("a2", "a1", 3), message: { model: "<synthetic>", usage: {} } },
    answer("a3", "a2", 5_000, { isApiErrorMessage: true }),
  ], A1_FOUND]],
  "stops at a compaction": [
    [[A1, boundary("b"), user("u2", "b")], COMPACTED],
    [[A1, boundary("b"), user("u2", "b"), answer("a2", "u2", 200)], [200, false, false]],
  ],
  "stops at a compaction, even if a later line follows a line that it kept": [
    [[A1, KEEPING, user("u2", "a1")], COMPACTED],
    [[A1, KEEPING, user("u2", "a1"), answer("a2", "u2", 200)], [200, false, false]],
  ],
  "uses a metadata line if it is newer than the newest answer": [
    [[A1, METADATA], [700, false, false]],
    [[METADATA, A1], A1_FOUND],
  ],
  "follows parents through lines of every kind and in any order": [
    [LINKED, A1_FOUND],
    [[...LINKED.slice(0, 4).reverse(), ...LINKED.slice(4)], A1_FOUND],
    // The later of two lines with the same id counts.
    [[...LINKED, user("u2", "nowhere"), user("u2", "s1")], A1_FOUND],
  ],
  "uses the usage nearest to the end only if the path to the root is broken or circular": [
    [[A1, answer("a2", "a1", 2_000), ...BROKEN], [2_000, false, false]],
    [[A1, boundary("b"), ...BROKEN], COMPACTED],
    [[A1, user("u2", "u3"), user("u3", "u2")], A1_FOUND],
    [[A1, user("u2", null)], NOTHING],
  ],
};

for (const [name, cases] of Object.entries(CASES)) {
  Deno.test(`readRunningUsage() ${name}`, () =>
    withTranscript((path) => {
      for (const [lines, expected] of cases) {
        writeLines(path, lines);
        assertEquals(found(path), expected);
      }
    }));
}

Deno.test("readRunningUsage() reads no further back than its limit", () =>
  withTranscript((path) => {
    const filler = { type: "progress", text: "x".repeat(1024 * 1024 - 40) };
    for (const [count, expected] of [[7, A1_FOUND], [9, NOTHING]] as const) {
      writeLines(path, [A1, ...Array(count).fill(filler), user("u2", "a1")]);
      assertEquals(found(path), expected);
    }
  }));

Deno.test("readRunningUsage() finds nothing in a missing file, a folder, an empty file or a file without valid entries", () =>
  withTranscript((path, folder) => {
    assertEquals([found(path), found(folder)], [NOTHING, NOTHING]);
    for (const text of ["", '\n{"type":"assistant"\nnot JSON\0\n[]\n']) {
      Deno.writeTextFileSync(path, text);
      assertEquals(found(path), NOTHING);
    }
  }));

Deno.test("readRunningUsage() sets isBehind for a file that has the prompt but not the call", () =>
  withTranscript((path) => {
    const entries = { promptId: "p2", toolUseIds: ["toolu_x", "toolu_a2"] };
    const before = [{ ...A1, promptId: "p1" }];
    writeLines(path, before);
    assertEquals(found(path, entries), A1_FOUND, "the prompt is missing, too");
    const prompt = [...before, user("u2", "a1", { promptId: "p2" })];
    writeLines(path, prompt);
    assertEquals(found(path, entries), [1_000, false, true]);
    writeLines(path, [...prompt, answer("a2", "u2", 2_000)]);
    assertEquals(found(path, entries), [2_000, false, false]);
    assertEquals(found(path, { ...entries, toolUseIds: [] }), [2_000, false, false]);
  }));

Deno.test("readRunningUsage() sets isBehind for a new session until its first call or a compaction is written", () =>
  withTranscript((path) => {
    const entries = { promptId: "p", toolUseIds: ["toolu_a1"] };
    assertEquals(found(path, entries), [null, false, true]);
    assertEquals(found(path, { promptId: "p" }), NOTHING, "there is no line to wait for");
    Deno.writeTextFileSync(path, "");
    assertEquals(found(path, entries), [null, false, true]);
    const start = [{ type: "mode" }, { type: "attachment", uuid: "x", parentUuid: null }];
    writeLines(path, start);
    assertEquals(found(path, entries), [null, false, true]);
    writeLines(path, [boundary("b"), ...start]);
    assertEquals(found(path, entries), [null, false, true]);
    writeLines(path, [...start, boundary("b")]);
    assertEquals(found(path, entries), COMPACTED, "a compaction ends the search");
    writeLines(path, [...start, user("u1", "x", { promptId: "p" }), answer("a1", "u1", 1_000)]);
    assertEquals(found(path, entries), A1_FOUND);
  }));

Deno.test("readRunningUsage() does not set isBehind if the newest line is the result of the call", () =>
  withTranscript((path) => {
    const entries = { promptId: "p", toolUseIds: ["toolu_a2"] };
    const content = [{ type: "tool_result", tool_use_id: "toolu_a2", content: "done" }];
    const result = { promptId: "p", message: { role: "user", content } };
    const prompt = user("u1", null, { promptId: "p" });
    writeLines(path, [prompt, answer("a2", "u1", 2_000), user("r2", "a2", result)]);
    assertEquals(found(path, entries), [2_000, false, false]);
  }));

Deno.test("readRunningUsage() finds a call that is written before the prompt, as in a session's first flush", () =>
  withTranscript((path) => {
    const attachment = { type: "attachment", uuid: "x", parentUuid: "u1" };
    const late = [{ type: "mode" }, answer("a1", "x", 2_000), answer("a1b", "a1", 2_000)];
    writeLines(path, [...late, user("u1", null, { promptId: "p" }), attachment]);
    const entries = { promptId: "p", toolUseIds: ["toolu_a1b"] };
    assertEquals(found(path, entries), [2_000, false, false]);
    assertEquals(found(path, { ...entries, toolUseIds: ["toolu_other"] }), [null, false, true]);
  }));

/** Returns the lines of a turn in the order in which a client in a terminal writes them. */
function turn(promptId: string, parent: string | null, tokens: number): Line[] {
  const id = (letter: string): string => `${letter}-${promptId}`;
  const [prompt, context, call, result, last] = [id("u"), id("x"), id("t"), id("r"), id("a")];
  return [
    { ...user(prompt, parent), promptId },
    { type: "attachment", uuid: context, parentUuid: prompt, attachment: {} },
    answer(call, context, tokens - 1),
    { ...user(result, call), promptId },
    answer(last, result, tokens),
    { type: "system", subtype: "turn_duration", uuid: id("y"), parentUuid: last },
    { type: "mode", mode: "normal" },
  ];
}

Deno.test("readRunningUsage() sets isBehind at the end of a turn until the answer is written", () =>
  withTranscript((path) => {
    const first = turn("p1", null, 1_000);
    const lines = [...first, ...turn("p2", "y-p1", 2_000)];
    const entries = { promptId: "p2", isAnswered: true };
    const usages = lines.map((_, index) => {
      writeLines(path, lines.slice(0, index + 1));
      return found(path, entries);
    });
    // The prompt, its context, a call with its usage, its result, the answer, and two other lines.
    assertEquals(usages.slice(first.length).map(([tokens, , isBehind]) => [tokens, isBehind]), [
      ...[[1_000, true], [1_000, true], [1_999, false], [1_999, true]],
      ...[[2_000, false], [2_000, false], [2_000, false]],
    ]);
    assertEquals(usages.slice(0, first.length).every(([, , isBehind]) => isBehind), true);
  }));

Deno.test("readRunningUsage() does not set isBehind at the end of a turn without a prompt id, unless the file is missing", () =>
  withTranscript((path) => {
    writeLines(path, [user("u1", null), answer("a1", "u1", 1_000)]);
    assertEquals(found(path, { promptId: "p", isAnswered: true }), A1_FOUND);
    writeLines(path, turn("p1", null, 1_000));
    assertEquals(found(path, { isAnswered: true }), A1_FOUND);
    assertEquals(found(`${path}.none`, { isAnswered: true }), [null, false, true]);
  }));
