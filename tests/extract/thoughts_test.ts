import { assertEquals } from "@std/assert";
import {
  announcesOnly,
  concludes,
  intentionsIn,
  isPlan,
  plannedSteps,
  thoughtIn,
} from "../../src/extract/trail/thoughts.ts";

Deno.test("concludes() and announcesOnly() distinguish findings from announcements and short remarks", () => {
  const finding = "The pool is shared now.";
  const others = ["The pool is shared.", "Let me read it first now please."];
  assertEquals([finding, ...others].map(concludes), [true, false, false]);
  const announced = ["Let me see.", "Rows:", "The user asks why it fails."];
  assertEquals(announced.filter((one) => !announcesOnly(one)), []);
  assertEquals(announcesOnly(`Let me see. ${finding}`), false);
});

Deno.test("thoughtIn() starts with the first statement, and leaves out planned steps and retracted statements", () => {
  const finding = "The pool is shared by all.";
  const thoughts = [
    `${finding} Let me fix it now.`,
    `Is it so? ${finding}`,
    `The user wants rows. ${finding}`,
    `Let me look at the pool. ${finding}`,
  ];
  for (const thought of thoughts) assertEquals(thoughtIn(thought), finding, thought);
  assertEquals(thoughtIn(`${finding}\nWhy is it so?`), `${finding} Why is it so?`);
  const list = "The pool is shared by all:\n- one\n- two";
  assertEquals(thoughtIn(list), "The pool is shared by all: one. two.");
  const five = "The pool is shared now.";
  assertEquals([thoughtIn(five), thoughtIn("The pool is shared.")], [five, ""]);
  const retracted = `The pool is not used. Wait, that's wrong. ${five}`;
  assertEquals(thoughtIn(retracted), five);
  const nothing = ["The pool is shared by all:\nmore", "It is. So.", "Now I can see the issue."];
  for (const none of [...nothing, "Let me fix it now."]) assertEquals(thoughtIn(none), "", none);
});

Deno.test("thoughtIn() drops the first sentences of a thought over 479 characters", () => {
  const sentence = (size: number): string =>
    `${"The pool is shared by all ".padEnd(size - 1, "x")}.`;
  const [first, fitting, long] = [sentence(60), sentence(418), sentence(419)];
  assertEquals(thoughtIn(`${first} ${fitting}`), `${first} ${fitting}`);
  assertEquals(thoughtIn(`${first} ${long}`), long);
});

Deno.test("intentionsIn() returns the announcement at the end, and a change that is announced before it", () => {
  const [change, run] = ["Let me add the lock here.", "Let me run the tests of it now."];
  assertEquals(intentionsIn(`${change} ${run}`), [change, run]);
  assertEquals(intentionsIn(`Let me check the lock here. ${run}`), [run]);
  assertEquals(intentionsIn("It is. Let me run the tests:"), ["Let me run the tests."]);
  for (const none of ["It is. Let me run it.", "Let me update the todo list for it now."]) {
    assertEquals(intentionsIn(none), [], none);
  }
});

Deno.test("thoughtIn() and intentionsIn() restore a line break that a stored thought has lost", () => {
  const thought = "The lock is missing in `open()`Let me add the lock to both callers:";
  assertEquals(thoughtIn(thought), "The lock is missing in `open()`.");
  assertEquals(intentionsIn(thought), ["Let me add the lock to both callers."]);
});

Deno.test("plannedSteps() returns a numbered list of at least two changes below a plan's introduction", () => {
  const steps = "1. Add a lock\n2. Remove the pool";
  const shown = "1. Add a lock 2. Remove the pool";
  assertEquals(plannedSteps(`I'll make these changes:\n${steps}`), shown);
  assertEquals(
    plannedSteps(`The plan:\n- Open it\n${steps}\nThe results:\n1. add x\n2. add y`),
    shown,
  );
  const others = [
    "The plan:\n1. Add a lock\n2. See the pool",
    "The plan:\n2. Add a lock\n3. Remove the pool",
    `The rows:\n${steps}`,
  ];
  for (const thought of others) assertEquals(plannedSteps(thought), "", thought);
});

Deno.test("isPlan() accepts only sentences about what the assistant is going to do", () => {
  const plans = [
    "I need to add it. I will run it.",
    "I need to: add it.",
    "I will add it. (And run.)",
  ];
  assertEquals(plans.filter((thought) => !isPlan(thought)), []);
  const others = [
    "It is slow. I will add it.",
    "I will add it. It is slow.",
    "Let me look at what it does: It is slow.",
  ];
  assertEquals(others.filter(isPlan), []);
});
