import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { extractFromEntries } from "../../src/extract/extract_state.ts";
import { MAX_LATER_PROMPT_CHARS, needsQuestion } from "../../src/extract/requirements.ts";
import type { Trail, WorkState } from "../../src/core/work_state.ts";
import { call, type CallOutcome, type Fields, numbered, prompt, said } from "./events.ts";

type Entries = Fields | readonly Fields[];

function stateOf(...entries: readonly Entries[]): WorkState {
  return extractFromEntries(numbered(...entries));
}

function trailOf(...entries: readonly Entries[]): Partial<Trail> {
  return stateOf(...entries).trail ?? {};
}

function stepsOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).next_steps.map(({ step, status }) => `${step}: ${status}`);
}

function requestsOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).requirements.map(({ text }) => text);
}

function issuesOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).issues.map(({ issue, kind }) => `${kind}: ${issue}`);
}

function edit(file: string, before = "a", after = "b", more: CallOutcome = {}): Fields[] {
  return call("Edit", { file_path: file, old_string: before, new_string: after }, more);
}

function write(file_path: string, content = "x", more: CallOutcome = {}): Fields[] {
  return call("Write", { file_path, content }, more);
}

function todo(...todos: (readonly [content: unknown, status?: string])[]): Fields[] {
  return call("TodoWrite", { todos: todos.map(([content, status]) => ({ content, status })) });
}

function run(command: unknown, result = "", isError = false): Fields[] {
  return call("Bash", { command }, { result, isError });
}

function fail(command: string, result = ""): Fields[] {
  return run(command, result, true);
}

function patch(newStart: number, ...lines: string[]): { structuredPatch: unknown[] } {
  return { structuredPatch: [{ oldStart: newStart, newStart, lines }] };
}

function think(thinking: string): Fields {
  const content = [{ type: "thinking", thinking, signature: "x" }];
  return { type: "assistant", message: { role: "assistant", content } };
}

Deno.test("RequirementCollector keeps the first prompt and the newest prompts that have content", () => {
  const later = Array.from({ length: 40 }, (_, index) => prompt(`Also do number ${index}.`));
  const { requirements } = stateOf(prompt("Build a login."), prompt("yes"), prompt("2"), ...later);
  assertEquals(requirements.length, 31);
  assertEquals(requirements[0], { text: "Build a login.", from: { uuid: "u1", line: 1 } });
  assertEquals(requirements[1]?.text, "Also do number 10.");
  assertEquals(requirements.at(-1)?.text, "Also do number 39.");
});

Deno.test("RequirementCollector limits the length of requirements, and lists a repeated later request only where it was last made", () => {
  const [long, longer] = ["a".repeat(10_000), "b".repeat(10_000)];
  const prompts = [long, longer, "Run the tests.", "Push it.", "Run the tests.", long];
  assertEquals(
    requestsOf(...prompts.map((text) => prompt(text))).map(({ length }) => length),
    [4_000, MAX_LATER_PROMPT_CHARS, 8, 14, MAX_LATER_PROMPT_CHARS],
  );
});

Deno.test("RequirementCollector drops an interrupted prompt if the user sends it again with more words or a few changed words", () => {
  const stop = prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  const work = call("Read", { file_path: "/p/a.ts" });
  const draft = "Print a message that names the session";
  const whole = `${draft}, and asks whether to go on.`;
  const asked = (...steps: Entries[]): string[] => requestsOf(prompt("Fix it"), ...steps).slice(1);
  assertEquals(asked(prompt(draft), stop, prompt(whole)), [whole]);
  assertEquals(asked(prompt(draft), stop, prompt("Do it later.")), [draft, "Do it later."]);
  assertEquals(asked(prompt(draft), work, stop, prompt(whole)), [whole]);
  const [wrong = "", right = ""] = ["APP-1", "WEB-1"]
    .map((id) => `Have a look at ticket ${id}, we build it here`);
  assertEquals(requestsOf(prompt(wrong), work, stop, prompt(right)), [right]);
  assertEquals(asked(prompt(wrong), work, stop, prompt(right)), [right]);
  assertEquals(requestsOf(prompt(wrong), work, prompt(right)), [wrong, right]);
  const other = "Look at the log of the server first, please";
  assertEquals(requestsOf(prompt(wrong), work, stop, prompt(other)), [wrong, other]);
});

Deno.test("RequirementCollector keeps a reply together with the question, option or list item that the reply refers to", () => {
  const requests = requestsOf(
    prompt("Store the sessions."),
    said("Two ways are open. Shall they be files or a database?"),
    prompt("files, one per day"),
    prompt("and no index"),
    said("Should they be compressed?"),
    prompt("yes"),
  );
  assertEquals(requests, [
    "Store the sessions.",
    "files, one per day (asked: Shall they be files or a database?)",
    "and no index",
  ]);
  const answered = (question: string, reply: string): string =>
    requestsOf(prompt("Store it."), said(question), prompt(reply))[1] ?? "";
  const options =
    "Want me to:\n- Write a file?\n- Or leave it in memory?\n\nA file is easy to read.";
  const written = "yes, write it (asked: Write a file? Or leave it in memory?)";
  assertEquals(answered(options, "yes, write it"), written);
  const question = "Would you like me to refactor it into a package?";
  for (const reply of ["yes, please do", "No, leave it", "a package, but not now"]) {
    assertEquals(answered(question, reply), `${reply} (asked: ${question})`);
  }
  const table = "Which failure mode?\n\n| Option | Effect |\n|---|---|\n" +
    "| **A. Silent** | Log it, go on |\n| **B. Loud** | Stop |\n\nWhich one do you prefer?";
  const silent = "A. is fine, log it (chose: Silent; Log it, go on — asked: Which failure mode?)";
  assertEquals(answered(table, "A. is fine, log it"), silent);
  const several = "What should it show? A few ways:\n1. Files\n2. Names\n\nOr is one enough?";
  const both = "yeah 1 and 2 (chose: Files; Names — asked: What should it show?)";
  assertEquals(answered(several, "yeah 1 and 2"), both);
  for (const reply of ["can you review the comments?", "push the branch", "why a package?"]) {
    assertEquals(answered(question, reply), reply);
  }
  const findings = "Here they are.\n\n## Safety\n1. A race at the start\n2. No lock\n\n## Speed\n" +
    "3. It reads twice\n";
  const named = {
    "let's fix 3 too": "It reads twice",
    "fix items 1 and 3, and leave the rest for another day, since we have no time":
      "A race at the start; It reads twice",
  };
  for (const [reply, items] of Object.entries(named)) {
    assertEquals(answered(findings, reply), `${reply} (in the assistant's list: ${items})`);
  }
  const pasted = "2. Make the retries shorter - they keep the tests waiting";
  assertEquals(answered(findings, pasted), pasted, "an item of another list");
  const quoted = "1. A race at the start: please explain it first";
  assertStringIncludes(answered(findings, quoted), "list: A race at the start)");
  for (const reply of ["fix 7", "make 3 commits", "2 tests fail now"]) {
    assertEquals(answered(findings, reply), reply);
  }
});

Deno.test("needsQuestion() recognizes replies that are unclear without the question", () => {
  const order = "Store each session in a file of its own, one for each day..";
  for (const reply of ["yes", "B", "both changes", order]) assert(needsQuestion(reply), reply);
  assertEquals(needsQuestion(`${order}.`), false, "60 characters");
});

Deno.test("RequirementCollector keeps more text of a prompt that contains an approved plan", () => {
  const plan = `Implement the following plan:\n\n# Cache\n\n${"It keeps each file. ".repeat(200)}`;
  const [, later = ""] = requestsOf(prompt("Look at the cache."), prompt(plan));
  assertEquals(later.length, plan.trimEnd().length);
  assert(
    (requestsOf(prompt("Look."), prompt(plan.replace("Implement", "See")))[1] ?? "").length < 1_500,
  );
});

Deno.test("ChangeCollector reports created and modified files with the number of edits and the range of changed lines", () => {
  const reason = "The parser drops the last line, so I add a flush.";
  const { changes } = stateOf(
    said(`I looked around.\n\n${reason}`),
    call("Edit", { file_path: "/p/a.ts" }, {
      mirror: patch(10, " one", "-two", "+import x;", "+flush();", " three"),
    }),
    write("/p/new.ts", "a\nb\n", { mirror: { type: "create" } }),
    call("Edit", { file_path: "/p/a.ts" }, { mirror: patch(3, " x", "+const late = 1;") }),
    call("MultiEdit", { file_path: "/p/m.ts", edits: [{ old_string: "", new_string: "made();" }] }),
    call("NotebookEdit", { notebook_path: "/p/n.ipynb", new_source: "print(1)" }),
  );
  const facts = changes.map(({ file, action, count, first_line, last_line, what, why }) =>
    [file, action, count, first_line, last_line, what, why] as const
  );
  assertEquals(facts, [
    ["/p/n.ipynb", "modified", 1, null, null, "print(1)", ""],
    ["/p/m.ts", "modified", 1, null, null, "made();", ""],
    ["/p/a.ts", "modified", 2, 4, 12, "const late = 1;", reason],
    ["/p/new.ts", "created", 1, 1, 2, "", ""],
  ]);
});

Deno.test("ChangeCollector leaves out edits that failed, have no result or have no valid path", () => {
  const [open = {}] = write("/open.ts");
  const { changes } = stateOf(
    edit("/failed.ts", "a", "b", { isError: true, result: "String to replace not found" }),
    open,
    call("Read", { file_path: "/read.ts" }),
    call("Edit", { file_path: 7 }),
    write(""),
  );
  assertEquals(changes, []);
});

Deno.test("ChangeCollector takes a message as the reason for the next edit, and for edits of files that the message mentions", () => {
  const { changes } = stateOf(
    said("I fix a.ts and b.ts."),
    edit("/agent.ts", "a", "bcd", { more: { isSidechain: true } }),
    ...["/a.ts", "/c.ts", "/b.ts"].map((file) => edit(file)),
    prompt("Now something else."),
    edit("/d.ts"),
  );
  assertEquals(Object.fromEntries(changes.map(({ file, why }) => [file, why !== ""])), {
    "/agent.ts": false,
    "/a.ts": true,
    "/b.ts": true,
    "/c.ts": false,
    "/d.ts": false,
  });
});

