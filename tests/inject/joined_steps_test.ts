import { assert, assertEquals } from "@std/assert";
import { headOf } from "../../src/inject/fit_lines.ts";
import { shortenOutcome, uncheckedIn } from "../../src/inject/step_words.ts";
import { cutStep, isLookUp, joinedSteps } from "../../src/inject/joined_steps.ts";

Deno.test("isLookUp() distinguishes queries from actions, and counts a line with a failed check as an action", () => {
  const looks = [
    "Read a.ts",
    "Grep x → failed: no such program",
    "Bash git log",
    "Bash cd ../site && git show HEAD:a.ts | head -3 → no output",
    "Bash git show --no-stat → failed: fatal: unrecognized argument: --no-stat",
    "Bash gh pr view 7",
    "Bash ls todos 2>/dev/null → no output",
    "Bash gh api repos/a/b/pulls/7/comments --jq '.[] | {id}' → [] | head -3",
    `Bash gh api repos/a/b/pulls --jq '.[] | select(.at > "2026")' → no output`,
  ];
  const acts = [
    "Edit a.ts: x",
    "Skill review → ok",
    "Bash git status && npm test → failed: 1 test fails",
    "Bash cd ../site && npm ci → ok",
    "Bash gh pr create",
    "Bash gh api repos/a/b/pulls/7/comments --method POST -f body=x → ok",
    "Bash gh api repos/a/b -X DELETE",
    "Bash tail -350 a_test.go > /tmp/new.go → ok",
    'Bash tail -350 a_test.go > "new.go" → ok',
  ];
  assertEquals(looks.filter((step) => !isLookUp(step)), []);
  assertEquals(acts.filter(isLookUp), []);
});

Deno.test("joinedSteps() leaves out a read that shows no passage, and a message that only announces the read", () => {
  const words = " by each of them".repeat(4);
  const said = `Assistant: Let me read the cache to see how it is filled${words}.`;
  const named = "Assistant: Let me read `src/cache.ts`.";
  const [read, change] = ["Read src/cache.ts", "Edit a.ts: x"];
  assertEquals(joinedSteps(["Edit b.ts: y", read, change]), ["Edit b.ts: y", change]);
  assertEquals(joinedSteps([said, read, change]), [change]);
  assertEquals(joinedSteps([said, read, read, change]), [change]);
  assertEquals(
    joinedSteps([named, read, read, change]),
    [named, change],
    "the message names a file",
  );
  const result = `${read} → 12: fill()`;
  assertEquals(joinedSteps([said, result, change]), [said, result, change]);
  assertEquals(joinedSteps([change, read]), [change, read], "the last step");
});

Deno.test("joinedSteps() leaves out announcements before the last six messages, even if they mention names", () => {
  const steps = Array.from({ length: 7 }, (_, n) => [
    `Assistant: Now let me run the check number ${n} of \`src/cache.ts\`.`,
    `Bash npm run check${n} → ${n} found`,
  ]).flat();
  assertEquals(joinedSteps(steps), steps.slice(1));
  const finding = "Assistant: The cache never expires, so `read()` returns old data.";
  assertEquals(joinedSteps([finding, ...steps]), [finding, ...steps.slice(1)]);
});

Deno.test("joinedSteps() joins an announcement and the look-up that it announces", () => {
  const said = "Assistant: The cache is stale. Let me re-read its file `a.ts` to see why.";
  const steps = joinedSteps([said, "Read a.ts", "Edit a.ts: x"]);
  assertEquals(steps, [`${said} Read a.ts`, "Edit a.ts: x"]);
  const found = "Grep stale → 2 lines: a.ts:1, b.ts:2";
  assertEquals(joinedSteps([said, found, "Edit a.ts: x"])[1], found);
});

