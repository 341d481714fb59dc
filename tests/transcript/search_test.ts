import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  excerptAround,
  type SearchMatch,
  type SearchQuery,
  searchTranscript,
} from "../../src/transcript/search/search.ts";
import {
  requiredLiteral,
  SearchPattern,
  type SearchPatternOptions,
} from "../../src/transcript/search/pattern.ts";
import { toolResult, toolUse } from "../trim/build_session.ts";
import { temporaryFile } from "./temporary_file.ts";

const RUN = { numRuns: 150, seed: 20_261_122 };

type Line = Record<string, unknown>;

function search(
  lines: readonly (Line | string)[],
  pattern: string,
  options: SearchPatternOptions & Omit<SearchQuery, "pattern"> = {},
): SearchMatch[] {
  const { isRegex = false, ignoreCase = false, ...query } = options;
  const text = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
  using file = temporaryFile(text.join("\n") + "\n");
  const compiled = new SearchPattern(pattern, { isRegex, ignoreCase });
  return [...searchTranscript(file.path, { pattern: compiled, ...query })];
}

function user(content: unknown, more: Line = {}): Line {
  const message = { role: "user", content };
  return { type: "user", uuid: "u", cwd: "/rudder", message, ...more };
}

function assistant(...content: Line[]): Line {
  return { type: "assistant", uuid: "a", message: { role: "assistant", content } };
}

const SESSION: readonly Line[] = [
  { type: "summary", summary: "rudder in a title" },
  user("Where is the rudder?"),
  assistant({ type: "thinking", thinking: "A rudder is at the stern", signature: "rudder" }),
  assistant(
    { type: "text", text: "I look for the rudder." },
    toolUse("t1", "Grep", { q: "rudder" }),
  ),
  user([toolResult("t1", "ship.ts: the rudder")], { toolUseResult: { stdout: "the rudder" } }),
  { type: "attachment", attachment: { type: "edited_text_file", snippet: "a rudder" } },
  { type: "attachment", attachment: { type: "unknown_to_the_model", snippet: "a rudder" } },
  { type: "progress", data: { message: { content: "a rudder" } } },
  { type: "system", subtype: "local_command", content: "rudder printed" },
  { type: "system", subtype: "turn_duration", content: "rudder timed" },
];

Deno.test("searchTranscript() finds a number in the input of a call", () => {
  const call = toolUse("t1", "mcp__tracker__get_issue", { repo: "sails", issue: 4711 });
  assertEquals(search([assistant(call)], "4711").map(({ tool }) => tool), [
    "mcp__tracker__get_issue",
  ]);
});

Deno.test("searchTranscript() finds only text that is sent, and returns its role and tool", () => {
  const found = search(SESSION, "rudder").map(({ line, role, tool }) => [line, role, tool]);
  assertEquals(found, [
    [2, "user", null],
    [3, "assistant", null],
    [4, "assistant", null],
    [4, "assistant", "Grep"],
    [5, "tool", "Grep"],
    [6, "user", null],
    [9, "user", null],
  ]);
});

Deno.test("searchTranscript() filters by role and tool", () => {
  const lines = (options: Omit<SearchQuery, "pattern">): number[] =>
    search(SESSION, "rudder", options).map(({ line }) => line);
  assertEquals(lines({ role: "user" }), [2, 6, 9]);
  assertEquals(lines({ role: "assistant" }), [3, 4, 4]);
  assertEquals(lines({ role: "tool" }), [5]);
  assertEquals(lines({ tool: "Grep" }), [4, 5]);
  assertEquals(lines({ tool: "Grep", role: "tool" }), [5]);
  assertEquals(lines({ tool: "Read" }), []);
});

Deno.test("searchTranscript() finds text that JSON escapes", () => {
  const text = 'He said "no",\nwent C:\\ships\\tab\there, 日本 \u{1f600} é \u0007 <b>/x';
  const lines = [user("other"), assistant(toolUse("t", "Bash", { command: text })), user(text)];
  const plain = ['said "no"', '"', '",\nwent', "\n", "C:\\ships", "\\", "tab\there", "<b>/x"];
  const other = ["日本", "日本 \u{1f600}", "\u{1f600}", "é", "\u0007"];
  for (const pattern of [...plain, ...other]) {
    assertEquals(search(lines, pattern).map(({ line }) => line), [2, 3], pattern);
  }
  assertEquals(search(lines, "\\n"), [], "a backslash and an n are not a newline");
  assertEquals(search(lines, "u0007"), []);
});