Deno.test("ChangeCollector places removed lines at their old position", () => {
  const { changes } = stateOf(call("Edit", { file_path: "/a" }, {
    mirror: patch(7, " x", "-gone", "\\ No newline at end of file"),
  }));
  assertEquals(changes.map(({ first_line, last_line }) => [first_line, last_line]), [[8, 8]]);
});

Deno.test("ChangeCollector reports a Write as `modified` if the file existed, and as `created` otherwise", () => {
  const { changes } = stateOf(
    write("/a", "x", { mirror: { type: "update", structuredPatch: [] } }),
    write("/b", "x", { result: "File created successfully at: /b" }),
  );
  assertEquals(changes.map(({ action }) => action), ["created", "modified"]);
});

function filesOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).changes.map(({ file }) => file.replace("/p/", ""));
}

Deno.test("ChangeCollector leaves out a deleted or moved file, until it is created again", () => {
  const made = [write("/p/src/a.ts"), write("/p/src/b.ts")];
  const left = (command: string): string[] => filesOf(...made, run(command));
  assertEquals(left("cd /p && git rm -f src/a.ts"), ["src/b.ts"]);
  for (const all of ["rm /p/src/a.ts './src/b.ts'", "rm -rf /p/src/"]) assertEquals(left(all), []);
  assertEquals(left("git mv src/a.ts src/c.ts && mv src/b.ts lib/"), ["lib/b.ts", "src/c.ts"]);
  assertEquals(left("mv /p/src /p/lib"), ["lib/b.ts", "lib/a.ts"]);
  assertEquals(left("mv src/a.ts /tmp/a.ts"), ["src/b.ts"]);
  const dockerfile = write("/p/docker/Dockerfile");
  assertEquals(filesOf(dockerfile, run("mv docker/Dockerfile docker/Containerfile")), [
    "docker/Containerfile",
  ]);
  for (const none of ["rm -rf *.ts", "rm -rf p", "mv src/c.ts src/a.ts"]) {
    assertEquals(left(none).length, 2, none);
  }
  assertEquals(filesOf(...made, fail("rm /p/src/a.ts")).length, 2);
  assertEquals(filesOf(...made, run("git commit -m 'Fix; rm src/a.ts is gone'")).length, 2);
  assertEquals(filesOf(write("/w/p/src/a.ts"), run("rm -rf p/src/")), []);
  assertEquals(filesOf(...made, run("rm src/a.ts"), write("/p/src/a.ts")).length, 2);
});

Deno.test("ChangeCollector leaves out a restored file, unless its change is committed", () => {
  const made = write("/p/new.ts", "", { result: "File created" });
  const files = (...commands: string[]): string[] =>
    filesOf(edit("/p/a.ts"), edit("/p/src/b.ts"), made, ...commands.map((one) => run(one)))
      .toSorted();
  const all = ["a.ts", "new.ts", "src/b.ts"];
  assertEquals(files("git checkout -- src/b.ts"), ["a.ts", "new.ts"]);
  const both = ["cd /p && git restore a.ts src/b.ts", "git checkout .", "git reset --hard"];
  for (const command of both) assertEquals(files(command), ["new.ts"], command);
  assertEquals(files("git commit -qam x", "git reset --hard HEAD"), all);
  for (const command of ["git reset -q --hard origin/x", "git checkout -f main"]) {
    assertEquals(files(command), ["new.ts"], command);
  }
  for (const end of ["-b a.ts", "main", "p", "main -- a.ts", "--theirs a.ts"]) {
    assertEquals(files(`git checkout ${end}`), all, end);
  }
  assertEquals(files("git restore --staged a.ts"), all);
  const [other] = filesOf(edit("/p/mai"), run("git checkout main -- a.ts"));
  assertEquals(other, "mai", "`mai` is only the start of the branch's name");
  const java = filesOf(edit("/p/src/main/A.java"), run("git checkout main"));
  assertEquals(java, ["src/main/A.java"], "`main` is a branch, not the folder");
});

function uncommittedOf(...entries: readonly Entries[]): number | undefined {
  return trailOf(...entries).uncommitted;
}

const HOOK_FAILED = "husky - pre-commit script failed (code 1)";

Deno.test("ChangeCollector counts the files with uncommitted edits", () => {
  const edits = [edit("/p/a.ts"), edit("/p/b.ts"), edit("/p/a.ts", "b", "c")];
  const after = (...steps: Entries[]): number | undefined => uncommittedOf(...edits, ...steps);
  assertEquals(after(), 2);
  assertEquals(trailOf(...edits).uncommitted_files, ["/p/b.ts", "/p/a.ts"]);
  assertEquals(after(run("git checkout -- a.ts")), 1);
  assertEquals(after(fail("git commit -qam x")), 2);
  assertEquals(after(run("git commit -qam x")), 0);
  assertEquals(after(run("grep -rn 'git commit' docs/")), 2, "grep makes no commit");
  assertEquals(after(run("git commit -am x 2>&1 | tail -5", HOOK_FAILED)), 2);
  assertEquals(after(run("git commit -am x; git status -s", HOOK_FAILED)), 2);
  const pushFailed = fail("git commit -am x && git push", "[main 1a2b3c4] x\nerror: rejected");
  assertEquals(after(pushFailed), 0);
  assertEquals(after(run("git commit -qam x"), edit("/p/b.ts", "b", "c")), 1);
  const next = "Rebasing (4/22)error: could not apply 004518d... fix: resolve the rest";
  assertEquals(after(fail("git rebase --continue", next)), 0);
  const unmerged = "error: Committing is not possible because you have unmerged files.";
  assertEquals(after(fail("git rebase --continue", unmerged)), 2);
  assertEquals(uncommittedOf(edit("/p/.git/hooks/post-commit")), 0);
  const temporary = edit("/tmp/try/a.ts");
  for (const other of [temporary, edit("/var/folders/x1/T/notes.md")]) {
    assertEquals(after(other), 2, "the file is outside of any project");
  }
  assertEquals(uncommittedOf(temporary), 1, "the project itself is in a temporary folder");
  const start = prompt("Go on", { cwd: "/w/p" });
  const outside = edit("/w/lib/a.ts");
  const both = [start, outside, edit("/w/p/a.ts")];
  assertEquals(uncommittedOf(...both), 1, "one file is in another repository");
  assertEquals(uncommittedOf(start, run("echo x >> ~/.profile_notes.md")), 0, "in the home folder");
  assertEquals(uncommittedOf(start, edit("/w/pages/a.ts")), 0);
});

Deno.test("ChangeCollector drops the edits that an aborted operation discards", () => {
  const conflict = "Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts";
  const after = (command: string, output: string, end: string): [string[], number | undefined] => {
    const all = [edit("/p/b.ts"), fail(command, output), edit("/p/a.ts"), run(end)];
    return [filesOf(...all), uncommittedOf(...all)];
  };
  assertEquals(after("git merge x", conflict, "git merge --abort"), [["b.ts"], 1]);
  const stopped = "Rebasing (1/2)error: could not apply 1a2b3c4... Add it";
  assertEquals(
    after("git rebase x", stopped, "git rebase --abort"),
    [["b.ts"], 0],
    "a rebase starts only in a clean tree",
  );
  assertEquals(after("git merge x", conflict, "git commit -qam x"), [["a.ts", "b.ts"], 0]);
  assertEquals(after("git merge x", "fatal: no x", "git merge --abort"), [["a.ts", "b.ts"], 2]);
  assertEquals(after("cat log", conflict, "git merge --abort"), [["a.ts", "b.ts"], 2]);
});

Deno.test("ChangeCollector does not count stashed edits, or edits before a rebase, as uncommitted", () => {
  const made = write("/p/n.ts", "x", { mirror: { type: "create" } });
  const after = (...commands: string[]): number | undefined =>
    uncommittedOf(edit("/p/a.ts"), made, ...commands.map((one) => run(one)));
  assertEquals(after("git stash"), 1, "the new file is not stashed");
  assertEquals(after("git stash -u"), 0);
  assertEquals(after("git stash && git rebase main && git stash pop"), 2);
  assertEquals(after("git stash push -- a.ts"), 2);
  assertEquals(after("git rebase main"), 1, "git rebases only a clean tree");
  assertEquals(after("git rebase --autostash main"), 2);
  assertEquals(after("git stash", "git commit -qm x", "git stash pop"), 1);
});

Deno.test("ChangeCollector concludes from an empty diff that edits were committed outside the session", () => {
  const [change, diff] = [edit("/p/a.ts"), run("git diff --stat")];
  assertEquals(uncommittedOf(change, diff), 0);
  assertEquals(uncommittedOf(change, run("git diff --stat", " a.ts | 2 +-")), 1);
  assertEquals(uncommittedOf(change, run("git add -A"), diff), 1, "the edit may be staged");
  assertEquals(uncommittedOf(change, run("git diff -- b.ts")), 1, "only part of the tree");
  const made = { mirror: { type: "create" } };
  assertEquals(uncommittedOf(write("/p/n.ts", "x", made), diff), 1, "the file is not tracked");
});

