import { assertEquals } from "@std/assert";
import {
  BY_HAND,
  changeLine,
  commitLine,
  decisionLine,
  doneLine,
  haltedLines,
  listLine,
  reasonLine,
  stepLine,
  uncheckedLine,
  withoutOrigins,
  withPlace,
} from "../../src/layout/lines.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import type {
  Commit,
  Decision,
  FileChange,
  NextStep,
  Origin,
  Trail,
  WorkState,
} from "../../src/core/work_state.ts";

const FROM: Origin = { uuid: null, line: 1 };
const CHANGE: FileChange = {
  ...{ file: "a.ts", action: "modified", count: 1, what: "", why: "", from: FROM },
  ...{ first_line: null, last_line: null },
};
const COMMIT: Commit = { hash: "abc1234", message: "Add it", from: FROM };

Deno.test("withPlace() names a line, an entry or a handwritten note, but no other origin", () => {
  const placed = (line: number | null, uuid: string | null = null): string =>
    withPlace("x", { uuid, line });
  assertEquals([placed(0), placed(12)], ["x (line 0)", "x (line 12)"]);
  assertEquals(placed(null, "0e3c1a52-7d3a-4a52"), "x (0e3c1a52)");
  assertEquals(withPlace("x", BY_HAND), "x (noted by hand)");
  for (const line of [-1, 1.5]) assertEquals(placed(line), "x");
  assertEquals(placed(null, "note-1"), "x");
  assertEquals(withPlace("x", FROM, "tool"), "x (tool, line 1)");
  assertEquals(withPlace("x", { uuid: null, line: null }, "tool"), "x");
  assertEquals(withPlace("", FROM), "");
});

Deno.test("listLine() lists the items that fit 286 characters, and counts the others", () => {
  const long = (size: number): string => "b".repeat(size);
  assertEquals(listLine("Done", ["a", long(278), "c"]), `Done: a, ${long(278)}, c`);
  assertEquals(listLine("Done", ["a", long(279), "c"]), `Done: a, ${long(279)}, 1 more`);
  assertEquals(listLine("Done", [long(290), "c"]), `Done: ${long(290)}, 1 more`);
});

Deno.test("changeLine() shows the lines of a change, and how often the file was edited", () => {
  const rows: readonly (readonly [change: Partial<FileChange>, line: string])[] = [
    [{}, "[a.ts] - modified (line 1)"],
    [{ count: 2 }, "[a.ts] - modified 2 times (line 1)"],
    [{ action: "created" }, "[a.ts] - created (line 1)"],
    [{ action: "created", count: 2 }, "[a.ts] - created, then edited 1 time (line 1)"],
    [{ action: "created", count: 3 }, "[a.ts] - created, then edited 2 times (line 1)"],
    [{ count: 1.5 }, "[a.ts] - modified (line 1)"],
    [{ first_line: 0, last_line: 7 }, "[a.ts:0-7] - modified (line 1)"],
    [{ first_line: 9, last_line: 7 }, "[a.ts:7-9] - modified (line 1)"],
    [{ first_line: -1, last_line: 7 }, "[a.ts:7] - modified (line 1)"],
    [{ first_line: 1.5, last_line: null }, "[a.ts] - modified (line 1)"],
    [{ from: BY_HAND }, ""],
    [{ from: BY_HAND, what: "slow" }, "[a.ts] - slow (noted by hand)"],
    [{ from: BY_HAND, what: "slow", file: "." }, "slow (noted by hand)"],
    [{ file: "" }, ""],
  ];
  for (const [change, line] of rows) assertEquals(changeLine({ ...CHANGE, ...change }), line);
});

Deno.test("reasonLine() names all files of a reason, but no file for a note about the project", () => {
  const line = (...changes: Partial<FileChange>[]): string =>
    reasonLine(changes.map((change) => ({ ...CHANGE, why: "slow", ...change })));
  assertEquals(line({}, { file: "b.ts" }), "[a.ts] [b.ts] - slow (line 1)");
  assertEquals(line({ file: ".", from: BY_HAND }), "slow (noted by hand)");
  assertEquals(line({ from: BY_HAND }), "[a.ts] - slow (noted by hand)");
  assertEquals(line({ file: "." }), "[.] - slow (line 1)");
  assertEquals([line(), line({ why: "" }), line({}, { file: "" })], ["", "", ""]);
});

Deno.test("commitLine() shows a hash of 4 to 40 digits, and omits a commit without hash and message", () => {
  const line = (commit: Partial<Commit>): string => commitLine({ ...COMMIT, ...commit });
  for (const hash of ["abcd", "a".repeat(40)]) {
    assertEquals(line({ hash }), `[commit ${hash}] - Add it (line 1)`);
  }
  for (const hash of ["abc", "a".repeat(41)]) {
    assertEquals(line({ hash }), "[commit] - Add it (line 1)");
  }
  assertEquals(line({ message: "" }), "[commit abc1234] -  (line 1)");
  assertEquals(line({ hash: "", message: "" }), "");
  const whole = { why: "slow", folder: "web", branch: "b" };
  assertEquals(line(whole), "[commit abc1234 on b in web] - Add it — slow (line 1)");
  assertEquals(commitLine(COMMIT, false), "[commit abc1234] - Add it");
});