Deno.test("cutStep() keeps whole hits of a search, and counts the others", () => {
  const hits = ["a.ts:1: // not the metadata folder", "b_test.ts:2: folder(id)", "c.ts:3: x"];
  const step = `Grep folder → 9 lines: ${hits.join(" | ")} | +6 more`;
  assertEquals(cutStep(step, 64), `Grep folder → 9 lines: ${hits[0]} | +8 more`);
  const two = hits.slice(0, 2).join(" | ");
  const counted = step.replace("9 lines", "9 lines (a.ts 1, b.ts 8)");
  assertEquals(
    cutStep(counted, 83),
    `Grep folder → 9 lines (a.ts 1, b.ts 8): ${hits[0]} | +8 more`,
  );
  assertEquals(cutStep(step, 88), `Grep folder → 9 lines: ${two} | +7 more`);
});

Deno.test("uncheckedIn() reports the first failed check that edits followed, unless the failure was expected", () => {
  const lines = (...ends: string[]): { text: string }[] =>
    ends.map((end, at) => ({ text: `\`npm test ${at}\` failed: 1 fails${end}` }));
  const since = "; 2 edits since then";
  const open = (n: number): string =>
    `Not run again: \`npm test ${n}\` failed, and 2 edits followed`;
  assertEquals(uncheckedIn(lines("", since), ""), open(1));
  const expected = `; the assistant said: "The tests fail as expected."${since}`;
  assertEquals(uncheckedIn(lines(expected, `${since}; a commit followed`), ""), "");
  const wrong = `; the assistant said: "The output is not as expected."${since}`;
  assertEquals(uncheckedIn(lines(wrong), ""), open(0));
  const running = "Bash npm test 0 2>&1 | tail -5 → no result yet";
  assertEquals(uncheckedIn(lines(since), running), "", "the check is running again");
});

Deno.test("joinedSteps() joins edits of a file, but does not list an edit under the function of another edit", () => {
  const [named, other] = ["Edit a.ts: in read: x = 1;", "Edit a.ts: y = 2;"];
  assertEquals(joinedSteps([other, named]), ["Edit a.ts: y = 2;; in read: x = 1;"]);
  assertEquals(joinedSteps([named, other]), [named, other]);
  assertEquals(joinedSteps([named, "Edit a.ts: in write: z = 3;"]), [
    "Edit a.ts: in read: x = 1;; in write: z = 3;",
  ]);
});

Deno.test("joinedSteps() joins an announcement and the edit or look-up after it, but no other step", () => {
  const announced = "Assistant: Now the `read()` method:";
  const steps = ["Edit a.ts: x = 1;", "Grep x → 3 lines: a"];
  for (const step of steps) assertEquals(joinedSteps([announced, step]), [`${announced} ${step}`]);
  const others = ["User: stop", "Bash npm test → ok"];
  for (const step of others) assertEquals(joinedSteps([announced, step]), [announced, step]);
});

Deno.test("shortenOutcome() shortens a failure's error, but keeps the notes about what followed", () => {
  const settled =
    "; 2 edits since then; before `git merge a`; a_b passed alone since then; since then `npm test` passed";
  const line = `\`npm test login\` failed: ${"Expected another id. ".repeat(8)}${settled}`;
  for (let room = 0; room < line.length; room++) {
    const { lines, omitted } = headOf([line], room, shortenOutcome);
    assert(omitted > 0);
    for (const one of lines) {
      assert(one.length <= room && one.endsWith(`…${settled}`), one);
      assert(one.startsWith("`npm test login` failed: Expected"), one);
    }
  }
  assert(headOf([line], 230, shortenOutcome).lines.length === 1);
  assertEquals(shortenOutcome(`\`make\` ok ${"x".repeat(99)}`, 20), "`make` ok xxxxxxxxx…");
  const long = `- \`go test ${"a".repeat(99)}\` 2 times failed`;
  const end = "; 6 edits since then";
  assertEquals(shortenOutcome(long, 46), `- \`go test ${"a".repeat(18)}…\` 2 times failed`);
  assertEquals(
    shortenOutcome(long + end, 92),
    `- \`go test ${"a".repeat(44)}…\` 2 times failed${end}`,
  );
  assertEquals(shortenOutcome(long, 24), "");
  assertEquals(
    shortenOutcome(long.replace("failed", "ok"), 92),
    "",
    "a shortened command could not be run again",
  );
});

