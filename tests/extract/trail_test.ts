import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { excerptEnds, LEFT_OUT, withoutCode } from "../../src/inject/ends.ts";
import { simpleCommands } from "../../src/core/shell_commands.ts";
import { TrailCollector } from "../../src/extract/trail/trail.ts";
import type { FinishedCall, Said, Trail } from "../../src/core/work_state.ts";

let line = 0;

function callOf(call: Partial<FinishedCall>): FinishedCall {
  return {
    name: "Bash",
    input: {},
    isError: false,
    result: "",
    mirror: undefined,
    isSidechain: false,
    from: { uuid: null, line: ++line },
    ...call,
  };
}

function tool(name: string, input = {}, result = "", isError = false): FinishedCall {
  return callOf({ name, input, result, isError });
}

function bash(command: string, result = "", isError = false): FinishedCall {
  return tool("Bash", { command }, result, isError);
}

type Step = FinishedCall | readonly ["user" | "assistant", string];

function isTurn(step: Step): step is readonly ["user" | "assistant", string] {
  return Array.isArray(step);
}

function trailOf(...steps: Step[]): Trail {
  const collector = new TrailCollector();
  for (const step of steps) {
    const from = { uuid: null, line: ++line };
    if (!isTurn(step)) collector.call({ ...step, from });
    else if (step[0] === "user") collector.prompt(step[1], from);
    else collector.said(step[1], from);
  }
  return collector.finish();
}

function texts(all: readonly Said[]): string[] {
  return all.map(({ text }) => text);
}

function stoppedOf(...steps: Step[]): string[] {
  return texts(trailOf(...steps).stopped);
}

function commandsOf(...steps: Step[]): string[] {
  return texts(trailOf(...steps).commands);
}

function refusedOf(...steps: Step[]): string[] {
  return texts(trailOf(...steps).refused);
}

/** The client puts this text before the text that the user types. */
const REFUSAL = "The user doesn't want to proceed with this tool use. To proceed, the user said:\n";

const EDIT = tool("Edit", { file_path: "/p/a.ts", new_string: "b" });

/** Returns the line of an edit after the name of its file. */
function editLine(old_string: string, new_string: string, file_path = "/p/a.go"): string {
  return stoppedOf(tool("Edit", { file_path, old_string, new_string }))
    .join().replace(/^Edit \S+ ?/, "");
}

/** An answer with this much text is shown without its code. */
const WORDS =
  "The page opens in a browser, and shows what each routine waits for and how long it waits. " +
  "The longest wait is at the top, and a click on it shows the lines of the program behind it.";

Deno.test("TrailCollector shows where the work stopped, one line per call, newest last", () => {
  const { stopped } = trailOf(
    ["user", "Fix\nthe login"],
    tool("Read", { file_path: "/p/a.ts" }),
    tool("Edit", { file_path: "/p/a.ts", new_string: "}\n  return token.isValid();\n" }),
    bash("npm test 2>&1", "> test\nExit code 1\n✗ login rejects\nexpected 1, got 2\nok 3", true),
    ["assistant", "One test\nfails."],
    bash("ls", "a.ts\nb.ts"),
    tool("TodoWrite", { todos: [] }),
  );
  assertEquals(texts(stopped), [
    "User: Fix the login",
    "Read /p/a.ts",
    "Edit /p/a.ts: return token.isValid();",
    "Bash npm test 2>&1 → failed: ✗ login rejects | expected 1, got 2",
    "Assistant: One test fails.",
    "Bash ls → a.ts | b.ts",
  ]);
});

Deno.test("TrailCollector puts a prompt after the calls that were made before it", () => {
  const collector = new TrailCollector();
  const at = (line: number) => ({ uuid: null, line });
  collector.prompt("Rename it", at(1));
  collector.call({ ...bash("make a"), from: at(2) });
  collector.prompt("and test it", at(4));
  collector.call({ ...bash("make b"), from: at(3) });
  collector.call({ ...bash("make test"), from: at(5) });
  assertEquals(texts(collector.finish().stopped).map((text) => text.split(" → ")[0]), [
    "User: Rename it",
    "Bash make a",
    "Bash make b",
    "User: and test it",
    "Bash make test",
  ]);
});

Deno.test("TrailCollector keeps the last answer nearly whole and the newest steps within bounds", () => {
  const long = Array.from({ length: 400 }, (_, n) => `word${n}`).join(" ");
  const { stopped } = trailOf(
    ...Array.from({ length: 500 }, (_, n) => bash(`echo ${n} ${"x".repeat(90)}`)),
    ["assistant", long],
    ["assistant", long],
  );
  const [before, last] = texts(stopped).slice(-2);
  assert(last !== undefined && last.length > 2_350 && last.length <= 2_400 + "Assistant: ".length);
  assert(last.startsWith("Assistant: word0 ") && last.endsWith(" word399"));
  assert(before !== undefined && before.length <= 420 + "Assistant: ".length);
  assert(texts(stopped).join("\n").length <= 5_000 + 1_300);
  assert(texts(stopped).at(-3)?.startsWith("Bash echo 499 "));
});

Deno.test("TrailCollector shows the last outcome of each command, failures and checks first", () => {
  const { commands } = trailOf(
    bash("npm test", "✗ login rejects", true),
    bash("gh pr create --title 'a; b' --body \"x\nrm y\"", "https://github.com/o/r/pull/7"),
    bash("npm run lint && npm test", "all pass"),
    bash("npm run build 2>&1 | tail -5", "error: cannot find a.ts:3\nBuild failed", true),
    bash("git commit -m 'npm test'"),
    bash("grep -r x ."),
  );
  assertEquals(texts(commands), [
    "`npm run build` failed: error: cannot find a.ts:3 | Build failed; a commit followed",
    "`npm test` ok, after it failed (✗ login rejects)",
    "`npm run lint` ok",
    "`git commit -m 'npm test'` ok",
    "`gh pr create --title 'a; b' --body \"x rm y\"` ok",
  ]);
});

Deno.test("TrailCollector separates commands of another folder, and ignores a temporary folder", () => {
  const { commands } = trailOf(
    bash("npm test", "✗ login rejects", true),
    bash("cd ../other && npm test", "12 passed"),
    bash("cd ../other && git commit -m 'Mend it'"),
    bash("cd web && npm test -- --ci", "3 passed"),
    bash("cd /tmp/try && git init && git commit -m one"),
  );
  assertEquals(texts(commands), [
    "`cd web && npm test -- --ci` ok",
    "`cd ../other && npm test` ok",
    "`npm test` failed: ✗ login rejects; since then `cd web && npm test -- --ci` passed",
    "`cd ../other && git commit -m 'Mend it'` ok",
  ]);
});

Deno.test("TrailCollector does not count a command as passed if its launcher or shell could not run it", () => {
  const { commands } = trailOf(
    bash("python -m pytest -q 2>&1 | tail -3", "/usr/bin/python: No module named pytest"),
    bash("npm install left-pad@*(latest)", "(eval):1: unknown file attribute: l"),
    bash("uv run pytest -q | tail -3", "4 passed"),
  );
  assertEquals(texts(commands), [
    "`uv run pytest -q` ok",
    "`python -m pytest -q` failed: /usr/bin/python: No module named pytest; " +
    "since then `uv run pytest -q` passed",
  ]);
});

Deno.test("TrailCollector shows how a check failed before it passed, and the edits between", () => {
  const { commands } = trailOf(
    bash("npm test", "✗ login rejects\nexpected 1, got 2", true),
    tool("Edit", { file_path: "/p/src/login.ts", new_string: "x" }),
    bash("npm run lint && npm test", "2 passed"),
    bash("git rebase --continue", "error: Unable to create lock", true),
    bash("git rebase --continue"),
  );
  assertEquals(texts(commands), [
    "`npm test` ok, after it failed (✗ login rejects) and edits of login.ts",
    "`npm run lint` ok",
    "`git rebase --continue` ok",
  ]);
});

Deno.test("TrailCollector counts a check as failed if a filter hid its exit code, and shows no passing line", () => {
  const { stopped, commands } = trailOf(
    bash("go test ./... 2>&1 | tail -9", "PASS\nok  \tex.org/a\t3.0s\nFAIL"),
    bash("mise run fmt:check | tail -9", "These .go files need to be formatted:\na.go"),
    bash("mise run lint 2>&1 | tail -9", "* typecheck: 1\n[lint] ERROR task failed"),
    bash("golangci-lint run | tail -3", "a.go:3: unused\n2 issues:\n* unused: 2"),
    bash("gh api x | head -2", "failed to parse jq expression\n .[] | select(.a"),
  );
  assertEquals(texts(stopped), [
    "Bash go test ./... 2>&1 | tail -9 → failed",
    "Bash mise run fmt:check | tail -9 → failed: These .go files need to be formatted: | a.go",
    "Bash mise run lint 2>&1 | tail -9 → failed: * typecheck: 1",
    "Bash golangci-lint run | tail -3 → failed: a.go:3: unused",
    "Bash gh api x | head -2 → failed to parse jq expression",
  ]);
  assertEquals(texts(commands).filter((text) => / failed/.test(text)).length, 4);
});

