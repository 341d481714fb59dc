import { assertEquals } from "@std/assert";
import { UNRUN } from "../../src/commands/open_plan.ts";
import type { Decision, NextStep, Said } from "../../src/core/work_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import {
  announcedFirst,
  concernsList,
  nextSteps,
  plannedLine,
} from "../../src/layout/next_steps.ts";
import { beforeNext, checksAfterEdits, fixFirst } from "../../src/layout/next_words.ts";

function step(step: string, more: Partial<NextStep> = {}): NextStep {
  return { step, status: "pending", from: { uuid: null, line: 1 }, ...more };
}

function said(text: string, line = 1): Said {
  return { text, from: { uuid: null, line } };
}

Deno.test("announcedFirst() mentions an announcement that is newer than the list and not on it", () => {
  const announced = "Assistant: Let me add the lock to the cache.";
  const first = (text: string, ...open: NextStep[]): boolean => {
    const stopped = ["User: go on", text].map((one) => said(one, 3));
    return announcedFirst({ ...emptyTrail(), stopped }, 0, open) !== "";
  };
  const at = (line: number): Partial<NextStep> => ({ from: { uuid: null, line } });
  assertEquals(first(announced, step("Ship it", at(2))), true);
  assertEquals(first(announced, step("Ship it", at(3))), false);
  assertEquals(first(announced, step("Add the lock")), false);
  assertEquals(first(announced, step("Ship it", { status: "in_progress" })), false);
  assertEquals(first("Assistant: It is done.", step("Ship it")), false);
});

Deno.test("concernsList() needs two shared words, a request to go on, or work on a step", () => {
  const open = [step("Lock the rows of each cache"), step("Write docs")];
  const asked = ["go on", "/ship", "lock rows"];
  assertEquals(asked.filter((prompt) => !concernsList(prompt, open)), []);
  assertEquals(concernsList("lock it", open), false);
  const isWorkedOn = (one: NextStep, ...others: NextStep[]): boolean =>
    concernsList("fix it", [one, ...others]);
  const edits = { since: "edits of a.ts" };
  const begun = { status: "in_progress", ...edits } as const;
  const [docs, passed] = [step("Write docs"), { since: "edits of a.ts and a passing `npm test`" }];
  assertEquals(isWorkedOn(step("Lock it", begun), docs), true);
  assertEquals(isWorkedOn(step("Write tests", begun), docs), true);
  assertEquals(isWorkedOn(step("Run tests", begun), docs), false);
  assertEquals(isWorkedOn(step("Lock it", edits), docs), false);
  assertEquals(isWorkedOn(step("Fix a.ts", edits), docs), true);
  assertEquals([isWorkedOn(step("Ship", passed)), isWorkedOn(step("Ship", passed), docs)], [
    true,
    false,
  ]);
});

Deno.test("nextSteps() asks to check begun steps, and adds the first step without work", () => {
  const [a, b, ship] = [step("Fix a.ts"), step("Fix b.ts"), step("Ship")];
  const edited = (one: NextStep, file = "a.ts"): NextStep => ({
    ...one,
    since: `edits of ${file}`,
  });
  const listed = "(listed before edits of a.ts)";
  assertEquals(nextSteps([a], [a, b, ship]), "Fix a.ts");
  assertEquals(
    nextSteps([edited(a)], [b, ship]),
    `check what is left of Fix a.ts ${listed}; then Fix b.ts`,
  );
  assertEquals(nextSteps([edited(ship)], [b, a]), `Ship ${listed}; then Fix b.ts`);
  assertEquals(
    nextSteps([edited(a), b], [ship]),
    `Fix a.ts ${listed}; and Fix b.ts; then Ship`,
  );
  const both = `Fix a.ts ${listed}; and Fix b.ts (listed before edits of b.ts)`;
  assertEquals(nextSteps([edited(a)], [edited(b, "b.ts")]), `check what is left of ${both}`);
  const many = nextSteps([edited(a), edited(b, "b.ts"), edited(ship)], []);
  assertEquals(many, "check what is left of Fix a.ts; and Fix b.ts; and Ship");
});