Deno.test("ChangeCollector recognizes the user's commits in git's output", () => {
  const edits = ["/p/src/a.ts", "/p/src/b.ts"].map((path) => edit(path));
  const log = "git log --oneline";
  const after = (command: string, output: string, ...before: Fields[][]): number | undefined =>
    uncommittedOf(...before.slice(0, 1), ...edits, ...before.slice(1), run(command, output));
  const before = run("git log main..HEAD --oneline", "b50a1b2 Fix it\n");
  assertEquals(after(`${log} -5`, "af3f83b Remove it\nb50a1b2 Fix it\n", before), 0);
  assertEquals(after(log, "b50a1b2 Fix it\n", before), 2);
  const refused = call("Bash", { command: "git commit -m x" }, { isError: true });
  assertEquals(
    after(log, "af3f83b Remove it\n", before, refused),
    0,
    "the failed commit did not move the branch",
  );
  assertEquals(after(`${log} main`, "c9f3f83 Old\n", before), 2, "another branch");
  for (const moving of ["git pull --rebase", "gh pr checkout 12"]) {
    assertEquals(after(log, "af3f83b Theirs\n", before, run(moving, "ok")), 2, moving);
  }
  const switched = [prompt("Go on", { gitBranch: "x" }), prompt("And now?", { gitBranch: "y" })];
  assertEquals(after(log, "af3f83b Theirs\n", before, switched), 2, "another branch");
  for (const other of [`${log} --all -2`, "cd ../lib && git log -1 --oneline"]) {
    assertEquals(after(other, "af3f83b Theirs\n", before), 2, other);
  }
  assertEquals(after(log, "af3f83b Remove it\n"), 2, "no earlier log to compare with");
  assertEquals(after("git status --short", " M src/b.ts\n?? notes/\n"), 1);
  assertEquals(after("git diff --stat", " src/b.ts | 2 +-\n"), 1);
  assertEquals(
    after("git diff --stat", " src/c.ts | 2 +-\n"),
    2,
    "the diff may be from another repository",
  );
  assertEquals(after("git status", "\tmodified:   src/b.ts\n"), 1);
  const pushed = "On branch x\nYour branch is up to date with 'origin/x'.\n";
  assertEquals(after("git status", pushed), 2);
  assertEquals(after("git status", `${pushed}\nnothing to commit, working tree clean`), 0);
  assertEquals(after("git status --short", "?? src/\n"), 2);
  const clean = `${pushed}\nnothing to commit, working tree clean`;
  for (const other of ["cd /q && git status -s", "cd ../lib && git status", "cat log"]) {
    assertEquals(after(other, ` M c.ts\n${clean}`), 2, other);
  }
  assertEquals(after("git -C ../lib commit -am x", "[main 1a2b3c4] x"), 2, "another repository");
  const kept = filesOf(
    prompt("Go on", { cwd: "/w/p/web" }),
    ...["/w/lib/a.ts", "/w/p/web/a.ts"].map((path) => edit(path)),
    run("cd ../../lib && git commit -am x", "[main 1a2b3c4] x"),
    run("git checkout -- a.ts"),
  );
  assertEquals(kept, ["/w/lib/a.ts"], "the change in lib is committed");
  assertEquals(
    after("cd /p/src && git commit -am x", "[main 1a2b3c4] x"),
    0,
    "the folder of the edits",
  );
  assertEquals(after("git status -s | head -1", " M src/b.ts\n"), 2, "only some files");
});

Deno.test("ChangeCollector lists uncommitted files that the session did not change", () => {
  const status = run("git status --short", " M src/a.ts\n M src/b.ts\n?? notes/\n");
  const othersAfter = (...steps: Entries[]): readonly string[] | undefined =>
    trailOf(edit("/p/src/a.ts"), status, ...steps).others;
  assertEquals(othersAfter(), ["src/b.ts", "notes/"]);
  assertEquals(othersAfter(edit("/p/notes/n.md")), ["src/b.ts"]);
  assertEquals(othersAfter(run("git commit -am x", "[main 1234567] x")), []);
  const stat = run(
    "git diff --stat",
    " .../src/a.ts | 2 +-\n .../long/b.ts | 3 +++\n 2 files changed",
  );
  assertEquals(othersAfter(stat), [".../long/b.ts"], "the path stays shortened");
  assertEquals(othersAfter(run("git diff --name-only", "src/a.ts\nlib/c.ts\n")), ["lib/c.ts"]);
  const renamed = run("git diff --name-status", "M\tsrc/a.ts\nR100\tx.ts\ty.ts");
  assertEquals(othersAfter(renamed), ["y.ts"]);
  assertEquals(othersAfter(run("git checkout -- src/b.ts")), ["notes/"], "discarded");
  const gone = run("git status", "Changes not staged for commit:\n\tdeleted:    src/old/c.ts\n");
  assertEquals(
    othersAfter(run("rm -rf /p/src/old"), gone),
    [],
    "the session deleted the folder of the listed file",
  );
  const listed = run("ls && git diff --name-only", "README.md\nsrc\nsrc/a.ts\n");
  assertEquals(othersAfter(listed), ["src/b.ts", "notes/"], "some of the lines are from ls");
  const conflict = "Unmerged paths:\n\tboth modified:   src/a.ts\n\tdeleted by us:   c.ts\n";
  assertEquals(othersAfter(run("git status", conflict)), ["c.ts"]);
  const moved = run("git status -s", "R  old.ts -> new.ts\nR  x.ts -> y.ts\n");
  assertEquals(othersAfter(run("git mv old.ts new.ts"), moved), ["x.ts -> y.ts"]);
  const note = run("cat > notes/plan.md <<EOF\nx\nEOF");
  const sed = run("sed -i 's/a.b/c.d/' src/b.ts; sed -n 1p x.ts; sed -i s/a.b/c.d/ ../lib/z");
  assertEquals(othersAfter(note, sed, status), []);
  assertEquals(othersAfter(stat, run("git restore src/long/b.ts")), [], "a shortened path");
  assertEquals(othersAfter(run("git reset --hard")), []);
});

Deno.test("ChangeCollector counts only the files that were staged by name as committed, unless others may be staged", () => {
  const edits = ["/p/src/a.ts", "/p/src/b.ts"].map((path) => edit(path));
  const committed = (files: number): string =>
    `[main 1234567] x\n ${files} file changed, 2 insertions(+)`;
  const after = (...steps: [command: string, output?: string][]): number | undefined =>
    uncommittedOf(...edits, ...steps.map(([command, output]) => run(command, output)));
  const one = "git add src/a.ts && git commit -m x";
  assertEquals(after([one, committed(1)]), 1);
  assertEquals(after(["git add src/a.ts"], ["git commit -m x", committed(1)]), 1);
  const second = "git add src/b.ts && git commit -m y";
  assertEquals(after([one, committed(1)], [second, committed(1)]), 0);
  assertEquals(after([one, committed(2)]), 0, "another file was staged before");
  assertEquals(after([one, "[main 1234567] x"]), 0, "git does not state the number of files");
  for (const all of ["git add . &&", "git add -A &&", "git add src/a.ts src/*.ts &&", ""]) {
    assertEquals(after([`${all} git commit -m x`, committed(1)]), 0, all);
  }
  assertEquals(after(["git add src/a.ts && git commit -qam x", committed(1)]), 0);
  assertEquals(after(["git add src && git commit -m x", committed(2)]), 0, "a folder");
});

Deno.test("ChangeCollector lists committed files whose edits were not seen", () => {
  const filesOf = (...steps: Fields[][]): string[] =>
    stateOf(edit("/p/src/a.ts"), ...steps).changes.map(({ file }) => file).toReversed();
  const commit = run("git add src/a.ts src/b.ts && git commit -m x", "[main 1234567] x");
  assertEquals(filesOf(commit), ["src/b.ts", "/p/src/a.ts"], "the edit of a.ts is newer");
  const diff = run("git diff --stat", " src/a.ts | 2 +-\n src/c.ts | 4 ++--\n 2 files changed");
  assertEquals(
    filesOf(diff),
    ["/p/src/a.ts"],
    "the edit of c.ts may be the user's, and is not committed",
  );
  const all = run("git commit -qam x");
  assertEquals(filesOf(diff, all), ["src/c.ts", "/p/src/a.ts"]);
  const others = run("git add src dist/b.js '*.md' && git commit -m x", "[main 1234567] x");
  assertEquals(filesOf(others), ["/p/src/a.ts"], "a folder, build output and a pattern");
});

Deno.test("ChangeCollector lists files that a command deleted, until the deletion is committed", () => {
  const made = write("/p/new.ts", "x", { mirror: { type: "create" } });
  const deleted = (...commands: string[]): readonly string[] | undefined =>
    trailOf(made, ...commands.map((command) => run(command))).deleted;
  assertEquals(deleted("rm cmd/start.go cmd/start_test.go"), ["cmd/start.go", "cmd/start_test.go"]);
  assertEquals(deleted("git mv a.ts b.ts"), ["a.ts"]);
  assertEquals(
    deleted("mkdir d && mv new.ts d/", "mv d/new.ts e/new.ts"),
    [],
    "the file was never tracked",
  );
  assertEquals(deleted("rm a.ts tmp.* 2>/dev/null > log"), ["a.ts"]);
  assertEquals(deleted("rm a.ts", "git commit -qam 'Remove it'"), []);
  const status = run("git status -s", " D src/a.ts\n D old/x.ts\n");
  const left = trailOf(run("rm -r a.ts old untracked.ts"), status).deleted;
  assertEquals(left, ["a.ts", "old"], "git does not track untracked.ts");
  const untracked = ["-rf node_modules", "/tmp/x", "*.log", "out.log", "~/a", "/p/.git/index.lock"];
  for (const path of ["new.ts", ...untracked]) assertEquals(deleted(`rm ${path}`), [], path);
  assertEquals(deleted("cd /tmp && mkdir try && cd try && git mv old.ts moved.ts"), []);
  assertEquals(deleted("cat > a.md <<EOF\nrm b.ts\nEOF", 'ssh x "cd y; rm a.ts"'), []);
});

