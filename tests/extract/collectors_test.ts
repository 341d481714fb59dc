import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { extractFromEntries } from "../../src/extract/extract_state.ts";
import { MAX_FIRST_CHARS, MAX_LATER_CHARS } from "../../src/extract/requirements.ts";
import type { WorkState } from "../../src/core/work_state.ts";
import { call, type Fields, numbered, prompt, said } from "./events.ts";

function stateOf(...entries: readonly (Fields | readonly Fields[])[]): WorkState {
  return extractFromEntries(numbered(...entries));
}

function edit(file: string, before: string, after: string, more: Fields = {}): Fields[] {
  return call("Edit", { file_path: file, old_string: before, new_string: after }, { ...more });
}

function run(command: unknown, result = "", isError = false): Fields[] {
  return call("Bash", { command }, { result, isError });
}

function fail(command: string, result: string): Fields[] {
  return run(command, result, true);
}

function patch(newStart: number, ...lines: string[]): { structuredPatch: unknown[] } {
  return { structuredPatch: [{ oldStart: newStart, newStart, lines }] };
}

Deno.test("RequirementCollector keeps the first prompt, then the newest with content", () => {
  const later = Array.from({ length: 40 }, (_, index) => prompt(`Also do number ${index}.`));
  const { requirements } = stateOf(prompt("Build a login."), prompt("yes"), prompt("2"), ...later);
  assertEquals(requirements.length, 31);
  assertEquals(requirements[0], { text: "Build a login.", from: { uuid: "u1", line: 1 } });
  assertEquals(requirements[1]?.text, "Also do number 10.");
  assertEquals(requirements.at(-1)?.text, "Also do number 39.");
});

Deno.test("RequirementCollector limits the number of requirements, and keeps each once", () => {
  const { requirements } = stateOf(
    prompt("a".repeat(10_000)),
    prompt("b".repeat(10_000)),
    prompt("Run the tests."),
    prompt("Push it."),
    prompt("Run the tests."),
    prompt("a".repeat(10_000)),
  );
  assertEquals(requirements.map(({ text }) => text.length), [
    MAX_FIRST_CHARS,
    MAX_LATER_CHARS,
    8,
    14,
  ]);
});

Deno.test("ChangeCollector reports created and changed files with their counts and lines", () => {
  const { changes } = stateOf(
    said("I looked around.\n\nThe parser drops the last line, so I add a flush."),
    call("Edit", { file_path: "/p/a.ts" }, {
      mirror: patch(10, " one", "-two", "+import x;", "+flush();", " three"),
    }),
    call("Write", { file_path: "/p/new.ts", content: "a\nb\n" }, { mirror: { type: "create" } }),
    call("Edit", { file_path: "/p/a.ts" }, { mirror: patch(3, " x", "+const late = 1;") }),
    call("MultiEdit", { file_path: "/p/m.ts", edits: [{ old_string: "", new_string: "made();" }] }),
    call("NotebookEdit", { notebook_path: "/p/n.ipynb", new_source: "print(1)" }),
  );
  const facts = changes.map(({ file, action, count, first_line, last_line, what }) =>
    [file, action, count, first_line, last_line, what] as const
  );
  assertEquals(facts, [
    ["/p/n.ipynb", "modified", 1, null, null, "print(1)"],
    ["/p/m.ts", "modified", 1, null, null, "made();"],
    ["/p/a.ts", "modified", 2, 4, 12, "const late = 1;"],
    ["/p/new.ts", "created", 1, 1, 2, ""],
  ]);
  assertEquals(changes.map(({ why }) => why), [
    "",
    "",
    "The parser drops the last line, so I add a flush.",
    "",
  ]);
});

Deno.test("ChangeCollector leaves out changes that failed, were refused or did not end", () => {
  const [open = {}] = call("Write", { file_path: "/open.ts", content: "x" });
  const { changes } = stateOf(
    edit("/failed.ts", "a", "b", { isError: true, result: "String to replace not found" }),
    open,
    call("Read", { file_path: "/read.ts" }),
    call("Edit", { file_path: 7 }),
    call("Write", { file_path: "" }),
  );
  assertEquals(changes, []);
});

Deno.test("ChangeCollector reports a subagent's change, without the assistant's text", () => {
  const { changes } = stateOf(
    said("Now the agent."),
    edit("/a.ts", "a", "bcd", { more: { isSidechain: true } }),
  );
  assertEquals(changes.map(({ file, why }) => [file, why]), [["/a.ts", ""]]);
});

Deno.test("ChangeCollector assigns text to the file edited after it, and to the files that it names", () => {
  const { changes } = stateOf(
    said("I fix a.ts and b.ts."),
    edit("/a.ts", "a", "b"),
    edit("/c.ts", "a", "b"),
    edit("/b.ts", "a", "b"),
    prompt("Now something else."),
    edit("/d.ts", "a", "b"),
  );
  const why = Object.fromEntries(changes.map((change) => [change.file, change.why !== ""]));
  assertEquals(why, { "/a.ts": true, "/b.ts": true, "/c.ts": false, "/d.ts": false });
});

Deno.test("ChangeCollector places removed lines at their old position", () => {
  const { changes } = stateOf(call("Edit", { file_path: "/a" }, {
    mirror: patch(7, " x", "-gone", "\\ No newline at end of file"),
  }));
  assertEquals(changes.map(({ first_line, last_line }) => [first_line, last_line]), [[8, 8]]);
});

Deno.test("ChangeCollector counts Write over an existing file as a change", () => {
  const { changes } = stateOf(
    call("Write", { file_path: "/a", content: "x" }, {
      mirror: { type: "update", structuredPatch: [] },
    }),
    call("Write", { file_path: "/b", content: "x" }, {
      result: "File created successfully at: /b",
    }),
  );
  assertEquals(changes.map(({ action }) => action), ["created", "modified"]);
});

Deno.test("CommitCollector recognizes commits by git's output, else by the command", () => {
  const { commits } = stateOf(
    run("git commit -m 'First'", "[main (root-commit) 1a2b3c4] First\n 1 file"),
    run('git add . && git -C /p commit -qam "Quiet one"', ""),
    run("git commit -q -m \"$(cat <<'EOF'\nFrom a document\n\nBody\nEOF\n)\""),
    run(
      "git commit -q -F - <<'EOF' && git log --oneline -2\nBy a pipe\n\nBody\nEOF",
      "5e6f7a8 (HEAD -> main) By a pipe\n1a2b3c4 First",
    ),
    run("git commit -m 'Failed'", "nothing to commit", true),
    run("git commit --dry-run -m 'Dry'"),
    run("git log --grep commit"),
    run(7),
  );
  assertEquals(commits.map(({ hash, message }) => [hash, message]), [
    ["5e6f7a8", "By a pipe"],
    ["", "From a document"],
    ["", "Quiet one"],
    ["1a2b3c4", "First"],
  ]);
});

Deno.test("CommitCollector lists no commit that was amended or undone", () => {
  const messages = (...commands: string[]): string[] =>
    stateOf(...commands.map((command) => run(command)))
      .commits.map(({ message }) => message);
  const [first, second] = ["git commit -qm First", "git commit -qm 'Second'"];
  assertEquals(messages(first, second), ["Second"]);
  const both = ["git commit -qm 'First one'", second];
  assertEquals(messages(...both, "git commit -q --amend -m 'Better'"), ["Better", "First one"]);
  assertEquals(messages(...both, "git commit -q --amend --no-edit"), ["Second", "First one"]);
  assertEquals(messages(...both, "git reset --soft HEAD~1"), ["First one"]);
  assertEquals(messages(...both, "git reset HEAD~2 && git commit -qm 'Both'"), ["Both"]);
  const scratch = [
    "cd /tmp/x && git init && git commit -qm 'Try'",
    "cd /tmp; git commit -qm 'Try'",
  ];
  for (const command of scratch) assertEquals(messages(command), [], command);
  assertEquals(messages("cd /var/www/app && git commit -qm 'Real'"), ["Real"]);
  assertEquals(messages(...both, "git reset HEAD~0").length, 2);
  assertEquals(messages(...both, "git reset HEAD^ a.ts").length, 2);
});

