import { assertEquals, assertThrows } from "@std/assert";
import { gatherMetrics } from "../../src/gauge/metrics.ts";
import { answer, boundary, type Line, user, withTranscript, writeLines } from "./transcript.ts";

const NONE = {
  message_count: 0,
  file_reads: 0,
  file_edits: 0,
  tool_calls: 0,
  subagent_spawns: 0,
};

function calls(uuid: string, ...names: string[]): Line {
  const content = names.map((name, index) => ({
    type: "tool_use",
    id: `${uuid}_${index}`,
    name,
    input: {},
  }));
  return { type: "assistant", uuid, message: { id: `msg_${uuid}`, content } };
}

Deno.test("gatherMetrics() counts each call once, by its effect", () =>
  withTranscript((path) => {
    writeLines(path, [
      user("u1", null),
      calls("a1", "Read", "Read", "Edit", "Write", "MultiEdit", "NotebookEdit"),
      calls("a2", "Bash", "Grep", "mcp__x__y", "Agent", "Task"),
    ]);
    assertEquals(gatherMetrics(path), {
      message_count: 3,
      file_reads: 2,
      file_edits: 4,
      tool_calls: 3,
      subagent_spawns: 2,
    });
  }));

Deno.test("gatherMetrics() counts a message once, however many lines it has", () =>
  withTranscript((path) => {
    const line = calls("a1", "Read");
    const more = { ...calls("a1", "Read", "Bash"), uuid: "a1b" };
    writeLines(path, [line, calls("a2", "Bash"), more, line]);
    const { message_count, file_reads, tool_calls } = gatherMetrics(path);
    assertEquals([message_count, file_reads, tool_calls], [2, 1, 2]);
  }));

Deno.test("gatherMetrics() counts only prompts as messages of the user", () =>
  withTranscript((path) => {
    const result = [{ type: "tool_result", tool_use_id: "t", content: "x" }];
    const prompt = [{ type: "image" }, { type: "text", text: "look" }];
    writeLines(path, [
      user("u1", null),
      user("u2", null, { message: { role: "user", content: result } }),
      user("u3", null, { message: { role: "user", content: prompt } }),
      user("u4", null, { isMeta: true }),
      user("u5", null, { isSidechain: true }),
      user("u6", null, { message: {} }),
      { type: "progress", uuid: "p" },
    ]);
    assertEquals(gatherMetrics(path).message_count, 2);
  }));

Deno.test("gatherMetrics() starts again at a compaction", () =>
  withTranscript((path) => {
    writeLines(path, [
      user("u1", null),
      calls("a1", "Read", "Bash"),
      boundary("b"),
      answer("a2", "b", 5),
      { type: "mode" },
    ]);
    assertEquals(gatherMetrics(path), {
      ...NONE,
      message_count: 1,
      tool_calls: 1,
    });
  }));

Deno.test("gatherMetrics() counts nothing in other files", () =>
  withTranscript((path) => {
    Deno.writeTextFileSync(path, '\n{"type":"assistant"\n[]\n"x"\n{}\n{"type":"assistant"}\n');
    assertEquals(gatherMetrics(path), { ...NONE, message_count: 1 });
    assertThrows(() => gatherMetrics(`${path}.gone`), Deno.errors.NotFound);
  }));
