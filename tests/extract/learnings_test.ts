import { assert, assertEquals } from "@std/assert";
import { LearningCollector, MAX_LEARNINGS } from "../../src/extract/learnings.ts";

const FROM = { uuid: "u", line: 1 };

/** Time limit for a hostile text of a million characters. */
const MAX_MILLISECONDS = 3_000;

function learn(...texts: string[]): string[] {
  const collector = new LearningCollector();
  for (const text of texts) collector.said(text, FROM);
  return collector.finish().map(({ text }) => text);
}

Deno.test("LearningCollector.said() keeps findings, newest first", () => {
  assertEquals(
    learn(
      "Found it. **Root cause**: the list is never filled. I'll fix that.",
      "It turned out that the hook runs twice.",
    ),
    ["It turned out that the hook runs twice.", "Root cause: the list is never filled."],
  );
});

Deno.test("LearningCollector.said() keeps the text after the announcement of a finding", () => {
  for (
    const [text, found] of [
      [
        "**Found it!**\n\n`listStates` looks for the old name of the branch. Let me fix that now.",
        ["`listStates` looks for the old name of the branch."],
      ],
      [
        "I found the bug. The hook runs in the folder above the project.",
        ["The hook runs in the folder above the project."],
      ],
      ["Found it. Let me look at the other file now.", []],
    ] as const
  ) assertEquals(learn(text), [...found]);
});

Deno.test("LearningCollector drops the assistant's finding when it then agrees with the user's objection", () => {
  const collector = new LearningCollector();
  collector.said("It turned out that the hook runs twice.", FROM);
  collector.prompt("Why is the list empty?", FROM);
  collector.said("The root cause is the cache that is never cleared.", FROM);
  collector.prompt("no, the cache is off in this test", FROM);
  collector.said("You're right, it is off. The real cause is a lock that is held.", FROM);
  assertEquals(collector.finish().map(({ text }) => text), [
    "The real cause is a lock that is held.",
    "It turned out that the hook runs twice.",
  ]);
});

Deno.test("LearningCollector ignores a problem that the same message dismisses", () => {
  const learned = (text: string): number => {
    const collector = new LearningCollector();
    collector.said(text, FROM);
    return collector.finish().length;
  };
  const problem = "The problem is that the flag stays set when a block is open.";
  assertEquals(learned(problem), 1);
  assertEquals(learned(`${problem} Wait, it resets there. So the logic is actually fine.`), 0);
  assertEquals(learned(`${problem} The rest of it looks as expected to me.`), 1);
  assertEquals(learned("The issue is these values need to be filled in `SaveContext`."), 0);
  assertEquals(learned("Key finding: the fields of 1.1 and the fixtures don't exist yet."), 0);
});

Deno.test("LearningCollector drops a cause that the user denies or the assistant withdraws", () => {
  const findingsAfter = (...turns: [who: "user" | "assistant", text: string][]): string[] => {
    const collector = new LearningCollector();
    collector.said("The root cause is the cache that is never cleared.", FROM);
    for (const [who, text] of turns) {
      if (who === "user") collector.prompt(text, FROM);
      else collector.said(text, FROM);
    }
    return collector.finish().map(({ text }) => text);
  };
  const kept = ["The root cause is the cache that is never cleared."];
  assertEquals(findingsAfter(["user", "no. the cache is off in this test"]), []);
  assertEquals(findingsAfter(["user", "now clear it"]), [`${kept[0]} (of an earlier request)`]);
  assertEquals(
    findingsAfter(["assistant", "Shall I clear it at each start?"], ["user", "no"]),
    kept,
  );
  assertEquals(
    findingsAfter(["assistant", "It fails as before. Hmm, that wasn't the problem."]),
    [],
  );
  assertEquals(findingsAfter(["assistant", "Let me check that this is the only cache."]), kept);
  const analysis = "## Root Cause\nThe lock is held for too long by the reader. It waits for disk.";
  const lock = "The lock is held for too long by the reader.";
  assertEquals(findingsAfter(["assistant", analysis]), [lock]);
  const doubted = ["user", "is it not the lock?"] as const;
  assertEquals(findingsAfter([...doubted], ["assistant", `You're right.\n${analysis}`]), [lock]);
  assertEquals(findingsAfter([...doubted], ["assistant", analysis]), [
    lock,
    `${kept[0]} (of an earlier request)`,
  ]);
  assertEquals(findingsAfter(["user", "go on"], ["assistant", "I was wrong: it is cleared."]), []);
});

Deno.test("LearningCollector does not treat a passing linter as a confirmed cause", () => {
  const collector = new LearningCollector();
  const call = { isError: false, result: "", mirror: null, isSidechain: false, from: FROM };
  collector.prompt("Why is it slow?", FROM);
  collector.said("The root cause is the cache that is never cleared.", FROM);
  collector.call({ ...call, name: "Edit", input: { file_path: "/p/a.ts" } });
  collector.call({ ...call, name: "Bash", input: { command: "npm run lint" } });
  const text = (): string => collector.finish()[0]?.text.replace(/^.*cleared\./, "") ?? "";
  assertEquals(text(), " (edits followed)");
  collector.prompt("Now add a logout", FROM);
  assertEquals(text(), " (of an earlier request, edits followed)");
});

Deno.test("LearningCollector learns nothing from an invented example", () => {
  const collector = new LearningCollector();
  const cause = "The root cause is the cache that is never cleared.";
  collector.said(`For the file in my example, the sum would be 2. ${cause}`, FROM);
  assertEquals(collector.finish(), []);
});

