import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  MAX_PROMPT_TAIL_BYTES,
  MAX_USAGE_TAIL_BYTES,
  readTailUsage,
  type TailUsage,
} from "../../src/transcript/tokens/tail_usage.ts";

const RUN = { numRuns: 100, seed: 20_261_122 };

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

Deno.test("readTailUsage() reads the newest answer of the conversation", () => {
  assertEquals(
    tailOf(user("a", null), answer("b", "a", 10), user("c", "b"), answer("d", "c", 20)),
    {
      usage: { tokens: 20, source: "api", model: "claude-x", messageId: "msg_d" },
      isCompacted: false,
    },
  );
  assertEquals(tokensOf(user("a", null), answer("b", "a", 10), user("c", "b")), 10);
});

Deno.test("readTailUsage() finds nothing in a file without an answer", () => {
  assertEquals(tailOf(), NOTHING);
  assertEquals(tailOf({ type: "summary", summary: "old" }), NOTHING);
  assertEquals(tailOf(user("a", null)), NOTHING);
  assertEquals(inFile("not json\n\n{torn", readTailUsage), NOTHING);
});

Deno.test("readTailUsage() reads the last line's usage when a message has several lines", () => {
  const message = { id: "msg_1", usage: { input_tokens: 50, output_tokens: 1 } };
  const final = { id: "msg_1", usage: { input_tokens: 60, output_tokens: 900 } };
  const lines = [
    user("a", null),
    { type: "assistant", uuid: "b", parentUuid: "a", message },
    { type: "assistant", uuid: "c", parentUuid: "b", message: final },
  ];
  assertEquals(tokensOf(...lines), 60);
});

Deno.test("readTailUsage() lets the last of two lines with one id count", () => {
  assertEquals(tokensOf(answer("a", null, 10), answer("a", null, 20)), 20);
});

Deno.test("readTailUsage() skips synthetic messages, API errors and answers without counts", () => {
  const synthetic = { message: { model: "<synthetic>", usage: { input_tokens: 99 } } };
  const zero = { message: { model: "claude-x", usage: { input_tokens: 0 } } };
  assertEquals(
    tokensOf(
      user("a", null),
      answer("b", "a", 10),
      answer("c", "b", 0, synthetic),
      answer("d", "c", 77, { isApiErrorMessage: true }),
      answer("e", "d", 0, zero),
    ),
    10,
  );
});

Deno.test("readTailUsage() skips subagents' lines", () => {
  const side = { isSidechain: true };
  assertEquals(
    tokensOf(
      user("a", null),
      answer("b", "a", 10),
      user("s1", null, side),
      answer("s2", "s1", 99, side),
    ),
    10,
  );
});

Deno.test("readTailUsage() skips a branch that the user went back from", () => {
  assertEquals(
    tokensOf(
      user("a", null),
      answer("b", "a", 10),
      user("c", "b"),
      answer("d", "c", 99),
      user("e", "b"),
    ),
    10,
  );
});

Deno.test("readTailUsage() follows the note on the last prompt to a leaf that is not the last line", () => {
  const lines = [
    user("a", null),
    answer("b", "a", 10),
    user("c", "b"),
    answer("d", "c", 99),
  ];
  assertEquals(tokensOf(...lines, lastPrompt("b")), 99);
  const fork = [...lines, user("e", "b"), answer("f", "e", 33)];
  assertEquals(tokensOf(...fork, lastPrompt("d")), 99);
  assertEquals(tokensOf(...fork, lastPrompt("f")), 33);
  assertEquals(tokensOf(...fork), 33);
});

Deno.test("readTailUsage() goes by the last line when the note names nothing that is there", () => {
  const lines = [user("a", null), answer("b", "a", 10)];
  assertEquals(tokensOf(...lines, lastPrompt("gone")), 10);
  assertEquals(tokensOf(...lines, lastPrompt(7)), 10);
});

