import type { JsonObject } from "../../src/core/record.ts";
import { assertEquals } from "@std/assert";
import { readHistory } from "../../src/report/session_report.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";
import {
  boundaryKind,
  inPlaceNote,
  trimOptions,
  withoutRepeats,
} from "../../src/transcript/in_place.ts";
import { SearchPattern } from "../../src/transcript/search/pattern.ts";
import { searchTranscript } from "../../src/transcript/search/search.ts";
import { readNewestUsage } from "../../src/gauge/running_usage.ts";

/** A shortened transcript of Claude Code 2.1.330, with three calls, a trim in place, and a prompt. */
const TRIMMED = new URL(
  "../fixtures/inside/0b0bf175-cdda-4021-ad6f-d48f92297ee8.jsonl",
  import.meta.url,
).pathname;

function compactCommand(args: string): Entry {
  const content = "<command-name>/compact</command-name>\n            <command-message>compact" +
    `</command-message>\n            <command-args>${args}</command-args>`;
  return viewEntry({ type: "user", message: { role: "user", content } });
}

function messageToUser(content: string): Entry {
  return viewEntry({ type: "system", subtype: "informational", content });
}

Deno.test("inPlaceNote() recognizes a trim and an undo by the command after a boundary", () => {
  const kindOf = (args: string): unknown => inPlaceNote(compactCommand(args))?.kind;
  assertEquals(["trimtab", "trimtab --undo", ""].map(kindOf), ["trim", "undo", undefined]);
});

Deno.test("trimOptions() returns a trim's options, or undefined for instructions to the client", () => {
  const cases = { trimtab: "", " trimtab  --depth deep ": "--depth deep", "trimtab undo": "undo" };
  for (const [args, options] of Object.entries(cases)) assertEquals(trimOptions(args), options);
  const sentences = ["keep what trimtab said", "trimtab is the project: keep its name"];
  for (const text of ["", "keep --undo", "trimtabs", "trimtab: keep its name", ...sentences]) {
    assertEquals(trimOptions(text), undefined, text);
  }
});

Deno.test("inPlaceNote() recognizes trimtab's messages to the user, and returns their text", () => {
  const figures = "2 tool outputs (Read 2) cut, 9 -> 4 tokens";
  const words = `trimmed in place: ${figures}`;
  assertEquals(inPlaceNote(messageToUser(`trimtab: ${words}`)), { kind: "trim", words });
  assertEquals(inPlaceNote(messageToUser("trimtab: trim undone: 2 outputs"))?.kind, "undo");
  assertEquals(inPlaceNote(messageToUser("lab: trimmed in place: 2")), undefined);
  assertEquals(inPlaceNote(viewEntry({ type: "assistant" })), undefined);
});

Deno.test("boundaryKind() uses the note to the model if there is no other note, and ignores all notes after a summary", () => {
  const attachment = { type: "plugin_note", plugin: "trimtab" };
  const modelNote = viewEntry({ type: "attachment", attachment });
  const summary = viewEntry({ type: "user", isCompactSummary: true });
  assertEquals(boundaryKind([modelNote]), "trim");
  assertEquals(boundaryKind([summary, modelNote]), undefined);
  const typed = compactCommand("trimtab --undo");
  assertEquals(boundaryKind([summary, typed]), undefined, "a client without the module summarized");
  assertEquals(boundaryKind([typed]), "undo");
});

Deno.test("readHistory(), readNewestUsage() and searchTranscript() count repeated messages once", () => {
  const { marks, requests } = readHistory(TRIMMED);
  assertEquals(marks.map(({ kind }) => kind), ["trim"]);
  assertEquals(requests.length, 5);
  assertEquals(readNewestUsage(TRIMMED).isCompacted, false);
  const found = (figures: string): number[] => {
    const query = { pattern: new SearchPattern(figures) };
    return [...searchTranscript(TRIMMED, query)].map(({ line }) => line);
  };
  assertEquals(found("needle 7").length, 2);
  assertEquals(found("find a free port").length, 1);
  assertEquals(found("service_42 is free").length, 1);
});

Deno.test("withoutRepeats() drops entries that a trim repeats, but none after a summary or a boundary of unknown cause", () => {
  const line = (type: string, second: number, more: JsonObject = {}): { entry: Entry } => ({
    entry: viewEntry({ type, timestamp: `2026-11-23T00:00:0${second}.000Z`, ...more }),
  });
  const boundary = line("system", 5, { subtype: "compact_boundary" });
  const summary = line("user", 4, { isCompactSummary: true });
  const row = line("user", 4, { message: { role: "user", content: "once more" } });
  const answer = line("assistant", 6);
  const command = { entry: compactCommand("trimtab") };
  const note = { entry: messageToUser("trimtab: trimmed in place: 1 tool output") };
  const earlier = line("user", 1);
  const kept = (items: { entry: Entry }[]): number[] =>
    [...withoutRepeats([earlier, ...items])].slice(1).map((item) => items.indexOf(item));
  const modelNote = line("attachment", 5, {
    attachment: { type: "plugin_note", plugin: "trimtab", content: ["recall"] },
  });
  const other = line("attachment", 5, { attachment: { type: "plugin_note", plugin: "lab" } });
  const cases = [
    [[boundary, summary, answer], [0, 1, 2]],
    // The note for the model comes before the line for the user.
    [[boundary, row, modelNote, answer, note], [0, 2, 3, 4]],
    [[boundary, row, other, answer], [0, 2, 1, 3]],
    // After a summary, the note is about an earlier trim.
    [[boundary, summary, modelNote, answer], [0, 1, 2, 3]],
    [[boundary, row, answer], [0, 1, 2]],
    [[boundary, line("user", 5), note, answer], [0, 2, 3]],
    [[boundary, row, row], [0, 1, 1]],
    [[boundary, row, command, answer], [0, 3]],
    [[boundary, row, note, answer, row], [0, 2, 3, 1]],
  ] as const;
  for (const [items, indexes] of cases) assertEquals(kept([...items]), [...indexes]);
  const fork = [boundary, row, note, answer];
  assertEquals([...withoutRepeats(fork)], fork, "the file of a fork has no earlier messages");
});
