import { assert, assertEquals } from "@std/assert";
import { movedBy, namesOrContains, removedBy, writtenBy } from "../../src/core/shell_files.ts";

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

Deno.test("movedBy() returns the new path of each moved file", () => {
  const rows: readonly (readonly [line: string, ...moves: [from: string, to: string][]])[] = [
    ["mv lib src", ["lib", "src"]],
    ["mv a.ts src", ["a.ts", "src/a.ts"]],
    ["mv lib a.ts", ["lib", "a.ts"]],
    ["mv lib src/", ["lib", "src/lib"]],
    ["mv a.ts b.ts src", ["a.ts", "src/a.ts"], ["b.ts", "src/b.ts"]],
    ["cd ../web && git mv a.ts b.ts", ["../web/a.ts", "../web/b.ts"]],
    ["rm a.ts b.ts"],
  ];
  for (const [line, ...moves] of rows) assertEquals(movedBy(line), moves, line);
});

Deno.test("removedBy() reads a long line in time proportional to its length", () => {
  const start = performance.now();
  for (const part of ["\n", "rm a\n", "rm ", "'", "<<a\n", "\\\n", "cd a;"]) {
    removedBy(part.repeat(60_000));
  }
  assert(performance.now() - start < 10_000, "a quadratic search takes a minute");
});

Deno.test("namesOrContains() is true if the path is the file, one of the file's parent folders or its whole tree", () => {
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
  for (const [path, file, isFound] of rows) {
    assertEquals(namesOrContains(path, file), isFound, path);
  }
});

Deno.test("writtenBy() finds the files that a line writes, except for logs, backups and temporary files", () => {
  const rows: readonly (readonly [line: string, ...paths: string[]])[] = [
    ["cat > a.ts <<'EOF'\nb > c.ts\nEOF", "a.ts"],
    ["cat <<EOF >> src/a.ts\nb\nEOF\necho done", "src/a.ts"],
    ["cat > Makefile <<EOF\nall:\nEOF", "Makefile"],
    ['echo "" >> a.ts && cat /tmp/new.txt >> b.ts', "a.ts", "b.ts"],
    ["printf 'a > b' > 'c.md'", "c.md"],
    ["jq . a.json | tee b.json > /dev/null", "b.json"],
    [
      "sed -i '' -e 's/a.b/c.d/' src/a.ts src/b.ts; perl -pi -e 's/a/b/' c.ts",
      "src/a.ts",
      "src/b.ts",
      "c.ts",
    ],
    ["mv /tmp/fixed.go pkg/a.go && cp pkg/a.go pkg/b.go", "pkg/a.go", "pkg/b.go"],
    ["git mv old.ts new.ts", "new.ts"],
    ["mkdir -p lib && mv a.ts src/b.ts lib/", "lib/a.ts", "lib/b.ts"],
    ["mv src/a.ts lib", "lib/a.ts"],
    ["cd ../lib && echo x > a.ts", "../lib/a.ts"],
    [
      "python3 - <<'EOF'\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nEOF",
      "src/a.py",
    ],
    ["python3 -c \"import json; json.dump({}, open('a.json', 'w'))\"", "a.json"],
    ['python3 <<\'EOF\'\nfrom pathlib import Path\nPath("a.py").write_text("x")\nEOF', "a.py"],
    ['node -e \'require("fs").writeFileSync("a.js", "")\'', "a.js"],
  ];
  for (const [line, ...paths] of rows) assertEquals(writtenBy(line), paths, line);
  const others = [
    ...["go test ./... > out.txt 2>&1", "echo x > /tmp/a.ts", "cd /tmp/try && echo x > a.ts"],
    ...["grep -rn 'a > b.ts' src", "cat a.ts 2>/dev/null", "echo a >&2", "sed -n 1p a.ts"],
    ...["gofmt -w cmd/a.go", "npx prettier --write a.ts"],
    ...["cp a.ts lib/", "mv a.ts a.ts.bak", "cat a.ts > $OUT", "npm test | tee run.log"],
    ...["git commit -m 'Write > a.ts'", "python3 -c \"open('a.py').read()\"", "awk '$1 > 2' a.ts"],
  ];
  for (const line of others) assertEquals(writtenBy(line), [], line);
});

Deno.test("writtenBy() reads a long line in time proportional to its length", () => {
  const start = performance.now();
  for (const part of ["> a ", "tee a|", "open(a,", "cp a b;", "sed -i "]) {
    writtenBy(part.repeat(10_000));
  }
  assert(performance.now() - start < 10_000, "a quadratic search takes a minute");
});