Deno.test("TrailCollector shows that a test passed, not what it logged", () => {
  const log = "=== RUN TestHash\n  clean_test.go:427: Are they equal? false\n--- PASS: TestHash";
  const { stopped } = trailOf(bash("go test -v ./...", `${log}\nPASS\nok  \tex.org/a\t0.5s`));
  assertEquals(texts(stopped), ["Bash go test -v ./... → PASS | ok ex.org/a 0.5s"]);
});

Deno.test("TrailCollector leaves out commands that only print something", () => {
  const printing = ["HEAD=$(git rev-parse HEAD)", "xxd a.bin", "git reflog"];
  const failed = bash("cd web && npm test", "(eval):cd:1: no such file or directory: web", true);
  assertEquals(commandsOf(failed), [], "the test never ran");
  const { commands } = trailOf(...printing.map((line) => bash(line, "abc")));
  assertEquals(texts(commands), []);
});

Deno.test("TrailCollector does not count a check as passed if its output was cut before the verdict", () => {
  const log = "2026/02/11 INFO phase transition component=session\nInitialized shadow session";
  const { stopped, commands } = trailOf(bash("mise run test 2>&1 | head -100", log));
  assertEquals(texts(commands), ["`mise run test` ran, outcome not shown"]);
  assertStringIncludes(texts(stopped)[0] ?? "", "→ outcome not shown: ");
  const failing = trailOf(
    bash("./scripts/test-e2e.sh | tail -100", "ERROR: Session 1 was included"),
  );
  assertEquals(texts(failing.commands), [
    "`./scripts/test-e2e.sh` failed: ERROR: Session 1 was included",
  ]);
  const full = Array.from({ length: 20 }, (_, n) => `ok  \tex.org/${n}\t1s`).join("\n");
  const cut = trailOf(bash("mise run test 2>&1 | head -20", full));
  assertEquals(texts(cut.commands), ["`mise run test` ran, outcome not shown"]);
  const none = trailOf(bash("npm test | grep FAIL | sort", "Shell cwd was reset to /p"));
  assertEquals(texts(none.commands), ["`npm test` ran, outcome not shown"]);
  assertEquals(texts(none.stopped), [
    "Bash npm test | grep FAIL | sort → outcome not shown: nothing matched the filter",
  ]);
  for (
    const [line, output] of [["| head -9", "ok  \tex.org/a\t1s"], ["| head -9", ""], ["", log]]
  ) {
    const passed = trailOf(bash(`mise run test ${line}`.trim(), output ?? "")).commands;
    assertEquals(texts(passed), ["`mise run test` ok"], line);
  }
});

Deno.test("TrailCollector attributes truncated output only to the last command of a chain", () => {
  const output = "[fmt] $ gofmt -w .\n[lint:go] $ golangci-lint run";
  const { commands } = trailOf(bash("mise run fmt && mise run lint 2>&1 | head -50", output));
  assertEquals(texts(commands).sort(), [
    "`mise run fmt` ok",
    "`mise run lint` ran, outcome not shown",
  ]);
});

Deno.test("TrailCollector names the build that failed before the tests of a chain", () => {
  const error = "Exit code 1\n# ex.org/a\na/a.go:4:1: syntax error: unexpected keyword type";
  const line = "go build ./... && mise run test 2>&1 | tail -20";
  assertEquals(
    commandsOf(bash("mise run test", "ok  \tex.org/a\t1s"), bash(line, error, true))
      .map((text) => text.split(": ")[0]).sort(),
    ["`go build ./...` failed", "`mise run test` ok"],
  );
});

Deno.test("TrailCollector does not count plans as edits since a check, or merge-base as a merge", () => {
  const plan = { name: "Write", input: { file_path: "/h/.claude/plans/a.md", content: "x" } };
  const { commands } = trailOf(
    bash("npm test", "2 passed"),
    callOf(plan),
    bash("git merge-base HEAD main", "1a2b3c4"),
  );
  assertEquals(texts(commands)[0], "`npm test` ok");
});

Deno.test("TrailCollector does not take another commit for the refused one", () => {
  const refused =
    "The user doesn't want to proceed with this tool use. The user said:\ndon't check this in";
  const { refused: items } = trailOf(
    bash("git add docs/a.md && git commit -m 'Add a design'", refused, true),
    bash("git add src && git commit -m 'Add a cache'", "[main 1a2b3c4] Add a cache"),
  );
  assert(!texts(items).some((text) => text.includes("went through")), texts(items).join());
});

Deno.test("TrailCollector says that a check was run on another branch", () => {
  const commands = (...lines: string[]): string[] =>
    commandsOf(bash("npm test", "2 passed"), ...lines.map((line) => bash(line)))
      .filter((text) => text.startsWith("`npm test`"));
  assertEquals(commands("git checkout main"), ["`npm test` ok; before `git checkout main`"]);
  for (const nothing of ["Already on 'main'", "Current branch main is up to date."]) {
    const runs = commandsOf(bash("npm test", "2 passed"), bash("git checkout main", nothing));
    assertEquals(runs[0], "`npm test` ok");
  }
  assertEquals(commands("git merge origin/main"), [
    "`npm test` ok; before `git merge origin/main`",
  ]);
  for (const other of ["git checkout -b x", "git checkout a.ts", "git rebase --continue"]) {
    assertEquals(commands(other), ["`npm test` ok"], other);
  }
});

Deno.test("TrailCollector names the command of git that reported an error", () => {
  const { commands } = trailOf(
    bash(
      "git stash && git checkout main && git pull",
      "fatal: 'main' is already used by worktree at '/p'",
      true,
    ),
  );
  const failed = texts(commands).filter((text) => text.includes("failed"));
  assertEquals(failed.map((text) => text.split(" failed")[0]), ["`git checkout main`"]);
});

Deno.test("TrailCollector lists all conflicts, all names of a diff, and the part that a search covered", () => {
  const files = ["a.ts", "b.ts", "c.ts", "d.ts"];
  const conflicts = files.map((file) => `CONFLICT (content): Merge conflict in ${file}`).join("\n");
  const grep = {
    name: "Grep",
    input: { pattern: "x", glob: "*_test.go" },
    result: "No matches found",
  };
  const moved = {
    name: "Grep",
    input: { pattern: "y" },
    result: "<persisted-output>\nOutput too large",
  };
  const { stopped } = trailOf(
    bash("git merge main", conflicts, true),
    bash("git diff --name-only", files.join("\n")),
    callOf(grep),
    callOf(moved),
  );
  assertEquals(texts(stopped), [
    "Bash git merge main → failed: CONFLICT in a.ts, b.ts, c.ts, d.ts",
    "Bash git diff --name-only → a.ts | b.ts | c.ts | d.ts",
    "Grep x in *_test.go → No matches found",
    "Grep y → too many to count",
  ]);
});

Deno.test("TrailCollector forgets the checks of a plan that was reported as done before a new request", () => {
  const unrun = (...events: Parameters<typeof trailOf>): string[] =>
    commandsOf(...events).filter((text) => text.includes("no run was seen"));
  const plan = "Implement the following plan:\n\n# Cache\n\n## Verification\n\n`npm run test:ci`\n";
  const done = ["assistant", "All done. Here's a summary of what was built."] as const;
  assertEquals(unrun(["user", plan], EDIT, done).length, 1);
  assertEquals(unrun(["user", plan], EDIT, done, ["user", "Now make a plan for Gemini"]), []);
  assertEquals(unrun(["user", plan], EDIT, ["user", "keep the name"]).length, 1);
});

Deno.test("TrailCollector shows the new text of an edit, else the removed text", () => {
  const [head, check] = ["function captureState() {", "  if (isMissing) return;"];
  assertEquals(editLine(head, `${head}\n${check}`), "in captureState: if (isMissing) return;");
  assertEquals(
    editLine(`${head}\n${check}`, head),
    "in captureState: removed if (isMissing) return;",
  );
  assertEquals(editLine(head, head), "");
  const declared = ["func (s *Store) Save() error {", "type Store struct {", "class Row:"];
  assertEquals(editLine(head, [head, ...declared].join("\n")), "declares Save, Store, Row");
  const many = Array.from({ length: 9 }, (_, n) => `const x = ${n};\nexport function f${n}() {}`);
  assertEquals(
    editLine(many[0] ?? "", many.join("\n")),
    "declares f1, f2, f3, f4, f5, f6, and 2 more",
  );
});

