import { assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import { MAX_LINE_BYTES } from "../../src/transcript/lines.ts";
import {
  type Line,
  readLines,
  readLinesBackward,
  type SeekableSource,
} from "../../src/transcript/lines.ts";

const RUN = { numRuns: 400, seed: 20_261_122 };

const encoder = new TextEncoder();

/** A file in memory that gives at most so many bytes a read, and counts those that it gave. */
class MemoryFile implements SeekableSource {
  bytesRead = 0;
  #at = 0;

  readonly bytes: Uint8Array;
  readonly perRead: number;

  constructor(bytes: Uint8Array, perRead = Infinity) {
    this.bytes = bytes;
    this.perRead = perRead;
  }

  readSync(into: Uint8Array): number | null {
    const count = Math.min(this.perRead, into.length, this.bytes.length - this.#at);
    if (count === 0) return null;
    into.set(this.bytes.subarray(this.#at, this.#at + count));
    this.#at += count;
    this.bytesRead += count;
    return count;
  }

  seekSync(offset: number): number {
    this.#at = offset;
    return offset;
  }
}

interface Copy {
  bytes: number[];
  offset: number;
  isTerminated: boolean;
}

/** A line holds only until the next one is asked for, so it is copied. */
function copies(lines: Iterable<Line>): Copy[] {
  const all: Copy[] = [];
  for (const { bytes, offset, isTerminated } of lines) {
    all.push({ bytes: [...bytes], offset, isTerminated });
  }
  return all;
}

function texts(lines: Iterable<Line>): string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return copies(lines).map(({ bytes }) => decoder.decode(new Uint8Array(bytes)));
}

function forward(text: string, perRead?: number): string[] {
  return texts(readLines(new MemoryFile(encoder.encode(text), perRead)));
}

function backward(text: string, perRead?: number): string[] {
  const bytes = encoder.encode(text);
  return texts(readLinesBackward(new MemoryFile(bytes, perRead), bytes.length));
}

const CASES: readonly { what: string; text: string; lines: string[] }[] = [
  { what: "no line of an empty file", text: "", lines: [] },
  { what: "one blank line of a lone newline", text: "\n", lines: [""] },
  { what: "blank lines too", text: "\n\na\n\n", lines: ["", "", "a", ""] },
  { what: "a last line without a newline", text: "a\nb", lines: ["a", "b"] },
  { what: "the return of a CRLF as part of the line", text: "a\r\nb\r\n", lines: ["a\r", "b\r"] },
  { what: "a byte order mark as part of the line", text: "\ufeff{}\n", lines: ["\ufeff{}"] },
  { what: "characters of several bytes whole", text: "é字\n😀\n", lines: ["é字", "😀"] },
  {
    what: "no new line at other separators",
    text: "a\u2028b\u0085c\fd\n",
    lines: ["a\u2028b\u0085c\fd"],
  },
];

for (const { what, text, lines } of CASES) {
  Deno.test(`readLines() gives ${what}`, () => {
    assertEquals(forward(text), lines);
    assertEquals(forward(text, 1), lines);
  });
  Deno.test(`readLinesBackward() gives ${what}`, () => {
    assertEquals(backward(text), lines.toReversed());
    assertEquals(backward(text, 1), lines.toReversed());
  });
}

Deno.test("readLines() numbers lines from 1, counts offsets in bytes, tells the unterminated", () => {
  const seen: [number, number, boolean][] = [];
  for (const line of readLines(new MemoryFile(encoder.encode("é\n\nx")))) {
    seen.push([line.number, line.offset, line.isTerminated]);
  }
  assertEquals(seen, [[1, 0, true], [2, 3, true], [3, 4, false]]);
});

Deno.test("readLines() gives invalid UTF-8 byte for byte", () => {
  const bytes = new Uint8Array([0xff, 0xc3, 10, 0xed, 0xa0, 0x80, 10, 0xf0, 0x9f]);
  const lines = [[0xff, 0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f]];
  assertEquals(copies(readLines(new MemoryFile(bytes))).map((line) => line.bytes), lines);
  const reversed = copies(readLinesBackward(new MemoryFile(bytes), bytes.length));
  assertEquals(reversed.map((line) => line.bytes), lines.toReversed());
});

Deno.test("readLines() follows one line over many blocks", () => {
  const long = "x".repeat(1000);
  const bytes = encoder.encode(`a\n${long}\nb`);
  const lines = texts(readLines(new MemoryFile(bytes, 7), { blockBytes: 16 }));
  assertEquals(lines, ["a", long, "b"]);
});

Deno.test("readLines() stops at limitBytes and calls the line that it cuts unterminated", () => {
  const bytes = encoder.encode("one\ntwo\n");
  assertEquals(copies(readLines(new MemoryFile(bytes), { limitBytes: 6 })).at(-1), {
    bytes: [0x74, 0x77],
    offset: 4,
    isTerminated: false,
  });
});

Deno.test("readLines() is the file split at its newlines", () => {
  const content = fc.array(fc.constantFrom(10, 10, 13, 97, 0xc3, 0xff), { maxLength: 80 });
  const read = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(content, read, fc.integer({ min: 1, max: 16 }), (all, perRead, blockBytes) => {
      const bytes = new Uint8Array(all);
      const expected = new TextDecoder("latin1").decode(bytes).split("\n");
      // What stands behind the last newline is a line only where there is something.
      if (expected.at(-1) === "") expected.pop();
      const lines = copies(readLines(new MemoryFile(bytes, perRead), { blockBytes }));
      const decoder = new TextDecoder("latin1");
      assertEquals(lines.map((line) => decoder.decode(new Uint8Array(line.bytes))), expected);
    }),
    RUN,
  );
});

Deno.test("readLinesBackward() is readLines() reversed", () => {
  const content = fc.array(fc.constantFrom(10, 10, 97, 0xff), { maxLength: 60 });
  fc.assert(
    fc.property(content, fc.integer({ min: 1, max: 20 }), (all, perRead) => {
      const bytes = new Uint8Array(all);
      const ahead = copies(readLines(new MemoryFile(bytes)));
      const back = copies(readLinesBackward(new MemoryFile(bytes, perRead), bytes.length));
      assertEquals(back, ahead.toReversed());
    }),
    RUN,
  );
});

Deno.test("readLinesBackward() is readLines() reversed where lines cross its own reads", () => {
  const lengths = fc.array(
    fc.oneof(fc.nat(3), fc.integer({ min: 65_530, max: 65_540 }), fc.nat(200_000)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(lengths, fc.boolean(), (all, isTerminated) => {
      const text = all.map((length) => "x".repeat(length)).join("\n") + (isTerminated ? "\n" : "");
      const bytes = encoder.encode(text);
      const places = (lines: Iterable<Line>): [number, number, boolean][] => {
        const seen: [number, number, boolean][] = [];
        for (const line of lines) seen.push([line.offset, line.bytes.length, line.isTerminated]);
        return seen;
      };
      const ahead = places(readLines(new MemoryFile(bytes)));
      const back = places(readLinesBackward(new MemoryFile(bytes), bytes.length));
      assertEquals(back, ahead.toReversed());
    }),
    { numRuns: 60, seed: RUN.seed },
  );
});

Deno.test("readLinesBackward() reads only the end of a long file for its last line", () => {
  const file = new MemoryFile(encoder.encode("a line\n".repeat(100_000)));
  const first = readLinesBackward(file, file.bytes.length).next();
  assertEquals(first.value?.offset, 699_993);
  assertLess(file.bytesRead, 100_000);
});

Deno.test("readLinesBackward() leaves alone what stands behind the size that it is given", () => {
  const file = new MemoryFile(encoder.encode("one\ntwo\nthree\n"));
  assertEquals(texts(readLinesBackward(file, 8)), ["two", "one"]);
  assertEquals(texts(readLinesBackward(file, 6)), ["tw", "one"]);
  assertEquals(texts(readLinesBackward(file, 0)), []);
});

Deno.test("readLinesBackward() throws RangeError when the file is shorter than its size", () => {
  const file = new MemoryFile(encoder.encode("one\n"));
  assertThrows(
    () => readLinesBackward(file, 9).next(),
    RangeError,
    "Cannot read the file's end: it shrank below 9 bytes",
  );
});

Deno.test("readLinesBackward() reads a line of 20 MB", () => {
  const length = 20_000_000;
  const file: SeekableSource = {
    seekSync: (offset) => offset,
    readSync(into): number {
      into.fill(0x61);
      return into.length;
    },
  };
  const lines: [number, number][] = [];
  for (const line of readLinesBackward(file, length)) lines.push([line.offset, line.bytes.length]);
  assertEquals(lines, [[0, length]]);
});

Deno.test("readLines() and readLinesBackward() hold no more of a line than the longest that is read", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, "{}\n");
    // NULs that take no room on the disk, as after a power cut.
    const size = 4 * MAX_LINE_BYTES;
    Deno.truncateSync(path, size);
    using file = Deno.openSync(path);
    const words = "Cannot read a line of more than 128 MB";
    assertThrows(() => [...readLines(file)], RangeError, words);
    assertThrows(() => readLinesBackward(file, size).next(), RangeError, words);
    assertEquals([...readLinesBackward(file, size, { downTo: size - 1_000 })], []);
  } finally {
    Deno.removeSync(path);
  }
});