Deno.test("CommitCollector follows commits that a continued rebase recreates", () => {
  const { commits } = stateOf(
    run("git commit -qm 'Add it'", "[main 1111111] Add it"),
    run("git commit -qm 'Mend it'", "[main 2222222] Mend it"),
    run("git add . && git rebase --continue", "[detached HEAD 3333333] Mend it\n 1 file changed"),
  );
  assertEquals(commits.map(({ hash, message }) => `${hash} ${message}`), [
    "3333333 Mend it",
    "1111111 Add it",
  ]);
});

Deno.test("CommitCollector counts the commits that were not pushed", () => {
  const unpushed = (...commands: string[]): number | undefined =>
    stateOf(...commands.map((command) => run(command)))
      .trail?.unpushed;
  const commit = "git commit -qm 'One more'";
  assertEquals(unpushed(commit, commit), 2);
  const byAgent = call("Bash", { command: commit }, { more: { isSidechain: true } });
  assertEquals(stateOf(byAgent).commits.length, 1, "an agent works in the same tree");
  assertEquals(unpushed(commit, "git push", commit), 1);
  assertEquals(unpushed(`${commit} && git push -u origin x`), 0);
  assertEquals(unpushed(commit, "git push", "git commit -q --amend -m 'Better'"), 1);
  assertEquals(unpushed(commit, "git push --dry-run", "git stash push"), 1);
  assertEquals(unpushed(commit, "git reset HEAD~1"), 0);
  assertEquals(unpushed(commit, commit, "git reset --hard origin/x"), 0);
  assertEquals(unpushed(commit, "git reset --hard", "git reset --hard HEAD"), 1);
  const pushed = "On branch x\nYour branch is up to date with 'origin/x'.\n";
  const made = run(commit);
  assertEquals(stateOf(made, run("git status", pushed)).trail?.unpushed, 0);
  const clean = `${pushed}\nnothing to commit, working tree clean`;
  const changed = edit("/p/a.ts", "x", "y");
  assertEquals(stateOf(changed, run("git status", pushed)).trail?.uncommitted, 1);
  assertEquals(stateOf(changed, run("git status", clean)).trail?.uncommitted, 0);
  assertEquals(stateOf(edit("/p/.git/hooks/post-commit", "x", "y")).trail?.uncommitted, 0);
  const temporary = edit("/tmp/try/a.ts", "x", "y");
  assertEquals(
    stateOf(changed, temporary).trail?.uncommitted,
    1,
    "the file is outside of any project",
  );
  const macEdit = edit("/var/folders/x1/T/notes.md", "x", "y");
  assertEquals(stateOf(changed, macEdit).trail?.uncommitted, 1, "a temporary folder of macOS");
  assertEquals(stateOf(temporary).trail?.uncommitted, 1, "the project itself");
});

Deno.test("TodoCollector keeps the last list with the state of each item", () => {
  const todos = [
    { content: "Parse", status: "completed" },
    { content: "Print", status: "in_progress" },
    { content: "Ship", status: "pending" },
    { content: 7 },
  ];
  const { next_steps } = stateOf(
    call("TodoWrite", { todos: [{ content: "Old", status: "pending" }] }),
    call("TodoWrite", { todos }),
    call("TodoWrite", { todos: [{ content: "Refused" }] }, { isError: true }),
    call("TodoWrite", { todos: [{ content: "Agent's" }] }, { more: { isSidechain: true } }),
    call("TodoWrite", {}),
  );
  assertEquals(next_steps.map(({ step, status }) => [step, status]), [
    ["Parse", "completed"],
    ["Print", "in_progress"],
    ["Ship", "pending"],
  ]);
});

Deno.test("TodoCollector follows tasks through their updates, a deletion and a reminder", () => {
  const create = (id: string, subject: string): Fields[] =>
    call("TaskCreate", { subject }, { mirror: { task: { id, subject } } });
  const { next_steps } = stateOf(
    call("TodoWrite", { todos: [{ content: "Older list", status: "pending" }] }),
    create("1", "Parse"),
    create("2", "Print"),
    call("TaskCreate", { subject: "Ship" }, { result: "Task #3 created successfully: Ship" }),
    call("TaskUpdate", { taskId: "1", status: "completed" }, { mirror: { success: true } }),
    call("TaskUpdate", { taskId: "2", status: "deleted" }, { mirror: { success: true } }),
    call("TaskUpdate", { taskId: "3", subject: "Ship it" }),
    call("TaskUpdate", { taskId: "9", status: "completed" }, { mirror: { success: false } }),
    call("TaskUpdate", { taskId: "8", status: "completed" }),
    call("TaskList", {}, {
      mirror: { tasks: [{ id: "3", subject: "Ship it", status: "in_progress" }, 7] },
    }),
    { type: "attachment", attachment: { type: "task_reminder", content: [] } },
  );
  assertEquals(next_steps.map(({ step, status }) => [step, status]), [
    ["Parse", "completed"],
    ["Ship it", "in_progress"],
  ]);
});

Deno.test("TodoCollector follows tasks that the client no longer knows, and an empty list", () => {
  const forgotten = { mirror: { success: false }, result: "Task not found" };
  const created = ["Parse", "Print"].map((subject, n) =>
    call("TaskCreate", { subject }, { mirror: { task: { id: `${n + 1}`, subject } } })
  );
  const steps = (...more: Fields[][]): string[] =>
    stateOf(...created, ...more).next_steps.map(({ step, status }) => `${step} ${status}`);
  const done = call("TaskUpdate", { taskId: "1", status: "completed" }, forgotten);
  const refused = { mirror: { success: false }, result: "Task 2 is blocked" };
  const blocked = call("TaskUpdate", { taskId: "2", status: "completed" }, refused);
  assertEquals(steps(done, blocked), ["Parse completed", "Print pending"]);
  const none = call("TaskList", {}, { mirror: { tasks: [] }, result: "No tasks found" });
  assertEquals(steps(done, none), ["Parse completed"]);
});

