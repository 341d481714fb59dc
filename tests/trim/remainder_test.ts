import { assert, assertEquals, assertThrows } from "@std/assert";
import { fileHeadUnits } from "../../src/core/marks.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import {
  remainderText,
  resultRemainder,
  truncateContent,
  truncationNotice,
  unitsToKeep,
} from "../../src/trim/remainder.ts";
import { isAlreadyMasked, mediaPlaceholder, placeholderFor } from "../../src/trim/placeholder.ts";

const PLACE = { lineNumber: 5, parentFile: "b82405ba" };
const LONG = "a line of output\n".repeat(100);

function truncate(content: string, threshold = 0): string {
  return truncateContent(content, { threshold, ...PLACE });
}

function mask(content: string, threshold = 0): string {
  const call = { id: "toolu_1", keep: "line", toolName: "Bash", input: {} } as const;
  const left = resultRemainder(content, { ...call, threshold, ...PLACE });
  return left === undefined ? content : remainderText(content, left, PLACE);
}

Deno.test("truncateContent() cuts text above the threshold if that makes it shorter, and rejects an invalid threshold", () => {
  assertEquals(truncate("x".repeat(500), 500), "x".repeat(500));
  assertEquals(
    truncate("x".repeat(12_000), 1_000),
    "x".repeat(1_000) +
      "\n\n[...truncated - original was 12,000 chars, showing first 1000. " +
      "See line 5 of b82405ba for full content]",
  );
  const notice = truncationNotice(600, { threshold: 500, ...PLACE }).length;
  const shortEnough = "x".repeat(500 + notice);
  assertEquals(truncate(shortEnough, 500), shortEnough, "a notice would not make it shorter");
  assertEquals(truncate(shortEnough + "x", 500).length, 500 + notice);
  for (const threshold of [-1, 0.5, NaN, Infinity]) {
    assertThrows(() => truncate("x", threshold), RangeError, "threshold");
  }
});

Deno.test("truncateContent() counts code points and never splits a surrogate pair", () => {
  const cut = truncate("😀".repeat(1234), 3);
  assert(cut.startsWith("😀😀😀\n\n[...truncated - original was 1,234 chars, showing first 3."));
  assertEquals(truncate("😀".repeat(400), 400), "😀".repeat(400));
  assertEquals(mask("😀".repeat(500), 500), "😀".repeat(500));
  assert(isAlreadyMasked(mask("😀".repeat(501), 500)));
  assertEquals(mask("short"), "short", "its placeholder would not make it shorter");
});

Deno.test("unitsToKeep() keeps joined text blocks whole if a trim cut some of them, unless a long uncut text is among them", () => {
  const call = { id: "t", toolName: "Bash", input: { command: "make" } };
  const masked = placeholderFor(LONG, call);
  for (const cut of [truncate(LONG, 80), masked]) {
    for (const text of [cut, `a\nb\n${cut}`, `${cut}\na\n${cut}\nb`]) {
      assertEquals(unitsToKeep(text, call), text.length);
    }
    assertEquals(unitsToKeep(`${LONG.repeat(6)}${cut}`, call), 0);
    assertEquals([truncate(cut), mask(cut)], [cut, cut]);
  }
  const image = mediaPlaceholder("image", 9, [["from", "Bash"]]);
  assertEquals(unitsToKeep(image, call), image.length);
  assertEquals(unitsToKeep(`${LONG}${image}`, call), 0, "its text was not cut");
});

Deno.test("truncateContent() keeps the line with the path of a shaped output's file, even after a line or a line number of the client", () => {
  const line = shapedNotice({ chars: 30_000, lines: 900, path: "/p/été 😀/toolu_1.txt" });
  for (const before of ["", "Found 12 files\n", "0\t", "     0\t"]) {
    const head = before + line;
    assertEquals(fileHeadUnits(`${head}\n${LONG}`), head.length);
    for (const cutter of [truncate, mask]) {
      const cut = cutter(`${head}\n${LONG}`);
      assert(cut.startsWith(`${head}\n\n[...truncated - original was `));
      assertEquals(cutter(cut), cut);
    }
  }
  const others = [`x${line}`, "[trimtab: shaped from a to z]", "Found 12 files\na.ts", "0\tx"];
  for (const other of others) assertEquals(fileHeadUnits(`${other}\nrest`), 0);
});
