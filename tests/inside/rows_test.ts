import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { findAsides } from "../../src/inside/asides.ts";
import type { Row } from "../../src/inside/client.ts";
import { rebuildRows, type RowChanges } from "../../src/inside/rows.ts";
import { type JsonObject, viewEntry } from "../../src/transcript/entry.ts";

const NONE: RowChanges = { results: new Map(), inputs: new Map() };

function said(role: Row["role"], text: string, handle?: string): Row {
  return { role, text, toolUses: [], ...(handle === undefined ? {} : { handle }) };
}

function called(...ids: string[]): Row {
  const toolUses = ids.map((id) => ({ tool_use_id: id, tool: "Read", input: { file_path: id } }));
  return { role: "assistant", text: "", toolUses };
}

function answered(...ids: string[]): Row {
  const toolResults = ids.map((id) => ({ tool_use_id: id, text: `of ${id}`, isError: false }));
  return { role: "user", text: "", toolUses: [], toolResults };
}

Deno.test("rebuildRows() merges calls that were made at once, and their results", () => {
  const rows = [said("user", "go"), called("a"), called("b"), answered("b"), answered("a")];
  assertEquals(rebuildRows(rows, NONE), [
    said("user", "go"),
    called("a", "b"),
    answered("b", "a"),
  ]);
});

Deno.test("rebuildRows() keeps turns apart, and drops rows that hold nothing and all handles", () => {
  const rows = [
    said("user", "go", "h1"),
    said("assistant", "", "h2"),
    called("a"),
    answered("a"),
    called("b"),
    answered("b"),
    said("assistant", "done", "h3"),
  ];
  assertEquals(rebuildRows(rows, NONE), [
    said("user", "go"),
    called("a"),
    answered("a"),
    called("b"),
    answered("b"),
    said("assistant", "done"),
  ]);
});

Deno.test("rebuildRows() lets nothing stand between calls and their results", () => {
  const rows = [
    called("a"),
    said("assistant", "and"),
    called("b"),
    answered("a"),
    said("user", "hint", "h"),
    answered("b"),
    said("assistant", "done"),
  ];
  const built = rebuildRows(rows, { ...NONE, asides: [{ after: "h", text: "more" }] });
  assertEquals(built, [
    said("assistant", "and"),
    called("a", "b"),
    answered("a", "b"),
    said("user", "hint"),
    said("user", "more"),
    said("assistant", "done"),
  ]);
});

Deno.test("rebuildRows() goes on behind a call that was never answered", () => {
  const rows = [called("a"), said("user", "stop"), said("assistant", "stopped")];
  assertEquals(rebuildRows(rows, NONE), rows);
});

Deno.test("rebuildRows() puts changes in, and leaves out the command of an earlier trim", () => {
  const trace = "<command-name>/compact</command-name>\n<command-args>trimtab --depth deep";
  const rows = [called("a"), answered("a"), said("user", trace), said("user", "on")];
  const changes = { results: new Map([["a", "cut"]]), inputs: new Map([["a", { x: 1 }]]) };
  const built = rebuildRows(rows, changes);
  assertEquals(built.map(({ text }) => text), ["", "", "on"]);
  assertEquals(built[0]?.toolUses[0]?.input, { x: 1 });
  assertEquals(built[1]?.toolResults?.[0]?.text, "cut");
});

/** Turns of one answer each: texts, calls at once, and results in any order. */
const turns = fc.array(
  fc.record({
    prompt: fc.string(),
    texts: fc.array(fc.string(), { maxLength: 2 }),
    calls: fc.integer({ min: 0, max: 4 }),
    isReversed: fc.boolean(),
  }),
  { maxLength: 12 },
);

Deno.test("rebuildRows() loses no call, result or text, and every call's result comes next", () => {
  fc.assert(
    fc.property(turns, (list) => {
      const rows = list.flatMap(({ prompt, texts, calls, isReversed }, turn): Row[] => {
        const ids = Array.from({ length: calls }, (_, n) => `${turn}.${n}`);
        const results = isReversed ? ids.toReversed() : ids;
        return [
          said("user", prompt),
          ...texts.map((text) => said("assistant", text)),
          ...ids.map((id) => called(id)),
          ...results.map((id) => answered(id)),
        ];
      });
      const built = rebuildRows(rows, NONE);
      const textsOf = (all: readonly Row[]): string[] =>
        all.map(({ text }) => text).filter((text) => text !== "");
      assertEquals(textsOf(built), textsOf(rows));
      for (const [index, { toolUses }] of built.entries()) {
        const results = built[index + 1]?.toolResults ?? [];
        const has = (id: string): boolean => results.some((one) => one.tool_use_id === id);
        assert(toolUses.every(({ tool_use_id: id }) => has(id)));
      }
      const ids = (all: readonly Row[]): string[] =>
        all.flatMap(({ toolResults = [] }) => toolResults).map((one) => one.tool_use_id);
      assertEquals(ids(built), ids(rows));
    }),
    { numRuns: 200, seed: 14 },
  );
});

Deno.test("findAsides() keeps what no row holds and the client does not put back", () => {
  const message = (content: string): JsonObject => ({ role: "user", content });
  const typed = { type: "queued_command", commandMode: "prompt", prompt: "And the tests" };
  const lines = [
    { type: "user", uuid: "m0", isMeta: true, message: message("before any row") },
    { type: "user", uuid: "r1", message: message("Go") },
    { type: "user", uuid: "m1", isMeta: true, message: message("The skill says so") },
    { type: "user", uuid: "m2", message: message("said by nobody") },
    { type: "user", uuid: "m3", isMeta: true, message: message("<local-command-caveat>no") },
    { type: "attachment", uuid: "a1", attachment: typed },
    { type: "attachment", uuid: "a2", attachment: { type: "todo_reminder", content: "x" } },
  ];
  assertEquals(
    findAsides(lines.map((raw) => ({ number: 1, entry: viewEntry(raw) })), new Set(["r1"])),
    [
      { after: "r1", text: "The skill says so" },
      { after: "r1", text: "And the tests" },
    ],
  );
});