Deno.test("stepLine() shows a step's status, and its place on request or if it was noted by hand", () => {
  const step: NextStep = { step: "Test it", status: "pending", from: FROM };
  assertEquals(stepLine(step), "[ ] Test it (line 1)");
  assertEquals(stepLine({ ...step, status: "completed" }), "[x] Test it (line 1)");
  const inProgress = stepLine({ ...step, status: "in_progress", since: "2 edits" });
  assertEquals(inProgress, "[ ] Test it (in progress, listed before 2 edits, line 1)");
  assertEquals(stepLine(step, false), "[ ] Test it");
  assertEquals(stepLine({ ...step, from: BY_HAND }, false), "[ ] Test it (noted by hand)");
  assertEquals(stepLine({ ...step, step: "" }), "");
});

Deno.test("decisionLine() shows reasons, rejected options and age, depending on the decision's kind", () => {
  const line = (decision: Partial<Decision>, requestsSince = 0, share = 1): string =>
    decisionLine(
      {
        ...{ decision: "Files", rationale: "", alternatives: [], kind: "user", from: FROM },
        ...decision,
      },
      requestsSince,
      share,
    ).replace(/ \(user, line 1\)$/, "");
  const aged = " (user, 2 later requests may have changed it, line 1)";
  const small = { rationale: "small" };
  assertEquals(line(small), "Files — because small");
  assertEquals(line({ ...small, kind: "answer" }), "Files (offered as: small) (answer, line 1)");
  const byHand = { ...small, kind: "answer", from: BY_HAND } as const;
  assertEquals(line(byHand), "Files — because small (noted by hand)");
  assertEquals(line({ rationale: "the user said no" }), "Files — the user said no");
  assertEquals([line({ rationale: "1" }), line({ decision: "" })], ["Files", ""]);
  const other = { alternatives: ["A database"] };
  assertEquals(line(other, 1), "Files — not: A database");
  assertEquals(line(other, 2), `Files — not: A database${aged}`);
  const option = line({ ...other, kind: "answer" }, 2);
  assertEquals(option, `Files — not: A database${aged.replace("user", "answer")}`);
  assertEquals(line({}, 2), "Files");
  assertEquals(line({ decision: "Agreed: files" }, 2), `Agreed: files${aged}`);
  assertEquals(line({ kind: "plan" }, 2), `Files${aged.replace("user", "plan")}`);
  const later = { alternatives: ["(postponed) A database"] };
  assertEquals(line(later, 1), "Files — not: (postponed) A database");
  assertEquals(line(later, 2), `Files${aged}`);
  const titled = { alternatives: ["A lock for each file, Costs more memory"] };
  assertEquals(line(titled, 0, 0.5), `Files — not: ${titled.alternatives[0]}`);
  assertEquals(line(titled, 0, 0.49), "Files — not: A lock for each file");
});

Deno.test("uncheckedLine() reports edits or commits that no check followed", () => {
  const unseen = "no test, build or linter was seen";
  const line = (trail: Partial<Trail>, state: Partial<WorkState> = {}): string =>
    uncheckedLine({ ...emptyState(), ...state, trail: { ...emptyTrail(), ...trail } });
  assertEquals(line({ uncommitted: 1 }), `Not checked by this session: ${unseen}`);
  const commands = [{ text: "`npm test` ok", from: FROM }];
  assertEquals([line({ uncommitted: 1, commands }), line({}), uncheckedLine(emptyState())], [
    "",
    "",
    "",
  ]);
  const [changes, commits] = [[CHANGE], [COMMIT]];
  const committed = `Committed by this session, but not checked: ${unseen}`;
  assertEquals(line({}, { changes, commits }), committed);
  assertEquals([line({}, { changes }), line({}, { commits })], ["", ""]);
});

Deno.test("doneLine() marks a completed step that writes files if the session changed no file", () => {
  const steps: NextStep[] = [
    { step: "Write the file a.ts", status: "completed", from: FROM },
    { step: "Test it", status: "pending", from: FROM },
    { step: "Ship it", status: "completed", from: FROM },
  ];
  const state = { ...emptyState(), next_steps: steps };
  const note = "(as the list says; no file of the project was seen to be written)";
  assertEquals(doneLine(state), `Done: Write the file a.ts ${note}; Ship it`);
  const changed = { ...state, changes: [CHANGE] };
  assertEquals(doneLine(changed), "Done: Write the file a.ts; Ship it");
});

Deno.test("haltedLines() reports a stopped operation, and what concludes it once its conflicts are fixed", () => {
  const line = (halted: string, uncommitted = 0): string | undefined =>
    haltedLines({ halted, uncommitted })[0];
  assertEquals(line("git rebase main", 1), "Stopped in the middle: `git rebase main`");
  const merge = "Not concluded: `git merge a`, all conflicts fixed;";
  const fixed = "git merge a, all conflicts fixed";
  assertEquals(line(fixed), `${merge} git commit concludes it`);
  assertEquals(line(fixed, 1), `${merge} stage the edits, then git commit concludes it`);
  assertEquals(haltedLines({}), ["", ""]);
});

Deno.test("withoutOrigins() removes the origin of every fact that was not noted by hand", () => {
  const requirements = [FROM, BY_HAND].map((from) => ({ text: "x", from }));
  const state = withoutOrigins({ ...emptyState(), requirements });
  assertEquals(state.requirements.map(({ from }) => from), [{ uuid: null, line: null }, BY_HAND]);
  assertEquals(state.requirements.map(({ text }) => text), ["x", "x"]);
});
