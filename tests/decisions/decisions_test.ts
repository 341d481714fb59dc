import { assert, assertEquals } from "@std/assert";
import { MAX_DECISIONS } from "../../src/decisions/list.ts";
import { DecisionCollector } from "../../src/decisions/decisions.ts";
import type { Decision, FinishedCall } from "../../src/core/work_state.ts";

const FROM = { uuid: "u", line: 1 };

/** Time limit for a hostile text of a million characters. */
const MAX_MILLISECONDS = 3_000;

type Turn = readonly ["user" | "assistant", string];

function decide(...turns: Turn[]): Decision[] {
  const collector = new DecisionCollector();
  for (const [speaker, text] of turns) {
    if (speaker === "user") collector.prompt(text, FROM);
    else collector.said(text, FROM);
  }
  return collector.finish();
}

function texts(decisions: readonly Decision[]): string[] {
  return decisions.map(({ decision }) => decision);
}

function callOf(call: Partial<FinishedCall>): FinishedCall {
  return {
    name: "AskUserQuestion",
    input: {},
    isError: false,
    result: "",
    mirror: undefined,
    isSidechain: false,
    from: FROM,
    ...call,
  };
}

const QUESTIONS = [{
  question: "Which store?",
  header: "Store",
  multiSelect: false,
  options: [
    { label: "Files", description: "People can read them" },
    { label: "A database", description: "Fast" },
  ],
}];

function decideCall(call: Partial<FinishedCall>): Decision[] {
  const collector = new DecisionCollector();
  collector.call(callOf(call));
  return collector.finish();
}

Deno.test("DecisionCollector.call() reads the answer to a dialog, with reason and alternatives", () => {
  const expected: Decision[] = [{
    decision: "Files (asked: Which store?)",
    rationale: "People can read them",
    alternatives: ["A database"],
    kind: "answer",
    from: FROM,
  }];
  const input = { questions: QUESTIONS };
  assertEquals(decideCall({ input, mirror: { answers: { "Which store?": "Files" } } }), expected);
  const result = 'User has answered your questions: "Which store?"="Files". You can now go on.';
  assertEquals(decideCall({ input, result }), expected);
});

Deno.test("DecisionCollector.call() keeps the user's own text as an answer", () => {
  const mirror = { answers: { "Which store?": "Files, but one per day" } };
  const [decision] = decideCall({ input: { questions: QUESTIONS }, mirror });
  assertEquals(decision?.decision, "Files, but one per day (asked: Which store?)");
  const own = { answers: { "Which store?": "A file of a database" } };
  const [mixed] = decideCall({ input: { questions: QUESTIONS }, mirror: own });
  assertEquals(mixed?.alternatives, [], "it may take a part of each option");
});

Deno.test("DecisionCollector.call() finds no decision in a refused dialog or a counter-question", () => {
  const input = { questions: QUESTIONS };
  const mirror = { answers: { "Which store?": "Files" } };
  assertEquals(decideCall({ input, mirror, isError: true }), []);
  assertEquals(decideCall({ input, mirror, isSidechain: true }), []);
  const counterQuestion = { answers: { "Which store?": "Is a database faster?" } };
  assertEquals(decideCall({ input, mirror: counterQuestion }), []);
});

Deno.test("DecisionCollector.call() reads an approved plan by title and by section", () => {
  const plan =
    "# Plan: Keep state in files\n\nState is lost today.\n\n## Problem\n- It is gone\n\n" +
    "## Storage\n- One JSON file for each session\n- Always written in one step\n\n" +
    "## Key Decisions\n- Files rather than a database\n" +
    "## Design Decisions\n\n| Decision | Why |\n|---|---|\n| **YAML**, no Markdown | It is checked |\n";
  const decisions = decideCall({ name: "ExitPlanMode", input: { plan } });
  assertEquals(texts(decisions), [
    "Approved plan: Keep state in files",
    "YAML, no Markdown: It is checked",
    "Key Decisions: Files rather than a database",
    "Storage: One JSON file for each session; Always written in one step",
  ]);
  assertEquals(decisions[0]?.rationale, "State is lost today.");
  assertEquals(decisions.every(({ kind }) => kind === "plan"), true);
  assertEquals(decideCall({ name: "ExitPlanMode", input: { plan }, isError: true }), []);
});

