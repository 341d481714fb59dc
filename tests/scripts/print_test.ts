// Checks what reaches a terminal, and the wording of errors.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { errorMessage } from "../../cli/trouble.ts";
import { forTerminal } from "../../cli/print.ts";

Deno.test("forTerminal() keeps colors and removes other terminal sequences", () => {
  const text = "\x1b[32m█\x1b[0m\x1b[2J\x1b]0;title\x07";
  assertEquals(forTerminal(text, true), "\x1b[32m█\x1b[0m\\u001b[2J\\u001b]0;title\\u0007");
  assertEquals(forTerminal(text), "\\u001b[32m█\\u001b[0m\\u001b[2J\\u001b]0;title\\u0007");
});

Deno.test("errorMessage() states the failure, then the reason, then the fix", () => {
  const failed = (code: string, message: string): string =>
    errorMessage(Object.assign(new Error(message), { code }));
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
  assertStringIncludes(
    errorMessage(new Error("npm package: No space left on device (os error 28)")),
    "no space is left on the disk. Free disk space",
  );
  const renamed = "Input/output error (os error 5): rename '/p/a' -> '/p/b'";
  assertEquals(errorMessage(new Error(renamed)), renamed);
});
