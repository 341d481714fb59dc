import { assertEquals } from "@std/assert";
import { describeEdit, namesOf } from "../../src/inject/edits.ts";
import { changedLine, patchOf } from "../../src/inject/patches.ts";

Deno.test("namesOf() adds folders until no other file has the same name", () => {
  const files = [".claude/scripts/run.sh", ".gemini/scripts/run.sh", "src/a.ts", "b.ts"];
  assertEquals(namesOf(files, ["test/a.ts", "lib/b.ts", "src/a.ts"]), [
    ".claude/scripts/run.sh",
    ".gemini/scripts/run.sh",
    "src/a.ts",
    "b.ts",
  ]);
  assertEquals(namesOf(["src/ab.ts"], ["src/b.ts"]), ["ab.ts"]);
  assertEquals(namesOf(["c:\\x\\a.ts"], ["c:\\y\\a.ts"]), ["x\\a.ts"]);
});

Deno.test("describeEdit() shows the removed item of a list, not the renumbered items", () => {
  const edit = (old_string: string, new_string: string): string =>
    describeEdit({ name: "Edit", input: { file_path: "rules.md", old_string, new_string } });
  const [first, second] = ["Ask for the exact line.", "Include all ranges."];
  assertEquals(edit(`6. ${first}\n7. ${second}`, `6. ${second}`), `: removed 6. ${first}`);
  assertEquals(edit(`6. ${second}`, `6. ${first}\n7. ${second}`), `: 6. ${first}`);
});

Deno.test("describeEdit() shows new constants, a line with new names, and imports", () => {
  const edit = (...added: string[]): string => {
    const input = { file_path: "a.go", old_string: "x", new_string: ["x", ...added].join("\n") };
    return describeEdit({ name: "Edit", input });
  };
  const block = ["const (", "// graceTime must be short", "graceTime = 10 * time.Minute", ")"];
  assertEquals(edit('"time"', ...block), ": graceTime = 10 * time.Minute");
  assertEquals(edit("const MAX_ROWS = 7;"), ": const MAX_ROWS = 7;");
  const check = "if now.Sub(started) < sessionGracePeriod {";
  assertEquals(edit("now := time.Now()", "var first time.Time", "send(now)", check), `: ${check}`);
  assertEquals(edit('"time"', '"os"'), ': imports "time", "os"');
  assertEquals(edit("// It must be closed.", "func closeIt() {"), ": func closeIt() {");
});

Deno.test("changedLine() returns a line that changed only at its end if no other line changed", () => {
  const [before, after, other] = ["send(now)", "send(now);", "wait(now);"];
  assertEquals(changedLine("a.ts", [after], [before]), after);
  assertEquals(changedLine("a.ts", [after, other], [before]), other);
});

Deno.test("changedLine() prefers a line that is not just the end of a statement", () => {
  const call = "os.Remove(path)";
  const lines = ["`), 0o644); err != nil {", call];
  assertEquals(changedLine("a.go", lines, []), call);
  assertEquals(changedLine("a.go", lines.slice(0, 1), []), lines[0]);
});

Deno.test("changedLine() prefers a line with a call over an error check or a bare argument", () => {
  const check = "if err := save(path); err != nil {";
  assertEquals(changedLine("a.go", [check, 'return fmt.Errorf("no save: %w", err)'], []), check);
  assertEquals(changedLine("a.go", ["if err != nil {", "close(file)"], []), "close(file)");
  assertEquals(changedLine("a.go", ["instruction,", "send("], []), "send(");
});

Deno.test("changedLine() prefers a statement with an effect over a line that only sets something up", () => {
  const [context, output] = ["ctx := context.Background()", "w := cmd.OutOrStdout()"];
  for (const line of [context, output, '"net/http"', "t.Helper()"]) {
    assertEquals(changedLine("a.go", [line, "send(ctx)"], []), "send(ctx)", line);
    assertEquals(changedLine("a.go", [line], []), line);
  }
});

