import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { generatePlaceholder } from "../../src/designs/mask_messages.ts";
import { isAlreadyMasked, MASKED_MARKER } from "../../src/trim/placeholder.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = { numRuns: 1000, seed: 20260305 };

type Row = readonly [tool: string, content: string, input: unknown, expected: string];

function assertWordings(rows: readonly Row[]): void {
  for (const [tool, content, input, expected] of rows) {
    const placeholder = generatePlaceholder(tool, content, { input });
    assertEquals(placeholder, `[${tool} result masked -- ${expected}]`);
    assert(isAlreadyMasked(placeholder), placeholder);
  }
}

Deno.test("generatePlaceholder() describes a file_read by its number of lines and its first line, regardless of its arguments", () => {
  const rows: readonly (readonly [content: string, lines: number, start: string])[] = [
    ["fn main() {\n}\n", 2, "fn main() {"],
    ["a\r\nb", 2, "a"],
    ["\n\nlate", 3, ""],
    ["", 0, ""],
    ["x".repeat(60), 1, "x".repeat(60)],
    ["x".repeat(59) + "😀😀", 1, "x".repeat(59) + "😀"],
    ["#[cfg(a[0])]", 1, "#[cfg(a[0])]"],
    ["a = [1, [2]", 1, "a = (1, [2]"],
    ["]] of [a]", 1, ")) of [a]"],
    [`[${"x".repeat(60)}]`, 1, `(${"x".repeat(59)}`],
    ["a\tb\u0007c\u2028d\u202ee", 1, "a b c d e"],
  ];
  const input = { file_path: "/a", command: "b" };
  assertWordings(rows.map(([content, lines, start]): Row => {
    return ["file_read", content, input, `${lines} lines, starts with: ${start}`];
  }));
  assert(generatePlaceholder("file_read", "\ud83d alone").isWellFormed());
});

Deno.test("generatePlaceholder() describes a shell_exec by its exit code if the result is JSON with an exit code, otherwise by its size", () => {
  const rows: readonly (readonly [content: string, what: string])[] = [
    ['{"exit_code":0,"stdout":"héllo","stderr":""}', "exit_code=0, stdout=6 bytes"],
    [' {"exit_code": 127, "stdout": ""}', "exit_code=127, stdout=0 bytes"],
    ['{"exit_code":-9}', "exit_code=-9, stdout=0 bytes"],
    ["héllo", "6 bytes of output"],
    ["", "0 bytes of output"],
    ["42", "2 bytes of output"],
    ['["exit_code"]', "13 bytes of output"],
    ['{"exit_code":"0","stdout":"x"}', "30 bytes of output"],
    ['{"exit_code":0', "14 bytes of output"],
    ['{"__proto__":{"exit_code":1}}', "29 bytes of output"],
  ];
  assertWordings(rows.map(([content, what]): Row => ["shell_exec", content, {}, what]));
});