Deno.test("TrailCollector shows the assistant's text about a failure", () => {
  const failure = bash("npm test", "✗ login rejects", true);
  const why = "I see! The ids in the fixture must be hex, and one is not. Let me fix that.";
  const remark = '; the assistant said: "The ids in the fixture must be hex, and one is not."';
  const [first] = commandsOf(failure, ["assistant", why]);
  assertEquals(first, `\`npm test\` failed: ✗ login rejects${remark}`);
  const passing = bash("npm test", "1 passed");
  const [passed] = commandsOf(failure, ["assistant", why], EDIT, [
    "assistant",
    "It is another thing by now.",
  ], passing);
  assertEquals(
    passed,
    `\`npm test\` ok, after it failed (✗ login rejects) and edits of a.ts${remark}`,
  );
  const noted = "The code compiles now, but there is a test failure as expected. Let me look.";
  const [alone] = commandsOf(failure, ["assistant", noted]);
  const expected = "The code compiles now, but there is a test failure as expected.";
  assertEquals(alone, `\`npm test\` failed: ✗ login rejects; the assistant said: "${expected}"`);
  const looks = [bash("git status"), bash("git log"), bash("cat a.ts")];
  const [late] = commandsOf(failure, ...looks, ["assistant", why]);
  assertEquals(
    late,
    "`npm test` failed: ✗ login rejects",
    "the text is about the steps in between",
  );
  const refusal = "The user doesn't want to proceed with this tool use. The user said:\nuse append";
  const edit = { name: "Edit", input: { file_path: "/p/a.ts" }, result: refusal, isError: true };
  const [refused] = commandsOf(failure, callOf(edit), ["assistant", why]);
  assertEquals(refused, "`npm test` failed: ✗ login rejects", "the words answer the user");
  const lint = bash("npm run lint", "a.ts:1:1: unused", true);
  const two = commandsOf(failure, lint, ["assistant", why]);
  assertEquals(two.filter((text) => text.endsWith(remark)).length, 1, "the newest failure alone");
});

const GONE = "<tool_use_error>File does not exist.</tool_use_error>";

Deno.test("TrailCollector leaves out corrected slips and trimtab's own commands, and names calls without a result", () => {
  const collector = new TrailCollector();
  const edit = { name: "Edit", input: { file_path: "a.ts", new_string: "const a = 1;" } };
  const slip = "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>";
  collector.call(callOf({ ...edit, result: slip, isError: true }));
  collector.call(
    tool("Read", { file_path: "c.ts" }, GONE, true),
  );
  collector.call(callOf(edit));
  const other = { name: "Edit", input: { file_path: "b.ts", new_string: "const b = 1;" } };
  collector.call(callOf({ ...other, result: slip, isError: true }));
  collector.call(tool("Skill", { skill: "test-first" }));
  const open = { isSidechain: false, from: { uuid: null, line: 1 } };
  collector.unfinished({ name: "Grep", input: { pattern: "login" }, ...open });
  collector.unfinished({ name: "TodoWrite", input: {}, ...open });
  const rollover = { command: "trimtab rollover --skill --summary-file - <<'END'\nDone.\nEND" };
  collector.unfinished({ name: "Bash", input: rollover, ...open });
  collector.unfinished({ name: "Read", input: { file_path: "b.ts" }, ...open, isSidechain: true });
  assertEquals(texts(collector.finish().stopped), [
    "Read c.ts → no such path",
    "Edit a.ts: const a = 1;",
    "Edit b.ts → failed: File has not been read yet. (it was to write const b = 1;)",
    "Skill test-first",
    "Grep login → no result yet",
  ]);
});

Deno.test("TrailCollector shows the first hits of a search", () => {
  const grep = (result: string): string | undefined =>
    stoppedOf(tool("Grep", { pattern: "x" }, result))[0]
      ?.replace("Grep x", "");
  assertEquals(grep("No matches found"), " → No matches found");
  assertEquals(grep("Found 2 files\na.ts\nb.ts"), " → Found 2 files: a.ts, b.ts");
  assertEquals(grep("a.ts:3: x\n\na.ts:9: x"), " → 2 lines: a.ts:3: x, a.ts:9: x");
  assertEquals(grep("Found 0 files"), " → Found 0 files");
  assertEquals(grep(""), "");
  assert(grep("x ".repeat(8_000))?.startsWith(" → 1 or more lines: x x"));
});

Deno.test("TrailCollector keeps the newest prompt and the answer before it, however much followed", () => {
  const { stopped } = trailOf(
    ["assistant", "Shall I fix it?"],
    ["user", "yes"],
    ...Array.from({ length: 60 }, (_, n) => bash(`make part${n}`, `${"x".repeat(90)} ${n}`)),
  );
  assertEquals(texts(stopped).slice(0, 2), ["Assistant: Shall I fix it?", "User: yes"]);
  assert(texts(stopped).length < 60);
});

Deno.test("TrailCollector shows finished background work with its report", () => {
  const output = (status: string): FinishedCall =>
    tool(
      "TaskOutput",
      { task_id: "a1" },
      `<status>${status}</status>\n\n<output>\n[Tool: Bash] {"command":"ls"}\n` +
        "No risk was found.\n</output>",
    );
  const collector = new TrailCollector();
  const launched = "Async agent launched successfully. agentId: a1 (This is an internal ID)";
  collector.call(tool("Task", { description: "Review" }, launched));
  collector.call(output("running"));
  collector.call(output("completed"));
  collector.returned('Agent "Map" completed', "All mapped.", { uuid: null, line: 1 });
  collector.returned('Background command "npm test" failed', "", { uuid: null, line: 1 });
  assertEquals(texts(collector.finish().stopped), [
    "Task Review → started",
    "Task a1 is done → No risk was found.",
    'Agent "Map" completed → All mapped.',
    'Background command "npm test" failed',
  ]);
});

Deno.test("TrailCollector lists background work until it is seen to end", () => {
  const start = (id: string, description: string): FinishedCall =>
    tool(
      "Agent",
      { description },
      `Async agent launched successfully.\nagentId: ${id} (internal ID)`,
    );
  const serve = tool(
    "Bash",
    { command: "npm run dev" },
    "Command running in background with ID: b1. Output is being written to: /tmp/b1",
  );
  const collector = new TrailCollector();
  for (const one of [start("a1", "Map"), start("a2", "Review"), serve, bash("ls")]) {
    collector.call(one);
  }
  const long = "Look through all of the packages ".repeat(4).trim();
  collector.call(start("a3", long));
  collector.returned(`Agent "${long}" completed`, "Done.", { uuid: null, line: 1 });
  assertEquals(collector.finish().running, ["Map", "Review", "npm run dev"]);
  collector.returned('Agent "Map" completed', "All mapped.", { uuid: null, line: 1 });
  const output = (status: string): FinishedCall =>
    tool("TaskOutput", { task_id: "a2" }, `<status>${status}</status>`);
  collector.call(output("running"));
  assertEquals(collector.finish().running, ["Review", "npm run dev"]);
  collector.call(output("failed"));
  collector.call(tool("KillShell", { shell_id: "b1" }, "Killed"));
  assertEquals(collector.finish().running, []);
});

Deno.test("TrailCollector shows how much was edited after a check passed", () => {
  const edit = tool("Edit", { file_path: "a.ts", new_string: "const a = 1;" });
  const okOf = (...steps: Step[]): string | undefined => commandsOf(...steps)[0];
  const test = bash("npm test", "3 passed");
  assertEquals(okOf(edit, test), "`npm test` ok");
  assertEquals(okOf(test, edit), "`npm test` ok; 1 edit since then");
  assertEquals(okOf(test, edit, edit, bash("ls")), "`npm test` ok; 2 edits since then");
  assertEquals(okOf(test, edit, test), "`npm test` 2 times ok");
  const failing = bash("npm test", "✗ login rejects", true);
  assertEquals(okOf(failing, edit), "`npm test` failed: ✗ login rejects; 1 edit since then");
  const lint = (file: string): FinishedCall => bash(`golangci-lint run ./p/${file}`, "0 issues.");
  assertEquals(
    okOf(lint("b.ts"), edit),
    "`golangci-lint run ./p/b.ts` ok",
    "the edit was in another file",
  );
  assertEquals(okOf(lint("a.ts"), edit), "`golangci-lint run ./p/a.ts` ok; 1 edit since then");
});

Deno.test("TrailCollector says that a check of the same kind or a commit followed a failure", () => {
  const endOf = (...later: FinishedCall[]): string | undefined =>
    commandsOf(bash("go test -run TestLogin ./auth", "--- FAIL: TestLogin", true), ...later)
      .find((text) => text.includes("TestLogin"))?.replace(/^.*--- FAIL: TestLogin/, "");
  const [lint, test] = [bash("npm run lint"), bash("mise run test:ci", "ok")];
  const commit = bash("git commit -m x");
  assertEquals(endOf(lint), "");
  assertEquals(endOf(lint, test), "; since then `mise run test:ci` passed");
  assertEquals(endOf(test, commit), "; since then `mise run test:ci` passed");
  assertEquals(endOf(lint, commit), "; a commit followed");
  assertEquals(endOf(bash("git commit -m x", "", true)), "");
});

