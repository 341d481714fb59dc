import { assert, assertEquals, assertLess } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import {
  MAX_PROMPT_TAIL_BYTES,
  MAX_USAGE_TAIL_BYTES,
  readTailUsage,
  type TailUsage,
} from "../../src/transcript/tokens/tail_usage.ts";
import { replaced } from "../scripts/in_process.ts";
import { linesOf, textOf } from "./dsl.ts";
import { temporaryFile } from "./temporary_file.ts";

function inFile<T>(text: string, run: (path: string) => T): T {
  using file = temporaryFile(text);
  return run(file.path);
}

function tailOf(...lines: readonly JsonObject[]): TailUsage {
  return inFile(textOf(lines), readTailUsage);
}

function tokensOf(...lines: readonly JsonObject[]): number | undefined {
  return tailOf(...lines).usage?.tokens;
}

function answer(
  uuid: string,
  parentUuid: string | null,
  tokens: number,
  more: JsonObject = {},
): JsonObject {
  const message = { id: `msg_${uuid}`, model: "claude-x", usage: { input_tokens: tokens } };
  return { type: "assistant", uuid, parentUuid, message, ...more };
}

function lastPrompt(leafUuid: unknown): JsonObject {
  return { type: "last-prompt", lastPrompt: "go on", leafUuid };
}

function withoutTimes(text: string): JsonObject[] {
  return linesOf(text).map(({ timestamp: _, ...line }) => line);
}

const NOTHING: TailUsage = { usage: null, isCompacted: false };

const OPENING = withoutTimes("u1 a1<u1");
const SUMMARY = { type: "summary", summary: "A title", leafUuid: "a1" };

type Case = readonly [
  what: string,
  expected: number | "compacted" | "nothing",
  ...lines: readonly (string | JsonObject)[],
];

/** An answer without `=` has 10 tokens. active_context_test.ts tests branches in detail. */
const CASES: readonly Case[] = [
  ["the newest answer", 20, "u1 a1<u1 u2<a1 a2<u2=20"],
  ["an answer before a prompt", 10, "u1 a1<u1 u2<a1"],
  ["an empty file", "nothing"],
  ["a summary alone", "nothing", SUMMARY],
  ["a prompt alone", "nothing", "u1"],
  ["the last of a message's lines", 60, "u1 a1<u1 a2/m<a1=50 a3/m<a2=60"],
  [
    "no synthetic message, error or answer without counts",
    10,
    "u1 a1<u1",
    answer("c", "a1", 0, { message: { model: "<synthetic>", usage: { input_tokens: 99 } } }),
    answer("d", "c", 77, { isApiErrorMessage: true }),
    answer("e", "d", 0, { message: { model: "claude-x", usage: { input_tokens: 0 } } }),
  ],
  ["an abandoned branch", 10, "u1 a1<u1 u2<a1 a2<u2=99 u3<a1"],
  ["a branch that a `last-prompt` line selects", 3, "u1 a1<u1 u2<a1 a2<u2=99 u3<a1 a3<u3=3 lp(a3)"],
  ["a compaction", "compacted", "u1 a1<u1 b1 u2<b1"],
  ["an answer after a compaction", 9, "u1 a1<u1 b1 u2<b1 a2<u2=9"],
  ["later metadata", 5, "u1 a1<u1 m(5,100)"],
  ["later metadata before a prompt", 5, "u1 a1<u1 m(5,100) u2<a1"],
  ["earlier metadata", 10, "m(5,100) u1 a1<u1 u2<a1"],
  ["the later of two metadata lines", 2, "m(1,100) m(2,100)"],
  ["metadata with a maximum of 0", 5, "m(5,100) m(6,0)"],
  ["metadata and an abandoned branch", 5, "u1 a1<u1 m(5,100) u2<a1 a2<u2=99 u3<a1"],
  ["metadata before a compaction", "compacted", "u1 a1<u1 m(5,9) b1 u2<b1"],
  ["metadata after a compaction", 5, "u1 a1<u1 b1 u2<b1 m(5,9)"],
  ["a compaction at the end", "compacted", "u1 a1<u1 b1<a1"],
  ["an attachment after a compaction at the end", "compacted", "u1 a1<u1 b1<a1 x1<b1"],
  // A boundary without a parent is not the tip.
  ["a compaction without a parent", 10, ...linesOf("u1@1 a1<u1@1 b1@none")],
  ...["u2:u1,a1", "u2:u1..a1"].flatMap((kept): Case[] => {
    const cut = `u1 a1<u1 b1{${kept}} u2<b1`;
    return [
      ["a child of a line that a compaction preserved", "compacted", `${cut} u3<a1`],
      ["a child of the anchor of preserved lines", "compacted", `${cut} u3<u2`],
      ["an answer after preserved lines", 5, `${cut} u3<a1 a3<u3=5`],
    ];
  }),
];

Deno.test("readTailUsage() reads the newest usage of the conversation", () => {
  for (const [what, expected, ...lines] of CASES) {
    const all = lines.flatMap((line) => typeof line === "string" ? withoutTimes(line) : [line]);
    const { usage, isCompacted } = tailOf(...all);
    assertEquals(usage?.tokens ?? (isCompacted ? "compacted" : "nothing"), expected, what);
  }
});

Deno.test("readTailUsage() returns the source of the usage, with an answer's model and id, or a metadata line's window", () => {
  assertEquals(tailOf(answer("a1", null, 10)), {
    usage: { tokens: 10, source: "api", model: "claude-x", messageId: "msg_a1" },
    isCompacted: false,
  });
  assertEquals(tailOf(...linesOf("u1 a1<u1 m(5,100)")), {
    usage: { tokens: 5, source: "metadata", window: 100 },
    isCompacted: false,
  });
});