Deno.test("searchTranscript() searches for literal text, or for a regular expression if requested", () => {
  const lines = [user("a.b"), user("axb"), user("one\ntwo 42\nthree")];
  const found = (pattern: string, options: SearchPatternOptions): number[] =>
    search(lines, pattern, options).map(({ line }) => line);
  assertEquals(found("a.b", {}), [1]);
  assertEquals(found("a.b", { isRegex: true }), [1, 2]);
  assertEquals(found("^two \\d+$", { isRegex: true }), [3]);
  assertEquals(found("TWO", {}), []);
  assertEquals(found("TWO", { ignoreCase: true }), [3]);
  assertEquals(found("^T(WO|hree)$", { isRegex: true, ignoreCase: true }), [3]);
  assertEquals(found("A.B", { ignoreCase: true }), [1]);
  assertEquals(search([user("ÉTÉ")], "été", { ignoreCase: true }).length, 1);
  const afterEmptyLine = search(["", user("axb")], "x|y", { isRegex: true });
  assertEquals(afterEmptyLine.map(({ line }) => line), [2]);
});

Deno.test("searchTranscript() finds the tool of a result, regardless of the position of its call", () => {
  const far = Array.from({ length: 900 }, (_, n) => user(`filler ${n} ${"x".repeat(1000)}`));
  const lines = [
    assistant(toolUse("far", "Read", {})),
    user([toolResult("later", "needle 2")]),
    ...far,
    user([toolResult("far", "needle 903")]),
    user([toolResult("gone", "needle 904")]),
    assistant(toolUse("later", "Task", {})),
  ];
  assertEquals(search(lines, "needle").map(({ line, tool }) => [line, tool]), [
    [2, "Task"],
    [903, "Read"],
    [904, null],
  ]);
});

Deno.test("searchTranscript() reads two objects on a line and skips broken ones", () => {
  const two = [user("needle one"), assistant({ type: "text", text: "needle two" })]
    .map((line) => JSON.stringify(line)).join("");
  const found = search([two, '{"type":"user","message":{"content":"needle', "", two], "needle");
  assertEquals(found.map(({ line, role }) => [line, role]), [
    [1, "user"],
    [1, "assistant"],
    [4, "user"],
    [4, "assistant"],
  ]);
});

Deno.test("searchTranscript() finds a line that is far longer than one read", () => {
  const long = "é".repeat(300_000) + "needle" + "x".repeat(300_000);
  const found = search([user("first"), user(long), user("needle")], "needle", { excerptChars: 20 });
  assertEquals(found.map(({ line, excerpt }) => [line, excerpt]), [
    [2, "…éééééénee" + "dlexxxxxx…"],
    [3, "needle"],
  ]);
});

Deno.test("searchTranscript() finds the same matches as a simple search of the texts", () => {
  const unit = fc.constantFrom(...'aBb"\\\néÉ日\u{1f600} n');
  const text = fc.array(unit, { minLength: 1, maxLength: 12 }).map((units) => units.join(""));
  const anyTexts = fc.array(text, { minLength: 1, maxLength: 12 });
  const property = fc.property(anyTexts, fc.nat(), fc.boolean(), (texts, offset, ignoreCase) => {
    const units = [...texts[offset % texts.length] ?? ""];
    const pattern = units.slice(offset % units.length, offset % units.length + 3).join("");
    const fold = (one: string): string => ignoreCase ? one.toLowerCase() : one;
    const expected = texts.flatMap((one, n) => fold(one).includes(fold(pattern)) ? [n + 1] : []);
    const lines = texts.map((one) => user(one, { toolUseResult: pattern }));
    const found = search(lines, pattern, { ignoreCase });
    assertEquals(found.map(({ line }) => line), expected);
    for (const { excerpt } of found) assert(excerpt.isWellFormed());
  });
  fc.assert(property, RUN);
});

Deno.test("SearchPattern() rejects a pattern that is empty, is invalid, or matches an empty string", () => {
  const assertRefused = (pattern: string, isRegex: boolean): void => {
    assertThrows(() => new SearchPattern(pattern, { isRegex }), SyntaxError, "Cannot search: ");
  };
  assertRefused("", false);
  for (const pattern of ["", "(", "[z-a]", "a*", "x|"]) assertRefused(pattern, true);
  for (const pattern of ["(a|b)+c", "(?:, \\d+)*;", "foo\\-bar", "(a+)?b", "([A-Z]\\w+ ?)+"]) {
    new SearchPattern(pattern, { isRegex: true });
  }
});

