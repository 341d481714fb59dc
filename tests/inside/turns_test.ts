import { assert, assertEquals, assertThrows } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import type { Row } from "../../src/inside/client.ts";
import { dropTurns, firstWords, listTurns } from "../../src/inside/turns.ts";
import { droppedRange } from "../../src/transcript/in_place.ts";
import { text as textBlock } from "../trim/build_session.ts";
import {
  callRow,
  hookContext,
  messageLine,
  reminder,
  resultRow,
  sessionLines,
  textRow,
} from "./laid_out.ts";
import { lineOf } from "./play_client.ts";

function callWithResult(id: string, command: string): Row[] {
  const call = { tool_use_id: id, tool: "Bash", input: { command } };
  return [callRow(call), resultRow({ [id]: `of ${id}` })];
}

const ROWS = [
  textRow("user", "Fix the build"),
  ...callWithResult("a", "git checkout -- x.ts"),
  textRow("assistant", "Taken back."),
  textRow("user", "Go on"),
  ...callWithResult("b", "deno test"),
  textRow("assistant", "One fails. Shall I mend it?"),
  textRow("user", "<system-reminder>\nA file\n</system-reminder>"),
  textRow("user", "Go on"),
  textRow("assistant", "Done."),
];

/** Makes a session with one line per row; its first line belongs to no turn. */
function sessionOf(rows: readonly Row[]): Parameters<typeof listTurns>[0] {
  const lines = rows.map(({ role, text }) => messageLine(role, text));
  return { rows, lines: sessionLines([{ type: "summary" }, ...lines]) };
}

function answerLine(text: string): JsonObject {
  return messageLine("assistant", [textBlock(text)]);
}

function metaLine(content: unknown): JsonObject {
  return { ...messageLine("user", content), promptId: "p", isMeta: true };
}

function queuedLine(prompt: string): JsonObject {
  const attachment = { type: "queued_command", prompt, commandMode: "prompt" };
  return { type: "attachment", attachment };
}

Deno.test("listTurns() lists turns with their prompts and lines", () => {
  const turns = listTurns(sessionOf(ROWS));
  assertEquals(turns.map(({ number, lines, title }) => ({ number, lines, title })), [
    { number: 1, lines: { from: 2, to: 5 }, title: "Fix the build" },
    { number: 2, lines: { from: 6, to: 9 }, title: "Go on" },
    // An earlier trim wrote this prompt's reminder before the prompt.
    { number: 3, lines: { from: 10, to: 12 }, title: "Go on" },
  ]);
});

Deno.test("listTurns() begins a turn at a prompt that starts with a tag, but not at the client's own text", () => {
  const titlesOf = (...texts: string[]): string[] =>
    listTurns(sessionOf(texts.map((text) => textRow("user", text)))).map(({ title }) => title);
  const prompts = ["Begin", "<div> is broken", "<my-tag>x</my-tag>"];
  assertEquals(titlesOf(...prompts), prompts);
  const own = ["<command-name>/cost</command-name>", "<command-message>x</command-message>"];
  const others = [
    "<local-command-stdout>x</local-command-stdout>",
    "[Request interrupted by user]",
    "Operation stopped by hook: Another session is active",
  ];
  assertEquals(titlesOf("Begin", ...own, ...others), ["Begin"]);
  const bash = ["<bash-input>git status</bash-input>", "<bash-stdout>clean</bash-stdout>"];
  assertEquals(titlesOf("Begin", ...bash, "Go on"), ["Begin", "! git status", "Go on"]);
  // A trim writes the summary of an earlier compaction again, as a plain message.
  const summary = "This session is being continued from a previous conversation that ran out.";
  assertEquals(titlesOf(summary, "Go on"), ["Go on"]);
});

