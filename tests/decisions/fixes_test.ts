import { assertEquals } from "@std/assert";
import { DecisionCollector } from "../../src/decisions/decisions.ts";
import type { Decision } from "../../src/core/work_state.ts";

type Step = readonly ["user" | "assistant" | "thought" | "edit" | "refused" | "bash", string];

function decide(...steps: readonly Step[]): Decision[] {
  const collector = new DecisionCollector();
  for (const [at, [kind, text]] of steps.entries()) {
    const from = { uuid: "u", line: at + 1 };
    if (kind === "user") collector.prompt(text, from);
    else if (kind === "assistant") collector.said(text, from);
    else if (kind === "thought") collector.thought(text, from);
    else {
      const input = kind === "bash"
        ? { command: text }
        : { file_path: text, old_string: "a", new_string: "b" };
      const isError = kind === "refused";
      const rest = { isError, result: "", mirror: undefined, isSidechain: false, from };
      collector.call({ name: kind === "bash" ? "Bash" : "Edit", input, ...rest });
    }
  }
  return collector.finish();
}

const CAUSE = "The pool hands out a connection before the handshake is over.";
const FIX = "The fix: wait for the handshake instead of polling the socket.";
const STATED: Step = ["assistant", `I see. ${CAUSE} ${FIX}\n\nLet me change it.`];
const EDIT: Step = ["edit", "/p/pool.ts"];
const ASKED: Step = ["user", "Why do uploads fail?"];

function texts(decisions: readonly Decision[]): string[] {
  return decisions.map(({ decision }) => decision);
}

Deno.test("DecisionCollector.said() keeps a fix that an edit carries out, with its cause and the rejected option", () => {
  assertEquals(decide(ASKED, STATED, EDIT), [{
    decision: FIX,
    rationale: CAUSE,
    alternatives: ["polling the socket"],
    kind: "assistant",
    from: { uuid: "u", line: 2 },
  }]);
});

Deno.test("DecisionCollector.said() does not take another way that was considered as the reason for a fix", () => {
  const other = "The pool has a loop already, so I could wait there, but it is shared.";
  const reasonAfter = (before: string): string | undefined =>
    decide(ASKED, ["thought", `${before} ${FIX}`], EDIT)[0]?.rationale;
  assertEquals(reasonAfter(other), "");
  assertEquals(reasonAfter("Let us see how the pool hands out its connections today..."), "");
  assertEquals(reasonAfter(`${CAUSE} ${other}`), CAUSE);
  const seen = "the pool has a list, but no counter of its own.";
  assertEquals(reasonAfter(`I see - ${seen}`), seen);
  const cannot = "The loop is shared, so I can't wait in it.";
  assertEquals(reasonAfter(cannot), cannot);
});

Deno.test("DecisionCollector.said() recognizes a fix by its words or its heading", () => {
  const stated: readonly (readonly [text: string, decision: string])[] = [
    ["The fix is to send the text as it is:", "The fix is to send the text as it is."],
    [
      "The fix is to replace:\n- `pool.take()`\nwith:\n- `pool.takeReady()`\n\nLet me do that.",
      "The fix is to replace: `pool.take()`; with: `pool.takeReady()`",
    ],
    [
      "The pool itself has no counter. I need to use the length of its list instead.",
      "I need to use the length of its list instead.",
    ],
    [
      "Since both clients share the pool, I'll keep it in the parent instead.",
      "Since both clients share the pool, I'll keep it in the parent instead.",
    ],
    [
      "So the fix is simpler than I thought: drop the check.",
      "So the fix is simpler than I thought: drop the check.",
    ],
    [
      "The simplest approach is to read the header once.",
      "The simplest approach is to read the header once.",
    ],
    [
      "## The fix\n\nRead the header once. Let me update the code.",
      "The fix: Read the header once.",
    ],
    [
      "**The fix needs to:**\n1. Read the header once\n2. Keep it",
      "The fix needs to: Read the header once; Keep it",
    ],
  ];
  for (const [text, decision] of stated) {
    assertEquals(texts(decide(ASKED, ["assistant", text], EDIT)), [decision], text);
  }
});

Deno.test("DecisionCollector.said() takes the section on the cause as the reason for a fix", () => {
  const text =
    `## Root cause\n\n${CAUSE}\n\n## Steps\n\n1. Open\n2. Read\n\n## Fix\n\nWait for it.`;
  assertEquals(decide(ASKED, ["assistant", text], EDIT)[0]?.rationale, CAUSE);
});

Deno.test("DecisionCollector.said() takes a list of causes as the reason, but not a guess or an announcement", () => {
  const reasonOf = (before: string): string | undefined =>
    decide(ASKED, ["assistant", `${before}\n\n${FIX}`], EDIT)[0]?.rationale;
  const listed = "Now I see it. The issue is:\n\n1. The pool opens late\n2. The socket is shared";
  assertEquals(reasonOf(listed), "The pool opens late; The socket is shared");
  assertEquals(reasonOf("Maybe the pool opens the socket too late."), "");
  assertEquals(reasonOf("Let me look at the pool and its sockets first."), "");
});

Deno.test("DecisionCollector.said() drops a fix that the same message reconsiders", () => {
  const text =
    `The simplest approach is to poll.\n\nActually, looking at the pool: ${CAUSE}\n\n${FIX}`;
  assertEquals(texts(decide(ASKED, ["assistant", text], EDIT)), [FIX]);
});