Deno.test("ChangeCollector counts a command that writes a here-document to a file, or moves a file, as an edit", () => {
  const changed = (command: string): string[] =>
    stateOf(edit("/p/src/a.ts"), run(command)).changes.map(({ file, count }) => `${file} ${count}`);
  assertEquals(changed("cat >> src/a.ts << 'EOF'\nb\nEOF"), ["/p/src/a.ts 2"]);
  assertEquals(changed("mkdir -p x && cat > x/b.ts <<EOF\nb\nEOF"), ["x/b.ts 1", "/p/src/a.ts 1"]);
  assertEquals(changed("cat <<'EOF' > notes.md\nb\nEOF"), ["notes.md 1", "/p/src/a.ts 1"]);
  const started = prompt("Move it", { cwd: "/p" });
  const { changes, trail } = stateOf(started, run("git mv a.ts src/b.ts"), edit("/p/src/b.ts"));
  assertEquals(changes.map(({ file, count }) => `${file} ${count}`), ["/p/src/b.ts 2"]);
  assertEquals(trail?.uncommitted, 1, "one file");
  for (const other of ["cat > /tmp/x <<EOF\nb\nEOF", "cat src/a.ts", "git commit -F - <<EOF\nb"]) {
    assertEquals(changed(other), ["/p/src/a.ts 1"], other);
  }
});

function commitsOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).commits.map(({ hash, message }) => `${hash} ${message}`.trim());
}

Deno.test("CommitCollector finds commits in git's output, or in the command if git printed nothing about them", () => {
  const commits = commitsOf(
    run("git commit -m 'First'", "[main (root-commit) 1a2b3c4] First\n 1 file"),
    run('git add . && git -C /p commit -qam "Quiet one"', ""),
    run("git commit -q -m \"$(cat <<'EOF'\nFrom a document\n\nBody\nEOF\n)\""),
    run(
      "git commit -q -F - <<'EOF' && git log --oneline -2\nBy a pipe\n\nBody\nEOF",
      "5e6f7a8 (HEAD -> main) By a pipe\n1a2b3c4 First",
    ),
    fail("git commit -m 'Failed'", "nothing to commit"),
    run("git commit --dry-run -m 'Dry'"),
    run("git log --grep commit"),
    run(7),
  );
  assertEquals(commits, ["5e6f7a8 By a pipe", "From a document", "Quiet one", "1a2b3c4 First"]);
});

Deno.test("CommitCollector leaves out a commit if a filter or a later command hid its failure", () => {
  const commit = "git commit -m 'Fix the parser'";
  const rows: readonly (readonly [count: number, command: string, output: string])[] = [
    [0, `git add -A && ${commit} 2>&1 | tail -5`, HOOK_FAILED],
    [0, `${commit}; git status --short`, `${HOOK_FAILED}\n M a.ts`],
    [0, `${commit} | tail -1`, "nothing to commit, working tree clean"],
    [0, `${commit} -q || true`, "error: gpg failed to sign the data"],
    [1, `${commit} 2>&1 | tail -1`, " 1 file changed, 2 insertions(+)"],
    [1, `${commit} -q; git status --short`, "?? b.ts"],
    [1, `${commit} | tail -1`, ""],
    [1, `printf 'x' | ${commit} -F -`, "hook: ok"],
  ];
  for (const [count, command, output] of rows) {
    const { commits, trail } = stateOf(run(command, output));
    assertEquals([commits.length, trail?.unpushed], [count, count], command);
  }
  const rejected = fail(`${commit} && git push`, "[main 1a2b3c4] Fix the parser\n ! [rejected]");
  assertEquals(commitsOf(rejected), ["1a2b3c4 Fix the parser"]);
  assertEquals(trailOf(rejected).unpushed, 1);
});

Deno.test("CommitCollector lists every commit that one command line makes", () => {
  const [first, second] = ["[x 1111111] Add it\n 1 file changed", "[x 2222222] Mend it"];
  const add = "git commit -m 'Add it'";
  const both = run(`${add} && git commit -m 'Mend it'`, `${first}\n${second}`);
  assertEquals(commitsOf(both), ["2222222 Mend it", "1111111 Add it"]);
  const quiet = run(`${add} && git commit -qm 'Mend it'`, first);
  assertEquals(commitsOf(quiet), ["Mend it", "1111111 Add it"]);
  assertEquals(commitsOf(fail(`${add} && git commit -qm 'Mend it'`, first)), ["1111111 Add it"]);
});

Deno.test("CommitCollector does not list commits that were amended or undone", () => {
  const messages = (...commands: string[]): string[] =>
    commitsOf(...commands.map((command) => run(command)));
  const [first, second] = ["git commit -qm First", "git commit -qm 'Second'"];
  assertEquals(messages(first, second), ["Second"]);
  const both = ["git commit -qm 'First one'", second];
  assertEquals(messages(...both, "git commit -q --amend -m 'Better'"), ["Better", "First one"]);
  for (const subject of ["Pass --amend through", "Add a --dry-run option", "Run git init here"]) {
    assertEquals(messages(...both, `git commit -qm '${subject}'`).length, 3, subject);
  }
  assertEquals(messages(both.join(" && ")), ["Second", "First one"]);
  assertEquals(messages(...both, "git commit -q --amend --no-edit"), ["Second", "First one"]);
  assertEquals(messages(...both, "git reset --soft HEAD~1"), ["First one"]);
  assertEquals(messages(...both, "git reset HEAD~2 && git commit -qm 'Both'"), ["Both"]);
  for (const lead of ["cd /tmp/x && git init &&", "cd /tmp;"]) {
    assertEquals(messages(`${lead} git commit -qm 'Try'`), [], lead);
  }
  assertEquals(messages("cd /var/www/app && git commit -qm 'Real'"), ["Real"]);
  for (const other of ["git reset HEAD~0", "git reset HEAD^ a.ts"]) {
    assertEquals(messages(...both, other).length, 2, other);
  }
});

Deno.test("CommitCollector replaces a commit's hash when a continued rebase recreates the commit", () => {
  const commits = commitsOf(
    run("git commit -qm 'Add it'", "[main 1111111] Add it"),
    run("git commit -qm 'Mend it'", "[main 2222222] Mend it"),
    run("git add . && git rebase --continue", "[detached HEAD 3333333] Mend it\n 1 file changed"),
  );
  assertEquals(commits, ["3333333 Mend it", "1111111 Add it"]);
});

Deno.test("CommitCollector drops the hashes that a rebase replaced, and the commits that a reset removed", () => {
  const made = ["1111111 Add it", "2222222 Mend it"].map((one) =>
    run("git commit -qm x", `[x ${one.replace(" ", "] ")}`)
  );
  const after = (command: string, output: string): string[] =>
    commitsOf(...made, run(command, output));
  const done = "Rebasing (1/2)Rebasing (2/2)Successfully rebased and updated refs/heads/x.";
  assertEquals(after("git rebase origin/main", done), ["Mend it", "Add it"]);
  const last = `[detached HEAD 3333333] Mend it\n 1 file changed\n${done}`;
  assertEquals(after("git rebase --continue", last), ["3333333 Mend it", "Add it"]);
  const other = after("git rebase main", done.replace("heads/x", "heads/y"));
  assertEquals(other, ["2222222 Mend it", "1111111 Add it"], "the commits are on another branch");
  const idle = after("git rebase main", "Current branch x is up to date.");
  assertEquals(idle, ["2222222 Mend it", "1111111 Add it"]);
  for (const named of ["1111111aaa", "11111"]) {
    const reset = after(`git reset --hard ${named}`, "HEAD is now at 1111111 Add it");
    assertEquals(reset, ["1111111 Add it"], named);
  }
  assertEquals(after("git reset --hard main", "HEAD is now at 4444444 Theirs"), []);
});

Deno.test("CommitCollector counts the commits that were not pushed", () => {
  const commit = "git commit -qm 'One more'";
  const rows: readonly (readonly [count: number, ...commands: string[]])[] = [
    [2, commit, commit],
    [1, commit, "git push", commit],
    [0, `${commit} && git push -u origin x`],
    [1, commit, "git push", "git commit -q --amend -m 'Better'"],
    [1, commit, "git push --dry-run", "git stash push", "grep 'git push' a.md"],
    [1, commit, "git push --tags", "git push origin --delete old"],
    [0, commit, "git push origin main --tags"],
    [0, commit, "git reset HEAD~1"],
    [0, commit, commit, "git reset --hard origin/x"],
    [1, commit, "git reset --hard", "git reset --hard HEAD"],
  ];
  for (const [count, ...commands] of rows) {
    const { unpushed } = trailOf(...commands.map((command) => run(command)));
    assertEquals(unpushed, count, commands.join("; "));
  }
  const pushed = "On branch x\nYour branch is up to date with 'origin/x'.\n";
  assertEquals(trailOf(run(commit), run("git status", pushed)).unpushed, 0);
  const made = run(commit, "[x 1a2b3c4] One more");
  const unpushedAfter = (command: string, output: string): number | undefined =>
    trailOf(made, run(command, output)).unpushed;
  assertEquals(unpushedAfter("git status", pushed), 0);
  const merged = "Merge made by the 'ort' strategy.\n a.ts | 2 +-\n";
  const withMerge = unpushedAfter("git merge origin/main --no-edit", merged);
  assertEquals(withMerge, 2, "the merge commit, too");
  const forward = "Updating 1a2b3c4..5d6e7f8\nFast-forward\n";
  assertEquals(unpushedAfter("git pull", forward), 1);
  const toMain = "Switched to branch 'main'\nYour branch is up to date with 'origin/main'.\n";
  assertEquals(unpushedAfter("git checkout main", toMain), 1);
  assertEquals(unpushedAfter("git status", pushed.replaceAll("x", "main")), 1, "another branch");
  const hint = "hint: See the 'Note about fast-forwards' in 'git push --help' for details.";
  assertEquals(unpushedAfter("git push 2>&1 | tail -3", hint), 1);
  assertEquals(unpushedAfter("git push 2>&1 | tail -1", "   1a2b3c4..5d6e7f8  x -> x"), 0);
  const byAgent = call("Bash", { command: commit }, { more: { isSidechain: true } });
  assertEquals(commitsOf(byAgent).length, 1, "a subagent works in the same tree");
});