Deno.test("listTurns() assigns attachments to their prompt, and does not begin a turn at a prompt's second block or a skill's text", () => {
  const attached = (words: string): JsonObject => hookContext(reminder(words));
  const lines = sessionLines([
    attached("of the start"),
    messageLine("user", "One"),
    attached("with one"),
    answerLine("Done."),
    attached("of the end of one"),
    messageLine("user", [textBlock("Look at this"), textBlock("Two")]),
    attached("with two"),
    metaLine("Base directory for this skill: /s"),
    answerLine("Done, too."),
  ]);
  // The client sends the attachments of a prompt before the prompt.
  const rows = ["of the start", "with one"].map((words) => textRow("user", reminder(words)))
    .concat(
      textRow("user", "One"),
      textRow("assistant", "Done."),
      ["of the end of one", "with two"].map((words) => textRow("user", reminder(words))),
      ["Look at this", "Two", "Base directory for this skill: /s"].map((text) =>
        textRow("user", text)
      ),
      textRow("assistant", "Done, too."),
    );
  const turns = listTurns({ rows, lines });
  assertEquals(turns.map(({ lines, title }) => ({ lines, title })), [
    { lines: { from: 2, to: 5 }, title: "One" },
    { lines: { from: 6, to: 9 }, title: "Look at this" },
  ]);
  assertEquals(turns.map(({ rows }) => rows.length), [4, 5]);
  const left = dropTurns({ rows, lines }, ["#1"], "7f3a1b2c").rows.map(({ text }) => text);
  assertEquals([left[0], ...left.slice(2)], [
    reminder("of the start"),
    ...rows.slice(5).map(({ text }) => text),
  ]);
});

Deno.test("listTurns() distinguishes equal texts by their order, and assigns each text to its turn", () => {
  const context = reminder("Use Deno");
  const attached = hookContext(context);
  const queued = queuedLine("continue");
  const [block, said] = [textBlock, answerLine];
  const [command, output] = ["<command-name>/cost</command-name>", "<local-command-stdout>1"];
  const skill = "<command-name>/paint</command-name>\n<command-args>the wall</command-args>";
  const text = "Base directory for this skill: /s";
  const lines = sessionLines([
    ...[messageLine("user", [block("One"), block("Be brief.")]), attached, said("Yes.")],
    ...[messageLine("user", command), messageLine("user", output)],
    ...[messageLine("user", [block("Two"), block("Be brief.")]), attached, said("So.")],
    ...[queued, said("Yes.")],
    ...[messageLine("user", "continue\n\n"), attached, said("Done.")],
    ...[messageLine("user", skill), metaLine(text), said("Blue.")],
    ...[messageLine("user", "End"), said("Yes.")],
  ]);
  const prompt = (text: string): Row => textRow("user", text);
  const answer = (text: string): Row => textRow("assistant", text);
  const rows = [
    ...[prompt(context), prompt("One"), prompt("Be brief."), answer("Yes.")],
    // If a command directly precedes a prompt, the client sends the prompt's attachment before the command.
    ...[prompt(context), prompt(command), prompt(output)],
    ...[prompt("Two"), prompt("Be brief."), answer("So.")],
    ...[prompt("continue"), answer("Yes.")],
    ...[prompt(context), prompt("continue\n"), answer("Done.")],
    ...[prompt(skill), prompt(text), answer("Blue.")],
    ...[prompt("End"), answer("Yes.")],
  ];
  const turns = listTurns({ rows, lines });
  assertEquals(turns.map(({ lines: { from, to }, title }) => `${from}-${to} ${title}`), [
    "1-5 One",
    "6-10 Two",
    "11-13 continue",
    "14-16 /paint the wall",
    "17-18 End",
  ]);
  assertEquals(
    turns.map(({ rows: own }) => own.map((row) => rows.indexOf(row))),
    [[0, 1, 2, 3, 5, 6], [4, 7, 8, 9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19]],
  );
  const left = dropTurns({ rows, lines }, ["#1", "#2"], "7f3a1b2c").rows;
  assertEquals(left.slice(1), rows.slice(12), "adjacent turns get one note");
});

function promptLine(content: unknown): JsonObject {
  return { ...messageLine("user", content), promptId: "p", promptSource: "typed" };
}

