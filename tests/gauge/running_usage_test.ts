import { assertEquals, fail } from "@std/assert";
import { readRunningUsage, readUsageOfTurn } from "../../src/gauge/running_usage.ts";
import { answer, boundary, type Line, user, withTranscript, writeLines } from "./transcript.ts";

type Found = [tokens: number | null, isCompacted: boolean];

function found(path: string): Found {
  const { usage, isCompacted } = readRunningUsage(path);
  return [usage?.tokens ?? null, isCompacted];
}

const A1 = answer("a1", null, 1_000);
const A1_FOUND: Found = [1_000, false];
const NOTHING: Found = [null, false];
const COMPACTED: Found = [null, true];

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
  "ignores a compaction that was rewound": [[[A1, boundary("b"), user("u2", "a1")], A1_FOUND]],
  "skips answers that the client itself wrote": [[[
    A1,
    { ...answer("a2", "a1", 3), message: { model: "<synthetic>", usage: {} } },
    answer("a3", "a2", 5_000, { isApiErrorMessage: true }),
  ], A1_FOUND]],
  "stops at a compaction": [
    [[A1, boundary("b"), user("u2", "b")], COMPACTED],
    [[A1, boundary("b"), user("u2", "b"), answer("a2", "u2", 200)], [200, false]],
  ],
  "stops at a compaction, even if a later line follows a line that it kept": [
    [[A1, KEEPING, user("u2", "a1")], COMPACTED],
    [[A1, KEEPING, user("u2", "a1"), answer("a2", "u2", 200)], [200, false]],
  ],
  "uses a metadata line if it is newer than the newest answer": [
    [[A1, METADATA], [700, false]],
    [[METADATA, A1], A1_FOUND],
  ],
  "follows parents through lines of every kind and in any order": [
    [LINKED, A1_FOUND],
    [[...LINKED.slice(0, 4).reverse(), ...LINKED.slice(4)], A1_FOUND],
    // The later of two lines with the same id counts.
    [[...LINKED, user("u2", "nowhere"), user("u2", "s1")], A1_FOUND],
  ],
  "uses the usage nearest to the end only if the path to the root is broken or circular": [
    [[A1, answer("a2", "a1", 2_000), ...BROKEN], [2_000, false]],
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

Deno.test("readUsageOfTurn() waits for the answer to the prompt, but not for long", () =>
  withTranscript((path, folder) => {
    const first = turn("p1", null, 1_000);
    const lines = [...first, ...turn("p2", "y-p1", 2_000)];
    const read = (promptId: string | undefined, file = path): [number | null, number] => {
      let waits = 0;
      const { usage } = readUsageOfTurn(file, promptId, () => waits++);
      return [usage?.tokens ?? null, waits];
    };
    const usages = lines.map((_, index) => {
      writeLines(path, lines.slice(0, index + 1));
      const [tokens, waits] = read("p2");
      return [tokens, waits > 0];
    });
    // The prompt, its context, a call with its usage, its result, the answer, and two other lines.
    assertEquals(usages.slice(first.length), [
      ...[[1_000, true], [1_000, true], [1_999, false], [1_999, true]],
      ...[[2_000, false], [2_000, false], [2_000, false]],
    ]);
    assertEquals(usages.slice(0, first.length).every(([, waits]) => waits), true);
    assertEquals(read(undefined), [2_000, 0], "the hook's payload has no prompt id");
    assertEquals(read("p1", `${path}.none`), [null, 15]);
    assertEquals([read(undefined, `${path}.none`), read("p1", folder)], [[null, 0], [null, 0]]);
    const bySubagent = answer("side", "u-p2", 9_000, { isSidechain: true });
    writeLines(path, [...lines.slice(0, first.length + 1), bySubagent]);
    assertEquals(read("p2"), [1_000, 15], "only a subagent has answered");
    let waits = 0;
    const { usage } = readUsageOfTurn(path, "p3", () => {
      if (++waits === 3) writeLines(path, [...lines, ...turn("p3", "y-p2", 3_000)]);
    });
    assertEquals([usage?.tokens, waits], [3_000, 3]);
  }));

Deno.test("readUsageOfTurn() does not wait if the transcript has no prompt ids", () =>
  withTranscript((path) => {
    writeLines(path, [user("u1", null), answer("a1", "u1", 1_000)]);
    const { usage } = readUsageOfTurn(path, "p", () => fail("there was nothing to wait for"));
    assertEquals(usage?.tokens, 1_000);
  }));
