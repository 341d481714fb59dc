import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import { droppedLinesIn, turnFilter } from "../../src/transcript/dropped_turns.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";

function entry(type: string, content: unknown, more: JsonObject = {}): Entry {
  return viewEntry({ type, message: { role: type, content }, ...more });
}

function prompt(text: string): Entry {
  return entry("user", text);
}

function answer(text: string, ...calls: string[]): Entry {
  const uses = calls.map((id) => ({ type: "tool_use", id, name: "Bash", input: {} }));
  return entry("assistant", [{ type: "text", text }, ...uses]);
}

Deno.test("droppedLinesIn() finds the lines in notes about the transcript, and returns undefined without such a note", () => {
  const note = prompt(
    "<system-reminder>\n[The user took 1 turn with 2 calls out of the conversation: " +
      "lines 4 to 9 of 1a2b3c4d]\n</system-reminder>",
  );
  const transcript = "1a2b3c4d-0000-4000-8000-000000000000.jsonl";
  const isDropped = droppedLinesIn([prompt("Go on"), note], transcript);
  assertEquals([3, 4, 9, 10].map((line) => isDropped?.(line)), [false, true, true, false]);
  assertEquals(droppedLinesIn([prompt("Go on")], transcript), undefined);
  assertEquals(droppedLinesIn([note], transcript.replace("1a", "2b")), undefined);
  const asked = viewEntry({ ...note.raw, type: "system" });
  assertEquals(droppedLinesIn([asked], transcript), undefined, "the model does not see the note");
});

Deno.test("turnFilter() leaves out turns with the same calls or, without calls, the same words, but keeps boundaries", () => {
  const boundary = viewEntry({ type: "system", subtype: "compact_boundary" });
  const called = [prompt("Run it"), answer("It ran", "t1", "t2")];
  const said = [prompt("Why?"), answer("Because")];
  const withoutDropped = turnFilter([...called, ...said]);
  const kept = (...entries: Entry[]): number[] =>
    [...withoutDropped(entries.map((entry) => ({ entry })))]
      .map(({ entry }) => entries.indexOf(entry));
  const again = [prompt("Run it, please"), answer("It ran again", "t0", "t2")];
  assertEquals(kept(...again, boundary, ...said, prompt("Next")), [2, 5]);
  assertEquals(kept(prompt("Run it"), answer("It ran", "t3")), [0, 1], "another call");
  assertEquals(kept(prompt("Why?"), answer("No reason")), [0, 1], "another answer");
  const alone = "a turn begins only after an answer";
  assertEquals(kept(prompt("Tell me"), prompt("Why?"), answer("Because")), [0, 1, 2], alone);
});
