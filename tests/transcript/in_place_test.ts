import { assertEquals } from "@std/assert";
import { viewEntry } from "../../src/transcript/entry.ts";
import { inPlaceNote } from "../../src/transcript/in_place.ts";

function typed(args: string): Parameters<typeof inPlaceNote>[0] {
  const content = "<command-name>/compact</command-name>\n            <command-message>compact" +
    `</command-message>\n            <command-args>${args}</command-args>`;
  return viewEntry({ type: "user", message: { role: "user", content } });
}

function said(content: string): Parameters<typeof inPlaceNote>[0] {
  return viewEntry({ type: "system", subtype: "informational", content });
}

Deno.test("inPlaceNote() tells a trim, and one that was taken back, by the command behind a boundary", () => {
  assertEquals(inPlaceNote(typed("trimtab"))?.kind, "trim");
  assertEquals(inPlaceNote(typed("trimtab --depth deep"))?.kind, "trim");
  assertEquals(inPlaceNote(typed("trimtab --undo"))?.kind, "undo");
  assertEquals(inPlaceNote(typed("")), undefined);
  assertEquals(inPlaceNote(typed("keep what trimtab said")), undefined);
  assertEquals(inPlaceNote(typed("trimtabs")), undefined);
});

Deno.test("inPlaceNote() tells them by what was said, with the words", () => {
  const words = "2 tool outputs (Read 2) cut, 9 -> 4 tokens";
  assertEquals(inPlaceNote(said(`trimtab: trimmed in place: ${words}`)), { kind: "trim", words });
  assertEquals(inPlaceNote(said("trimtab: trim undone: 2 outputs"))?.kind, "undo");
  assertEquals(inPlaceNote(said("lab: trimmed in place: 2")), undefined);
  assertEquals(inPlaceNote(viewEntry({ type: "assistant" })), undefined);
});
