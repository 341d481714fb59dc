import type { JsonObject } from "../../src/core/record.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { ApiMessage, Row } from "../../src/inside/client.ts";
import { readReminders, type Reminders } from "../../src/inside/reminders.ts";
import type { SessionLine } from "../../src/inside/session_lines.ts";
import { changeRows, layOutRows, type RowChanges } from "../../src/inside/rows.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { callRow, resultRow, textRow } from "./laid_out.ts";

const NONE: RowChanges = { results: new Map(), inputs: new Map() };
const NO_MEDIA = { textsOf: () => [] };
const KEEP_ALL: Reminders = { keep: (text) => [text], isState: () => false };

function callRowOf(...ids: string[]): Row {
  return callRow(...ids.map((id) => ({ tool_use_id: id, tool: "Read", input: { file_path: id } })));
}

function resultRowOf(...ids: string[]): Row {
  return resultRow(Object.fromEntries(ids.map((id) => [id, `of ${id}`])));
}

function text(words: string): JsonObject {
  return { type: "text", text: words };
}

function use(id: string): JsonObject {
  return { type: "tool_use", id, name: "Read", input: { file_path: id } };
}

function result(id: string, more: JsonObject = {}): JsonObject {
  return { type: "tool_result", tool_use_id: id, content: `of ${id}`, ...more };
}

function message(role: ApiMessage["role"], ...content: JsonObject[]): ApiMessage {
  return { role, content };
}

Deno.test("layOutRows() pairs calls of one answer whose results come between them", () => {
  const rows = [
    callRowOf("a"),
    callRowOf("b"),
    resultRowOf("a"),
    callRowOf("c"),
    resultRowOf("b"),
    resultRowOf("c"),
  ];
  const messages = [
    message("assistant", use("a"), use("b"), use("c")),
    message("user", result("a"), result("b"), result("c")),
  ];
  assertEquals(layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA), [
    callRowOf("a", "b", "c"),
    resultRowOf("a", "b", "c"),
  ]);
});

Deno.test("layOutRows() keeps the client's replacement result for a call that a killed client left open", () => {
  const toolInterrupted =
    "[Tool call interrupted: the session ended before its result was recorded]";
  const messages = [
    message("user", text("go")),
    message("assistant", text("Running it."), use("a")),
    message("user", result("a", { content: toolInterrupted, is_error: true })),
    message("assistant", text("No response requested.")),
  ];
  const rows = [textRow("user", "go"), textRow("assistant", "Running it."), callRowOf("a")];
  const built = layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA);
  assertEquals(built.map((row) => row.toolResults?.[0] ?? row.text), [
    "go",
    "Running it.",
    "",
    { tool_use_id: "a", text: toolInterrupted, isError: true },
    "No response requested.",
  ]);
});

Deno.test("layOutRows() leaves out rows that the client does not send", () => {
  const rows = [
    textRow("user", "go"),
    textRow("assistant", "API Error: 500"),
    textRow("assistant", "Done"),
  ];
  const messages = [message("user", text("go")), message("assistant", text("Done"))];
  assertEquals(layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA), [rows[0], rows[2]]);
});

Deno.test("layOutRows() reads a tool's name and its whole output from the client's rows", () => {
  const rows = [callRowOf("a"), resultRowOf("a")];
  const folded = "<system-reminder>\nmind this\n</system-reminder>";
  const messages = [
    message("assistant", { ...use("a"), name: "View" }),
    message("user", result("a", { content: `of a\n\n${folded}` }), text("and this\n")),
  ];
  assertEquals(layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA), [
    callRowOf("a"),
    resultRowOf("a"),
    textRow("user", folded),
    textRow("user", "and this"),
  ]);
});

