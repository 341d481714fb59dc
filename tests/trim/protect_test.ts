import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { compileGlobs, isAboutPath } from "../../src/trim/protect.ts";

const TABLE: readonly (readonly [glob: string, matches: string[], others: string[]])[] = [
  ["a.ts", ["a.ts", "./a.ts", "/work/src/a.ts", "/work/a.ts/inside"], ["/work/src/ba.ts"]],
  ["*.ts", ["/work/src/a.ts"], ["/work/src/a.tsx", "/work/a.ts/inside"]],
  ["src/*.ts", ["/work/src/a.ts"], ["/work/src/b/a.ts"]],
  ["src/**", ["/work/src/b/a.ts"], ["/work/src", "/work/mysrc/a.ts"]],
  ["src/**/a.ts", ["/work/src/a.ts", "/work/src/b/c/a.ts"], ["/work/src/b/ca.ts"]],
  ["**/test/**", ["/work/test/x", "test/x"], []],
  ["**", ["anything/at/all"], []],
  ["a**z", ["/work/a/b/z"], []],
  ["src/auth", ["/work/src/auth/login.ts"], ["/work/src/authority.ts"]],
  ["src/*/", ["/work/src/auth/login.ts"], []],
  ["?.md", ["a.md"], ["ab.md"]],
  ["a?b", [], ["a/b"]],
  ["/work/*", ["/work/a"], ["/other/work/a"]],
  ["C:/work/*", ["C:\\work\\a"], []],
  ["./a.ts", ["a.ts"], []],
  ["src//a.ts", ["src/a.ts"], []],
  ["[a].ts", ["[a].ts"], ["a.ts"]],
  ["{a,b}", [], ["a"]],
  ["a.b", [], ["axb"]],
  ["\u{1f600}?", ["\u{1f600}\u{1f601}"], []],
  ["A.ts", [], ["a.ts"]],
  ["*", [], [""]],
];

Deno.test("compileGlobs() matches wildcards, paths at any depth, and everything in a matching folder", () => {
  for (const [glob, matches, others] of TABLE) {
    const found = [...matches, ...others].filter(compileGlobs([glob]));
    assertEquals(found, matches, glob);
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

Deno.test("compileGlobs() matches nothing without globs or if the path is too long, and rejects an empty glob", () => {
  const isMatched = [4096, 4097].map((chars) => compileGlobs(["**"])("a".repeat(chars)));
  assertEquals(isMatched, [true, false], "too long for a path");
  assertFalse(compileGlobs([])("a"));
  assertThrows(() => compileGlobs(["a", ""]), RangeError, "a glob is empty");
  assertThrows(() => compileGlobs(["./"]), RangeError, "a glob is empty");
});

const ABOUT_PATH: readonly (readonly [tool: string, input: unknown])[] = [
  ["Read", { file_path: "/work/keep/a.ts" }],
  ["NotebookEdit", { notebook_path: "keep/a.ipynb" }],
  ["Grep", { pattern: "x", path: "/work/keep" }],
  ["Glob", { pattern: "keep/**/*.ts" }],
  ["Glob", { pattern: "*.ts", path: "/work/keep" }],
  ["mcp__fs__read", { path: "keep/a" }],
  ["Bash", { command: "cat keep/a.ts" }],
  ["Bash", { command: "cd src && cat '../keep/a.ts'|wc -l" }],
  ["Bash", { command: "git show HEAD:keep/a.ts" }],
  ["Bash", { command: "tool --file=keep/a.ts" }],
];

const OTHERS: typeof ABOUT_PATH = [
  ["Read", { file_path: "/work/other/a.ts", note: "keep/a.ts" }],
  ["Read", { file_path: 7 }],
  ["Grep", { pattern: "keep/a", path: "src" }],
  ["Glob", { pattern: "*.ts", path: "/work/src" }],
  ["Glob", { path: "/work/src" }],
  ["Bash", { command: "tool --keep" }],
  ["Bash", { command: "echo housekeep/a" }],
  ["Bash", {}],
  ["Bash", "cat keep/a.ts"],
];

Deno.test("isAboutPath() finds a path only in arguments that contain paths", () => {
  const matches = compileGlobs(["keep"]);
  const found = [...ABOUT_PATH, ...OTHERS].filter(([tool, input]) =>
    isAboutPath(tool, input, matches)
  );
  assertEquals(found, ABOUT_PATH);
});
