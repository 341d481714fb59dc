import { assert, assertEquals } from "@std/assert";
import { DecisionCollector, MAX_DECISIONS } from "../../src/decisions/decisions.ts";
import type { Decision, FinishedCall } from "../../src/core/work_state.ts";

const FROM = { uuid: "u", line: 1 };

/** Linear work takes about a second; a backtracking pattern takes longer than this. */
const MAX_MILLISECONDS = 60_000;

type Turn = readonly ["user" | "assistant", string];

function decide(...turns: Turn[]): Decision[] {
  const collector = new DecisionCollector();
  for (const [index, [speaker, text]] of turns.entries()) {
    const from = { ...FROM, line: index + 1 };
    if (speaker === "user") collector.prompt(text, from);
    else collector.said(text, from);
  }
  return collector.finish();
}

function replyTo(proposal: string, reply: string): Decision[] {
  return decide(["assistant", proposal], ["user", reply]);
}

function texts(decisions: readonly Decision[]): string[] {
  return decisions.map(({ decision }) => decision);
}

function decideCall(call: Partial<FinishedCall>): Decision[] {
  const collector = new DecisionCollector();
  const unread = { isError: false, result: "", mirror: undefined, isSidechain: false };
  collector.call({ name: "AskUserQuestion", input: {}, ...unread, from: FROM, ...call });
  return collector.finish();
}

function approve(plan: string): Decision[] {
  return decideCall({ name: "ExitPlanMode", input: { plan } });
}

const OPTION_ROWS = [
  { label: "Files", description: "People can read them" },
  { label: "A database", description: "Fast" },
];
const STORE = { questions: [{ question: "Which store?", options: OPTION_ROWS }] };

function answer(text: string, more: Partial<FinishedCall> = {}): Decision[] {
  return decideCall({ input: STORE, mirror: { answers: { "Which store?": text } }, ...more });
}

Deno.test("DecisionCollector.call() reads the answer to a dialog, with its reason and the alternatives", () => {
  const expected: Decision[] = [{
    decision: "Files (asked: Which store?)",
    rationale: "People can read them",
    alternatives: ["A database"],
    kind: "answer",
    from: FROM,
  }];
  assertEquals(answer("Files"), expected);
  const result = 'User has answered your questions: "Which store?"="Files". You can now go on.';
  assertEquals(decideCall({ input: STORE, result }), expected);
});

Deno.test("DecisionCollector.call() keeps the user's own text as an answer", () => {
  for (const own of ["Files, but one per day", "Keep it, too. Or is it too long? I think not"]) {
    assertEquals(texts(answer(own)), [`${own} (asked: Which store?)`]);
  }
  const [mixed] = answer("A file of a database");
  assertEquals(mixed?.alternatives, [], "the answer may combine the options");
});

Deno.test("DecisionCollector.call() finds no decision in a refused dialog, a subagent's dialog or a counter-question", () => {
  assertEquals(answer("Files", { isError: true }), []);
  assertEquals(answer("Files", { isSidechain: true }), []);
  const questions = [
    "Is a database faster?",
    "Start. Is a note due?",
    "What are the states? Think of two sessions",
    "uhh...but is it dirty? What happens then, with what is left",
  ];
  for (const question of questions) assertEquals(answer(question), [], question);
});

Deno.test("DecisionCollector.call() keeps the decision in an answer that also asks a question", () => {
  const stated = "Add a state for a crash, apart from the ended one.";
  const [found] = answer(`${stated}\nDo we make the file at the start?`);
  assertEquals(found?.decision, `${stated} (asked: Which store?)`);
  assertEquals(answer("Hm, maybe. Do we make the file at the start?"), []);
  assertEquals(answer("Start with a file each day. Is it ok?").length, 1);
  assertEquals(answer("Start with a file daily. Is it ok?"), []);
});