Deno.test("CommitCollector keeps the commits of another repository separate", () => {
  const made = run("cd ../lib && git commit -m 'Fix it'", "[fix 0a1b2c3] Fix it");
  const own = run("git commit -m 'Use it'", "[main 4d5e6f7] Use it");
  const { commits, trail } = stateOf(
    own,
    made,
    run("git -C ../lib push"),
    run("cd ../lib && git status", "Your branch is up to date with 'origin/main'."),
    run("git status && cd ../lib && make", ""),
  );
  const found = commits.map(({ message, folder }) => [message, folder]);
  assertEquals(found, [["Fix it", "../lib"], ["Use it", undefined]]);
  assertEquals(trail?.unpushed, 1, "no commit of this repository was pushed");
  const entered = "git commit -m 'Use it' && cd ../lib && make";
  const [commit] = stateOf(run(entered, "[main 4d5e6f7] Use it")).commits;
  assertEquals(
    [commit?.message, commit?.folder],
    ["Use it", undefined],
    "the folder was entered after the commit",
  );
  const amended = commitsOf(own, made, run("git commit --amend -m 'Use it well'"));
  assertEquals(amended, ["Use it well", "0a1b2c3 Fix it"]);
});

Deno.test("CommitCollector takes the reason for a commit from the first paragraph of prose in its body", () => {
  const why = (options: string): string | undefined =>
    stateOf(run(`git add -A && git commit ${options}`, "[main 1a2b3c4] Keep the lock"))
      .commits[0]?.why;
  const quoted = (body: string): string | undefined => why(`-m "Keep the lock\n\n${body}"`);
  const body = "Keep the lock\n\nTwo writers met when the file\nwas let go early.\n\nMore.";
  const document = `<<'EOF'\n${body}\nEOF`;
  for (const options of [`-m "${body}"`, `-m "$(cat ${document}\n)"`, `-qF - ${document}`]) {
    assertEquals(why(options), "Two writers met when the file was let go early.", options);
  }
  assertEquals(quoted("- One\n- Two\n\nIt was let go early."), "It was let go early.");
  assertEquals(quoted("This does:\n- One\n\nCo-Authored-By: A <a@b.c>"), undefined);
  assertEquals(why('-m "Keep the lock"'), undefined);
});

Deno.test("CommitCollector reports a merge or rebase that stopped halfway, until the operation ends", () => {
  const conflict = "Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts\n";
  const halted = (...steps: Entries[]): string | undefined => trailOf(...steps).halted;
  const merge = run("git merge origin/main 2>&1 | tail -5", conflict);
  const rebase = fail("git rebase main", conflict);
  const steps: Entries[] = [
    [],
    run("git status", "You have unmerged paths."),
    fail("git merge --continue", conflict),
    fail("git commit -qm x", "error: unmerged files"),
    run("rg 'git merge ' docs", "docs/a.md"),
    run("git -C ../other pull"),
    prompt("Did the merge break the tests? Tell me when the merge is done."),
  ];
  for (const open of steps) assertEquals(halted(merge, open), "git merge origin/main");
  const ends = [
    run("git merge --abort"),
    run("git commit -qm 'Merge main'"),
    run("git reset --hard"),
    run("git status", "On branch x\nnothing to commit, working tree clean"),
  ];
  for (const end of ends) assertEquals(halted(merge, end), "");
  // A commit does not end a rebase.
  const shown = run("git rebase --show-current-patch", "+x");
  for (const open of [[], run("git commit -qm x"), prompt("Is the rebase done?"), shown]) {
    assertEquals(halted(rebase, open), "git rebase main");
  }
  for (const words of ["I finished the rebase", "the rebase is done, go on"]) {
    assertEquals(halted(rebase, prompt(words)), "", words);
  }
  assertEquals(halted(rebase, run("git rebase --continue")), "");
  const tried = "Automatic merge went well; stopped before committing as requested\n";
  assertEquals(halted(run("git merge --no-commit x", tried)), "git merge --no-commit x");
  assertEquals(halted(run("cd /tmp/try && git init -q && git merge x", conflict)), "");
  assertEquals(halted(run("cd ../lib && git status", "You have unmerged paths.")), "");
  assertEquals(halted(run("git merge-base main HEAD", "CONFLICT (content): x")), "");
});

Deno.test("CommitCollector finds an operation that was unfinished before the session in the output of git status", () => {
  const merging = "On branch main\nAll conflicts fixed but you are still merging.";
  const rows: readonly (readonly [halted: string, ...outputs: string[]])[] = [
    ["git merge, all conflicts fixed", merging],
    ["git rebase", "interactive rebase in progress; onto 1a2b3c4"],
    ["", merging, "On branch main\nnothing to commit"],
    ["", merging, "On branch main\nChanges not staged for commit:"],
    // A short status does not identify the operation, so the earlier status counts.
    ["git merge, all conflicts fixed", merging, " M a.ts"],
    ["git merge", merging, "On branch main\nYou have unmerged paths."],
  ];
  for (const [halted, ...outputs] of rows) {
    const statuses = outputs.map((output) => run("git status", output));
    assertEquals(trailOf(...statuses).halted, halted, outputs.at(-1));
  }
});

Deno.test("StashCollector lists changes that were stashed and not restored", () => {
  const stashed = (...steps: Entries[]): unknown => trailOf(...steps).stashed;
  const entry = "WIP on main: 1a2b3c4 Add a parser";
  const saved = `Saved working directory and index state ${entry}`;
  const [plain, named] = [run("git stash", saved), run('git stash push -u -m "wip: notes"', saved)];
  assertEquals(stashed(plain, named), [entry, "wip: notes"]);
  const others = [
    run("git stash list"),
    run("git stash push", "No local changes to save"),
    fail("git stash", "fatal: not a git repository"),
    fail("git stash pop", "CONFLICT\nThe stash entry is kept"),
    run("git stash pop; git status --short", "The stash entry is kept\nUU a.ts"),
    run("cd /tmp/try && git stash", saved),
    run('git commit -qm "then git stash"', saved),
  ];
  for (const other of others) assertEquals(stashed(plain, other), [entry]);
  const popped = run("git stash pop", "Dropped refs/stash@{0} (1a2b)");
  assertEquals(stashed(plain, named, popped), [entry]);
  assertEquals(stashed(plain, run("git stash pop | tail -1", "Dropped refs/stash@{0}")), []);
  assertEquals(stashed(plain, named, run("git stash drop stash@{1}")), ["wip: notes"]);
  assertEquals(stashed(plain, named, run("git stash clear")), []);
  const inChain = "git stash && npm test && git stash pop";
  assertEquals(stashed(fail(inChain, `${saved}\n1 failed`)), [entry]);
  assertEquals(stashed(run("git stash && npm test | tail -1; git stash pop", saved)), []);
  assertEquals(stashed(run("git stash --quiet && git switch main")), ["git stash"]);
});

Deno.test("TodoCollector keeps the last list with the state of each item", () => {
  const steps = stepsOf(
    todo(["Old", "pending"]),
    todo(["Parse", "completed"], ["Print", "in_progress"], ["Ship", "pending"], [7]),
    call("TodoWrite", { todos: [{ content: "Refused" }] }, { isError: true }),
    call("TodoWrite", { todos: [{ content: "Agent's" }] }, { more: { isSidechain: true } }),
    call("TodoWrite", {}),
  );
  assertEquals(steps, ["Parse: completed", "Print: in_progress", "Ship: pending"]);
});

function create(id: string, subject: string): Fields[] {
  return call("TaskCreate", { subject }, { mirror: { task: { id, subject } } });
}

function update(taskId: unknown, fields: Fields, outcome: CallOutcome = {}): Fields[] {
  return call("TaskUpdate", { taskId, ...fields }, outcome);
}

Deno.test("TodoCollector applies updates, a deletion and a task list, and ignores an empty reminder", () => {
  const done = { status: "completed" };
  const steps = stepsOf(
    todo(["Older list", "pending"]),
    create("1", "Parse"),
    create("2", "Print"),
    call("TaskCreate", { subject: "Ship" }, { result: "Task #3 created successfully: Ship" }),
    update("1", done, { mirror: { success: true } }),
    update("2", { status: "deleted" }, { mirror: { success: true } }),
    update("3", { subject: "Ship it" }),
    update("9", done, { mirror: { success: false } }),
    update("8", done),
    call("TaskList", {}, {
      mirror: { tasks: [{ id: "3", subject: "Ship it", status: "in_progress" }, 7] },
    }),
    { type: "attachment", attachment: { type: "task_reminder", content: [] } },
  );
  assertEquals(steps, ["Parse: completed", "Ship it: in_progress"]);
});

Deno.test("TodoCollector completes a task if the client reports it as not found, and drops open tasks if the list is empty", () => {
  const created = [create("1", "Parse"), create("2", "Print")];
  const ended = (id: string, result: string): Fields[] =>
    update(id, { status: "completed" }, { mirror: { success: false }, result });
  const done = ended("1", "Task not found");
  const blocked = ended("2", "Task 2 is blocked");
  assertEquals(stepsOf(...created, done, blocked), ["Parse: completed", "Print: pending"]);
  const none = call("TaskList", {}, { mirror: { tasks: [] }, result: "No tasks found" });
  assertEquals(stepsOf(...created, done, none), ["Parse: completed"]);
});

Deno.test("TodoCollector reads check commands and the details of a task from its description", () => {
  const describe = (subject: string, description: string): Fields[] =>
    call("TaskCreate", { subject, description }, { mirror: { task: { id: "1", subject } } });
  const begun = update("1", { status: "in_progress" });
  const checks = describe("Run the tests", "Run npm run test && npm run test:ci");
  const open = "Run the tests (`npm run test && npm run test:ci`): in_progress";
  assertEquals(stepsOf(checks, begun), [open]);
  const quoted = describe("Lint", "Fix what `npm run lint` and `src/a.ts` show");
  assertEquals(stepsOf(quoted), ["Lint (`npm run lint`): pending"]);
  const fix = describe("Fix the parser", "Arrays are lost. Return them, and add a test.");
  const specOf = (...steps: Entries[]): string | undefined => stateOf(...steps).trail?.spec;
  assertEquals(specOf(fix, begun), "Arrays are lost. Return them, and add a test.");
  assertEquals(specOf(fix), "Arrays are lost. Return them, and add a test.");
  assertEquals(specOf(fix, update("1", { status: "completed" })), undefined);
  assertEquals(
    specOf(describe("Fix the parser", "Fix parser")),
    undefined,
    "the description adds nothing",
  );
});