Deno.test("TrailCollector names the failed command of a chain, but not commands that never ran", () => {
  const outcomesOf = (command: string, result: string): readonly string[] =>
    commandsOf(bash(command, result, true));
  assertEquals(
    outcomesOf("npm run fmt && npm run lint && npm test", "[lint] a.ts:3 error: unused"),
    ["`npm run lint` failed: [lint] a.ts:3 error: unused", "`npm run fmt` ok"],
  );
  assertEquals(outcomesOf("npm run build; ls gone", "ls: gone: No such file"), [
    "`npm run build` ok",
  ]);
  assertEquals(outcomesOf("cd gone && npm test", "bash: cd: gone: No such file"), []);
  assertEquals(outcomesOf("python3 - <<'E'\nboom\nE", "NameError: boom"), []);
});

Deno.test("TrailCollector shows here-documents by their first line, and agents' reports", () => {
  const commit = "git commit -m \"$(cat <<'EOF'\nAdd a `login`\n\nIt was asked for.\nEOF\n)\"";
  const { commands, stopped } = trailOf(
    bash(commit),
    tool(
      "Task",
      { description: "Find callers" },
      "Three files call it.\nagentId: a1 (for resuming to continue this agent's work)",
    ),
  );
  assertEquals(texts(commands), ['`git commit -m "Add a login"` ok']);
  assertEquals(texts(stopped), [
    'Bash git commit -m "Add a login" → ok',
    "Task Find callers → Three files call it.",
  ]);
});

Deno.test("TrailCollector forgets a failed command after 200 later ones", () => {
  const firstAfter = (others: number): string =>
    commandsOf(
      bash("npm test", "✗ login rejects", true),
      ...Array.from({ length: others }, (_, n) => bash(`deploy part${n}`)),
    )[0] ?? "";
  assertEquals(firstAfter(199).includes("`npm test` failed"), true);
  assertEquals(firstAfter(200).includes("`npm test` failed"), false);
});

Deno.test("TrailCollector counts equal commands, shows conflicts, and ignores commands that did not run", () => {
  const conflict = "CONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed; fix it.";
  const { commands, stopped } = trailOf(
    bash("git merge origin/main 2>&1 || true", "Already up to date."),
    bash("git merge origin/dev 2>&1 || true", conflict),
    bash("git fsck 2>&1 | head -3", "Checking objects\nerror: HEAD: invalid reflog entry"),
    bash("deploy old || true", "error: unable to delete old: no such ref"),
    bash("git push", "The user doesn't want to proceed with this tool use.", true),
    bash("npm publish", "<tool_use_error>Sibling tool call errored</tool_use_error>", true),
    bash("gh api x/y \\\n  --method POST \\\n  -F id=7", "{}\nShell cwd was reset to /p"),
    bash("A=$(git rev-parse HEAD; date) B='x y' $(go env GOPATH)/bin/vetter run ./...", "ok"),
  );
  assertEquals(texts(commands), [
    "`git fsck` failed: error: HEAD: invalid reflog entry",
    "`git merge origin/dev` failed: CONFLICT (content): Merge conflict in a.ts | " +
    "Automatic merge failed; fix it.",
    "`vetter run ./...` ok",
    "`gh api x/y --method POST -F id=7` ok",
    "`deploy old` ran",
  ]);
  const sought = trailOf(bash("git log | grep -n x 2>/dev/null", ""), bash("mkdir -p a", ""));
  assertEquals(texts(sought.stopped), [
    "Bash git log | grep -n x 2>/dev/null → no output",
    "Bash mkdir -p a → ok",
  ]);
  const started = trailOf(bash("npm test", "Command running in background with ID: b1"));
  assertEquals(texts(started.commands), [], "its outcome is unknown");
  assertEquals(texts(stopped).slice(4, 7), [
    "Bash git push → stopped by the user",
    "Bash npm publish → not run",
    "Bash gh api x/y \\ --method POST \\ -F id=7 → ok",
  ]);
});

Deno.test("TrailCollector lists look-ups that found nothing to read, but not look-ups that never ran", () => {
  const read = (file_path: string, result: string): ReturnType<typeof callOf> =>
    tool("Read", { file_path }, result, result.includes("error"));
  const { stopped } = trailOf(
    read("/p/a.ts", "<tool_use_error>File does not exist.</tool_use_error>"),
    read("/p/b.ts", "<tool_use_error>Sibling tool call errored</tool_use_error>"),
    read("/p/c.ts", "<tool_use_error>InputValidationError: no file_path</tool_use_error>"),
    read("/p/d.ts", "1 const d = 4;"),
  );
  assertEquals(texts(stopped), ["Read /p/a.ts → no such path", "Read /p/d.ts"]);
});

Deno.test("TrailCollector shows refused calls with the user's text, and corrections", () => {
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. " +
    "To tell you how to proceed, the user said:\ndon't commit yet";
  const call = bash("git commit -am x", refusal, true);
  const collector = new TrailCollector();
  collector.prompt("Add a login page.", { uuid: "1", line: 1 });
  collector.prompt("no, use the session store instead", { uuid: "2", line: 2 });
  collector.call(call);
  // The user's text is on the line of the result, not of the call.
  collector.prompt("don't commit yet", { uuid: "4", line: 9 });
  // The client reports Esc during a call in the same way as a "No" without text.
  const stop = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  collector.call(bash("deno task dev", stop, true));
  assertEquals(texts(collector.finish().refused), [
    "stopped Bash deno task dev",
    'refused Bash git commit -am x: "don\'t commit yet"',
    '"no, use the session store instead"',
  ]);
  collector.prompt("Can we make it a unit test?", { uuid: "3", line: 3 });
  assertEquals(
    texts(collector.finish().refused)[0],
    'stopped Bash deno task dev; the user then: "Can we make it a unit test?"',
  );
  for (const plain of ["Update the docs and make sure they build", "why not use X instead of Y?"]) {
    assertEquals(trailOf(["user", plain]).refused, []);
  }
});

Deno.test("TrailCollector shows the declaration or code of an edit, but no reformatting", () => {
  const [before, after] = ["Use:    name,\nShort: text,", "Use: name,\nHidden: true,"];
  assertEquals(editLine(before, after), "Hidden: true,");
  assertEquals(
    editLine("const unused = 1;\nUse:  name,", "Use: name,"),
    "removed const unused = 1;",
  );
  const added = "// Adds two\nx := 1\nfunc add(a int) int {";
  assertEquals(editLine("", added), "func add(a int) int {");
  assertEquals(editLine("", "// Adds two\nx := add(1)"), "x := add(1)");
  assertEquals(editLine("", "# Plan\ntype it in", "/p/plan.md"), "# Plan");
});

Deno.test("TrailCollector does not count a part of a line as passed if its outcome is unknown", () => {
  const ends = (line: string, output = "", isError = false): string[] =>
    commandsOf(bash(line, output, isError));
  const stack = "load.rb:3: did not find expected key (SyntaxError)";
  assertEquals(ends("validate a.yml && deploy x", stack, true), [
    `\`deploy x\` failed: ${stack}`,
    "`validate a.yml` ran",
  ]);
  assertEquals(ends("deploy x || echo no"), ["`deploy x` ran"]);
  assertEquals(ends("git check-ref-format --branch 'a b' || echo no"), []);
  const made = "Exit code 1\nSwitched to a new branch 'x'";
  assertEquals(ends("git checkout -b x && ls data", made, true), ["`git checkout -b x` ran"]);
  assertEquals(ends("git checkout -b x && ls data", "fatal: no", true), [
    "`git checkout -b x` failed: fatal: no",
  ]);
  assertEquals(ends("diff a b | head"), []);
  assertEquals(ends("npm test | grep -A 3 login"), ["`npm test` ran, outcome not shown"]);
  assertEquals(ends("npm test | grep -A 3 login", "ok login"), ["`npm test` ok"]);
});

Deno.test("TrailCollector reports a run without tests, and the run with most failures", () => {
  const empty = "testing: warning: no tests to run\nPASS\nok  \tex.org/a\t0.2s [no tests to run]";
  const { stopped, commands } = trailOf(bash("go test -run X ./a", empty));
  assertEquals(texts(commands), ["`go test -run X ./a` ran no test"]);
  assertEquals(texts(stopped), ["Bash go test -run X ./a → ran no test"]);
  const some = `${empty}\nok  \tex.org/b\t0.3s`;
  assertEquals(commandsOf(bash("go test ./...", some)), ["`go test ./...` ok"]);
  const whole = bash("npm test", "✗ login rejects\n✗ logout waits", true);
  const part = bash("npm test | grep logout", "✗ logout waits");
  const both = "`npm test` 2 times failed: ✗ login rejects | ✗ logout waits";
  assertEquals(commandsOf(whole, part), [both]);
  const verbose = bash("npm test -- -v | grep logout", "✗ logout waits");
  const fuller = "`npm test` failed: ✗ login rejects | ✗ logout waits";
  assertEquals(commandsOf(whole, verbose), [fuller], "the run that printed the error");
  const [later = ""] = commandsOf(whole, EDIT, part);
  assert(!later.includes("login rejects"), later);
});

