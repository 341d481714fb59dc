import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { hasCheck, isApiWrite } from "../../src/core/shell_commands.ts";
import { uncheckedIn } from "../../src/inject/step_words.ts";
import { TrailCollector } from "../../src/extract/trail/trail.ts";
import type { FinishedCall, Said, Trail } from "../../src/core/work_state.ts";

const FROM = { uuid: null, line: 1 };

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

function fail(command: string, result = ""): FinishedCall {
  return bash(command, result, true);
}

function edit(file_path: string, new_string = "const a = 1;"): FinishedCall {
  return tool("Edit", { file_path, new_string });
}

function grep(pattern: string, result = "", input = {}): FinishedCall {
  return tool("Grep", { pattern, ...input }, result);
}

type Step = FinishedCall | readonly ["user" | "assistant", string];

function trailOf(...steps: Step[]): Trail {
  const collector = new TrailCollector();
  for (const step of steps) {
    const from = { uuid: null, line: ++line };
    if ("name" in step) collector.call({ ...step, from });
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

/** If a user refuses a call with a message, the client puts this text before the message. */
const REFUSAL = "The user doesn't want to proceed with this tool use. To proceed, the user said:\n";

/** The client records the same text if the user presses Esc during a call or answers "No" without a message. */
const STOP = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

const SIBLING = "<tool_use_error>Sibling tool call errored</tool_use_error>";

const EDIT = edit("/p/a.ts", "b");

function editLine(old_string: string, new_string: string, file_path = "/p/a.go"): string {
  return stoppedOf(tool("Edit", { file_path, old_string, new_string }))
    .join().replace(/^Edit \S+ ?/, "");
}

Deno.test("TrailCollector shows the last steps of the work, one line per step, newest last", () => {
  const output = "> test\nExit code 1\n✗ login rejects\nexpected 1, got 2\nok 3";
  const steps = stoppedOf(
    ["user", "Fix\nthe login"],
    tool("Read", { file_path: "/p/a.ts" }),
    edit("/p/a.ts", "}\n  return token.isValid();\n"),
    fail("npm test 2>&1", output),
    ["assistant", "One test\nfails."],
    bash("ls", "a.ts\nb.ts"),
    tool("TodoWrite", { todos: [] }),
  );
  assertEquals(steps, [
    "User: Fix the login",
    "Read /p/a.ts",
    "Edit /p/a.ts: return token.isValid();",
    "Bash npm test 2>&1 → failed: ✗ login rejects | expected 1, got 2",
    "Assistant: One test fails.",
    "Bash ls → a.ts | b.ts",
  ]);
});

Deno.test("TrailCollector lists the files of a diff instead of its last lines", () => {
  const diff = (file: string): string =>
    `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+return b\n`;
  const shown = (command: string, result: string): string | undefined =>
    stoppedOf(bash(command, result))[0]?.split(" → ")[1];
  const two = diff("src/a.ts") + diff("src/b.ts");
  assertEquals(shown("git diff main...HEAD", two), "changes in src/a.ts, src/b.ts");
  assertEquals(shown("git show abc123", two), "changes in src/a.ts, src/b.ts");
  assertEquals(shown("gh pr diff 7 --repo o/r", two), "changes in src/a.ts, src/b.ts");
  assertEquals(shown("git diff main | head -200", two), "changes in src/a.ts, src/b.ts");
  assertEquals(
    shown("git diff --stat", " src/a.ts | 2 +-\n 1 file changed"),
    "src/a.ts | 2 +- | 1 file changed",
  );
  assertEquals(shown("git diff", ""), "no output");
});

Deno.test("TrailCollector forgets the files that an agent reports as committed", () => {
  const readAfter = (report: string): readonly string[] =>
    trailOf(
      tool("Read", { file_path: "/p/skills/search/SKILL.md" }),
      tool("Read", { file_path: "/p/skills/explain/SKILL.md" }),
      tool("Agent", { description: "Add the header" }, report),
    ).read;
  const [explain, search] = ["/p/skills/explain/SKILL.md", "/p/skills/search/SKILL.md"];
  assertEquals(readAfter("Done. Committed as 49a34f8: `skills/search/SKILL.md`"), [explain]);
  assertEquals(readAfter("I looked at `skills/search/SKILL.md`."), [explain, search]);
});

Deno.test("TrailCollector shows an API error as the last step until the work continues", () => {
  const collector = new TrailCollector();
  collector.said("Let me look.", FROM);
  collector.failed("API Error: 529 Overloaded", FROM);
  collector.failed("API Error: 401", FROM);
  const { stopped, answered } = collector.finish();
  assertEquals(texts(stopped), ["Assistant: Let me look.", "API error: API Error: 401"]);
  assertEquals(answered, false);
  collector.call(bash("npm test", "3 passed"));
  assertEquals(texts(collector.finish().stopped).at(-1), "Bash npm test → 3 passed");
});

Deno.test("TrailCollector shows a linter's advice instead of its run time", () => {
  const output =
    "[lint:gofmt] These .go files need to be formatted:\n[lint:gofmt] \n[lint:gofmt] a.go\n" +
    "[lint:gofmt] \n[lint:gofmt] To fix: mise run fmt\n[lint:gofmt] Finished in 217.8ms\nFinished in 3.35s";
  assertStringIncludes(
    stoppedOf(fail("mise run lint", output))[0] ?? "",
    "[lint:gofmt] a.go | [lint:gofmt] To fix: mise run fmt",
  );
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

Deno.test("TrailCollector keeps the last answer nearly whole, shortens the answer before it, and limits the total length", () => {
  const long = Array.from({ length: 400 }, (_, n) => `word${n}`).join(" ");
  const steps = stoppedOf(
    ...Array.from({ length: 500 }, (_, n) => bash(`make ${n} ${"x".repeat(90)}`)),
    ["assistant", long],
    ["assistant", long],
  );
  const [call = "", before = "", last = ""] = steps.slice(-3);
  assert(last.length > 2_350 && last.length <= 2_400 + "Assistant: ".length);
  assert(last.startsWith("Assistant: word0 ") && last.endsWith(" word399"));
  assert(before.length > 100 && before.length <= 420 + "Assistant: ".length);
  assert(steps.join("\n").length <= 5_000 + 1_300);
  assert(call.startsWith("Bash make 499 "));
});

const GO_LOG = "=== RUN TestHash\n  clean_test.go:427: Are they equal? false\n--- PASS: TestHash";
const FOUR_FILES = ["a.ts", "b.ts", "c.ts", "d.ts"];
const LOG = "f3 Third\ne2 Second\nd1 First";
const METER = "  % Total    % Received % Xferd  Average Speed\n" +
  "100  120k  100  120k    0     0  3120k      0 --:--:-- --:--:-- 3100k\n";
const NO_TESTS = "testing: warning: no tests to run\nPASS\nok  \tex.org/a\t0.2s [no tests to run]";

const OUTCOMES: readonly (readonly [command: string, output: string, outcome: string])[] = [
  // A passed test is shown instead of its log output.
  ["go test -v ./...", `${GO_LOG}\nPASS\nok  \tex.org/a\t0.5s`, "PASS | ok ex.org/a 0.5s"],
  [
    "go test ./...",
    "--- PASS: TestRewind (0.1s)\nok  \tx/cli\t0.2s\nok  \tx/util\t0.1s [no tests to run]\n" +
    "?   \tx/doc\t[no test files]",
    "--- PASS: TestRewind (0.1s) | ok x/cli 0.2s",
  ],
  ["go test -run X ./a", NO_TESTS, "ran no test"],
  ["npm test || true", "skipping the slow ones\n3 passed", "3 passed"],
  // A filter hid the exit code.
  ["go test ./... 2>&1 | tail -9", "PASS\nok  \tex.org/a\t3.0s\nFAIL", "failed"],
  [
    "mise run fmt:check | tail -9",
    "These .go files need to be formatted:\na.go",
    "failed: These .go files need to be formatted: | a.go",
  ],
  [
    "mise run lint 2>&1 | tail -9",
    "* typecheck: 1\n[lint] ERROR task failed",
    "failed: * typecheck: 1",
  ],
  [
    "golangci-lint run | tail -3",
    "a.go:3: unused\n2 issues:\n* unused: 2",
    "failed: a.go:3: unused",
  ],
  [
    "gh api x | head -2",
    "failed to parse jq expression\n .[] | select(.a",
    "failed to parse jq expression",
  ],
  [
    "npm test | grep FAIL | sort",
    "Shell cwd was reset to /p",
    "outcome not shown: nothing matched the filter",
  ],
  // The first two lines are shown if a command lists the newest first or ends in `head`, unless it is a
  // check.
  ["git log --oneline -3", LOG, "f3 Third | e2 Second"],
  ["git log --oneline -3 && echo --- && ls", `${LOG}\n---\nsrc`, "f3 Third | src"],
  ["git log --reverse --oneline", LOG, "e2 Second | d1 First"],
  ["sort -rn times | head -20", "13.6s slow\n6.9s other\n0.1s fast", "13.6s slow | 6.9s other"],
  ["npm test | head -20", "> test\n> run\n12 passed", "12 passed"],
  // Every changed file is shown.
  [
    "git status --short",
    " M a.go\n M b.go\n?? c.go\n?? d.go",
    "M a.go | M b.go | ?? c.go | ?? d.go",
  ],
  ["cd web && git -C app diff --name-only main", "a.ts\nb.ts\nc.ts", "a.ts | b.ts | c.ts"],
  ["git diff --name-only", FOUR_FILES.join("\n"), FOUR_FILES.join(" | ")],
  // An empty output is shown only for a query.
  ["git log | grep -n x 2>/dev/null", "", "no output"],
  ["mkdir -p a && cp b a", "", "ok"],
  // An `echo` after `||` or `&&` states the outcome.
  ['ls docs 2>/dev/null || echo "no docs"', "no docs", "no docs"],
  ["cp a b && echo copied", "copied", "copied"],
  [
    "npm ci",
    "added 3 packages in 5s\n\n2 packages are looking for funding\n  run `npm fund` for details",
    "added 3 packages in 5s",
  ],
  // The output below a label belongs to the commands after the label.
  ['cp a b\necho "=== HEAD ==="; git ls-remote o HEAD', "=== HEAD ===\nd8810db", "HEAD: d8810db"],
  ["cp a b; echo ---; cat b", "---\n7 rows", "7 rows"],
  ["yq . a.yml || echo skipped", "yq not found", "yq not found"],
  [
    "git-sync replicate",
    "summary: pushed=55008 blocked=0\nsource-head\n(exit 0)",
    "summary: pushed=55008 blocked=0",
  ],
  ["gh api x/y \\\n  --method POST \\\n  -F id=7", "{}\nShell cwd was reset to /p", "ok"],
  // An item created by a request to GitHub is shown as its URL.
  [
    "gh api repos/o/r/pulls/7/comments -F in_reply_to=5 -f body=Done",
    '{"url":"https://api.github.com/x","user":{"html_url":"https://github.com/ann"},' +
    '"html_url":"https://github.com/o/r/pull/7#discussion_r9","in_reply_to_id":5}\n',
    "https://github.com/o/r/pull/7#discussion_r9 (reply to 5)",
  ],
];

const FAILURES: typeof OUTCOMES = [
  [
    "git merge main",
    FOUR_FILES.map((file) => `CONFLICT (content): Merge conflict in ${file}`).join("\n"),
    `failed: CONFLICT in ${FOUR_FILES.join(", ")}`,
  ],
  // Beside the line that states what was expected, the test's other lines are a log.
  [
    "go test ./...",
    "--- FAIL: TestCopy (0.1s)\n    copy_test.go:7: Phase 1\n    hooks.go:9: started\n" +
    "    copy_test.go:8: the copy should NOT contain it",
    "failed: --- FAIL: TestCopy (0.1s) | copy_test.go:8: the copy should NOT contain it",
  ],
  // The failed test precedes errors that other tests print.
  [
    "go test ./...",
    "Exit code 1\nError: context deadline exceeded\nok  \texample.org/a\t0.2s\n" +
    "--- FAIL: TestSave (0.01s)\n    save_test.go:17: failed to save: no such folder\n" +
    "FAIL\texample.org/b\t0.1s",
    "failed: --- FAIL: TestSave (0.01s) | save_test.go:17: failed to save: no such folder | " +
    "Error: context deadline exceeded",
  ],
  // The first error of each file comes before the second error of any file.
  [
    "go build ./...",
    "Exit code 1\na.go:1:2: undefined: x\na.go:3:4: undefined: y\nb.go:5:6: undefined: z",
    "failed: a.go:1:2: undefined: x | b.go:5:6: undefined: z | a.go:3:4: undefined: y",
  ],
  // If a filter removed the failed tests, the package is shown instead of an error that a test logged.
  [
    "go test ./... | tail -4",
    "Failed to fetch: fatal: 'origin' is missing\nFAIL\nFAIL\texample.org/b\t0.1s\nok  \tex.org/a\t0.2s",
    "failed: FAIL example.org/b 0.1s",
  ],
  // A diff header, a stack trace and a logged success do not explain why a test failed.
  [
    "go test ./...",
    "--- FAIL: TestA (0.1s)\n    a_test.go:7: first part completed successfully!\n" +
    "    --- Expected\n    +++ Actual\n    /go/testing.go:18 +0x190\n" +
    "    a_test.go:9: wrong id\nFAIL",
    "failed: --- FAIL: TestA (0.1s) | a_test.go:9: wrong id",
  ],
  // All failed tests are listed.
  [
    "go test ./...",
    "--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/one (0.1s)\nlog error: x\n" +
    "--- FAIL: TestB (0.2s)\nFAIL",
    "failed: --- FAIL: TestA/one, TestB | log error: x",
  ],
  // A test's message is shown without the log lines around it.
  [
    "go test ./...",
    "--- FAIL: TestResume (3.7s)\n    hooks.go:196: Hook stop output: Copied it to x\n" +
    "    hooks.go:201: Hook start output: Captured\n" +
    "    resume_test.go:387: resume failed: exit status 1\n" +
    "        Output: the tree has changes that are not committed\nFAIL",
    "failed: --- FAIL: TestResume (3.7s) | resume_test.go:387: resume failed: exit status 1 " +
    "Output: the tree has changes that are not committed",
  ],
  [
    "curl -LO x && cp x/* .",
    `${METER}zsh: no matches found: x/*`,
    "failed: zsh: no matches found: x/*",
  ],
  [
    "npx playwright test",
    "  ✓ 1 a.spec.ts:3:1 › works (1s)\n  ✘ 2 b.spec.ts:9:1 › logs in (5s)\n",
    "failed: ✘ 2 b.spec.ts:9:1 › logs in (5s)",
  ],
  // A search without a match is not a failure.
  ["grep -rn TODO src 2>/dev/null", "Exit code 1", "no output"],
  ["grep -rn TODO src", "Exit code 2\ngrep: src: No such file", "failed: grep: src: No such file"],
  ["git push", STOP, "stopped by the user"],
  ["npm publish", SIBLING, "not run"],
];

Deno.test("TrailCollector shows the lines of an output that report its outcome", () => {
  for (const [rows, isError] of [[OUTCOMES, false], [FAILURES, true]] as const) {
    for (const [command, output, outcome] of rows) {
      const [step = ""] = stoppedOf(bash(command, output, isError), ["assistant", "I see."]);
      assertEquals(step.slice(step.indexOf(" → ") + 3), outcome, command);
    }
  }
});

Deno.test("TrailCollector shows git's line about a commit before the output of later commands", () => {
  const output = "[main 1a2b3c4] Add it\n 1 file changed\nOn branch main\nnothing to commit";
  assertEquals(stoppedOf(bash("git commit -qm x && git status", output)), [
    "Bash git commit -qm x && git status → [main 1a2b3c4] Add it | On branch main",
  ]);
});

Deno.test("TrailCollector shows the last outcome of each command, failures and checks first", () => {
  const commands = commandsOf(
    fail("npm test", "✗ login rejects"),
    bash("gh pr create --title 'a; b' --body \"x\nrm y\"", "https://github.com/o/r/pull/7"),
    bash("npm run lint && npm test", "all pass"),
    fail("npm run build 2>&1 | tail -5", "error: cannot find a.ts:3\nBuild failed"),
    fail("git rebase --continue", "error: Unable to create lock"),
    bash("git rebase --continue"),
    bash("git commit -m 'npm test'"),
    bash("bash -n deploy.sh"),
    bash("gh pr view 7"),
    bash("cd web && golangci-lint version"),
    bash("npm ci --help"),
    bash("npm install"),
    bash("grep -r x ."),
  );
  assertEquals(commands, [
    "`bash -n deploy.sh` ok",
    "`npm run build` failed: error: cannot find a.ts:3 | Build failed; " +
    "before `git rebase --continue`; a commit followed",
    "`npm test` ok, after it failed (✗ login rejects); before `git rebase --continue`",
    "`npm run lint` ok; before `git rebase --continue`",
    "`npm install` ok",
    "`git commit -m 'npm test'` ok",
    "`git rebase --continue` ok",
    "`gh pr create --title 'a; b' --body \"x rm y\"` ok",
    "`npm ci --help` ok",
    "`cd web && golangci-lint version` ok",
    "`gh pr view 7` ok",
  ]);
});

Deno.test("TrailCollector lists commands of another folder separately, and leaves out those of a temporary folder", () => {
  const commands = commandsOf(
    fail("npm test", "✗ login rejects"),
    bash("cd ../other && npm test", "12 passed"),
    bash("cd ../other && git commit -m 'Mend it'"),
    bash("cd web && npm test -- --ci", "3 passed"),
    bash("cd /tmp/try && git init && git commit -m one"),
  );
  assertEquals(commands, [
    "`cd web && npm test -- --ci` ok",
    "`cd ../other && npm test` ok",
    "`npm test` failed: ✗ login rejects; since then `cd web && npm test -- --ci` passed",
    "`cd ../other && git commit -m 'Mend it'` ok",
  ]);
});

Deno.test("TrailCollector does not count a command as passed if its launcher or shell could not run it", () => {
  const commands = commandsOf(
    bash("python -m pytest -q 2>&1 | tail -3", "/usr/bin/python: No module named pytest"),
    bash("npm install left-pad@*(latest)", "(eval):1: unknown file attribute: l"),
    bash("uv run pytest -q | tail -3", "4 passed"),
  );
  assertEquals(commands, [
    "`uv run pytest -q` ok",
    "`python -m pytest -q` failed: /usr/bin/python: No module named pytest; " +
    "since then `uv run pytest -q` passed",
  ]);
});

Deno.test("TrailCollector does not count a check as passed if its output was cut before the verdict", () => {
  const log = "2026/02/11 INFO phase transition component=session\nInitialized shadow session";
  const full = Array.from({ length: 20 }, (_, n) => `ok  \tex.org/${n}\t1s`).join("\n");
  const unseen = "ran, outcome not shown";
  const rows = [
    ["mise run test | head -100", log, `\`mise run test\` ${unseen}`],
    ["mise run test | head -20", full, `\`mise run test\` ${unseen}`],
    ["npm test | grep FAIL | sort", "Shell cwd was reset to /p", `\`npm test\` ${unseen}`],
    ["npm test | grep -A 3 login", "", `\`npm test\` ${unseen}`],
    ["npm test | grep -A 3 login", "ok login", "`npm test` ok"],
    ["mise run test | head -9", "ok  \tex.org/a\t1s", "`mise run test` ok"],
    ["mise run test | head -9", "", "`mise run test` ok"],
    ["mise run test", log, "`mise run test` ok"],
    [
      "./e2e.sh test | tail -100",
      "ERROR: It was included",
      "`./e2e.sh test` failed: ERROR: It was included",
    ],
  ] as const;
  for (const [command, output, expected] of rows) {
    assertEquals(commandsOf(bash(command, output)), [expected], command);
  }
  const both = commandsOf(bash("mise run fmt && mise run lint | head -50", "[fmt] $ gofmt -w ."));
  const cut = `\`mise run lint\` ${unseen}`;
  assertEquals(both.sort(), ["`mise run fmt` ok", cut], "only the last command was cut");
});

Deno.test("hasCheck() is true for commands that only parse a file, but not for `jq` or a pipe into a parser", () => {
  const checks = [
    ...["python3 -m json.tool a.json", "python3 -m py_compile a.py"],
    ...["node --check a.js", "bash -n a.sh", "tsc --noEmit"],
  ];
  for (const check of checks) assert(hasCheck(check), check);
  for (const look of ["jq . a.json", "cat a.json | python3 -m json.tool"]) {
    assert(!hasCheck(look), look);
  }
});

Deno.test("TrailCollector reports that a check ran before the working tree changed", () => {
  const testAfter = (...steps: FinishedCall[]): string | undefined =>
    commandsOf(bash("npm test", "2 passed"), ...steps)
      .find((text) => text.startsWith("`npm test`"));
  const moving = [
    ...["git checkout main", "git checkout -", "git switch -q main", "git checkout -b x origin/x"],
    ...["git checkout HEAD~1", "git checkout -- .", "git restore .", "git reset --hard origin/x"],
    ...["git merge origin/main", "git pull --rebase", "git rebase --continue", "git revert HEAD"],
    ...["git rebase --abort", "git stash", "gh pr checkout 12"],
  ];
  for (const command of moving) {
    const expected = `\`npm test\` ok; before \`${command}\``;
    assertEquals(testAfter(bash(command)), expected);
    assertEquals(testAfter(bash(`git fetch && ${command} 2>&1 | tail -3`)), expected);
  }
  const idle = [
    ["git checkout main", "Already on 'main'"],
    ["git rebase main", "Current branch x is up to date."],
    ["git pull", "Already up to date."],
    ["gh pr checkout 12", "Already on 'x'\nAlready up to date."],
  ] as const;
  for (const [command, output] of idle) {
    assertEquals(testAfter(bash(command, output)), "`npm test` ok", command);
  }
  const pulled = bash("git checkout main && git pull", "Already on 'main'\nUpdating 1a2..3b4");
  assertEquals(testAfter(pulled), "`npm test` ok; before `git pull`");
  const others = ["git checkout -b x", "git rebase --quit", "git merge-base HEAD main"];
  const files = ["git reset HEAD a.ts", "git restore --staged .", "git reset --soft HEAD~1"];
  const quoted = ["grep -rn 'git checkout main' docs", "git commit -m 'Explain git rebase in it'"];
  for (const other of [...others, ...files, ...quoted, "cd ../lib && git checkout main"]) {
    assertEquals(testAfter(bash(other)), "`npm test` ok", other);
  }
  const restored = bash("git checkout a.ts");
  assertEquals(testAfter(restored), "`npm test` ok", "only a formatter had changed the file");
  assertEquals(testAfter(EDIT, restored), "`npm test` ok; 2 edits since then");
  const settings = edit("/p/.claude/settings.json");
  assertEquals(testAfter(settings), "`npm test` ok", "no test covers the client's settings");
  const conflict = "Rebasing (1/2)error: could not apply 1a2b3c4... Add it";
  const rebased = testAfter(fail("git rebase main", conflict));
  assertEquals(rebased, "`npm test` ok; before `git rebase main`");
  assertEquals(testAfter(fail("git rebase main", "error: cannot rebase")), "`npm test` ok");
  assertEquals(testAfter(bash("git stash"), bash("git stash pop")), "`npm test` ok", "restored");
  // Without a stash of this session, the restored work is an earlier session's.
  for (const command of ["git stash pop", "git stash apply"]) {
    assertEquals(testAfter(bash(command)), `\`npm test\` ok; before \`${command}\``);
  }
  const chain = commandsOf(bash("npm test && git checkout main && npm run lint", "2 passed"));
  assertEquals(chain.includes("`npm test` ok; before `git checkout main`"), true);
  assertEquals(chain.includes("`npm run lint` ok"), true);
  assertEquals(testAfter(bash("echo 'x' >> a.ts")), "`npm test` ok; 1 edit since then");
  const agent = (editFileCount: number, input = {}): FinishedCall => ({
    ...tool("Task", input, "Done."),
    mirror: { toolStats: { editFileCount } },
  });
  assertEquals(testAfter(agent(2)), "`npm test` ok; before edits by a subagent");
  for (const none of [agent(0), agent(2, { isolation: "worktree" })]) {
    assertEquals(testAfter(none), "`npm test` ok");
  }
});

Deno.test("TrailCollector lists the failed command of a chain, but not commands that never ran", () => {
  const stack = "load.rb:3: did not find expected key (SyntaxError)";
  const rows = [
    [
      "git stash && git checkout main && git pull",
      "fatal: 'main' is already used by worktree at '/p'",
      ["`git checkout main` failed: fatal: 'main' is already used by worktree at '/p'"],
    ],
    [
      "npm run fmt && npm run lint && npm test",
      "[lint] a.ts:3 error: unused",
      ["`npm run lint` failed: [lint] a.ts:3 error: unused", "`npm run fmt` ok"],
    ],
    [
      "go build ./... && mise run test 2>&1 | tail -20",
      "Exit code 1\n# ex.org/a\na/a.go:4:1: syntax error: unexpected keyword type",
      ["`go build ./...` failed: a/a.go:4:1: syntax error: unexpected keyword type"],
    ],
    [
      "npm test && git commit -m x && git push",
      "3 passed\n[main 1a2b3c4] x\nerror: failed to push some refs to 'o'",
      [
        "`git push` failed: error: failed to push some refs to 'o'",
        "`npm test` ok",
        "`git commit -m x` ok",
      ],
    ],
    ["npm test && git commit -m x", "3 passed\nnothing to commit, working tree clean", [
      "`git commit -m x` failed: nothing to commit, working tree clean",
      "`npm test` ok",
    ]],
    ["npm run build; ls gone", "ls: gone: No such file", [
      "`npm run build` ran, outcome not shown",
    ]],
    ["cd gone && npm test", "bash: cd: gone: No such file", []],
    ["go test -run A || go test", "# .\nno Go files in /p\nFAIL\t. [setup failed]", []],
    ["cd web && npm test", "(eval):cd:1: no such file or directory: web", []],
    ["python3 - <<'E'\nboom\nE", "NameError: boom", []],
    ["validate a.yml && deploy x", stack, [
      `\`deploy x\` failed: ${stack}`,
      "`validate a.yml` ran",
    ]],
    [
      "git checkout -b x && ls data",
      "Exit code 1\nSwitched to a new branch 'x'",
      ["`git checkout -b x` ran"],
    ],
    ["git checkout -b x && ls data", "fatal: no", ["`git checkout -b x` failed: fatal: no"]],
  ] as const;
  for (const [command, output, expected] of rows) {
    assertEquals(commandsOf(fail(command, output)), [...expected], command);
  }
});

Deno.test("TrailCollector leaves out queries, and reports only that a command ran if `||` or a filter hides its outcome", () => {
  const queries = ["HEAD=$(git rev-parse HEAD)", "xxd a.bin", "git reflog", "diff a b | head"];
  for (const query of [...queries, "git check-ref-format --branch 'a b' || echo no"]) {
    assertEquals(commandsOf(bash(query, "abc")), [], query);
  }
  assertEquals(commandsOf(bash("deploy x || echo no")), ["`deploy x` ran"]);
  assertEquals(commandsOf(bash("deploy x | tail -3", "step 1")), ["`deploy x` ran"]);
  assertEquals(commandsOf(bash("git push | tail -3")), ["`git push` ok"]);
  const script = "cat > a.sh <<'EOF'\nnpm test\nEOF\ndeno test";
  assertEquals(
    commandsOf(bash(script)),
    ["`deno test` ok"],
    "the here-document is text, not commands",
  );
});

Deno.test("TrailCollector lists what a search covered, and what it found", () => {
  const found = (result: string, input = {}): string | undefined =>
    stoppedOf(grep("x", result, input), ["assistant", "I see."])[0]?.replace("Grep x", "");
  const none = "No matches found";
  assertEquals(found(none, { glob: "*_test.go" }), ` in *_test.go → ${none}`);
  assertEquals(found("<persisted-output>\nOutput too large"), " → too many to count");
  assertEquals(found("Found 2 files\na.ts\nb.ts"), " → Found 2 files: a.ts | b.ts");
  assertEquals(found("a.ts:3: x\n\na.ts:9: x"), " → 2 lines: a.ts:3: x | a.ts:9: x");
  assertEquals(found("Found 0 files"), " → Found 0 files");
  assertEquals(found(""), "");
  assert(found("x ".repeat(8_000))?.startsWith(" → 1 or more lines: x x"));
  const contextLines = "9-}\n10-\n11:const found = 1;\n12-}";
  assertEquals(found(contextLines), " → 1 line: 11:const found = 1;");
  const hits = ["a_test.go:1:run()", "tests/b.go:2:run()", "src/c.go:3:run()", "d.go:4:run()"];
  assertEquals(
    found(hits.join("\n")),
    " → 4 lines: src/c.go:3:run() | d.go:4:run() | a_test.go:1:run() | +1 more",
    "hits outside of tests come first",
  );
  const long = [1, 2, 3].map((line) => `src/c.go:${line}: run(${"a name, ".repeat(11)})`);
  assertEquals(
    found(long.join("\n")),
    ` → 3 lines: ${long[0]} | src/c.go:2 | src/c.go:3`,
    "only the location of a hit that does not fit is shown",
  );
  const inFile = [7, 19, 23, 31].map((line) => `${line}: run(a)`);
  assertEquals(
    found(inFile.join("\n"), { path: "/p/a.go" }),
    ` in a.go → 4 lines: ${inFile.slice(0, 3).join(" | ")} | 31`,
    "all places in one file are shown",
  );
  const inFiles = hits.map((hit) => hit.replace(/^.*?:/, "src/c.go:")).join("\n");
  assertStringIncludes(
    found(`${inFiles}\nd.go:7:run()`) ?? "",
    " → 5 lines (c.go 4, d.go 1): src/c.go:1:run() | ",
  );
  const uses = tool(
    "LSP",
    { filePath: "a.go" },
    "Found 2 references in 1 file:\n\nb.go:\n  Line 6",
  );
  assertEquals(stoppedOf(uses), ["LSP a.go → Found 2 references in 1 file: b.go: | Line 6"]);
});

Deno.test("TrailCollector forgets the checks of a plan that was reported as done before a new request", () => {
  const unrun = (...events: Step[]): string[] =>
    commandsOf(...events).filter((text) => text.includes("not seen to run"));
  const plan = "Implement the following plan:\n\n# Cache\n\n## Verification\n\n`npm run test:ci`\n";
  const done = ["assistant", "All done. Here's a summary of what was built."] as const;
  assertEquals(unrun(["user", plan], EDIT, done).length, 1);
  assertEquals(unrun(["user", plan], EDIT, done, ["user", "Now make a plan for Gemini"]), []);
  assertEquals(unrun(["user", plan], EDIT, ["user", "keep the name"]).length, 1);
  const others = ["Once the migration is done, I'll test it.", "Step 1 is done. Now step 2:"];
  for (const words of others) {
    const partly = ["assistant", words] as const;
    assertEquals(unrun(["user", plan], EDIT, partly, ["user", "keep the name"]).length, 1, words);
  }
});

Deno.test("TrailCollector shows the line that best describes an edit", () => {
  const [head, check] = ["function captureState() {", "  if (isMissing) return;"];
  const declared = ["func (s *Store) Save() error {", "type Store struct {", "class Row:"];
  const many = Array.from({ length: 9 }, (_, n) => `const x = ${n};\nexport function f${n}() {}`);
  const added = "// Adds two\nx := 1\nfunc add(a int) int {";
  const body = "func Save() error {\n\tif err != nil {\n\t\treturn err\n\t}\n\tstore.flush()";
  const note = "// NOTE: do not reuse the id here";
  const rows = [
    ["new text", head, `${head}\n${check}`, "in captureState: if (isMissing) return;"],
    ["removed text", `${head}\n${check}`, head, "in captureState: removed if (isMissing) return;"],
    ["no change", head, head, ""],
    ["declared names", head, [head, ...declared].join("\n"), "declares Save, Store, Row"],
    ["many names", many[0], many.join("\n"), "declares f1, f2, f3, f4, f5, f6 and 2 more"],
    ["no reformatting", "Use:    a,\nShort: b,", "Use: a,\nHidden: true,", "Hidden: true,"],
    [
      "not a line that changed only at its end",
      '"a"+\n"b\\n\\n"',
      '"a"+\n"b\\n"+\n"for c"',
      '"for c"',
    ],
    ["code, not its comment", "// Adds\nfunc add() {", "// Gone", "removed func add() {"],
    ["a conflict", "<<<<<<< HEAD\na := 1\n=======", "a := 1", "resolves a conflict"],
    ["removed only", "const unused = 1;\nUse:  a,", "Use: a,", "removed const unused = 1;"],
    [
      "removed imports",
      '\t"slices"\n\t"fmt"\n\t"strings"',
      '\t"fmt"',
      'removed "slices", "strings"',
    ],
    ["an open literal", "", "want := `export A=1\nexport B=2`", "want := `export A=1…"],
    ["no box drawing", "├── old.json", "├── new.json\nIt holds metadata", "It holds metadata"],
    [
      "no code in a literal",
      "",
      "const code = `\nfunc One() {}\nfunc Two() {}\nfunc Three() {}\n`",
      "const code = `…",
    ],
    ["a declaration", "", added, "func add(a int) int {"],
    ["code before a comment", "", "// Adds two\nx := add(1)", "x := add(1)"],
    ["a declaration before a guard", "x", body, "func Save() error {"],
    ["code before a guard", "func Save() error {", body, "in Save: store.flush()"],
    ["a constraint", "a()", `if err != nil {\n${note}\nid := next()`, note],
    [
      "not the comment above",
      "// Counts\nold line",
      "// Counts\nconst lanes = 1;",
      "const lanes = 1;",
    ],
  ] as const;
  for (const [name, before = "", after, expected] of rows) {
    assertEquals(editLine(before, after), expected, name);
  }
  assertEquals(editLine("", "# Plan\ntype it in", "/p/plan.md"), "# Plan");
  const all = {
    file_path: "a.ts",
    old_string: "oldName",
    new_string: "newName",
    replace_all: true,
  };
  assertEquals(stoppedOf(tool("Edit", all), tool("Edit", { ...all, old_string: "one\ntwo" })), [
    "Edit a.ts: all oldName => newName",
    "Edit a.ts: newName (all occurrences)",
  ]);
});

Deno.test("TrailCollector shows the end of a progress meter, as a terminal does", () => {
  const output = "Rebasing (1/2)\rRebasing (2/2)\rSuccessfully rebased and updated refs/heads/x.";
  assertEquals(stoppedOf(bash("git rebase main", output)), [
    "Bash git rebase main → Successfully rebased and updated refs/heads/x.",
  ]);
});

Deno.test("TrailCollector shows a multi-line command on one line, without its comment lines", () => {
  const shown = (command: string): string | undefined =>
    stoppedOf(bash(command, "done"))[0]?.replace(/^Bash (.*) → done$/, "$1");
  assertEquals(shown("# Comment 8: no tests\ngh api x -f body=y"), "gh api x -f body=y");
  assertEquals(shown("cd a\nnpm test &&\nnpm run lint"), "cd a; npm test && npm run lint");
  assertEquals(shown("cd x\n# build it\nnpm run build"), "cd x; npm run build");
  assertEquals(shown("touch x # all\ngit status"), "touch x # all git status");
  assertEquals(shown("cd a && \n npm test"), "cd a && npm test");
  assertEquals(shown('git commit -m "One\ntwo"'), 'git commit -m "One two"');
  assertEquals(
    shown("gh api x \\\n  -F id=7 \\\n  -F body=Fixed"),
    "gh api x -F id=7 -F body=Fixed",
  );
});

Deno.test("TrailCollector describes what a Write changed in an existing file", () => {
  const lines = [" a=1", "-echo a", "+echo a INDEX=$INDEX_FILE"];
  const structuredPatch = [{ newStart: 2, lines }];
  const write = callOf({
    name: "Write",
    input: { file_path: "/p/a.sh", content: "INDEX_FILE=x\na=1\necho a INDEX=$INDEX_FILE" },
    mirror: { structuredPatch },
  });
  assertEquals(stoppedOf(write), ["Write /p/a.sh: echo a INDEX=$INDEX_FILE"]);
});

Deno.test("TrailCollector does not take an announcement as the answer to a refusal, and waits for the next message", () => {
  const refused = tool("Edit", { file_path: "/p/a.ts" }, `${REFUSAL}is it still needed?`, true);
  const looks = "The hook may set these fields already - let me check if the machine does it too.";
  const both = "Both fields must stay, because only the hook knows them.";
  const later = [grep("AgentType"), ["assistant", both]] as const;
  const [text = ""] = refusedOf(refused, ["assistant", looks], ...later);
  assertStringIncludes(text, `replied: "${both}"`);
});

Deno.test("TrailCollector shows the headings of a Markdown file that was written", () => {
  const written = (file_path: string, content: string): string =>
    stoppedOf(tool("Write", { file_path, content })).join();
  const plan = "# Plan of the cache\n\nWords.\n\n### Task 1: Read it\n\n### Task 2: Write it\n";
  const headings = "Plan of the cache; Task 1: Read it; Task 2: Write it";
  assertEquals(written("/p/plan.md", plan), `Write /p/plan.md: ${headings}`);
  assertEquals(written("/p/notes.md", "# Notes\n\nWords.\n"), "Write /p/notes.md: # Notes");
  assertEquals(written("/p/a.sh", "# one\n# two\necho 1\n"), "Write /p/a.sh: echo 1");
});

Deno.test("TrailCollector forgets a command's earlier runs and resolved failure once the command runs for a new request", () => {
  const lint = bash("npm run lint", "0 problems");
  const failed = bash("npm run lint", "a.ts:1: unused variable", true);
  const next = ["user", "And now the docs"] as const;
  const after = "after it failed (a.ts:1: unused variable) and edits of a.ts";
  const settled = [failed, EDIT, lint, lint] as const;
  assertEquals(commandsOf(...settled), [`\`npm run lint\` 2 times ok, ${after}`]);
  assertEquals(commandsOf(...settled, next), [`\`npm run lint\` 2 times ok, ${after}`]);
  assertEquals(commandsOf(...settled, next, lint), ["`npm run lint` ok"]);
  assertEquals(commandsOf(...settled, next, lint, lint), ["`npm run lint` 2 times ok"]);
  const open = commandsOf(failed, next, EDIT, lint);
  assertEquals(open, [`\`npm run lint\` ok, ${after}`], "the failure was still open");
});

Deno.test("TrailCollector notes that a subagent ran a check, and leaves out the subagent's other commands", () => {
  const byAgent = (command: string, result: string): ReturnType<typeof callOf> =>
    callOf({ name: "Bash", input: { command }, result, isSidechain: true });
  const test = byAgent("npm test", "3 passed");
  assertEquals(commandsOf(test, byAgent("go doc fmt", "package fmt")), [
    "`npm test` ok; run by a subagent",
  ]);
  assertEquals(commandsOf(test, EDIT), ["`npm test` ok; run by a subagent; 1 edit since then"]);
  const own = bash("npm test", "12 passed");
  const both = ["`npm test` ok; run by a subagent", "`npm test` ok"];
  assertEquals(commandsOf(own, test), both, "the session itself also ran the check");
  assertEquals(commandsOf(test, own), ["`npm test` ok"]);
});

Deno.test("TrailCollector shows the folder of a search and the cause of a failed build, and recognizes commands that only list something", () => {
  const search = tool("Grep", { pattern: "agent", path: "/p/src/store" }, "No matches found");
  assertEquals(stoppedOf(search), ["Grep agent in store/ → No matches found"]);
  const build = fail("go build ./...", "a.go:1: : # ex.org/a\nb.go:5:2: unused import");
  assertEquals(commandsOf(build), ["`go build ./...` failed: b.go:5:2: unused import"]);
  const list = bash("gh release list", "v3 Latest\nv2\nv1\nv0");
  assertStringIncludes(stoppedOf(list).join(), "v3 Latest | v2");
  const linters = bash("golangci-lint linters", "govet: on");
  assertEquals(commandsOf(linters), ["`golangci-lint linters` ok"]);
});

Deno.test("TrailCollector quotes an assistant message that welcomes a failure", () => {
  const line = "`npm test` failed: ✗ login rejects";
  const quoted = (said: string): string =>
    commandsOf(fail("npm test", "✗ login rejects"), ["assistant", said]).join().replace(line, "");
  const welcome = "Perfect! I can reproduce the bug now.";
  assertEquals(quoted(`${welcome} Let me fix it.`), `; the assistant said: "${welcome}"`);
  const half = "Great, the build works.";
  assertEquals(quoted(`${half} Let me look at the tests.`), `; the assistant said: "${half}"`);
});

Deno.test("TrailCollector leaves out a failure that an unsupported option caused", () => {
  const noOption = fail("make fmt --check", "stat --check: no such file or directory");
  assertEquals(commandsOf(noOption, EDIT, bash("make fmt", "ok")), ["`make fmt` ok"]);
  const noFile = fail("make fmt a.ts --fix", "stat a.ts: no such file or directory");
  assertStringIncludes(commandsOf(noFile).join(), "failed");
});

Deno.test("TrailCollector shows the earlier failed command if the passed run had other arguments", () => {
  const failure = fail("mise run test", "✗ login rejects");
  const one = bash("mise run test", "1 passed");
  const two = bash("mise run test ./src/...", "1 passed");
  assertEquals(commandsOf(failure, EDIT, one, two), [
    "`mise run test ./src/...` ok, after `mise run test` failed (✗ login rejects) and edits of a.ts",
  ]);
});

Deno.test("LastSteps leaves out commands that only print fixed text, wait or create folders", () => {
  const steps = stoppedOf(
    ["user", "Write it"],
    bash('echo "Checking ..."', "Checking ..."),
    bash("mkdir -p docs/specs && cd docs"),
    bash("sleep 5; echo done", "done"),
    bash("echo $SHELL", "/bin/zsh"),
    bash("echo a > b.txt"),
    fail("mkdir docs", "mkdir: docs: File exists"),
  );
  assertEquals(steps, [
    "User: Write it",
    "Bash echo $SHELL → /bin/zsh",
    "Bash echo a > b.txt → ok",
    "Bash mkdir docs → failed: mkdir: docs: File exists",
  ]);
});

Deno.test("CommandCollector.said() adds the assistant's text to a failure only if no other command followed", () => {
  const remark = ["assistant", "The config has a logger option that is not set."] as const;
  const failed = fail("node build.js", "Error: no logger");
  assertStringIncludes(commandsOf(failed, remark)[0] ?? "", "the assistant said");
  const read = tool("Read", { file_path: "/p/a.ts" });
  assertStringIncludes(commandsOf(failed, read, remark)[0] ?? "", "the assistant said");
  const doc = commandsOf(failed, bash("go doc a Config", "Logger"), remark);
  assertEquals(doc, ["`node build.js` failed: Error: no logger", "`go doc a Config` ok"]);
  // A search without a match is not a failure.
  assertEquals(commandsOf(fail("bash -c 'cd a && grep -A3 Config a.go'", "Exit code 1")), []);
});

Deno.test("TrailCollector shows the assistant's text about a failure", () => {
  const failure = fail("npm test", "✗ login rejects");
  const shown = "`npm test` failed: ✗ login rejects";
  const why = "I see! The ids in the fixture must be hex, and one is not. Let me fix that.";
  const remark = '; the assistant said: "The ids in the fixture must be hex, and one is not."';
  const said = ["assistant", why] as const;
  assertEquals(commandsOf(failure, said), [shown + remark]);
  const later = ["assistant", "It is another thing by now."] as const;
  assertEquals(commandsOf(failure, said, EDIT, later, bash("npm test", "1 passed")), [
    `\`npm test\` ok, after it failed (✗ login rejects) and edits of a.ts${remark}`,
  ]);
  const denied = ["assistant", "These errors are pre-existing, not from our changes."] as const;
  const reverted = bash("git checkout -- b.ts && git checkout main");
  assertEquals(
    commandsOf(edit("/p/b.ts"), failure, denied, reverted, bash("npm test", "1 passed")),
    [
      "`npm test` ok, after it failed (✗ login rejects) and edits of b.ts",
      "`git checkout main` ok",
    ],
    "the explanation was wrong",
  );
  const expected = "The code compiles now, but there is a test failure as expected.";
  assertEquals(commandsOf(failure, ["assistant", `${expected} Let me look.`]), [
    `${shown}; the assistant said: "${expected}"`,
  ]);
  const passed = ["assistant", "All seven of the new tests pass now, as they should."] as const;
  assertEquals(commandsOf(failure, bash("ls"), passed), [shown]);
  const looks = [bash("git status"), bash("git log"), bash("cat a.ts")];
  assertEquals(
    commandsOf(failure, ...looks, said),
    [shown],
    "the text is about the later commands",
  );
  const refused = tool("Edit", { file_path: "/p/a.ts" }, `${REFUSAL}use append`, true);
  assertEquals(commandsOf(failure, refused, said), [shown], "the text answers the user");
  const lint = fail("npm run lint", "a.ts:1:1: unused");
  const two = commandsOf(failure, lint, said);
  assertEquals(
    two.filter((text) => text.endsWith(remark)).length,
    1,
    "only the newest failure gets the text",
  );
});

Deno.test("TrailCollector leaves out corrected mistakes and trimtab's own commands, and lists calls without a result", () => {
  const collector = new TrailCollector();
  const slip = "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>";
  const gone = "<tool_use_error>File does not exist.</tool_use_error>";
  const invalid = "<tool_use_error>InputValidationError: no file_path</tool_use_error>";
  const read = (file_path: string, result: string): FinishedCall =>
    tool("Read", { file_path }, result, true);
  const slips = ["a.ts", "b.ts"].map((file): FinishedCall => ({
    ...edit(file),
    result: slip,
    isError: true,
  }));
  const calls = [read("c.ts", gone), read("d.ts", SIBLING), read("e.ts", invalid), edit("a.ts")];
  for (const call of [...slips, ...calls, tool("Skill", { skill: "test-first" })]) {
    collector.call(call);
  }
  const open = { isSidechain: false, from: FROM };
  collector.unfinished({ name: "Grep", input: { pattern: "login" }, ...open });
  collector.unfinished({ name: "TodoWrite", input: {}, ...open });
  const rollover = { command: "trimtab rollover --skill --summary-file - <<'END'\nDone.\nEND" };
  collector.unfinished({ name: "Bash", input: rollover, ...open });
  collector.unfinished({ name: "Read", input: { file_path: "b.ts" }, ...open, isSidechain: true });
  assertEquals(texts(collector.finish().stopped), [
    "Edit b.ts → failed: File has not been read yet. (intended edit: const a = 1;)",
    "Read c.ts → no such path",
    "Edit a.ts: const a = 1;",
    "Skill test-first",
    "Grep login → no result yet",
  ]);
});

Deno.test("TrailCollector shortens answers, except for the last, the answer before the newest prompt and the first after it", () => {
  const long = (n: number): string => `${n} ${"is explained at length ".repeat(50)}`;
  const steps = stoppedOf(
    ["user", "Begin"],
    ...[1, 2].map((n) => ["assistant", long(n)] as const),
    ["user", "Go on"],
    ...[3, 4, 5].map((n) => ["assistant", long(n)] as const),
  );
  const lengths = steps.filter((text) => text.startsWith("Assistant: "))
    .map((text) => text.length > 1000);
  assertEquals(lengths, [false, true, true, false, true]);
});

Deno.test("TrailCollector keeps the newest prompt and the messages around it, even if many steps follow", () => {
  const builds = Array.from(
    { length: 30 },
    (_, n) => bash(`make part${n}`, `${"x".repeat(90)} ${n}`),
  );
  const steps = stoppedOf(
    ["assistant", "Shall I fix it?"],
    ["user", "yes"],
    ["assistant", "The parser drops the last row, so I fix that first."],
    ...builds,
    ["assistant", "The lexer fails because its table is empty."],
    ...builds,
  );
  assertEquals(steps.slice(0, 3), [
    "Assistant: Shall I fix it?",
    "User: yes",
    "Assistant: The parser drops the last row, so I fix that first. […]",
  ]);
  assert(steps.length < 60);
  assertEquals(stoppedOf(["user", "yes"], ["assistant", "Done."]).length, 2);
  const refuted = stoppedOf(
    ["user", "the table is not empty, I printed it"],
    ["assistant", "Let me print it:"],
    ["assistant", "You're right, it has nine rows."],
    ...builds,
    ["assistant", "The rows are sorted by name."],
    ...builds,
  );
  assertEquals(refuted[1], "Assistant: You're right, it has nine rows. […]");
});

function started(id: string, description: string): FinishedCall {
  const result = `Async agent launched successfully.\nagentId: ${id} (internal ID)`;
  return tool("Agent", { description }, result);
}

Deno.test("TrailCollector shows finished background work with its report", () => {
  const report = '<output>\n[Tool: Bash] {"command":"ls"}\nNo risk was found.\n</output>';
  const output = (task_id: string, status: string, text: string): FinishedCall =>
    tool("TaskOutput", { task_id }, `<status>${status}</status>\n${text}`);
  const collector = new TrailCollector();
  collector.call(started("a1", "Review"));
  collector.call(output("a1", "running", `\n${report}`));
  collector.call(output("a1", "completed", `\n${report}`));
  collector.call(output("a4", "completed", "All is fine."));
  collector.call(output("a5", "failed", "Out of memory."));
  collector.returned('Agent "Map" completed', "All mapped.", FROM, "a2");
  collector.returned('Background command "npm test" failed', "", FROM, "b1");
  assertEquals(texts(collector.finish().stopped), [
    "Agent Review → started",
    "TaskOutput a1 → No risk was found.",
    "TaskOutput a4 → All is fine.",
    "TaskOutput a5 → failed: Out of memory.",
    'Agent "Map" completed → All mapped.',
    'Background command "npm test" failed',
  ]);
});

Deno.test("TrailCollector lists background work until its end is recorded", () => {
  const running = "Command running in background with ID: b1. Output is being written to: /tmp/b1";
  const long = "Look through all of the packages ".repeat(4).trim();
  const collector = new TrailCollector();
  const calls = [started("a1", "Map"), started("a2", "Review"), bash("npm run dev", running)];
  for (const call of [...calls, bash("ls"), started("a3", long)]) collector.call(call);
  collector.returned(`Agent "${long}" completed`, "Done.", FROM, "a3");
  collector.returned('Background command "npm run dev:docs" completed', "", FROM, "b9");
  assertEquals(collector.finish().running, ["Map (a1)", "Review (a2)", "npm run dev (b1)"]);
  collector.returned('Agent "Map" completed', "All mapped.", FROM, "");
  const output = (status: string): FinishedCall =>
    tool("TaskOutput", { task_id: "a2" }, `<status>${status}</status>`);
  collector.call(output("running"));
  assertEquals(collector.finish().running, ["Review (a2)", "npm run dev (b1)"]);
  collector.call(output("failed"));
  collector.call(tool("KillShell", { shell_id: "b1" }, "Killed"));
  assertEquals(collector.finish().running, []);
  const slow = "Command did not complete within its 120s timeout and was moved to the background " +
    "(ID: b2). Output is being written to: /tmp/b2";
  collector.call(bash("npm test", slow));
  const { running: left, commands } = collector.finish();
  assertEquals(left, ["npm test (b2)"]);
  assertEquals(texts(commands).filter((text) => text.includes("npm test")), []);
});

Deno.test("TrailCollector shows the number of edits after a check", () => {
  const change = edit("a.ts");
  const firstCommandOf = (...steps: Step[]): string | undefined => commandsOf(...steps)[0];
  const test = bash("npm test", "3 passed");
  assertEquals(firstCommandOf(change, test), "`npm test` ok");
  assertEquals(firstCommandOf(test, change), "`npm test` ok; 1 edit since then");
  assertEquals(
    firstCommandOf(test, change, change, bash("ls")),
    "`npm test` ok; 2 edits since then",
  );
  assertEquals(firstCommandOf(test, edit("/p/notes.md")), "`npm test` ok", "no test covers prose");
  const started = bash("go run ./cmd/a --help", "usage");
  assertEquals(firstCommandOf(started, change), "`go run ./cmd/a --help` ok; 1 edit since then");
  const inTrees = (...steps: FinishedCall[]): string[] => {
    const collector = new TrailCollector();
    collector.folder("/work/app");
    for (const step of steps) collector.call(step);
    return texts(collector.finish().commands);
  };
  const [own, other] = [edit("/work/app/a.go"), edit("/work/lib/b.go")];
  const inLib = bash("cd ../lib && go vet ./...", "ok");
  assertEquals(
    inTrees(bash("go test ./...", "ok"), inLib, other, own).at(-1),
    "`go test ./...` ok; 1 edit since then",
  );
  assertEquals(inTrees(bash("cd ../lib && go test ./...", "ok"), own, own, other), [
    "`cd ../lib && go test ./...` ok; 1 edit since then",
  ]);
  assertEquals(inTrees(bash("cd /work/lib && go test ./...", "ok"), own), [
    "`cd /work/lib && go test ./...` ok",
  ]);
  assertEquals(
    inTrees(bash("go test ./...", "ok"), other),
    ["`go test ./...` ok; 1 edit since then"],
    "no command ran in the folder, so it may belong to the same repository",
  );
  const parent = inTrees(bash("go test ./...", "ok"), bash("cd .. && make lint", "ok"), other);
  assertEquals(parent.at(-1), "`go test ./...` ok; 1 edit since then", "the parent contains both");
  assertEquals(firstCommandOf(test, change, test), "`npm test` 2 times ok");
  for (const file of ["plans/a.md", "settings.json"]) {
    assertEquals(firstCommandOf(test, edit(`/h/.claude/${file}`)), "`npm test` ok", file);
  }
  const failing = fail("npm test", "✗ login rejects");
  assertEquals(
    firstCommandOf(failing, change),
    "`npm test` failed: ✗ login rejects; 1 edit since then",
  );
  const format = bash("npx vitest run src/format.test.ts", "3 passed");
  assertEquals(
    firstCommandOf(format, edit("src/format.ts")),
    "`npx vitest run src/format.test.ts` ok; 1 edit since then",
    "a test of a formatter is not a formatter",
  );
  const linted = (file: string): string | undefined =>
    firstCommandOf(bash(`golangci-lint run ./p/${file}`, "0 issues."), change);
  assertEquals(linted("b.ts"), "`golangci-lint run ./p/b.ts` ok", "the edit was in another file");
  assertEquals(linted("a.ts"), "`golangci-lint run ./p/a.ts` ok; 1 edit since then");
});

Deno.test("TrailCollector reports that a check of the same kind or a commit followed a failure", () => {
  const endOf = (...later: FinishedCall[]): string | undefined =>
    commandsOf(fail("go test -run TestLogin ./auth", "--- FAIL: TestLogin"), ...later)
      .find((text) => text.includes("TestLogin"))?.replace(/^.*--- FAIL: TestLogin/, "");
  const [lint, test] = [bash("npm run lint"), bash("mise run test:ci", "ok")];
  const commit = bash("git commit -m x");
  const twice = fail(
    "go test ./auth",
    "--- FAIL: TestLogin\n    a_test.go:7: want 1\nb.go:9: failed",
  );
  assertEquals(commandsOf(twice)[0]?.includes("a_test.go:7"), true);
  assertStringIncludes(
    commandsOf(twice, test)[1] ?? "",
    "failed: --- FAIL: TestLogin; since then `mise run test:ci` passed",
  );
  assertEquals(endOf(lint), "");
  assertEquals(endOf(lint, test), "; since then `mise run test:ci` passed");
  assertEquals(endOf(test, commit), "; since then `mise run test:ci` passed");
  assertEquals(endOf(lint, commit), "; a commit followed");
  assertEquals(endOf(fail("git commit -m x")), "");
  const inFolder = (path: string): FinishedCall => bash(`go test ${path}`, "ok");
  for (const path of ["./...", "./auth", "./auth/..."]) {
    assertEquals(endOf(inFolder(path)), `; since then \`go test ${path}\` passed`);
  }
  // Later tests of another folder do not resolve the failure.
  for (const path of ["./store", "./authors/...", "./auth/login"]) {
    assertEquals(endOf(inFolder(path)), "");
    assertEquals(endOf(test, inFolder(path)), endOf(test), path);
  }
  const [build] = commandsOf(
    fail("go build ./e2e/...", "a.go:1:2: undefined: x"),
    bash("go test -c ./e2e/... -o /dev/null"),
  ).slice(-1);
  assertStringIncludes(build ?? "", "; since then `go test -c ./e2e/... -o /dev/null` passed");
});

Deno.test("TrailCollector does not mention a later passed check after a failed git or gh command", () => {
  const text = (failed: string): string =>
    commandsOf(fail(failed, "fatal: no"), bash("npm run check", "ok")).join("\n");
  assert(!text("git checkout main").includes("since then"), text("git checkout main"));
  assert(!text("gh pr checks 7 --required").includes("since then"));
});

Deno.test("TrailCollector does not mention a check's earlier failure if the assistant welcomed or expected it", () => {
  const textAfter = (words: string): string | undefined =>
    commandsOf(
      fail("npx biome check gen/a.js", "Checked 0 files."),
      ["assistant", words],
      bash("npx biome check .", "ok"),
    )[0];
  const ok = "`npx biome check .` ok";
  assertEquals(textAfter("Perfect! The generated files are ignored now."), ok);
  assertEquals(textAfter("It failed as expected: no files."), ok);
  assertStringIncludes(textAfter("The configuration ignores too many files.") ?? "", "ok, after ");
});

Deno.test("TrailCollector does not blame a failure on a warning that the passing run also prints", () => {
  const warning = "a.ts:18:11 lint/noUnusedVariables ━━";
  const format = "b.ts:2:1 error: wrong format";
  const okAfter = (...errors: string[]): string | undefined =>
    commandsOf(
      fail("npm run check", errors.join("\n")),
      edit("b.ts"),
      bash("npm run check", `${warning}━\nFound 1 warning.`),
    )[0];
  const start = "`npm run check` ok, after it failed";
  assertEquals(okAfter(warning, "81 | error"), `${start} and edits of b.ts`);
  assertEquals(okAfter(format, warning), `${start} (${format}) and edits of b.ts`);
});

Deno.test("TrailCollector does not call a commit or push ok if a filter hid its failure", () => {
  const hidden = bash("git commit -am x | tail -3", "husky - pre-commit script failed");
  assertEquals(commandsOf(hidden), ["`git commit -am x` ran"]);
  assertEquals(commandsOf(bash("git commit -am x | tail -3", " 1 file changed")), [
    "`git commit -am x` ok",
  ]);
  const rejected = "hint: See the 'Note about fast-forwards' in 'git push --help' for details.";
  assertEquals(commandsOf(bash("git push 2>&1 | tail -1", rejected)), ["`git push` ran"]);
});

Deno.test("TrailCollector shows the first line of a here-document, and an agent's report or its recommendations", () => {
  const commit = "git commit -m \"$(cat <<'EOF'\nAdd a `login`\n\nIt was asked for.\nEOF\n)\"";
  const report = "Three files call it.\nagentId: a1 (for resuming to continue this agent's work)";
  const words = `# Review\n\nI read the code. ${"It has many files. ".repeat(80)}\n\n`;
  const long =
    `${words}## Recommendations\n\n1. Close the file.\n2. Test it.\n\n## Files\n\n- a.ts`;
  const { commands, stopped } = trailOf(
    bash(commit),
    tool("Task", { description: "Find callers" }, report),
    tool("Task", { description: "Review" }, long),
  );
  assertEquals(texts(commands), ['`git commit -m "Add a login …"` ok']);
  assertEquals(texts(stopped), [
    'Bash git commit -m "Add a login …" → ok',
    "Task Find callers → Three files call it.",
    "Task Review → Recommendations: Close the file. Test it.",
  ]);
});

Deno.test("TrailCollector keeps the first message after the newest prompt nearly whole", () => {
  const verdicts = ["1. The lock is a race", "2. No timeout"].map((one) =>
    `${one}: ${"so ".repeat(80)}`
  );
  const edits = Array.from({ length: 9 }, (_, n) => edit(`/p/${n}.ts`, `const a${n} = 1;`));
  const said = edits.flatMap((one, n): Step[] => [["assistant", `Fix ${n} of a.ts:`], one]);
  const [, first = ""] = stoppedOf(
    ["user", "Check these"],
    ["assistant", verdicts.join("\n")],
    ...said,
  );
  assertEquals(first, `Assistant: ${verdicts.join(" ").replaceAll(/ +/g, " ").trim()}`);
});

Deno.test("TrailCollector forgets a failed command after 200 later commands", () => {
  const hasFailure = (others: number): boolean =>
    commandsOf(
      fail("npm test", "✗ login rejects"),
      ...Array.from({ length: others }, (_, n) => bash(`deploy part${n}`)),
    )[0]?.includes("`npm test` failed") === true;
  assertEquals([hasFailure(199), hasFailure(200)], [true, false]);
});

Deno.test("TrailCollector mentions a later passed run after a failed test only if the run includes the test", () => {
  const [one, two] = ["go test ./a -run TestOne", "go test ./a -run TestTwo"];
  const failed = fail(one, "--- FAIL: TestOne (0.1s)");
  const line = `\`${one}\` failed: --- FAIL: TestOne (0.1s)`;
  assertEquals(commandsOf(failed, bash(two)), [`\`${two}\` ok`, line]);
  assertEquals(commandsOf(bash(one), bash(two)), [`\`${two}\` ok`]);
  const commands = commandsOf(failed, bash("go test ./a"));
  assertEquals(commands, ["`go test ./a` ok", `${line}; since then \`go test ./a\` passed`]);
});

Deno.test("TrailCollector drops a command with wrong arguments, and a failed diagnostic command once two prompts follow", () => {
  const fsck = fail("git fsck", "error: HEAD: invalid reflog entry");
  const wrong = fail("git gc --soft", "error: unknown option 'soft'");
  const [first, second] = [["user", "Look at a"], ["user", "Now look at b"]] as const;
  assertEquals(commandsOf(fsck, wrong, first).length, 1);
  const errors = [
    "unknown shorthand flag: 'v' in -v",
    "Error: accepts at most 1 arg(s), received 2",
    "Usage: explain [options]",
    "Usage:\n  explain\n  explain [command]",
    "zsh: command not found: explain",
  ];
  for (const error of errors) {
    assertEquals(commandsOf(bash("explain -v | head -30", `${error}\nmore`)), [], error);
  }
  const silent = bash("explain -v | grep author", "");
  assertEquals(commandsOf(silent, bash("explain -v | head -30", "Usage:\n  explain")), []);
  assertEquals(commandsOf(fsck, first, second), []);
  assertEquals(commandsOf(fail("git push", "error: rejected"), first, second).length, 1);
});

Deno.test("TrailCollector reports failures that `|| true` or a filter hid, and leaves out calls that did not finish", () => {
  const conflict = "CONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed; fix it.";
  const commands = commandsOf(
    bash("git merge origin/main 2>&1 || true", "Already up to date."),
    bash("git merge origin/dev 2>&1 || true", conflict),
    bash("git fsck 2>&1 | head -3", "Checking objects\nerror: HEAD: invalid reflog entry"),
    bash("deploy old || true", "error: unable to delete old: no such ref"),
    fail("git push", STOP),
    fail("npm run e2e", "Exit code 137\n[Request interrupted by user for tool use]\n1 passed"),
    fail("npm publish", SIBLING),
    bash("gh api x/y \\\n  --method POST \\\n  -F id=7", "{}\nShell cwd was reset to /p"),
    bash("A=$(git rev-parse HEAD; date) B='x y' $(go env GOPATH)/bin/vetter run ./...", "ok"),
    bash("npm test", "Command running in background with ID: b1"),
  );
  assertEquals(commands, [
    "`git fsck` failed: error: HEAD: invalid reflog entry",
    "`git merge origin/dev` failed: CONFLICT (content): Merge conflict in a.ts | " +
    "Automatic merge failed; fix it.",
    "`vetter run ./...` ok",
    "`gh api --method POST x/y -F id=…` ok",
    "`deploy old` ran",
  ]);
});

Deno.test("TrailCollector shows refused calls with the user's text, and corrections", () => {
  const collector = new TrailCollector();
  collector.prompt("Add a login page.", FROM);
  collector.prompt("no, use the session store instead", FROM);
  collector.call(fail("git commit -am x", `${REFUSAL}don't commit yet`));
  // feedSession() also reports the text of a refusal as a prompt, at the line of the result.
  collector.prompt("don't commit yet", { uuid: "4", line: 9 });
  collector.call(fail("deno task dev", STOP));
  assertEquals(texts(collector.finish().refused), [
    "stopped Bash deno task dev",
    'refused Bash git commit -am x: "don\'t commit yet"',
    '"no, use the session store instead"',
  ]);
  collector.prompt("Can we make it a unit test?", FROM);
  assertEquals(
    texts(collector.finish().refused)[0],
    'stopped Bash deno task dev; the user then wrote: "Can we make it a unit test?"',
  );
  const agreeing = [
    "Update the docs and make sure they build",
    "why not use X instead of Y?",
    "Never mind, that works fine now.",
    "Wait for CI and then merge it please.",
    "Just stop the dev server when you finish.",
    "Don't worry about the docs.",
    "No tests fail now, great work so far.",
  ];
  for (const words of agreeing) assertEquals(refusedOf(["user", words]), []);
  const objecting = [
    "no, that is the wrong file",
    "no don't use a mock",
    "Wait, which branch is this?",
    "wait you changed the wrong file",
    "Stop editing the config.",
    "please stop",
    "Never push to main.",
  ];
  for (const words of objecting) assertEquals(refusedOf(["user", words]), [`"${words}"`]);
});

Deno.test("TrailCollector reports that a run had no tests, and shows the run with the most failures", () => {
  const ran = (command: string, output: string): string[] => commandsOf(bash(command, output));
  assertEquals(ran("go test -run X ./a", NO_TESTS), ["`go test -run X ./a` ran no test"]);
  assertEquals(ran("go test -run X ./build", NO_TESTS), ["`go test -run X ./build` ran no test"]);
  assertEquals(ran("go test ./...", `${NO_TESTS}\nok  \tex.org/b\t0.3s`), ["`go test ./...` ok"]);
  assertEquals(ran("go build ./a && go test -run X ./a", "ok  \tp/a\t0.1s [no tests to run]"), [
    "`go test -run X ./a` ran no test",
    "`go build ./a` ok",
  ]);
  const whole = fail("npm test", "✗ login rejects\n✗ logout waits");
  const part = bash("npm test | grep logout", "✗ logout waits");
  const both = "`npm test` 2 times failed: ✗ login rejects | ✗ logout waits";
  assertEquals(commandsOf(whole, part), [both]);
  const verbose = bash("npm test -- -v | grep logout", "✗ logout waits");
  const fuller = "`npm test` failed: ✗ login rejects | ✗ logout waits";
  assertEquals(commandsOf(whole, verbose), [fuller], "the run that printed both errors is shown");
  const [later = ""] = commandsOf(whole, EDIT, part);
  assert(!later.includes("login rejects"), later);
});

Deno.test("TrailCollector shows errors in unedited files first, and lists the files with further errors", () => {
  const [first, second] = ["a.go:1:2: undefined: x", "b.go:3:4: undefined: y"];
  const more = Array.from({ length: 6 }, (_, n) => `c${n}.go:5:6: undefined: z`);
  const output = ["main.go:1:2: could not import a", first, second, ...more].join("\n");
  const [line = ""] = commandsOf(fail("go build ./...", output), edit("/p/a.go"));
  const shown = [second, ...more.slice(0, 3)].join(" | ");
  assertStringIncludes(line, `failed: ${shown}; also in c3.go, c4.go, c5.go`);
  const types = "a.ts(1,2): error TS1: x\na.ts(3,4): error TS2: y\nb.ts(5,6): error TS3: z";
  assertStringIncludes(
    commandsOf(fail("npx tsc", types), edit("/p/a.ts"))[0] ?? "",
    "failed: b.ts(5,6): error TS3: z | a.ts(1,2): error TS1: x",
  );
  const counted = fail("ruff check .", "old.py:1:8: F401 `os` imported but unused\nFound 1 error.");
  assertStringIncludes(commandsOf(counted)[0] ?? "", "unused | Found 1 error.");
});

Deno.test("TrailCollector shows why an edit was rejected, and its first new line", () => {
  const error = "Found 2 matches of the string to replace, but replace_all is false.\nString: a();";
  const rejected = { ...edit("/p/a.ts", "save();"), isError: true };
  for (const result of [error, `<tool_use_error>${error}</tool_use_error>`]) {
    assertEquals(stoppedOf({ ...rejected, result }), [
      "Edit /p/a.ts → failed: Found 2 matches of the string to replace, but replace_all is false." +
      " (intended edit: save();)",
    ]);
  }
  const long = { ...rejected, result: error + "a();\n".repeat(2_000) };
  const later = edit("/p/a.ts", "store();");
  assertEquals(stoppedOf(long, later), ["Edit /p/a.ts: store();"], "a later edit succeeded");
});

Deno.test("TrailCollector shows no outcome for a call whose result was lost in a compaction", () => {
  const collector = new TrailCollector();
  collector.prompt("Add a test", FROM);
  collector.call(fail("npm test", "FAIL a"));
  collector.call(edit("/p/a.ts"));
  collector.unfinished(bash("npm test"), true);
  const { stopped, commands } = collector.finish();
  const steps = texts(stopped);
  assertEquals(steps.at(-1), "Bash npm test → no result recorded before a compaction");
  const unchecked = "Not run again: `npm test` failed, and 1 edit followed";
  assertEquals(uncheckedIn(commands, "Edit /p/a.ts"), unchecked);
  assertEquals(uncheckedIn(commands, steps.at(-1) ?? ""), "", "the check ran again");
});

Deno.test("TrailCollector shows what an edit without a result would change", () => {
  const collector = new TrailCollector();
  for (const file_path of ["/p/a.ts", "/p/b.ts"]) {
    collector.call(tool("Read", { file_path }, "text"));
  }
  collector.unfinished(edit("/p/a.ts", "let prompt = 1;"));
  const { stopped, read } = collector.finish();
  assertEquals(stopped.at(-1)?.text, "Edit /p/a.ts: let prompt = 1; → no result yet");
  assertEquals(read, ["/p/b.ts"]);
});

Deno.test("TrailCollector lists the plans that the session read only if it wrote none", () => {
  const read = tool("Read", { file_path: "/p/docs/plans/old.md" });
  const written = tool("Write", { file_path: "/p/docs/plans/new.md", content: "# Plan" });
  assertEquals(trailOf(read).plans, ["/p/docs/plans/old.md"]);
  assertEquals(trailOf(read, written).plans, ["/p/docs/plans/new.md"]);
  const done = ["assistant", "All done. Here is a summary."] as const;
  const asked = ["user", "Now the docs"] as const;
  assertEquals(trailOf(written, EDIT, done, asked, read).plans, ["/p/docs/plans/old.md"]);
  assertEquals(trailOf(written, EDIT, done, asked).plans, [], "the plan was carried out");
  for (const file of ["PLAN.md", "docs/plan-v2.md", "/p/login_plan.md", "plans/a.md"]) {
    assertEquals(trailOf(tool("Read", { file_path: file })).plans, [file]);
  }
  for (const file of ["docs/explanation.md", "src/planet.md", "src/plan.ts"]) {
    assertEquals(trailOf(tool("Read", { file_path: file })).plans, []);
  }
});

Deno.test("TrailCollector describes a record from MCP by its title, and a changed one by its short fields", () => {
  const [title, description] = ["Keep the order", "The list loses its order. ".repeat(8).trim()];
  const result = JSON.stringify({
    id: "d629e19c",
    identifier: "APP-12",
    description,
    status: "Backlog",
    projectMilestone: { id: "f0e6", name: "R1" },
    labels: ["Bug", "List"],
    createdAt: "2026-02-07",
  });
  const fields = (about: string): string =>
    `identifier: APP-12; ${about}status: Backlog; projectMilestone: R1; labels: Bug, List`;
  assertEquals(
    stoppedOf(
      tool("mcp__my-tracker__create_issue", { description, title }, result),
      tool("mcp__my-tracker__get_issue", { id: "APP-12" }, result),
    ),
    [
      `mcp__my-tracker__create_issue ${title} → ${fields("")}`,
      `mcp__my-tracker__get_issue APP-12 → ${fields(`description: ${description}; `)}`,
    ],
  );
});

Deno.test("TrailCollector shows the results of MCP calls, and links the items that they created", () => {
  assertEquals(
    stoppedOf(
      tool("mcp__linear__get_issue", { id: "ENT-98" }, '{"title":"Move help"}'),
      tool("mcp__linear__update", { id: "ENT-98" }),
    ),
    ['mcp__linear__get_issue ENT-98 → {"title":"Move help"}', "mcp__linear__update ENT-98"],
  );
  const result = '{"identifier":"ENT-241","url":"https://linear.app/x/issue/ENT-241"}';
  const linksOf = (name: string): readonly string[] => trailOf(tool(name, {}, result)).links;
  assertEquals(linksOf("mcp__linear__create_issue"), ["https://linear.app/x/issue/ENT-241"]);
  assertEquals(linksOf("mcp__linear__get_issue"), []);
});

Deno.test("TrailCollector does not report a filter's or shell's error as a failed check, or a warning as a passed check", () => {
  const errors = "# example.com/p\np/resume.go:160:3: cannot use id as string";
  assertEquals(commandsOf(bash("go build ./... 2>&1 | head -50", errors)), [
    "`go build ./...` failed: p/resume.go:160:3: cannot use id as string",
  ]);
  const warning = "p/a.c:1:2: warning: unused";
  assertEquals(commandsOf(bash("make build 2>&1 | tail", warning)), [
    "`make build` ran, outcome not shown",
  ]);
  const slips = [
    "grep: unrecognized option `--- FAIL'",
    "(eval):1: permission denied:",
    "bash: -c: line 1: syntax error near unexpected token",
  ];
  for (const slip of slips) assertEquals(commandsOf(fail("go test ./... | grep -x", slip)), []);
  assertEquals(commandsOf(fail("gh pr checks 142", "bugbot\tpending")), []);
  const missing = bash("staticcheck --version; ls", "(eval):1: command not found: staticcheck");
  assertEquals(commandsOf(bash("staticcheck ./p | grep SA5011"), missing), []);
  const failed = fail("cd web && npm test", "✗ login rejects");
  const other = bash("cd api && mytool build || true", "bash: mytool: command not found");
  assertEquals(commandsOf(failed, other), ["`cd web && npm test` failed: ✗ login rejects"]);
  const test = fail("node --test", "✗ login rejects");
  const skipped = bash("node run.js", "Target node not found, skipping");
  assertEquals(commandsOf(test, skipped), [
    "`node --test` failed: ✗ login rejects",
    "`node run.js` ok",
  ]);
});

Deno.test("TrailCollector adds the assistant's reply to the user's text in a refusal", () => {
  const repliedAfter = (...steps: Step[]): string =>
    refusedOf(fail("git checkout -b x", `${REFUSAL}check the parent`), ...steps)[0]
      ?.split("the assistant replied: ")[1] ?? "";
  const words = "The parent is main, as it should be.";
  const [ask, reply] = [["user", "check the parent"], ["assistant", words]] as const;
  assertEquals(repliedAfter(ask, reply), `"${words}"`);
  const soon = ["assistant", "Good idea. Let me look at the log:"] as const;
  assertEquals(repliedAfter(soon, reply, ["assistant", "All of the tests pass."]), `"${words}"`);
  assertEquals(repliedAfter(ask, EDIT, reply), "", "the reply may be about the edit");
  assertEquals(repliedAfter(["user", "Now add a test for it"], reply), "");
  assertEquals(
    repliedAfter(ask, bash("git checkout -b x"), reply),
    "",
    "the refused call ran later",
  );
});

Deno.test("TrailCollector notes when a refused call or a similar one was allowed later", () => {
  const refuse = (call: FinishedCall, words = "not now"): FinishedCall => ({
    ...call,
    result: REFUSAL + words,
    isError: true,
  });
  const endOf = (refused: FinishedCall, ...later: FinishedCall[]): string | undefined =>
    refusedOf(refuse(refused), ...later)[0]?.replace(/^[^]*"not now"/, "");
  const later = ", and a later call was allowed";
  const fetch = (name: string): FinishedCall => tool(name, { url: "https://a.example" });
  const add = "git add src/transcript/types.go src/transcript/parse.go && git commit -m";
  assertEquals(endOf(bash("git -C /p read-tree HEAD"), bash("git read-tree HEAD")), later);
  assertEquals(endOf(bash(`${add} 'First'`), bash(`${add} 'Second'`)), later);
  const pushes = ["git push", "git push origin main", "git push --force"].map((one) => bash(one));
  const [push = EDIT, pushTo = EDIT, force = EDIT] = pushes;
  assertEquals(endOf(push, pushTo), ", and a later `git push origin main` was allowed");
  assertEquals(endOf(force, pushTo), "", "a push without --force");
  assertEquals(endOf(force, force), later);
  assertEquals(endOf(bash("git checkout -- ."), bash("git checkout main")), "");
  const commits = ["git add docs/a.md && git commit -m 'A'", "git add src && git commit -m 'B'"];
  assertEquals(
    endOf(bash(commits[0] ?? ""), bash(commits[1] ?? "")),
    "",
    "the later commit has other files",
  );
  assertEquals(endOf(fetch("WebFetch"), fetch("WebFetch")), "");
  assertEquals(endOf(fetch("mcp__web__get"), fetch("mcp__web__get")), later);
  const same = ", and the same edit was allowed later";
  assertEquals(endOf(edit("/p/a.ts"), edit("/p/a.ts"), edit("/p/a.ts")), same);
  // Two edits whose shown lines are equal can still differ in other lines.
  for (const text of ["const title = 1;", "const a = 1;\nconst b = 2;"]) {
    const other = ", and another edit of the file was allowed later";
    assertEquals(endOf(edit("/p/a.ts"), edit("/p/a.ts", text)), other);
  }
  assertEquals(refusedOf(refuse(edit("/p/b.ts")), edit("/p/a.ts")), [
    'refused Edit /p/b.ts (const a = 1;): "not now"',
  ]);
});

Deno.test("TrailCollector does not list a plan as refused if its approval started the next session", () => {
  const plan = tool("ExitPlanMode", { plan: "# Add login" }, STOP, true);
  assertEquals(refusedOf(plan, ["user", "Implement the following plan:\n\n# Add login"]), []);
  assertEquals(refusedOf(plan, ["user", "No, plan the logout"]).length, 1);
});

Deno.test("TrailCollector drops a refusal that only asks a question, once two more prompts follow", () => {
  const refuse = (words: string): FinishedCall =>
    tool("Edit", { file_path: "/p/a.ts", new_string: "b" }, `${REFUSAL}${words}`, true);
  const asked = refuse("before that - are we sure?");
  const [first, second] = [["user", "Look at the log"], ["user", "Good, now write it"]] as const;
  assertEquals(refusedOf(asked, first).length, 1);
  assertEquals(refusedOf(asked, first, second), []);
  assertEquals(refusedOf(asked, first, bash('git commit -m "a"'), second), [], "after a commit");
  assertEquals(refusedOf(refuse("what are you doing?"), first, second).length, 1);
  assertEquals(refusedOf(asked, ["user", "before that - are we sure?"], first).length, 1);
  assertEquals(refusedOf(refuse("never touch a.ts"), first, second).length, 1);
  const push = fail("git push", `${REFUSAL}is it tested?`);
  assertEquals(
    refusedOf(push, first, bash('git commit -m "a"'), second).length,
    1,
    "a commit does not answer a question about a push",
  );
  assertEquals(refusedOf(push, bash('git commit -m "a"'), bash("git push")), [
    'refused Bash git push: "is it tested?", and a later call was allowed',
  ]);
});

Deno.test("TrailCollector does not count commands and skills of trimtab as work on the request", () => {
  const done = [["user", "Build a login"], ["assistant", "Built."]] as const;
  assertEquals(trailOf(...done, bash("ls")).answered, false);
  assertEquals(trailOf(...done, bash("npm test && trimtab checkpoint")).answered, false);
  const saves = [
    bash("trimtab rollover --skill --summary - <<'H'\nx\nH"),
    bash("cd /p && trimtab checkpoint --add - <<'H'\n- [ ] npm test; then push\nH"),
    bash("trimtab snapshot --name done | tail -3"),
    tool("Skill", { skill: "trimtab:save-checkpoint" }),
  ];
  for (const save of saves) {
    assertEquals(trailOf(...done, save).answered, true);
    const collector = new TrailCollector();
    collector.said("Built.", save.from);
    collector.unfinished(save);
    const { answered, stopped } = collector.finish();
    assertEquals(answered, true);
    assertEquals(stopped.filter(({ text }) => text.includes("trimtab")), []);
  }
});

Deno.test("TrailCollector keeps a failure until a run is known to have passed", () => {
  const failed = fail("./test.sh", "✗ login rejects");
  const unseen = bash("./test.sh | tail -50", "Step 1\nStep 2");
  const ended = "ran, outcome not shown, after it failed (✗ login rejects)";
  assertEquals(commandsOf(failed, EDIT, unseen, edit("b.ts"), unseen), [
    `\`./test.sh\` 2 times ${ended} and edits of a.ts, b.ts`,
  ]);
  const still = ["assistant", "The second session is still there, so nothing called it."] as const;
  assertEquals(commandsOf(unseen, still), [
    `\`./test.sh\` ran, outcome not shown; the assistant said: "${still[1]}"`,
  ]);
  const fine = [
    "assistant",
    "Both steps of the script are in the log, as they should be.",
  ] as const;
  assertEquals(commandsOf(unseen, fine), ["`./test.sh` ran, outcome not shown"]);
});

Deno.test("TrailCollector lists names from calls and from text, most used names first", () => {
  const { names } = trailOf(
    ["user", "Make readSettings faster"],
    edit("/p/a.ts", "cachedSettings(readSettings)"),
    callOf({ name: "Grep", input: { pattern: "loadDefaults" }, isSidechain: true }),
  );
  assertEquals(names, ["readSettings", "cachedSettings"]);
  const escaped = edit("/p/a.ts", '"0008NAK\\n0008ACK" + lineOf(a)');
  assertEquals(trailOf(escaped).names, ["lineOf"], "part of an escape sequence is not a name");
});

Deno.test("TrailCollector leaves out names that a search did not find", () => {
  const said = ["assistant", "It is openRows or closeRows."] as const;
  const steps = [said, grep("openRows", "No matches found"), grep("closeRows", "a.ts:1:closeRows")];
  assertEquals(trailOf(...steps).names, ["closeRows"]);
  assertEquals(trailOf(...steps, ["assistant", "I add openRows now."]).names.length, 2);
});

Deno.test("TrailCollector leaves out names that an edit only repeats, and old names", () => {
  const input = {
    file_path: "/p/a.ts",
    old_string: "open(lineLimit)\nreadRows(lineLimit, rowLimit)",
    new_string: "open(lineLimit)\nreadRows(lineLimit, rowLimit, cellLimit)",
  };
  assertEquals(trailOf(callOf({ name: "Edit", input })).names, ["cellLimit"]);
  const later = Array.from({ length: 100 }, () => ["assistant", "On to the next one."] as const);
  assertEquals(trailOf(["assistant", "I renamed openRows."], ...later).names, []);
  const cut = "word ".repeat(817) + "openTheSecondRow";
  assertEquals(trailOf(["assistant", cut]).names, [], "only part of the name was read");
});

Deno.test("TrailCollector reports the branch, pull requests, plans, and the files that were only read", () => {
  const collector = new TrailCollector();
  const files = ["/p/a.ts", "/p/b.ts", "/p/a.ts", "/p/old.ts", "/p/plans/old.md"];
  for (const file_path of [...files, "/p/plans/login.md"]) {
    collector.call(tool("Read", { file_path }));
  }
  collector.call(bash("rm old.ts && git rm -q plans/old.md"));
  collector.call(tool("Write", { file_path: "/p/b.ts", content: "b" }));
  collector.call(bash("git push -u origin x", "remote: https://github.com/o/r/pull/7\n"));
  collector.call(bash("cat README.md", "https://github.com/o/r/pull/8"));
  const listed = "https://github.com/o/r/pull/9 https://github.com/o/r/pull/10";
  collector.call(bash("gh pr list --json url", listed));
  collector.branch("main", true);
  collector.branch("feature/login", true);
  const byAgent = { file_path: "/p/by_an_agent.ts" };
  collector.call(callOf({ name: "Read", input: byAgent, isSidechain: true }));
  const { branch, links, plans, read } = collector.finish();
  assertEquals({ branch, links, plans, read }, {
    branch: "feature/login",
    links: ["https://github.com/o/r/pull/7"],
    plans: ["/p/plans/login.md"],
    read: ["/p/plans/login.md", "/p/a.ts"],
  });
});

Deno.test("TrailCollector reports the branch that git printed last in the session's folder", () => {
  const rows = [
    ["git commit -m x", "[stream 1a2b3c4] x\n 1 file changed", "stream"],
    ["git status", "On branch stream\nnothing to commit", "stream"],
    ["git switch -c stream", "Switched to a new branch 'stream'", "stream"],
    ["cd ../other && git status", "On branch other", "main"],
    ["git -C /other status", "On branch other", "main"],
    ["git checkout v1", "HEAD is now at 1a2b3c4", "main"],
    [
      "git checkout v1",
      "Note: switching to 'v1'.\n\nYou are in 'detached HEAD' state.",
      "detached HEAD",
    ],
    ["git status", "HEAD detached at 1a2b3c4\nnothing to commit", "detached HEAD"],
    ["git commit -m x", "[detached HEAD 1a2b3c4] x\n 1 file changed", "detached HEAD"],
    ["git rebase y", "Rebasing (1/1)Successfully rebased and updated refs/heads/x.", "x"],
    ["git rebase y", "Successfully rebased and updated detached HEAD.", "detached HEAD"],
  ] as const;
  for (const [command, result, branch] of rows) {
    const collector = new TrailCollector();
    collector.branch("main", true);
    collector.call(bash(command, result));
    assertEquals(collector.finish().branch, branch, command);
  }
});

Deno.test("TrailCollector reports that the branch was changed outside the session", () => {
  const beforeAfter = (...events: (FinishedCall | string)[]): string | undefined => {
    const collector = new TrailCollector();
    collector.branch("main", true);
    for (const event of events) {
      if (typeof event !== "string") collector.call(event);
      else if (event.endsWith("?")) collector.prompt(event, FROM);
      else if (event.startsWith("! ")) collector.shell(event.slice(2), FROM);
      else collector.branch(event, true);
    }
    return collector.finish().branch_before;
  };
  const [test, quiet] = [bash("npm test"), bash("git checkout -q -b fix")];
  assertEquals(beforeAfter(test, "fix"), "main");
  assertEquals(beforeAfter("fix"), undefined, "no work was done on the other branch");
  assertEquals(beforeAfter(test, quiet, "fix"), undefined);
  assertEquals(
    beforeAfter(quiet, "And now?", "fix"),
    undefined,
    "the client recorded the new branch late",
  );
  assertEquals(beforeAfter(quiet, "And now?", "fix", "And?", "next"), "fix");
  assertEquals(beforeAfter(bash("git rebase -q x y"), "y"), undefined);
  assertEquals(beforeAfter(test, "! git checkout fix", "fix"), undefined);
  const switched = bash("git switch next", "Switched to branch 'next'");
  assertEquals(beforeAfter(test, "fix", switched), undefined);
});

Deno.test("TrailCollector redacts credentials in all texts", () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const text = JSON.stringify(trailOf(
    ["user", `no, use ${token}`],
    ["assistant", `${"word ".repeat(400)}${token} ${"word ".repeat(400)}${token}`],
    fail(`npm test ${token}`, `Error: ${token} is wrong`),
    edit(`/p/${token}`, `const key = "${token}"`),
    tool("Read", { file_path: `/p/plans/${token}` }),
    fail(`curl ${token}`, `The user doesn't want to proceed. the user said:\nnot ${token}`),
  ));
  assert(!text.includes(token));
  assert(text.includes("[redacted: "));
});

Deno.test("TrailCollector keeps even a very short answer, but drops an answer without a letter or digit", () => {
  for (const answer of ["4", "A6", "42", "3/5", "是"]) {
    const steps = stoppedOf(["user", "how many?"], ["assistant", answer]);
    assertEquals(steps, ["User: how many?", `Assistant: ${answer}`]);
  }
  assertEquals(stoppedOf(["user", "how many?"], ["assistant", "…"]), ["User: how many?"]);
});

Deno.test("TrailCollector keeps a short block of commands after a colon as part of the sentence", () => {
  // An answer with this much text is shown without its code.
  const words =
    "The page shows what each routine waits for and how long it waits. The longest wait " +
    "is at the top, and a click on it shows the lines of the program behind it.";
  const said = (block: string): string =>
    stoppedOf(["assistant", `You can look at the trace now:\n\n${block}\n\n${words}`]).join();
  const start = "Assistant: You can look at the trace now:";
  assertEquals(
    said("```bash\nTRACE=t.out ./app help\ngo tool trace t.out\n```"),
    `${start} \`TRACE=t.out ./app help\` \`go tool trace t.out\` ${words}`,
  );
  assertEquals(said("```ts\nconst a = 1;\n```"), `${start} […] ${words}`);
  assertEquals(said("```\none\ntwo\nthree\n```"), `${start} […] ${words}`);
});

Deno.test("TrailCollector shows the user's own commands as typed", () => {
  const collector = new TrailCollector();
  collector.shell("git status", FROM);
  assertEquals(texts(collector.finish().stopped), ["User: ! git status"]);
});

Deno.test("TrailCollector leaves out a passed check that a later check includes", () => {
  const narrow = bash("go test ./a/b/... -v", "ok a/b 0.1s");
  const all = bash("go test ./...", "ok a 0.1s");
  const lines = (...steps: Step[]): string[] =>
    commandsOf(...steps).map((text) => text.split("`")[1] ?? "");
  assertEquals(lines(narrow, all), ["go test ./..."]);
  assertEquals(lines(all, narrow), ["go test ./a/b/... -v", "go test ./..."]);
});

Deno.test("TrailCollector lists the checks of a plan that did not run", () => {
  const plan = "# Plan: A login\n## Changes\nRun `deno task build` for the page\n" +
    "## Verification\n1. `deno task lint` and `deno task test`\n" +
    "```sh\nnpm run e2e\nls out\n```\n```go\nlog.Print()\n```";
  const approved = tool("ExitPlanMode", { plan });
  const unrun = "is in the plan, but was not seen to run";
  const open = (...steps: Step[]): string[] =>
    commandsOf(...steps).filter((text) => text.endsWith(unrun));
  assertEquals(open(approved).length, 3);
  assertEquals(open(approved, EDIT, bash("deno task lint", "ok"), bash("npm run e2e | tail -1")), [
    `\`deno task test\` ${unrun}`,
  ]);
  const whole = bash("deno task test:ci", "3 passed");
  assertEquals(
    open(approved, EDIT, bash("deno task lint", "ok"), bash("npm run e2e"), whole),
    [],
    "the wider check includes the test",
  );
  const failed = fail("deno task test:ci", "1 failed");
  assertEquals(open(approved, EDIT, bash("deno task lint", "ok"), bash("npm run e2e"), failed), [
    `\`deno task test\` ${unrun}`,
  ]);
  const refused = fail("deno task lint", `${REFUSAL}not now`);
  assertEquals(open(approved, EDIT, refused), [
    `\`deno task test\` ${unrun}`,
    `\`npm run e2e\` ${unrun}`,
  ], "a refused check is not open work");
  const stopped = fail("deno task lint", "[Request interrupted by user for tool use]");
  assertEquals(open(approved, EDIT, stopped).length, 3);
  assertEquals(open(["user", `Implement the following plan:\n\n${plan}`], EDIT).length, 3);
  assertEquals(open(EDIT, ["user", plan], EDIT), [], "the plan was not approved");
});

Deno.test("TrailCollector lists the open parts of a plan that the session wrote", () => {
  const content = "# Fallback\n### Task 1\n**Files:**\n- Modify: `src/a.ts:8-16`\n" +
    "- Test: `src/a_test.ts`\n\nRun: `npm test -- a`\nExpected: FAIL\n```bash\nRun: `x`\n```\n";
  const write = tool("Write", { file_path: "/p/docs/plans/a.md", content });
  const open = (...steps: Step[]): string[] =>
    commandsOf(write, ...steps).filter((text) => text.includes(" is in the plan"));
  const [test, file] = [
    "`npm test -- a` is in the plan, but was not seen to run",
    "`src/a_test.ts` is in the plan, but was not seen to be edited",
  ];
  assertEquals(open(), [test], "the plan is the newest work");
  assertEquals(open(edit("/p/b.ts")), [], "other work followed");
  assertEquals(open(edit("/p/src/a.ts")), [test, file]);
  assertEquals(open(edit("/p/src/a.ts"), bash("npm test", "3 passed")), [file]);
  const ready = ["assistant", "The plan is done. Shall I start?"] as const;
  assertEquals(open(edit("/p/src/a.ts"), ready, ["user", "yes"]), [test, file]);
  const own = tool("Write", { file_path: "/h/.claude/plans/a.md", content });
  assertEquals(commandsOf(own, edit("/p/src/a.ts")), [], "the user has not approved it");
});

Deno.test("TrailCollector lists the checks of a file that was read, unless a check ran", () => {
  const manifest =
    '     1\t{"scripts": {\n     2\t  "test:unit": "vitest",\n     3\t  "start": "vite"\n}}\n' +
    '"devDependencies": {\n  "lint-staged": "^15.0.0"\n}';
  const guide = "Run the tests:\n```\ngo test ./...\n```\n- Before a push: `mise run lint`\n" +
    "- Go is required, go to the site.\n";
  const workflow = "jobs:\n  - run: echo hello\n  - run: cargo test --all\n";
  const read = (file_path: string, text: string): FinishedCall => tool("Read", { file_path }, text);
  const edited = edit("/p/src/a.ts");
  const listed = "`npm run test:unit` from package.json, not run here";
  assertEquals(commandsOf(read("/p/package.json", manifest), edited), [listed]);
  assertEquals(commandsOf(read("/p/AGENTS.md", guide), edited), [
    "`go test ./...` from AGENTS.md, not run here",
    "`mise run lint` from AGENTS.md, not run here",
  ]);
  assertEquals(commandsOf(read("/p/.github/workflows/ci.yml", workflow), edited), [
    "`cargo test --all` from ci.yml, not run here",
  ]);
  assertEquals(commandsOf(read("/p/package.json", manifest)), [], "nothing was edited");
  const ran = commandsOf(read("/p/package.json", manifest), edited, bash("npm test", "3 passed"));
  assertEquals(ran.some((text) => text.includes("test:unit")), false);
});

Deno.test("TrailCollector lists the files of a plan that were not edited, until a commit", () => {
  const plan = "# Plan\n## Critical Files\n### Files to Modify\n- `src/a.ts` - the name\n" +
    "- **src/b.ts**: see `src/z.ts`\n### 3. `docs/c.md`\n**`d_test.ts`:**\n| `e.json` | new |\n" +
    "```\n- `f.ts`\n```\n## Notes\n- `g.ts` stays\n**File:** `h.go`\n" +
    "## Critical Files\n### Files Referenced (No Changes)\n- `i.ts`\n";
  const approved = tool("ExitPlanMode", { plan });
  const open = (...steps: Step[]): string[] =>
    commandsOf(approved, ...steps).flatMap((text) =>
      /^`(.*)` is in the plan, but was not seen to be edited$/.exec(text)?.[1] ?? []
    );
  assertEquals(open(), []);
  assertEquals(open(edit("/p/other.ts")), [], "the work on these files has not begun");
  const all = ["src/b.ts", "docs/c.md", "d_test.ts", "e.json", "h.go"];
  assertEquals(open(edit("/p/src/a.ts")), all);
  const others = ["src/a.ts", ...all].filter((file) => file !== "d_test.ts");
  assertEquals(open(edit("/p/xsrc/a.ts"), edit("/p/d_test.ts")), others);
  assertEquals(open(edit("/p/src/a.ts"), bash("git commit -m x")), []);
  const done = ["assistant", "All done. Here is a summary."] as const;
  assertEquals(open(edit("/p/src/a.ts"), done, ["user", "Now the docs"]), []);
});

Deno.test("TrailCollector does not clear a failure when other tests run, or count --help as a run", () => {
  const commands = commandsOf(
    fail("go test ./a -run TestOne", "--- FAIL: TestOne"),
    bash('go test ./a -run "TestTwo" -v', "ok  \tex.org/a\t0.1s"),
    fail("golangci-lint run ./...", "unknown linter"),
    bash("golangci-lint run --help"),
    fail("cd /other", "cd in '/other' was blocked. It may only change to child folders"),
    fail("cd /b && npm run fmt", "cd to '/b' was blocked. For security, it may only"),
    fail("npm run lint", "Claude requested permissions to use Bash, but they were not granted"),
  );
  assertEquals(commands, [
    "`golangci-lint run ./...` failed: unknown linter",
    '`go test ./a -run "TestTwo" -v` ok',
    "`go test ./a -run TestOne` failed: --- FAIL: TestOne",
    "`golangci-lint run --help` ok",
  ]);
});

Deno.test("TrailCollector shows the results of searches and reads for a request without an answer", () => {
  const asked = ["user", "Where is parseHeader called?"] as const;
  const hits = "a.ts:1: // header\nb_test.ts:2: parseHeader(x)\nc.ts:3: parseHeader(y)";
  const file = "  1\timport x\n  7\tconst rows = parseHeader(text);\n  8\t}";
  const search = grep("parseHeader", hits);
  const read = tool("Read", { file_path: "/p/c.ts" }, file);
  const cover = bash("go tool cover -func x", "c.go:3: parseHeader 66.7%\nother 3%\ntotal 40%");
  assertEquals(stoppedOf(asked, search, read, cover), [
    "User: Where is parseHeader called?",
    "Grep parseHeader → 3 lines: c.ts:3: parseHeader(y) | b_test.ts:2: parseHeader(x) | a.ts:1: // header",
    "Read /p/c.ts → 7: const rows = parseHeader(text);",
    "Bash go tool cover -func x → c.go:3: parseHeader 66.7% | other 3% | total 40%",
  ]);
  const [, , afterAnswer] = stoppedOf(asked, search, read, ["assistant", "It is called in c.ts."]);
  assertEquals(afterAnswer, "Read /p/c.ts", "the answer contains the line");
  const [, , beforeEdit] = stoppedOf(asked, search, read, EDIT, cover);
  assertEquals(beforeEdit, "Read /p/c.ts", "the edit may have changed the line");
});

Deno.test("TrailCollector shows more of the last result while the assistant has not commented on it", () => {
  const api = bash(
    "gh api repos/o/r/pulls/7/comments --jq '.[]'",
    ["parser", "writer", "README"].map((file) => `{"file":"${file}","body":"${"why ".repeat(80)}"}`)
      .join("\n"),
  );
  const [step = "", answered = ""] = [stoppedOf(api)[0], stoppedOf(api, ["assistant", "Done."])[0]];
  for (const file of ["parser", "writer", "README"]) assertStringIncludes(step, `"${file}"`);
  assert(step.length < 850, `${step.length} characters`);
  assert(answered.length < 250, answered);
  const hits = [1, 2, 3, 4, 5].map((line) => `a.ts:${line}: run()`);
  assertEquals(stoppedOf(grep("x", hits.join("\n"))), [`Grep x → 5 lines: ${hits.join(" | ")}`]);
  const imports = '4:import (\n5-\t"fmt"\n6-\n7-\t"app/store-2/keys"\n8-)';
  assertEquals(stoppedOf(grep("x", imports)), [
    'Grep x → 1 line: 4:import ( | "fmt" | "app/store-2/keys" | )',
  ]);
  const rows = ["row 1", "row 2", "row 3"];
  for (
    const [command, shown] of [["cat rows.txt", rows.slice(1)], ["go run ./bench", rows]] as const
  ) {
    assertEquals(stoppedOf(bash(command, rows.join("\n"))), [
      `Bash ${command} → ${shown.join(" | ")}`,
    ]);
  }
  const status = "On branch main\nChanges not staged for commit:\n" +
    '  (use "git add <file>..." to update)\n\tmodified:   a.ts\n';
  assertEquals(stoppedOf(bash("git status", status)), [
    "Bash git status → On branch main | Changes not staged for commit: | modified: a.ts",
  ]);
});

Deno.test("TrailCollector marks the gaps in a last result", () => {
  const lines = Array.from({ length: 12 }, (_, n) => `row ${n}`);
  const inspect = bash("go run ./inspect", lines.join("\n"));
  assertEquals(stoppedOf(inspect), [
    "Bash go run ./inspect → row 7 | row 8 | row 9 | row 10 | row 11",
  ]);
  const asked = ["user", "What is in parseHeader?"] as const;
  const [, named] = stoppedOf(
    asked,
    bash("go run ./inspect", `row 0 parseHeader\n${lines.slice(1).join("\n")}`),
  );
  assertEquals(
    named,
    "Bash go run ./inspect → row 0 parseHeader | […] | row 8 | row 9 | row 10 | row 11",
  );
});

Deno.test("TrailCollector counts gh api writes by endpoint", () => {
  const api = "gh api repos/o/r/pulls/7/comments";
  const reply = (id: number) => `${api}/${id}/replies -f body="Fixed in 1a2b3c4"`;
  const both = `# The first two\n${reply(2734887101)}\n${reply(2734887102)}`;
  const posted = bash(both, '{"id":1}{"id":2}');
  assertEquals(commandsOf(posted, bash(reply(2734887103), '{"id":3}')), [
    "`gh api repos/o/r/pulls/7/comments/…/replies -f body=…` 3 times ok",
  ]);
  const closed = bash("gh api --method PATCH repos/o/r/issues/7 -f state=closed", "{}");
  assertEquals(commandsOf(closed), ["`gh api --method PATCH repos/o/r/issues/7 -f state=…` ok"]);
  const failed = bash(`${reply(2734887104)}\necho done`, "gh: Not Found (HTTP 404)\ndone");
  assertEquals(commandsOf(failed), ["`gh api repos/o/r/pulls/7/comments/…/replies -f body=…` ran"]);
  const queries = [`${api} --jq '.[].body'`, "gh api graphql -f query='query { viewer { id } }'"];
  for (const query of queries) assertEquals(isApiWrite(query), false, query);
  assertEquals(isApiWrite("gh api graphql -f query='mutation { a }'"), true);
});

Deno.test("TrailCollector reports that a gh api write succeeded after failed attempts", () => {
  const api = "gh api repos/o/r/pulls/7/comments";
  const missing = fail(`${api}/2734887101 --method POST -f body=Noted`, "gh: Not Found (HTTP 404)");
  const wrong = fail(`${api} -f body=Noted -f in_reply_to=2734887101`, "gh: Invalid (HTTP 422)");
  const posted = bash(`${api} -X POST -F in_reply_to=2734887101 -F body=Noted`, '{"id":3}');
  const [failed] = commandsOf(missing, wrong);
  assertEquals(
    failed,
    "`gh api repos/o/r/pulls/7/comments -f body=…` failed: gh: Invalid (HTTP 422)",
  );
  assertEquals(commandsOf(missing, wrong, posted), [
    "`gh api --method POST repos/o/r/pulls/7/comments/… -f body=…` failed: gh: Not Found (HTTP 404)" +
    "; since then `gh api -X POST repos/o/r/pulls/7/comments -F in_reply_to=…` passed",
    "`gh api -X POST repos/o/r/pulls/7/comments -F in_reply_to=…` ok, after " +
    "`gh api repos/o/r/pulls/7/comments -f body=…` failed (gh: Invalid (HTTP 422))",
  ]);
  const other = bash("gh api repos/o/r/issues/9/comments -f body=Noted", '{"id":3}');
  assertEquals(commandsOf(missing, other).join().includes("since then"), false, "another endpoint");
});

Deno.test("TrailCollector leaves out checks that ran while work was stashed", () => {
  const test = bash("npm test", "1 passed");
  const stashed = fail("git stash && npm test", "3 failed");
  assertEquals(commandsOf(test, stashed), ["`npm test` ok; before `git stash`"]);
  const [push, pop] = [bash("git stash push -u"), bash("git stash pop")];
  assertEquals(commandsOf(push, test, pop), []);
  const nothing = bash("git stash", "No local changes to save");
  assertEquals(commandsOf(nothing, test), ["`npm test` ok"]);
  const line = "git stash && git checkout main";
  const refused = fail(line, "Exit code 128\nNo local changes to save\nfatal: 'main' is in use");
  assertEquals(commandsOf(refused), ["`git checkout main` failed: fatal: 'main' is in use"]);
  assertEquals(commandsOf(test, nothing)[0], "`npm test` ok", "there was nothing to stash");
  assertEquals(commandsOf(fail("git stash pop", "CONFLICT in a.ts")), [
    "`git stash pop` failed: CONFLICT in a.ts",
  ]);
  const [again] = commandsOf(push, test, pop, fail("npm test", "2 failed"));
  assertEquals(again, "`npm test` failed: 2 failed");
  assertEquals(commandsOf(push, EDIT, test)[0], "`npm test` ok", "the stash was not restored");
  assertEquals(commandsOf(bash("git stash list"), test)[0], "`npm test` ok");
  const [failing, noStash] = [fail("npm test", "2 failed"), "fatal: not a git repository"];
  for (const stash of [fail("git stash", noStash), bash("cd ../lib && git stash")]) {
    assertStringIncludes(commandsOf(test, stash, failing).join(), "`npm test` failed: 2 failed");
  }
});