Deno.test("TodoCollector accepts tasks with invalid ids", () => {
  const hostile = { toString: null };
  const content = [{ id: 7, subject: "One" }, { id: hostile, subject: "Two" }];
  const steps = stepsOf(
    { type: "attachment", attachment: { type: "task_reminder", content } },
    update("7", { status: "completed" }),
    update(hostile, { status: "completed" }),
  );
  assertEquals(steps, ["One: completed", "Two: completed"]);
});

function sinceOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).next_steps.map(({ since = "" }) => since);
}

Deno.test("TodoCollector reports the work since the list was set on the step that the work probably belongs to", () => {
  const list = (status: string): Fields[] =>
    todo(["Plan", "completed"], ["Later", "pending"], ["Now", status]);
  const work = [
    ...[edit("/p/a.ts"), edit("/p/src/b.ts"), edit("/p/a.ts", "b", "c")],
    edit("/p/c.ts", "b", "c", { isError: true }),
  ];
  const now = (...steps: Entries[]): string => sinceOf(list("in_progress"), ...steps).join("");
  const edits = "edits of a.ts, b.ts";
  const check = run("npm test", "3 passed");
  assertEquals(sinceOf(...work, list("in_progress")), ["", "", ""]);
  assertEquals(sinceOf(list("in_progress"), ...work), ["", "", edits]);
  assertEquals(now(...work, check), `${edits} and a passing \`npm test\``);
  assertEquals(now(...work, check, fail("npm test")), `${edits} and a failing \`npm test\``);
  assertEquals(now(check, ...work), edits, "edits followed the check");
  assertEquals(now(check), "", "the check covered earlier work");
  const unseen = run("npm test", "Command running in background with ID: b1");
  assertEquals(now(...work, unseen), edits, "the check may still fail");
  const commit = run("git commit -m x");
  assertEquals(sinceOf(list("pending"), ...work, commit), ["", `${edits} and a commit`, ""]);
  assertEquals(sinceOf(list("pending"), ...work, commit, list("pending")).join(""), "");
});

Deno.test("TodoCollector does not count work from before the assistant announced the open step", () => {
  const list = todo(["Finalize the turn's end", "in_progress"]);
  const announced = said("The index is done. Now let me finalize the turn's end.");
  assertEquals(sinceOf(list, edit("/p/a.ts"), announced), [""]);
  const other = said("Now let me fix the index.");
  assertEquals(sinceOf(list, edit("/p/a.ts"), other), ["edits of a.ts"]);
});

Deno.test("TodoCollector reports which identifier in a step the edits are about", () => {
  const named = todo(
    ["Add parseHeader", "completed"],
    ["Use parseHeader in main", "in_progress"],
    ["Write computeLanes", "pending"],
    ["Test it", "pending"],
  );
  const lanes = edit("/p/lanes.ts", "a", "parseHeader();\nfunction computeLanes() {}");
  const useEdit = "edits of lanes.ts that name `parseHeader`";
  assertEquals(sinceOf(named, lanes), ["", useEdit, "edits that name `computeLanes`", ""]);
});

Deno.test("ChangeCollector lists a file once even if a command and an edit use different paths for it", () => {
  const shell = (command: string): Fields[] => call("Bash", { command });
  const filesAfter = (...steps: Entries[]): string[] =>
    stateOf(prompt("Write it", { cwd: "/p" }), shell("echo '# Notes' > README.md"), ...steps)
      .changes.map(({ file }) => file).sort();
  const path = "/p/README.md";
  assertEquals(filesAfter(edit(path)), [path]);
  const other = "/p/lib/README.md";
  assertEquals(filesAfter(edit(other)), [other, "README.md"], "another file");
  assertEquals(filesAfter(shell("sed -i s/N/n/ /p/README.md")), [path]);
  assertEquals(filesAfter(shell("rm /p/README.md")), [], "deleted by its absolute path");
});

Deno.test("extractFromEntries() applies the effects of git commands that the user runs", () => {
  const typed = (command: string, stdout: string, stderr = "") => [
    prompt(`<bash-input>${command}</bash-input>`),
    prompt(`<bash-stdout>${stdout}</bash-stdout><bash-stderr>${stderr}</bash-stderr>`),
  ];
  const work = [prompt("Add a login."), edit("/p/a.ts"), run("npm test", "3 passed")];
  const made = run("git commit -m 'Add it'", "[main 1a2b3c4] Add it\n 1 file changed");
  const trailAfter = (...entries: Entries[]) => stateOf(...work, ...entries).trail;
  assertEquals(trailAfter()?.uncommitted, 1);
  const clean = typed("git status", "On branch main\nnothing to commit, working tree clean");
  assertEquals(trailAfter(...clean)?.uncommitted, 0);
  const pushed = typed("git push", "", "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  main -> main");
  assertEquals([trailAfter(made)?.unpushed, trailAfter(made, ...pushed)?.unpushed], [1, 0]);
  const [check] = trailAfter(made, ...typed("git pull", "Updating 1a2b3c4..5d6e7f8"))?.commands ??
    [];
  assertEquals(check?.text, "`npm test` ok; before `git pull`");
  const [own] = stateOf(prompt("Go on."), ...typed("echo x > a.ts", "")).changes;
  assertEquals(own, undefined, "the session did not write a.ts");
});

Deno.test("extractFromEntries() keeps the steps planned in the thinking until an edit or a prompt follows", () => {
  const stepsAfter = (...steps: Entries[]): string | undefined =>
    trailOf(prompt("Scope it"), ...steps).thought_steps;
  const list = "1. Create `slice()`\n2. Use it in a.ts\n\nLet me check the rest.";
  const plan = think(`It is JSONL. To scope it, I need to:\n${list}`);
  const planned = "1. Create `slice()` 2. Use it in a.ts";
  const look = call("Read", { file_path: "/p/a.ts" });
  assertEquals(stepsAfter(plan, look), planned);
  assertEquals(stepsAfter(plan, think("It is read twice. Let me look.")), planned);
  assertEquals(stepsAfter(plan, edit("/p/a.ts")), undefined);
  assertEquals(stepsAfter(plan, prompt("Leave it")), undefined);
  assertEquals(stepsAfter(think(`There are two files:\n${list}`)), undefined, "not a plan");
  const looks = "I need to see:\n1. The log\n2. The branch";
  assertEquals(stepsAfter(think(looks)), undefined, "the steps change nothing");
});

Deno.test("extractFromEntries() keeps the newest findings from the thinking until a message, a prompt or the work settles them", () => {
  const thoughtAfter = (...steps: Entries[]): string | undefined =>
    trailOf(prompt("Why?"), finding, ...steps).thought;
  const finding = think("The user asks why. The hook never sets the offset. Let me look at it.");
  const [look, change] = [call("Read", { file_path: "/p/a.ts" }), edit("/p/a.ts")];
  const since = (words: string): string => `${words} (1 call since then)`;
  const found = since("The hook never sets the offset.");
  assertEquals(thoughtAfter(look), found);
  const done = think("Now I see the function. It is done. It takes a list of strings");
  const last = "It is done. It takes a list of strings.";
  assertEquals(thoughtAfter(look, done), last, "the whole last thought");
  const retracted = "The cache was older. Wait, that contradicts the log. Let me check again.";
  assertEquals(
    trailOf(prompt("Why?"), think(retracted), look).thought,
    undefined,
    "the thought takes its finding back",
  );
  const announced = think("Let me run the tests again.");
  const twoCalls = found.replace("1 call", "2 calls");
  assertEquals(thoughtAfter(look, announced, look), twoCalls, "an announcement is not a finding");
  const plan = "Now I need to remove the old file.";
  const unused = "It is unused from now on.";
  assertEquals(
    thoughtAfter(think(`${unused} ${plan}`)),
    unused,
    "the plan is not part of the finding",
  );
  const idea = "It is too slow. Let me log it. Or better, the cache may be empty. Is it full?";
  assertEquals(
    thoughtAfter(think(`${idea} Let me look.`), look),
    since(idea),
    "the announcement in the middle is kept",
  );
  assertEquals(thoughtAfter(look, think("Let me update the todo list now.")), found);
  const otherEdit = found.replace("1 call", "an edit of b.ts");
  assertEquals(thoughtAfter(think(plan), edit("/p/b.ts")), otherEdit);
  const newer = think("Great! I should use the method `start()` instead. Let me fix it.");
  assertEquals(thoughtAfter(newer, look), found, "no edit followed the newer thought");
  assertEquals(thoughtAfter(newer, edit("/p/b.ts")), undefined, "the edit follows a newer thought");
  const test = run("npm test", "1 passed");
  assertEquals(thoughtAfter(test), undefined, "the check may contradict it");
  assertEquals(
    thoughtAfter(fail("npm test", "1 failed")),
    found,
    "a failure does not settle the finding",
  );
  const options = think(
    "The user wants a page. I need to decide:\n- Skip it as too small\n- Or move it",
  );
  const introduced = since("I need to decide: Skip it as too small. Or move it.");
  assertEquals(thoughtAfter(options, look), introduced);
  const forbidden = "The rules forbid new documents. The user asks for one, so it is fine.";
  assertEquals(thoughtAfter(think(`${forbidden} Let me look.`), look), since(forbidden));
  const withEdit = found.replace("1 call", "an edit of a.ts");
  assertEquals(thoughtAfter(change), withEdit, "the finding may explain the edit");
  assertEquals(thoughtAfter(change, change), undefined);
  const changed = thoughtAfter(think(`${unused} ${plan}`), change);
  assertEquals(
    changed,
    `${unused} ${plan} (an edit of a.ts since then)`,
    "the plan explains the edit",
  );
  assertEquals(thoughtAfter(said("It is never set.")), undefined);
  const why = "The hook never sets the offset.";
  assertEquals(thoughtAfter(said("Let me look at the hook."), look), found);
  assertEquals(
    thoughtAfter(said("Now I see. Let me fix it:")),
    why,
    "the message does not state the reason",
  );
  assertEquals(
    thoughtAfter(prompt("Go on.")),
    undefined,
    "the thought belongs to the previous turn",
  );
  const looks = Array.from({ length: 9 }, () => look);
  assertEquals(thoughtAfter(...looks), found.replace("1 call", "9 calls"));
  const runs = Array.from({ length: 9 }, () => run("make docs", ""));
  assertEquals(thoughtAfter(...runs), undefined, "too many commands followed");
});

