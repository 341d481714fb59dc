import { assertEquals } from "@std/assert";
import { listUndoable, undoCompaction } from "../../src/inside/undo.ts";
import type { JsonObject as Line } from "../../src/core/record.ts";
import type { SessionLines } from "../../src/inside/session_lines.ts";
import type { ApiMessage } from "../../src/inside/client.ts";
import { text as textBlock } from "../trim/build_session.ts";
import { hidden, reminder, sessionLines } from "./laid_out.ts";

function messageLine(uuid: string, parent: string | null, role: string, content: unknown): Line {
  return { type: role, uuid, parentUuid: parent, message: { role, content } };
}

function boundary(uuid: string): Line {
  return { type: "system", subtype: "compact_boundary", uuid };
}

function command(args: string): Line {
  const content = `<command-name>/compact</command-name><command-args>${args}</command-args>`;
  return messageLine(`c${args}`, null, "user", content);
}

function message(role: ApiMessage["role"], ...texts: string[]): ApiMessage {
  return { role, content: texts.map(textBlock) };
}

function call(id: string): Line {
  return { type: "tool_use", id, name: "Bash", input: {} };
}

function result(id: string): Line[] {
  return [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }];
}

function attached(uuid: string, parentUuid: string, more: Line): Line {
  return { type: "attachment", uuid, parentUuid, attachment: { type: "file" }, ...more };
}

/** Returns the lines of a prompt, a call and its result; their ids in turn 1 are `u1`, `a1` and `r1`. */
function turnLines(n: number, parent: string | null, prompt: string): Line[] {
  return [
    messageLine(`u${n}`, parent, "user", prompt),
    messageLine(`a${n}`, `u${n}`, "assistant", [call(`t${n}`)]),
    messageLine(`r${n}`, `a${n}`, "user", result(`t${n}`)),
  ];
}

function turnMessages(n: number, prompt: string): ApiMessage[] {
  return [
    message("user", prompt),
    { role: "assistant", content: [call(`t${n}`)] },
    { role: "user", content: result(`t${n}`) },
  ];
}

/** Returns a boundary whose compaction kept the given lines. */
function boundaryKeeping(uuid: string, anchorUuid: string, ...uuids: string[]): Line {
  return { ...boundary(uuid), compactMetadata: { preservedMessages: { anchorUuid, uuids } } };
}

function summaryLine(uuid: string, parent: string | null, text: string): Line {
  return { ...messageLine(uuid, parent, "user", text), isCompactSummary: true };
}

function undo(lines: SessionLines, messages: ApiMessage[]): ReturnType<typeof undoCompaction> {
  const [last] = listUndoable(lines);
  return last && undoCompaction({ rows: [], messages }, lines, last);
}

/** Returns the text of each block, or the id of its call. */
function blockNames(messages: readonly ApiMessage[] | undefined): string[] | undefined {
  return messages?.flatMap(({ content }) => content).map((block) =>
    `${block.text ?? block.id ?? block.tool_use_id}`
  );
}

/** The same context from two releases. Claude Code 2.1.330 omits the source if a hook answers with JSON. */
const [RESUMED, RESUMED_BY_SOURCE] = ["SessionStart", "SessionStart:compact"].map((hook) =>
  `<system-reminder>\n${hook} hook additional context: ## Resuming from Checkpoint\n\n` +
  "It describes the state of that work, besides what the summary says: facts.\n</system-reminder>"
) as [string, string];

/** Context from the session that this session continues. No summary contains it, so an undo keeps it. */
const CONTINUED = RESUMED.replace(", besides what the summary says", "");

const SUMMARY = summaryLine("s", null, "The summary.");