Deno.test("layOutRows() leaves out the command of an earlier trim with its output", () => {
  const command = "<command-name>/compact</command-name>\n<command-args>trimtab --depth deep";
  const messages = [
    message(
      "user",
      text("<local-command-caveat>The command below"),
      text(command),
      text("<local-command-stdout>Compacted </local-command-stdout>"),
      // The client's record of a typed `/trim`.
      text("<command-name>/trimtab:trim</command-name>\n<command-args>--undo</command-args>"),
      text("<command-name>/model</command-name>"),
      text("on"),
    ),
  ];
  const rows = [textRow("user", "on")];
  assertEquals(layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA).map((row) => row.text), [
    "<command-name>/model</command-name>",
    "on",
  ]);
});

Deno.test("changeRows() inserts cut texts and arguments", () => {
  const changes = { results: new Map([["a", "cut"]]), inputs: new Map([["a", { x: 1 }]]) };
  const changed = changeRows([callRowOf("a"), resultRowOf("a"), textRow("user", "on")], changes);
  assertEquals(changed[0]?.toolUses[0]?.input, { x: 1 });
  assertEquals(changed[1]?.toolResults?.[0]?.text, "cut");
});

Deno.test("changeRows() refuses rows in which a call would lose its result", () => {
  const rows = [callRowOf("a", "b"), resultRowOf("a"), textRow("user", "on"), resultRowOf("b")];
  assertThrows(() => changeRows(rows, NONE), Error, "the result of call b would be lost");
});

/** Answers with calls and results in any order in which a result follows its call. */
const answers = fc.array(
  fc.record({
    prompt: fc.string({ minLength: 1 }),
    calls: fc.integer({ min: 0, max: 4 }),
    order: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
  }),
  { maxLength: 12 },
);

Deno.test("layOutRows() loses no call and no result, whatever the order of the lines", () => {
  fc.assert(
    fc.property(answers, (list) => {
      const rows: Row[] = [];
      const messages: ApiMessage[] = [];
      for (const [turn, { prompt, calls, order }] of list.entries()) {
        const ids = Array.from({ length: calls }, (_, n) => `${turn}.${n}`);
        rows.push(textRow("user", prompt));
        messages.push(message("user", text(prompt)));
        const [waiting, open] = [[...ids], [] as string[]];
        for (let step = 0; waiting.length + open.length > 0; step++) {
          const pick = order[step % order.length] ?? 0;
          const next = pick % 2 === 0 || open.length === 0 ? waiting.shift() : undefined;
          if (next !== undefined) {
            open.push(next);
            rows.push(callRowOf(next));
          } else {
            rows.push(resultRowOf(...open.splice(pick % Math.max(open.length, 1), 1)));
          }
        }
        if (calls === 0) continue;
        messages.push(message("assistant", ...ids.map(use)));
        messages.push(message("user", ...ids.map((id) => result(id))));
      }
      // `changeRows()` throws if a result does not follow its call.
      const built = changeRows(layOutRows({ rows, messages }, KEEP_ALL, NO_MEDIA), NONE);
      const idsOf = (all: readonly Row[]): string[] =>
        all.flatMap(({ toolResults = [] }) => toolResults).map((result) => result.tool_use_id)
          .sort();
      assertEquals(idsOf(built), idsOf(rows));
      assert(built.every(({ handle }) => handle === undefined));
    }),
    { numRuns: 200, seed: 14 },
  );
});

function attachment(type: string, sent: string, more: JsonObject = {}): JsonObject {
  return { type: "attachment", attachment: { type, ...more }, rendered: [{ content: sent }] };
}

function reminder(words: string): string {
  return `<system-reminder>\n${words}\n</system-reminder>`;
}

const LINES = [
  attachment("file", reminder("Result of calling the Read tool: x")),
  attachment("environment", reminder("# Environment\nPrimary working directory: /p")),
  attachment("date", reminder("Today's date is 2026-01-05.")),
  attachment("queued_command", reminder("The user sent a new message: and the tests"), {
    commandMode: "prompt",
    prompt: "and the tests",
  }),
].map((raw, index) => ({ number: index + 1, entry: viewEntry(raw) }));

