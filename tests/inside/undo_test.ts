import { assertEquals } from "@std/assert";
import { findOriginals, listUndoable, undoCompaction } from "../../src/inside/undo.ts";
import { LineSplitter, type SessionLines } from "../../src/inside/session_lines.ts";
import type { ApiMessage } from "../../src/inside/client.ts";

type Line = Record<string, unknown>;

function linesOf(lines: readonly Line[]): SessionLines {
  const splitter = new LineSplitter();
  for (const line of lines) splitter.add(`${JSON.stringify({ parentUuid: null, ...line })}\n`);
  return splitter.finish();
}

function messageLine(
  uuid: string,
  parentUuid: string | null,
  role: string,
  content: unknown,
): Line {
  return { type: role, uuid, parentUuid, message: { role, content } };
}

function boundary(uuid: string): Line {
  return { type: "system", subtype: "compact_boundary", uuid };
}

function command(args: string): Line {
  const content = `<command-name>/compact</command-name><command-args>${args}</command-args>`;
  return messageLine(`c${args}`, null, "user", content);
}

function message(role: ApiMessage["role"], ...texts: string[]): ApiMessage {
  return { role, content: texts.map((text) => ({ type: "text", text })) };
}

function call(id: string): Line {
  return { type: "tool_use", id, name: "Bash", input: {} };
}

function result(id: string): Line[] {
  return [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }];
}

function undo(lines: SessionLines, messages: ApiMessage[]): ReturnType<typeof undoCompaction> {
  const [last] = listUndoable(lines);
  return last && undoCompaction({ rows: [], messages }, lines, last);
}

/** Names each block by its text, or by the id of its call. */
function blockNames(messages: readonly ApiMessage[] | undefined): string[] | undefined {
  return messages?.flatMap(({ content }) => content).map((block) =>
    `${block.text ?? block.id ?? block.tool_use_id}`
  );
}

/** Claude Code 2.1.330 names no source for context in a hook's JSON; other releases do. */
const [RESUMED, RESUMED_BY_SOURCE] = ["SessionStart", "SessionStart:compact"].map((hook) =>
  `<system-reminder>\n${hook} hook additional context: ## Resuming from Checkpoint\n\n` +
  "It says where that work stood, besides what the summary says: facts.\n</system-reminder>"
) as [string, string];

/** The context of a session that continues another one; no summary replaces it. */
const CONTINUED = RESUMED.replace(", besides what the summary says", "");

const SUMMARY = { ...messageLine("s", null, "user", "The summary."), isCompactSummary: true };

Deno.test("listUndoable() lists the newest trim or compaction first, without undone ones", () => {
  const kindOf = (...lines: Line[]) => listUndoable(linesOf(lines))[0]?.kind;
  assertEquals(kindOf(messageLine("a", null, "user", "Hi")), undefined);
  assertEquals(kindOf(boundary("b1"), SUMMARY), "compaction");
  assertEquals(kindOf(boundary("b1"), SUMMARY, boundary("b2"), command("trimtab")), "trim");
  const trimUndone = [
    boundary("b2"),
    command("trimtab"),
    boundary("b3"),
    command("trimtab --undo"),
  ];
  assertEquals(kindOf(boundary("b1"), SUMMARY, ...trimUndone), "compaction");
  assertEquals(kindOf(...trimUndone), undefined);
  const output = (words: string): Line => ({
    type: "system",
    subtype: "local_command",
    uuid: "o",
    content: `<local-command-stdout>${words}</local-command-stdout>`,
  });
  const failed = [command("trimtab --undo"), output("Not compacted · trimtab: nothing was undone")];
  const trim = [boundary("b2"), command("trimtab"), output("\u001b[2mCompacted \u001b[22m")];
  assertEquals(kindOf(...trim, ...failed), "trim", "an undo that failed leaves the trim");
  assertEquals(kindOf(boundary("b1"), SUMMARY, ...failed), "compaction");
});