Deno.test("generatePlaceholder() shows the arguments with which the model can repeat a call of Claude Code's or an MCP server's tools", () => {
  const url = "https://example.com/?a=1";
  const agent = { description: "Find callers" };
  const issue = { owner: "o", filters: { a: 1 }, number: 12, open: true, extra: "cut" };
  const lines = "    12→import x;\n    13→y\n";
  const file = { file_path: "/p/a.ts" };
  const part = { ...file, offset: 12, limit: 2 };
  const search = { pattern: "fo+", path: "src", glob: "*.ts" };
  assertWordings([
    ["file_write", "😀é", file, "6 bytes"],
    ["web_search", "😀é", file, "6 bytes of output"],
    ["Read", lines, part, '2 lines, file: "/p/a.ts", offset: 12, limit: 2, starts with: import x;'],
    ["Read", "1\timport x;", file, '1 lines, file: "/p/a.ts", starts with: import x;'],
    ["Read", "text", undefined, "1 lines, starts with: text"],
    ["Read", "x", { file_path: "a/[id].ts" }, '1 lines, file: "a/[id].ts", starts with: x'],
    ["Bash", "ok\n", { command: "npm test" }, '3 bytes of output, command: "npm test"'],
    ["Write", "done", { file_path: "/a b" }, '4 bytes, file: "/a b"'],
    ["Edit", "done", { file_path: "a" }, '4 bytes, file: "a"'],
    ["MultiEdit", "done", { file_path: "a" }, '4 bytes, file: "a"'],
    ["NotebookEdit", "done", { notebook_path: "n.ipynb" }, '4 bytes, file: "n.ipynb"'],
    ["Grep", "a\nb\n", search, '2 lines, pattern: "fo+", path: "src", glob: "*.ts"'],
    ["Glob", "a\nb", { pattern: "**/*.ts" }, '2 lines, pattern: "**/*.ts"'],
    ["WebFetch", "page", { url, prompt: "sum up" }, `4 bytes of output, url: "${url}"`],
    ["WebSearch", "hits", { query: 'say "hi"' }, '4 bytes of output, query: "say \\"hi\\""'],
    ["Task", "done", agent, '4 bytes of output, task: "Find callers"'],
    ["Agent", "done", agent, '4 bytes of output, task: "Find callers"'],
    ["TodoWrite", "done", { todos: [] }, "4 bytes"],
    ["mcp__github__issue", "body", issue, '4 bytes of output, owner: "o", number: 12, open: true'],
    ["mcp__x__y", "body", "no object", "4 bytes of output"],
  ]);
});

Deno.test("generatePlaceholder() escapes line breaks, control and format characters in an argument, and limits its length", () => {
  const commands = {
    "cat <<'E'\n\u0000\u007f\u0085\u2028\u202e\u{e0001}]\nE":
      "cat <<'E'\\n\\u0000\\u007f\\u0085\\u2028\\u202e\\udb40\\udc01]\\nE",
    ["😀".repeat(300)]: "😀".repeat(300),
    ["😀".repeat(301)]: `${"😀".repeat(300)}…`,
  };
  assertWordings(
    Object.entries(commands).map(([command, shown]): Row => {
      return ["Bash", "x", { command }, `1 bytes of output, command: "${shown}"`];
    }),
  );
});

Deno.test("isAlreadyMasked() recognizes every documented placeholder with any tool's name", () => {
  const masks = [
    MASKED_MARKER,
    "[file_read result masked -- 0 lines, starts with: ]",
    "[shell_exec result masked -- exit_code=-1, stdout=0 bytes]",
    "[file_write result masked -- 7 bytes]",
    "[anything result masked -- 7 bytes of output]",
    "[my.own-tool result masked -- 3 lines, starts with: x]",
    "[file_read result masked -- 3 lines, starts with: const list = [1, [2], 3];]",
    '[Read result masked -- 3 lines, file: "a\\"]b", starts with: x]',
    "[mcp__a__b result masked -- 3 bytes of output, n: -1.5e-7, on: false]",
  ];
  for (const mask of masks) assert(isAlreadyMasked(mask), mask);
});

Deno.test("isAlreadyMasked() rejects text that only looks like a placeholder", () => {
  const valid = "[tool result masked -- 7 bytes of output]";
  const texts = [
    ...["", "[", "masked", "[masked", "[Masked]", "[masked] ", " [masked]", "[masked]\n"],
    ...["[masked] [masked]", "[this value was masked by the linter]", '["masked"]'],
    ...["[result masked -- 7 bytes of output]", "[a tool result masked -- 7 bytes of output]"],
    ...["[tool result masked - 7 bytes of output]", valid.replace("tool", "n".repeat(129))],
    ...[`${valid} and then the real output`, `${valid}\n`, `\n${valid}`],
  ];
  const descriptions = [
    ...["7 bytes of outputs", "seven bytes of output", "-7 bytes of output", "7 bytes of output\n"],
    ...["x] y", "[x", "[x] and [y", "a\nb", "x".repeat(61)]
      .map((start) => `3 lines, starts with: ${start}`),
    ...["7 bytes, starts with: x", "exit_code=x, stdout=1 bytes"],
    "exit_code=1, stdout=1 bytes, more",
    ...['3 lines, file: "a" b"', '3 lines, file: "a\nb"', "3 lines, file: unquoted"],
    `1 bytes of output, command: "${"x".repeat(20_000)}"`,
  ];
  assert(isAlreadyMasked(valid));
  const masked = descriptions.map((words) => `[tool result masked -- ${words}]`);
  for (const text of [...texts, ...masked]) assertFalse(isAlreadyMasked(text), text);
});

