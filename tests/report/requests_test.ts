import { assertEquals } from "@std/assert";
import { RequestReader } from "../../src/report/requests.ts";
import { viewEntry } from "../../src/transcript/entry.ts";

const BOUNDARY = {
  ...{ type: "system", subtype: "compact_boundary", timestamp: "2026-11-22T10:00:00.000Z" },
  compactMetadata: { trigger: "manual", preTokens: 155_432 },
};

function logged(content: string): Record<string, unknown> {
  return { type: "system", subtype: "informational", content };
}

function commandOf(args: string): Record<string, unknown> {
  const content = `<command-name>/compact</command-name><command-args>${args}</command-args>`;
  return { type: "user", message: { role: "user", content } };
}

function marksOf(...lines: Record<string, unknown>[]): string[][] {
  const reader = new RequestReader();
  lines.forEach((line, index) => reader.add(viewEntry(line), index + 1));
  return reader.finish().marks.map(({ kind, text }) => [kind, text]);
}

Deno.test("RequestReader distinguishes a trim in place from a compaction", () => {
  const base = logged(
    "trimtab: trimmed in place: 2 tool outputs (Read 2) cut, 9 -> 4 tokens; more",
  );
  assertEquals(marksOf(BOUNDARY), [["compaction", "Compaction of 155,432 tokens (manual)"]]);
  assertEquals(marksOf(BOUNDARY, commandOf("keep the plan"))[0]?.[0], "compaction");
  const trim = ["trim", "Trimmed in place: 2 tool outputs (Read 2) cut, 9 -> 4 tokens"];
  assertEquals(marksOf(BOUNDARY, commandOf("trimtab"), base), [trim]);
  assertEquals(marksOf(BOUNDARY, base), [trim]);
  const undone = marksOf(BOUNDARY, commandOf("trimtab --undo"), BOUNDARY, base);
  assertEquals(undone, [["trim", "Trim or compaction undone"], trim]);
});

Deno.test("RequestReader reports whether a trim or a compaction was undone, even after the command of an earlier trim", () => {
  const [undo, earlier] = [commandOf("trimtab --undo"), commandOf("trimtab")];
  const compaction = logged("trimtab: compaction undone: 48 messages restored; more");
  const trim = logged("trimtab: trim undone: 2 outputs restored");
  const trimMark = ["trim", "Trim undone: 2 outputs restored"];
  const compactionMark = ["trim", "Compaction undone: 48 messages restored"];
  assertEquals(marksOf(BOUNDARY, undo, compaction), [compactionMark]);
  assertEquals(marksOf(BOUNDARY, earlier, undo, trim), [trimMark]);
  assertEquals(marksOf(BOUNDARY, trim, undo), [trimMark]);
  // The restored conversation can contain the message of an earlier trim.
  const old = logged("trimtab: trimmed in place: 2 tool outputs cut");
  assertEquals(marksOf(BOUNDARY, undo, old), [["trim", "Trim or compaction undone"]]);
});