Deno.test("extractFromEntries() keeps the step planned in the thinking until a call carries it out, a message states it or a prompt follows", () => {
  const plannedAfter = (plan: string, ...steps: Entries[]): string | undefined =>
    trailOf(prompt("Why?"), think(`The hook is wrong. ${plan}`), ...steps).intention;
  const [fix, look] = ["Let me fix the old hook now.", "Let me check the `start` hook."];
  const [found, nothing] = ["hook.ts:1: start()", "No matches found"]
    .map((result) => call("Grep", { pattern: "start" }, { result }));
  assertEquals(plannedAfter(fix), fix);
  assertEquals(plannedAfter(fix, found ?? []), fix, "a search does not carry out the fix");
  assertEquals(plannedAfter(fix, edit("/p/a.ts")), undefined);
  assertEquals(plannedAfter(fix, run("make docs", "")), undefined);
  assertEquals(plannedAfter(fix, said("Let me fix it.")), undefined, "the message states the step");
  assertEquals(plannedAfter(fix, prompt("Go on.")), undefined);
  assertEquals(plannedAfter(look, found ?? []), undefined);
  assertEquals(
    plannedAfter("Let me check who added the fix in that commit.", found ?? []),
    undefined,
  );
  const elsewhere = "Let me also check if there are test helpers defined elsewhere.";
  assertEquals(plannedAfter(elsewhere, found ?? []), undefined);
  const thenFix = "Let me check how it starts, then fix it.";
  assertEquals(plannedAfter(thenFix, found ?? []), thenFix);
  assertEquals(plannedAfter(look, nothing ?? []), look, "the search found nothing");
  const add = "I need to add the import of `start` to hook.ts.";
  assertEquals(plannedAfter(`${add} ${look}`, found ?? []), add, "only the search was made");
  assertEquals(plannedAfter(`${add} ${look}`, found ?? [], edit("/p/a.ts")), undefined);
  const { thought } = trailOf(prompt("Why?"), think(`${add} ${look}`), found ?? []);
  assertEquals(thought, undefined, "the step is all that the thought says");
  assertEquals(plannedAfter("Let me update the todo list now."), undefined);
});

Deno.test("extractFromEntries() reports that a session is in plan mode until a plan is approved or the mode changes", () => {
  const isPlanning = (...steps: Entries[]): boolean => trailOf(...steps).planning === true;
  const asked = prompt("Plan the login", { permissionMode: "plan" });
  const offered = { plan: "# Login" };
  assert(isPlanning(asked));
  assert(isPlanning(prompt("Add a login"), call("EnterPlanMode", {})));
  assert(isPlanning(asked, call("ExitPlanMode", offered, { isError: true, result: "Not yet" })));
  assert(!isPlanning(asked, call("ExitPlanMode", offered)));
  assert(!isPlanning(asked, prompt("Build it", { permissionMode: "acceptEdits" })));
  assert(!isPlanning(prompt("x"), prompt("y", { permissionMode: "plan", isSidechain: true })));
});