Deno.test("isAlreadyMasked() takes linear time on a long text that begins like a placeholder", () => {
  const prefix = '[Read result masked -- 1 lines, file: "';
  assertFalse(isAlreadyMasked(prefix + "\\\\".repeat(5_000_000)));
  assertFalse(isAlreadyMasked((prefix + "a, b: ".repeat(2_700)).slice(0, 16_384)));
});

const text = fc.oneof(
  anyCharacters(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(...'[]"\\\n\r →', "masked", "\ud83d") }),
);
const tool = fc.oneof(
  fc.constantFrom(
    ...["file_read", "shell_exec", "file_write", "Read", "Bash", "Write", "NotebookEdit", "Grep"],
    ...["WebFetch", "Task", "TodoWrite", "mcp__server__tool", "unknown", "__proto__", "toString"],
  ),
  text,
);
const value = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const names = ["file_path", "command", "pattern", "path", "glob", "url", "query", "offset"];
const input = fc.oneof(fc.dictionary(fc.oneof(fc.constantFrom(...names), text), value), value);
const content = fc.oneof(text, fc.json());

Deno.test("generatePlaceholder() always returns one line that isAlreadyMasked() recognizes, and keeps it when called again", () => {
  const property = fc.property(tool, content, input, (name, result, args) => {
    const placeholder = generatePlaceholder(name, result, { input: args });
    assert(isAlreadyMasked(placeholder), placeholder);
    assert(!/[\p{Cc}\u2028\u2029]/u.test(placeholder), "one line");
    assert(placeholder.isWellFormed());
    assertEquals(generatePlaceholder(name, placeholder, { input: args }), placeholder);
    assertEquals(generatePlaceholder("other", placeholder), placeholder);
  });
  fc.assert(property, RUNS);
});

Deno.test("generatePlaceholder() refers to the line with the full result, unless the parent's name is too long", () => {
  const place = { lineNumber: 12, parentFile: "b82405ba" };
  const read = generatePlaceholder("Read", "top\nrest", { input: { file_path: "/a" }, ...place });
  const start = '[Read result masked -- 2 lines, file: "/a", starts with: top.';
  assertEquals(read, `${start} See line 12 of b82405ba for full content]`);
  const shown = generatePlaceholder("shell_exec", '{"exit_code":0}', place);
  assert(shown.endsWith("stdout=0 bytes. See line 12 of b82405ba for full content]"), shown);
  const odd = { lineNumber: 3, parentFile: "/a]b\n[c\u202e/x.jsonl" };
  const parent = generatePlaceholder("Bash", "out", odd);
  assert(parent.endsWith(". See line 3 of /a]b?[c?/x.jsonl for full content]"), parent);
  for (const one of [read, shown, parent]) {
    assert(isAlreadyMasked(one), one);
    assertEquals(generatePlaceholder("Read", one, place), one);
  }
  const from = (chars: number): string =>
    generatePlaceholder("Bash", "out", { lineNumber: 3, parentFile: "x".repeat(chars) });
  assertStringIncludes(from(300), `See line 3 of ${"x".repeat(300)} for`);
  assertEquals(from(301), "[Bash result masked -- 3 bytes of output]");
  assertFalse(isAlreadyMasked(`${read.slice(0, -1)}\nmore]`));
});