Deno.test("DecisionCollector.prompt() counts a plan that is handed over as approved", () => {
  const decisions = decide(["user", "Implement the following plan:\n\n# Keep state in files\n"]);
  assertEquals(texts(decisions), ["Approved plan: Keep state in files"]);
});

for (
  const [form, list, answer] of [
    ["numbers", "1. Files\n2. A database", "2"],
    ["letters", "A) Files\nB) A database", "b, as before"],
    ["bold letters", "**A.** Files\n**B.** A database", "Let's go with B"],
    ["titles", "**Option 1: Files**\n- small\n\n**Option 2: A database**\n- fast", "option 2"],
    [
      "titles beside steps",
      "**Option 1: Files**\n\n**Option 2: A database**\n- fast\n\n1. Make it\n2. Fill it",
      "option 2",
    ],
  ] as const
) {
  Deno.test(`DecisionCollector.prompt() recognizes an option by ${form}`, () => {
    const [decision, ...rest] = decide(["assistant", `Where to keep it?\n${list}`], [
      "user",
      answer,
    ]);
    assertEquals(decision?.decision, "Where to keep it? A database");
    assertEquals(decision?.alternatives, ["Files"]);
    assertEquals(decision?.kind, "user");
    assertEquals(rest, []);
  });
}

Deno.test("DecisionCollector.prompt() gives an option the user's reason and the assistant's reply", () => {
  const reasonOf = (answer: string, reply: string): string | undefined =>
    decide(
      ["assistant", "Where to keep it?\n1. Files\n2. A database"],
      ["user", answer],
      ["assistant", reply],
    )[0]?.rationale;
  const taken = "Good idea, a database can be asked for one row.";
  assertEquals(reasonOf("2", taken), `the assistant replied: ${taken}`);
  assertEquals(reasonOf("2, people ask for one row", "Done."), "2, people ask for one row");
  assertEquals(
    reasonOf("2, people ask for one row", taken),
    `2, people ask for one row — the assistant replied: ${taken}`,
  );
  assertEquals(reasonOf("2. it happened twice btw", "Done."), "", "a remark is not a reason");
});

Deno.test("DecisionCollector.prompt() reads options of a table, with the advised reason", () => {
  const table = "Two ways to store it:\n\n| Way | Pros | Cons |\n|---|---|---|\n" +
    "| **A. One file** | Simple | Grows |\n| **B. A file each** | Small | Many files |\n\n";
  const advice = "I recommend option B because:\n- Writers never wait\n- Old ones can go\n\n";
  const [short] = decide(["assistant", `${table}${advice}Which do you want?`], ["user", "B."]);
  assertEquals(
    short?.decision,
    "Two ways to store it: A file each; Pros: Small; Cons: Many files",
  );
  assertEquals(
    short?.rationale,
    "the assistant advised: I recommend option B because: Writers never wait; Old ones can go",
  );
  assertEquals(short?.alternatives, ["One file; Pros: Simple; Cons: Grows"]);
  // Advice for the other option is not a reason.
  const [other] = decide(["assistant", `${table}${advice}Which do you want?`], ["user", "A"]);
  assertEquals(other?.rationale, "");
});

Deno.test("DecisionCollector.prompt() recognizes options that the user chooses by number", () => {
  const list = "What is open:\n1. Escape the names\n2. Close the file\n3. Sort the keys\n\n" +
    "Want me to do any of these? I'd start with the names.";
  const taken = (reply: string): string =>
    decide(["assistant", list], ["user", reply])
      .map(({ decision }) => decision).join("; ");
  assertEquals(taken("let's do the fix for 2 first"), "What is open: Close the file");
  assertEquals(taken("tackle #1 and #3 please"), "What is open: Escape the names; Sort the keys");
  assertEquals(taken("yes, do 3"), "What is open: Sort the keys");
});

