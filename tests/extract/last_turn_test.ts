import { assertEquals } from "@std/assert";
import {
  asksSomething,
  isCommitStep,
  isHeldByUser,
  isPushStep,
  isSaidMidTurn,
  lastAnnouncedStep,
  lastSaidLine,
  lastTurn,
  turnLine,
} from "../../src/extract/trail/last_turn.ts";
import { answerTo, cutAnswer, ProgressCollector } from "../../src/extract/progress.ts";
import { emptyState } from "../../src/extract/empty_state.ts";

const PROMPT = "User: go";
const FROM = { uuid: "u", line: 1 };

Deno.test("lastTurn() describes the last action with the look-ups after it", () => {
  const action = (...steps: string[]): string => lastTurn([PROMPT, ...steps]).action;
  const [edit, first, second] = ["Edit a.ts: x", "Grep x → 2 lines: a", "Grep y → 3 lines: b"];
  assertEquals(action(edit, "Read b.ts"), `${edit}; then Read b.ts`);
  assertEquals(action(edit, first, second), `${edit}; then 2 look-ups: ${first}; ${second}`);
  const three = action(edit, "Read a.ts", first, second);
  assertEquals(three, `${edit}; then 3 look-ups, last: ${first}; ${second}`);
  assertEquals([action(edit), action("Read a.ts")], [edit, "Read a.ts"]);
  const ended = ["Assistant: Now.", "Interrupted by the user", "Bash npm test → not run"];
  assertEquals(action(edit, ...ended), edit);
});

Deno.test("lastTurn() finds the message before the newest prompt, and counts the calls between them", () => {
  const found = (...stopped: string[]): unknown[] => {
    const { at, before, callsSince } = lastTurn(stopped);
    return [at, before, callsSince];
  };
  const asked = "Assistant: Which?";
  assertEquals(found(asked, "Read a.ts", PROMPT), [2, asked, 1]);
  assertEquals(found(PROMPT, asked, PROMPT), [2, asked, 0]);
  assertEquals(found(PROMPT, "Read a.ts", PROMPT), [2, undefined, 0]);
  assertEquals(found("Edit a.ts: x"), [-1, undefined, 0]);
});

Deno.test("lastSaidLine() shows only the announcement of a message with at most 40 other characters", () => {
  const announced = "Let me add the lock to the cache.";
  const line = (size: number, ...steps: string[]): string => {
    const other = `${"It ".padEnd(size - 1, "x")}.`;
    return lastSaidLine([PROMPT, `Assistant: ${other} ${announced}`, ...steps], 0, 1);
  };
  const whole = `It ${"x".repeat(36)}. ${announced}`;
  assertEquals(line(39), `Announced last: ${announced}`);
  assertEquals(line(40), `The assistant last said: ${whole}`);
  // One edit probably carried out the announcement.
  const since = "(1 call since then)";
  assertEquals(line(40, "Edit a.ts: x"), `Announced last: ${announced} ${since}`);
  const longer = line(41, "Edit a.ts: x");
  assertEquals(longer, `The assistant last said ${since}: ${whole.replace("x.", "xx.")}`);
});

Deno.test("lastAnnouncedStep() adds the sentence before a short announcement, or the announcement before it", () => {
  const announced = (words: string): string =>
    lastAnnouncedStep([PROMPT, `Assistant: ${words}`], 0);
  assertEquals(announced("It is slow. Now fix it."), "It is slow. Now fix it.");
  assertEquals(announced("It is slow. Now fix all of it."), "Now fix all of it.");
  const both = "Let me look at it. Now fix all of it.";
  assertEquals([announced(both), announced("It is slow.")], [both, ""]);
});

Deno.test("lastAnnouncedStep() keeps a step with many parts open while only edits follow", () => {
  const edits = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `Edit a${n}.ts`);
  const open = (words: string, ...steps: string[]): string =>
    lastAnnouncedStep([PROMPT, `Assistant: ${words}`, ...steps], 0);
  const [one, all] = ["Let me add the lock to a.", "Let me add the lock to all other files."];
  assertEquals([open(one, ...edits(4)), open(all, ...edits(4))], ["", all]);
  assertEquals([open(all, ...edits(13)), open(all, ...edits(4), "Bash npm test → ok")], ["", ""]);
});

Deno.test("lastAnnouncedStep() includes a numbered list until as many calls followed", () => {
  const list = "I'll remove: 1. the command 2. its helper 3. the line for it";
  const open = (...steps: string[]): string =>
    lastAnnouncedStep([PROMPT, `Assistant: Both are unused. ${list}`, ...steps], 0);
  const edits = ["Edit a.ts: x", "Edit b.ts: y", "Edit c.ts: z"];
  // Before any call, the list may be an offer.
  assertEquals([open(), open(...edits.slice(1)), open(...edits)], ["", list, ""]);
});

