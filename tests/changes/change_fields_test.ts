import { assertEquals } from "@std/assert";
import { actionOf, mergeLines, NO_CHANGE } from "../../src/changes/change_fields.ts";
import { stashesWork } from "../../src/changes/stashes.ts";
import type { FinishedCall } from "../../src/core/work_state.ts";

Deno.test("actionOf() reports a new file only if the client says so", () => {
  const action = (call: Partial<FinishedCall>, isWholeFile = true): string => {
    const from = { uuid: "u", line: 1 };
    const unread = { input: {}, result: "", mirror: {}, isError: false, isSidechain: false, from };
    const patch = { lines: null, added: [], removed: [], isWholeFile };
    return actionOf({ name: "Write", ...unread, ...call }, patch);
  };
  const created = { type: "create" };
  const result = "File created successfully";
  assertEquals([action({ mirror: created }), action({ result })], ["created", "created"]);
  assertEquals(action({ name: "NotebookEdit", mirror: created }), "created");
  assertEquals(action({ name: "Edit", mirror: created }, false), "modified");
  assertEquals(action({ mirror: { type: "update" }, result }), "modified");
  assertEquals(action({}), "modified");
});

Deno.test("mergeLines() spans both changes, or returns the lines of the only known one", () => {
  const earlier = { ...NO_CHANGE, first_line: 5, last_line: 9, from: { uuid: "u", line: 1 } };
  const lines = { first: 3, last: 7 };
  assertEquals(mergeLines(earlier, lines), { first: 3, last: 9 });
  assertEquals(mergeLines(earlier, null), { first: 5, last: 9 });
  for (
    const unknown of [undefined, { ...earlier, last_line: null }, { ...earlier, first_line: null }]
  ) {
    assertEquals(mergeLines(unknown, lines), lines);
  }
});

Deno.test("stashesWork() distinguishes saving, restoring and other commands", () => {
  const saved = ["git stash", "git stash push -m x", "git stash save x"];
  assertEquals(saved.map((command) => stashesWork(command, "")), [true, true, true]);
  const restored = ["git stash pop", "git stash apply"];
  assertEquals(restored.map((command) => stashesWork(command, "")), [false, false]);
  const others = ["git stash list", "git status"];
  assertEquals(others.map((command) => stashesWork(command, "")), [undefined, undefined]);
  assertEquals(stashesWork("git stash", "No local changes to save"), undefined);
});