Deno.test("DecisionCollector keeps the whole text of an agreement, without a plan's overview as its reason", () => {
  const decisionsFrom = (proposal: string): string[] =>
    texts(decide(["assistant", `${proposal}\n\nWant me to rename it?`], ["user", "yes"]));
  assertEquals(
    decisionsFrom("I think `prune` is better here:\n1. It is short\n2. People know it"),
    [
      "Agreed: I think `prune` is better here: It is short; People know it",
    ],
  );
  const advice = "Two flags fit.\n\nI'd lean toward `--apply` - git has it.";
  assertEquals(texts(decide(["assistant", advice], ["user", "ok, let's go"])), [
    "Agreed: I'd lean toward `--apply` - git has it.",
  ]);
  assertEquals(texts(decide(["assistant", "Two flags fit."], ["user", "ok, let's go"])), []);
  assertEquals(decisionsFrom("I'd suggest option 1 - say it in the help:\n```\nLong: x\n```"), [
    "Agreed: I'd suggest option 1 - say it in the help.",
  ]);
  const plan = "# Plan: A prune command\n\n## Overview\nAdds a command that deletes old files.\n";
  const [decision] = decideCall({ name: "ExitPlanMode", input: { plan } });
  assertEquals(
    decision?.decision,
    "Approved plan: A prune command: Adds a command that deletes old files.",
  );
  assertEquals(decision?.rationale, "");
  const context =
    "# Plan: A prune command\n\n## Context\nOld files pile up today. The folder grew to " +
    "2 GB. We need a command that deletes them.\n";
  const [needed] = decideCall({ name: "ExitPlanMode", input: { plan: context } });
  assertEquals(
    needed?.rationale,
    "Old files pile up today. We need a command that deletes them.",
  );
});

Deno.test("DecisionCollector reports which options were only postponed", () => {
  const offer = "What should I fix?\n1. The reader\n2. The writer\n3. The index";
  const alternativesAfter = (reply: string): readonly string[] | undefined =>
    decide(["assistant", offer], ["user", reply])[0]?.alternatives;
  assertEquals(alternativesAfter("let's do 1 first"), [
    "(put off then) The writer",
    "(put off then) The index",
  ]);
  assertEquals(alternativesAfter("1, the first option"), ["The writer", "The index"]);
  assertEquals(alternativesAfter("1, can you show first how it looks?"), [
    "The writer",
    "The index",
  ]);
  assertEquals(alternativesAfter("let's fix 1 and 3"), [], "an order of work rejects nothing");
  assertEquals(
    alternativesAfter("let's investigate 1 and 3"),
    undefined,
    "a request to look decides nothing",
  );
  const asking = "Would you like me to:\n1. Add a test that reads:\n2. Enhance the old ones?";
  const [enhanced] = decide(["assistant", asking], [
    "user",
    "I think 2 is the right approach here",
  ]);
  assert(enhanced?.decision.includes("Enhance the old ones"), enhanced?.decision);
});

Deno.test("DecisionCollector quotes a reply that changes the proposal it agrees to", () => {
  const offer = "Would you like me to keep the ids in one file and then write the reader?";
  const decisionsAfter = (reply: string): string[] =>
    texts(decide(["assistant", offer], ["user", reply]));
  const agreed = "Agreed: keep the ids in one file and then write the reader";
  assertEquals(decisionsAfter("yes"), [agreed]);
  assertEquals(decisionsAfter("yes, only the ids first"), [
    `${agreed} ("yes, only the ids first")`,
  ]);
});

Deno.test("DecisionCollector leaves out the words that introduce options, and a reply that only chooses", () => {
  const list = "1. Files\n2. A database\n\nWhich one?";
  const decided = (lead: string, reply: string): string[] => {
    const [one] = decide(["assistant", `${lead}\n\n${list}`], ["user", reply]);
    return [one?.decision ?? "", one?.rationale ?? ""];
  };
  assertEquals(decided("## My recommendations", "let's try 2"), ["A database", ""]);
  assertEquals(decided("You're right. Let me propose others:", "yes, do 1"), ["Files", ""]);
  assertEquals(decided("Would you like me to:", "2, people ask for one row"), [
    "A database",
    "2, people ask for one row",
  ]);
  const [other] = decide(
    ["assistant", "Do you want to:\nA) Ship it\nB) Something else?"],
    ["user", "B) update this branch from main first"],
  );
  assertEquals(other?.decision, "B) update this branch from main first");
  assertEquals(decided("Where to keep the rows?", "2"), ["Where to keep the rows? A database", ""]);
});

Deno.test("DecisionCollector.prompt() does not report a request next to an option as its reason", () => {
  const [decision] = decide(
    ["assistant", "Where to keep it?\n1. Files\n2. A database"],
    ["user", "2, but can you draw it first?"],
  );
  assertEquals(
    decision?.decision,
    'Where to keep it? A database ("2, but can you draw it first?")',
  );
  assertEquals(decision?.rationale, "");
});