Deno.test("readReminders() keeps reminders that the client does not add again, hidden from the screen", () => {
  const { keep } = readReminders(LINES, { isMidTurn: false });
  const file = reminder("Result of calling the Read tool: x");
  const kept = `<local-command-caveat>${file}</local-command-caveat>`;
  assertEquals(keep(file), [kept]);
  assertEquals(keep(kept), [kept], "a second trim changes nothing");
  assertEquals(keep("The skill says so"), ["The skill says so"]);
  assertEquals(keep(reminder("The user sent a new message: and the tests")), ["and the tests"]);
  assertEquals(keep(reminder("Today's date is 2026-01-05.")), []);
  assertEquals(
    keep(reminder("Today's date is 2025-01-05.")),
    [],
    "an older client wrote the reminder",
  );
});

Deno.test("readReminders() keeps reminders in the middle of a turn that the client adds one request late", () => {
  const environment = reminder("# Environment\nPrimary working directory: /p");
  assertEquals(readReminders(LINES, { isMidTurn: false }).keep(environment), []);
  const [kept = ""] = readReminders(LINES, { isMidTurn: true }).keep(environment);
  assert(kept.includes(environment));
  assertEquals(readReminders([], { isMidTurn: false }).keep(kept), [], "the next trim drops it");
});

Deno.test("layOutRows() drops reminders that a trim in the middle of a turn kept, and no other hidden text", () => {
  const hidden = (words: string) =>
    `<local-command-caveat>${reminder(words)}</local-command-caveat>`;
  const texts = [hidden("# Environment\nPrimary working directory: /p"), hidden("A file"), "go"];
  const conversation = {
    rows: texts.map((content) => textRow("user", content)),
    messages: [message("user", ...texts.map(text))],
  };
  const laidOut = (isMidTurn: boolean): string[] =>
    layOutRows(conversation, readReminders([], { isMidTurn }), NO_MEDIA).map((row) => row.text);
  assertEquals(laidOut(true), texts);
  assertEquals(laidOut(false), texts.slice(1));
});

Deno.test("layOutRows() keeps the newest of equal reminders", () => {
  const environment = reminder("# Environment\nPrimary working directory: /p");
  const messages = [
    message("user", text(environment), text("go")),
    message("assistant", text("Done")),
    message("user", text(environment), text("on")),
  ];
  const rows = [textRow("user", "go"), textRow("assistant", "Done"), textRow("user", "on")];
  const built = layOutRows(
    { rows, messages },
    readReminders(LINES, { isMidTurn: true }),
    NO_MEDIA,
  );
  assertEquals(built.map((row) => row.text.includes("# Environment")), [false, false, true, false]);
});

Deno.test("layOutRows() sends a reminder that an earlier trim kept once, and never as if it was typed", () => {
  const skills = reminder("The following skills are available for use");
  const hidden = `<local-command-caveat>${skills}</local-command-caveat>`;
  const messages = [
    message("user", text(hidden), text("go")),
    message("assistant", text("Done")),
    message("user", text(skills), text("on")),
  ];
  // After a trim within a turn, the client joins the kept reminder with the message after it.
  const rows = [textRow("user", `${hidden}\ngo`), textRow("user", "on")];
  const reminders = readReminders([], { isMidTurn: true });
  const texts = layOutRows({ rows, messages }, reminders, NO_MEDIA).map((row) => row.text);
  assertEquals(texts, ["go", "Done", hidden, "on"]);
});

Deno.test("layOutRows() names the tools in the result of a search for tools", () => {
  const found = { type: "tool_reference", tool_name: "WebFetch" };
  const messages = [
    message("assistant", use("a")),
    message("user", { ...result("a"), content: [found, { ...found, tool_name: "WebSearch" }] }),
  ];
  const [, row] = layOutRows({ rows: [callRowOf("a")], messages }, KEEP_ALL, NO_MEDIA);
  assertEquals(row?.toolResults?.[0]?.text, "Found WebFetch, WebSearch: search again to load");
});

