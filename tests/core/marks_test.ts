import { assertEquals } from "@std/assert";
import {
  fileHeadUnits,
  fixedUnits,
  type MarkContext,
  type MarkRecord,
  readNotice,
} from "../../src/core/marks.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import { digestNotice, truncationNotice } from "../../src/trim/left.ts";

const WHERE = { lineNumber: 5, parentFile: "b82405ba" };
/** Makes a context in which each text is known to be on line 5 of session b82405ba. */
function contextWith(...texts: string[]): MarkContext {
  return contextOf({
    textsAt: ({ line, session }) => line === 5 && session === "b82405ba" ? texts : undefined,
  });
}

function contextOf(record: MarkRecord, allowedChars = 0): MarkContext {
  return { part: { id: "toolu_1", kind: "result" }, record, allowedChars };
}

Deno.test("readNotice() reads a notice whose numbers fit the text before it", () => {
  const found = { line: 5, session: "b82405ba", shownChars: 300, wholeChars: 9_000 };
  const head = "é😀x".repeat(100);
  const text = head + truncationNotice(9_000, { threshold: 300, ...WHERE });
  assertEquals(readNotice(text), found);
  assertEquals(readNotice(head + digestNotice(9_000, 300, WHERE)), found);
  assertEquals(readNotice(`x${text}`), undefined, "more text than the notice says");
  assertEquals(readNotice(text.slice(1)), undefined, "less text than the notice says");
  assertEquals(readNotice(`${text} `), undefined, "not at the end");
  assertEquals(readNotice("see the docs for full content]"), undefined);
  const longer = head + truncationNotice(350, { threshold: 300, ...WHERE });
  assertEquals(readNotice(longer), undefined, "the original must be longer than the text");
});

Deno.test("readNotice() rejects a notice whose numbers do not fit the text", () => {
  const fakeNotice = "[...truncated - original was 1 chars, showing first 1. See line 1 of x " +
    "for full content]";
  assertEquals(readNotice(`${"flood\n".repeat(7_000)}\n\n${fakeNotice}`), undefined);
});

Deno.test("fixedUnits() counts a notice only if the line that it names contains longer text", () => {
  const whole = "line of a build\n".repeat(500);
  const cut = whole.slice(0, 500) + truncationNotice(8_000, { threshold: 500, ...WHERE });
  assertEquals(fixedUnits(cut, contextWith(whole)), cut.length);
  assertEquals(fixedUnits(cut, contextWith("another block", whole)), cut.length);
  assertEquals(fixedUnits(cut, contextWith(cut)), 0, "the line contains the notice itself");
  assertEquals(fixedUnits(cut, contextWith()), 0);
  assertEquals(fixedUnits(cut, contextOf({ textsAt: () => undefined })), 0, "no such session");
  assertEquals(fixedUnits(cut, contextOf({ textsAt: () => null })), cut.length, "its file is gone");
  const allowed = (chars: number): MarkContext => contextOf({ textsAt: () => undefined }, chars);
  assertEquals(fixedUnits(cut, allowed(500)), cut.length, "a cut would leave as much");
  assertEquals(fixedUnits(cut, allowed(499)), 0);
  assertEquals(fixedUnits(cut), cut.length, "the session is unknown");
});

Deno.test("fileHeadUnits() finds the head that names the file of an output", () => {
  const persisted = "<persisted-output>\nOutput too large (98.5KB). Full output saved to: " +
    "/home/me/.claude/projects/-p/dbc157be-9266-48a3-b66a-74cb9791cb5a/tool-results/b7.txt";
  const rest = `\n\nPreview (first 2KB):\n${"x".repeat(40_000)}\n</persisted-output>`;
  assertEquals(fileHeadUnits(persisted + rest), persisted.length);
  assertEquals(fileHeadUnits(`<persisted-output>\n${"saved to: ".repeat(400)}${rest}`), 0);
  assertEquals(fileHeadUnits(`<persisted-output>${"x".repeat(4_000)}${rest}`), 0);
});

Deno.test("fileHeadUnits() accepts the head of a shaped output only for the call that it names", () => {
  const head = shapedNotice({ chars: 90_000, lines: 900, path: "/p/spill/s/toolu_1-2.txt" });
  const text = `${head}\n${"rest\n".repeat(900)}`;
  assertEquals(fileHeadUnits(text, "toolu_1"), head.length);
  assertEquals(fileHeadUnits(text, "toolu_1-2"), head.length);
  assertEquals(fileHeadUnits(text, "toolu_2"), 0);
  assertEquals(fileHeadUnits(text), head.length);
  assertEquals(fileHeadUnits(text + "x".repeat(90_000)), 0, "the text is longer than the original");
  const long = shapedNotice({
    chars: 90_000,
    lines: 900,
    path: `/${"p".repeat(4_000)}/toolu_1.txt`,
  });
  assertEquals(fileHeadUnits(`${long}\nrest`, "toolu_1"), 0);
});