Deno.test("LineSplitter leaves out a boundary that was rewound, with the lines behind it", () => {
  const after = (uuid: string, logicalParentUuid: string): Line => ({
    ...boundary(uuid),
    logicalParentUuid,
  });
  const lines = [
    messageLine("u1", null, "user", "alpha"),
    messageLine("a1", "u1", "assistant", [call("t1")]),
    messageLine("r1", "a1", "user", result("t1")),
    after("b1", "r1"),
    messageLine("c1", "b1", "user", "alpha, cut"),
    messageLine("u2", "c1", "user", "delta"),
    messageLine("u3", "r1", "user", "zeta, after the rewind"),
    after("b2", "u3"),
    { ...messageLine("s", "b2", "user", "The summary."), isCompactSummary: true },
    messageLine("u4", "s", "user", "eta"),
  ];
  const splitFor = (tip: string | undefined, ...all: Line[]) => {
    const splitter = new LineSplitter();
    for (const line of all) splitter.add(`${JSON.stringify({ parentUuid: null, ...line })}\n`);
    // The client writes the newest entries late.
    const late = [{}, { handle: "late" }];
    const { before, active, boundaries } = splitter.finish(
      tip === undefined
        ? late
        : [{ handle: "a1" }, ...tip.split(" ").map((uuid) => ({ uuid })), ...late],
    );
    const ids = (some: typeof before): string => some.map(({ entry }) => entry.uuid).join(" ");
    return [ids(before), boundaries.map(({ line }) => line.entry.uuid).join(" "), ids(active)];
  };
  assertEquals(splitFor("u4", ...lines), ["u1 a1 r1 u3", "b2", "s u4"]);
  assertEquals(splitFor("u3", ...lines.slice(0, 7)), ["", "", "u1 a1 r1 u3"]);
  assertEquals(splitFor("u2", ...lines.slice(0, 6)), ["u1 a1 r1", "b1", "c1 u2"]);
  const whole = ["u1 a1 r1 c1 u2 u3", "b1 b2", "s u4"];
  assertEquals(splitFor(undefined, ...lines), whole);
  const keep = (uuid: string, kept: string): Line[] =>
    lines.map((line) =>
      line.uuid !== uuid ? line : {
        ...line,
        compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: [kept] } },
      }
    );
  assertEquals(splitFor("u4", ...keep("b2", "u3")), ["u1 a1 r1 u3", "b2", "s u4"]);
  assertEquals(
    splitFor("u3", ...keep("b2", "u3")),
    ["", "", "u1 a1 r1 u3"],
    "a rewind to a message that the summary had kept",
  );
  const compacted = ["u1 a1 r1 u3", "b2", "s u4"];
  assertEquals(splitFor("s u3", ...keep("b2", "u3")), compacted, "the summary comes before it");
  assertEquals(splitFor("u4", ...keep("b1", "u3")), whole, "the first summary kept it");
});

Deno.test("undoCompaction() replaces the summary by the conversation, once", () => {
  const answer = (uuid: string, parent: string, ...content: Line[]): Line => ({
    ...messageLine(uuid, parent, "assistant", content),
    message: { role: "assistant", id: "m1", content },
  });
  const lines = linesOf([
    messageLine("u1", null, "user", "Begin"),
    messageLine("x1", "u1", "user", "A branch that was rewound"),
    answer("a1", "u1", call("t1")),
    answer("a2", "a1", call("t2"), call("killed")),
    // The result of the first call is outside of the chain.
    messageLine("r1", "a1", "user", result("t1")),
    messageLine("r2", "a2", "user", result("t2")),
    {
      ...messageLine("e1", "r2", "assistant", "API Error: 500"),
      isApiErrorMessage: true,
      message: { role: "assistant", model: "<synthetic>", content: "API Error: 500" },
    },
    messageLine("a3", "e1", "assistant", [{ type: "text", text: "Done." }]),
    boundary("b"),
    SUMMARY,
  ]);
  const messages = [
    message("user", "The summary.", "<system-reminder>\nA file\n</system-reminder>", RESUMED),
    message("user", RESUMED_BY_SOURCE, CONTINUED),
    message("assistant", "Done."),
    message("user", "Go on"),
  ];
  const undone = undo(lines, messages);
  assertEquals(undone?.messages, [
    message("user", "Begin"),
    { role: "assistant", content: [call("t1"), call("t2")] },
    { role: "user", content: [...result("t1"), ...result("t2")] },
    message("assistant", "Done."),
    message("user", "<system-reminder>\nA file\n</system-reminder>"),
    message("user", CONTINUED),
    message("user", "Go on"),
  ]);
  assertEquals(undone?.count, 4);
});