Deno.test("readTailUsage() says that a compaction came after the last answer", () => {
  const before = [user("a", null), answer("b", "a", 150_000)];
  const compacted: TailUsage = { usage: null, isCompacted: true };
  assertEquals(tailOf(...before, boundary("c"), user("d", "c")), compacted);
  assertEquals(tokensOf(...before, boundary("c"), user("d", "c"), answer("e", "d", 9)), 9);
});

Deno.test("readTailUsage() takes an old summary line for what it is, not for a compaction", () => {
  const summary = { type: "summary", summary: "A title", leafUuid: "b" };
  assertEquals(tokensOf(summary, user("a", null), answer("b", "a", 10), summary), 10);
});

Deno.test("readTailUsage() goes past entries of other types in the chain", () => {
  assertEquals(
    tokensOf(
      user("a", null),
      answer("b", "a", 10),
      { type: "progress", uuid: "p", parentUuid: "b" },
      { type: "attachment", uuid: "q", parentUuid: "p", attachment: {} },
      { type: "mode", mode: "plan" },
    ),
    10,
  );
});

Deno.test("readTailUsage() ends where messages are their own ancestors", () => {
  assertEquals(tailOf(user("a", "a")), NOTHING);
  assertEquals(tailOf(user("a", "b"), user("b", "a")), NOTHING);
});

Deno.test("readTailUsage() lets the later line win where there are both kinds of usage", () => {
  const api = [user("a", null), answer("b", "a", 10)];
  assertEquals(tailOf(...api, metadata(5, 100)), {
    usage: { tokens: 5, source: "metadata", window: 100 },
    isCompacted: false,
  });
  assertEquals(tokensOf(metadata(5, 100), ...api), 10);
  assertEquals(tokensOf(metadata(5, 100), ...api, user("c", "b")), 10);
  assertEquals(tokensOf(metadata(1, 100), metadata(2, 100)), 2);
  assertEquals(tokensOf(...api, metadata(5, 100), user("c", "b")), 5);
});

Deno.test("readTailUsage() lets the later of usages win when both stand on one line", () => {
  const both = JSON.stringify(metadata(5, 100)) + JSON.stringify(metadata(7, 100));
  assertEquals(inFile(both, readTailUsage).usage?.tokens, 7);
});

Deno.test("readTailUsage() skips metadata with a maximum of 0", () => {
  assertEquals(tokensOf(metadata(5, 100), metadata(6, 0)), 5);
  assertEquals(tokensOf(answer("a", null, 10), metadata(6, 0)), 10);
});

Deno.test("readTailUsage() takes metadata over an answer that comes later on an abandoned branch", () => {
  const lines = [
    user("a", null),
    answer("b", "a", 10),
    metadata(5, 100),
    user("c", "b"),
    answer("d", "c", 99),
    user("e", "b"),
  ];
  assertEquals(tokensOf(...lines), 5);
});

Deno.test("readTailUsage() takes a compaction over metadata from before it, and not from after it", () => {
  const api = [user("a", null), answer("b", "a", 10)];
  const after = [boundary("c"), user("d", "c")];
  assertEquals(tailOf(...api, metadata(5, 100), ...after).isCompacted, true);
  assertEquals(tokensOf(...api, ...after, metadata(5, 100)), 5);
});