Deno.test("TrailCollector shows errors in unedited files first, and names the files of the others", () => {
  const errors = [
    "a.go:1:2: undefined: x",
    "b.go:3:4: undefined: y",
    "main.go:1:2: could not import a",
  ];
  const more = Array.from({ length: 6 }, (_, n) => `c${n}.go:5:6: undefined: z`);
  const failed = bash(
    "go build ./...",
    [errors[2], errors[0], errors[1], ...more].join("\n"),
    true,
  );
  const edit = tool("Edit", { file_path: "/p/a.go", new_string: "b" });
  const [line = ""] = commandsOf(failed, edit);
  const expected = `failed: ${
    [errors[1], ...more.slice(0, 3)].join(" | ")
  }; also in c3.go, c4.go, c5.go`;
  assertStringIncludes(line, expected);
});

Deno.test("TrailCollector shows the old name of a replacement, and hits without context lines", () => {
  const all = {
    file_path: "a.ts",
    old_string: "oldName",
    new_string: "newName",
    replace_all: true,
  };
  const hits = "9-}\n10-\n11:const found = 1;\n12-}";
  const { stopped } = trailOf(
    tool("Edit", all),
    tool("Edit", { ...all, old_string: "one\ntwo" }),
    tool("Grep", { pattern: "found" }, hits),
  );
  assertEquals(texts(stopped), [
    "Edit a.ts: all oldName => newName",
    "Edit a.ts: newName",
    "Grep found → 1 line: 11:const found = 1;",
  ]);
});

Deno.test("TrailCollector shows what an edit without a result would change", () => {
  const collector = new TrailCollector();
  for (const path of ["/p/a.ts", "/p/b.ts"]) {
    collector.call(tool("Read", { file_path: path }, "text"));
  }
  collector.unfinished({
    name: "Edit",
    input: { file_path: "/p/a.ts", old_string: "let a;", new_string: "let a;\nlet prompt = 1;" },
    isSidechain: false,
    from: { uuid: null, line: 1 },
  });
  const expected = "Edit /p/a.ts: let prompt = 1; → no result yet";
  const { stopped, read } = collector.finish();
  assertEquals(stopped.at(-1)?.text, expected);
  assertEquals(read, ["/p/b.ts"]);
});

Deno.test("TrailCollector shows the newest lines of a log, and hits outside of tests first", () => {
  const log = "f3 Third\ne2 Second\nd1 First";
  assertEquals(stoppedOf(bash("git log --oneline -3", log)), [
    "Bash git log --oneline -3 → f3 Third | e2 Second",
  ]);
  const old = "git log --reverse --oneline";
  assertEquals(stoppedOf(bash(old, log)), [`Bash ${old} → e2 Second | d1 First`]);
  const hits = ["a_test.go:1:run()", "tests/b.go:2:run()", "src/c.go:3:run()", "d.go:4:run()"];
  assertEquals(
    stoppedOf(tool("Grep", { pattern: "run" }, hits.join("\n"))),
    ["Grep run → 4 lines: src/c.go:3:run(), d.go:4:run(), a_test.go:1:run()"],
  );
});

Deno.test("TrailCollector shows a failing test's expectation before its position", () => {
  const output =
    "--- FAIL: TestCopy (0.1s)\n    copy_test.go:7: Phase 1\n    hooks.go:9: started\n" +
    "    copy_test.go:8: the copy should NOT contain it";
  const [step] = stoppedOf(bash("go test ./...", output, true));
  assertEquals(
    step,
    "Bash go test ./... → failed: --- FAIL: TestCopy (0.1s) | " +
      "copy_test.go:8: the copy should NOT contain it | copy_test.go:7: Phase 1",
  );
});

Deno.test("TrailCollector shows where a test failed before errors that other tests print", () => {
  const output = [
    "Error: context deadline exceeded",
    "ok  \texample.org/a\t0.2s",
    "--- FAIL: TestSave (0.01s)",
    "    save_test.go:17: failed to save: no such folder",
    "FAIL\texample.org/b\t0.1s",
  ].join("\n");
  assertStringIncludes(
    stoppedOf(bash("go test ./...", `Exit code 1\n${output}`, true))[0] ?? "",
    "failed: --- FAIL: TestSave (0.01s) | save_test.go:17: failed to save: no such folder | Error",
  );
});

Deno.test("TrailCollector names each file with errors before a file's second error", () => {
  const errors = ["a.go:1:2: undefined: x", "a.go:3:4: undefined: y", "b.go:5:6: undefined: z"];
  assertStringIncludes(
    stoppedOf(bash("go build ./...", `Exit code 1\n${errors.join("\n")}`, true))[0] ?? "",
    "failed: a.go:1:2: undefined: x | b.go:5:6: undefined: z | a.go:3:4: undefined: y",
  );
});

Deno.test("TrailCollector shows the results of a long report of an agent", () => {
  const long = `# Review\n\nI read the code. ${"It has many files. ".repeat(80)}\n\n`;
  const report =
    `${long}## Recommendations\n\n1. Close the file.\n2. Test it.\n\n## Files\n\n- a.ts`;
  assertEquals(stoppedOf(tool("Task", { description: "Review" }, report)), [
    "Task Review → Recommendations: Close the file. Test it.",
  ]);
});

Deno.test("TrailCollector settles a failed build when the tests compile", () => {
  const build = bash("go build ./e2e/...", "Exit code 1\na.go:1:2: undefined: x", true);
  const compiled = bash("go test -c ./e2e/... -o /dev/null");
  assertStringIncludes(
    commandsOf(build, compiled).join("\n"),
    "undefined: x; since then `go test -c ./e2e/... -o /dev/null` passed",
  );
});

Deno.test("TrailCollector shows no outcome of a search with a stray quote", () => {
  const none = "No matches found";
  assertEquals(stoppedOf(tool("Grep", { pattern: 'save"' }, none)), ['Grep save"']);
  assertEquals(stoppedOf(tool("Grep", { pattern: "save" }, none)), [`Grep save → ${none}`]);
});

Deno.test("TrailCollector lists the plans that it read only if it wrote none", () => {
  const read = tool("Read", { file_path: "/p/docs/plans/old.md" });
  const written = tool("Write", { file_path: "/p/docs/plans/new.md", content: "# Plan" });
  assertEquals(trailOf(read).plans, ["/p/docs/plans/old.md"]);
  assertEquals(trailOf(read, written).plans, ["/p/docs/plans/new.md"]);
});

Deno.test("TrailCollector names all failed tests, and counts passed tests by the summary", () => {
  const stepOf = (command: string, output: string, isError = false): string | undefined =>
    stoppedOf(bash(command, output, isError))[0]?.split(" → ")[1];
  const failed = "--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/one (0.1s)\nlog error: x\n" +
    "--- FAIL: TestB (0.2s)\nFAIL";
  assertEquals(
    stepOf("go test ./...", failed, true),
    "failed: --- FAIL: TestA/one, TestB | log error: x",
  );
  const progressMeter = "  % Total    % Received % Xferd  Average Speed\n" +
    "100  120k  100  120k    0     0  3120k      0 --:--:-- --:--:-- 3100k\n";
  assertEquals(
    stepOf("curl -LO x && cp x/* .", `${progressMeter}zsh: no matches found: x/*`, true),
    "failed: zsh: no matches found: x/*",
  );
  const pushed = "summary: pushed=55008 blocked=0\nsource-head\n(exit 0)";
  assertEquals(stepOf("git-sync replicate", pushed), "summary: pushed=55008 blocked=0");
});

Deno.test("TrailCollector shows the headings of a written page", () => {
  const stoppedOf = (file: string, content: string): string | undefined =>
    trailOf(tool("Write", { file_path: file, content })).stopped.at(-1)?.text;
  const plan = "# Plan of the cache\n\nWords.\n\n### Task 1: Read it\n\n### Task 2: Write it\n";
  assertEquals(
    stoppedOf("/p/plan.md", plan),
    "Write /p/plan.md: Plan of the cache; Task 1: Read it; Task 2: Write it",
  );
  assertEquals(stoppedOf("/p/notes.md", "# Notes\n\nWords.\n"), "Write /p/notes.md: # Notes");
  assertEquals(stoppedOf("/p/a.sh", "# one\n# two\necho 1\n"), "Write /p/a.sh: echo 1");
});

Deno.test("TrailCollector shows calls to an MCP server with their answers", () => {
  const { stopped } = trailOf(
    tool("mcp__linear__get_issue", { id: "ENT-98" }, '{"title":"Move help"}'),
    tool("mcp__linear__update", { id: "ENT-98" }),
  );
  assertEquals(texts(stopped), [
    'mcp__linear__get_issue ENT-98 → {"title":"Move help"}',
    "mcp__linear__update ENT-98",
  ]);
});

