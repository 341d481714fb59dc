import { assert, assertEquals } from "@std/assert";
import { isAt, removedBy } from "../../src/core/shell_files.ts";

Deno.test("removedBy() finds the files that each command of a line deletes or moves", () => {
  const rows: readonly (readonly [line: string, ...paths: string[]])[] = [
    ["rm a;rm -f ./b \\\n  c/\n(cd web && git rm d)", "a", "b", "c", "d"],
    ["mv a.ts 'b c.ts' lib/ 2>/dev/null && git mv d e", "a.ts", "b c.ts", "d"],
    ["{ rm a.ts; } 2>&1 | tail; rm b.ts>log & rm c.ts # rm d.ts", "a.ts", "b.ts"],
    ["rm *.ts $OUT/x src/{a,b}.ts `ls` c.ts", "c.ts"],
    ["cd ../lib && rm a.ts ~/b.ts /p/c.ts", "../lib/a.ts", "~/b.ts", "/p/c.ts"],
    ["git rm --cached a.ts; git rm b.ts", "b.ts"],
    ["cat > a.md <<'EOF'\nrm b.ts\nEOF\nrm c.ts", "c.ts"],
  ];
  for (const [line, ...paths] of rows) assertEquals(removedBy(line), paths, line);
});

Deno.test("removedBy() does not read quoted text, here-documents, comments or temporary folders", () => {
  for (
    const line of [
      'git commit -m "Fix; rm a.ts is gone"',
      'ssh host "cd /srv; rm -rf a.ts"',
      "echo 'x && rm a.ts'",
      "cat > a.md <<EOF\n\nrm b.ts && mv c.ts d.ts\nEOF",
      "# rm a.ts",
      "cd /tmp/x && rm a.ts",
      'cd "$DIR" && rm a.ts',
    ]
  ) assertEquals(removedBy(line), [], line);
});

Deno.test("removedBy() reads a long line in time proportional to its length", () => {
  const start = performance.now();
  for (const part of ["\n", "rm a\n", "rm ", "'", "<<a\n", "\\\n", "cd a;"]) {
    removedBy(part.repeat(60_000));
  }
  assert(performance.now() - start < 10_000, "a quadratic search takes a minute");
});

Deno.test("isAt() finds the files at a path, below a folder and in a whole tree", () => {
  const rows: readonly (readonly [path: string, file: string, isFound: boolean])[] = [
    ["a.ts", "/p/a.ts", true],
    ["src", "src/a.ts", true],
    ["b.ts", "/p/a.ts", false],
    [".", "/p/a.ts", true],
    [":/", "a.ts", true],
    ["src/.", "src/a.ts", true],
    ["/other/.", "/other/a.ts", true],
    ["/other/.", "/p/a.ts", false],
    ["../lib/.", "/p/lib/a.ts", false],
    ["a.", "/p/b.ts", false],
    ["..", "/p/a.ts", false],
  ];
  for (const [path, file, isFound] of rows) assertEquals(isAt(path, file), isFound, path);
});
