import { assertEquals } from "@std/assert";
import {
  fileHeadUnits,
  isFileOfSession,
  placeOfWhole,
  placesIn,
  readNotice,
  withoutCutParts,
} from "../../src/core/marks.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import { digestNotice, truncationNotice } from "../../src/trim/remainder.ts";

const WHERE = { lineNumber: 5, parentFile: "b82405ba" };

Deno.test("readNotice() reads a notice at the end of a text if the numbers in the notice match the text before it", () => {
  const found = { line: 5, session: "b82405ba", shownChars: 300, wholeChars: 9_000 };
  const head = "é😀x".repeat(100);
  const text = head + truncationNotice(9_000, { threshold: 300, ...WHERE });
  assertEquals(readNotice(text), found);
  assertEquals(readNotice(head + digestNotice(9_000, 300, WHERE)), found);
  assertEquals(readNotice(`x${text}`), undefined, "more text than the notice states");
  assertEquals(readNotice(text.slice(1)), undefined, "less text than the notice states");
  assertEquals(readNotice(`${text} `), undefined, "not at the end");
  assertEquals(readNotice("see the docs for full content]"), undefined);
  const notice = (chars: number): string => truncationNotice(chars, { threshold: 300, ...WHERE });
  const whole = 300 + notice(999).length;
  assertEquals(readNotice(head + notice(whole + 1))?.wholeChars, whole + 1);
  const equal = head + notice(whole);
  assertEquals(readNotice(equal), undefined, "the original must be longer than the text");
});

Deno.test("withoutCutParts() removes each cut part of joined text blocks if the numbers in its notice match", () => {
  const cut = (text: string): string =>
    text + truncationNotice(9_000, { threshold: [...text].length, ...WHERE });
  const [first, second] = [cut("é😀x\n".repeat(100).trim()), cut("b".repeat(50))];
  assertEquals(withoutCutParts(first), "");
  assertEquals(withoutCutParts(`${first}\n${second}`), "\n");
  const joined = withoutCutParts(`one\ntwo\n${first}\nthree\n${second}\nfour`);
  assertEquals(joined, "one\ntwo\n\nthree\n\nfour");
  const quoting = cut(`${first}\nmore`);
  assertEquals(withoutCutParts(quoting), "", "a cut part can contain a notice");
  for (const text of [`x${first}`, `${first} x`, cut("b".repeat(50)).replace("9,000", "90"), "x"]) {
    assertEquals(withoutCutParts(text), text);
  }
});

Deno.test("fileHeadUnits() returns the length of the head that refers to an output's file, or 0 without a valid head", () => {
  const persisted = "<persisted-output>\nOutput too large (98.5KB). Full output saved to: " +
    "/home/me/.claude/projects/-p/dbc157be-9266-48a3-b66a-74cb9791cb5a/tool-results/b7.txt";
  const rest = `\n\nPreview (first 2KB):\n${"x".repeat(40_000)}\n</persisted-output>`;
  assertEquals(fileHeadUnits(persisted + rest), persisted.length);
  assertEquals(fileHeadUnits(`<persisted-output>\n${"saved to: ".repeat(400)}${rest}`), 0);
  assertEquals(fileHeadUnits(`<persisted-output>${"x".repeat(4_000)}${rest}`), 0);
});

Deno.test("fileHeadUnits() accepts the head of a shaped output only for the call whose id is in the head", () => {
  const head = shapedNotice({ chars: 90_000, lines: 900, path: "/p/spill/s/toolu_1-2.txt" });
  const text = `${head}\n${"rest\n".repeat(900)}`;
  assertEquals(fileHeadUnits(text, "toolu_1"), head.length);
  assertEquals(fileHeadUnits(text, "toolu_1-2"), head.length);
  assertEquals(fileHeadUnits(text, "toolu_2"), 0);
  assertEquals(fileHeadUnits(text), head.length);
  for (const number of ["     0\t", "    49\t", "1234567→"]) {
    assertEquals(fileHeadUnits(number + text, "toolu_1"), number.length + head.length, number);
  }
  assertEquals(fileHeadUnits(`+ ${text}`, "toolu_1"), 0);
  assertEquals(fileHeadUnits(text + "x".repeat(90_000)), 0, "the text is longer than the original");
  const path = `/${"p".repeat(4_000)}/toolu_1.txt`;
  const long = shapedNotice({ chars: 90_000, lines: 900, path });
  assertEquals(fileHeadUnits(`${long}\nrest`, "toolu_1"), 0);
});

Deno.test("placesIn() finds the place at the end of a line that quotes another place", () => {
  const quoted = "See line 3 of 0dd5e551 for full content]";
  const line = `[Read result masked -- 202 lines, starts with: ${quoted.slice(0, -1)}). ` +
    "See line 27 of 26843547 for full content]";
  assertEquals(placesIn(line), [{ line: 27, session: "26843547" }]);
  assertEquals(placesIn(`${quoted}\n${line}`).map((place) => place.line), [3, 27]);
});

Deno.test("placeOfWhole() reads the place from a notice, or from a mask without other text", () => {
  const place = { line: 27, session: "26843547" };
  const mask = "[Read result masked -- 202 lines. See line 27 of 26843547 for full content]";
  assertEquals(placeOfWhole(mask), place);
  assertEquals([`${mask}\n`, `the ${mask}`, "whole"].map(placeOfWhole), Array(3).fill(undefined));
  const cut = `head${digestNotice(9_000, 4, { lineNumber: 27, parentFile: "26843547" })}`;
  const { line, session } = placeOfWhole(cut) ?? {};
  assertEquals({ line, session }, place);
});

Deno.test("isFileOfSession() accepts the whole id of a file and its short form", () => {
  const id = "1a2b3c4d-0000-4000-8000-000000000000";
  const names = [id, "1a2b3c4d", "1a2b3c", "2b3c4d5e"];
  assertEquals(names.filter((name) => isFileOfSession(name, `${id}.jsonl`)), [id, "1a2b3c4d"]);
  assertEquals(isFileOfSession(id, id), false);
});