Deno.test("TrailCollector does not report an error of a filter or shell as a check's, or a build as a passed check", () => {
  const linesOf = (...calls: FinishedCall[]): string[] => commandsOf(...calls);
  const errors = "# example.com/p\np/resume.go:160:3: cannot use id as string";
  assertEquals(linesOf(bash("go build ./... 2>&1 | head -50", errors)), [
    "`go build ./...` failed: p/resume.go:160:3: cannot use id as string",
  ]);
  const warning = "p/a.c:1:2: warning: unused";
  assertEquals(linesOf(bash("make build 2>&1 | tail", warning)), ["`make build` ok"]);
  for (
    const slip of [
      "grep: unrecognized option `--- FAIL'",
      "(eval):1: permission denied:",
      "bash: -c: line 1: syntax error near unexpected token",
    ]
  ) assertEquals(linesOf(bash("go test ./... | grep -x", slip, true)), []);
  assertEquals(linesOf(bash("gh pr checks 142", "bugbot\tpending", true)), []);
  const missing = "(eval):1: command not found: staticcheck";
  const probes = [
    bash("staticcheck ./p | grep SA5011"),
    bash("staticcheck --version; ls", missing),
  ];
  assertEquals(linesOf(...probes), []);
});

Deno.test("TrailCollector adds the assistant's reply to the words of a refusal", () => {
  const from = { uuid: null, line: 1 };
  const repliedAfter = (
    ...steps: (readonly ["said" | "prompt", string] | readonly ["edit"])[]
  ): string => {
    const collector = new TrailCollector();
    collector.call(bash("git checkout -b x", `${REFUSAL}check the parent`, true));
    for (const [kind, text = ""] of steps) {
      if (kind === "edit") {
        collector.call(tool("Edit", { file_path: "/p/a.ts" }));
      } else collector[kind](text, from);
    }
    return collector.finish().refused[0]?.text.split("the assistant then: ")[1] ?? "";
  };
  const [ask, reply] = [["prompt", "check the parent"], [
    "said",
    "The parent is main, as it should be.",
  ]] as const;
  assertEquals(repliedAfter(ask, reply), '"The parent is main, as it should be."');
  const soon = ["said", "Good idea. Let me look at the log:"] as const;
  assertEquals(
    repliedAfter(soon, reply, ["said", "All of the tests pass."]),
    '"The parent is main, as it should be."',
  );
  assertEquals(repliedAfter(ask, ["edit"], reply), "", "it may be about the edit");
  assertEquals(repliedAfter(["prompt", "Now add a test for it"], reply), "");
});

Deno.test("TrailCollector notes when a refused command was run with other options", () => {
  const { refused } = trailOf(
    bash("git -C /p read-tree HEAD", `${REFUSAL}from here?`, true),
    bash("git read-tree HEAD"),
  );
  assertEquals(texts(refused), [
    'refused Bash git -C /p read-tree HEAD: "from here?", and a later one went through',
  ]);
});

Deno.test("TrailCollector links items that an MCP server created", () => {
  const result = '{"identifier":"ENT-241","url":"https://linear.app/x/issue/ENT-241"}';
  const linksOf = (name: string): readonly string[] => trailOf(tool(name, {}, result)).links;
  assertEquals(linksOf("mcp__linear__create_issue"), ["https://linear.app/x/issue/ENT-241"]);
  assertEquals(linksOf("mcp__linear__get_issue"), []);
});

Deno.test("TrailCollector lists no name that a search did not find", () => {
  const grep = (pattern: string, result: string): FinishedCall => tool("Grep", { pattern }, result);
  const { names } = trailOf(
    grep("WriteSettings", "No files found"),
    grep("readSettings", "a.ts:1: readSettings()"),
  );
  assertEquals(names, ["readSettings"]);
});

Deno.test("TrailCollector notes when a refused edit was made in another way", () => {
  const edit = (file_path: string, result = "", isError = false): FinishedCall =>
    tool("Edit", { file_path, new_string: "const name = 1;" }, result, isError);
  const { refused } = trailOf(
    edit("/p/a.ts", `${REFUSAL}keep the old name`, true),
    edit("/p/b.ts", `${REFUSAL}not now`, true),
    edit("/p/a.ts"),
    edit("/p/a.ts"),
  );
  const [refusedB, refusedA] = texts(refused);
  const expectedItem = 'refused Edit /p/a.ts (const name = 1;): "keep the old name"';
  assertEquals(refusedA, `${expectedItem}, and the same edit went through later`);
  // An edit may differ in lines that are not shown.
  for (const text of ["const title = 1;", "const name = 1;\nconst b = 2;"]) {
    const other = tool("Edit", { file_path: "/p/a.ts", new_string: text });
    assertEquals(
      refusedOf(edit("/p/a.ts", `${REFUSAL}keep the old name`, true), other),
      [`${expectedItem}, and another edit of the file went through later`],
    );
  }
  const fetch = (name: string, result = "", isError = false): FinishedCall =>
    tool(name, { url: "https://a.example" }, result, isError);
  for (
    const [name, end] of [["WebFetch", ""], ["mcp__web__get", ", and a later one went through"]]
  ) {
    const both = [fetch(name ?? "", `${REFUSAL}not that page`, true), fetch(name ?? "")];
    const [line] = refusedOf(...both);
    assertEquals(line?.slice(line.indexOf('"not that page"')), `"not that page"${end}`);
  }
  const add = "git add src/transcript/types.go src/transcript/parse.go && git commit -m";
  const again = trailOf(
    bash(`${add} 'First'`, `${REFUSAL}show me first`, true),
    bash(`${add} 'Second'`),
  );
  assert(texts(again.refused)[0]?.endsWith('"show me first", and a later one went through'));
  assertEquals(refusedB, 'refused Edit /p/b.ts (const name = 1;): "not now"');
});

Deno.test("TrailCollector reports the branch, pull requests, plans and files that were only read", () => {
  const collector = new TrailCollector();
  const read = (file_path: string): void => collector.call(tool("Read", { file_path }));
  const files = ["/p/a.ts", "/p/b.ts", "/p/a.ts", "/p/old.ts", "/p/plans/old.md"];
  for (const file of [...files, "/p/plans/login.md"]) read(file);
  collector.call(bash("rm old.ts && git rm -q plans/old.md", ""));
  collector.call(tool("Write", { file_path: "/p/b.ts", content: "b" }));
  collector.call(bash("git push -u origin x", "remote: https://github.com/o/r/pull/7\n"));
  collector.call(bash("cat README.md", "https://github.com/o/r/pull/8"));
  collector.branch("main");
  collector.branch("feature/login");
  collector.call(
    callOf({ name: "Read", input: { file_path: "/p/by_an_agent.ts" }, isSidechain: true }),
  );
  const { branch, links, plans, read: onlyRead } = collector.finish();
  assertEquals({ branch, links, plans, onlyRead }, {
    branch: "feature/login",
    links: ["https://github.com/o/r/pull/7"],
    plans: ["/p/plans/login.md"],
    onlyRead: ["/p/plans/login.md", "/p/a.ts"],
  });
});

Deno.test("TrailCollector reports the branch that git named last in this folder", () => {
  const branchAfter = (command: string, result: string): string => {
    const collector = new TrailCollector();
    collector.branch("main");
    collector.call(bash(command, result));
    return collector.finish().branch;
  };
  assertEquals(branchAfter("git commit -m x", "[stream 1a2b3c4] x\n 1 file changed"), "stream");
  assertEquals(branchAfter("git status", "On branch stream\nnothing to commit"), "stream");
  assertEquals(branchAfter("git switch -c stream", "Switched to a new branch 'stream'"), "stream");
  assertEquals(branchAfter("cd ../other && git status", "On branch other"), "main");
  assertEquals(branchAfter("git -C /other status", "On branch other"), "main");
  assertEquals(branchAfter("git checkout v1", "HEAD is now at 1a2b3c4"), "main");
});

Deno.test("TrailCollector shows a test's message without surrounding log lines", () => {
  const output =
    "--- FAIL: TestResume (3.7s)\n    hooks.go:196: Hook stop output: Copied it to x\n" +
    "    hooks.go:201: Hook start output: Captured\n" +
    "    resume_test.go:387: resume failed: exit status 1\n" +
    "        Output: the tree has changes that are not committed\nFAIL";
  const [step] = stoppedOf(bash("go test ./...", output, true));
  assertEquals(
    step,
    "Bash go test ./... → failed: --- FAIL: TestResume (3.7s) | resume_test.go:387: resume failed: " +
      "exit status 1 Output: the tree has changes that are not committed",
  );
});