Deno.test("readTailUsage() reads lines that are joined, torn, blank or end in CRLF", () => {
  const both = textOf(linesOf("m(5,100) m(7,100)")).replaceAll("\n", "");
  assertEquals(inFile(both, readTailUsage).usage?.tokens, 7);
  assertEquals(inFile("not json\n\n{torn", readTailUsage), NOTHING);
  const text = textOf(OPENING);
  const torn = `${text}\n{"type":"assistant","uuid":"c","message":{"usage":{"input_tok`;
  for (const variant of [torn, text.replaceAll("\n", "\r\n\r\n"), text.trimEnd()]) {
    assertEquals(inFile(variant, readTailUsage).usage?.tokens, 10);
  }
});

Deno.test("readTailUsage() finds a `last-prompt` line far from the end of the file, but only within the search limit", () => {
  const fork = withoutTimes("u1 a1<u1 u2<a1 a2<u2=99");
  const tip = withoutTimes("u3<a1 a3<u3=33");
  const noise = (bytes: number): JsonObject => ({ type: "x", pad: "p".repeat(bytes) });
  const near = Array<JsonObject>(20).fill(noise(10_000));
  const far = Array<JsonObject>(Math.ceil(MAX_PROMPT_TAIL_BYTES / 10_000) + 5).fill(noise(10_000));
  assertEquals(tokensOf(...fork, lastPrompt("a2"), ...near, ...tip), 99);
  assertEquals(tokensOf(...fork, ...near, ...tip), 33);
  assertEquals(tokensOf(...fork, lastPrompt("a2"), ...far, ...tip), 33);
  assertEquals(tokensOf(...fork, ...tip, ...far), 33);
});

function countReads(run: () => void): number {
  const { readSync } = Deno.FsFile.prototype;
  let bytes = 0;
  const counting = function (this: Deno.FsFile, into: Uint8Array): number | null {
    const count = readSync.call(this, into);
    bytes += count ?? 0;
    return count;
  };
  using _ = replaced(Deno.FsFile.prototype, "readSync", counting);
  run();
  return bytes;
}

Deno.test("readTailUsage() reads no more bytes of a 10 MB file than of a 1 MB file", () => {
  const chain = withoutTimes("u1 a1<u1 u2<a1 a2<u2=20");
  const noise = Array.from({ length: 40 }, () => ({ type: "x", pad: "p".repeat(5000) }));
  // The filler is longer than the part of a file that is searched for a `last-prompt` line. The larger file
  // ends with the content of the smaller file.
  const filler = textOf([{ type: "x", pad: "p".repeat(10_000 - 21) }]).repeat(130);
  const tails: Record<string, readonly JsonObject[]> = {
    "the answer at the end": [...chain, lastPrompt("a2")],
    "the record before the answer": [lastPrompt("a1"), ...chain],
    "no record": chain,
    "a record far above the answer": [lastPrompt("a1"), ...noise, ...chain],
    "records without a leaf": [lastPrompt(undefined), ...noise, ...chain, lastPrompt(undefined)],
    "a compaction": [...chain, ...withoutTimes("b1 u3<b1")],
  };
  for (const [what, lines] of Object.entries(tails)) {
    const isCompacted = what === "a compaction";
    const [small, large] = [1e6, 10e6].map((size) => {
      using file = temporaryFile(filler.repeat(Math.ceil(size / filler.length)) + textOf(lines));
      return countReads(() => {
        const found = readTailUsage(file.path);
        assertEquals(found.usage?.tokens, isCompacted ? undefined : 20);
        assertEquals(found.isCompacted, isCompacted);
      });
    });
    assertEquals(large, small, what);
    assertLess(large ?? Infinity, 2.5 * MAX_PROMPT_TAIL_BYTES, what);
  }
});

Deno.test("readTailUsage() stops at its limit in one line of 100 MB", () => {
  const reads = inFile("", (path) => {
    // A sparse file, which takes no disk space.
    Deno.truncateSync(path, 100e6);
    Deno.writeTextFileSync(path, "\n" + textOf(withoutTimes("u1<gone")), { append: true });
    return countReads(() => assertEquals(readTailUsage(path), NOTHING));
  });
  assertLess(reads, MAX_USAGE_TAIL_BYTES + 2 * MAX_PROMPT_TAIL_BYTES);
});

Deno.test("readTailUsage() skips a long run of progress lines once, not once for each line", () => {
  const count = 60_000;
  const lines = Array.from({ length: count }, (_, n) => {
    const type = n === 0 || n === count - 1 ? "user" : "progress";
    return { type, uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}` };
  });
  const started = performance.now();
  assertEquals(tailOf(...lines).usage, null);
  // A version that skipped the run again for each of its lines took a minute.
  assert(performance.now() - started < 20_000);
});

Deno.test("readTailUsage() takes linear time on a long chain before a metadata line", () => {
  const link = (uuid: string, parentUuid: string | null): JsonObject => {
    return { type: "user", uuid, parentUuid };
  };
  const chain = Array.from({ length: 15_000 }, (_, n) => link(`u${n}`, `u${n - 1}`));
  // The recorded leaf is not an ancestor of the answer, so the chain is followed to its start.
  const end = [...linesOf("m(5,100)"), answer("a", "u14999", 20), lastPrompt("other")];
  const started = performance.now();
  assertEquals(tokensOf(link("other", null), ...chain, ...end), 5);
  // A version that walked the chain once for each line took a minute.
  assert(performance.now() - started < 10_000);
});
