import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { cutString } from "../../src/trim/edit/cut_string.ts";
import { EditList } from "../../src/trim/edit/edits.ts";
import type { RawText } from "../../src/trim/edit/raw_string.ts";
import { rawTextOf } from "./raw_texts.ts";
import { shapedNotice } from "../../src/trim/edit/shaped_notice.ts";
import { truncateContent } from "../../src/trim/truncate.ts";
import { anyJsonString } from "./raw_json.ts";

const RUNS = { numRuns: 500, seed: 20261122 };
const WHERE = { lineNumber: 7, parentFile: "b82405ba" };

/** Cuts a string that stands alone, and gives what is left of it as bytes and what was saved. */
function cut(raw: RawText, threshold: number): { bytes: Uint8Array; saved: number } {
  const edits = new EditList();
  const saved = cutString(raw, 0, raw.text.length, edits, { threshold, ...WHERE });
  let text = raw.text;
  for (const edit of edits.edits.toReversed()) {
    const replacement = Buffer.from(edit.bytes).toString("latin1");
    text = text.slice(0, edit.start) + replacement + text.slice(edit.end);
  }
  return { bytes: Buffer.from(text, "latin1"), saved };
}

function parse(bytes: Uint8Array): string {
  return String(JSON.parse(new TextDecoder().decode(bytes)));
}

Deno.test("cutString() on raw JSON is what truncateContent() makes of the text", () => {
  let cuts = 0;
  const anyLong = fc.tuple(anyJsonString, fc.integer({ min: 1, max: 12 })).map((
    [{ text, raw }, times],
  ) => ({ text: text.repeat(times), raw: raw.repeat(times) }));
  const anyThreshold = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 }));
  fc.assert(
    fc.property(anyLong, anyThreshold, ({ text, raw }, threshold) => {
      const { bytes, saved } = cut(rawTextOf(`"${raw}"`), threshold);
      const expected = truncateContent(text, { threshold, ...WHERE });
      assertEquals(parse(bytes), expected);
      assertEquals(saved, [...text].length - [...expected].length);
      if (saved > 0) cuts++;
      else assertEquals(Buffer.compare(bytes, Buffer.from(`"${raw}"`)), 0);
    }),
    RUNS,
  );
  assert(cuts > 100, `only ${cuts} of the texts were long enough`);
});

Deno.test("cutString() keeps the kept bytes as they stand, escapes and all", () => {
  const raw = '"' + "\\u0041\\/\\ud83d\\ude00😀".repeat(100) + '"';
  const { bytes } = cut(rawTextOf(raw), 4);
  assertStringIncludes(
    new TextDecoder().decode(bytes),
    '"\\u0041\\/\\ud83d\\ude00😀\\n\\n[...truncated - original was 400 chars, showing first 4.',
  );
});

Deno.test("cutString() never splits a surrogate pair, whatever the threshold", () => {
  const raw = rawTextOf('"' + "\\ud83d\\ude00".repeat(300) + '"');
  for (let threshold = 0; threshold < 20; threshold++) {
    const text = parse(cut(raw, threshold).bytes);
    assert(text.isWellFormed());
    assert(text.startsWith("😀".repeat(threshold) + "\n\n[...truncated"));
  }
});

Deno.test("cutString() copies bytes that are no UTF-8 as they are", () => {
  const piece = "\xff\xc3(\x80\xf0\x9f";
  const text = `"${piece}${"x".repeat(900)}"`;
  const { bytes, saved } = cut({ text, bytes: Buffer.from(text, "latin1") }, 100);
  assert(saved > 0);
  assertEquals([...bytes.subarray(1, 7)], [...Buffer.from(piece, "latin1")]);
  JSON.parse(new TextDecoder().decode(bytes));
});

Deno.test("cutString() never makes a string of any bytes longer, nor breaks it", () => {
  const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 1500 }).map((bytes) =>
    bytes.map((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c ? 0x78 : byte)
  );
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 0, max: 400 }), (inner, threshold) => {
      const text = `"${Buffer.from(inner).toString("latin1")}"`;
      const { bytes, saved } = cut({ text, bytes: Buffer.from(text, "latin1") }, threshold);
      assert(saved === 0 ? bytes.length === text.length : bytes.length < text.length);
      JSON.parse(new TextDecoder().decode(bytes));
      const again = cut({ text: Buffer.from(bytes).toString("latin1"), bytes }, threshold);
      assertEquals(again.saved, 0, "twice changes nothing");
    }),
    RUNS,
  );
});

Deno.test("cutString() keeps the path of an output that was moved to a file", () => {
  const head = "<persisted-output>\nSaved to: /x/été 😀.txt";
  for (const isAscii of [false, true]) {
    const text = `${head}\n\nPreview (first 2KB):\n${"p".repeat(3000)}`;
    const json = JSON.stringify(text);
    const raw = isAscii
      ? json.replace(
        /[\x7f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      : json;
    const { bytes, saved } = cut(rawTextOf(raw), 10);
    assert(saved > 0);
    assertEquals(parse(bytes), truncateContent(text, { threshold: 10, ...WHERE }));
    assert(parse(bytes).startsWith(`${head}\n\n[...truncated`));
  }
});

Deno.test("cutString() leaves notices and placeholders alone", () => {
  const once = cut(rawTextOf(JSON.stringify("z".repeat(2000))), 500).bytes;
  assertEquals(cut(rawTextOf(new TextDecoder().decode(once)), 0).saved, 0);
  const masked = JSON.stringify('[Bash result masked -- 3 bytes of output, command: "make"]');
  assertEquals(cut(rawTextOf(masked), 0).saved, 0);
});

Deno.test("cutString() keeps the line on where a shaped output is whole", () => {
  const line = shapedNotice({ chars: 30_000, lines: 900, path: "/p/été 😀/toolu_1.txt" });
  for (const before of ["", "Found 12 files\n", "0\t"]) {
    const text = `${before}${line}\n${"rest of it\n".repeat(90)}`;
    const { bytes } = cut(rawTextOf(JSON.stringify(text)), 10);
    assertEquals(parse(bytes), truncateContent(text, { threshold: 10, ...WHERE }));
    assertStringIncludes(parse(bytes), line);
  }
});