Deno.test("TrailCollector removes credentials everywhere", () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const text = JSON.stringify(trailOf(
    ["user", `no, use ${token}`],
    ["assistant", `${"word ".repeat(400)}${token} ${"word ".repeat(400)}${token}`],
    bash(`npm test ${token}`, `Error: ${token} is wrong`, true),
    tool("Edit", { file_path: `/p/${token}`, new_string: `const key = "${token}"` }),
    tool("Read", { file_path: `/p/plans/${token}` }),
    callOf({
      input: { command: `curl ${token}` },
      isError: true,
      result: `The user doesn't want to proceed. the user said:\nnot ${token}`,
    }),
  ));
  assert(!text.includes(token));
  assert(text.includes("[redacted: "));
});

Deno.test("excerptEnds() marks a sentence that it leaves out between two lists", () => {
  const items = (word: string): string =>
    Array.from({ length: 3 }, (_, at) => `- ${word} ${at} ${"x".repeat(60)}`).join("\n");
  const between = `But the decision is not made by these. ${"It is another. ".repeat(9)}`;
  const text = `The command shows:\n${items("shown")}\n\n${between}\n\n${items("used")}`;
  const short = excerptEnds(text, 470);
  assert(!short.includes("But the decision"), short);
  assertStringIncludes(short, "\n[…]\n- used 0");
});

Deno.test("excerptEnds() keeps the head of each item of a list that is too long", () => {
  const item = (n: number): string =>
    `${n}. Change file${n}.ts so that ${"it does more ".repeat(20)}`;
  const list = `Do this:\n${[1, 2, 3, 4].map(item).join("\n\n")}\nThen stop.`;
  const cut = excerptEnds(list, 500);
  assert(cut.length <= 500, `${cut.length}`);
  assert(
    cut.startsWith("Do this:\n1. Change file1.ts so that") && cut.endsWith("…\nThen stop."),
    cut,
  );
  for (const n of [2, 3, 4]) assert(cut.includes(`\n${n}. Change file${n}.ts so that it`), cut);
  assert(excerptEnds(list, 150).includes(LEFT_OUT));
  const { stopped } = trailOf(["assistant", list.repeat(2)]);
  const shownText = texts(stopped).join();
  assert(
    shownText.includes(" 3. Change file3.ts so that it") && !shownText.includes(LEFT_OUT),
    shownText,
  );
});

Deno.test("excerptEnds() keeps the line before a list, an answer and the last question", () => {
  const items = (name: string): string =>
    [1, 2, 3, 4].map((n) => `- ${name}${n}.ts ${"with more words ".repeat(20)}`).join("\n");
  const words = "It goes on with many words. ".repeat(20);
  const text =
    `The files\n\n${words}\n\n## Do the tests pass?\n\n${words}\n\n**No** - the code is ` +
    `not written.\n\n${items("kept")}\n\n**Not filtered:**\n${items("plain")}\n\n${words}\n\n` +
    "Shall I go on?";
  const cut = excerptEnds(text, 1_100);
  for (const line of ["**No** - the code is not written.", "**Not filtered:**", "Shall I go on?"]) {
    assertStringIncludes(cut, line);
  }
  assert(cut.length <= 1_100, `${cut.length}`);
});

Deno.test("excerptEnds() keeps the line that introduces the items after a gap", () => {
  const items = (name: string): string[] =>
    Array.from({ length: 14 }, (_, n) => `- ${name} ${n} ${"and more ".repeat(24)}`);
  const text = ["The tests check:", ...items("branch"), "But these are missing:", ...items("hash")]
    .join("\n");
  const short = excerptEnds(text, 700);
  assertStringIncludes(short, "The tests check:");
  assertStringIncludes(short, "[…] But these are missing:\n- hash");
});

Deno.test("excerptEnds() keeps a list of next steps whole", () => {
  const words = "It goes on with many words. ".repeat(60);
  const steps =
    "## Next steps\n1. Write the schema\n2. Add the fixtures\n   - for Java\n3. Ship it";
  const cut = excerptEnds(`The work\n\n${words}\n\n${steps}\n\n${words}`, 600);
  assertStringIncludes(cut, steps);
  assert(cut.length <= 600 && cut.startsWith("The work"), cut);
  const long = `## Next steps\n${"1. Write some more of the schema\n".repeat(40)}`;
  assert(excerptEnds(`The work\n\n${long}`, 600).length <= 600);
});

Deno.test("excerptEnds() cuts after a sentence if little is lost, but not after a number", () => {
  const text = `${"A long sentence of it. ".repeat(6)}Then another that ${"goes on ".repeat(60)}.`;
  assertStringIncludes(excerptEnds(text, 220), `A long sentence of it.${LEFT_OUT}`);
  const list = `${"words ".repeat(18)}as in 1. the other ${"words ".repeat(60)}`;
  assert(!excerptEnds(list, 200).includes(`1.${LEFT_OUT}`));
});

Deno.test("excerptEnds() keeps the headings of a plan that is too long, and drops its code", () => {
  const step = (n: number): string =>
    `## Step ${n}: change file${n}.ts\n\n${"Some words of why. ".repeat(30)}\n\n` +
    "```ts\nconst code = 1;\n```";
  const cut = excerptEnds(`The plan\n\n${[1, 2, 3, 4, 5].map(step).join("\n")}`, 300);
  assertEquals(cut.split("\n"), [
    "The plan",
    ...[1, 2, 3, 4, 5].map((n) => `## Step ${n}: change file${n}.ts`),
  ]);
});

Deno.test("excerptEnds() keeps a failing test's expectation whole, and shortens other lines", () => {
  const expected =
    "login_test.go:808: the second commit should not have a trailer that names the first";
  const noise = [1, 2, 3, 4].map((at) =>
    `- file${at}.go is a file with many words ${"x ".repeat(60)}`
  );
  const cut = excerptEnds(["--- FAIL: TestLogin", ...noise, expected].join("\n"), 440);
  assertStringIncludes(cut, expected);
  assert(!cut.includes("x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x"), cut);
});

Deno.test("TrailCollector keeps a short command after a colon, which is part of the sentence", () => {
  const said = (block: string): string | undefined =>
    stoppedOf(["assistant", `You can look at the trace now:\n\n${block}\n\n${WORDS}`])[0];
  assertEquals(
    said("```bash\nTRACE=t.out ./app help\ngo tool trace t.out\n```"),
    `Assistant: You can look at the trace now: \`TRACE=t.out ./app help\` \`go tool trace t.out\` ${WORDS}`,
  );
  const bare = `Assistant: You can look at the trace now: ${WORDS}`;
  assertEquals(said("```ts\nconst a = 1;\n```"), bare);
  assertEquals(said("```\none\ntwo\nthree\n```"), bare);
});

Deno.test("withoutCode() leaves out blocks of code, if enough words are left", () => {
  const words = "It draws a line beside each step. ".repeat(6);
  const block = "```text\n| a |\n~~~\n```\n";
  assertEquals(withoutCode(`${words}\n${block}after`), `${words}\nafter`);
  assertEquals(withoutCode(`${words}\n~~~\nopen`), `${words}\n`);
  assertEquals(withoutCode(`Like this:\n${block}`), `Like this:\n${block}`);
  const asked = `${words}\n${block}Shall I?`;
  assertEquals(withoutCode(asked), `${words}\n| a |\nShall I?`, "the question is about the table");
  assertEquals(
    withoutCode(asked.replace("| a |", "x".repeat(301))),
    `${words}\nShall I?`,
  );
});

Deno.test("excerptEnds() keeps head and tail, cut between words", () => {
  const words = Array.from({ length: 100 }, (_, n) => `w${n}`).join(" ");
  const cut = excerptEnds(words, 60);
  assert(cut.length <= 60);
  assert(/^w0 w1 [w\d ]*w\d+ \[…\] w\d+ [w\d ]*w99$/.test(cut), cut);
  assertEquals(excerptEnds("short", 60), "short");
  const negated = `Here is the review of all parts of it. ${
    "No action is needed for any. ".repeat(3)
  }All of it is done.`;
  assertEquals(
    excerptEnds(negated, 80),
    "Here is the review of all parts of it. No action […] All of it is done.",
  );
  const huge = excerptEnds(`START ${"x ".repeat(500_000)}END`, 100);
  assert(huge.startsWith("START x") && huge.endsWith("x END") && huge.includes(LEFT_OUT));
  assert(excerptEnds("\u{1f600}".repeat(200), 51).isWellFormed());
});

Deno.test("simpleCommands() splits a line, leaving out read-only commands and quoted text", () => {
  const heads = (command: string): string[] => simpleCommands(command).map(({ head }) => head);
  assertEquals(heads("cd x && A=1 npm run test:ci -- -v 2>&1 | tail -5; git push origin main"), [
    "npm run test:ci",
    "git push",
  ]);
  assertEquals(heads("gh api graphql -f query='mutation {\n a { b }\n}' && echo done"), [
    "gh api graphql",
  ]);
  assertEquals(heads("cat > a.sh <<'EOF'\nnpm test\nEOF\ndeno test"), ["deno test"]);
  assertEquals(heads("ls; git status; rg x"), []);
});

