import { assert, assertEquals } from "@std/assert";
import { truthOf } from "../../bench/truth.ts";
import { type Cut, cutOf, scoreOf, textsOf } from "../../bench/continuity.ts";

type Block = Record<string, unknown>;

let ids = 0;

function line(type: "user" | "assistant", content: unknown, more: Block = {}): Block {
  const uuid = `u${++ids}`;
  const parentUuid = ids === 1 ? null : `u${ids - 1}`;
  return { type, uuid, parentUuid, cwd: "/p", message: { role: type, content }, ...more };
}

function step(name: string, input: Block, result = "done", isError = false): Block[] {
  const id = `call-${ids}`;
  const answer = { type: "tool_result", tool_use_id: id, content: result, is_error: isError };
  return [
    line("assistant", [{ type: "tool_use", id, name, input }]),
    line("user", [answer]),
  ];
}

/** In this session, a parser is fixed, a test fails, and the work continues on the test. */
function sessionLines(isCompacted: boolean): string[] {
  ids = 0;
  const files = Array.from({ length: 12 }, (_, n) => `/p/src/part_${n}.ts`);
  const todos = [
    { content: "Handle empty quoted fields", status: "in_progress" },
    { content: "Document the delimiter option", status: "pending" },
  ];
  const past = [
    line("user", "Please make parseRecord accept a delimiter of several characters"),
    ...files.flatMap((file_path) => step("Read", { file_path }, "export {};")),
    ...step("TodoWrite", { todos }),
    ...files.slice(0, 8).flatMap((file_path, n) => [
      line("assistant", [{ type: "text", text: `Now part ${n} goes by MAX_DELIMITER.` }]),
      ...step("Edit", { file_path, old_string: "a", new_string: `const MAX_DELIMITER = ${n};` }),
    ]),
    line("user", "do not touch the public types of the package while you are at it"),
    ...step(
      "Bash",
      { command: "npm run test:unit" },
      "Exit code 1\n✗ empty quoted fields\n1 failed",
      true,
    ),
    line("assistant", [{ type: "text", text: "One test on empty quoted fields still fails." }]),
  ];
  const boundary = [
    { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null },
    line("user", "This session is being continued. parseRecord takes a delimiter.", {
      isCompactSummary: true,
      parentUuid: "b",
    }),
  ];
  const future = [
    line("assistant", [{ type: "text", text: "I go on with MAX_DELIMITER in parseRecord." }]),
    ...files.slice(2, 14).flatMap((file_path) => step("Read", { file_path })),
    ...step("Bash", { command: "npm run test:unit" }),
    line("assistant", [{
      type: "text",
      text: "Empty quoted fields are handled, MAX_DELIMITER and parseRecord are documented, " +
        "and so is the delimiter option.",
    }]),
  ];
  const all = [...past, ...isCompacted ? boundary : [], ...future];
  return all.map((one) => JSON.stringify(one));
}

function compactedCut(): Cut {
  const cut = cutOf(sessionLines(true));
  assert(cut !== null);
  return cut;
}

Deno.test("cutOf() cuts at a compaction, else after a call and its result, and rejects a short session", () => {
  const cut = compactedCut();
  assertEquals(cut.summary, "This session is being continued. parseRecord takes a delimiter.");
  assertEquals(cut.past.at(-1)?.text, "One test on empty quoted fields still fails.");
  const inside = cutOf(sessionLines(false));
  assertEquals(inside?.summary, "");
  assert(inside !== null && inside.future[0]?.kind !== "result");
  assertEquals(cutOf(sessionLines(true).slice(0, 20)), null);
});

Deno.test("scoreOf() returns 0 for empty text, and nearly 1 for all earlier messages", () => {
  const cut = compactedCut();
  assertEquals(scoreOf("", cut).all, 0);
  const whole = cut.past.map(({ text }) => text).join("\n");
  const { all, tail, ...others } = scoreOf(whole, cut);
  assertEquals(Object.values(others), [1, 1, 1, 1, 1, 1]);
  // A call between two messages separates the words before it from the words after it.
  assert((all ?? 0) > 0.9 && (tail ?? 0) > 0.6);
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

Deno.test("truthOf() counts the errors in text, and finds none in trimtab's own", () => {
  const cut = compactedCut();
  const passed = { ...cut, past: [...cut.past, ...cut.future] };
  const wrong = [
    "### Now",
    "- Open: `npm run test:unit` fails: 1 failed",
    '- `git commit -m "$(cat )"` ok',
    "- User: Full transcript available at: /tmp/x",
    "- Read src/a.ts",
  ].join("\n");
  assertEquals(truthOf(wrong, passed), {
    texts: 1,
    promptMissing: 1,
    falseOpen: 1,
    clientWords: 1,
    brokenCommands: 1,
    noise: 25,
  });
  const { noise: _noise, ...errors } = truthOf(textsOf(cut)["restore"] ?? "", cut);
  assertEquals(Object.values(errors), [1, 0, 0, 0, 0]);
});
