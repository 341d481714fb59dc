import { assert, assertEquals, assertLess } from "@std/assert";
import {
  MAX_PROMPT_TAIL_BYTES,
  MAX_USAGE_TAIL_BYTES,
  readTailUsage,
  type TailUsage,
} from "../../src/transcript/tokens/tail_usage.ts";

type Fields = { readonly [name: string]: unknown };

function inFile<T>(text: string, run: (path: string) => T): T {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, text);
    return run(path);
  } finally {
    Deno.removeSync(path);
  }
}

function jsonl(lines: readonly Fields[]): string {
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

function tailOf(...lines: readonly Fields[]): TailUsage {
  return inFile(jsonl(lines), readTailUsage);
}

function tokensOf(...lines: readonly Fields[]): number | undefined {
  return tailOf(...lines).usage?.tokens;
}

function user(uuid: string, parentUuid: string | null, more: Fields = {}): Fields {
  return { type: "user", uuid, parentUuid, message: { role: "user", content: uuid }, ...more };
}

function answer(
  uuid: string,
  parentUuid: string | null,
  tokens: number,
  more: Fields = {},
): Fields {
  const message = { id: `msg_${uuid}`, model: "claude-x", usage: { input_tokens: tokens } };
  return { type: "assistant", uuid, parentUuid, message, ...more };
}

function boundary(uuid: string, more: Fields = {}): Fields {
  return { type: "system", subtype: "compact_boundary", uuid, parentUuid: null, ...more };
}

function lastPrompt(leafUuid: unknown): Fields {
  return { type: "last-prompt", lastPrompt: "go on", leafUuid };
}

function metadata(contextTokens: number, maxContextTokens: number): Fields {
  return { contextTokens, maxContextTokens };
}

const NOTHING: TailUsage = { usage: null, isCompacted: false };

const OPENING = [user("a", null), answer("b", "a", 10)];
const LEFT = [user("c", "b"), answer("d", "c", 99)];
const SIDE = { isSidechain: true };
const SUMMARY = { type: "summary", summary: "A title", leafUuid: "b" };
const KEPT = { preservedMessages: { anchorUuid: "d", uuids: ["a", "b"] } };
const SEGMENT = { preservedSegment: { anchorUuid: "d", headUuid: "a", tailUuid: "b" } };
const TIMED = OPENING.map((line) => ({ ...line, timestamp: "2026-01-01T00:00:00Z" }));
const CUT = { ...boundary("c"), parentUuid: "b" };
const AFTER_BOUNDARY = { type: "attachment", uuid: "d", parentUuid: "c" };

/** Partial text of an answer, then the whole text. */
const PARTS = [50, 60].map((tokens, n) => ({
  type: "assistant",
  uuid: `p${n}`,
  parentUuid: n === 0 ? "b" : "p0",
  message: { id: "msg_1", usage: { input_tokens: tokens } },
}));

type Case = readonly [what: string, expected: number | "compacted" | "nothing", ...Fields[]];

const CASES: readonly Case[] = [
  ["the newest answer", 20, ...OPENING, user("c", "b"), answer("d", "c", 20)],
  ["an answer before a prompt", 10, ...OPENING, user("c", "b")],
  ["an empty file", "nothing"],
  ["a summary alone", "nothing", SUMMARY],
  ["a prompt alone", "nothing", user("a", null)],
  ["the last of a message's lines", 60, ...OPENING, ...PARTS],
  ["the last of two lines with one id", 20, answer("a", null, 10), answer("a", null, 20)],
  [
    "no synthetic message, error or answer without counts",
    10,
    ...OPENING,
    answer("c", "b", 0, { message: { model: "<synthetic>", usage: { input_tokens: 99 } } }),
    answer("d", "c", 77, { isApiErrorMessage: true }),
    answer("e", "d", 0, { message: { model: "claude-x", usage: { input_tokens: 0 } } }),
  ],
  ["no subagent", 10, ...OPENING, user("s", null, SIDE), answer("t", "s", 99, SIDE)],
  ["an abandoned branch", 10, ...OPENING, ...LEFT, user("e", "b")],
  ["a record of an ancestor of the end", 99, ...OPENING, ...LEFT, lastPrompt("b")],
  [
    "a record of another leaf",
    99,
    ...OPENING,
    ...LEFT,
    user("e", "b"),
    answer("f", "e", 3),
    lastPrompt("d"),
  ],
  [
    "a record of the end",
    3,
    ...OPENING,
    ...LEFT,
    user("e", "b"),
    answer("f", "e", 3),
    lastPrompt("f"),
  ],
  ["a record of a missing leaf", 10, ...OPENING, lastPrompt("gone")],
  ["a record without a leaf", 10, ...OPENING, lastPrompt(7)],
  ["a compaction", "compacted", ...OPENING, boundary("c"), user("d", "c")],
  [
    "an answer after a compaction",
    9,
    ...OPENING,
    boundary("c"),
    user("d", "c"),
    answer("e", "d", 9),
  ],
  ["a summary without a boundary", 10, SUMMARY, ...OPENING, SUMMARY],
  [
    "other types in the chain",
    10,
    ...OPENING,
    { type: "progress", uuid: "p", parentUuid: "b" },
    { type: "attachment", uuid: "q", parentUuid: "p", attachment: {} },
    { type: "mode", mode: "plan" },
  ],
  ["its own ancestor", "nothing", user("a", "a")],
  ["two ancestors of each other", "nothing", user("a", "b"), user("b", "a")],
  ["later metadata", 5, ...OPENING, metadata(5, 100)],
  ["later metadata before a prompt", 5, ...OPENING, metadata(5, 100), user("c", "b")],
  ["earlier metadata", 10, metadata(5, 100), ...OPENING, user("c", "b")],
  ["the later metadata", 2, metadata(1, 100), metadata(2, 100)],
  ["metadata with a maximum of 0", 5, metadata(5, 100), metadata(6, 0)],
  ["metadata and an abandoned branch", 5, ...OPENING, metadata(5, 100), ...LEFT, user("e", "b")],
  [
    "metadata before a compaction",
    "compacted",
    ...OPENING,
    metadata(5, 9),
    boundary("c"),
    user("d", "c"),
  ],
  ["metadata after a compaction", 5, ...OPENING, boundary("c"), user("d", "c"), metadata(5, 9)],
  // A boundary that names no lines does not change the branch next to it.
  [
    "a branch without the compaction",
    10,
    ...OPENING,
    boundary("c"),
    user("d", "c"),
    user("e", "b"),
  ],
  ["a compaction at the end", "compacted", ...OPENING, CUT],
  ["an attachment after that compaction", "compacted", ...OPENING, CUT, AFTER_BOUNDARY],
  [
    "a record of that attachment",
    "compacted",
    ...OPENING,
    CUT,
    AFTER_BOUNDARY,
    user("e", "a"),
    lastPrompt("d"),
  ],
  // A boundary without a parent is not the tip.
  ["a compaction without a parent", 10, ...TIMED, boundary("c")],
  ...[KEPT, SEGMENT].flatMap((compactMetadata): Case[] => {
    const cut = [...OPENING, boundary("c", { compactMetadata }), user("d", "c")];
    return [
      ["a child of a line that a compaction preserved", "compacted", ...cut, user("e", "b")],
      ["a child of the anchor of preserved lines", "compacted", ...cut, user("e", "d")],
      ["an answer after preserved lines", 5, ...cut, user("e", "b"), answer("f", "e", 5)],
    ];
  }),
];

Deno.test("readTailUsage() reads the newest usage of the conversation", () => {
  for (const [what, expected, ...lines] of CASES) {
    const { usage, isCompacted } = tailOf(...lines);
    assertEquals(usage?.tokens ?? (isCompacted ? "compacted" : "nothing"), expected, what);
  }
});

Deno.test("readTailUsage() returns the model, the message, the window and the source", () => {
  assertEquals(tailOf(...OPENING), {
    usage: { tokens: 10, source: "api", model: "claude-x", messageId: "msg_b" },
    isCompacted: false,
  });
  assertEquals(tailOf(...OPENING, metadata(5, 100)), {
    usage: { tokens: 5, source: "metadata", window: 100 },
    isCompacted: false,
  });
});

Deno.test("readTailUsage() reads lines that are joined, torn, blank or end in CRLF", () => {
  const both = JSON.stringify(metadata(5, 100)) + JSON.stringify(metadata(7, 100));
  assertEquals(inFile(both, readTailUsage).usage?.tokens, 7);
  assertEquals(inFile("not json\n\n{torn", readTailUsage), NOTHING);
  const text = jsonl(OPENING);
  const torn = `${text}\n{"type":"assistant","uuid":"c","message":{"usage":{"input_tok`;
  for (const same of [torn, text.replaceAll("\n", "\r\n\r\n"), text.trimEnd()]) {
    assertEquals(inFile(same, readTailUsage).usage?.tokens, 10);
  }
});

Deno.test("readTailUsage() finds the client's record beyond the lines that it parses, but within its limit", () => {
  const fork = [user("a", null), answer("b", "a", 10), user("c", "b"), answer("d", "c", 99)];
  const tip = [user("e", "b"), answer("f", "e", 33)];
  const noise = (bytes: number): Fields[] =>
    Array.from(
      { length: Math.ceil(bytes / 10_000) },
      () => ({ type: "x", pad: "p".repeat(10_000) }),
    );
  const near = noise(200_000);
  const far = noise(MAX_PROMPT_TAIL_BYTES + 50_000);
  assertEquals(tokensOf(...fork, lastPrompt("d"), ...near, ...tip), 99);
  assertEquals(tokensOf(...fork, ...near, ...tip), 33);
  assertEquals(tokensOf(...fork, lastPrompt("d"), ...far, ...tip), 33);
  assertEquals(tokensOf(...fork, ...tip, ...far), 33);
});

Deno.test("readTailUsage() reads 32 MB of the end and no more", () => {
  const path = Deno.makeTempFileSync();
  try {
    const pad = { type: "progress", pad: "p".repeat(4_000_000) };
    Deno.writeTextFileSync(path, jsonl([user("a", null), answer("b", "a", 10)]));
    const rest = jsonl(Array.from({ length: 10 }, () => pad));
    assertLess(MAX_USAGE_TAIL_BYTES, rest.length);
    Deno.writeTextFileSync(path, rest, { append: true });
    assertEquals(readTailUsage(path), NOTHING);
    Deno.writeTextFileSync(path, jsonl([answer("c", "b", 20)]), { append: true });
    assertEquals(readTailUsage(path).usage?.tokens, 20);
  } finally {
    Deno.removeSync(path);
  }
});

/** Counts the bytes that `run` reads from files. */
function countReads(run: () => void): number {
  const { readSync } = Deno.FsFile.prototype;
  let bytes = 0;
  Deno.FsFile.prototype.readSync = function (into: Uint8Array): number | null {
    const count = readSync.call(this, into);
    bytes += count ?? 0;
    return count;
  };
  try {
    run();
  } finally {
    Deno.FsFile.prototype.readSync = readSync;
  }
  return bytes;
}

Deno.test("readTailUsage() reads as little of 100 MB as of 1 MB", () => {
  const chain = [user("a", null), answer("b", "a", 10), user("c", "b"), answer("d", "c", 20)];
  const noise = Array.from({ length: 40 }, () => ({ type: "x", pad: "p".repeat(5000) }));
  // Longer than the part of a file that is searched for the client's record. The larger file ends
  // with the content of the smaller file.
  const filler = jsonl([{ type: "x", pad: "p".repeat(10_000 - 21) }]).repeat(130);
  const tails: Record<string, readonly Fields[]> = {
    "the answer at the end": [...chain, lastPrompt("d")],
    "the note before it": [lastPrompt("b"), ...chain],
    "no note": chain,
    "a note far up": [lastPrompt("b"), ...noise, ...chain],
    "notes without a leaf": [lastPrompt(undefined), ...noise, ...chain, lastPrompt(undefined)],
    "a compaction": [...chain, boundary("e"), user("f", "e")],
  };
  for (const [what, lines] of Object.entries(tails)) {
    const [small, large] = [1e6, 100e6].map((size) =>
      inFile(
        filler.repeat(Math.ceil(size / filler.length)) + jsonl(lines),
        (path) =>
          countReads(() => {
            const { usage, isCompacted } = readTailUsage(path);
            assertEquals(
              [usage?.tokens, isCompacted],
              isCompacted ? [undefined, true] : [20, false],
            );
          }),
      )
    );
    assertEquals(large, small, what);
    assertLess(large ?? Infinity, 2.5 * MAX_PROMPT_TAIL_BYTES, what);
  }
});

Deno.test("readTailUsage() reads no more of one line of 100 MB than its limit", () => {
  const reads = inFile("", (path) => {
    // A hole, which takes no space on the disk.
    Deno.truncateSync(path, 100e6);
    Deno.writeTextFileSync(path, "\n" + jsonl([user("a", "gone")]), { append: true });
    return countReads(() => assertEquals(readTailUsage(path), NOTHING));
  });
  assertLess(reads, MAX_USAGE_TAIL_BYTES + 2 * MAX_PROMPT_TAIL_BYTES);
});

Deno.test("readTailUsage() passes a long row of progress lines once, not once for each line", () => {
  const path = Deno.makeTempFileSync();
  const count = 60_000;
  const lines = Array.from({ length: count }, (_, n) => {
    const type = n === 0 || n === count - 1 ? "user" : "progress";
    return JSON.stringify({ type, uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}` });
  });
  Deno.writeTextFileSync(path, lines.join("\n") + "\n");
  const started = performance.now();
  assertEquals(readTailUsage(path).usage, null);
  // A version that asked again for each line took a minute.
  assert(performance.now() - started < 20_000);
  Deno.removeSync(path);
});
