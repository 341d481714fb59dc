import { assertEquals } from "@std/assert";
import type { WorkState } from "../../src/core/work_state.ts";
import { extractFromEntries } from "../../src/extract/extract_state.ts";
import { markSaveTurns } from "../../src/extract/save_turns.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";

type Block = Record<string, unknown>;

function entry(type: string, content: string | Block[]): Entry {
  return viewEntry({ type, message: { role: type, content } });
}

function user(text: string): Entry {
  return entry("user", text);
}

function says(text: string): Entry {
  return entry("assistant", [{ type: "text", text }]);
}

function calls(name: string, input: Block): Entry {
  return entry("assistant", [{ type: "tool_use", id: "t", name, input }]);
}

const result = entry("user", [{ type: "tool_result", tool_use_id: "t", content: "ok" }]);

const SAVE = [
  says("I save it."),
  calls("Skill", { skill: "trimtab:save-checkpoint" }),
  result,
  calls("Bash", { command: "cd /p && trimtab checkpoint --add - <<'N'\n- [ ] test it; push\nN" }),
  result,
  says("Saved."),
];
const WORK = [calls("Bash", { command: "npm test" }), result, says("It passes.")];

function unmarkedIndexes(entries: readonly Entry[]): string {
  const numbered = entries.map((entry, line) => ({ entry, line }));
  const marked = [...markSaveTurns(numbered)];
  assertEquals(marked.map(({ line }) => line), numbered.map(({ line }) => line));
  return marked.filter(({ isSave }) => isSave !== true).map(({ line }) => line).join(" ");
}

Deno.test("markSaveTurns() marks a turn that only asks for a save, both at the end and before other turns", () => {
  const before = [user("Build the parser."), ...WORK];
  const requests = [
    "please save our progress",
    "save a checkpoint please",
    "Take a snapshot.",
    "ok, hand over to a fresh session",
    "Can you create a handoff for the next session?",
    "checkpoint",
    "run trimtab checkpoint",
  ];
  for (const words of requests) {
    const saved = [...before, user(words), ...SAVE];
    assertEquals(unmarkedIndexes(saved), "0 1 2 3", words);
    assertEquals(unmarkedIndexes([...saved, user("Go on."), ...WORK]), "0 1 2 3 11 12 13 14");
    assertEquals(unmarkedIndexes([...saved, user(words), ...SAVE]), "0 1 2 3");
  }
});

Deno.test("markSaveTurns() does not mark a turn whose prompt asks for anything else, or that does other work or saves nothing", () => {
  const all = (entries: readonly unknown[]): string => entries.map((_, index) => index).join(" ");
  const others = [
    "Use option B. Save a checkpoint.",
    "Save a checkpoint, then rename the parser",
    "Save the session token in a cookie; it is lost now",
    "Add a test",
  ];
  for (const words of others) {
    const turn = [user(words), ...SAVE];
    assertEquals(unmarkedIndexes(turn), all(turn), words);
  }
  const request = user("save the state of the form");
  const rests = [WORK, [...SAVE, ...WORK], [says("How?")], []];
  for (const turn of rests.map((rest) => [request, ...rest])) {
    assertEquals(unmarkedIndexes(turn), all(turn));
    assertEquals(unmarkedIndexes([...turn, user("Go on.")]), all([...turn, 0]));
  }
});

Deno.test("extractFromEntries() extracts no request, answer or step from a turn that only asks for a save", () => {
  const read = (entries: readonly Entry[]): WorkState =>
    extractFromEntries(entries.map((entry, line) => ({
      entry: viewEntry({ ...entry.raw, sessionId: "s", uuid: `u${line}` }),
      line,
    })));
  const work = [user("Build the parser."), ...WORK];
  const saved = read([...work, user("please save our progress"), ...SAVE]);
  // The save's calls count only in the number of calls of each tool.
  const withoutTools = ({ progress, ...state }: WorkState): WorkState => ({
    ...state,
    progress: { ...progress, tools: [] },
  });
  assertEquals(withoutTools(saved), withoutTools(read(work)));
  // Even a session that contains only such a turn has an id, so that it can be saved.
  const alone = read([user("please save our progress"), ...SAVE]);
  assertEquals([alone.session_id, alone.requirements], ["s", []]);
});