function commandLine(name: string): JsonObject {
  const text = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`;
  return { ...messageLine("user", text), promptId: "p" };
}

const BOUNDARY: JsonObject = { type: "system", subtype: "compact_boundary", uuid: "boundary" };

function rebuiltLines(rows: readonly Row[]): JsonObject[] {
  return rows.map((row, index) => ({ parentUuid: null, ...lineOf(row, `rebuilt${index}`) }));
}

/** Returns the rows and lines before a trim, after the trim, and after a second trim. */
function trimmed(lines: readonly JsonObject[]): Parameters<typeof listTurns>[0][] {
  const rows = lines.flatMap(({ type, message, attachment }): Row[] => {
    const { content = [{ type: "text", text: Object(attachment).prompt }] } = Object(message);
    if (typeof content === "string") return [textRow("user", content)];
    return content.map((block: JsonObject) =>
      block.type === "tool_use"
        ? callRow({ tool_use_id: `${block.id}`, tool: "Bash", input: {} })
        : block.type === "tool_result"
        ? resultRow({ [`${block.tool_use_id}`]: "ok" })
        : textRow(type === "assistant" ? "assistant" : "user", `${block.text}`)
    );
  });
  const rebuilt = rebuiltLines(rows);
  const once = [...lines, BOUNDARY, ...rebuilt];
  return [lines, once, [...once, BOUNDARY, ...rebuilt]]
    .map((lines) => ({ rows, lines: sessionLines(lines) }));
}

/** Contains a prompt of several blocks with a picture, a queued prompt, and a command of two blocks. */
const MIXED: readonly JsonObject[] = [
  promptLine([textBlock("Look at this"), textBlock("and that"), textBlock("Look at this")]),
  metaLine([textBlock("[Image: source: /images/1.png]")]),
  messageLine("assistant", [{ type: "tool_use", id: "a", name: "Bash", input: {} }]),
  messageLine("user", [{ type: "tool_result", tool_use_id: "a", content: "ok" }]),
  queuedLine("also test"),
  answerLine("Seen."),
  commandLine("fixit"),
  metaLine([textBlock("Go on\n")]),
  answerLine("Fixed."),
  promptLine("Go on"),
  answerLine("Gone on."),
  commandLine("ask"),
  metaLine([textBlock("One about tea"), textBlock("Two")]),
  answerLine("Asked."),
  promptLine("also test"),
  answerLine("Tested."),
];

Deno.test("listTurns() lists the same turns after a trim, which writes each text as a prompt", () => {
  const [before, after, again] = [...trimmed(MIXED), ...trimmed(MIXED).slice(1)]
    .map((session) => listTurns(session).map(({ title, rows }) => `${title}: ${rows.length} rows`));
  assertEquals(before, [
    "Look at this: 8 rows",
    "fixit /fixit: 3 rows",
    "Go on: 2 rows",
    "ask /ask: 4 rows",
    "also test: 2 rows",
  ]);
  assertEquals(after, before);
  assertEquals(again, before);
});

Deno.test("listTurns() keeps a prompt with the same text as a queued prompt of a dropped turn", () => {
  const lines = [
    ...[promptLine("Fix it"), answerLine("Fixed.")],
    ...[promptLine("continue"), answerLine("Continued.")],
    ...[promptLine("Add docs"), queuedLine("continue"), answerLine("Added.")],
    ...[promptLine("Ship"), answerLine("Shipped.")],
  ];
  const [session] = trimmed(lines);
  assert(session !== undefined);
  const { rows } = dropTurns(session, ["#3"], "7f3a1b2c");
  const after = sessionLines([...lines, BOUNDARY, ...rebuiltLines(rows)]);
  const titles = listTurns({ rows, lines: after }).map(({ title }) => title);
  assertEquals(titles, ["Fix it", "continue", "Ship"]);
});

Deno.test("dropTurns() removes a turn of a trimmed session, by its number, its lines, or the original line of a call or result", () => {
  const [, session] = trimmed(MIXED);
  assert(session !== undefined);
  // Lines 3 and 4, a call and its result, precede the trim.
  for (const range of ["#1", "18-20", "3", "4"]) {
    const { rows, turns } = dropTurns(session, [range], "7f3a1b2c");
    assertEquals(turns.map(({ number }) => number), [1], range);
    assertEquals(rows.slice(1), session.rows.slice(8), range);
  }
  // Original line numbers select only calls and results. A range of such lines would skip turns without
  // calls, so the range is refused.
  assertThrows(() => dropTurns(session, ["1-9"], "7f3a1b2c"), RangeError, "matches no turn");
});

Deno.test("listTurns() finds the lines of a turn, not those of a rewound turn with the same texts", () => {
  const turn = (name: string, after: string | null): JsonObject[] => [
    messageLine("user", "continue", [`u${name}`, after]),
    messageLine("assistant", "Done.", [`a${name}`, `u${name}`]),
  ];
  const lines = [
    ...turn("1", null),
    ...turn("2", "a1"),
    ...turn("rewound", "a2"),
    { type: "attachment", uuid: "x", parentUuid: "arewound", rendered: [{ content: "A hook" }] },
    ...turn("3", "a2"),
    ...turn("4", "a3"),
  ];
  const rows = [1, 2, 3, 4].flatMap(() => [
    textRow("user", "continue"),
    textRow("assistant", "Done."),
  ]);
  const linesOf = (all: readonly JsonObject[], tip: string): [number, number][] =>
    listTurns({ rows, lines: sessionLines(all, [{ uuid: tip }]) })
      .map(({ lines: { from, to } }) => [from, to]);
  assertEquals(linesOf(lines, "a4"), [[1, 2], [3, 7], [8, 9], [10, 11]]);
  // If a line's parent is missing, the client continues with the line before.
  const broken = lines.filter(({ uuid }) => !/rewound|x/.test(`${uuid}`))
    .map((line) => line.uuid === "u3" ? { ...line, parentUuid: "missing" } : line);
  assertEquals(linesOf(broken, "a4"), [[1, 2], [3, 4], [5, 6], [7, 8]]);
});

Deno.test("firstWords() returns one line without the client's tags", () => {
  const reminder =
    "<local-command-caveat><system-reminder>Use\nTS</system-reminder></local-command-caveat>";
  assertEquals(firstWords(reminder, 44), "Use TS");
  assertEquals(firstWords("<command-name>/clear</command-name>", 44), "/clear");
  assertEquals(firstWords("The <div> is too wide for it", 20), "The <div> is too wi…");
});

Deno.test("droppedRange() does not mistake a quoted note for the note itself", () => {
  const { rows } = dropTurns(sessionOf(ROWS), ["#2"], "7f3a1b2c");
  const note = rows.find((row) => droppedRange(row.text) !== undefined)?.text ?? "";
  const [line = ""] = /\[The user took .*\]/.exec(note) ?? [];
  for (const quote of [line, `What does "${line}" mean?`, `It is hidden: ${note}`]) {
    assertEquals(droppedRange(quote), undefined, quote);
  }
});

Deno.test("dropTurns() removes whole turns, and keeps the question that a later prompt answers", () => {
  for (const range of ["7", "7-9", "#2", "#2-#2"]) {
    const { rows, turns } = dropTurns(sessionOf(ROWS), [range], "7f3a1b2c");
    assertEquals(turns.map(({ number }) => number), [2], range);
    const noteIndex = rows.findIndex((row) => droppedRange(row.text) !== undefined);
    assertEquals(droppedRange(rows[noteIndex]?.text ?? ""), {
      from: 6,
      to: 9,
      session: "7f3a1b2c",
    });
    assertEquals(rows.slice(0, noteIndex), ROWS.slice(0, 4));
    assertEquals(rows.slice(noteIndex + 1), ROWS.slice(7));
  }
  const { rows } = dropTurns(sessionOf(ROWS), ["2-9"], "7f3a1b2c");
  assertEquals(rows.length, 5, "adjacent turns get one note");
  assertEquals(rows.flatMap(({ toolUses }) => toolUses), []);
});

Deno.test("dropTurns() rejects a malformed range, a range without a turn, and the newest turn", () => {
  const session = sessionOf(ROWS);
  for (
    const [range, why] of [
      ["#9", "matches no turn"],
      ["1", "matches no turn"],
      ["x", "is not a range"],
      ["3-1", "matches no turn"],
      ["11", "is the newest"],
    ] as const
  ) {
    assertThrows(() => dropTurns(session, [range], "7f3a1b2c"), RangeError, why);
  }
});