Deno.test("DecisionCollector.prompt() reads answers to several questions in one line", () => {
  const asked = "1. Which fields?\n2. In which format?\n3. Where?";
  assertEquals(
    texts(decide(["assistant", asked], ["user", "1. name and 2 more, 2. JSON 3. here"])),
    [
      "Where? here",
      "In which format? JSON",
      "Which fields? name and 2 more",
    ],
  );
});

Deno.test("DecisionCollector.prompt() does not report a question, or the user's own list, as a choice", () => {
  const asked = "can we tell if those changes preceded it?";
  const answered = "Good thinking. The state before is captured when you type. Let me check.";
  assertEquals(decide(["user", asked], ["assistant", answered]), []);
  const message = "This is a gap:\n1. It makes v1\n2. The code writes v0\n\nWhat is the workflow?";
  assertEquals(
    decide(["assistant", message], ["user", "1. run it\n2. push v1\n3. point at v1?"]),
    [],
  );
  const [taken] = decide(
    ["assistant", "**Option 1: Errors**\n\n**Option 2: Typed fields**\n\nWhich approach?"],
    ["user", "let's try 2="],
  );
  assertEquals(taken?.alternatives, ["Errors"]);
});

Deno.test("DecisionCollector.prompt() rejects no item of a list from which several may be done", () => {
  const list = "1. Cache the keys\n2. Lock the file\n3. Log the time";
  const rejectedAfter = (question: string): readonly string[] | undefined =>
    decide(["assistant", `${list}\n\n${question}`], ["user", "yes, do 1"])[0]?.alternatives;
  assertEquals(rejectedAfter("Which one should I do?"), ["Lock the file", "Log the time"]);
  assertEquals(rejectedAfter("Would you like me to do any of these?"), []);
  const [fix] = decide(
    ["assistant", `Want me to fix these issues? The main changes would be:\n${list}`],
    ["user", "yeah let's do the fix for 1 first"],
  );
  assertEquals(fix?.decision, "Cache the keys");
});

Deno.test("DecisionCollector.prompt() reads an answer to each option separately", () => {
  const [decision] = decide(
    ["assistant", "Which of these?\n1. Cache\n2. Lock\n3. Log"],
    ["user", "1. yes\n2. skip that\n3. yes please"],
  );
  assertEquals(decision?.decision, "Which of these? Cache; Log");
  assertEquals(decision?.alternatives, ["Lock"]);
  const [lettered] = decide(
    ["assistant", "When to write it?\nA) At the end\nB) With each save"],
    ["user", "A) in a separate file\n\nB) I want this as a separate feature"],
  );
  assertEquals(lettered?.decision, "When to write it? At the end");
  assertEquals(lettered?.alternatives, ["With each save"]);
});

Deno.test("DecisionCollector.prompt() does not recognize an option by a word that looks like a key", () => {
  const list = "What now?\nA) Files\nB) A database";
  assertEquals(decide(["assistant", list], ["user", "a test fails on my machine"]), []);
  assertEquals(decide(["assistant", list], ["user", "10% of it is slow"]), []);
});

Deno.test("DecisionCollector.prompt() counts a proposal as a decision when the user agrees", () => {
  const design =
    "## Storage\n- One file for each session\n- Never a database\n\nDoes this look right?";
  assertEquals(texts(decide(["assistant", design], ["user", "yes"])), [
    "Storage: One file for each session; Never a database",
  ]);
  assertEquals(
    texts(
      decide(["assistant", "Would you like me to keep ids in one file?"], ["user", "go ahead"]),
    ),
    ["Agreed: keep ids in one file"],
  );
});

Deno.test("DecisionCollector.prompt() ignores a section of a design that chooses nothing", () => {
  const design = "## Overview\nA day has a beginning and an end that people can see.\n\n" +
    "## Storage\n- One file for each session\n- Never a database\n\nDoes this look right?";
  assertEquals(texts(decide(["assistant", design], ["user", "yes"])), [
    "Storage: One file for each session; Never a database",
  ]);
});

Deno.test("DecisionCollector.prompt() does not report a reply to a status report as a decision", () => {
  const reply = "Got it - the second run fails because of the first.";
  assertEquals(decide(["user", "the second run fails on my machine"], ["assistant", reply]), []);
});