Deno.test("TodoCollector reports work since the list was set, at its probable step", () => {
  const list = (second: string): Fields[] =>
    call("TodoWrite", {
      todos: [
        { content: "Plan", status: "completed" },
        { content: "Later", status: "pending" },
        { content: "Now", status: second },
      ],
    });
  const sinceOf = (...steps: (Fields | Fields[])[]): (string | undefined)[] =>
    stateOf(...steps).next_steps.map(({ since }) => since);
  const work = [
    edit("/p/a.ts", "a", "b"),
    edit("/p/src/b.ts", "a", "b"),
    edit("/p/a.ts", "b", "c"),
    edit("/p/c.ts", "b", "c", { isError: true }),
  ];
  assertEquals(sinceOf(...work, list("in_progress")), [undefined, undefined, undefined]);
  const open = [undefined, undefined, "edits of a.ts, b.ts"];
  assertEquals(sinceOf(list("in_progress"), ...work), open);
  const check = run("npm test", "3 passed");
  const checked = [undefined, undefined, "edits of a.ts, b.ts and a passing `npm test`"];
  assertEquals(sinceOf(list("in_progress"), ...work, check), checked);
  assertEquals(sinceOf(list("in_progress"), check, ...work), open, "edits followed the check");
  assertEquals(sinceOf(list("in_progress"), check).join(""), "", "it checked earlier work");
  const named = call("TodoWrite", {
    todos: [
      { content: "Add parseHeader", status: "completed" },
      { content: "Use parseHeader in main", status: "in_progress" },
      { content: "Write computeLanes", status: "pending" },
      { content: "Test it", status: "pending" },
    ],
  });
  const lanes = edit("/p/lanes.ts", "a", "parseHeader();\nfunction computeLanes() {}");
  assertEquals(sinceOf(named, lanes), [
    undefined,
    "edits of lanes.ts that name `parseHeader`",
    "edits that name `computeLanes`",
    undefined,
  ]);
  const listed = call("TodoWrite", {
    todos: [{ content: "Finalize the turn's end", status: "in_progress" }],
  });
  const announced = said("The index is done. Now let me finalize the turn's end.");
  assertEquals(sinceOf(listed, ...work, announced), [undefined], "the work was on another step");
  const other = said("Now let me fix the index.");
  assertEquals(sinceOf(listed, ...work, other), ["edits of a.ts, b.ts"]);
  const agents = [
    call("Agent", { description: "a" }, {
      result: "Async agent launched successfully.\nagentId: a1",
    }),
    call("Agent", { description: "b" }, {
      result: "Async agent launched successfully.\nagentId: a2",
    }),
    call("TaskOutput", { task_id: "a1" }, { result: "<status>completed</status>" }),
  ];
  assertEquals(
    sinceOf(list("in_progress"), ...agents).at(-1),
    "2 agents started and 1 agent report",
  );
  const failed = run("npm test", "1 failed", true);
  const failing = [undefined, undefined, "edits of a.ts, b.ts and a failing `npm test`"];
  assertEquals(sinceOf(list("in_progress"), ...work, check, failed), failing);
  const unseen = run("npm test", "Command running in background with ID: b1");
  assertEquals(sinceOf(list("in_progress"), ...work, unseen), open, "it may still fail");
  const commit = run("git commit -m x");
  const pending = [undefined, "edits of a.ts, b.ts and a commit", undefined];
  assertEquals(sinceOf(list("pending"), ...work, commit), pending);
  assertEquals(sinceOf(list("pending"), ...work, commit, list("pending")).join(""), "");
  const agent = call("Task", { prompt: "Review it" }, { result: "No problem was found." });
  const started = call("Agent", { prompt: "x" }, { result: "Async agent launched successfully." });
  assertEquals(
    sinceOf(list("in_progress"), agent, started, agent).at(-1),
    "2 agent reports",
  );
});

Deno.test("TodoCollector counts the files written in a folder that a step names", () => {
  const list = call("TodoWrite", {
    todos: [
      { content: "Collect the findings", status: "in_progress" },
      { content: "Create todo files for findings", status: "pending" },
      { content: "Report", status: "pending" },
    ],
  });
  const write = (name: string): Fields[] =>
    call("Write", { file_path: `/p/todos/${name}.md`, content: "Fix it" });
  const { next_steps } = stateOf(list, write("1"), write("2"));
  assertEquals(next_steps.map(({ since }) => since), [
    "edits of 1.md, 2.md",
    "edits that made 2 files in todos/",
    undefined,
  ]);
});

Deno.test("ChangeCollector takes an empty diff for edits that were committed elsewhere", () => {
  const uncommittedAfter = (...steps: Fields[][]): number | undefined =>
    stateOf(...steps).trail?.uncommitted;
  const [change, diff] = [edit("/p/a.ts", "a", "b"), run("git diff --stat")];
  assertEquals(uncommittedAfter(change, diff), 0);
  assertEquals(uncommittedAfter(change, run("git diff --stat", " a.ts | 2 +-")), 1);
  assertEquals(uncommittedAfter(change, run("git add -A"), diff), 1, "it may be staged");
  assertEquals(uncommittedAfter(change, run("git diff -- b.ts")), 1, "a part of the tree");
  const made = { mirror: { type: "create" } };
  assertEquals(
    uncommittedAfter(call("Write", { file_path: "/p/n.ts", content: "x" }, made), diff),
    1,
  );
});

Deno.test("TodoCollector ignores a check that the user stopped", () => {
  const list = call("TodoWrite", { todos: [{ content: "Run the tests", status: "in_progress" }] });
  const refusal = "The user doesn't want to proceed with this tool use. STOP what you are doing";
  const [step] =
    stateOf(list, edit("/p/a.ts", "a", "b"), run("npm test", refusal, true)).next_steps;
  assertEquals([step?.status, step?.since], ["in_progress", "edits of a.ts"]);
});

Deno.test("TodoCollector completes a step of checks once they passed after the last edit", () => {
  const list = (step: string, status = "in_progress"): Fields[] =>
    call("TodoWrite", {
      todos: [{ content: step, status }, { content: "Ship", status: "pending" }],
    });
  const change = edit("/p/a.ts", "a", "b");
  const [test, lint] = [run("npm test", "3 passed"), run("npm run lint")];
  const stateAfter = (...steps: (Fields | Fields[])[]): string | undefined =>
    stateOf(...steps).next_steps[0]?.status;
  const both = list("Run all tests and lint");
  assertEquals(stateAfter(both, change, test, lint), "completed");
  assertEquals(stateAfter(list("Test and lint", "pending"), test, lint), "completed", "next step");
  assertEquals(stateAfter(both, change, test), "in_progress", "lint did not run");
  assertEquals(stateAfter(both, test, lint, change), "in_progress", "an edit followed");
  assertEquals(stateAfter(both, test, run("npm run lint", "1 error", true)), "in_progress");
  assertEquals(stateAfter(list("Test the new parser"), test), "in_progress", "a test of its own");
  assertEquals(stateAfter(both, lint, test, list("Run the tests")), "in_progress", "a newer list");
});

Deno.test("extractFromEntries() keeps the section of a long plan about the current step", () => {
  const filler = "word ".repeat(900);
  const section =
    "### Step 2: Implement the finalization\n\n- Log errors, do not fail\n- Clear the ids";
  const plan = (title: string): string =>
    `${title}\n\n## Context\n${filler}\n### Step 1: Add the store\n${filler}\n${section}\n\n` +
    `#### Notes\nOnly here.\n\n### Step 3: Update all tests\n${filler}\n## End\nThe end.`;
  const todo = (content: string): Fields[] =>
    call("TodoWrite", { todos: [{ content, status: "in_progress" }] });
  const specOf = (text: string, ...steps: (Fields | Fields[])[]): string | undefined =>
    stateOf(prompt(text), ...steps).trail?.spec;
  const spec = "### Step 2: Implement the finalization - Log errors, do not fail - Clear the ids " +
    "#### Notes Only here.";
  const handed = plan("Implement the following plan:\n\n# Turn ends");
  assertEquals(specOf(handed, todo("Implement the finalization")), spec);
  assertEquals(specOf(plan("Do this:"), todo("Implement finalization")), spec);
  assertEquals(specOf(handed, todo("Push the branch")), undefined);
  assertEquals(specOf(handed), undefined, "no step");
  const short = handed.replaceAll(filler, "");
  assertEquals(specOf(short, todo("Implement the finalization")), undefined, "the request has it");
});

Deno.test("TodoCollector counts a step as done if it only asks for a removal that was made", () => {
  const stateAfter = (content: string, command: string): string | undefined =>
    stateOf(
      call("TodoWrite", { todos: [{ content, status: "in_progress" }] }),
      run(command, ""),
    ).next_steps[0]?.status;
  assertEquals(stateAfter("Remove empty commands/ directory", "rm -rf cmd/commands"), "completed");
  assertEquals(stateAfter("Delete the old notes.md", "git rm docs/notes.md"), "completed");
  assertEquals(stateAfter("Remove notes.md", "rm other.md"), "in_progress");
  assertEquals(stateAfter("Remove tmp and update the docs", "rm -r tmp"), "in_progress");
});