Deno.test("undoCompaction() restores what a client that was killed during a trim did not write", () => {
  const lines = linesOf([
    messageLine("u1", null, "user", "Begin"),
    messageLine("a1", "u1", "assistant", [call("t1")]),
    messageLine("r1", "a1", "user", result("t1")),
    messageLine("a2", "r1", "assistant", [call("t2")]),
    messageLine("r2", "a2", "user", result("t2")),
    messageLine("u2", "r2", "user", "Go on"),
    { ...boundary("b"), logicalParentUuid: "u2" },
    messageLine("c1", "b", "user", "Begin"),
    messageLine("c2", "c1", "assistant", [call("t1")]),
  ]);
  const cut = [{ ...result("t1")[0], content: "of…" }];
  const copied: ApiMessage[] = [
    message("user", "<system-reminder>\nA file\n</system-reminder>", "Begin"),
    { role: "assistant", content: [call("t1")] },
    { role: "user", content: cut },
  ];
  const old: ApiMessage[] = [
    message("user", "Begin"),
    { role: "assistant", content: [call("t1")] },
    { role: "user", content: result("t1") },
    { role: "assistant", content: [call("t2")] },
    { role: "user", content: result("t2") },
    message("user", "Go on"),
  ];
  const asked = [message("user", "<system-reminder>\nB\n</system-reminder>", "What is lost?")];
  assertEquals(undo(lines, [...copied, ...asked])?.messages, [...old, ...asked]);
  assertEquals(undo(lines, copied)?.messages, old);
  const other = [...copied, message("user", "A note"), {
    role: "assistant",
    content: [call("t2")],
  }];
  assertEquals(undo(lines, other as ApiMessage[]), undefined, "later messages are copies, too");
  assertEquals(undo(lines, asked), undefined);
});

Deno.test("undoCompaction() does not repeat messages that a summary preserved, before it or after it", () => {
  const undoneBy = (
    anchorUuid: string,
    uuids: string[],
    messages: ApiMessage[],
  ): string[] | undefined => {
    const lines = linesOf([
      messageLine("u1", null, "user", "yes"),
      messageLine("a1", "u1", "assistant", [call("t1")]),
      messageLine("r1", "a1", "user", result("t1")),
      messageLine("u2", "r1", "user", "yes"),
      messageLine("a2", "u2", "assistant", [call("t2")]),
      messageLine("r2", "a2", "user", result("t2")),
      { ...boundary("b"), compactMetadata: { preservedMessages: { anchorUuid, uuids } } },
      SUMMARY,
    ]);
    const undone = undo(lines, messages);
    assertEquals(undone?.count, 3);
    return blockNames(undone?.messages);
  };
  const turn = (id: string): ApiMessage[] => [
    message("user", "yes"),
    { role: "assistant", content: [call(id)] },
    { role: "user", content: result(id) },
  ];
  const [summary, next] = [message("user", "The summary."), message("user", "Go on")];
  const whole = ["yes", "t1", "t1", "yes", "t2", "t2", "Go on"];
  assertEquals(
    undoneBy("b", ["u1", "a1", "r1"], [...turn("t1"), summary, next]),
    whole,
    "from here",
  );
  assertEquals(
    undoneBy("s", ["u2", "a2", "r2"], [summary, ...turn("t2"), next]),
    whole,
    "up to here",
  );
});

Deno.test("undoCompaction() leaves out a turn that the user had rewound before the compaction", () => {
  const turns = [
    messageLine("u1", null, "user", "Begin"),
    messageLine("a1", "u1", "assistant", [{ type: "text", text: "One." }]),
    { type: "system", uuid: "d1", parentUuid: "a1", subtype: "turn_duration" },
    messageLine("u2", "d1", "user", "Abandoned"),
    messageLine("a2", "u2", "assistant", [{ type: "text", text: "Two." }]),
  ];
  const preservedMessages = { anchorUuid: "s", uuids: ["a1"] };
  const ends: Line[] = [
    { ...boundary("b"), logicalParentUuid: "d1" },
    { ...boundary("b"), logicalParentUuid: "a1", compactMetadata: { preservedMessages } },
  ];
  for (const [index, end] of ends.entries()) {
    const kept = index === 0 ? [] : [message("assistant", "One.")];
    const messages = [message("user", "The summary."), ...kept, message("user", "Go on")];
    assertEquals(undo(linesOf([...turns, end, SUMMARY]), messages)?.messages, [
      message("user", "Begin"),
      message("assistant", "One."),
      message("user", "Go on"),
    ], `boundary ${index}`);
  }
});

