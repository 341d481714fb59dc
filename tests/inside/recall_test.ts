// What the tool gives back, of a transcript that stands in a file; that the model can call it is seen
// in tests/e2e/inside_test.ts.

import { assertEquals } from "@std/assert";
import type { Client, ToolAnswer } from "../../src/inside/client.ts";
import { answerRecall, tellLostRecall } from "../../src/inside/recall.ts";
import { readLinesAt } from "../../src/inside/session_lines.ts";

const ID = "7f3a1b2c-0000-4000-8000-000000000000";

/** A client that has one transcript. */
function clientOf(text: string): Client {
  const bytes = new TextEncoder().encode(text);
  return {
    session: { info: () => Promise.resolve({ transcriptPath: `/sessions/${ID}.jsonl` }) },
    fs: {
      list: () => Promise.resolve([{ name: "other.jsonl" }, { name: ID }, { name: `${ID}.jsonl` }]),
      stat: () => Promise.resolve({ size: bytes.length }),
      read: (_path: string, { offset, length }: { offset: number; length: number }) =>
        Promise.resolve({ base64: bytes.slice(offset, offset + length).toBase64() }),
    },
  } as unknown as Client;
}

function resultLine(text: string): string {
  const content = [{ type: "tool_result", tool_use_id: "a", content: text }];
  return JSON.stringify({ type: "user", parentUuid: null, message: { role: "user", content } });
}

function recall(text: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  return answerRecall(clientOf(text), { tool: "recall", session: "7f3a1b2c", ...args });
}

Deno.test("recall gives back the whole result of a line", async () => {
  const file = ["{}", resultLine("one\ntwo"), resultLine("last")].join("\n") + "\n";
  assertEquals(await recall(file, { line: 2 }), { result: "one\ntwo" });
  assertEquals(await recall(file, { line: 3 }), { result: "last" });
  const none = { deny: "7f3a1b2c has no line 4" };
  assertEquals(await recall(file, { line: 4 }), none);
  assertEquals(await recall(file, { line: 2, session: "8" }), {
    deny: "this project has no session 8",
  });
  const wrong = { deny: "recall takes the line and the session that the notice names" };
  assertEquals(await recall(file, { line: "2" }), wrong);
});

Deno.test("recall gives a long result in parts, which make up the whole", async () => {
  const whole = `${"\u{1f600}".repeat(50_000)}x`;
  const found: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const { result } = await recall(resultLine(whole), { line: 1, from });
    const [, part = "", next] = /^([^]*?)(?:\n\n\[\d+ characters more: from (\d+)\])?$/
      .exec(String(result)) ?? [];
    assertEquals(part.isWellFormed(), true);
    found.push(part);
    from = next === undefined ? undefined : Number(next);
  }
  assertEquals([found.length, found.join("")], [3, whole]);
});

Deno.test("a line is found wherever the pieces of a file end", async () => {
  const lines = ["a".repeat(5 * 1024 * 1024), "é".repeat(6 * 1024 * 1024), "", "last"];
  for (const [index, line] of lines.entries()) {
    const found = await readLinesAt(clientOf(lines.join("\n")), "x", new Set([index + 1]));
    assertEquals([...found], [[index + 1, line]]);
  }
  assertEquals((await readLinesAt(clientOf("one\n"), "x", new Set([2]))).size, 0);
});

Deno.test("tellLostRecall() tells of the tool where there are cuts and no note of it, and nowhere else", async () => {
  const told: unknown[] = [];
  const tell = async (...lines: string[]): Promise<number> => {
    const client = clientOf(lines.join("\n"));
    const session = {
      ...client.session,
      append: (row: unknown) => Promise.resolve(told.push(row)),
    };
    await tellLostRecall({ ...client, session });
    return told.splice(0).length;
  };
  const lineOf = (fields: Record<string, unknown>): string =>
    JSON.stringify({ parentUuid: null, ...fields });
  const cut = resultLine("head\n\n[...See line 12 of 7f3a1b2c for full content]");
  const boundary = lineOf({ type: "system", subtype: "compact_boundary" });
  const attachment = { type: "plugin_note", plugin: "trimtab" };
  const note = lineOf({ type: "attachment", attachment });
  assertEquals(await tell(boundary, cut), 1);
  assertEquals(await tell(boundary, cut, note), 0, "it waits, or was sent");
  assertEquals(await tell(cut, note, boundary, cut), 1, "of an earlier trim");
  assertEquals(await tell(cut, boundary, resultLine("whole")), 0);
});