Deno.test("DecisionCollector.prompt() finds no decision if the user disagrees, or only continues", () => {
  const design = "## Storage\n- One file for each session\n\nDoes this look right?";
  assertEquals(decide(["assistant", design], ["user", "why one file?"]), []);
  assertEquals(decide(["assistant", "Should I commit this?"], ["user", "yes"]), []);
  assertEquals(decide(["assistant", design]), []);
});

Deno.test("DecisionCollector.prompt() keeps a statement with its reason and the alternative it replaces", () => {
  const [decision] = decide(
    ["user", "Nice. Let's use files instead of a database because people can read them."],
  );
  assertEquals(
    decision?.decision,
    "Let's use files instead of a database because people can read them.",
  );
  assertEquals(decision?.rationale, "people can read them.");
  assertEquals(decision?.alternatives, ["a database"], "the reason is not part of the alternative");
});

Deno.test("DecisionCollector.prompt() joins a statement with the assistant's reply", () => {
  const decisions = decide(
    ["user", "could it be a task and not a hook?"],
    ["assistant", "That's a good idea - a task, which is easier to run. Let me start."],
  );
  assertEquals(texts(decisions), ["That's a good idea - a task, which is easier to run."]);
  const [{ rationale, kind } = { rationale: "", kind: "" }] = decisions;
  assertEquals([rationale, kind], [
    "the user had said: could it be a task and not a hook?",
    "assistant",
  ]);
  const planned = decide(
    ["user", "could it be a task and not a hook, or both, whichever is easier to run for us?"],
    ["assistant", "Let me think through the options: a task, because it is easier to run."],
  );
  assertEquals(texts(planned), [], "it only announces a thought");
});

function decisionsBeforeEdit(text: string): Decision[] {
  const collector = new DecisionCollector();
  collector.said(text, FROM);
  collector.call(callOf({ name: "Edit" }));
  return collector.finish();
}

Deno.test("DecisionCollector.said() ignores narration and reports of finished work", () => {
  for (
    const text of [
      "I'll read the file.",
      "The fix: only look at lines that end.",
      "Done. I've updated the plan:\n\n## Storage\n- Uses one file\n- All tests pass",
      "Let me use grep to find it.",
      "Let me read the types rather than guess.",
      "Done. Here's the summary:\n\n## Storage\n- Uses one file\n- All tests pass",
      "We could use a database instead of files.",
      "> Decision: use a database",
      "```\nDecision: use a database\n```",
      "Should I use files instead of a database?",
    ]
  ) assertEquals(texts(decisionsBeforeEdit(text)), [], text);
});

Deno.test("DecisionCollector.prompt() reads text after a slash command", () => {
  assertEquals(texts(decide(["user", "/plan:run keep each commit small"])), [
    "keep each commit small",
  ]);
});

Deno.test("DecisionCollector.prompt() recognizes only options that are offered", () => {
  const message = "What happened:\n1. The old index was read again\n2. A second one was written";
  assertEquals(decide(["assistant", message], ["user", "2 and then it stopped"]), []);
});

Deno.test("DecisionCollector.prompt() recognizes an option below a line that asks", () => {
  const list = "To be sure, would you prefer:\n1. Flags\n2. One smart command";
  const [decision] = decide(["assistant", list], ["user", "2 and it should not ask"]);
  assertEquals(decision?.decision, "To be sure, would you prefer: One smart command");
});

Deno.test("DecisionCollector.prompt() reads an answer that continues below its key", () => {
  const asked = "A) Which fields shall it have?\nB) In which format?";
  const answer = "A) these ones:\n- name\n- size\nB) JSON, it is read later";
  assertEquals(texts(decide(["assistant", asked], ["user", answer])), [
    "In which format? JSON, it is read later",
    "Which fields shall it have? these ones: - name - size",
  ]);
});

Deno.test("DecisionCollector.finish() merges equal decisions and keeps the more detailed text", () => {
  const decisions = decide(
    ["user", "let's keep the index in one file because it is small"],
    ["user", "so let's keep the index in one file"],
  );
  assertEquals(texts(decisions), ["let's keep the index in one file because it is small"]);
});

Deno.test("DecisionCollector.finish() returns the newest first, up to its limit", () => {
  const collector = new DecisionCollector();
  for (let at = 0; at < 500; at++) {
    collector.prompt(`let's use word${at} other${at} third${at} fourth${at}`, {
      uuid: null,
      line: at,
    });
  }
  const decisions = collector.finish();
  assertEquals(decisions.length, MAX_DECISIONS);
  assertEquals(decisions[0]?.from.line, 499);
  assertEquals(decisions.at(-1)?.from.line, 500 - MAX_DECISIONS);
});