Deno.test("undoCompaction() restores messages that the previous compaction had preserved", () => {
  const turn = (n: number, parent: string | null): Line[] => [
    messageLine(`u${n}`, parent, "user", `Turn ${n}`),
    messageLine(`a${n}`, `u${n}`, "assistant", [call(`t${n}`)]),
    messageLine(`r${n}`, `a${n}`, "user", result(`t${n}`)),
  ];
  const kept = (uuid: string, anchorUuid: string, ...uuids: string[]): Line => ({
    ...boundary(uuid),
    compactMetadata: { preservedMessages: { anchorUuid, uuids } },
  });
  const summary = (uuid: string, parent: string): Line => ({
    ...messageLine(uuid, parent, "user", `Summary ${uuid}`),
    isCompactSummary: true,
  });
  const restoredBefore = (first: Line, next: string): string[] | undefined => {
    const lines = linesOf([
      ...turn(1, null),
      ...turn(2, "r1"),
      first,
      summary("s1", "b1"),
      ...turn(3, next),
      boundary("b2"),
      summary("s2", "b2"),
    ]);
    const messages = [message("user", "Summary s2"), message("user", "Go on")];
    return blockNames(undo(lines, messages)?.messages);
  };
  const third = ["Turn 3", "t3", "t3", "Go on"];
  assertEquals(restoredBefore(kept("b1", "s1", "u2", "a2", "r2"), "r2"), [
    "Summary s1",
    ...["Turn 2", "t2", "t2"],
    ...third,
  ]);
  assertEquals(restoredBefore(kept("b1", "b1", "u1", "a1", "r1"), "s1"), [
    ...["Turn 1", "t1", "t1"],
    "Summary s1",
    ...third,
  ]);
});

Deno.test("undoCompaction() continues with the previous line if a parent is missing", () => {
  const lines = linesOf([
    messageLine("u1", null, "user", "Begin"),
    messageLine("u2", "gone", "user", [{ type: "image", source: {} }, {
      type: "text",
      text: "Look",
    }]),
    boundary("b"),
    SUMMARY,
  ]);
  const messages = [message("user", "The summary.")];
  const undone = undo(lines, messages);
  assertEquals(undone?.count, 2);
  assertEquals(undone?.rows.map(({ text }) => text), ["Begin", "Look"]);
});

Deno.test("undoCompaction() drops attachments after the summary, up to the next prompt", () => {
  const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
  const hidden = (text: string) => `<local-command-caveat>${reminder(text)}</local-command-caveat>`;
  const attached = (uuid: string, parentUuid: string, text: string): Line => ({
    type: "attachment",
    uuid,
    parentUuid,
    attachment: { type: "file" },
    rendered: [{ content: reminder(text) }],
  });
  const lines = linesOf([
    messageLine("u1", null, "user", "Begin"),
    attached("x1", "u1", "A file"),
    messageLine("a1", "x1", "assistant", "Done."),
    boundary("b"),
    SUMMARY,
    messageLine("c1", "s", "user", "<command-name>/compact</command-name>"),
    attached("x2", "c1", "A file"),
    attached("x3", "x2", "Words of a hook at the start"),
    messageLine("u2", "x3", "user", "Go on"),
    attached("x4", "u2", "Words of a hook on the prompt"),
  ]);
  const command = message("user", "<command-name>/compact</command-name>");
  const messages = [
    message("user", "The summary."),
    message("assistant", "Done."),
    command,
    message("user", reminder("A file"), hidden("Words of a hook at the start")),
    message("user", "Go on", reminder("Words of a hook on the prompt")),
  ];
  const undone = undo(lines, messages);
  assertEquals(undone?.messages, [
    message("user", "Begin"),
    message("user", reminder("A file")),
    message("assistant", "Done."),
    command,
    message("user", "Go on", reminder("Words of a hook on the prompt")),
  ]);
});

Deno.test("undoCompaction() returns undefined if the summary is not in the conversation", () => {
  const lines = linesOf([messageLine("u1", null, "user", "Begin"), boundary("b"), SUMMARY]);
  assertEquals(undo(lines, [message("user", "Another conversation")]), undefined);
});

Deno.test("findOriginals() finds results of several texts that a copy has cut", () => {
  const notice = (line: number): string =>
    `\n\n[...truncated - original was 4,000 chars, showing first 3. See line ${line} of 7f3a1b2c for full content]`;
  const whole = ["one ".repeat(1_000), "short", "two ".repeat(1_000)];
  const cutText = (line: number): string => `one${notice(line)}`;
  const texts = { a: whole, b: whole.slice(0, 2), c: ["as it was"] };
  const lines = Object.entries(texts).map(([id, texts]) => {
    const content = texts.map((text) => ({ type: "text", text }));
    return messageLine(id, null, "user", [{ type: "tool_result", tool_use_id: id, content }]);
  });
  const toolResults = [
    { tool_use_id: "a", text: [cutText(1), "short", `two${notice(1)}`].join("\n") },
    // The last text is not cut, so the end of the result has no notice.
    { tool_use_id: "b", text: [cutText(2), "short"].join("\n") },
    { tool_use_id: "c", text: "as the client has it now" },
  ].map((result) => ({ ...result, isError: false }));
  const rows = [{ role: "user" as const, text: "", toolUses: [], toolResults }];
  const { results } = findOriginals(rows, linesOf(lines).active);
  assertEquals([...results], [["a", whole.join("\n")], ["b", whole.slice(0, 2).join("\n")]]);
});