Deno.test("extractFromEntries() keeps the findings of the thinking after the last message", () => {
  const think = (thinking: string): Fields => ({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "thinking", thinking, signature: "x" }] },
  });
  const thoughtAfter = (...steps: (Fields | Fields[])[]): string | undefined =>
    stateOf(...steps).trail?.thought;
  const finding = think("The user asks why. The hook never sets the offset. Let me look at it.");
  const look = call("Read", { file_path: "/p/a.ts" });
  const found = "The hook never sets the offset. (1 call since then)";
  assertEquals(thoughtAfter(prompt("Why?"), finding, look), found);
  const second = think("Now I see the function. It is done. It takes a list of strings");
  assertEquals(
    thoughtAfter(prompt("Why?"), finding, look, second),
    "It is done. It takes a list of strings.",
    "the last thought, whole",
  );
  const plain = think("Let me run the tests again.");
  assertEquals(
    thoughtAfter(prompt("Why?"), finding, look, plain, look),
    found.replace("1 call", "2 calls"),
    "an announcement is no finding",
  );
  assertEquals(thoughtAfter(prompt("Why?"), finding, said("It is never set.")), undefined);
  assertEquals(thoughtAfter(finding, prompt("Go on.")), undefined, "it was of the turn before");
  const change = edit("/p/a.ts", "a", "b");
  assertEquals(thoughtAfter(prompt("Why?"), finding, change), found, "the edit follows from it");
  assertEquals(thoughtAfter(prompt("Why?"), finding, change, change), undefined);
  const looks = Array.from({ length: 9 }, () => look);
  assertEquals(thoughtAfter(prompt("Why?"), finding, ...looks), undefined);
});

Deno.test("ChangeCollector lists uncommitted files that the session did not change", () => {
  const status = run("git status --short", " M src/a.ts\n M src/b.ts\n?? notes/\n");
  const othersAfter = (...steps: (Fields | Fields[])[]): readonly string[] | undefined =>
    stateOf(...steps).trail?.others;
  const change = edit("/p/src/a.ts", "a", "b");
  assertEquals(othersAfter(change, status), ["src/b.ts", "notes/"]);
  assertEquals(othersAfter(change, status, edit("/p/notes/n.md", "a", "b")), ["src/b.ts"]);
  assertEquals(othersAfter(change, status, run("git commit -am x", "[main 1234567] x")), []);
});

Deno.test("RequirementCollector drops a prompt that was stopped at once and then completed", () => {
  const draft = "Print a message that names the session";
  const whole = `${draft}, and asks whether to go on.`;
  const stop = prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  const asked = (...steps: (Fields | Fields[])[]): string[] =>
    stateOf(prompt("Fix it"), ...steps).requirements.slice(1).map(({ text }) => text);
  assertEquals(asked(prompt(draft), stop, prompt(whole)), [whole]);
  assertEquals(asked(prompt(draft), stop, prompt("Do it later.")), [draft, "Do it later."]);
  const work = call("Read", { file_path: "/p/a.ts" });
  assertEquals(asked(prompt(draft), work, stop, prompt(whole)), [draft, whole], "it had begun");
});

Deno.test("extractFromEntries() says that a session is in plan mode, until a plan is approved", () => {
  const isPlanning = (...steps: (Fields | Fields[])[]): boolean =>
    stateOf(...steps).trail?.planning === true;
  const asked = prompt("Plan the login", { permissionMode: "plan" });
  const offered = { plan: "# Login" };
  assert(isPlanning(asked));
  assert(isPlanning(prompt("Add a login"), call("EnterPlanMode", {})));
  assert(isPlanning(asked, call("ExitPlanMode", offered, { isError: true, result: "Not yet" })));
  assert(!isPlanning(asked, call("ExitPlanMode", offered)));
  assert(!isPlanning(asked, prompt("Build it", { permissionMode: "acceptEdits" })));
  assert(!isPlanning(prompt("x"), prompt("y", { permissionMode: "plan", isSidechain: true })));
});

Deno.test("TodoCollector accepts tasks with invalid ids", () => {
  const hostile = { toString: null };
  const { next_steps } = stateOf(
    {
      type: "attachment",
      attachment: {
        type: "task_reminder",
        content: [{ id: 7, subject: "One" }, { id: hostile, subject: "Two" }],
      },
    },
    call("TaskUpdate", { taskId: "7", status: "completed" }),
    call("TaskUpdate", { taskId: hostile, status: "completed" }),
  );
  assertEquals(next_steps.map(({ step, status }) => [step, status]), [
    ["One", "completed"],
    ["Two", "completed"],
  ]);
});

Deno.test("CommitCollector keeps the commits of another repository apart", () => {
  const made = run("cd ../lib && git commit -m 'Fix it'", "[fix 0a1b2c3] Fix it");
  const own = run("git commit -m 'Use it'", "[main 4d5e6f7] Use it");
  const { commits, trail } = stateOf(
    own,
    made,
    run("git -C ../lib push"),
    run("cd ../lib && git status", "Your branch is up to date with 'origin/main'."),
    run("git status && cd ../lib && make", ""),
  );
  assertEquals(commits.map(({ message, folder }) => [message, folder]), [
    ["Fix it", "../lib"],
    ["Use it", undefined],
  ]);
  assertEquals(trail?.unpushed, 1, "nothing of this repository was pushed");
  const entered = stateOf(
    run("git commit -m 'Use it' && cd ../lib && make", "[main 4d5e6f7] Use it"),
  );
  assertEquals(entered.commits[0]?.folder, undefined, "the folder was entered afterwards");
  const amended = stateOf(own, made, run("git commit --amend -m 'Use it well'"));
  assertEquals(amended.commits.map(({ message }) => message), ["Use it well", "Fix it"]);
});

Deno.test("CommitCollector takes the reason for a commit from the first paragraph of its body", () => {
  const why = (message: string, wrap = (text: string) => `-m "${text}"`): string | undefined =>
    stateOf(run(`git add -A && git commit ${wrap(message)}`, "[main 1a2b3c4] Keep the lock"))
      .commits[0]?.why;
  const body = "Keep the lock\n\nTwo writers met when the file\nwas let go early.\n\nMore.";
  assertEquals(why(body), "Two writers met when the file was let go early.");
  const handed = (text: string): string => `-m "$(cat <<'EOF'\n${text}\nEOF\n)"`;
  assertEquals(why(body, handed), "Two writers met when the file was let go early.");
  const piped = (text: string): string => `-qF - <<'EOF'\n${text}\nEOF`;
  assertEquals(why(body, piped), "Two writers met when the file was let go early.");
  assertEquals(
    why("Keep the lock\n\n- One\n- Two\n\nIt was let go early."),
    "It was let go early.",
  );
  assertEquals(why("Keep the lock\n\nThis does:\n- One\n\nCo-Authored-By: A <a@b.c>"), undefined);
  assertEquals(why("Keep the lock"), undefined);
});

Deno.test("CommandCollector lists failures without a later success as issues", () => {
  const { issues } = stateOf(
    prompt("Mend it", { cwd: "/p" }),
    fail("npm run lint", "Exit code 1\n\nfile.ts: error: unused"),
    run("npm run lint"),
    fail("git push", "Exit code 128\nfatal: no upstream"),
    run("git push -u origin main"),
    fail("cd /p && go test ./... 2>&1 | tail -5", "Exit code 1\n--- FAIL: TestA"),
    fail("grep x y", "Exit code 1"),
    fail("rm -rf /x", "Permission to use Bash was denied"),
    run("pytest -q | tail -3", "2 failed, 3 passed"),
  );
  assertEquals(issues.map(({ issue, kind }) => [issue, kind]), [
    ["`pytest -q` fails: 2 failed, 3 passed", "command"],
    ["`go test ./...` fails: --- FAIL: TestA", "command"],
  ]);
});

