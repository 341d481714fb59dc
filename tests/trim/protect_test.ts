import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { compileGlobs, namesPath } from "../../src/trim/protect.ts";

const TABLE: [glob: string, path: string, isMatch: boolean][] = [
  ["a.ts", "a.ts", true],
  ["a.ts", "/work/src/a.ts", true],
  ["a.ts", "/work/src/ba.ts", false],
  ["a.ts", "/work/a.ts/inside", true],
  ["*.ts", "/work/src/a.ts", true],
  ["*.ts", "/work/src/a.tsx", false],
  ["*.ts", "/work/a.ts/inside", false],
  ["src/*.ts", "/work/src/a.ts", true],
  ["src/*.ts", "/work/src/b/a.ts", false],
  ["src/**", "/work/src/b/a.ts", true],
  ["src/**", "/work/src", false],
  ["src/**", "/work/mysrc/a.ts", false],
  ["src/**/a.ts", "/work/src/a.ts", true],
  ["src/**/a.ts", "/work/src/b/c/a.ts", true],
  ["src/**/a.ts", "/work/src/b/ca.ts", false],
  ["**/test/**", "/work/test/x", true],
  ["**/test/**", "test/x", true],
  ["**", "anything/at/all", true],
  ["a**z", "/work/a/b/z", true],
  ["src/auth", "/work/src/auth/login.ts", true],
  ["src/auth", "/work/src/authority.ts", false],
  ["src/*/", "/work/src/auth/login.ts", true],
  ["?.md", "a.md", true],
  ["?.md", "ab.md", false],
  ["a?b", "a/b", false],
  ["/work/*", "/work/a", true],
  ["/work/*", "/other/work/a", false],
  ["C:/work/*", "C:\\work\\a", true],
  ["./a.ts", "a.ts", true],
  ["a.ts", "./a.ts", true],
  ["src//a.ts", "src/a.ts", true],
  ["[a].ts", "[a].ts", true],
  ["[a].ts", "a.ts", false],
  ["{a,b}", "a", false],
  ["a.b", "axb", false],
  ["\u{1f600}?", "\u{1f600}\u{1f601}", true],
  ["A.ts", "a.ts", false],
  ["*", "", false],
];

Deno.test("compileGlobs() matches paths according to its rules", () => {
  for (const [glob, path, isMatch] of TABLE) {
    assertEquals(compileGlobs([glob])(path), isMatch, `${glob} and ${path}`);
  }
});

Deno.test("compileGlobs() takes linear time on patterns that make a matcher backtrack", () => {
  const matches = compileGlobs(["*a".repeat(30) + "b", "**/a".repeat(30) + "/b"]);
  const started = performance.now();
  assertFalse(matches("a".repeat(4000)));
  assertFalse(matches("a/".repeat(2000)));
  // Backtracking would take hours; a busy machine takes some seconds at most.
  assert(performance.now() - started < 60_000);
});

Deno.test("compileGlobs() without globs matches nothing, and rejects an empty glob", () => {
  assertFalse(compileGlobs(["**"])("a".repeat(4097)), "too long for a path");
  assertFalse(compileGlobs([])("a"));
  assertThrows(() => compileGlobs(["a", ""]), RangeError, "a glob is empty");
  assertThrows(() => compileGlobs(["./"]), RangeError, "a glob is empty");
});

const CALLS: [tool: string, input: unknown, isNamed: boolean][] = [
  ["Read", { file_path: "/work/keep/a.ts" }, true],
  ["Read", { file_path: "/work/other/a.ts", note: "keep/a.ts" }, false],
  ["NotebookEdit", { notebook_path: "keep/a.ipynb" }, true],
  ["Grep", { pattern: "keep/a", path: "src" }, false],
  ["Grep", { pattern: "x", path: "/work/keep" }, true],
  ["Glob", { pattern: "keep/**/*.ts" }, true],
  ["Glob", { pattern: "*.ts", path: "/work/keep" }, true],
  ["Glob", { pattern: "*.ts", path: "/work/src" }, false],
  ["Glob", { path: "/work/src" }, false],
  ["mcp__fs__read", { path: "keep/a" }, true],
  ["Bash", { command: "cat keep/a.ts" }, true],
  ["Bash", { command: "cd src && cat '../keep/a.ts'|wc -l" }, true],
  ["Bash", { command: "git show HEAD:keep/a.ts" }, true],
  ["Bash", { command: "tool --file=keep/a.ts" }, true],
  ["Bash", { command: "tool --keep" }, false],
  ["Bash", { command: "echo housekeep/a" }, false],
  ["Bash", {}, false],
  ["Bash", "cat keep/a.ts", false],
  ["Read", { file_path: 7 }, false],
];

Deno.test("namesPath() finds a path only in arguments that name paths", () => {
  for (const [tool, input, isNamed] of CALLS) {
    const message = `${tool} ${JSON.stringify(input)}`;
    assertEquals(namesPath(tool, input, compileGlobs(["keep"])), isNamed, message);
  }
});
