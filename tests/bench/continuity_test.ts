import { assert, assertEquals } from "@std/assert";
import { truthOf } from "../../bench/truth.ts";
import { type Cut, cutOf, scoreOf, textsOf } from "../../bench/continuity.ts";
import { SessionBuilder, text, toolUse } from "../trim/build_session.ts";

const SUMMARY = "This session is being continued. parseRecord takes a delimiter.";

/** In this session, a parser is fixed, a test fails, and the work continues on the test. */
function sessionLines(isCompacted: boolean): string[] {
  const session = new SessionBuilder();
  const say = (words: string) => session.assistant(`m${session.lines.length}`, [text(words)]);
  const call = (name: string, input: Record<string, unknown>, result = "done") =>
    session.call(`call-${session.lines.length}`, name, input, result, { cwd: "/p" });
  const files = Array.from({ length: 12 }, (_, n) => `/p/src/part_${n}.ts`);
  session.user("Please make parseRecord accept a delimiter of several characters");
  for (const file_path of files) call("Read", { file_path }, "export {};");
  const todos = [
    { content: "Handle empty quoted fields", status: "in_progress" },
    { content: "Document the delimiter option", status: "pending" },
  ];
  call("TodoWrite", { todos });
  for (const [n, file_path] of files.slice(0, 8).entries()) {
    say(`Now part ${n} goes by MAX_DELIMITER.`);
    call("Edit", { file_path, old_string: "a", new_string: `const MAX_DELIMITER = ${n};` });
  }
  session.user("do not touch the public types of the package while you are at it");
  session.assistant("test", [toolUse("test", "Bash", { command: "npm run test:unit" })]);
  const content = "Exit code 1\n✗ empty quoted fields\n1 failed";
  session.user([{ type: "tool_result", tool_use_id: "test", content, is_error: true }]);
  say("One test on empty quoted fields still fails.");
  if (isCompacted) {
    session.line({ type: "system", subtype: "compact_boundary", parentUuid: null });
    session.user(SUMMARY, { isCompactSummary: true });
  }
  say("I go on with MAX_DELIMITER in parseRecord.");
  for (const file_path of files.slice(2)) call("Read", { file_path });
  call("Bash", { command: "npm run test:unit" });
  say(
    "Empty quoted fields are handled, MAX_DELIMITER and parseRecord are documented, " +
      "and so is the delimiter option.",
  );
  return session.lines.map((line) => JSON.stringify(line));
}

function compactedCut(): Cut {
  const cut = cutOf(sessionLines(true));
  assert(cut !== null);
  return cut;
}

Deno.test("cutOf() cuts at a compaction, else where no call is separated from its result, and rejects a short session", () => {
  const cut = compactedCut();
  assertEquals(cut.summary, SUMMARY);
  assertEquals(cut.past.at(-1)?.text, "One test on empty quoted fields still fails.");
  const inside = cutOf(sessionLines(false));
  assertEquals(inside?.summary, "");
  assert(inside !== null && inside.future[0]?.kind !== "result");
  assertEquals(cutOf(sessionLines(true).slice(0, 20)), null);
});

Deno.test("scoreOf() returns 0 for empty text, and 1 for all earlier messages", () => {
  const cut = compactedCut();
  assertEquals(scoreOf("", cut).all, 0);
  const whole = cut.past.map(({ text }) => text).join("\n");
  assertEquals(Object.values(scoreOf(whole, cut)), [1, 1, 1, 1, 1, 1]);
});

Deno.test("textsOf() returns texts with most of the items that the later part needs", () => {
  const cut = compactedCut();
  const floors = { restore: 0.9, standard: 0.9, handoff: 0.85, "summary and restore": 0.9 };
  for (const [kind, floor] of Object.entries(floors)) {
    const score = scoreOf(textsOf(cut)[kind] ?? "", cut);
    assert((score.all ?? 0) >= floor, `${kind}: ${JSON.stringify(score)}`);
    assertEquals([score.asks, score.commands, score.steps], [1, 1, 1], kind);
  }
});

Deno.test("truthOf() counts the errors in a text, and finds none in restored text", () => {
  const cut = compactedCut();
  const passed = { ...cut, past: [...cut.past, ...cut.future] };
  const wrong = [
    "### Now",
    "- Open: `npm run test:unit` fails: 1 failed",
    '- `git commit -m "$(cat )"` ok',
    "- User: Full transcript available at: /tmp/x",
    "- Read src/a.ts",
  ].join("\n");
  const counts = { texts: 1, promptMissing: 1, falseOpen: 1, clientWords: 1, brokenCommands: 1 };
  assertEquals(truthOf(wrong, passed), { ...counts, noise: 25 });
  const { noise: _noise, ...errors } = truthOf(textsOf(cut)["restore"] ?? "", cut);
  assertEquals(Object.values(errors), [1, 0, 0, 0, 0]);
});