Deno.test("isSaidMidTurn() accepts a message after a call that was not stopped", () => {
  const isMidTurn = (before: string): boolean => isSaidMidTurn([before, PROMPT], 1);
  const calls = ["Edit a.ts: x", "Bash npm test → ok", "Read a.ts"];
  assertEquals(calls.filter((step) => !isMidTurn(step)), []);
  const others = ["Bash ls → stopped by the user", "Assistant: Done.", "Interrupted by the user"];
  assertEquals(others.filter(isMidTurn), []);
});

Deno.test("isHeldByUser() accepts a refused or stopped call, and an open dialog", () => {
  const held = [
    "Bash ls → refused",
    "Interrupted by the user",
    "AskUserQuestion Which? → no result yet",
  ];
  assertEquals(held.filter((step) => !isHeldByUser([step])), []);
  const others = ["Bash ls → ok", "Bash ls → no result yet"];
  assertEquals(others.filter((step) => isHeldByUser([step])), []);
});

Deno.test("isCommitStep() and isPushStep() accept only steps that did not fail", () => {
  const commits = ["Bash git commit -m x → ok", "Bash ./all.sh … → [main abc1234] Add it"];
  assertEquals(commits.filter((step) => !isCommitStep(step)), []);
  const others = ["failed: no", "no result yet"].map((end) => `Bash git commit -m x → ${end}`);
  assertEquals(others.filter(isCommitStep), []);
  const pushes = ["ok", "failed: rejected"].map((end) => `Bash git push → ${end}`);
  assertEquals(pushes.map(isPushStep), [true, false]);
});

Deno.test("asksSomething() ignores a question mark inside a URL", () => {
  const prompts = ["what is it?", "is it (so?)", "see https://a.example/?x=1 for it", "no"];
  assertEquals(prompts.map(asksSomething), [true, true, false, false]);
});

Deno.test("ProgressCollector keeps an answer of 160 characters that is not interrupted", () => {
  const answers = (text: string): number => {
    const collector = new ProgressCollector();
    collector.said(text, FROM);
    collector.prompt("ok then");
    return collector.finish().answers?.length ?? 0;
  };
  const text = (size: number, end: string): string =>
    `${"It goes on ".repeat(20).slice(0, size - 1)}${end}`;
  assertEquals([answers(text(159, ".")), answers(text(160, "."))], [0, 1]);
  assertEquals(answers(text(170, ":")), 0);
});

Deno.test("cutAnswer() and answerTo() separate an answer from the reply to it", () => {
  const older = "It goes on. ".repeat(50);
  assertEquals(cutAnswer(older, 2_000, true), older.trim());
  const longer = cutAnswer(`${older}It ends.`, 2_000, true);
  assertEquals([longer.length <= 420, longer.endsWith("It ends.")], [true, true]);
  const text = 'It is. (the user replied: "ok")';
  assertEquals(cutAnswer(text, 10), text);
  const { progress } = emptyState();
  const answered = { ...progress, answers: [{ text, from: FROM }] };
  assertEquals([answerTo(answered, "ok then"), answerTo(answered, "no")], ["It is.", undefined]);
  assertEquals(
    answerTo({ ...progress, answers: [{ text: "It is.", from: FROM }] }, "no"),
    undefined,
  );
});

Deno.test("lastAnnouncedStep() is empty once the announced checks, commit or look-ups were made", () => {
  const isOpen = (announced: string, ...steps: string[]): boolean =>
    lastAnnouncedStep([PROMPT, `Assistant: Let me ${announced}.`, ...steps], 0) !== "";
  const [edit, test, lint] = ["Edit a.ts: x", "Bash npm test → ok", "Bash npm run lint → ok"];
  const both = "run the tests and the lint of it";
  assertEquals([isOpen(both, test), isOpen(both, test, lint)], [true, false]);
  const run = "run the tests of it now";
  assertEquals([isOpen(run, "Bash npm test → failed: no"), isOpen(run, test, edit)], [false, true]);
  assertEquals(isOpen(run, "Bash npm test → no result yet"), true);
  const fix = "fix the parser and";
  assertEquals([isOpen(`${fix} test it`, edit, test), isOpen(`${fix} check it`, edit, test)], [
    false,
    false,
  ]);
  assertEquals(isOpen(`${fix} commit it`, test), true);
  assertEquals(isOpen("commit all of it", "Bash git commit -m x → ok"), false);
  const look = "look at the parser";
  assertEquals([isOpen(look, "Read a.ts"), isOpen(look, "Bash cat a → no result yet")], [
    false,
    true,
  ]);
});