Deno.test("CommandCollector clears a failed check when the same or a wider check passes", () => {
  const failed = run("go test ./a -run TestA", "FAIL", true);
  const passing = (command: string): Fields[] => run(command, "ok  \tex.org/a\t0.1s");
  assertEquals(stateOf(failed, passing("go test ./a -run TestA | head")).issues, []);
  const cut = run("go test ./a -run TestA | head", "=== RUN TestA");
  assertEquals(stateOf(failed, cut).issues, [], "it ran again, and its outcome is unknown");
  assertEquals(stateOf(failed, passing("go test ./...")).issues, []);
  assertEquals(stateOf(failed, passing("go test -run Test ./a")).issues, []);
  assertEquals(stateOf(failed, passing("go test ./b -run TestB")).issues.length, 1);
  assertEquals(stateOf(failed, passing("go test ./another/package -run TestB")).issues.length, 1);
  assertEquals(stateOf(failed, passing("go build ./...")).issues.length, 1);
});

Deno.test("CommandCollector leaves out a failure without a message, unless a check failed", () => {
  const issuesOf = (command: string, result: string): string[] =>
    stateOf(run(command, result, true)).issues.map(({ issue }) => issue);
  assertEquals(issuesOf("./find-skill 'login'", "Error"), []);
  assertEquals(issuesOf("./find-skill 'login'", "Error: no such skill"), [
    "`./find-skill 'login'` fails: Error: no such skill",
  ]);
  assertEquals(issuesOf("npm test", ""), ["`npm test` fails: no output"]);
});

Deno.test("CommandCollector does not clear a failure when a check passes in another folder", () => {
  const failed = call("Bash", { command: "cd /p && go test ./a" }, {
    isError: true,
    result: "FAIL",
    more: { cwd: "/p" },
  });
  const failuresAfter = (command: string): number => stateOf(failed, run(command)).issues.length;
  assertEquals(failuresAfter("cd /other/p && go test ./a"), 1);
  assertEquals(failuresAfter("cd /other/p && git commit -m 'Mend it'"), 1);
  assertEquals(failuresAfter("cd /p && go test ./a"), 0);
  assertEquals(failuresAfter("cd /p/docs && git commit -m 'Mend it'"), 0);
});

Deno.test("CommandCollector drops failures from before a commit or a push", () => {
  const failed = run("go test ./a", "FAIL", true);
  const after = (command: string, isError = false): number =>
    stateOf(failed, run(command, "Exit code 1", isError)).issues
      .filter(({ issue }) => issue.includes("go test")).length;
  assertEquals(after("git add -A && git commit -m 'Fix it'"), 0);
  assertEquals(after("git push origin main"), 0);
  assertEquals(after("git commit --dry-run"), 1);
  assertEquals(after("git status"), 1);
  assertEquals(after("git commit -m 'Fix it'", true), 1);
  assertEquals(after("echo 'git commit'"), 1);
});

Deno.test("CommandCollector leaves out a missing program and a wrong argument", () => {
  const issuesOf = (result: string): number =>
    stateOf(run("foo build", result, true)).issues.length;
  assertEquals(issuesOf("Exit code 127\n/bin/bash: line 1: foo: command not found"), 0);
  assertEquals(issuesOf("Exit code 2\nerror: unexpected argument '--all' found"), 0);
  assertEquals(issuesOf("Exit code 1\nfoo: unknown flag: --all"), 0);
  assertEquals(issuesOf("Exit code 1\nsrc/a.ts:3: error: unknown option in the file"), 1);
});

Deno.test("CommandCollector clears a failed command when another line runs it successfully", () => {
  const { issues } = stateOf(
    fail("mise run lint", "[lint] ERROR task failed\nExit code 1\na.go:3: unused"),
    run("mise run fmt && mise run lint"),
    fail("mise run build", "<tool_use_error>Sibling tool call errored</tool_use_error>"),
    fail("mise run test", "[test] ERROR task failed\nExit code 1\n--- FAIL: TestA"),
  );
  assertEquals(issues.map(({ issue }) => issue), ["`mise run test` fails: --- FAIL: TestA"]);
});

Deno.test("RefusalCollector reports a skill's prohibitions while its request is in progress", () => {
  const skill = (text: string): Fields => prompt([{ type: "text", text }], { isMeta: true });
  const review = skill(
    "Base directory for this skill: /s\n\n# Tidy\n\n- Do NOT rename a variable\n" +
      "- Do NOT commit, the user does that\n- Don't skip a step\n- You may NOT be sure at first\n",
  );
  const forbidden = (...more: Fields[]): string[] | undefined =>
    stateOf(prompt("Tidy the parser"), review, ...more).trail?.refused.map(({ text }) => text);
  const both = [
    '"Do NOT commit, the user does that" (a rule of the skill in use)',
    '"Do NOT rename a variable" (a rule of the skill in use)',
  ];
  assertEquals(forbidden(), both);
  assertEquals(forbidden(prompt("yes"), prompt("Which findings are left, and why?")), both);
  assertEquals(forbidden(prompt("now commit it")), []);
  assertEquals(forbidden(prompt("Write a page about the parser for people who use it")), []);
  assertEquals(forbidden(skill("Base directory for this skill: /t\n\nWork through the plan.")), []);
  const stored = "ALL findings MUST be stored in the todos/ folder";
  assertEquals(
    forbidden(skill(`Base directory: /t\n\n<rules>${stored}</rules>\n\nYou MUST NOT guess.`)),
    [
      `"${stored}" (a rule of the skill in use)`,
    ],
  );
  const demand = skill(`Base directory: /t\n\n${stored}`);
  assertEquals(forbidden(demand, prompt("fix 3 too")), [], "it was about the first result");
});

Deno.test("MarkCollector reports added marks that were not removed", () => {
  const { issues } = stateOf(
    edit("/a.ts", "a();", "a();\n// TODO: handle errors\n// FIXME(me): slow"),
    edit("/a.ts", "// FIXME(me): slow", "fast();"),
    call("Write", { file_path: "/b.ts", content: "# TODO later\nx\n" }),
    call("Write", { file_path: "/b.ts", content: "x\n" }),
    edit("/c.md", "", "The todo list is long. TODOs are many."),
  );
  assertEquals(issues.map(({ issue, kind }) => [issue, kind]), [
    ["/a.ts: // TODO: handle errors", "todo"],
  ]);
});

Deno.test("MarkCollector reports a comment in place of missing code", () => {
  const issuesOf = (line: string): number => stateOf(edit("/a.ts", "", line)).issues.length;
  assertEquals(issuesOf("  // (Add the check of the token here)"), 1);
  assertEquals(issuesOf("# implement the retry here."), 1);
  assertEquals(issuesOf("// The names are added here, since the list is sorted."), 0);
  assertEquals(issuesOf('  label: "Add your name here",'), 0);
});

Deno.test("ClosingCollector reads lists under headings, and does not report an offer to continue as a question", () => {
  const text = [
    "## Next steps",
    "1. **Add** the parser",
    "   - a part of it",
    "- [ ] Document it",
    "",
    "**Known issues:**",
    "- The cache is never emptied",
    "",
    "```",
    "## Next steps",
    "- of a file",
    "```",
    "Next: publish the package.",
    "",
    "All else is fine. Shall I go on with the parser?",
  ].join("\n");
  const { next_steps, issues } = stateOf(prompt("Look."), said(text));
  assertEquals(next_steps.map(({ step }) => step), [
    "Add the parser",
    "Document it",
    "publish the package.",
  ]);
  assertEquals(issues.map(({ issue, kind }) => [kind, issue]), [
    ["stated", "The cache is never emptied"],
  ]);
});

Deno.test("ClosingCollector reads text under a label", () => {
  const lines = [
    "TODO: hash the passwords",
    "FIXME: the cache leaks",
    "Blocked: waiting for the key",
    "I did half of it. Next step: write the migration",
    "The word TODO: is",
    "```",
    "TODO: in code",
    "```",
  ];
  const { next_steps, issues } = stateOf(prompt("Look."), said(lines.join("\n")));
  assertEquals(next_steps.map(({ step }) => step), ["hash the passwords", "write the migration"]);
  assertEquals(issues.map(({ issue }) => issue), ["the cache leaks", "waiting for the key"]);
});