Deno.test("DecisionCollector.call() reads an approved plan by title and by section", () => {
  const plan =
    "# Plan: Keep state in files\n\nState is lost today.\n\n## Problem\n- It is gone\n\n" +
    "## 3. Mention the path (no code change)\nThe path is always set before.\n\n" +
    "## 1. Update the store\nReplace the single file.\n\n" +
    "## Storage\n- One JSON file for each session\n- Always written in one step\n\n" +
    "## Key Decisions\n- Files rather than a database\n" +
    "## Design Decisions\n\n| Decision | Why |\n|---|---|\n| **YAML**, no Markdown | It is checked |\n";
  const decisions = approve(plan);
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

Deno.test("DecisionCollector.call() distinguishes a plan's overview from its reason", () => {
  const title = "# Plan: A prune command\n\n";
  const [plain] = approve(`${title}## Overview\nAdds a command that deletes old files.\n`);
  const approved = "Approved plan: A prune command: Adds a command that deletes old files.";
  assertEquals([plain?.decision, plain?.rationale], [approved, ""]);
  // The heading alone does not make an overview a reason.
  const [described] = approve(`${title}## Context\nAdds a command instead of a script.\n`);
  assertEquals(
    [described?.decision, described?.rationale, described?.alternatives],
    ["Approved plan: A prune command: Adds a command instead of a script.", "", []],
  );
  const context = "Old files pile up today. The folder grew to 2 GB. We need a command for it.";
  const [needed] = approve(`${title}## Context\n${context}\n`);
  assertEquals(needed?.rationale, "Old files pile up today. We need a command for it.");
});

Deno.test("DecisionCollector.call() reads the choices and limits in a plan that the assistant writes", () => {
  const notes = "**Why not fetch on each read?**\n- It adds a wait\n- Reads work offline\n";
  const content = "# Read the remote branch\n\n## Task 1: Use one reader\n- Only one file\n\n" +
    `## Non-goals\n- No second cache\n\n## Notes\n\n${notes}`;
  const written = (file_path: string, text = content, isError = false): string[] =>
    texts(decideCall({ name: "Write", input: { file_path, content: text }, isError }));
  const found = [
    "Why not fetch on each read? It adds a wait; Reads work offline",
    "Non-goals: No second cache",
  ];
  assertEquals(written("/p/docs/plans/2026-read.md"), found);
  assertEquals(written("/p/READ_PLAN.md"), found);
  assertEquals(written("/p/docs/guide.md"), []);
  assertEquals(written("/p/docs/plans/2026-read.md", content, true), []);
  assertEquals(written("/p/docs/plans/2026-read.md", "## Notes\n- It runs on CI too\n"), []);
});

Deno.test("DecisionCollector.call() leaves out a plan's work steps, list of files and order", () => {
  const sections =
    "## 1. `src/pool.ts`\n\n- Use one lock\n\n## 2. Remove the old lock\n\nIt is unused.\n\n" +
    "## Create\n\n- `src/lock.ts` - shared lock\n\n## Implementation Order\n\n- Use the lock\n\n";
  assertEquals(
    texts(
      approve(
        `# Plan: Lock the pool\n\nUploads fail today.\n\n${sections}## 3. Keep the lock in one place\n\nBoth use it.`,
      ),
    ),
    [
      "Approved plan: Lock the pool",
      "3. Keep the lock in one place: Both use it.",
    ],
  );
});

Deno.test("DecisionCollector.prompt() adds the sentence that a statement refers back to", () => {
  const before = "We compare the files at the start of a prompt.";
  const [found] = decide(["user", `${before} and keep that as a state. Does that make sense?`]);
  assertEquals(found?.decision, `${before} and keep that as a state.`);
});

Deno.test("DecisionCollector.prompt() recognizes an option that the user quotes", () => {
  const [shared, other] = [
    "One shared lock for all of the files, which the server removes at its start",
    "A lock for each of the files, which the client removes",
  ];
  const list = `Some ways to do it:\n1. **${shared}**\n2. ${other}\n\nWhich one fits?`;
  const [found] = replyTo(list, `Can you build that?  1. ${shared}`);
  assertEquals(found?.decision, `Some ways to do it: ${shared}`);
  assertEquals(found?.alternatives, [other]);
  assertEquals(
    replyTo(list, `I don't get this: ${list}`),
    [],
    "a quote of the whole list is not a choice",
  );
});

Deno.test("DecisionCollector.prompt() treats a plan in the user's prompt as approved", () => {
  const decisions = decide(["user", "Implement the following plan:\n\n# Keep state in files\n"]);
  assertEquals(texts(decisions), ["Approved plan: Keep state in files"]);
});

const OPTIONS: readonly (readonly [form: string, list: string, answer: string])[] = [
  ["numbers", "1. Files\n2. A database", "2"],
  ["letters", "A) Files\nB) A database", "b, as before"],
  ["bold letters", "**A.** Files\n**B.** A database", "Let's go with B"],
  ["titles", "**Option 1: Files**\n- small\n\n**Option 2: A database**\n- fast", "option 2"],
  [
    "titles followed by steps",
    "**Option 1: Files**\n\n**Option 2: A database**\n- fast\n\n1. Make it\n2. Fill it",
    "option 2",
  ],
];

Deno.test("DecisionCollector.prompt() recognizes an option by its number, letter or title", () => {
  for (const [form, list, reply] of OPTIONS) {
    const [decision, ...rest] = replyTo(`Where to keep it?\n${list}`, reply);
    assertEquals(decision?.decision, "Where to keep it? A database", form);
    assertEquals(decision?.alternatives, ["Files"], form);
    assertEquals([decision?.kind, rest], ["user", []], form);
  }
});

Deno.test("DecisionCollector.prompt() adds the user's reason and the assistant's reply to an option", () => {
  const decided = (reply: string, ...said: string[]): (string | undefined)[] => {
    const replies = said.map((text) => ["assistant", text] as const);
    const offer = ["assistant", "Where to keep it?\n1. Files\n2. A database"] as const;
    const [one] = decide(offer, ["user", reply], ...replies);
    return [one?.decision, one?.rationale];
  };
  const database = "Where to keep it? A database";
  const taken = "Good idea, a database can be asked for one row.";
  const reason = "2, people ask for one row";
  assertEquals(decided("2", taken), [database, `the assistant replied: ${taken}`]);
  assertEquals(decided(reason, "Done."), [database, reason]);
  assertEquals(decided(reason, taken), [database, `${reason} — the assistant replied: ${taken}`]);
  // A remark or a request is not a reason.
  const remarks = [
    ...["it happened twice btw", "but can you draw it first?", "but on by default"],
    "nested in one file, and please rename the rows",
  ];
  for (const remark of remarks.map((words) => `2, ${words}`)) {
    assertEquals(decided(remark), [`${database} ("${remark}")`, ""]);
  }
});

Deno.test("DecisionCollector.prompt() reads options in a table, and takes the assistant's advice as the reason", () => {
  const table = "Two ways to store it:\n\n| Way | Pros | Cons |\n|---|---|---|\n" +
    "| **A. One file** | Simple | Grows |\n| **B. A file each** | Small | Many files |\n\n";
  const advice = "I recommend option B because:\n- Writers never wait\n- Old ones can go\n\n";
  const offer = `${table}${advice}Which do you want?`;
  assertEquals(replyTo(offer, "B."), [{
    decision: "Two ways to store it: A file each",
    rationale: "the assistant advised it because: Writers never wait; Old ones can go",
    alternatives: ["One file; Pros: Simple; Cons: Grows"],
    kind: "user",
    from: { ...FROM, line: 2 },
  }]);
  assertEquals(replyTo(offer, "A")[0]?.rationale, "", "the advice is for another option");
});

Deno.test("DecisionCollector.prompt() recognizes options that the user chooses by number", () => {
  const list = "What is open:\n1. Escape the names\n2. Close the file\n3. Sort the keys\n\n" +
    "Want me to do any of these? I'd start with the names.";
  const taken = (reply: string): string => texts(replyTo(list, reply)).join("; ");
  assertEquals(taken("let's do the fix for 2 first"), "What is open: Close the file");
  assertEquals(taken("tackle #1 and #3 please"), "What is open: Escape the names; Sort the keys");
  assertEquals(taken("yes, do 3"), "What is open: Sort the keys");
});

Deno.test("DecisionCollector.prompt() adds the paragraph below the only chosen option", () => {
  const offer = "Two ways:\n\n**A. Try it.**\nPush all, and split what is refused.\n\n" +
    "**B. Estimate it.**\nCount the commits first.\n\nI can do both. Which one?";
  const taken = (reply: string): string => texts(replyTo(offer, reply)).join("; ");
  assertEquals(taken("let's do A"), "Two ways: Try it. Push all, and split what is refused.");
  assertEquals(taken("B please"), "Two ways: Estimate it. Count the commits first.");
  assertEquals(taken("A and B"), "Two ways: Try it.; Estimate it.");
  const unlisted =
    "Two ways:\n\n**A. Try it.**\n\n**B. Estimate it.**\n\n**D. Wait.**\nIt can wait.\n\n" +
    "I can do both. Which one?";
  assertEquals(
    texts(replyTo(unlisted, "B")).join(),
    "Two ways: Estimate it.",
    "D does not continue the list",
  );
});

Deno.test("DecisionCollector.prompt() keeps a proposal that the user accepts, but not agreement to a plain statement or a trivial step", () => {
  const rename = "\n\nWant me to rename it?";
  const rows: readonly (readonly [proposal: string, reply: string, ...decisions: string[]])[] = [
    [
      `I think \`prune\` is better here:\n1. It is short\n2. People know it${rename}`,
      "yes",
      "Agreed: I think `prune` is better here: It is short; People know it",
    ],
    [
      `I'd suggest option 1 - say it in the help:\n\`\`\`\nLong: x\n\`\`\`${rename}`,
      "yes",
      "Agreed: I'd suggest option 1 - say it in the help.",
    ],
    [
      "Two flags fit.\n\nI'd lean toward `--apply` - git has it.",
      "ok, let's go",
      "Agreed: I'd lean toward `--apply` - git has it.",
    ],
    ["Two flags fit.", "ok, let's go"],
    ["I'd go with `--apply` — thoughts?", "yes, let's do that", "Agreed: I'd go with `--apply`"],
    ["Two flags fit — thoughts?", "yes"],
    ["Would you like me to keep ids in one file?", "go ahead", "Agreed: keep ids in one file"],
    [
      "Would you like me to keep ids in one file?",
      "yes, only the ids first",
      'Agreed: keep ids in one file ("yes, only the ids first")',
    ],
    ["Should I commit this?", "yes"],
  ];
  for (const [proposal, reply, ...decisions] of rows) {
    assertEquals(texts(replyTo(proposal, reply)), decisions, proposal);
  }
});

Deno.test("DecisionCollector.prompt() takes what the assistant said before its accepted offer as the reason", () => {
  const reason = "The saves are only a copy, so a lost save blocks nobody.";
  const offer = "Want me to log each lost save without a prompt?";
  const steps = [["assistant", `${reason}\n\n${offer}`], ["user", "yes please"]] as const;
  const [agreed] = decide(...steps);
  assertEquals(agreed?.rationale, `the assistant had said: ${reason}`);
});

Deno.test("DecisionCollector.prompt() keeps only the sections of an accepted design that state a choice", () => {
  const design = "## Overview\nA day has a beginning and an end that people can see.\n\n" +
    "## Storage\n- One file for each session\n- Never a database\n\nDoes this look right?";
  const kept = "Storage: One file for each session; Never a database";
  assertEquals(texts(replyTo(design, "yes")), [kept]);
  assertEquals(replyTo(design, "why one file?"), []);
  assertEquals(decide(["assistant", design]), []);
});

Deno.test("DecisionCollector.prompt() reports which options were rejected or only postponed", () => {
  const offer = "What should I fix?\n1. The reader\n2. The writer\n3. The index";
  const list = "1. The reader\n2. The writer\n3. The index\n\n";
  const rejected = ["The writer", "The index"];
  const rows: readonly (readonly [offer: string, reply: string, others?: string[]])[] = [
    [offer, "let's do 1 first", rejected.map((one) => `(postponed) ${one}`)],
    [offer, "1, and the others later", rejected.map((one) => `(postponed) ${one}`)],
    [offer, "I think 1, it leaves us space to customise more later on", rejected],
    [offer, "1, the first option", rejected],
    [offer, "1, can you show first how it looks?", rejected],
    // Choosing several items rejects no option, and a request to investigate is not a decision.
    [offer, "let's fix 1 and 3", []],
    [offer, "let's investigate 1 and 3"],
    ["What would you like to work on today?\n1. The reader\n2. The writer", "1"],
    [`${list}Which one should I do?`, "yes, do 1", rejected],
    ["**Option 1: Errors**\n\n**Option 2: Types**\n\nWhich approach?", "try 2=", ["Errors"]],
    // The question offers several of these items, so choosing one does not reject the others.
    [`${list}Would you like me to do any of these?`, "yes, do 1", []],
    ["Which of these?\n1. Cache\n2. Lock\n3. Log", "1. yes\n2. skip that\n3. yes please", ["Lock"]],
    [
      "When to write it?\nA) At the end\nB) With each save",
      "A) in a separate file\n\nB) I want this as a separate feature",
      ['"I want this as a separate feature" - With each save'],
    ],
  ];
  for (const [proposal, reply, others] of rows) {
    assertEquals(replyTo(proposal, reply)[0]?.alternatives, others, reply);
  }
});

Deno.test("DecisionCollector takes the answer about the chosen option, or the assistant's reply to a rejection, as the reason", () => {
  const [chosen] = replyTo(
    "When to write it?\nA) At the end\nB) With each save",
    "A) we only know it at the end\n\nB) I want this as a separate feature",
  );
  assertEquals(chosen?.rationale, "we only know it at the end");
  const reply = "Got it — scrap the mascot. Only a header line above each answer.";
  const [rejected] = decide(
    ["assistant", "How big should the mascot be?\n\n1. One line\n2. A block\n\nWhich one?"],
    ["user", "no just add the entire name"],
    ["assistant", reply],
  );
  assertEquals(rejected?.decision, "no just add the entire name");
  assertEquals(rejected?.rationale, `the assistant replied: ${reply}`);
});

Deno.test("DecisionCollector.prompt() leaves out words that only introduce options, and replies that state no reason", () => {
  const list = "1. Files\n2. A database";
  const why = "2, people ask for one row";
  const rows: readonly (readonly [offer: string, reply: string, decision: string, why?: string])[] =
    [
      [`## My recommendations\n\n${list}\n\nWhich one?`, "let's try 2", "A database"],
      [`You're right. Let me propose others:\n\n${list}\n\nWhich one?`, "yes, do 1", "Files"],
      [`Would you like me to:\n\n${list}\n\nWhich one?`, why, "A database", why],
      [`Where to keep it?\n\n${list}\n\nWhich one?`, "2", "Where to keep it? A database"],
      [`It is used twice.\n\n**Options:**\n\n${list}\n\nWhich one?`, "2", "A database"],
      [
        "To be sure, would you prefer:\n1. Flags\n2. One smart command",
        "2 and it should not ask",
        "To be sure, would you prefer: One smart command",
        "2 and it should not ask",
      ],
      [
        `Want me to fix these? The main changes would be:\n${list}`,
        "yeah let's do the fix for 1 first",
        "Files",
      ],
      [
        "Would you like me to:\n1. Add a test that reads:\n2. Enhance the old ones?",
        "I think 2 is the right approach here",
        "Enhance the old ones?",
        "I think 2 is the right approach here",
      ],
      [
        "Do you want to:\nA) Ship it\nB) Something else?",
        "B) update this branch from main first",
        "B) update this branch from main first",
      ],
      [
        "Which of these?\n1. Cache\n2. Lock\n3. Log",
        "1. yes\n2. skip that\n3. yes",
        "Which of these? Cache; Log",
      ],
    ];
  for (const [offer, reply, decision, rationale = ""] of rows) {
    const [one] = replyTo(offer, reply);
    assertEquals([one?.decision, one?.rationale], [decision, rationale], offer);
  }
});

Deno.test("DecisionCollector.prompt() reads answers to several questions", () => {
  const asked = "1. Which fields?\n2. In which format?\n3. Where?";
  assertEquals(texts(replyTo(asked, "1. name and 2 more\n2. JSON\n3. here")), [
    "Where? here",
    "In which format? JSON",
    "Which fields? name and 2 more",
  ]);
  const lettered = "A) Which fields shall it have?\nB) In which format?";
  const below = "A) these ones:\n- name\n- size\nB) JSON, it is read later";
  assertEquals(texts(replyTo(lettered, below)), [
    "In which format? JSON, it is read later",
    "Which fields shall it have? these ones: - name - size",
  ]);
});

Deno.test("DecisionCollector.prompt() finds no choice if the assistant offered no options, or the user picked none", () => {
  const list = "What now?\nA) Files\nB) A database";
  assertEquals(replyTo(list, "a test fails on my machine"), []);
  assertEquals(replyTo(list, "10% of it is slow"), []);
  assertEquals(replyTo(list, "can you do me a summary of it with option B"), []);
  const told = "What happened:\n1. The old index was read again\n2. A second one was written";
  assertEquals(replyTo(told, "2 and then it stopped"), []);
  const gap = "This is a gap:\n1. It makes v1\n2. The code writes v0\n\nWhat is the workflow?";
  const ownList = replyTo(gap, "1. run it\n2. push v1\n3. point at v1?");
  assertEquals(ownList, [], "the list is the user's own");
});

Deno.test("DecisionCollector.prompt() finds no decision in a question or a report, or in the reply to it", () => {
  const rows = [
    [
      "can we tell if those changes preceded it?",
      "Good thinking. The state before is captured when you type. Let me check.",
    ],
    ["the second run fails on my machine", "Got it - the second run fails because of the first."],
    [
      "I just did an update, can you check again?",
      "Much better. Now only the relevant files are in the diff, as it should be.",
    ],
    [
      "should we only show it by default? what should we name the flag? 🤔",
      "Good call - showing it is safer. Options:\n- apply, since it is clear\n- write",
    ],
    // The reply only announces a thought.
    [
      "could it be a task and not a hook, or both, whichever is easier to run for us?",
      "Let me think through the options: a task, because it is easier to run.",
    ],
  ] as const;
  for (const [text, reply] of rows) {
    assertEquals(decide(["user", text], ["assistant", reply]), [], text);
  }
});

Deno.test("DecisionCollector.prompt() keeps a statement with its reason and the alternative it replaces", () => {
  const text = "Let's use files instead of a database because people can read them.";
  const [decision] = decide(["user", `Nice. ${text}`]);
  assertEquals(decision?.decision, text);
  assertEquals(decision?.rationale, "people can read them.");
  assertEquals(decision?.alternatives, ["a database"], "the reason is not part of the alternative");
  const [note] = decide(["user", "Let's use a note instead of the warning: add it to the file"]);
  assertEquals(note?.alternatives, ["the warning"], "nor is the text after a colon");
  const skill = decide(["user", "/plan:run keep each commit small"]);
  assertEquals(texts(skill), ["keep each commit small"], "the command is not part of the decision");
});

Deno.test("DecisionCollector.prompt() takes the assistant's agreement with the user's suggestion as a decision", () => {
  const [decision, ...others] = decide(
    ["user", "could it be a task and not a hook?"],
    ["assistant", "That's a good idea - a task, which is easier to run. Let me start."],
  );
  assertEquals(decision?.decision, "That's a good idea - a task, which is easier to run.");
  assertEquals(decision?.rationale, "the user had said: could it be a task and not a hook?");
  assertEquals([decision?.kind, others], ["assistant", []]);
  assertEquals(decision?.from.line, 2, "the words are the assistant's");
});

Deno.test("DecisionCollector.prompt() adds the reply that says what an indirect answer means", () => {
  const rationaleAfter = (reply: string): string | undefined =>
    decide(
      ["assistant", "Shall it read every file, or only the newest one?"],
      ["user", "let's keep it simple for now"],
      ["assistant", reply],
    )[0]?.rationale;
  const reply = "Good - only the newest file.";
  assertEquals(
    rationaleAfter(`${reply}\n\nNext question: which format?`),
    `the assistant replied: ${reply}`,
  );
  assertEquals(rationaleAfter("OK, let me read the files first."), "");
});

Deno.test("DecisionCollector.prompt() keeps the assistant's reason for calling a suggestion good", () => {
  const wish = "I want to keep the single commits in the branch";
  const why = "Good point — single commits keep their messages and authors.";
  const reasonOf = (reply: string): string | undefined =>
    decide(["user", wish], ["assistant", reply])[0]?.rationale;
  assertEquals(reasonOf(why), `the assistant replied: ${why}`);
  assertEquals(reasonOf("Good point - let me do it like that in the script:"), "");
});

Deno.test("DecisionCollector.said() recognizes labeled decisions, but ignores narration, reports, proposals and quotes", () => {
  const labelled = "Decision: use Postgres.";
  assertEquals(texts(decide(["user", "Build a store."], ["assistant", labelled])), [labelled]);
  const reports = [
    "I'll read the file.",
    "I'll use Redis for the cache now.",
    "The fix: only look at lines that end.",
    "Done. I've updated the plan:\n\n## Storage\n- Uses one file\n- All tests pass",
    "Let me use grep to find it.",
    "Let me read the types rather than guess.",
    "We could use a database instead of files.",
    "> Decision: use a database",
    "```\nDecision: use a database\n```",
    "Should I use files instead of a database?",
  ];
  for (const text of reports) assertEquals(texts(decide(["assistant", text])), [], text);
});

/** Returns `start`, continued with words up to `size` characters. */
function padded(start: string, size: number): string {
  const more = " Words of it.".repeat(200).slice(0, size - start.length - 1);
  return `${start}${more}`.trimEnd().padEnd(size - 1, "x") + ".";
}

Deno.test("DecisionCollector.prompt() reads agreements, statements and suggestions up to a limit", () => {
  const offer = "Would you like me to keep ids in one file?";
  const reply = "Good point: a task is easier to run, since it has no state.";
  const suggestion = "it could be a task and not a hook,";
  const counts: readonly (readonly [size: number, decide: (size: number) => Decision[]])[] = [
    [240, (size) => replyTo(offer, padded("go ahead", size))],
    [1_800, (size) => decide(["user", padded("let's keep the index in one file.", size)])],
    [700, (size) => decide(["user", padded(suggestion, size)], ["assistant", reply])],
    [400, (size) => decide(["user", `${"let's use files and ".padEnd(size - 1, "x")}.`])],
    [159, (size) => {
      const said = "I would say it is best to take the option 2 here";
      return replyTo("Where to keep it?\n1. Files\n2. A database", padded(said, size));
    }],
  ];
  for (const [size, decideAt] of counts) {
    assertEquals([decideAt(size).length, decideAt(size + 1).length], [1, 0], String(size));
  }
  const [own] = decide(["user", padded(suggestion, 240)], ["assistant", reply]);
  assertEquals(own?.rationale, `the assistant replied: ${reply}`);
  const [longer] = decide(["user", padded(suggestion, 241)], ["assistant", reply]);
  assertEquals(longer?.decision, reply);
});

Deno.test("DecisionCollector.prompt() keeps the statements of a long choice, and takes a bare number as a choice", () => {
  const offer = "Where to keep it?\n1. Files\n2. A database";
  const reply = "2, let's use it because people ask for one row.";
  const database = "Where to keep it? A database";
  assertEquals(texts(replyTo(offer, padded(reply, 400))), [database]);
  assertEquals(texts(replyTo(offer, padded(reply, 401))), [database, reply]);
  const told = "What happened:\n1. The old index was read\n2. A second one was written";
  assertEquals(texts(replyTo(told, "#2.")), ["What happened: A second one was written"]);
  assertEquals(replyTo(told, "#2 ."), []);
  assertEquals(texts(replyTo(offer, "2 ?")), [database]);
  const othersAfter = (words: string): readonly string[] | undefined =>
    replyTo("Which?\n1. Cache\n2. Lock\n3. Log", `1. yes\n2. ${words}\n3. yes`)[0]?.alternatives;
  assertEquals(othersAfter("skip this one now"), ['"skip this one now" - Lock']);
  assertEquals(othersAfter("skip this one"), ["Lock"]);
});

Deno.test("DecisionCollector.prompt() takes a reply as a decision only after a question, a suggestion or a wish", () => {
  const accepted = "That's a good idea - a task, which is easier to run.";
  const echo = "Good - only one task for all of it.";
  const rows:
    readonly (readonly [said: string, text: string, reply: string, ...found: string[]])[] = [
      ["Two flags fit.", "yes, but could it be a task and not a hook?", accepted, accepted],
      ["Two flags fit. Which one?", "hm, it is used twice", echo],
      [
        "Two flags fit.",
        "only one file",
        "Understood, one file is what it writes.",
        "only one file",
      ],
    ];
  for (const [said, text, reply, ...found] of rows) {
    const decisions = decide(["assistant", said], ["user", text], ["assistant", reply]);
    assertEquals(texts(decisions), found, text);
  }
  const wish = ["user", "yes, let's use a task and not a hook for it"] as const;
  const [own] = decide(["assistant", "Two flags fit."], wish, ["assistant", echo]);
  assertEquals(own?.rationale, "");
});

Deno.test("DecisionCollector.finish() merges repeats of a decision and keeps the more detailed text", () => {
  const decisions = decide(
    ["user", "let's keep the index in one file because it is small"],
    ["user", "so let's keep the index in one file"],
  );
  assertEquals(texts(decisions), ["let's keep the index in one file because it is small"]);
});

Deno.test("DecisionCollector.finish() returns the newest first, up to its limit", () => {
  const collector = new DecisionCollector();
  for (let line = 0; line < 500; line++) {
    const text = `let's use word${line} other${line} third${line} fourth${line}`;
    collector.prompt(text, { uuid: null, line });
  }
  const lines = collector.finish().map(({ from }) => from.line);
  assertEquals(lines, Array.from({ length: MAX_DECISIONS }, (_, at) => 499 - at));
});

Deno.test("DecisionCollector.call() accepts input and results of any shape", () => {
  const shapes: unknown[] = [null, 3, "x", [], [null], {}, { questions: 3 }, { answers: null }];
  const options = [null, 3, { label: 4 }];
  const questions = [null, 3, {}, { question: 3 }, { question: "q", options }];
  const answers = [{ answers: { q: 3 } }, { answers: { q: [1, "a"] } }, { plan: 3 }];
  for (const mirror of [...shapes, ...answers]) {
    for (const value of shapes) {
      for (const name of ["AskUserQuestion", "ExitPlanMode"]) {
        decideCall({ name, mirror, input: { questions: value, plan: value } });
      }
    }
    const decisions = decideCall({ mirror, input: { questions } });
    for (const { decision } of decisions) assertEquals(decision, "a (asked: q)");
  }
});

const LARGE = {
  "without a newline": "x".repeat(1_000_000),
  "of words": "use it instead of ".repeat(60_000),
  "of unmatched backticks": "`".repeat(1_000_000),
  "of open fences": "```\n".repeat(250_000),
  "of list marks": "1. a\n".repeat(200_000),
  "of headings": "# a\n- b uses c\n".repeat(70_000),
  "of spaces": " ".repeat(1_000_000),
  "of stars": "*".repeat(1_000_000),
  "of questions": "Does this work? ".repeat(60_000),
};

for (const [what, text] of Object.entries(LARGE)) {
  Deno.test(`DecisionCollector reads a megabyte ${what} in bounded time and space`, () => {
    const start = performance.now();
    const questions = [{ question: text, options: [{ label: text }] }];
    const decisions = [
      ...decide(["assistant", text], ["user", text], ["assistant", `Done. Got it.\n${text}`]),
      ...approve(text),
      ...decideCall({ input: { questions }, mirror: { answers: { [text]: text } } }),
    ];
    for (const decision of decisions) assert(JSON.stringify(decision).length < 4_000);
    assert(performance.now() - start < MAX_MILLISECONDS);
  });
}
