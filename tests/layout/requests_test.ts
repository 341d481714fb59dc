import { assertEquals } from "@std/assert";
import { NO_CHANGE } from "../../src/changes/change_fields.ts";
import type { Said, WorkState } from "../../src/core/work_state.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { BY_HAND } from "../../src/layout/lines.ts";
import {
  changedSince,
  hasCommitSince,
  newestRequest,
  refusalWith,
  requestsSince,
  splitByRequest,
} from "../../src/layout/requests.ts";

const LINES = [3, 4, 5, null];

function said(text: string, line: number | null = 1): Said {
  return { text, from: { uuid: null, line } };
}

function stateWith(...requirements: Said[]): WorkState {
  return { ...emptyState(), requirements };
}

Deno.test("newestRequest() prefers the user's words to a handwritten note", () => {
  const note = { text: "note", from: BY_HAND };
  assertEquals(newestRequest([said("Add it"), note])?.text, "Add it");
  assertEquals([newestRequest([note])?.text, newestRequest([])], ["note", undefined]);
});

Deno.test("requestsSince(), hasCommitSince() and splitByRequest() compare lines, and treat unknown lines as newest", () => {
  const state = stateWith(said("a", 2), said("b", 4));
  const commits = [{ hash: "abc1234", message: "Add it", from: { uuid: null, line: 4 } }];
  const at = (line: number | null) => ({ uuid: null, line });
  assertEquals(LINES.map((line) => requestsSince(state, { from: at(line) })), [1, 0, 0, 0]);
  const committed = LINES.map((line) => hasCommitSince({ ...state, commits }, at(line)));
  assertEquals(committed, [true, false, false, false]);
  const changes = [3, 4, 5].map((line) => ({ ...NO_CHANGE, file: `${line}.ts`, from: at(line) }));
  assertEquals(changedSince(changes, 3), ["5.ts", "4.ts"]);
  const { since, before } = splitByRequest(LINES.map((line) => said("x", line)), state);
  assertEquals(before.map(({ from }) => from.line), [3]);
  assertEquals(since.map(({ from }) => from.line), [4, 5, null]);
});

Deno.test("refusalWith() returns a refused call as the occasion of any message, a stopped call only for a rule", () => {
  const noted = (verb: string, text: string): string[] => {
    const { occasion, stoppedCall } = refusalWith(said(text), [
      said(`${verb} Bash git push: "${text}"`),
    ]);
    return [occasion, stoppedCall];
  };
  assertEquals(noted("refused", "not yet"), [" (said when refusing Bash git push)", ""]);
  assertEquals(noted("stopped", "never push"), [" (said when stopping Bash git push)", ""]);
  assertEquals(noted("stopped", "not yet"), ["", " (said after stopping Bash git push)"]);
  assertEquals(refusalWith(said("not yet")), { occasion: "", stoppedCall: "", reply: "" });
});