Deno.test("lastAnnouncedStep() stays open after three actions, an agent's report or a failed edit", () => {
  const isOpen = (message: string, ...steps: string[]): boolean =>
    lastAnnouncedStep([PROMPT, `Assistant: ${message}`, ...steps], 0) !== "";
  const fix = "Let me fix the parser of rows.";
  const tries = Array.from({ length: 4 }, (_, n) => `Bash node a${n}.js → ok`);
  assertEquals([isOpen(fix, ...tries.slice(1)), isOpen(fix, ...tries)], [true, false]);
  const report = "Task review → report: it is slow";
  assertEquals([isOpen(fix, report), isOpen("Let me launch an agent for it.", report)], [
    true,
    false,
  ]);
  const [edit, failed] = ["Edit a.ts: x", "Edit a.ts → failed: no match"];
  for (const one of ["Here is a test of it:", "Let me add the lock to it."]) {
    assertEquals([isOpen(one, edit), isOpen(one, failed)], [false, true], one);
  }
  for (const several of ["Here are two tests of it:", "Let me add all three locks to it."]) {
    assertEquals(isOpen(several, edit), true, several);
  }
  assertEquals(isOpen("Let me add the lock to it.", edit, "Edit b.ts: x"), true);
  assertEquals(lastAnnouncedStep([`Assistant: ${fix}`, PROMPT], 1), "");
});

Deno.test("lastSaidLine() shortens a message that calls followed, unless it answers a question", () => {
  const message = `Assistant: ${"It goes on and on here. ".repeat(40)}It ends.`;
  const sizeOf = (prompt: string, ...steps: string[]): number =>
    lastSaidLine([prompt, message, ...steps], 0, 1).length;
  const call = "Bash node a.js → ok";
  assertEquals(sizeOf(PROMPT) > message.length, true);
  assertEquals(sizeOf("User: why?", call) > message.length, true);
  assertEquals(sizeOf(PROMPT, call) < 500, true);
});

Deno.test("turnLine() derives from the last steps whose turn it is, or what remains", () => {
  const line = (
    steps: readonly string[],
    { unchecked = "", isAnswered = true, isBegun = true, isListDone = false } = {},
  ): string => {
    const at = steps.findLastIndex((step) => step.startsWith("User: "));
    return turnLine(steps, at, { unchecked, isAnswered, isBegun, isListDone })
      .replace("Next: ", "");
  };
  const [edit, test] = ["Edit a.ts: x", "Bash npm test → ok"];
  const announced = "Assistant: Let me add the lock to the cache.";
  const done = "answer the user, unless part of this request remains; the";
  const open = "finish this request; the turn has no final answer";
  const go = "continue with this request;";
  const rows: readonly (readonly [steps: readonly string[], line: string])[] = [
    [[], "act on this; nothing has been done since the user said it"],
    [["User: thanks!"], "the user's turn"],
    [["User: ! ls"], ""],
    [["User: let's talk about it"], "discuss it with the user before doing anything"],
    [["API error: overloaded"], `${go} the API failed before an answer`],
    [[edit, "Interrupted by the user"], "the user stopped it; ask before continuing"],
    [["Bash ls → refused"], "the user stopped it; ask before continuing"],
    [["AskUserQuestion Which? → no result yet"], "the user's turn; a question waits for an answer"],
    [["ExitPlanMode x → no result yet"], "the user's turn; the plan waits for approval"],
    [[announced], "do what was announced, then finish this request"],
    [["Assistant: Shall I push it?"], "the user's turn; the assistant asked a question"],
    [["Assistant: It is done."], "the user's turn; the assistant answered last"],
    [[edit, "Bash git commit -m x → ok"], `${done} work is committed`],
    [["Bash git push → ok"], `${done} work is pushed`],
    [[edit, test, "Bash node a.js → ok"], `${done} last check passed`],
    [[test, edit], open],
    [
      ["Task x → report: All is slow"],
      "act on the agent's report, then finish this request",
    ],
    [["Read a.ts"], `${go} the turn has no final answer`],
  ];
  for (const [steps, expected] of rows) assertEquals(line([PROMPT, ...steps]), expected);
  assertEquals(line([edit]), "");
  const unbegun = "no edit or commit was seen for it yet";
  assertEquals(line([PROMPT, "Read a.ts"], { isBegun: false }), `${go} ${unbegun}`);
  assertEquals(line([PROMPT, announced], { isBegun: false }).endsWith(`; ${unbegun}`), true);
  const rerun = "rerun what failed, then finish this request";
  assertEquals(line([PROMPT, edit], { unchecked: "x" }), rerun);
  assertEquals(line([PROMPT, "Read a.ts"], { unchecked: "x" }) === rerun, false);
  const passed = [PROMPT, edit, test, "Assistant: All tests pass."];
  assertEquals(line(passed, { isAnswered: false }), `${done} last check passed`);
  const asked = "User: commit, push then reply to the comments please";
  const reply = "Bash gh api repos/a/b/pulls/1/comments/2/replies -f body=Done → ok";
  const push = "Bash git push → ok";
  const next = '"reply to the comments please", as the user asked; the work is pushed';
  assertEquals([line([asked, push]), line([asked, push, reply])], [next, `${done} work is pushed`]);
  assertEquals(line(["User: update it (then push)", push]), `${done} work is pushed`);
  const listed = { isAnswered: false, isListDone: true };
  const allDone = "answer the user, unless part of this request remains; every listed step is done";
  assertEquals(line([PROMPT, "Assistant: The review is complete."], listed), allDone);
  assertEquals(line([PROMPT, edit], listed), allDone);
});