Deno.test("readTailUsage() finds the note beyond what it parses, and not beyond its bound", () => {
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

/** Counts the bytes that are read of files meanwhile. */
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
  // More than the note is looked for in; the larger file has the smaller one at its end.
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

Deno.test("readTailUsage() reads no more of one line of 100 MB than of its bound", () => {
  const reads = inFile("", (path) => {
    // A hole: nothing of it is stored.
    Deno.truncateSync(path, 100e6);
    Deno.writeTextFileSync(path, "\n" + jsonl([user("a", "gone")]), { append: true });
    return countReads(() => assertEquals(readTailUsage(path), NOTHING));
  });
  assertLess(reads, MAX_USAGE_TAIL_BYTES + 2 * MAX_PROMPT_TAIL_BYTES);
});

Deno.test("readTailUsage() says that a compaction came where the chain goes on from what it kept", () => {
  const old = [user("a", null), answer("b", "a", 10)];
  const kept = boundary("c", {
    compactMetadata: { preservedMessages: { anchorUuid: "d", uuids: ["a", "b"] } },
  });
  const segment = boundary("c", {
    compactMetadata: { preservedSegment: { anchorUuid: "d", headUuid: "a", tailUuid: "b" } },
  });
  for (const cut of [kept, segment]) {
    const compacted = { usage: null, isCompacted: true };
    assertEquals(tailOf(...old, cut, user("d", "c"), user("e", "b")), compacted);
    assertEquals(tailOf(...old, cut, user("d", "c"), user("e", "d")), compacted);
    assertEquals(tokensOf(...old, cut, user("d", "c"), user("e", "b"), answer("f", "e", 5)), 5);
  }
  // One that names nothing leaves the branch beside it as it was.
  assertEquals(tokensOf(...old, boundary("c"), user("d", "c"), user("e", "b")), 10);
});

Deno.test("readTailUsage() says that a compaction came where it is the last line", () => {
  const old = [user("a", null), answer("b", "a", 10)];
  const cut = { ...boundary("c"), parentUuid: "b" };
  assertEquals(tailOf(...old, cut), { usage: null, isCompacted: true });
  const attachment = { type: "attachment", uuid: "d", parentUuid: "c" };
  assertEquals(tailOf(...old, cut, attachment), { usage: null, isCompacted: true });
  const other = [user("e", "a"), lastPrompt("d")];
  assertEquals(tailOf(...old, cut, attachment, ...other), { usage: null, isCompacted: true });
  // Rootless it is no tip.
  const timed = old.map((line) => ({ ...line, timestamp: "2026-01-01T00:00:00Z" }));
  assertEquals(tokensOf(...timed, boundary("c")), 10);
});

Deno.test("readTailUsage() finds nothing behind one line that is longer than its bound", () => {
  const pad = { type: "progress", pad: "p".repeat(MAX_USAGE_TAIL_BYTES + 1_000_000) };
  assertEquals(tailOf(user("a", null), answer("b", "a", 10), pad), NOTHING);
});

Deno.test("readTailUsage() reads the same with CRLF, blank lines and a torn last line", () => {
  const text = jsonl([user("a", null), answer("b", "a", 10)]);
  const torn = `${text}\n{"type":"assistant","uuid":"c","message":{"usage":{"input_tok`;
  assertEquals(inFile(torn, readTailUsage).usage?.tokens, 10);
  assertEquals(inFile(text.replaceAll("\n", "\r\n\r\n"), readTailUsage).usage?.tokens, 10);
  assertEquals(inFile(text.trimEnd(), readTailUsage).usage?.tokens, 10);
});

Deno.test("readTailUsage() throws NotFound when there is no file", () => {
  const path = Deno.makeTempFileSync();
  Deno.removeSync(path);
  assertThrows(() => readTailUsage(path), Deno.errors.NotFound);
});

Deno.test("readTailUsage() gives the newest usage of any chain, whatever metadata stands in it", () => {
  const kind = fc.constantFrom("user", "answer", "metadata", "synthetic", "side");
  fc.assert(
    fc.property(fc.array(kind, { maxLength: 12 }), (kinds) => {
      const lines: Fields[] = [];
      let parent: string | null = null;
      let expected: number | undefined;
      for (const [i, what] of kinds.entries()) {
        const uuid = `u${i}`;
        if (what === "metadata") lines.push(metadata(i + 1, 100));
        else if (what === "side") lines.push(answer(uuid, parent, 999, { isSidechain: true }));
        else {
          if (what === "user") lines.push(user(uuid, parent));
          if (what === "answer") lines.push(answer(uuid, parent, i + 1));
          const error = { isApiErrorMessage: true };
          if (what === "synthetic") lines.push(answer(uuid, parent, 999, error));
          parent = uuid;
        }
        if (what === "metadata" || what === "answer") expected = i + 1;
      }
      assertEquals(tokensOf(...lines), expected);
    }),
    RUN,
  );
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
  // Asked again for each line it took a minute.
  assert(performance.now() - started < 20_000);
  Deno.removeSync(path);
});
