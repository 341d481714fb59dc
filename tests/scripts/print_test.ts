// Checks drawings on a terminal of another character set, and the wording of errors.

import { assertEquals } from "@std/assert";
import { messageOf } from "../../cli/trouble.ts";
import { drawnInAscii, forTerminal, showsUnicode } from "../../cli/print.ts";

Deno.test("showsUnicode() uses the locale variable that takes precedence", () => {
  const unicodeFor = (env: Record<string, string>): boolean => showsUnicode((name) => env[name]);
  assertEquals(unicodeFor({}), true);
  assertEquals(unicodeFor({ LANG: "de_DE.UTF-8" }), true);
  assertEquals(unicodeFor({ LANG: "en_US.utf8", LC_ALL: "" }), true);
  assertEquals(unicodeFor({ LANG: "en_US.ISO-8859-1" }), false);
  assertEquals(unicodeFor({ LANG: "en_US.UTF-8", LC_CTYPE: "C" }), false);
  assertEquals(unicodeFor({ LANG: "C", LC_ALL: "C.UTF-8" }), true);
});

Deno.test("drawnInAscii() draws bars and frames in ASCII", () => {
  assertEquals(
    drawnInAscii("██░ 34%\n▁▄▇█│└──\nmade → done…"),
    "##. 34%\n_-=#|+--\nmade -> done...",
  );
  assertEquals(drawnInAscii("Grüße, 日本"), "Grüße, 日本");
});

Deno.test("forTerminal() keeps colours and removes other terminal sequences", () => {
  const text = "\x1b[32m█\x1b[0m\x1b[2J\x1b]0;title\x07";
  assertEquals(forTerminal(text, true), "\x1b[32m█\x1b[0m\\u001b[2J\\u001b]0;title\\u0007");
  assertEquals(forTerminal(text), "\\u001b[32m█\\u001b[0m\\u001b[2J\\u001b]0;title\\u0007");
});

Deno.test("messageOf() states the failure, then the reason, then the remedy", () => {
  const failed = (code: string, message: string): string =>
    messageOf(Object.assign(new Error(message), { code }));
  assertEquals(
    failed("EACCES", "Permission denied (os error 13): open '/p/.claude/a.lock'"),
    'Cannot open "/p/.claude/a.lock": Permission denied (os error 13). Make its folder writable and try again',
  );
  assertEquals(
    failed("EROFS", "Read-only file system (os error 30): mkdir '/p/.claude'"),
    'Cannot make the folder "/p/.claude": Read-only file system (os error 30). ' +
      "The disk is read-only; make it writable and try again",
  );
  const own =
    'Cannot write "/p/a": No space left on device (os error 28). Free disk space and try again';
  assertEquals(failed("ENOSPC", own), own);
  const renamed = "Input/output error (os error 5): rename '/p/a' -> '/p/b'";
  assertEquals(messageOf(new Error(renamed)), renamed);
});
