import { assertEquals } from "@std/assert";
import { commandWords, gitCommands } from "../../src/core/git_commands.ts";
import { revertedBy } from "../../src/core/shell_files.ts";

function namesIn(line: string): string[] {
  return gitCommands(line).map(({ name }) => name);
}

Deno.test("gitCommands() finds git after keywords, variables and pipes, and skips options before the subcommand", () => {
  const rows: readonly (readonly [line: string, ...names: string[]])[] = [
    ["git -C web -c a.b=c --no-pager log -1", "log"],
    ["if git diff --quiet; then git add .; else git push; fi", "diff", "add", "push"],
    ["for one in a b; do GIT_EDITOR=true git commit -m x; done", "commit"],
    ["(cd web && git status); /usr/bin/git fetch", "status", "fetch"],
    ["printf 'Fix it' | git commit -F -", "commit"],
    ["git ls-files | xargs -r git add", "ls-files", "add"],
    ["# don't wait\ngit commit -m 'x' # then git push", "commit"],
    ["git commit -F - <<'EOF' && git push\nFix it\nEOF\ngit status", "commit", "push", "status"],
    ["cat <<EOF\nEOF\ngit push", "push"],
    ["cat <<<word\ngit push", "push"],
    ["echo $((1 << n))\ngit push", "push"],
    ["git add a.ts \\\n  && git commit -m x", "add", "commit"],
    [`cat > a.md <<EOF\n${"x ".repeat(9_000)}\nEOF\ngit commit -m x`, "commit"],
  ];
  for (const [line, ...names] of rows) assertEquals(namesIn(line), names, line);
});

Deno.test("gitCommands() ignores quoted text, here-documents and comments, and commands in temporary or new repositories", () => {
  const lines = [
    "grep -rn 'git commit' docs/",
    "sed -i 's/git commit -a/git commit/' README.md",
    'gh pr comment --body "Please\ngit push \\"first\\"\ngit push"',
    "cat > notes.md <<EOF\nRun git commit, then\ngit push\nEOF",
    'echo "$(cat <<\'EOF\'\nIt\'s "so":\ngit push\nEOF\n)"',
    "# git push",
    "git --version; git-lfs push; legit push",
    "cd /tmp/x && git commit -m x",
    'cd "$(mktemp -d)" && git commit -m x',
    "git -C /tmp/x commit -m x",
    "mkdir demo && cd demo && git init -q && git commit -m x",
    "git init -q -b main demo && cd demo/a && git add . && git commit -m x",
    "git init demo; git -C demo commit -m x",
    "cd demo && git init . && git commit -m x",
  ];
  for (const line of lines) assertEquals(namesIn(line), [], line);
});

Deno.test("gitCommands() keeps commands outside a new repository, and commands after `git init` in the session's own folder", () => {
  assertEquals(namesIn("git commit -m x && mkdir demo && cd demo && git init -q && git add ."), [
    "commit",
  ]);
  assertEquals(namesIn("(cd demo && git init && git add .); git push"), ["push"]);
  assertEquals(namesIn("cd demonstration && git add . && git init ../demo"), ["add"]);
  assertEquals(namesIn("git init -b main && git add . && git commit -m x"), ["add", "commit"]);
});

Deno.test("gitCommands() separates a command's options from its messages", () => {
  const optionsOf = (line: string): string | undefined => gitCommands(line)[0]?.options;
  const quoted = optionsOf("git commit -m 'Add --amend' --no-edit >> log 2>&1");
  assertEquals(quoted, ` -m ${"_".repeat(13)} --no-edit`);
  assertEquals(optionsOf("(cd web && git reset --hard)"), " --hard");
  const document = "git commit -F - <<'EOF'\nSay \"x\"\n\nIt's so.\nEOF";
  assertEquals(gitCommands(document)[0]?.words, ' -F - "Say \\"x\\"\n\nIt\'s so."');
  const [merge] = gitCommands("git -c a=b merge -m 'Take it' main 2>&1 | tail -5");
  assertEquals(merge === undefined ? "" : commandWords(merge), "git merge -m 'Take it' main");
});

Deno.test("gitCommands() reports whether a command is the last of its line, and whether it is alone", () => {
  const rows: readonly (readonly [line: string, isLast: boolean, isAlone: boolean])[] = [
    ["git log", true, true],
    ["cd web && git log", true, true],
    ["npm test && git log", true, false],
    ["git log && npm test", false, false],
    ["git log | head", false, false],
  ];
  for (const [line, ...expected] of rows) {
    const [command] = gitCommands(line);
    assertEquals([command?.isLast, command?.isAlone], expected, line);
  }
});

Deno.test("gitCommands() returns the folder of a command that runs outside the session's folder", () => {
  const foldersOf = (line: string): string[] => gitCommands(line).map(({ folder }) => folder);
  assertEquals(foldersOf("git pull; (cd ../lib && git pull); git push"), ["", "../lib", ""]);
  assertEquals(foldersOf('cd "/my repo" 2>/dev/null && git pull'), ["/my repo"]);
  assertEquals(foldersOf("cd ../lib && git pull && cd - && git push"), ["../lib", ""]);
  assertEquals(foldersOf("cd web && git -C '../../lib' pull && git push"), ["../../lib", ""]);
});

Deno.test("gitCommands() finds the command in very long adversarial lines", () => {
  const blanks = "\n".repeat(60_000);
  assertEquals(namesIn(`git${" -c".repeat(20_000)} x`), ["x"]);
  assertEquals(namesIn(`git commit -F - <<EOF\nFix it\n${blanks}x\nEOF`), ["commit"]);
  assertEquals(namesIn(`git commit -m "$(cat <<EOF\nFix it\n${blanks}`), ["commit"]);
  assertEquals(namesIn(`git commit -m${" ".repeat(60_000)}x 1`), ["commit"]);
  assertEquals(namesIn(`git commit -m ${"1".repeat(60_000)}`), ["commit"]);
  assertEquals(namesIn(`cd x${" ".repeat(60_000)}y && git push`), ["push"]);
});

Deno.test("revertedBy() returns the paths whose changes git discards, with the folder of another repository", () => {
  assertEquals(revertedBy("git checkout a.ts && git restore b.ts"), ["a.ts", "b.ts"]);
  assertEquals(revertedBy("cd ../lib && git reset --hard"), ["../lib/."]);
  // Without `--`, `main` is a branch, even if there is a folder such as `src/main`.
  assertEquals(revertedBy("git checkout main"), []);
  assertEquals(revertedBy("git checkout -- main && git restore main"), ["main", "main"]);
  assertEquals(revertedBy("git checkout . && git checkout src/main"), [".", "src/main"]);
  assertEquals(revertedBy("git commit -m 'Undo\n; git reset --hard'"), []);
});
