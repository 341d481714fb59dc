import { assert, assertEquals } from "@std/assert";
import { LearningCollector } from "../../src/extract/learnings.ts";

const FROM = { uuid: "u", line: 1 };

/** Linear work takes about a second; a backtracking pattern takes longer than this. */
const MAX_MILLISECONDS = 60_000;

type Event =
  | readonly ["user" | "assistant", text: string]
  | readonly ["Edit" | "Bash", subject: string, isError?: boolean, result?: string];

const EDIT = ["Edit", "/p/a.ts"] as const;
const TEST = ["Bash", "npm test"] as const;

function learn(...events: readonly Event[]): string[] {
  const collector = new LearningCollector();
  for (const [kind, text, isError = false, result = ""] of events) {
    if (kind === "user") collector.prompt(text, FROM);
    else if (kind === "assistant") collector.said(text, FROM);
    else {
      const input = kind === "Edit" ? { file_path: text } : { command: text };
      const ending = { isError, result, mirror: null };
      collector.call({ name: kind, input, ...ending, isSidechain: false, from: FROM });
    }
  }
  return collector.finish().map(({ text }) => text);
}

function learnFrom(text: string): string[] {
  return learn(["assistant", text]);
}

const CACHE = "The root cause is the cache that is never cleared.";

/** Returns the learnings after the finding `CACHE` and later events, with `CAUSE` in place of its text. */
function afterCause(...events: readonly Event[]): string[] {
  return learn(["assistant", CACHE], ...events).map((text) => text.replace(CACHE, "CAUSE"));
}

Deno.test("LearningCollector keeps what the user asks it to remember, but not titles or text from a plan", () => {
  assertEquals(learnFrom("## Root causes\n\n- Old `Count` Guard (hooks.go:821-828)"), []);
  const note = "Note that the hook runs twice after a rewind.";
  assertEquals(learn(["user", note]), [note]);
  assertEquals(learn(["user", `Implement the following plan:\n\n# Docs\n\n- ${note}`]), []);
});

Deno.test("LearningCollector.said() keeps findings, newest first", () => {
  const hook = "It turned out that the hook runs twice.";
  const cause = "Found it. **Root cause**: the list is never filled. I'll fix that.";
  assertEquals(learn(["assistant", cause], ["assistant", hook]), [
    hook,
    "Root cause: the list is never filled.",
  ]);
});

Deno.test("LearningCollector.said() keeps stated findings", () => {
  const problem = "The problem is that the flag stays set when a block is open.";
  const states = "`listStates` looks for the old name of the branch.";
  const folder = "The hook runs in the folder above the project.";
  const rows: readonly (readonly [text: string, ...found: string[]])[] = [
    [`**Found it!**\n\n${states} Let me fix that now.`, states],
    [`I found the bug. ${folder}`, folder],
    [`I see the issue now. ${folder} Let me look.`, folder],
    ["I see the problem. You're right to question that."],
    ["Found it. Let me look at the other file now."],
    ["Found the bug. The tests on main are all green today."],
    [problem, problem],
    [`${problem} The rest of it looks as expected to me.`, problem],
    [`${problem} Wait, it resets there. So the logic is actually fine.`],
    [`${problem}\n\nWait, the flow checks it. Let me reconsider...\n\n${CACHE}`, CACHE],
    [`${problem} Let me re-read the log.`, problem],
    [`For the file in my example, the sum would be 2. ${CACHE}`],
    ["The issue is these values need to be filled in `SaveContext`."],
    ["Key finding: the fields of 1.1 and the fixtures don't exist yet."],
    ["The root cause might be the cache that is old."],
    ["The problem is exactly what you identified."],
    ["What is the root cause of this failure?"],
    ["> Root cause: the list is never filled."],
    ["```\nRoot cause: the list is never filled.\n```"],
    ["Let me find the root cause of the hang."],
  ];
  for (const [text, ...found] of rows) assertEquals(learnFrom(text), found, text);
});

Deno.test("LearningCollector drops a cause that the user denies or the assistant rejects", () => {
  const analysis = "## Root Cause\nThe lock is held for too long by the reader. It waits for disk.";
  const lock = "The lock is held for too long by the reader.";
  const earlier = "CAUSE (from an earlier request)";
  const doubted = ["user", "is it not the lock?"] as const;
  const rows: readonly (readonly [events: readonly Event[], ...found: string[]])[] = [
    [[["user", "no. the cache is off in this test"]]],
    [[["user", "now clear it"]], earlier],
    [[["user", "No tests cover it, please add one."]], earlier],
    [
      [["assistant", `In this example, the root cause is the pool that is full. ${CACHE}`]],
      "CAUSE",
    ],
    [[["assistant", "Shall I clear it at each start?"], ["user", "no"]], "CAUSE"],
    [[["assistant", "Let me check that this is the only cache."]], "CAUSE"],
    [[["user", "It fails"], ["user", "Why?"], ["assistant", "The root cause isn't the cache."]]],
    [[["assistant", "The rows come from the disk."]], "CAUSE"],
    [[["assistant", analysis]], lock],
    [[doubted, ["assistant", `You're right.\n${analysis}`]], lock],
    [[doubted, ["assistant", analysis]], lock, earlier],
  ];
  for (const [events, ...found] of rows) {
    assertEquals(afterCause(...events), found, events.join());
  }
  const hook = "It turned out that the hook runs twice.";
  const objected = learn(
    ["assistant", hook],
    ["user", "Why is the list empty?"],
    ["assistant", CACHE],
    ["user", "no, the cache is off in this test"],
    ["assistant", "You're right, it is off. The real cause is a lock that is held."],
  );
  assertEquals(objected, ["The real cause is a lock that is held.", hook]);
});