Deno.test("listUndoable() lists the newest trim or compaction first, and omits those that were undone", () => {
  const [trimmed, undone] = [command("trimtab"), command("trimtab --undo")];
  const kindOf = (...lines: Line[]) => listUndoable(sessionLines(lines))[0]?.kind;
  assertEquals(kindOf(messageLine("a", null, "user", "Hi")), undefined);
  assertEquals(kindOf(boundary("b1"), SUMMARY), "compaction");
  assertEquals(kindOf(boundary("b1"), SUMMARY, boundary("b2"), trimmed), "trim");
  const trimUndone = [boundary("b2"), trimmed, boundary("b3"), undone];
  assertEquals(kindOf(boundary("b1"), SUMMARY, ...trimUndone), "compaction");
  assertEquals(kindOf(...trimUndone), undefined);
  const typed = [boundary("b2"), SUMMARY, undone];
  assertEquals(
    kindOf(boundary("b1"), trimmed, ...typed),
    "compaction",
    "without the module, --undo summarizes",
  );
  const output = (words: string, stream = "stdout"): Line => {
    const content = `<local-command-${stream}>${words}</local-command-${stream}>`;
    return { type: "system", subtype: "local_command", uuid: "o", content };
  };
  const error = output("Error during compaction: API Error: 400", "stderr");
  const dropped = [boundary("b1"), command("trimtab --drop #2")];
  assertEquals(kindOf(...dropped, undone, error), "trim", "without the module, --undo can fail");
  assertEquals(kindOf(boundary("b1"), SUMMARY, undone, error), "compaction");
  const failed = [undone, output("Not compacted · trimtab: nothing was undone")];
  const trim = [boundary("b2"), trimmed, output("\u001b[2mCompacted \u001b[22m")];
  assertEquals(kindOf(...trim, ...failed), "trim", "an undo that failed leaves the trim");
  assertEquals(kindOf(boundary("b1"), SUMMARY, ...failed), "compaction");
});

Deno.test("SessionReader leaves out a boundary that was rewound, and the lines after it", () => {
  const after = (uuid: string, logicalParentUuid: string): Line => ({
    ...boundary(uuid),
    logicalParentUuid,
  });
  const lines = [
    ...turnLines(1, null, "alpha"),
    after("b1", "r1"),
    messageLine("c1", "b1", "user", "alpha, cut"),
    messageLine("u2", "c1", "user", "delta"),
    messageLine("u3", "r1", "user", "zeta, after the rewind"),
    after("b2", "u3"),
    summaryLine("s", "b2", "The summary."),
    messageLine("u4", "s", "user", "eta"),
  ];
  const splitFor = (tip: string | undefined, ...all: Line[]) => {
    const rows = tip === undefined ? [] : ["a1", ...tip.split(" ")].map((uuid) => ({ uuid }));
    // The client writes the newest entries late, so these rows have no line yet.
    const late = [{}, { handle: "late" }];
    const { before, active, boundaries } = sessionLines(all, [...rows, ...late]);
    const ids = (some: typeof before): string => some.map(({ entry }) => entry.uuid).join(" ");
    return [ids(before), boundaries.map(({ line }) => line.entry.uuid).join(" "), ids(active)];
  };
  assertEquals(splitFor("u4", ...lines), ["u1 a1 r1 u3", "b2", "s u4"]);
  assertEquals(splitFor("u3", ...lines.slice(0, 7)), ["", "", "u1 a1 r1 u3"]);
  assertEquals(splitFor("u2", ...lines.slice(0, 6)), ["u1 a1 r1", "b1", "c1 u2"]);
  const isRewound = (uuid: string): boolean =>
    sessionLines(lines.slice(0, 6), [{ uuid }]).endsWithRewoundTurns;
  assertEquals(["r1", "u2"].map(isRewound), [true, false]);
  const whole = ["u1 a1 r1 c1 u2 u3", "b1 b2", "s u4"];
  assertEquals(splitFor(undefined, ...lines), whole);
  const keep = (uuid: string): Line[] =>
    lines.map((line) =>
      line.uuid === uuid ? { ...boundaryKeeping(uuid, "s", "u3"), ...line } : line
    );
  const compacted = ["u1 a1 r1 u3", "b2", "s u4"];
  assertEquals(splitFor("u4", ...keep("b2")), compacted);
  const rewound = ["", "", "u1 a1 r1 u3"];
  assertEquals(splitFor("u3", ...keep("b2")), rewound, "a rewind to a kept message");
  assertEquals(splitFor("s u3", ...keep("b2")), compacted, "the summary precedes the kept message");
  assertEquals(splitFor("u4", ...keep("b1")), whole, "the first compaction kept u3");
  const onKept = keep("b2").map((line) =>
    line.uuid === "u4" ? { ...line, parentUuid: "u3" } : line
  );
  assertEquals(splitFor("u4", ...onKept), compacted, "the newest message descends from a kept one");
});

