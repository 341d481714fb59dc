import { assertEquals, assertThrows } from "@std/assert";
import { gatherMetrics } from "../../src/gauge/metrics.ts";
import { newFolder } from "../folder.ts";
import { answer, boundary, type Line, user, writeLines } from "./transcript.ts";

const NONE = { message_count: 0, file_reads: 0, file_edits: 0, tool_calls: 0, subagent_spawns: 0 };

function calls(uuid: string, ...names: string[]): Line {
  const content = names.map((name, index) => ({ type: "tool_use", id: `${uuid}_${index}`, name }));
  return { type: "assistant", uuid, message: { id: `msg_${uuid}`, content } };
}

function content(...content: Line[]): Line {
  return { message: { role: "user", content } };
}

const CASES: Record<string, readonly [lines: readonly Line[], counts: Partial<typeof NONE>]> = {
  "counts each call in one category": [[
    user("u1", null),
    calls("a1", "Read", "Read", "Edit", "Write", "MultiEdit", "NotebookEdit"),
    calls("a2", "Bash", "Grep", "mcp__x__y", "Agent", "Task"),
  ], { message_count: 3, file_reads: 2, file_edits: 4, tool_calls: 3, subagent_spawns: 2 }],
  "counts a message once, however many lines it has": [[
    calls("a1", "Read"),
    calls("a2", "Bash"),
    { ...calls("a1", "Read", "Bash"), uuid: "a1b" },
    calls("a1", "Read"),
  ], { message_count: 2, file_reads: 1, tool_calls: 2 }],
  "counts only prompts as messages of the user": [[
    user("u1", null),
    user("u2", null, content({ type: "tool_result", tool_use_id: "t", content: "x" })),
    user("u3", null, content({ type: "image" }, { type: "text", text: "look" })),
    user("u4", null, { isMeta: true }),
    user("u5", null, { isSidechain: true }),
    user("u6", null, { message: {} }),
    { type: "progress", uuid: "p" },
  ], { message_count: 2 }],
  "restarts its counts at a compaction": [
    [user("u1", null), calls("a1", "Read", "Bash"), boundary("b"), answer("a2", "b", 5)],
    { message_count: 1, tool_calls: 1 },
  ],
};

for (const [what, [lines, counts]] of Object.entries(CASES)) {
  Deno.test(`gatherMetrics() ${what}`, () => {
    using folder = newFolder();
    const path = `${folder.path}/session.jsonl`;
    writeLines(path, lines);
    assertEquals(gatherMetrics(path), { ...NONE, ...counts });
  });
}

Deno.test("gatherMetrics() skips lines that are not messages, and throws for a missing file", () => {
  using folder = newFolder();
  const path = `${folder.path}/other.jsonl`;
  Deno.writeTextFileSync(path, '\n{"type":"assistant"\n[]\n"x"\n{}\n{"type":"assistant"}\n');
  assertEquals(gatherMetrics(path), { ...NONE, message_count: 1 });
  assertThrows(() => gatherMetrics(`${path}.gone`), Deno.errors.NotFound);
});