Deno.test("changedLine() prefers a warning to a declaration, and text with names to a tag", () => {
  const warning = "// NOTE: the cache is never cleared";
  assertEquals(changedLine("a.go", ["func reset() {", warning], []), warning);
  const rule = "// A session must be older than this";
  assertEquals(changedLine("a.go", [rule, "func reset() {"], []), "func reset() {");
  const shown = "{user.roles.length > 0 && (";
  for (const line of ['<div className="pt-3">', "<Badge>", 'className="text-sm"']) {
    assertEquals(changedLine("a.tsx", [line, shown], []), shown, line);
    assertEquals(changedLine("a.tsx", [line], []), line);
  }
});

Deno.test("describeEdit() shows a short replacement of all occurrences, and the headings of a new page", () => {
  const replace = (old_string: string, new_string: string): string =>
    describeEdit({
      name: "Edit",
      input: { file_path: "a.ts", old_string, new_string, replace_all: true },
    });
  assertEquals(replace("x".repeat(90), "y"), `: all ${"x".repeat(90)} => y`);
  assertEquals(replace("x".repeat(91), "save(y)"), ": save(y) (all occurrences)");
  assertEquals(replace("rows", "save(y)\nz"), ": save(y) (all occurrences)");
  const input = { file_path: "a.ts", new_string: "save(y)", replace_all: true };
  assertEquals(describeEdit({ name: "Edit", input }), ": save(y) (all occurrences)");
  const write = (content: string): string =>
    describeEdit({ name: "Write", input: { file_path: "a.md", content }, mirror: {} });
  assertEquals(write("# A page\n\n## Its part\n"), ": A page; Its part");
  assertEquals(write("# A page\n\nIts text\n"), ": # A page");
});

Deno.test("describeEdit() names two removed functions, unless the edit declares another", () => {
  const edit = (old_string: string, new_string: string): string =>
    describeEdit({ name: "Edit", input: { file_path: "a.ts", old_string, new_string } });
  const [first, second] = ["function openRows() {", "function closeRows() {"];
  assertEquals(edit(`${first}\n${second}`, ""), ": removed openRows, closeRows");
  assertEquals(edit(first, ""), `: removed ${first}`);
  assertEquals(edit(`${first}\n${second}`, "function rows() {"), ": function rows() {");
  const limits = "const rows = 7;\nconst cells = 8;";
  assertEquals(edit("limits", limits), ": const rows = 7;; const cells = 8;");
  assertEquals(edit("limits", limits.replaceAll("const ", "")), ": rows = 7;");
});

Deno.test("changedLine() prefers another line to one whose end changed, and code to an error check or a comment", () => {
  const call = "send(rows, path)";
  assertEquals(changedLine("a.ts", [`${call};`, "save(rows);"], [call]), "save(rows);");
  assertEquals(changedLine("a.ts", [`${call};`], [call]), `${call};`);
  const [check, remark] = ["if err != nil {", "// It is so."];
  assertEquals(changedLine("a.ts", [remark, check], []), check);
  assertEquals(changedLine("a.ts", [check, "rows,"], []), "rows,");
});

Deno.test("patchOf() skips invalid hunks, keeps at most 400 lines, and redacts a key of several lines", () => {
  const patch = (...structuredPatch: unknown[]): readonly string[] =>
    patchOf({ name: "Edit", input: {}, mirror: { structuredPatch } }).added;
  const lines = Array.from({ length: 401 }, (_, n) => `+line ${n}`);
  assertEquals(patch({ newStart: 1, lines }).length, 400);
  const valid = { newStart: 2, lines: ["+a"] };
  assertEquals(patch(null, { newStart: "x", lines: ["+b"] }, valid), ["a"]);
  const mark = (side: string): string => `+-----${side} RSA PRIVATE KEY-----`;
  const key = [mark("BEGIN"), `+${"A1b2".repeat(16)}`, mark("END")];
  assertEquals(patch({ newStart: 1, lines: key }), ["[redacted: private-key]"]);
});
