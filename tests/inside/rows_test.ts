import type { JsonObject } from "../../src/core/record.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { ApiMessage, Row } from "../../src/inside/client.ts";
import { readReminders, type Reminders } from "../../src/inside/reminders.ts";
import type { SessionLine } from "../../src/inside/session_lines.ts";
import { changeRows, layOutRows } from "../../src/inside/rows.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { text } from "../trim/build_session.ts";
import { callRow, hidden, reminder, resultRow, textRow } from "./laid_out.ts";

const KEEP_ALL: Reminders = { keep: (text) => [text], isState: () => false, cleared: new Map() };

function callRowOf(...ids: string[]): Row {
  return callRow(...ids.map((id) => ({ tool_use_id: id, tool: "Read", input: { file_path: id } })));
}

function resultRowOf(...ids: string[]): Row {
  return resultRow(Object.fromEntries(ids.map((id) => [id, `of ${id}`])));
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

function laidOut(
  rows: readonly Row[],
  messages: readonly ApiMessage[],
  reminders = KEEP_ALL,
): Row[] {
  return layOutRows({ rows, messages }, reminders, { textsOf: () => [] });
}

Deno.test("layOutRows() keeps the line breaks at the end of a prompt, but not the one that the client appends", () => {
  const typed = ["alpha\n\n\n", "beta", "gamma\r\n"];
  const rows = typed.map((words) => textRow("user", words));
  const messages = [message("user", text("alpha\n\n\n\n"), text("beta\n"), text("gamma\r\n"))];
  assertEquals(laidOut(rows, messages).map((row) => row.text), typed);
  const blocks = message("user", text("one\n"), text("two"));
  const split = laidOut([textRow("user", "one\ntwo")], [blocks]);
  assertEquals(split.map((row) => row.text), ["one", "two"]);
});

Deno.test("layOutRows() replaces a result that the client has cleared with the text that the client sends instead", () => {
  const attachment = { type: "tool_results_cut", callIds: ["a"], standIn: "[cleared]" };
  const raw = { type: "attachment", uuid: "x", parentUuid: "y", attachment };
  const reminders = readReminders([{ number: 9, entry: viewEntry(raw) }], {});
  const rows = [callRowOf("a", "b"), resultRowOf("a", "b")];
  const messages = [
    message("assistant", use("a"), use("b")),
    message("user", result("a"), result("b")),
  ];
  const built = laidOut(rows, messages, reminders);
  assertEquals(built[1]?.toolResults?.map(({ text }) => text), ["[cleared]", "of b"]);
});

Deno.test("layOutRows() keeps prompts and answers that look like reminders or trim commands", () => {
  const lines: SessionLine[] = [];
  const reminders = readReminders(lines, { isMidTurn: true });
  const said = [
    "# Environment\nstaging",
    "# Environment\nstaging",
    "/compact trimtab --undo takes it back.",
    "<command-name>/trimtab:trim</command-name> is what the transcript contains.",
  ];
  const state = reminder("# Environment\nLinux");
  const typed = ["# Environment\nstaging", "# Environment\nstaging", "go on", "and on"];
  const rows = typed.flatMap((words, turn) => [
    textRow("user", words),
    textRow("assistant", said[turn] ?? ""),
  ]);
  const messages = typed.flatMap((words, turn) => [
    message("user", text(state), text(words)),
    message("assistant", text(said[turn] ?? "")),
  ]);
  const built = laidOut(rows, messages, reminders).map((row) => row.text);
  assertEquals(built.filter((words) => !words.includes("Linux")), rows.map((row) => row.text));
  assertEquals(built.filter((words) => words.includes("Linux")).length, 1);
});

Deno.test("layOutRows() takes a tool's name and output from the client's rows, and puts the reminders after the output into separate rows", () => {
  const rows = [callRowOf("a"), resultRowOf("a")];
  const folded = reminder("mind this");
  const messages = [
    message("assistant", { ...use("a"), name: "View" }),
    message("user", result("a", { content: `of a\n\n${folded}` }), text("and this\n")),
  ];
  assertEquals(laidOut(rows, messages), [
    callRowOf("a"),
    resultRowOf("a"),
    textRow("user", folded),
    textRow("user", "and this"),
  ]);
});

Deno.test("layOutRows() keeps reminders that the client adds to a result, regardless of its content", () => {
  const [own, added] = [reminder("of a file"), reminder("of a hook")];
  const cases: readonly (readonly [row: string, content: unknown])[] = [
    ["", [{ type: "image" }, text(added)]],
    ["", added],
    ["", [text(added)]],
    ["short\nand long", [text("short"), text("and long"), text(added)]],
    [`code\n${own}\n`, `code\n${own}\n\n${added}`],
  ];
  for (const [row, content] of cases) {
    const messages = [message("assistant", use("a")), message("user", result("a", { content }))];
    const [, results, reminder] = laidOut([callRowOf("a"), resultRow({ a: row })], messages);
    assertEquals([results?.toolResults?.[0]?.text.trim(), reminder?.text], [row.trim(), added]);
  }
  // If a result has no row, text that looks like a reminder counts as part of the result.
  const messages = [message("assistant", use("a")), message("user", result("a", { content: own }))];
  const [, results, ...others] = laidOut([], messages);
  assertEquals([results?.toolResults?.[0]?.text, others], [own, []]);
});

Deno.test("layOutRows() leaves out the command and the output of an earlier trim", () => {
  const command = "<command-name>/compact</command-name>\n            " +
    "<command-message>compact</command-message>\n            " +
    "<command-args>trimtab --depth deep</command-args>";
  const quoted = "<command-name>/compact</command-name><command-args>trimtab --undo</command-args>";
  const messages = [
    message(
      "user",
      text("<local-command-caveat>The command below"),
      text(command),
      text("<local-command-stdout>Compacted </local-command-stdout>"),
      // The client's record of a typed `/trim`.
      text("<command-name>/trimtab:trim</command-name>\n<command-args>--undo</command-args>"),
      text("<command-name>/model</command-name>"),
      text(quoted),
      text("on"),
    ),
  ];
  const rows = [textRow("user", quoted), textRow("user", "on")];
  const texts = laidOut(rows, messages).map((row) => row.text);
  assertEquals(texts, ["<command-name>/model</command-name>", quoted, "on"]);
});

Deno.test("changeRows() refuses rows in which a call would lose its result, or a result its call", () => {
  const lost = "call b or its result would be lost";
  for (
    const rows of [
      [callRowOf("a", "b"), resultRowOf("a"), textRow("user", "on"), resultRowOf("b")],
      [callRowOf("a"), resultRowOf("a"), callRowOf("b")],
      [callRowOf("a"), resultRowOf("a", "b")],
      [resultRowOf("b"), callRowOf("a"), resultRowOf("a")],
    ]
  ) {
    assertThrows(() => changeRows(rows), Error, lost);
  }
});

function attachment(type: string, sent: string, more: JsonObject = {}): JsonObject {
  return { type: "attachment", attachment: { type, ...more }, rendered: [{ content: sent }] };
}

function linesOf(...entries: readonly JsonObject[]): SessionLine[] {
  return entries.map((raw, index) => ({ number: index + 1, entry: viewEntry(raw) }));
}

const LINES = linesOf(
  attachment("file", reminder("Result of calling the Read tool: x")),
  attachment("environment", reminder("# Environment\nPrimary working directory: /p")),
  attachment("date", reminder("Today's date is 2026-01-05.")),
  attachment("queued_command", reminder("The user sent a new message: and the tests"), {
    commandMode: "prompt",
    prompt: "and the tests",
  }),
);

Deno.test("readReminders() keeps reminders that the client does not add again, hidden from the screen", () => {
  const { keep } = readReminders(LINES, {});
  const file = reminder("Result of calling the Read tool: x");
  const kept = hidden("Result of calling the Read tool: x");
  assertEquals(keep(file), [kept]);
  assertEquals(keep(kept), [kept], "a second trim changes nothing");
  assertEquals(keep("The skill says so"), ["The skill says so"]);
  assertEquals(keep(reminder("The user sent a new message: and the tests")), ["and the tests"]);
  assertEquals(keep(reminder("Today's date is 2026-01-05.")), []);
  const older = reminder("Today's date is 2025-01-05.");
  assertEquals(keep(older), [], "the transcript does not record this reminder");
});

Deno.test("readReminders() keeps reminders in the middle of a turn if the client adds them again only with the second request", () => {
  const environment = reminder("# Environment\nPrimary working directory: /p");
  assertEquals(readReminders(LINES, {}).keep(environment), []);
  const [kept = ""] = readReminders(LINES, { isMidTurn: true }).keep(environment);
  assert(kept.includes(environment));
  assertEquals(readReminders([], {}).keep(kept), [], "the next trim drops it");
});

Deno.test("layOutRows() drops reminders that a trim kept in the middle of a turn, once that turn is over, but no other hidden text", () => {
  const texts = [hidden("# Environment\nPrimary working directory: /p"), hidden("A file"), "go"];
  const rows = texts.map((content) => textRow("user", content));
  const textsIn = (isMidTurn: boolean): string[] =>
    laidOut(rows, [message("user", ...texts.map(text))], readReminders([], { isMidTurn }))
      .map((row) => row.text);
  assertEquals(textsIn(true), texts);
  assertEquals(textsIn(false), texts.slice(1));
});

Deno.test("layOutRows() keeps only the newest copy of a reminder about a state, but every copy of other reminders", () => {
  const environment = reminder("# Environment\nPrimary working directory: /p");
  const messages = [
    message("user", text(environment), text("go")),
    message("assistant", text("Done")),
    message("user", text(environment), text("on")),
  ];
  const rows = [textRow("user", "go"), textRow("assistant", "Done"), textRow("user", "on")];
  const built = laidOut(rows, messages, readReminders(LINES, { isMidTurn: true }));
  assertEquals(built.map((row) => row.text.includes("# Environment")), [false, false, true, false]);
  const rules = (place: string): string =>
    reminder(`Contents of /p/${place}/CLAUDE.md:\n\nBe brief.`);
  const read = [rules("a"), rules("b"), rules("a"), reminder("A file"), reminder("A file")];
  const kept = laidOut(rows, [message("user", ...read.map(text))], readReminders(LINES, {}));
  assertEquals(kept.map((row) => /Contents of \/p\/.|A file/.exec(row.text)?.[0]), [
    "Contents of /p/b",
    "Contents of /p/a",
    "A file",
    "A file",
  ]);
});

Deno.test("layOutRows() keeps one hidden copy of a reminder that an earlier trim kept and the client added again", () => {
  const skills = "The following skills are available for use";
  const messages = [
    message("user", text(hidden(skills)), text("go")),
    message("assistant", text("Done")),
    message("user", text(reminder(skills)), text("on")),
  ];
  // After a trim within a turn, the client joins the kept reminder with the message after it.
  const rows = [textRow("user", `${hidden(skills)}\ngo`), textRow("user", "on")];
  const built = laidOut(rows, messages, readReminders([], { isMidTurn: true }));
  assertEquals(built.map((row) => row.text), ["go", "Done", hidden(skills), "on"]);
});

Deno.test("layOutRows() replaces the result of a tool search with the names of the tools", () => {
  const found = { type: "tool_reference", tool_name: "WebFetch" };
  const messages = [
    message("assistant", use("a")),
    message("user", { ...result("a"), content: [found, { ...found, tool_name: "WebSearch" }] }),
  ];
  const [, row] = laidOut([callRowOf("a")], messages);
  assertEquals(row?.toolResults?.[0]?.text, "Found WebFetch, WebSearch: search again to load");
});

Deno.test("readReminders() keeps a message whose text begins like a reminder of the client", () => {
  const words = "Today's date is 2026-01-05. Write the report.";
  const command = { type: "user", isMeta: true, message: { role: "user", content: `${words}\n` } };
  const { keep } = readReminders(linesOf(command), {});
  assertEquals(keep(words), [words]);
  assertEquals(keep(reminder(words)), []);
  assertEquals(keep("Today's date is 2026-01-06."), []);
});

Deno.test("readReminders() drops reminders that the client sends again after each trim", () => {
  const hook = (source: string, words: string): string =>
    reminder(`SessionStart:${source} hook success: ${words}`);
  const styles = [
    "# Output Style: Mine\nBe short.",
    "Mine output style is active. Remember to follow it",
  ].map(reminder);
  const entries = [
    attachment("hook_success", hook("startup", "Use tabs"), { hookEvent: "SessionStart" }),
    ...styles.map((style) => attachment("output_style", style)),
  ];
  const repeated = attachment("hook_success", hook("compact", "Use tabs"));
  const keptOf = (sent: string, isMidTurn = false): number =>
    readReminders(linesOf(...entries, repeated), { isMidTurn }).keep(sent).length;
  const keptFirst = readReminders(linesOf(...entries), {}).keep(hook("startup", "Use tabs"));
  assertEquals(keptFirst.length, 1, "the hook may run only at the start");
  assertEquals(keptOf(hook("startup", "Use tabs")), 0);
  assertEquals(keptOf(hook("compact", "It is noon")), 0);
  assertEquals(keptOf(hook("startup", "It is noon")), 1);
  assertEquals(keptOf(hook("compact", "## Resuming from checkpoint c1")), 1);
  for (const style of styles) assertEquals([keptOf(style), keptOf(style, true)], [0, 1]);
});

Deno.test("readReminders() drops a SessionStart hook's context, even without a source, once the client has sent it again", () => {
  const context = reminder("SessionStart hook additional context: Use tabs");
  const lineOf = (number: number): SessionLine => ({
    number,
    entry: viewEntry(attachment("hook_additional_context", context)),
  });
  const line = { number: 2, entry: viewEntry({ type: "system", subtype: "compact_boundary" }) };
  const boundaries = [{ line, kind: "trim" as const }];
  const keptOf = (...lines: SessionLine[]): number =>
    readReminders(lines, { boundaries }).keep(context).length;
  assertEquals(keptOf(lineOf(1)), 1, "the hook may run only at the start");
  assertEquals(keptOf(lineOf(1), lineOf(3)), 0);
  const other = { number: 4, entry: viewEntry(attachment("file", reminder("A file"))) };
  const { keep } = readReminders([lineOf(1), other], { boundaries });
  assertEquals([keep(context).length, keep(reminder("A file")).length], [1, 1]);
  assertEquals(readReminders([lineOf(3)], {}).keep(context).length, 1);
});

Deno.test("layOutRows() drops the client's line about loaded tools, but keeps a prompt with the same words", () => {
  const words = "Tool loaded.";
  const found = { type: "tool_reference", tool_name: "WebFetch" };
  const search = { ...result("a"), content: [found] };
  const rows = [callRowOf("a"), textRow("user", words), textRow("user", "Go on")];
  const messages = [
    message("assistant", use("a")),
    message("user", search, text(`${words}\n`), text(words), text("Go on")),
    message("assistant", text("Done")),
    message("user", text(words)),
  ];
  const built = laidOut([...rows, textRow("user", words)], messages, readReminders([], {}));
  assertEquals(built.slice(2).map((row) => row.text), [words, "Go on", "Done", words]);
  // If no row has these words, neither block is a prompt, and both are dropped.
  const [, , ...left] = laidOut(rows.slice(0, 1), messages.slice(0, 2), readReminders([], {}));
  assertEquals(left.map((row) => row.text), ["Go on"]);
});

Deno.test("readReminders() drops trimtab's own outdated warnings and notes", () => {
  const { keep } = readReminders(LINES, {});
  const warning = "UserPromptSubmit hook additional context: Context at 75%. Recommend /trim soon";
  assertEquals(keep(reminder(warning)), []);
  assertEquals(keep(reminder("Note from the trimtab plugin, not from the user:\nOlder")), []);
});