Deno.test("ClosingCollector names the files that were edited after a list", () => {
  const listed = said("Issues to fix:\n- the cache leaks\n\nNext steps:\n- test it");
  const failed = edit("/p/b.ts", "a", "b", { isError: true });
  const { next_steps, issues } = stateOf(listed, edit("/p/a.ts", "a", "b"), failed);
  assertEquals(issues.at(-1)?.issue, "the cache leaks (since then edits of a.ts)");
  assertEquals(next_steps.map(({ since }) => since), ["edits of a.ts"]);
  assertEquals(stateOf(listed, failed).issues.at(-1)?.issue, "the cache leaks");
  const fixed = edit("/p/a.ts", "a", "b");
  for (const command of ["npm test", "git commit -qam 'Fix it'"]) {
    assertEquals(stateOf(listed, fixed, run(command, "ok")).issues, [], command);
    assertEquals(stateOf(listed, run(command, "ok"), fixed).issues.length, 1, command);
    assertEquals(
      stateOf(listed, fixed, run(command, "1 failed", true)).issues.at(-1)?.kind,
      "stated",
    );
  }
});

Deno.test("ClosingCollector counts questions that the user answered as settled", () => {
  const asked = said("Remaining:\n- all\n\nShall I?");
  const { next_steps, issues } = stateOf(asked, prompt("No, write the docs."));
  assertEquals([next_steps, issues], [[], []]);
  for (const assent of ["Go on.", "Yes, keep going", "great, continue please"]) {
    const agreed = stateOf(asked, prompt(assent));
    assertEquals(agreed.next_steps.map(({ step }) => step), ["all"], assent);
  }
  for (const other of ["Yes, and delete it", "next week", "nothing else"]) {
    assertEquals(stateOf(asked, prompt(other)).next_steps, [], other);
  }
  const agreed = stateOf(asked, prompt("Go on."));
  assertEquals(agreed.issues, []);
});

Deno.test("ClosingCollector counts an unanswered question as an issue", () => {
  const questionsOf = (...entries: readonly (Fields | readonly Fields[])[]): [string, string][] =>
    stateOf(...entries).issues.map(({ issue, kind }) => [kind, issue]);
  const asked = said("Both work. Which of the two **bases** do you prefer?");
  const open: [string, string][] = [["question", "Which of the two bases do you prefer?"]];
  assertEquals(questionsOf(prompt("Look."), asked), open);
  const pointing = said("Line 9 reads it twice. One read is enough:\n\nWant me to change that?");
  assertEquals(questionsOf(pointing), [
    ["question", "Line 9 reads it twice. Want me to change that?"],
  ]);
  const options = "Which one do you prefer?\n1. A file of its own\n2. The old one";
  const message = "Which one do you prefer? 1. A file of its own 2. The old one";
  assertEquals(questionsOf(said(options)), [["question", message]]);
  assertEquals(questionsOf(said("1. It is fast\n2. It is small\n\nAll is done.")), []);
  const asking = "Do you want to:\n- A) Go now\n- B) Wait\n- C) Do something else?";
  assertEquals(questionsOf(said(asking)), [
    ["question", "Do you want to: a. Go now b. Wait c. Do something else?"],
  ]);
  assertEquals(questionsOf(asked, prompt("Yes.")), [], "answered");
  assertEquals(
    questionsOf(asked, run("ls")),
    [],
    "the assistant continued by itself",
  );
  assertEquals(questionsOf(asked, said("Done.")), []);
  assertEquals(questionsOf(said("All is done. Anything else?")), []);
  const dialog = { questions: [{ question: "Which database?" }, { question: 7 }] };
  const refused = { isError: true, result: "The user doesn't want to proceed with this tool use." };
  assertEquals(questionsOf(call("AskUserQuestion", dialog, refused)), [
    ["question", "Which database?"],
  ]);
  assertEquals(questionsOf(call("AskUserQuestion", dialog)), []);
  assertEquals(questionsOf(said("## Open questions\n- Who deploys it\n\n## Limitations\n- Slow")), [
    ["question", "Who deploys it"],
    ["stated", "Slow"],
  ]);
});

Deno.test("ProgressCollector counts tools and files, and keeps the last answers", () => {
  const { progress } = stateOf(
    said("one"),
    call("Read", { file_path: "/a" }),
    said("two"),
    call("Read", { file_path: "/a" }),
    call("Read", { file_path: "/b" }, { isError: true }),
    said("three"),
    run("ls"),
    said("x".repeat(5_000)),
    prompt("This session is being continued", { isCompactSummary: true }),
  );
  assertEquals(progress.recent.map(({ text }) => text.length), [3, 5, 800]);
  assertEquals(progress.tools, [{ name: "Read", count: 3 }, { name: "Bash", count: 1 }]);
  assertEquals(progress.files_read, [{ name: "/a", count: 2 }]);
  assertEquals(progress.summaries.length, 1);
});

Deno.test("ProgressCollector counts a bounded number of names, and ignores later ones", () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `Tool${n}`);
  const late = ["Late", "Late", "Late", "Tool9999"];
  const { progress } = stateOf(...[...names, ...late].map((name) => call(name, {})));
  assertEquals(progress.tools.slice(0, 2), [
    { name: "Tool9999", count: 2 },
    { name: "Tool0", count: 1 },
  ]);
});

Deno.test("ProgressCollector keeps the answers that ended a turn, until they are undone", () => {
  const answersOf = (...steps: (Fields | Fields[])[]): string[] =>
    stateOf(...steps).progress.answers?.map(({ text }) => text.slice(0, 5)) ?? [];
  const answer = (name: string): Fields =>
    said(`${name}: ${"the cache is read first. ".repeat(8)}`);
  const [one, two] = [answer("One"), answer("Two")];
  assertEquals(answersOf(one, prompt("go"), two, prompt("ok")), ["One: ", "Two: "]);
  const [keptAnswer] = stateOf(one, prompt("option B")).progress.answers ?? [];
  assert(keptAnswer?.text.endsWith('(the user then: "option B")'), keptAnswer?.text);
  assertEquals(answersOf(one, call("Read", {}), prompt("go")), []);
  assertEquals(answersOf(said("Done."), prompt("go")), []);
  assertEquals(answersOf(one, prompt("no"), said("You're right, it is not."), two), []);
  const asked = (prompted: string, words: string): number =>
    answersOf(one, prompt(prompted), said(words)).length;
  assertEquals(asked("I also meant the other file", "You're right - both have it."), 1);
  assertEquals(asked("I also meant the other file", "You're right, I missed that one."), 0);
  assertEquals(asked("are we sure it reads the cache?", "You're right to ask: it does not."), 0);
  assertEquals(asked("are you sure?", "No, I'm not sure. I assumed that it reads the cache."), 0);
  assertEquals(asked("that is wrong, I can see two", "You're right, there are two."), 0);
  assertEquals(asked("are you sure?", "No test covers it, so I looked again: yes."), 1);
  const many = [..."ABCDEFG"].flatMap((name) => [answer(name), prompt("go")]);
  assertEquals(answersOf(...many).map((text) => text.charAt(0)), [..."BCDEFG"]);
});