Deno.test("DecisionCollector.call() does not take a question for an answer", () => {
  const question = "Ready to start?";
  const decided = (answer: string): string[] =>
    decideCall({
      input: { questions: [{ question, options: [{ label: "Start" }, { label: "Wait" }] }] },
      mirror: { answers: { [question]: answer } },
    }).map(({ decision }) => decision);
  assertEquals(decided("Start. Is a note due?"), []);
  assertEquals(decided("What are the states? Think of two sessions"), []);
  assertEquals(decided("uhh...but is it dirty? What happens then, with what is left"), []);
  const own = "Keep the old name, too. Or is it too long? I think not";
  assertEquals(decided(own), [`${own} (asked: ${question})`]);
});

Deno.test("DecisionCollector.call() accepts input and results of any shape", () => {
  const shapes: unknown[] = [null, 3, "x", [], [null], {}, { questions: 3 }, { answers: null }];
  const questions = [null, 3, {}, { question: 3 }, {
    question: "q",
    options: [null, 3, { label: 4 }],
  }];
  for (const name of ["AskUserQuestion", "ExitPlanMode"]) {
    for (
      const mirror of [...shapes, { answers: { q: 3 } }, { answers: { q: [1, "a"] } }, { plan: 3 }]
    ) {
      for (const value of shapes) {
        decideCall({ name, mirror, input: { questions: value, plan: value } });
      }
      const decisions = decideCall({ name: "AskUserQuestion", mirror, input: { questions } });
      for (const { decision } of decisions) assertEquals(decision, "a (asked: q)");
    }
  }
});

for (
  const [what, text] of [
    ["without a newline", "x".repeat(1_000_000)],
    ["of words", "use it instead of ".repeat(60_000)],
    ["of unmatched backticks", "`".repeat(1_000_000)],
    ["of open fences", "```\n".repeat(250_000)],
    ["of list marks", "1. a\n".repeat(200_000)],
    ["of headings", "# a\n- b uses c\n".repeat(70_000)],
    ["of spaces", " ".repeat(1_000_000)],
    ["of stars", "*".repeat(1_000_000)],
    ["of questions", "Does this work? ".repeat(60_000)],
  ] as const
) {
  Deno.test(`DecisionCollector reads a megabyte ${what} in bounded time and space`, () => {
    const start = performance.now();
    const collector = new DecisionCollector();
    collector.said(text, FROM);
    collector.prompt(text, FROM);
    collector.said(`Done. Got it.\n${text}`, FROM);
    collector.call(callOf({ name: "ExitPlanMode", input: { plan: text } }));
    collector.call(
      callOf({
        input: { questions: [{ question: text, options: [{ label: text }] }] },
        mirror: { answers: { [text]: text } },
      }),
    );
    const decisions = collector.finish();
    assert(decisions.length <= MAX_DECISIONS);
    for (const decision of decisions) assert(JSON.stringify(decision).length < 4_000);
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}

Deno.test("DecisionCollector finds no decision in an announcement of a call that the user refused", () => {
  const refused = (name: string, result: string, isError: boolean): Decision[] => {
    const collector = new DecisionCollector();
    collector.prompt("The cache is slow, isn't it?", FROM);
    collector.said("I'll use Redis for the cache now.", FROM);
    collector.call(
      callOf({ name, result, isError, input: { plan: "# Use Redis\n\n- all of it" } }),
    );
    return collector.finish();
  };
  const refusal = "The user doesn't want to proceed with this tool use.";
  assertEquals(texts(refused("ExitPlanMode", refusal, true)), []);
  assert(refused("ExitPlanMode", "User has approved your plan.", false).length > 0);
});

Deno.test("DecisionCollector recognizes short sentences that are labelled as decisions", () => {
  const text = "Decision: use Postgres.";
  assertEquals(texts(decide(["user", "Build a store."], ["assistant", text])), [text]);
  assertEquals(texts(decide(["user", text])), [text]);
});

Deno.test("DecisionCollector does not report an answer to a request for a check as a decision", () => {
  assertEquals(
    decide(
      ["assistant", "The diff has other files in it."],
      ["user", "I just did an update, can you check again?"],
      ["assistant", "Much better. Now only the relevant files are in the diff, as it should be."],
    ),
    [],
  );
});