Deno.test("readReminders() keeps a message whose text begins like a reminder of the client", () => {
  const words = "Today's date is 2026-01-05. Write the report.";
  const command = { type: "user", isMeta: true, message: { role: "user", content: `${words}\n` } };
  const lines = [{ number: 1, entry: viewEntry(command) }];
  const { keep } = readReminders(lines, { isMidTurn: false });
  assertEquals(keep(words), [words]);
  assertEquals(keep(reminder(words)), []);
  assertEquals(keep("Today's date is 2026-01-06."), []);
});

Deno.test("readReminders() drops what the client sends again after each trim", () => {
  const hook = (source: string, words: string): string =>
    reminder(`SessionStart:${source} hook success: ${words}`);
  const lines = [
    attachment("hook_success", hook("startup", "Use tabs"), { hookEvent: "SessionStart" }),
    attachment("output_style_instructions", reminder("# Output Style: Mine\nBe short.")),
    attachment("output_style", reminder("Mine output style is active. Remember to follow it")),
  ].map((raw, index) => ({ number: index + 1, entry: viewEntry(raw) }));
  const later = [...lines, {
    number: 4,
    entry: viewEntry(attachment("hook_success", hook("compact", "Use tabs"))),
  }];
  const keptOf = (sent: string, isMidTurn = false): number =>
    readReminders(later, { isMidTurn }).keep(sent).length;
  const keptFirst = readReminders(lines, { isMidTurn: false }).keep(hook("startup", "Use tabs"));
  assertEquals(keptFirst.length, 1, "the hook may run only at the start");
  assertEquals(keptOf(hook("startup", "Use tabs")), 0);
  assertEquals(keptOf(hook("compact", "It is noon")), 0);
  assertEquals(keptOf(hook("startup", "It is noon")), 1);
  assertEquals(keptOf(hook("compact", "## Resuming from checkpoint c1")), 1);
  for (
    const style of [
      "# Output Style: Mine\nBe short.",
      "Mine output style is active. Remember to follow it",
    ]
  ) {
    assertEquals(keptOf(reminder(style)), 0);
    assertEquals(keptOf(reminder(style), true), 1);
  }
});

Deno.test("readReminders() drops the context of a start hook that names no source, once it was repeated", () => {
  const context = reminder("SessionStart hook additional context: Use tabs");
  const lineOf = (number: number): SessionLine => ({
    number,
    entry: viewEntry(attachment("hook_additional_context", context)),
  });
  const line = { number: 2, entry: viewEntry({ type: "system", subtype: "compact_boundary" }) };
  const boundaries = [{ line, kind: "trim" as const }];
  const keptOf = (...lines: SessionLine[]): number =>
    readReminders(lines, { isMidTurn: false, boundaries }).keep(context).length;
  assertEquals(keptOf(lineOf(1)), 1, "the hook may run only at the start");
  assertEquals(keptOf(lineOf(1), lineOf(3)), 0);
  const other = { number: 4, entry: viewEntry(attachment("file", reminder("A file"))) };
  const { keep } = readReminders([lineOf(1), other], { isMidTurn: false, boundaries });
  assertEquals([keep(context).length, keep(reminder("A file")).length], [1, 1]);
  assertEquals(readReminders([lineOf(3)], { isMidTurn: false }).keep(context).length, 1);
});

Deno.test("layOutRows() drops the client's line about loaded tools, although a row contains it", () => {
  const rows = [textRow("user", "Tool loaded."), textRow("user", "Go on")];
  const messages = [message("user", text("Tool loaded."), text("Go on"))];
  const reminders = readReminders([], { isMidTurn: true });
  assertEquals(layOutRows({ rows, messages }, reminders, NO_MEDIA), [textRow("user", "Go on")]);
});

Deno.test("readReminders() drops trimtab's own outdated warnings", () => {
  const { keep } = readReminders(LINES, { isMidTurn: false });
  const warning = "UserPromptSubmit hook additional context: Context at 75%. Recommend /trim soon";
  assertEquals(keep(reminder(warning)), []);
  assertEquals(keep(reminder("Note from the trimtab plugin, not from the user:\nOlder")), []);
});