Deno.test("cutStep() keeps whole lines of an outcome", () => {
  const step =
    "Bash git log --oneline → f2dd844 Call the verb once installed. | e9de689 Dedupe the comments and the help text.";
  assertEquals(cutStep(step, 70), "Bash git log --oneline → f2dd844 Call the verb once installed.");
  assertEquals(cutStep(step, 120), step);
});

Deno.test("joinedSteps() leaves out look-ups without a result, but not the last ones", () => {
  const looks = ["Read a.ts", "Grep x"];
  const steps = joinedSteps(["Edit a.ts: x", ...looks, "Edit b.ts: y"]);
  assertEquals(steps, ["Edit a.ts: x", "Edit b.ts: y"]);
  const last = "looked at 2 things: Read 1, Grep 1; last: Grep x";
  assertEquals(joinedSteps(["Edit a.ts: x", ...looks])[1], last);
});

Deno.test("joinedSteps() joins an announcement to an edit of the file that it names", () => {
  const announced = "Assistant: Now let me update `cache.ts`.";
  const edit = "Edit src/cache.ts: size = 8";
  const steps = joinedSteps([announced, edit, "Bash ls bin → ok"]);
  assertEquals(steps, [`${announced} ${edit}`, "Bash ls bin → ok"]);
  const other = "Assistant: Now let me update `lanes.ts`.";
  assertEquals(joinedSteps([other, edit, "Edit b.ts: x"])[0], other);
  const gap = `Assistant: I'll start by reading the parser${" and its callers".repeat(4)}. […]`;
  assertEquals(joinedSteps([gap, edit]), [gap, edit], "other steps followed the message");
});

Deno.test("joinedSteps() shows what all look-ups found only after the last prompt or edit", () => {
  const looks = ["Grep a → 2 lines: a.ts:1 | b.ts:2", "Grep b → 3 lines: c.ts:1", "Grep c → none"];
  const all = `looked at 3 things: Grep 3; ${looks[0]}; ${looks[1]}; last: Grep c → none`;
  assertEquals(joinedSteps(["User: go", ...looks])[1], all);
  for (const end of ["Edit a.ts: x", "User: go"]) {
    assertEquals(joinedSteps([...looks, end])[0], all.replace(` ${looks[0]}; ${looks[1]};`, ""));
  }
});

Deno.test("joinedSteps() and cutStep() keep lines and steps that are just within their limits", () => {
  const announced = (size: number): string =>
    `Assistant: Let me look at the ${"rows ".repeat(20)}`.slice(0, size - 1) + ".";
  const edit = (size: number, char: string): string => `Edit a.ts: ${char.repeat(size - 11)}`;
  assertEquals(joinedSteps([announced(90), "Bash make → ok"]), ["Bash make → ok"]);
  assertEquals(joinedSteps([announced(91), "Bash make → ok"]), [announced(91), "Bash make → ok"]);
  assertEquals(joinedSteps([edit(240, "x"), edit(240, "y")]).length, 1);
  assertEquals(joinedSteps([edit(240, "x"), edit(241, "y")]).length, 2);
  const step = `Grep ${"w".repeat(41)}`;
  assertEquals(cutStep(step, 40), step);
  assert(cutStep(`${step}w`, 40).length <= 40);
  const hits = ["a.ts:1: aaaa", "b.ts:2: bbbb", "c.ts:3: cccc", "d.ts:4: dddddddddddd"];
  const shown = `Grep rows → 4 lines: ${hits.slice(0, 2).join(" | ")}`;
  const whole = `Grep rows → 4 lines: ${hits.join(" | ")}`;
  assertEquals(cutStep(whole, shown.length), `${shown} | +2 more`);
  assert(cutStep(whole, shown.length - 1).endsWith("aaaa | +3 more"));
});
