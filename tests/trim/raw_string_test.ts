import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { EditList } from "../../src/trim/edit/edits.ts";
import { decodeRaw, type RawText, rewriteString } from "../../src/trim/edit/raw_string.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import { truncateContent } from "../../src/trim/truncate.ts";
import { anyJsonString } from "./raw_json.ts";
import { rawTextOf } from "./raw_texts.ts";

const RUNS = { numRuns: 500, seed: 20261122 };
const WHERE = { lineNumber: 7, parentFile: "b82405ba" };

/** Truncates a string that stands alone, and gives what is left of it as bytes and what was saved. */
function cut(raw: RawText, threshold: number): { bytes: Uint8Array; saved: number } {
  const edits = new EditList();
  const saved = rewriteString(
    raw,
    0,
    raw.text.length,
    edits,
    (text) => truncateContent(text, { threshold, ...WHERE }),
  );
  const [edit] = edits.edits;
  return { bytes: edit?.bytes ?? raw.bytes, saved };
}

function parse(bytes: Uint8Array): string {
  return String(JSON.parse(new TextDecoder().decode(bytes)));
}

Deno.test("rewriteString() writes what is made of the text, however it is escaped", () => {
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

Deno.test("rewriteString() never splits a surrogate pair, whatever the threshold", () => {
  const raw = rawTextOf('"' + "\\ud83d\\ude00".repeat(300) + '"');
  for (let threshold = 0; threshold < 20; threshold++) {
    const text = parse(cut(raw, threshold).bytes);
    assert(text.isWellFormed());
    assert(text.startsWith("😀".repeat(threshold) + "\n\n[...truncated"));
  }
});

Deno.test("rewriteString() never makes a string of any bytes longer, nor breaks it", () => {
  const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 1500 }).map((bytes) =>
    bytes.map((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c ? 0x78 : byte)
  );
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 0, max: 400 }), (inner, threshold) => {
      const text = `"${Buffer.from(inner).toString("latin1")}"`;
      const raw = { text, bytes: Buffer.from(text, "latin1") };
      const { bytes, saved } = cut(raw, threshold);
      if (saved === 0) assertEquals(bytes, raw.bytes);
      assertEquals([...parse(bytes)].length, [...parse(raw.bytes)].length - saved);
      assert(saved >= 0);
      const again = cut({ text: Buffer.from(bytes).toString("latin1"), bytes }, threshold);
      assertEquals(again.saved, 0, "twice changes nothing");
    }),
    RUNS,
  );
});

Deno.test("rewriteString() keeps where an output is whole that was moved to a file or shaped", () => {
  const head = "<persisted-output>\nSaved to: /x/été 😀.txt";
  const moved = `${head}\n\nPreview (first 2KB):\n${"p".repeat(3000)}`;
  const { bytes, saved } = cut(rawTextOf(JSON.stringify(moved)), 10);
  assert(saved > 0);
  assert(parse(bytes).startsWith(`${head}\n\n[...truncated`));
  const line = shapedNotice({ chars: 30_000, lines: 900, path: "/p/été 😀/toolu_1.txt" });
  for (const before of ["", "Found 12 files\n", "0\t"]) {
    const text = `${before}${line}\n${"rest of it\n".repeat(90)}`;
    assertStringIncludes(parse(cut(rawTextOf(JSON.stringify(text)), 10).bytes), line);
  }
});

Deno.test("rewriteString() leaves notices, placeholders and what is no JSON alone", () => {
  const once = cut(rawTextOf(JSON.stringify("z".repeat(2000))), 500).bytes;
  assertEquals(cut(rawTextOf(new TextDecoder().decode(once)), 0).saved, 0);
  const masked = JSON.stringify('[Bash result masked -- 3 bytes of output, command: "make"]');
  assertEquals(cut(rawTextOf(masked), 0).saved, 0);
  assertEquals(cut(rawTextOf('"\\x' + "z".repeat(900) + '"'), 10).saved, 0);
});

Deno.test("decodeRaw() is empty where a stretch is no JSON", () => {
  const held = rawTextOf('"a\\"');
  assertEquals(decodeRaw(held, 0, held.text.length), "");
  assertEquals(decodeRaw(rawTextOf('"a"'), 0, 3), "a");
});