Deno.test("CommitCollector finds an unfinished operation from before the session in the output of git status", () => {
  const haltedAfter = (...outputs: string[]): string | undefined =>
    stateOf(...outputs.map((result) => run("git status", result)))
      .trail?.halted;
  const merging = "On branch main\nAll conflicts fixed but you are still merging.";
  assertEquals(haltedAfter(merging), "git merge");
  assertEquals(haltedAfter("interactive rebase in progress; onto 1a2b3c4"), "git rebase");
  assertEquals(haltedAfter(merging, "On branch main\nnothing to commit") ?? "", "");
  assertEquals(haltedAfter(merging, "On branch main\nChanges not staged for commit:") ?? "", "");
  assertEquals(haltedAfter(merging, " M a.ts"), "git merge", "a short status does not name it");
});

Deno.test("CommitCollector reports an operation that stopped in the middle, until it ends", () => {
  const conflict = "Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts\n";
  const halted = (...steps: Fields[][]): string | undefined => stateOf(...steps).trail?.halted;
  const merge = run("git merge origin/main 2>&1 | tail -5", conflict);
  assertEquals(halted(merge), "git merge origin/main");
  const rebase = run("git rebase main", conflict, true);
  assertEquals(halted(rebase), "git rebase main");
  assertEquals(
    halted(rebase, run("git commit -qm x")),
    "git rebase main",
    "the rebase continues after the commit",
  );
  assertEquals(halted(rebase, run("git rebase --continue")), "");
  for (const words of ["I finished the rebase", "the rebase is done, go on"]) {
    assertEquals(halted(rebase, [prompt(words)]), "", words);
  }
  assertEquals(halted(rebase, [prompt("is the rebase hard?")]), "git rebase main");
  const tried = "Automatic merge went well; stopped before committing as requested\n";
  assertEquals(halted(run("git merge --no-commit x", tried)), "git merge --no-commit x");
  assertEquals(
    halted(merge, run("git status", "You have unmerged paths.")),
    "git merge origin/main",
  );
  assertEquals(halted(merge, run("git merge --continue", conflict, true)), "git merge origin/main");
  for (
    const end of [
      run("git merge --abort"),
      run("git commit -qm 'Merge main'"),
      run("git reset --hard"),
      run("git status", "On branch x\nnothing to commit, working tree clean"),
    ]
  ) assertEquals(halted(merge, end), "");
  assertEquals(
    halted(merge, run("git commit -qm x", "error: unmerged files", true)),
    "git merge origin/main",
  );
  assertEquals(halted(run("cd /tmp/try && git init -q && git merge x", conflict)), "");
  assertEquals(halted(run("git merge-base main HEAD", "CONFLICT (content): x")), "");
});

Deno.test("ProgressCollector keeps the name of each finding in a long answer", () => {
  const names = Array.from({ length: 26 }, (_, at) => `**${at + 1}. Finding about part ${at}**`);
  const body = names.map((name) =>
    `${name}\n\n${"It is slow because it reads twice. ".repeat(9)}\n`
  );
  const review = `## Review\n\n| Kind | Count |\n|---|---|\n| Speed | 7 |\n---\n${body.join("\n")}`;
  const [keptAnswer] = stateOf(said(review), prompt("fix 3")).progress.answers ?? [];
  for (const name of names) assertStringIncludes(keptAnswer?.text ?? "", name);
  assert(!keptAnswer?.text.includes("| 7 |"), keptAnswer?.text);
});

Deno.test("ProgressCollector keeps the text below each heading of an answer", () => {
  const part = (name: string): string =>
    `### ${name}\nThe ${name} is kept. ${"It was read and compared. ".repeat(30)}\n\n` +
    `${"More of the same words. ".repeat(30)}\n`;
  const names = ["first part", "second part", "third part", "fourth part"];
  const [keptAnswer] = stateOf(said(names.map(part).join("\n")), prompt("ok")).progress.answers ??
    [];
  for (const name of names) {
    assertStringIncludes(keptAnswer?.text ?? "", `### ${name}\nThe ${name} is kept.`);
  }
});

Deno.test("extractFromEntries() accepts values of any shape", () => {
  const strange: Fields[] = [
    ...call("Edit", { file_path: "/a", old_string: 7, new_string: null }, { mirror: 7 }),
    ...call("MultiEdit", { file_path: "/a", edits: [null, 7, {}] }, {
      mirror: { structuredPatch: [7, {}] },
    }),
    ...call("Edit", { file_path: "/a" }, {
      mirror: { structuredPatch: [{ newStart: 1, lines: [7, ""] }] },
    }),
    ...call("TaskCreate", {}, { mirror: { task: 7 } }),
    ...call("TaskUpdate", {}),
    ...call("TaskList", {}, { mirror: { tasks: 7 } }),
    ...call("AskUserQuestion", { questions: 7 }, { mirror: { answers: 7 } }),
    ...call("ExitPlanMode", { plan: 7 }),
    ...run(null, "", true),
    {
      type: "attachment",
      attachment: { type: "queued_command", commandMode: "prompt", prompt: [] },
    },
  ];
  const state = stateOf(...strange);
  assertEquals(state.changes.map(({ file }) => file), ["/a"]);
  assertEquals(state.issues, []);
});

Deno.test("ChangeCollector leaves out a deleted file, until it is created again", () => {
  const write = (file_path: string): Fields[] =>
    call("Write", { file_path, content: "export const a = 1;" });
  const files = (...steps: Fields[][]): string[] =>
    stateOf(...steps).changes.map(({ file }) => file);
  const made = [write("/p/src/a.ts"), write("/p/src/b.ts")];
  assertEquals(files(...made, run("cd /p && git rm -f src/a.ts")), ["/p/src/b.ts"]);
  assertEquals(files(...made, run("rm /p/src/a.ts './src/b.ts'")), []);
  assertEquals(files(...made, run("rm /p/src/a.ts", "", true)).length, 2);
  assertEquals(files(...made, run("rm -rf *.ts")).length, 2);
  assertEquals(files(...made, run("rm -rf /p/src/")), []);
  assertEquals(files(...made, run("rm -rf p")).length, 2);
  assertEquals(files(write("/w/p/src/a.ts"), run("rm -rf p/src/")), []);
  const moves = "git mv src/a.ts src/c.ts && mv src/b.ts lib/";
  assertEquals(files(...made, run(moves)), []);
  assertEquals(files(...made, run("mv src/c.ts src/a.ts")).length, 2);
  const todo = edit("/p/docs/a.md", "", "// TODO: later");
  assertEquals(stateOf(todo, run("rm docs/a.md")).issues, []);
  assertEquals(stateOf(todo, run("rm docs/b.md")).issues.length, 1);
  assertEquals(files(...made, run("rm src/a.ts"), write("/p/src/a.ts")).length, 2);
});

Deno.test("ChangeCollector leaves out a restored file, unless its change is committed", () => {
  const files = (...commands: string[]): string[] =>
    stateOf(
      edit("/p/a.ts", "a", "b"),
      edit("/p/src/b.ts", "a", "b"),
      call("Write", { file_path: "/p/new.ts", content: "" }, { result: "File created" }),
      ...commands.map((command) => run(command)),
    ).changes.map(({ file }) => file.replace("/p/", "")).toSorted();
  const all = ["a.ts", "new.ts", "src/b.ts"];
  assertEquals(files("git checkout -- src/b.ts"), ["a.ts", "new.ts"]);
  assertEquals(files("cd /p && git restore a.ts src/b.ts"), ["new.ts"]);
  assertEquals(files("git checkout ."), ["new.ts"]);
  assertEquals(files("git reset --hard"), ["new.ts"]);
  assertEquals(files("git commit -qam x", "git reset --hard HEAD"), all);
  assertEquals(files("git checkout -b a.ts"), all);
  assertEquals(files("git checkout main"), all);
  assertEquals(files("git checkout p"), all);
  assertEquals(files("git checkout main -- a.ts"), all);
  assertEquals(files("git checkout --theirs a.ts"), all);
  assertEquals(files("git restore --staged a.ts"), all);
});