Deno.test("SearchPattern.find() finds a match after the first part of a long text, or across two parts", () => {
  const pattern = new SearchPattern("^end (\\d+)$", { isRegex: true });
  const lines = "some words\n".repeat(3000);
  assertEquals(pattern.find(`${lines}end 7\n${lines}`), { index: lines.length, length: 5 });
  const across = new SearchPattern("begin\\s+end", { isRegex: true });
  for (let before = 4085; before < 4105; before++) {
    const text = "x".repeat(before) + "begin   end" + "x".repeat(9000);
    assertEquals(across.find(text), { index: before, length: 11 });
  }
});

Deno.test("SearchPattern.find() does not mistake the edge of a part for the start or end of a line or word", () => {
  const cases = [
    ["x$", "y", "x"],
    ["^foo", "x", "foo"],
    ["\\bcat\\b", " category ", "cat"],
    ["(?<!a)b", "ab", "b"],
    ["foo(?!bar)", "foobar", "foo"],
    ["(?:-|=)+;$", "-;=;!", "-;"],
  ] as const;
  for (const [source, filler, last] of cases) {
    const pattern = new SearchPattern(source, { isRegex: true });
    for (let shift = 0; shift < 12; shift++) {
      const text = " ".repeat(shift) + filler.repeat(9_000 / filler.length);
      assertEquals(pattern.find(text), null, source);
      const found = { index: text.length + 1, length: last.length };
      assertEquals(pattern.find(`${text}\n${last}`), found, source);
    }
  }
});

Deno.test("SearchPattern.find() takes linear time on a long text without line breaks", () => {
  const pattern = new SearchPattern("[ab]c", { isRegex: true });
  const start = performance.now();
  assertEquals(pattern.find("x".repeat(12_000_000)), null);
  // A version that looked for line breaks in the whole text for each part took half a minute.
  assert(performance.now() - start < 10_000);
});

Deno.test("requiredLiteral() returns text that every match contains, or null if it finds none", () => {
  const cases: [string, string | null][] = [
    ["plain text", "plain text"],
    ["colou?r of it", "r of it"],
    ["ab*cd", "cd"],
    ["ab*?cd", "cd"],
    ["abc+d", "abc"],
    ["abc{0,3}de", "ab"],
    ["one|two", null],
    ["(one|(two)) three", " three"],
    ["(?<!no)ship\\.ts", "ship"],
    ["[abc]+\\d{3}", null],
    ["[\\]x]yes", "yes"],
    ["\\u0041bcd", null],
    ["\\bword\\b", "word"],
    ["(a)\\1bc", null],
    ["\u{1f600}?\u{1f601}\u{1f602}", "\u{1f601}\u{1f602}"],
  ];
  for (const [pattern, expected] of cases) {
    assertEquals(requiredLiteral(pattern), expected, pattern);
  }
});

Deno.test("excerptAround() returns one line with the match, no longer than the limit", () => {
  const unit = fc.constantFrom("a", " ", "\n", "\t", "é", "\u{1f600}", "word", "   ");
  const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));
  const property = fc.property(
    text,
    text,
    fc.integer({ min: 10, max: 60 }),
    (before, after, maxChars) => {
      const whole = `${before}MATCH${after}`;
      const excerpt = excerptAround(whole, { index: before.length, length: 5 }, maxChars);
      assert([...excerpt].length <= maxChars, excerpt);
      assert(excerpt.includes("MATCH"));
      assert(!/[\n\t]| {2}/.test(excerpt));
      assert(excerpt.isWellFormed());
    },
  );
  fc.assert(property, RUN);
});

Deno.test("excerptAround() puts the match in the middle and marks cuts", () => {
  const text = `${"l".repeat(50)}MATCH${"r".repeat(50)}`;
  assertEquals(excerptAround(text, { index: 50, length: 5 }, 15), "…llllMATCHrrrr…");
  assertEquals(excerptAround(text, { index: 50, length: 5 }, 3), "MA…");
  assertEquals(excerptAround("MATCH and more", { index: 0, length: 5 }, 9), "MATCH an…");
  const gap = `MATCH a${" ".repeat(100)}b`;
  assertEquals(excerptAround(gap, { index: 0, length: 5 }, 20), "MATCH …");
  assertEquals(excerptAround("all of it", { index: 4, length: 2 }, 9), "all of it");
});

Deno.test("excerptAround() removes terminal sequences and characters that reverse text", () => {
  const text = "\x1b[1mone\x1b[22m\b\x07 two\u202e three\x9b";
  assertEquals(excerptAround(text, { index: text.indexOf("two"), length: 3 }, 40), "one two three");
});