Deno.test("undoCompaction() replaces the summary with the original conversation, and returns undefined without a summary", () => {
  const answer = (uuid: string, parent: string, ...content: Line[]): Line => ({
    ...messageLine(uuid, parent, "assistant", content),
    message: { role: "assistant", id: "m1", content },
  });
  const lines = sessionLines([
    messageLine("u1", null, "user", "Begin"),
    messageLine("x1", "u1", "user", "A branch that was rewound"),
    answer("a1", "u1", call("t1")),
    answer("a2", "a1", call("t2"), call("killed")),
    // No entry has the first call's result as its parent.
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
  assertEquals(undo(lines, messages.slice(1)), undefined, "the summary is not in the conversation");
});

Deno.test("undoCompaction() restores the conversation if the client was killed while it wrote a trim", () => {
  const lines = sessionLines([
    ...turnLines(1, null, "Begin"),
    ...turnLines(2, "r1", "Go on"),
    { ...boundary("b"), logicalParentUuid: "r2" },
    messageLine("c1", "b", "user", "Begin"),
    messageLine("c2", "c1", "assistant", [call("t1")]),
  ]);
  const cut = [{ ...result("t1")[0], content: "of…" }];
  const copied: ApiMessage[] = [
    message("user", "<system-reminder>\nA file\n</system-reminder>", "Begin"),
    { role: "assistant", content: [call("t1")] },
    { role: "user", content: cut },
  ];
  const old = [...turnMessages(1, "Begin"), ...turnMessages(2, "Go on")];
  const asked = [message("user", "<system-reminder>\nB\n</system-reminder>", "What is lost?")];
  assertEquals(undo(lines, [...copied, ...asked])?.messages, [...old, ...asked]);
  assertEquals(undo(lines, copied)?.messages, old);
  // The client adds its own answer when it resumes such a session.
  const repeated = [message("assistant", "No response requested."), message("user", "Go on")];
  assertEquals(undo(lines, [...copied, ...repeated])?.messages, [...old, ...repeated]);
  const again: ApiMessage = { role: "assistant", content: [call("t2")] };
  const other = [...copied, message("user", "A note"), again];
  assertEquals(undo(lines, other), undefined, "the message after the note is a copy, too");
  assertEquals(undo(lines, asked), undefined);
});

Deno.test("undoCompaction() does not repeat messages that the compaction preserved before or after its summary", () => {
  const undoneBy = (anchorUuid: string, uuids: string[], ...messages: ApiMessage[]) => {
    const turns = [...turnLines(1, null, "yes"), ...turnLines(2, "r1", "yes")];
    const lines = sessionLines([...turns, boundaryKeeping("b", anchorUuid, ...uuids), SUMMARY]);
    const undone = undo(lines, messages);
    assertEquals(undone?.count, 3);
    return blockNames(undone?.messages);
  };
  const [first, second] = [turnMessages(1, "yes"), turnMessages(2, "yes")];
  const [summary, next] = [message("user", "The summary."), message("user", "Go on")];
  const whole = ["yes", "t1", "t1", "yes", "t2", "t2", "Go on"];
  assertEquals(undoneBy("b", ["u1", "a1", "r1"], ...first, summary, next), whole, "from here");
  assertEquals(undoneBy("s", ["u2", "a2", "r2"], summary, ...second, next), whole, "up to here");
});

Deno.test("undoCompaction() leaves out a turn that the user had rewound before the compaction", () => {
  const turns = [
    messageLine("u1", null, "user", "Begin"),
    messageLine("a1", "u1", "assistant", [{ type: "text", text: "One." }]),
    { type: "system", uuid: "d1", parentUuid: "a1", subtype: "turn_duration" },
    messageLine("u2", "d1", "user", "Abandoned"),
    messageLine("a2", "u2", "assistant", [{ type: "text", text: "Two." }]),
  ];
  const ends = [
    { ...boundary("b"), logicalParentUuid: "d1" },
    { ...boundaryKeeping("b", "s", "a1"), logicalParentUuid: "a1" },
  ];
  for (const [index, end] of ends.entries()) {
    const kept = index === 0 ? [] : [message("assistant", "One.")];
    const messages = [message("user", "The summary."), ...kept, message("user", "Go on")];
    assertEquals(undo(sessionLines([...turns, end, SUMMARY]), messages)?.messages, [
      message("user", "Begin"),
      message("assistant", "One."),
      message("user", "Go on"),
    ], `boundary ${index}`);
  }
});

Deno.test("undoCompaction() restores messages that the previous compaction had preserved", () => {
  const restoredBefore = (first: Line, next: string, ...attached: Line[]): string[] | undefined => {
    const lines = sessionLines([
      ...turnLines(1, null, "One"),
      ...turnLines(2, "r1", "Two"),
      first,
      summaryLine("s1", "b1", "First summary"),
      ...attached,
      ...turnLines(3, next, "Three"),
      boundary("b2"),
      summaryLine("s2", "b2", "The summary."),
    ]);
    const messages = [message("user", "The summary."), message("user", "Go on")];
    return blockNames(undo(lines, messages)?.messages);
  };
  const later = ["Three", "t3", "t3", "Go on"];
  const afterSummary = ["First summary", "Two", "t2", "t2", ...later];
  const second = boundaryKeeping("b1", "s1", "u2", "a2", "r2");
  assertEquals(restoredBefore(second, "r2"), afterSummary);
  const beforeSummary = restoredBefore(boundaryKeeping("b1", "b1", "u1", "a1", "r1"), "s1");
  assertEquals(beforeSummary, ["One", "t1", "t1", "First summary", ...later]);
  // An attachment without text, such as that of a hook, can be the first line after the summary.
  const hook = attached("h1", "s1", { attachment: { type: "hook_success" } });
  assertEquals(restoredBefore(second, "h1", hook), afterSummary);
  // Older clients record only the first and the last preserved line.
  const segment = { headUuid: "u2", tailUuid: "r2", anchorUuid: "s1" };
  const older = { ...boundary("b1"), compactMetadata: { preservedSegment: segment } };
  assertEquals(restoredBefore(older, "r2"), afterSummary);
});

Deno.test("undoCompaction() restores messages between the results of parallel calls, and queued prompts of older clients", () => {
  const skill = { ...messageLine("k", "r1", "user", "The skill"), isMeta: true };
  const queued = { type: "queued_command", prompt: "Be quick", commandMode: "prompt" };
  const lines = sessionLines([
    messageLine("u1", null, "user", "One"),
    messageLine("a1", "u1", "assistant", [call("t1")]),
    messageLine("a2", "a1", "assistant", [call("t2")]),
    messageLine("r1", "a1", "user", result("t1")),
    skill,
    attached("q", "k", { attachment: queued }),
    messageLine("r2", "a2", "user", result("t2")),
    // A line that was written twice counts once.
    ...[1, 2].map(() => messageLine("a3", "r2", "assistant", [{ type: "text", text: "Done." }])),
    { ...boundary("b"), logicalParentUuid: "a3" },
    SUMMARY,
  ]);
  const undone = undo(lines, [message("user", "The summary."), message("user", "Go on")]);
  assertEquals(blockNames(undone?.messages), [
    ...["One", "t1", "t1", "t2", "t2", "The skill", "Be quick", "Done.", "Go on"],
  ]);
});

Deno.test("undoCompaction() restores results of parallel calls in the order in which the calls ended", () => {
  const lines = sessionLines([
    messageLine("u1", null, "user", "Both"),
    messageLine("a1", "u1", "assistant", [call("t1"), call("t2")]),
    messageLine("r2", "a1", "user", result("t2")),
    messageLine("r1", "a1", "user", result("t1")),
    messageLine("a2", "r1", "assistant", "Done."),
    boundary("b"),
    SUMMARY,
  ]);
  const restored = undo(lines, [message("user", "The summary.")]);
  assertEquals(blockNames(restored?.messages), ["Both", "t1", "t2", "t2", "t1", "Done."]);
});

Deno.test("undoCompaction() restores queued prompts of several blocks, and pictures in attachments", () => {
  const picture = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "AA" },
  };
  const words = textBlock;
  const queue = { type: "queued_command", commandMode: "prompt" };
  const sent = [{ content: [words("The user sent: one two")] }];
  const file = {
    type: "file",
    filename: "/p/a.png",
    content: { type: "image", file: { base64: "AA", type: "image/png" } },
  };
  const lines = sessionLines([
    messageLine("u1", null, "user", "One"),
    attached("q1", "u1", {
      attachment: { ...queue, prompt: [words("one"), words("two")] },
      rendered: sent,
    }),
    attached("q2", "q1", {
      attachment: { ...queue, prompt: [words("[Image #1] no tabs"), picture] },
    }),
    attached("f", "q2", { attachment: file }),
    messageLine("a1", "f", "assistant", [words("Done.")]),
    { ...boundary("b"), logicalParentUuid: "a1" },
    SUMMARY,
    // The client attaches the file again.
    attached("f2", "s", { attachment: file }),
  ]);
  const called = reminder(
    'Called the Read tool with the following input: {"file_path":"/p/a.png"}',
  );
  const renewed = { role: "user" as const, content: [words(called), picture] };
  const undone = undo(lines, [message("user", "The summary."), renewed, message("user", "Go on")]);
  assertEquals(
    undone?.messages.flatMap(({ content }) => content.map((one) => one.text ?? one.type)),
    [
      ...["One", "The user sent: one two", "[Image #1] no tabs", "image"],
      ...[called, "image", "Done.", "Go on"],
    ],
  );
});