Deno.test("TrailCollector shows the user's own commands as typed", () => {
  const collector = new TrailCollector();
  collector.shell("git status", { uuid: null, line: 1 });
  assertEquals(texts(collector.finish().stopped), ["User: ! git status"]);
});

Deno.test("Trail lists names from calls and from text, often used names first", () => {
  const { names } = trailOf(
    ["user", "Make readSettings faster"],
    tool("Edit", { file_path: "/p/a.ts", new_string: "cachedSettings(readSettings)" }),
    callOf({ name: "Grep", input: { pattern: "loadDefaults" }, isSidechain: true }),
  );
  assertEquals(names[0], "readSettings");
  assert(names.includes("cachedSettings"), names.join());
  assert(!names.includes("loadDefaults"), names.join());
});

Deno.test("TrailCollector shows what an edit adds, and the tests that ran", () => {
  const { stopped, commands } = trailOf(
    tool("Edit", {
      file_path: "/p/a.ts",
      old_string: "// Labels for counts\nold line here",
      new_string: "// Labels for counts\nconst lanes = new Map();",
    }),
    bash(
      "go test ./...",
      "--- PASS: TestRewind (0.1s)\nok  \tx/cli\t0.2s\nok  \tx/util\t0.1s [no tests to run]\n" +
        "?   \tx/doc\t[no test files]",
    ),
    bash("yq . a.yml || echo skipped", "yq not found"),
    bash("npm test || true", "skipping the slow ones\n3 passed"),
  );
  assertEquals(texts(stopped), [
    "Edit /p/a.ts: const lanes = new Map();",
    "Bash go test ./... → --- PASS: TestRewind (0.1s) | ok x/cli 0.2s",
    "Bash yq . a.yml || echo skipped → yq not found",
    "Bash npm test || true → 3 passed",
  ]);
  assertEquals(texts(commands), ["`npm test` ok", "`go test ./...` ok"]);
});

Deno.test("TrailCollector shows every changed file of a status, and the lines that `head` selects", () => {
  const { stopped } = trailOf(
    bash("git status --short", " M a.go\n M b.go\n?? c.go\n?? d.go"),
    bash("cd web && git -C app diff --name-only main", "a.ts\nb.ts\nc.ts"),
    bash("sort -rn times | head -20", "13.6s slow\n6.9s other\n0.1s fast"),
    bash("npm test | head -20", "> test\n> run\n12 passed"),
  );
  assertEquals(texts(stopped), [
    "Bash git status --short → M a.go | M b.go | ?? c.go | ?? d.go",
    "Bash cd web && git -C app diff --name-only main → a.ts | b.ts | c.ts",
    "Bash sort -rn times | head -20 → 13.6s slow | 6.9s other",
    "Bash npm test | head -20 → 12 passed",
  ]);
});

Deno.test("TrailCollector names the checks of a plan that did not run", () => {
  const plan = [
    "# Plan: A login",
    "## Changes",
    "Run `deno task build` for the page",
    "## Verification",
    "1. `deno task lint` and `deno task test`",
    "2. **Manual test:** start it twice",
    "```sh",
    "npm run e2e",
    "ls out",
    "```",
  ].join("\n");
  const approved = tool("ExitPlanMode", { plan });
  const unrun = "is in the plan; no run was seen";
  const open = (...steps: Step[]): string[] =>
    commandsOf(...steps).filter((text) => text.endsWith(unrun));
  assertEquals(open(approved), [], "the plan was not started yet");
  assertEquals(open(approved, EDIT, bash("deno task lint", "ok"), bash("npm run e2e | tail -1")), [
    `\`deno task test\` ${unrun}`,
    `Manual test: start it twice ${unrun}`,
  ]);
  const refused = bash("deno task lint", `${REFUSAL}not now`, true);
  assertEquals(open(approved, EDIT, refused).length, 2, "a refused check is not open work");
  const stopped = bash("deno task lint", "[Request interrupted by user for tool use]", true);
  assertEquals(open(approved, EDIT, stopped).length, 3);
  assertEquals(open(["user", `Implement the following plan:\n\n${plan}`], EDIT).length, 3);
  assertEquals(open(EDIT, ["user", plan], EDIT), [], "the plan was not approved");
});

Deno.test("TrailCollector does not clear a failure when other tests run, or count --help as a run", () => {
  const { commands } = trailOf(
    bash("go test ./a -run TestOne", "--- FAIL: TestOne", true),
    bash('go test ./a -run "TestTwo" -v', "ok  \tex.org/a\t0.1s"),
    bash("golangci-lint run ./...", "unknown linter", true),
    bash("golangci-lint run --help"),
    bash("cd /other", "cd in '/other' was blocked. It may only change to child folders", true),
    bash("cd /b && npm run fmt", "cd to '/b' was blocked. For security, it may only", true),
    bash(
      "npm run lint",
      "Claude requested permissions to use Bash, but they were not granted",
      true,
    ),
  );
  assertEquals(texts(commands), [
    "`golangci-lint run ./...` failed: unknown linter",
    '`go test ./a -run "TestTwo" -v` ok',
    "`golangci-lint run --help` ok",
  ]);
});

Deno.test("TrailCollector names the function of an edit, and shows conditions before error checks", () => {
  const body = "func Save() error {\n\tif err != nil {\n\t\treturn err\n\t}\n\tstore.flush()";
  assertEquals(editLine("x", body), "func Save() error {");
  assertEquals(editLine("func Save() error {", body), "in Save: store.flush()");
  assertEquals(
    editLine("a()", "if err != nil {\n// NOTE: do not reuse the id here\nid := next()"),
    "// NOTE: do not reuse the id here",
  );
});

Deno.test("TrailCollector shows what look-ups found for a request without an answer", () => {
  const asked = ["user", "Where is parseHeader called?"] as const;
  const search = tool(
    "Grep",
    { pattern: "parseHeader" },
    ["a.ts:1: // header", "b_test.ts:2: parseHeader(x)", "c.ts:3: parseHeader(y)"].join("\n"),
  );
  const file = ["  1\timport x", "  7\tconst rows = parseHeader(text);", "  8\t}"].join("\n");
  const read = tool("Read", { file_path: "/p/c.ts" }, file);
  const cover = bash("go tool cover -func x", "c.go:3: parseHeader 66.7%\nother 3%\ntotal 40%");
  const found = [
    "User: Where is parseHeader called?",
    "Grep parseHeader → 3 lines: c.ts:3: parseHeader(y), b_test.ts:2: parseHeader(x), a.ts:1: // header",
    "Read /p/c.ts → 7: const rows = parseHeader(text);",
    "Bash go tool cover -func x → c.go:3: parseHeader 66.7% | other 3% | total 40%",
  ];
  assertEquals(stoppedOf(asked, search, read, cover), found);
  const [, , afterAnswer] = stoppedOf(asked, search, read, ["assistant", "It is called in c.ts."]);
  assertEquals(afterAnswer, "Read /p/c.ts", "the answer has it");
  const [, , beforeEdit] = stoppedOf(asked, search, read, EDIT, cover);
  assertEquals(beforeEdit, "Read /p/c.ts", "the edit may have changed it");
});

Deno.test("TrailCollector does not count checks of stashed work", () => {
  const stashed = bash("git stash && npm test", "3 failed", true);
  const test = bash("npm test", "1 passed");
  assertEquals(commandsOf(test, stashed), ["`npm test` ok", "`git stash` ok"]);
  const [push, pop] = [bash("git stash push -u"), bash("git stash pop")];
  assertEquals(commandsOf(push, test, pop), ["`git stash pop` ok"]);
  const [again] = commandsOf(push, test, pop, bash("npm test", "2 failed", true));
  assertEquals(again, "`npm test` failed: 2 failed");
  assertEquals(commandsOf(push, EDIT, test)[0], "`npm test` ok", "the work goes on without it");
  assertEquals(commandsOf(bash("git stash list"), test)[0], "`npm test` ok");
});

Deno.test("TrailCollector says that a build passed, although the tests after it found none to run", () => {
  const output = "ok  \tp/a\t0.1s [no tests to run]";
  assertEquals(commandsOf(bash("go build ./a && go test -run X ./a", output)), [
    "`go test -run X ./a` ran no test",
    "`go build ./a` ok",
  ]);
});

Deno.test("TrailCollector drops a refusal that asked something once the user has gone on", () => {
  const refuse = (words: string): FinishedCall =>
    tool("Edit", { file_path: "/p/a.ts", new_string: "b" }, `${REFUSAL}${words}`, true);
  const asked = refuse("before that - are we sure?");
  const [first, second] = [["user", "Look at the log"], ["user", "Good, now write it"]] as const;
  assertEquals(refusedOf(asked, first).length, 1);
  assertEquals(refusedOf(asked, first, second), []);
  assertEquals(refusedOf(asked, ["user", "before that - are we sure?"], first).length, 1);
  assertEquals(refusedOf(refuse("never touch a.ts"), first, second).length, 1);
});