Deno.test("CommandCollector lists failures without a later success as issues", () => {
  const issues = issuesOf(
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
  assertEquals(issues, [
    "command: `pytest -q` fails: 2 failed, 3 passed",
    "command: `go test ./...` fails: --- FAIL: TestA",
  ]);
});

Deno.test("CommandCollector clears a failure when the same or a wider check passes, or work is committed or pushed", () => {
  const countAfter = (failed: string, later: Fields[]): number =>
    issuesOf(prompt("Mend it", { cwd: "/p" }), fail(failed, "FAIL"), later)
      .filter((issue) => issue.includes("go test")).length;
  const ok = "ok  \tex.org/a\t0.1s";
  const rows: readonly (readonly [failed: string, later: string, count: number])[] = [
    ["go test ./a -run TestA", "go test ./a -run TestA | head", 0],
    ["go test ./a -run TestA", "go test ./...", 0],
    ["go test ./a -run TestA", "go test -run Test ./a", 0],
    ["go test ./a -run TestA", "go test ./b -run TestB", 1],
    ["go test ./a -run TestA", "go test ./another/package -run TestB", 1],
    ["go test ./a -run TestA", "go build ./...", 1],
    ["go test ./a", "make fmt && go test ./a", 0],
    // A check or a commit in another project does not clear the failure.
    ["cd /p && go test ./a", "cd /other/p && go test ./a", 1],
    ["cd /p && go test ./a", "cd /other/p && git commit -m 'Mend it'", 1],
    ["cd /p && go test ./a", "cd /p && go test ./a", 0],
    ["cd /p && go test ./a", "cd /p/docs && git commit -m 'Mend it'", 0],
    // A git command clears the failure only if it commits or pushes.
    ["go test ./a", "git add -A && git commit -m 'Fix it'", 0],
    ["go test ./a", "git push origin main", 0],
    ["go test ./a", "git commit --dry-run", 1],
    ["go test ./a", "git status", 1],
    ["go test ./a", "echo 'git commit'", 1],
  ];
  for (const [failed, later, count] of rows) {
    assertEquals(countAfter(failed, run(later, ok)), count, later);
  }
  assertEquals(countAfter("go test ./a", fail("git commit -m 'Fix it'")), 1);
  const isLeft = (failed: string, later: string): boolean =>
    issuesOf(prompt("Mend it"), fail(failed, "1 failed"), run(later, "3 passed")).length > 0;
  const narrower: readonly (readonly [failed: string, later: string])[] = [
    ["deno test lib/login_test.ts", "deno test a_test.ts"],
    ["deno test lib", "deno test src"],
    ["deno test -A lib", "deno test -A src"],
    ["npm test", "npx jest src/one.test.ts"],
    ["npm test", "npm test -- login"],
    ["npm run test:unit", "npm run test:e2e"],
    ["npm run test:e2e", "npm test"],
    ["mise run test", "mise run test:unit"],
  ];
  for (const [failed, later] of narrower) assertEquals(isLeft(failed, later), true, later);
  const wider: readonly (readonly [failed: string, later: string])[] = [
    ["deno test lib/login_test.ts", "deno test lib"],
    ["npx jest src/one.test.ts", "npm test"],
    ["npm test -- --reporter dot", "npx jest --reporter dot"],
    ["mise run test", "mise run test:ci"],
  ];
  for (const [failed, later] of wider) assertEquals(isLeft(failed, later), false, later);
  const cut = run("go test ./a -run TestA | head", "=== RUN TestA");
  assertEquals(
    countAfter("go test ./a -run TestA", cut),
    0,
    "the outcome of the new run is unknown",
  );
});

Deno.test("CommandCollector leaves out failures without a meaningful output, and failures of the call itself, such as a missing program", () => {
  const missing = "ModuleNotFoundError: No module named 'app.utils'";
  const inFile = "a.ts:3: error: unknown option in the file";
  const rows = [
    ["./find-skill 'login'", "Error", ""],
    ["./find-skill 'login'", "Error: no such skill", "Error: no such skill"],
    ["npm test", "", "no output"],
    ["foo build", "Exit code 127\n/bin/bash: line 1: foo: command not found", ""],
    ["foo build", "Exit code 2\nerror: unexpected argument '--all' found", ""],
    ["foo build", "Exit code 1\nfoo: unknown flag: --all", ""],
    ["npm run build", 'npm error Missing script: "build"', ""],
    ["python -m pytest", "/usr/bin/python: No module named pytest", ""],
    ["python -m pytest", missing, missing],
    ["foo build", inFile, inFile],
    ["mise run build", "<tool_use_error>Sibling tool call errored</tool_use_error>", ""],
    ["mise run test", "[test] ERROR task failed\nExit code 1\n--- FAIL: TestA", "--- FAIL: TestA"],
  ] as const;
  for (const [command, output, error] of rows) {
    const expected = error === "" ? [] : [`command: \`${command}\` fails: ${error}`];
    assertEquals(issuesOf(fail(command, output)), expected, output);
  }
});

Deno.test("MarkCollector reports added TODO and FIXME comments that were not removed", () => {
  const issues = issuesOf(
    edit("/a.ts", "a();", "a();\n// TODO: handle errors\n// FIXME(me): slow"),
    edit("/a.ts", "// FIXME(me): slow", "fast();"),
    write("/b.ts", "# TODO later\nx\n"),
    write("/b.ts", "x\n"),
    edit("/c.md", "", "The todo list is long. TODOs are many."),
    edit("/p/docs/a.md", "", "// TODO: later"),
    edit("/p/docs/b.md", "", "// TODO: soon"),
    run("rm docs/a.md"),
  );
  assertEquals(issues, [
    "todo: /p/docs/b.md: // TODO: soon",
    "todo: /a.ts: // TODO: handle errors",
  ]);
});

Deno.test("ClosingCollector reads lists under headings, and does not report an offer to continue as a question", () => {
  const text = "## Next steps\n1. **Add** the parser\n   - a part of it\n- [ ] Document it\n\n" +
    "**Known issues:**\n- The cache is never emptied\n\n```\n## Next steps\n- of a file\n```\n" +
    "Next: publish the package.\n\nAll else is fine. Shall I go on with the parser?";
  const { next_steps, issues } = stateOf(prompt("Look."), said(text));
  const steps = next_steps.map(({ step }) => step);
  assertEquals(steps, ["Add the parser", "Document it", "publish the package."]);
  // A list of known issues is not read, because it often says how each issue was fixed.
  assertEquals(issues, []);
});

Deno.test("ClosingCollector leaves out items that are done, and items such as `None needed`", () => {
  const rows: readonly (readonly [text: string, ...open: string[]])[] = [
    ["Remaining work:\n- [x] Fix the login\n- [ ] Fix the logout", "Fix the logout"],
    ["**Remaining work (all done):**\n- The login"],
    ["Next steps:\n- None needed"],
    ["Next steps:\n- None of the hooks runs yet", "None of the hooks runs yet"],
  ];
  for (const [text, ...open] of rows) {
    const { next_steps, issues } = stateOf(prompt("Look."), said(text));
    const found = [...next_steps.map(({ step }) => step), ...issues.map(({ issue }) => issue)];
    assertEquals(found, open);
  }
});

Deno.test("ClosingCollector lists the files that were edited after a list of next steps", () => {
  const failed = edit("/p/b.ts", "a", "b", { isError: true });
  const { next_steps } = stateOf(said("Next steps:\n- test it"), edit("/p/a.ts"), failed);
  assertEquals(next_steps.map(({ since }) => since), ["edits of a.ts"]);
});

Deno.test("ClosingCollector keeps a list after a prompt that only agrees", () => {
  const asked = said("Remaining:\n- all\n\nShall I?");
  for (const assent of ["Go on.", "Yes, keep going", "great, continue please"]) {
    assertEquals(stepsOf(asked, prompt(assent)), ["all: pending"], assent);
    assertEquals(issuesOf(asked, prompt(assent)), []);
  }
  for (const other of ["Yes, and delete it", "next week", "nothing else", "No, write the docs."]) {
    assertEquals(stepsOf(asked, prompt(other)), [], other);
    assertEquals(issuesOf(asked, prompt(other)), []);
  }
});

Deno.test("ClosingCollector counts an unanswered question as an issue", () => {
  const rows: readonly (readonly [text: string, ...issues: string[]])[] = [
    ["Both work. Which of the two **bases** is better?", "Which of the two bases is better?"],
    [
      "Line 9 reads it twice. One read is enough:\n\nWant me to change that?",
      "Line 9 reads it twice. Want me to change that?",
    ],
    [
      "Which one do you prefer?\n1. A file of its own\n2. The old one",
      "Which one do you prefer? 1. A file of its own 2. The old one",
    ],
    ["1. It is fast\n2. It is small\n\nAll is done."],
    [
      "Do you want to:\n- A) Go now\n- B) Wait\n- C) Do something else?",
      "Do you want to: a. Go now b. Wait c. Do something else?",
    ],
    ["All is done. Anything else?"],
    [
      "The cache is done, and each of its files is read only once, which the tests of the store cover.\n\n**Would you like me to test it?** I recommend:\n\n1. The key\n2. The age\n\nBoth are short.",
      "Would you like me to test it?",
    ],
  ];
  for (const [text, ...issues] of rows) {
    const expected = issues.map((issue) => `question: ${issue}`);
    assertEquals(issuesOf(prompt("Look."), said(text)), expected, text);
  }
  // The user answered, or the assistant continued by itself.
  const asked = said("Which of the two bases do you prefer?");
  for (const later of [prompt("Yes."), run("ls"), said("Done.")]) {
    assertEquals(issuesOf(asked, later), []);
  }
  const dialog = { questions: [{ question: "Which database?" }, { question: 7 }] };
  const refused = { isError: true, result: "The user doesn't want to proceed with this tool use." };
  assertEquals(issuesOf(call("AskUserQuestion", dialog, refused)), ["question: Which database?"]);
  const byAgent = call("Read", { file_path: "/a" }, { more: { isSidechain: true } }).slice(0, 1);
  const [which] = issuesOf(asked, byAgent);
  assertEquals(which, "question: Which of the two bases do you prefer?");
  const open = call("AskUserQuestion", dialog).slice(0, 1);
  assertEquals(issuesOf(open), ["question: Which database?"]);
  assertEquals(issuesOf(call("AskUserQuestion", dialog)), []);
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

Deno.test("ProgressCollector counts a bounded number of tools, and ignores new tools beyond that", () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `Tool${n}`);
  const late = ["Late", "Late", "Late", "Tool9999"];
  const { progress } = stateOf(...[...names, ...late].map((name) => call(name, {})));
  const first = progress.tools.slice(0, 2);
  assertEquals(first, [{ name: "Tool9999", count: 2 }, { name: "Tool0", count: 1 }]);
});

function answersOf(...entries: readonly Entries[]): string[] {
  return stateOf(...entries).progress.answers?.map(({ text }) => text) ?? [];
}

Deno.test("ProgressCollector keeps the answers that ended a turn, until the assistant withdraws them", () => {
  const answer = (name: string): Fields =>
    said(`${name}: ${"the cache is read first. ".repeat(8)}`);
  const namesOf = (...steps: Entries[]): string =>
    answersOf(...steps).map((text) => text.split(":")[0]).join();
  const [one, two] = [answer("One"), answer("Two")];
  assertEquals(namesOf(one, prompt("go"), two, prompt("ok")), "One,Two");
  assertStringIncludes(answersOf(one, prompt("option B")).join(), '(the user replied: "option B")');
  assertEquals(namesOf(one, call("Read", {}), prompt("go")), "");
  assertEquals(namesOf(said("Done."), prompt("go")), "");
  assertEquals(namesOf(one, prompt("no"), said("You're right, it is not."), two), "");
  assertEquals(namesOf(one, prompt("none of them is so"), said("You're right."), two), "");
  const conceded = said("You're right. It is read last. Let me look:\n- the cache");
  assertStringIncludes(
    answersOf(one, prompt("hm, it is last"), call("Read", {}), conceded, conceded).join(),
    '(the user replied: "hm, it is last"; the assistant replied: "You\'re right. It is read last.")',
  );
  const later = answersOf(one, prompt("hm, it is last"), said("I look at it again."), conceded);
  assert(!later.join().includes("the assistant replied"), "the reply is to another message");
  const overruled = said(
    "After reading the code, most of the review's comments are **wrong or already handled**:",
  );
  assertStringIncludes(
    answersOf(one, prompt("address them"), call("Read", {}), said("I start."), overruled).join(),
    'address them"; the assistant replied: "After reading the code, most of the review\'s comments',
  );
  const also = "I also meant the other file";
  const rows = [
    [also, "You're right - both have it.", "One"],
    [also, "You're right, I missed that one.", ""],
    ["are we sure it reads the cache?", "You're right to ask: it does not.", ""],
    ["are you sure?", "No, I'm not sure. I assumed that it reads the cache.", ""],
    ["that is wrong, I can see two", "You're right, there are two.", ""],
    ["are you sure?", "No test covers it, so I looked again: yes.", "One"],
  ] as const;
  for (const [prompted, words, names] of rows) {
    assertEquals(namesOf(one, prompt(prompted), said(words)), names, words);
  }
  const many = [..."ABCDEFG"].flatMap((name) => [answer(name), prompt("go")]);
  assertEquals(namesOf(...many), "B,C,D,E,F,G");
});

Deno.test("ProgressCollector drops a summary's item once the work on it is done", () => {
  const text = "7. Pending Tasks:\n- Run `npm test`\n- Update `handleAmend`\n- Ship it\n";
  const items = (...later: Entries[]): readonly string[] =>
    stateOf(prompt(text, { isCompactSummary: true }), ...later).progress.summed_up?.items ?? [];
  const test = run("npm test", "3 passed");
  assertEquals(items(edit("/p/a.ts", "", "handleAmend();"), test), [
    "Pending at the compaction: Update `handleAmend` (edits since then mention `handleAmend`)",
    "Pending at the compaction: Ship it",
  ]);
  assertEquals(items(fail("npm test", "1 failed")).length, 3);
});

Deno.test("ProgressCollector keeps the headings and the findings of a long answer", () => {
  const names = Array.from({ length: 26 }, (_, at) => `**${at + 1}. Finding about part ${at}**`);
  const findings = names
    .map((name) => `${name}\n\n${"It is slow because it reads twice. ".repeat(9)}\n`).join("\n");
  const table = "## Review\n\n| Kind | Count |\n|---|---|\n| Speed | 7 |\n---\n";
  const [review = ""] = answersOf(said(table + findings), prompt("fix 3"));
  for (const name of names) assertStringIncludes(review, name);
  assert(!review.includes("| 7 |"), review);
  const parts = ["first part", "second part", "third part", "fourth part"].map((name) => ({
    start: `### ${name}\nThe ${name} is kept.`,
    rest: ["It was read and compared. ", "More words. "].map((one) => one.repeat(40)).join("\n\n"),
  }));
  const text = parts.map(({ start, rest }) => `${start} ${rest}`).join("\n");
  const [answer = ""] = answersOf(said(text), prompt("ok"));
  for (const { start } of parts) assertStringIncludes(answer, start);
});

Deno.test("extractFromEntries() accepts values of any shape", () => {
  const state = stateOf(
    call("Edit", { file_path: "/a", old_string: 7, new_string: null }, { mirror: 7 }),
    call("MultiEdit", { file_path: "/a", edits: [null, 7, {}] }, {
      mirror: { structuredPatch: [7, {}] },
    }),
    call("Edit", { file_path: "/a" }, {
      mirror: { structuredPatch: [{ newStart: 1, lines: [7, ""] }] },
    }),
    call("TaskCreate", {}, { mirror: { task: 7 } }),
    call("TaskUpdate", {}),
    call("TaskList", {}, { mirror: { tasks: 7 } }),
    call("AskUserQuestion", { questions: 7 }, { mirror: { answers: 7 } }),
    call("ExitPlanMode", { plan: 7 }),
    run(null, "", true),
    {
      type: "attachment",
      attachment: { type: "queued_command", commandMode: "prompt", prompt: [] },
    },
  );
  assertEquals(state.changes.map(({ file }) => file), ["/a"]);
  assertEquals(state.issues, []);
});