Deno.test("LearningCollector drops a cause if another cause replaced it before a check passed", () => {
  const docs = "The problem with the docs is a link to a page that moved.";
  const lock = "The real cause is a lock that two processes share.";
  const failed = ["Bash", "npm test", true] as const;
  const events = [failed, ["assistant", lock], TEST, ["assistant", docs]] as const;
  assertEquals(afterCause(...events), [docs, lock]);
});

Deno.test("LearningCollector drops a finding about a broken build if the build then passes", () => {
  const broken = "The problem is that the new helper has a syntax error in line 9.";
  const found = learnFrom(broken);
  assert(found.length > 0, "the text counts as a finding");
  assertEquals(learn(["assistant", broken], ["Bash", "go build ./..."]), []);
  assertEquals(learn(["assistant", broken], ["Bash", "go build ./...", true]), found);
  assertEquals(learn(["assistant", broken], ["Bash", "cat build.log"]), found);
  assert(
    learn(["assistant", broken], EDIT, ["Bash", "go build ./..."]).length > 0,
    "an edit fixed it",
  );
});

Deno.test("LearningCollector reports the edits and checks that followed a cause", () => {
  const passed = "since then: edits and `npm test` passed";
  const commit = ["Bash", "git commit -qm 'Fix'"] as const;
  const request = ["user", "Now add a logout"] as const;
  const format = "npx vitest run src/format.test.ts";
  const rows: readonly (readonly [notes: string, ...events: Event[]])[] = [
    ["", TEST],
    ["edits followed", EDIT],
    [passed, EDIT, TEST],
    ["since then: edits and a commit", EDIT, commit],
    [passed, EDIT, TEST, commit],
    ["edits followed", EDIT, ["Bash", "npm test | head -2; deno lint", false, "x ... FAILED\ny"]],
    [`since then: edits and \`${format}\` passed`, EDIT, ["Bash", format]],
    // A linter does not confirm a cause.
    ["edits followed", EDIT, ["Bash", "npm run lint"]],
    ["from an earlier request, edits followed", EDIT, request],
    [passed, EDIT, TEST, ["user", "yes"]],
    [`from an earlier request, ${passed}`, EDIT, TEST, request],
  ];
  for (const [notes, ...events] of rows) {
    assertEquals(afterCause(...events), [notes === "" ? "CAUSE" : `CAUSE (${notes})`]);
  }
});

Deno.test("LearningCollector.prompt() keeps facts that the user asks it to remember", () => {
  const collector = new LearningCollector();
  collector.prompt("Remember that CI has no network. Do you remember me?", FROM);
  assertEquals(collector.finish(), [{ text: "Remember that CI has no network.", from: FROM }]);
});

Deno.test("LearningCollector.finish() merges repeats of a learning and keeps the more detailed text", () => {
  const rich = "It turns out that the hook runs twice on every resume.";
  const plain = "It turns out that the hook runs twice.";
  assertEquals(learn(["assistant", rich], ["assistant", plain]), [rich]);
});

Deno.test("LearningCollector.finish() returns at most 20 learnings, newest first", () => {
  const collector = new LearningCollector();
  for (let line = 0; line < 300; line++) {
    const words = ["alpha", "beta", "gamma", "delta"].map((word) => `${word}${line}`).join(" ");
    collector.said(`Gotcha: ${words}`, { uuid: null, line });
  }
  const learnings = collector.finish();
  assertEquals(learnings.length, 20);
  assertEquals(learnings[0]?.from.line, 299);
});

const LARGE = {
  "without a newline": "x".repeat(1_000_000),
  "of words": "it turns out that ".repeat(60_000),
  "of unmatched backticks": "`".repeat(1_000_000),
  "of insights": "★ Insight\n- a\n".repeat(70_000),
};

for (const [name, text] of Object.entries(LARGE)) {
  Deno.test(`LearningCollector reads a megabyte ${name} in bounded time and space`, () => {
    const start = performance.now();
    const learnings = learn(["assistant", text], ["user", text]);
    for (const learning of learnings) assert(learning.length < 1_000);
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}

Deno.test("LearningCollector keeps a cause of at most 500 characters", () => {
  const cause = (size: number): string =>
    `The problem is that the cache is ${"x".repeat(size - 34)}.`;
  assertEquals([learnFrom(cause(500)).length, learnFrom(cause(501)).length], [1, 0]);
});