Deno.test("plannedLine() names eight commands of a plan, and counts the others", () => {
  const line = (count: number): string =>
    plannedLine(Array.from({ length: count }, (_, n) => said(`c${n}${UNRUN}`)), UNRUN);
  const lead = "In the plan, but not seen to run: ";
  const names = Array.from({ length: 8 }, (_, n) => `c${n}`).join("; ");
  assertEquals([line(0), line(8)], ["", lead + names]);
  assertEquals(line(9), `${lead}${names}; 1 more`);
});

Deno.test("beforeNext() says what the last action requires first", () => {
  const first = (action: string, ...running: string[]): string =>
    beforeNext(action, running).replace(/, then $/, "");
  const started = "Task review → started";
  const reports = "collect the reports of the 1 task in the background";
  assertEquals([first(started, "review"), first(started)], [reports, ""]);
  assertEquals(first("Bash npm test → ok", "review"), "");
  const moved = "Bash npm test → Command running in background with ID: b1. Output is in x.";
  const end = "see how the command in the background ended";
  assertEquals([first(moved, "npm test (b1)"), first(moved)], [end, ""]);
  const failed = ["npm test → failed: 1 fails", "git push → failed: rejected", "ls → failed: no"];
  const fix = "fix what failed";
  assertEquals(failed.map((one) => first(`Bash ${one}`)), [fix, fix, ""]);
  const open = ["npm run build → no result yet", "git log → no result yet"];
  assertEquals(open.map((one) => first(`Bash ${one}`)), ["see how the last action ended", ""]);
});

Deno.test("fixFirst() asks to complete a fix that one to three edits followed", () => {
  const decision: Decision = {
    ...{ decision: "The fix: lock it.", rationale: "", alternatives: [], kind: "assistant" },
    from: { uuid: null, line: 5 },
  };
  const after = (steps: readonly string[], fix = decision): string =>
    fixFirst([said("Assistant: The fix: lock it.", 5), ...steps.map((one) => said(one, 6))], [fix]);
  const edits = ["Edit a.ts: x", "Edit a.ts: y", "Edit a.ts: z", "Edit b.ts: x"];
  const line = (count: string): string =>
    `check that this fix is complete (${count} so far): The fix: lock it; then `;
  assertEquals(after(edits.slice(0, 1)), line("1 edit"));
  assertEquals(after([...edits.slice(0, 3), "Read a.ts"]), line("3 edits"));
  assertEquals([after([]), after(edits), after(["Edit a.ts: x", "Bash npm test → ok"])], [
    "",
    "",
    "",
  ]);
  assertEquals(after(["Edit a.ts: x"], { ...decision, kind: "user" }), "");
  assertEquals(after(["Edit a.ts: x"], { ...decision, from: { uuid: null, line: 4 } }), "");
});

Deno.test("checksAfterEdits() lists whole checks that ran only before the last edit", () => {
  const line = (commands: readonly string[], files = ["a.ts"], action = "Edit a.ts: x"): string =>
    checksAfterEdits(commands.map((text) => said(text)), action, files);
  const [edit, unseen] = ["; 1 edit since then", "; no check was seen since the edits"];
  const listed = (command: string): string => `; not run since the last edit: \`${command}\``;
  const [build, test] = [`\`go build ./...\` ok${edit}`, `\`npm test\` ok${edit}`];
  assertEquals(line([test]), listed("npm test"));
  assertEquals(line(["`npm test` ok"]), "");
  assertEquals(line([`\`npm test a.ts\` ok${edit}`]), unseen);
  assertEquals(line([build, "`npm run lint` ok"]), listed("go build ./..."));
  assertEquals(line([build, "`go test ./...` ok"]), "");
  const expected = '`npm test` failed: x; the assistant said: "It fails as expected."';
  assertEquals(line([expected + edit]), listed("npm test"));
  assertEquals(line([`\`npm test\` failed: x${edit}`]), "");
  assertEquals(line([`\`npm test\` ok; run by a subagent${edit}`]), unseen);
  assertEquals([line([]), line([], ["a.md"]), line([], [])], [unseen, "", ""]);
  assertEquals(line([test], ["a.ts"], "Bash npm test → no result yet"), "");
});