Deno.test("undoCompaction() continues with the previous line if a parent is missing", () => {
  const lines = sessionLines([
    messageLine("u1", null, "user", "Begin"),
    messageLine("u2", "gone", "user", [{ type: "image" }, { type: "text", text: "Look" }]),
    boundary("b"),
    SUMMARY,
  ]);
  const undone = undo(lines, [message("user", "The summary.")]);
  assertEquals(undone?.count, 2);
  assertEquals(undone?.rows.map(({ text }) => text), ["Begin", "Look"]);
});

Deno.test("undoCompaction() drops attachments after the summary, up to the next prompt", () => {
  const file = (uuid: string, parentUuid: string, text: string): Line =>
    attached(uuid, parentUuid, { rendered: [{ content: reminder(text) }] });
  const lines = sessionLines([
    messageLine("u1", null, "user", "Begin"),
    file("x1", "u1", "A file"),
    messageLine("a1", "x1", "assistant", "Done."),
    boundary("b"),
    SUMMARY,
    messageLine("c1", "s", "user", "<command-name>/compact</command-name>"),
    file("x2", "c1", "A file"),
    file("x3", "x2", "Words of a hook at the start"),
    messageLine("u2", "x3", "user", "Go on"),
    file("x4", "u2", "Words of a hook on the prompt"),
    file("x5", "x4", "A file"),
  ]);
  const command = message("user", "<command-name>/compact</command-name>");
  const messages = [
    message("user", "The summary."),
    message("assistant", "Done."),
    command,
    message("user", reminder("A file"), hidden("Words of a hook at the start")),
    message("user", "Go on", reminder("Words of a hook on the prompt"), reminder("A file")),
  ];
  const undone = undo(lines, messages);
  assertEquals(undone?.messages, [
    message("user", "Begin"),
    message("user", reminder("A file")),
    message("assistant", "Done."),
    command,
    message("user", "Go on", reminder("Words of a hook on the prompt"), reminder("A file")),
  ]);
});

Deno.test("undoCompaction() keeps queued prompts after the summary, and messages after attachments without text", () => {
  const queued = { type: "queued_command", prompt: "Be quick", commandMode: "prompt" };
  const lines = sessionLines([
    messageLine("u1", null, "user", "Begin"),
    attached("x1", "u1", { rendered: [{ content: "A file" }] }),
    boundary("b"),
    SUMMARY,
    attached("x2", "s", { rendered: [{ content: "" }, { content: " " }] }),
    attached("q", "x2", { attachment: queued, rendered: [{ content: "The user sent: Be quick" }] }),
    messageLine("a2", "q", "assistant", [call("t2")]),
    messageLine("r2", "a2", "user", result("t2")),
  ]);
  const sent = [
    message("user", "The user sent: Be quick"),
    { role: "assistant" as const, content: [call("t2")] },
    { role: "user" as const, content: result("t2") },
  ];
  const undone = undo(lines, [message("user", "The summary."), ...sent]);
  assertEquals(undone?.messages, [message("user", "Begin"), message("user", "A file"), ...sent]);
});
