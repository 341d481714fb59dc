import { assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { status, trim } from "../../mod.ts";
import { SESSION, sessionPlace } from "./session_place.ts";
import "../own_config.ts";

function call(n: number, input_tokens: number): unknown[] {
  const id = `call-${n}`;
  const entry = { sessionId: SESSION, timestamp: "2026-03-01T12:00:00.000Z" };
  const use = { type: "tool_use", id, name: "Bash", input: { command: `cat ${n}` } };
  const result = { type: "tool_result", tool_use_id: id, content: `line ${n}\n`.repeat(4_000) };
  const message = { id: `m${n}`, role: "assistant", model: "claude-sonnet-4-6", content: [use] };
  const usage = { input_tokens, output_tokens: 1 };
  const parent = n === 0 ? "a1" : `result-${n - 1}`;
  const answer = {
    type: "assistant",
    uuid: id,
    parentUuid: parent,
    message: { ...message, usage },
  };
  const content = { role: "user", content: [result] };
  const answered = { type: "user", uuid: `result-${n}`, parentUuid: id, message: content };
  return [{ ...entry, ...answer }, { ...entry, ...answered }];
}

Deno.test("status() of a copy uses the window inferred from the parent's usage", async () => {
  const calls = Array.from({ length: 20 }, (_, n) => call(n, 30_000 + 20_000 * n)).flat();
  using place = sessionPlace("Build a login.", "I read the files.", calls);
  const copy = await trim(place);
  assertEquals([copy.window, copy.window_source], [1_000_000, "inferred"]);
  const { window, percent } = await status({ ...place, session: copy.output ?? "" });
  assertEquals([window, percent], [1_000_000, copy.percent.after]);
});

Deno.test("trim() stores the window of a copy only if its parent's usage or status line shows it", async () => {
  for (const [tokens, isStored] of [[20_000, true], [1_000, false]] as const) {
    const calls = Array.from({ length: 20 }, (_, n) => call(n, 30_000 + tokens * n)).flat();
    using place = sessionPlace("Build a login.", "I read the files.", calls);
    const copy = await trim(place);
    const state = `${place.cwd}/.claude/trimtab/state/${copy.session_id}.json`;
    assertEquals([copy.window_source === "inferred", existsSync(state)], [isStored, isStored]);
  }
});
