import { assertEquals } from "@std/assert";
import { withoutSaveTurns } from "../../src/extract/save_turns.ts";
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
  return entry("assistant", [{ type: "tool_use", name, input }]);
}

const result = entry("user", [{ type: "tool_result", content: "ok" }]);

const SAVE = [
  says("I save it."),
  calls("Skill", { skill: "trimtab:save-checkpoint" }),
  result,
  calls("Bash", { command: "cd /p && trimtab checkpoint --add - <<'N'\n- [ ] test it; push\nN" }),
  result,
  says("Saved."),
];
const WORK = [calls("Bash", { command: "npm test" }), result, says("It passes.")];

/** Returns the indexes of the entries that are kept. */
function kept(entries: readonly Entry[]): string {
  const numbered = entries.map((entry, line) => ({ entry, line }));
  return [...withoutSaveTurns(numbered)].map(({ line }) => line).join(" ");
}

Deno.test("withoutSaveTurns() drops a turn that only asks for a save, at the end and before other turns", () => {
  const before = [user("Build the parser."), ...WORK];
  for (
    const words of [
      "please save our progress",
      "save a checkpoint please",
      "Take a snapshot.",
      "ok, hand over to a fresh session",
      "Can you create a handoff for the next session?",
      "checkpoint",
      "run trimtab checkpoint",
    ]
  ) {
    assertEquals(kept([...before, user(words), ...SAVE]), "0 1 2 3", words);
    assertEquals(
      kept([...before, user(words), ...SAVE, user("Go on."), ...WORK]),
      "0 1 2 3 11 12 13 14",
    );
    assertEquals(kept([...before, user(words), ...SAVE, user(words), ...SAVE]), "0 1 2 3");
  }
});

Deno.test("withoutSaveTurns() keeps a prompt that says more, and a turn with other work or without a save", () => {
  const all = (entries: readonly unknown[]): string => entries.map((_, index) => index).join(" ");
  for (
    const words of [
      "Use option B. Save a checkpoint.",
      "Save a checkpoint, then rename the parser",
      "Save the session token in a cookie; it is lost now",
      "Add a test",
    ]
  ) {
    const turn = [user(words), ...SAVE];
    assertEquals(kept(turn), all(turn), words);
  }
  const request = user("save the state of the form");
  for (
    const turn of [[request, ...WORK], [request, ...SAVE, ...WORK], [request, says("How?")], [
      request,
    ]]
  ) {
    assertEquals(kept(turn), all(turn));
    assertEquals(kept([...turn, user("Go on.")]), all([...turn, 0]));
  }
});