Deno.test("LearningCollector reports the outcome of a cause that was worked on", () => {
  const textOf = (...calls: [name: string, input: { [key: string]: string }][]): string => {
    const collector = new LearningCollector();
    collector.said("The root cause is the cache that is never cleared.", FROM);
    for (const [name, input] of calls) {
      const [result, mirror] = ["ok", null];
      collector.call({
        name,
        input,
        isError: false,
        result,
        mirror,
        isSidechain: false,
        from: FROM,
      });
    }
    return collector.finish()[0]?.text.replace(
      "The root cause is the cache that is never cleared.",
      "",
    ) ??
      "";
  };
  const edit = ["Edit", { file_path: "/p/a.ts" }] as [string, { [key: string]: string }];
  const run = (command: string): [string, { [key: string]: string }] => ["Bash", { command }];
  assertEquals(textOf(edit), " (edits followed)");
  assertEquals(textOf(run("npm test")), "");
  assertEquals(textOf(edit, run("npm test")), " (since then edits, and `npm test` passed)");
  assertEquals(textOf(edit, run("git commit -qm 'Fix'")), " (since then edits, and a commit)");
  const both = textOf(edit, run("npm test"), run("git commit -qm 'Fix'"));
  assertEquals(both, " (since then edits, and `npm test` passed)");
});

Deno.test("LearningCollector says that a cause belongs to an earlier request", () => {
  const noteAfter = (prompt: string): string | undefined => {
    const collector = new LearningCollector();
    collector.prompt("Why is it slow?", FROM);
    collector.said("The root cause is the cache that is never cleared.", FROM);
    const call = { isError: false, result: "", mirror: null, isSidechain: false, from: FROM };
    collector.call({ ...call, name: "Edit", input: { file_path: "/p/a.ts" } });
    collector.call({ ...call, name: "Bash", input: { command: "npm test" } });
    collector.prompt(prompt, FROM);
    return / \((.*)\)$/.exec(collector.finish()[0]?.text ?? "")?.[1];
  };
  assertEquals(noteAfter("yes"), "since then edits, and `npm test` passed");
  assertEquals(
    noteAfter("Now add a logout"),
    "of an earlier request, since then edits, and `npm test` passed",
  );
});

Deno.test("LearningCollector drops a cause that another replaced before a check passed", () => {
  const collector = new LearningCollector();
  const test = (isError: boolean): void =>
    collector.call({
      name: "Bash",
      input: { command: "npm test" },
      isError,
      result: "",
      mirror: null,
      isSidechain: false,
      from: FROM,
    });
  collector.said("The root cause is the cache that is never cleared.", FROM);
  test(true);
  collector.said("The real cause is a lock that two processes share.", FROM);
  test(false);
  collector.said("The problem with the docs is a link to a page that moved.", FROM);
  assertEquals(collector.finish().map(({ text }) => text), [
    "The problem with the docs is a link to a page that moved.",
    "The real cause is a lock that two processes share.",
  ]);
});

Deno.test("LearningCollector.said() keeps no guess, question, quotation or code", () => {
  for (
    const text of [
      "The root cause might be the cache that is old.",
      "What is the root cause of this failure?",
      "> Root cause: the list is never filled.",
      "```\nRoot cause: the list is never filled.\n```",
      "Let me find the root cause of the hang.",
    ]
  ) assertEquals(learn(text), [], text);
});

Deno.test("LearningCollector.said() keeps the lines of an insight block", () => {
  const text =
    "`★ Insight ─────────`\n- Hooks run in their own process\n- Their output is bounded\n" +
    "`─────────`\nNow the code.";
  assertEquals(learn(text), ["Their output is bounded", "Hooks run in their own process"]);
});

Deno.test("LearningCollector.said() keeps the items under a heading of learnings", () => {
  const text = "## Lessons learned\n- Ids change on resume\n\n## Next\n- Write the docs";
  assertEquals(learn(text), ["Ids change on resume"]);
});

Deno.test("LearningCollector.prompt() keeps facts that the user asks to remember", () => {
  const collector = new LearningCollector();
  collector.prompt("Remember that CI has no network. Do you remember me?", FROM);
  assertEquals(collector.finish(), [{ text: "Remember that CI has no network.", from: FROM }]);
});

Deno.test("LearningCollector.finish() merges equal learnings and keeps the more detailed text", () => {
  const rich = "It turns out that the hook runs twice on every resume.";
  assertEquals(learn(rich, "It turns out that the hook runs twice."), [rich]);
});

Deno.test("LearningCollector.finish() returns no more than its limit", () => {
  const collector = new LearningCollector();
  for (let at = 0; at < 300; at++) {
    collector.said(`Gotcha: alpha${at} beta${at} gamma${at} delta${at}`, { uuid: null, line: at });
  }
  const learnings = collector.finish();
  assertEquals(learnings.length, MAX_LEARNINGS);
  assertEquals(learnings[0]?.from.line, 299);
});

for (
  const [what, text] of [
    ["without a newline", "x".repeat(1_000_000)],
    ["of words", "it turns out that ".repeat(60_000)],
    ["of unmatched backticks", "`".repeat(1_000_000)],
    ["of insights", "★ Insight\n- a\n".repeat(70_000)],
  ] as const
) {
  Deno.test(`LearningCollector reads a megabyte ${what} in bounded time and space`, () => {
    const start = performance.now();
    const collector = new LearningCollector();
    collector.said(text, FROM);
    collector.prompt(text, FROM);
    for (const learning of collector.finish()) assert(learning.text.length < 1_000);
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}

Deno.test("LearningCollector ignores text that only introduces other text, or is cut inside code", () => {
  const collector = new LearningCollector();
  const lines = ["- These are the reasons:", "- Run `deno task", "- The index is built at start"];
  collector.said(`## Key Learnings\n${lines.join("\n")}`, { uuid: null, line: 1 });
  assertEquals(collector.finish().map(({ text }) => text), ["The index is built at start"]);
});