Deno.test("DecisionCollector.said() keeps a fix that is reported as done if the turn has edits", () => {
  const report: Step = ["assistant", `It works. The fix was adding a lock to the pool.`];
  assertEquals(texts(decide(ASKED, EDIT, report)), ["The fix was adding a lock to the pool."]);
  assertEquals(decide(ASKED, report), [], "the report may be about another session");
});

Deno.test("DecisionCollector.said() drops a fix that is only considered or not carried out", () => {
  assertEquals(decide(ASKED, STATED), []);
  assertEquals(decide(ASKED, STATED, ["refused", "/p/pool.ts"]), []);
  assertEquals(decide(ASKED, STATED, ["user", "What else calls it?"], EDIT), []);
  assertEquals(texts(decide(ASKED, STATED, ["user", "yes"], EDIT)), [FIX]);
  const others = [
    "The fix would be to wait.",
    "The fix is working now.",
    "Fix is in place.",
    "Let me check the pool instead of the socket.",
    "The pool has a lock of its own. Let me run its tests instead.",
    "I'll keep it in the parent instead.",
    "The socket has a counter of its own. I'll pass its length (2 values instead of 1).",
  ];
  for (const text of others) {
    assertEquals(decide(ASKED, ["assistant", text], EDIT), [], text);
  }
});

Deno.test("DecisionCollector.thought() provides the fix or its cause if no message states them", () => {
  const thought: Step = ["thought", `The user asks about uploads. ${CAUSE} ${FIX}`];
  const look: Step = ["assistant", "Let me change the pool."];
  const [found] = decide(ASKED, thought, look, EDIT);
  assertEquals([found?.decision, found?.rationale, found?.from.line], [FIX, CAUSE, 2]);
  const stated: Step = ["assistant", "The fix is to wait for the handshake."];
  const [both, ...more] = decide(ASKED, thought, stated, EDIT);
  assertEquals([both?.decision, both?.rationale, more], [stated[1], CAUSE, []]);
  assertEquals(decide(ASKED, thought, ["user", "What calls it?"], EDIT), []);
});

Deno.test("DecisionCollector.said() replaces a fix that no edit followed", () => {
  const better: Step = ["assistant", "The real fix: open the pool later."];
  assertEquals(texts(decide(ASKED, STATED, better, EDIT)), ["The real fix: open the pool later."]);
});

Deno.test("DecisionCollector.call() drops the fixes whose edits a reset discards", () => {
  const after = (...commands: string[]): string[] =>
    texts(decide(ASKED, STATED, EDIT, ...commands.map((one): Step => ["bash", one])));
  assertEquals(after("git reset --hard"), []);
  assertEquals(after('git commit -am "Wait"', "git push", "git reset --hard HEAD~1"), []);
  assertEquals(after('git commit -am "Wait"', "git reset --hard HEAD^ && git log"), []);
  const kept = [
    ["git reset --soft HEAD~1"],
    ["cd ../other && git reset --hard"],
    ['git commit -am "Wait"', "git reset --hard"],
    ['git commit -am "Wait"', 'git commit -am "Log"', "git reset --hard HEAD~1"],
  ];
  for (const commands of kept) assertEquals(after(...commands), [FIX], commands.join());
});

Deno.test("DecisionCollector drops a fix that did not help or was withdrawn", () => {
  const after: readonly Step[][] = [
    [["user", "still doesn't work"]],
    [["user", "No, that's not it"]],
    [["user", "are you sure?"], ["assistant", "You're right, I was wrong about the handshake."]],
  ];
  for (const steps of after) assertEquals(decide(ASKED, STATED, EDIT, ...steps), []);
  assertEquals(texts(decide(ASKED, STATED, EDIT, ["user", "now the docs, please"])), [FIX]);
});

Deno.test("DecisionCollector drops what the assistant decided in the answer that it withdraws", () => {
  const decided = ["assistant", "**Decision:** use a queue because the order matters."] as const;
  const doubt = ["user", "are you sure?"] as const;
  const withdrawn = ["assistant", "You're right, I was wrong about the order."] as const;
  assertEquals(decide(ASKED, decided, doubt, withdrawn), []);
  assertEquals(texts(decide(ASKED, decided, doubt, ["assistant", "Yes, it does."])).length, 1);
  const offer = "The order is lost because the list is sorted.\n\nShall I use a queue instead?";
  const agreed = [ASKED, ["assistant", offer], ["user", "yes"], ["assistant", "Done."]] as const;
  assertEquals(texts(decide(...agreed)), ["Agreed: use a queue instead"]);
  assertEquals(decide(...agreed, doubt, withdrawn), [], "the user agreed for a refuted reason");
  const earlier = [ASKED, decided, ["user", "And the docs?"], [
    "assistant",
    "They are old.",
  ]] as const;
  assertEquals(texts(decide(...earlier, doubt, withdrawn)).length, 1);
});

Deno.test("DecisionCollector.said() accepts a reason of up to 319 characters, but not from another section", () => {
  const reasonOf = (before: string): string | undefined =>
    decide(ASKED, ["assistant", `${before}${FIX}`], EDIT)[0]?.rationale;
  const cause = (size: number): string =>
    `${"The pool has no counter of it ".padEnd(size - 1, "x")}.`;
  assertEquals(reasonOf(`${cause(319)} `), cause(319));
  assertEquals(reasonOf(`${cause(320)} `), "");
  assertEquals(reasonOf(`## Root cause\n\n${CAUSE}\n\n`), CAUSE);
  assertEquals(reasonOf(`## Root cause\n\n## Details\n\n${CAUSE}\n\n`), "");
  assertEquals(decide(ASKED, ["assistant", `${CAUSE} ${FIX.replace(".", "?")}`], EDIT), []);
});