Deno.test("ChangeCollector counts the files with uncommitted edits", () => {
  const uncommitted = (...steps: Fields[][]): number | undefined =>
    stateOf(...steps).trail?.uncommitted;
  const edits = [edit("/p/a.ts", "a", "b"), edit("/p/b.ts", "a", "b"), edit("/p/a.ts", "b", "c")];
  assertEquals(uncommitted(...edits), 2);
  assertEquals(uncommitted(...edits, run("git checkout -- a.ts")), 1);
  assertEquals(uncommitted(...edits, run("git commit -qam x", "", true)), 2);
  assertEquals(uncommitted(...edits, run("git commit -qam x")), 0);
  assertEquals(uncommitted(...edits, run("git commit -qam x"), edit("/p/b.ts", "b", "c")), 1);
  const next = "Rebasing (4/22)error: could not apply 004518d... fix: resolve the rest";
  assertEquals(uncommitted(...edits, run("git rebase --continue", next, true)), 0);
  const unmerged = "error: Committing is not possible because you have unmerged files.";
  assertEquals(uncommitted(...edits, run("git rebase --continue", unmerged, true)), 2);
});

Deno.test("ChangeCollector lists files that a command deleted and no commit followed", () => {
  const deleted = (...commands: string[]): readonly string[] | undefined =>
    stateOf(
      call("Write", { file_path: "/p/new.ts", content: "x" }, { mirror: { type: "create" } }),
      ...commands.map((command) => run(command)),
    ).trail?.deleted;
  assertEquals(deleted("rm cmd/start.go cmd/start_test.go"), ["cmd/start.go", "cmd/start_test.go"]);
  assertEquals(deleted("git mv a.ts b.ts"), ["a.ts"]);
  assertEquals(deleted("rm a.ts", "git commit -qam 'Remove it'"), []);
  for (
    const other of [
      "rm new.ts",
      "rm -rf node_modules",
      "rm /tmp/x",
      "cd /tmp && mkdir try && cd try && git mv old.ts moved.ts",
      "rm *.log",
      "rm out.log",
      "rm ~/a",
      "rm -f /p/.git/index.lock",
    ]
  ) {
    assertEquals(deleted(other), [], other);
  }
});

Deno.test("ChangeCollector counts files that a command writes from a here-document", () => {
  const write = (command: string): string[] =>
    stateOf(edit("/p/src/a.ts", "a", "b"), run(command)).changes
      .map(({ file, count }) => `${file} ${count}`);
  assertEquals(write("cat >> src/a.ts << 'EOF'\nb\nEOF"), ["/p/src/a.ts 2"]);
  assertEquals(write("mkdir -p x && cat > x/b.ts <<EOF\nb\nEOF"), ["x/b.ts 1", "/p/src/a.ts 1"]);
  assertEquals(write("cat <<'EOF' > notes.md\nb\nEOF"), ["notes.md 1", "/p/src/a.ts 1"]);
  for (const other of ["cat > /tmp/x <<EOF\nb\nEOF", "cat src/a.ts", "git commit -F - <<EOF\nb"]) {
    assertEquals(write(other), ["/p/src/a.ts 1"], other);
  }
});

Deno.test("ChangeCollector recognizes the user's commits in the output of git", () => {
  const edits = ["/p/src/a.ts", "/p/src/b.ts"].map((path) => edit(path, "a", "b"));
  const ran = (output: [string, string]): Fields[] => run(...output);
  const after = (...outputs: [string, string][]): number | undefined =>
    stateOf(...outputs.slice(0, 1).map(ran), ...edits, ...outputs.slice(1).map(ran))
      .trail?.uncommitted;
  const before: [string, string] = ["git log main..HEAD --oneline", "b50a1b2 Fix it\n"];
  assertEquals(after(before, ["git log --oneline -5", "af3f83b Remove it\nb50a1b2 Fix it\n"]), 0);
  assertEquals(after(before, ["git log --oneline", "b50a1b2 Fix it\n"]), 2);
  assertEquals(after(before, ["git log --oneline main", "c9f3f83 Old\n"]), 2, "another branch");
  const pulled: [string, string] = ["git pull --rebase", "ok"];
  assertEquals(after(before, pulled, ["git log --oneline", "af3f83b Theirs\n"]), 2);
  const none: [string, string] = ["true", ""];
  assertEquals(after(none, ["git log --oneline", "af3f83b Remove it\n"]), 2, "not known before");
  assertEquals(after(none, ["git status --short", " M src/b.ts\n?? notes/\n"]), 1);
  assertEquals(after(none, ["git status", "\tmodified:   src/b.ts\n"]), 1);
  assertEquals(after(none, ["git status --short", "?? src/\n"]), 2);
  assertEquals(after(none, ["cd /q && git status -s", " M c.ts\n"]), 2, "another repository");
  assertEquals(
    after(none, ["git status -s | head -1", " M src/b.ts\n"]),
    2,
    "the output lists only some files",
  );
});

Deno.test("RequirementCollector keeps a short answer together with its question", () => {
  const { requirements } = stateOf(
    prompt("Store the sessions."),
    said("Two ways are open. Shall they be files or a database?"),
    prompt("files, one per day"),
    prompt("and no index"),
    said("Should they be compressed?"),
    prompt("yes"),
  );
  assertEquals(requirements.map(({ text }) => text), [
    "Store the sessions.",
    "files, one per day (asked: Shall they be files or a database?)",
    "and no index",
  ]);
  const [, split] = stateOf(
    prompt("Store it."),
    said("Want me to:\n- Write a file?\n- Or leave it in memory?\n\nA file is easy to read."),
    prompt("yes, write it"),
  ).requirements;
  assertEquals(split?.text, "yes, write it (asked: Write a file? Or leave it in memory?)");
  const asked = (reply: string): boolean =>
    stateOf(
      prompt("Store it."),
      said("Would you like me to refactor it into a package?"),
      prompt(reply),
    ).requirements[1]?.text.includes("(asked:") ?? false;
  for (const reply of ["yes, please do", "No, leave it", "a package, but not now"]) {
    assert(asked(reply), reply);
  }
  for (
    const other of ["can you review the comments on the PR?", "push the branch", "why a package?"]
  ) {
    assert(!asked(other), other);
  }
});

Deno.test("StashCollector names changes that were stashed and not restored", () => {
  const stashed = (...steps: Fields[][]): unknown => stateOf(...steps).trail?.stashed;
  const saved = "Saved working directory and index state WIP on main: 1a2b3c4 Add a parser";
  const [plain, named] = [run("git stash", saved), run('git stash push -u -m "wip: notes"', saved)];
  const entry = "WIP on main: 1a2b3c4 Add a parser";
  assertEquals(stashed(plain, named), [entry, "wip: notes"]);
  assertEquals(stashed(plain, named, run("git stash pop", "Dropped refs/stash@{0} (1a2b)")), [
    entry,
  ]);
  assertEquals(stashed(plain, named, run("git stash drop stash@{1}")), ["wip: notes"]);
  assertEquals(stashed(plain, named, run("git stash clear")), []);
  assertEquals(stashed(plain, run("git stash list")), [entry]);
  assertEquals(stashed(plain, run("git stash pop", "CONFLICT\nThe stash entry is kept", true)), [
    entry,
  ]);
  assertEquals(stashed(run("git stash", "No local changes to save")), []);
  assertEquals(stashed(run("git stash", "fatal: not a git repository", true)), []);
  assertEquals(stashed(run("git stash && npm test && git stash pop", `${saved}\n1 failed`, true)), [
    entry,
  ]);
  assertEquals(stashed(run("git stash && npm test | tail -1; git stash pop", saved)), []);
  assertEquals(stashed(run("git stash --quiet && git switch main")), ["git stash"]);
  for (const elsewhere of ["cd /tmp/try && git stash", 'git commit -qm "then git stash"']) {
    assertEquals(stashed(run(elsewhere, saved)), [], elsewhere);
  }
});
