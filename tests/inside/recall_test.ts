// Checks what the recall tool returns from transcripts, and when the model is told about the tool.
// tests/e2e/inside_test.ts shows that the model can call the tool.

import { assert, assertEquals, assertFalse } from "@std/assert";
import type { Client, Row, ToolAnswer, Verdict } from "../../src/inside/client.ts";
import {
  answerRecall,
  appendNoteAtPrompt,
  offerRecallIfCut,
  readReferencedLines,
  RECALL_NOTE,
  setNotePending,
} from "../../src/inside/recall.ts";
import { readLinesAt } from "../../src/inside/session_lines.ts";
import { readerOf, resolving } from "./fake_files.ts";
import { callRow, hidden, resultRow, textRow } from "./laid_out.ts";

const ID = "7f3a1b2c-0000-4000-8000-000000000000";
const OWN = `${ID}.jsonl`;

const FOLDER = "/c/projects/-w/";

interface RecallSetup {
  files?: Record<string, string>;
  /** Names of files by folder. Each of these files has the text of the transcript. */
  folders?: Record<string, readonly string[]>;
  links?: readonly string[];
  verdicts?: Record<string, Verdict>;
  rows?: readonly Row[];
}

function clientOf(
  text: string,
  { files = {}, folders = {}, links = [], verdicts = {}, rows = [] }: RecallSetup = {},
): Client {
  const names: Record<string, readonly string[]> = {
    [FOLDER]: [...Object.keys(files), OWN],
    ...folders,
  };
  const bytesOf = (path: string): Uint8Array =>
    new TextEncoder().encode(files[path.replace(FOLDER, "")] ?? text);
  return {
    session: {
      info: () => Promise.resolve({ transcriptPath: `${FOLDER}${OWN}` }),
      messages: () => Promise.resolve(rows),
    },
    tool: {
      check: ({ tool, input }: { tool: string; input: Record<string, string> }) => {
        if (tool === "mcp__gone__do") return Promise.reject(new Error("no such tool"));
        const verdict = verdicts[`${tool} ${input.file_path ?? input.command}`];
        return Promise.resolve(verdict ?? { decision: "allow", reason: "" });
      },
    },
    fs: {
      list: (path: string) =>
        Promise.resolve((names[path] ?? []).map((name) => ({
          name,
          kind: name.endsWith(".jsonl") ? "file" : "dir",
          isLink: links.includes(name),
        }))),
      exists: () => Promise.resolve(true),
      stat: (path: string) =>
        Promise.resolve({ size: bytesOf(path).length, kind: "file", isLink: false }),
      read: readerOf(bytesOf),
    },
  } as unknown as Client;
}

const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } };

function lineOf(role: string, content: unknown, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({ type: role, parentUuid: null, message: { role, content }, ...fields });
}

function resultLine(content: unknown, fields: Record<string, unknown> = {}): string {
  return lineOf("user", [{ type: "tool_result", tool_use_id: "a", content }], fields);
}

function cutRows(
  result: string,
  { tool = "Bash", input = { command: "ls" }, id = "a" }: {
    tool?: string;
    input?: Record<string, unknown>;
    id?: string;
  } = {},
): Row[] {
  return [callRow({ tool_use_id: id, tool, input }), resultRow({ [id]: result })];
}

function noticeOf(line: number, session = "7f3a1b2c"): string {
  return `\n\n[...truncated - original was 90 chars, showing first 1. See line ${line} of ${session} for full content]`;
}

const WHOLE = "one\n".repeat(100);

function recall(
  text: string,
  args: Record<string, unknown>,
  setup: RecallSetup = { rows: cutRows(`o${noticeOf(2)}`) },
): Promise<ToolAnswer> {
  return answerRecall(clientOf(text, setup), { tool: "recall", session: "7f3a1b2c", ...args });
}

function refusalFor(line: number, session = "7f3a1b2c"): ToolAnswer {
  return { deny: `no notice in this conversation refers to line ${line} of ${session}` };
}

function masked(line: number, bytes = 1): string {
  return `[image result masked -- ${bytes} bytes. See line ${line} of 7f3a1b2c for full content]`;
}

function hiddenRow(words: string): Row {
  return textRow("user", hidden(words));
}

function notContained(line: number, session = "7f3a1b2c"): ToolAnswer {
  return { deny: `line ${line} of ${session} does not contain the text that was cut` };
}

const PARENT = "aaaaaaaa-0000-4000-8000-000000000000.jsonl";

Deno.test("recall returns the full result that a notice refers to", async () => {
  const file = ["{}", resultLine(WHOLE), resultLine("last")].join("\n") + "\n";
  assertEquals(await recall(file, { line: 2 }), { result: WHOLE });
  assertEquals(await recall(file, { line: 2, session: ID }), { result: WHOLE });
  const wrong = { deny: "recall needs the line and the session from the notice" };
  assertEquals(await recall(file, { line: "2" }), wrong);
});

Deno.test("recall returns pictures of a result, and any line of removed turns", async () => {
  const call = { type: "tool_use", id: "a", name: "Read", input: { file_path: "/p/x.png" } };
  const file = [lineOf("assistant", [call]), resultLine([PICTURE]), lineOf("user", "Look")]
    .join("\n") + "\n";
  const shown = { rows: [hiddenRow(masked(2))] };
  assertEquals(await recall(file, { line: 2 }, shown), { result: [PICTURE] });
  const note =
    "[The user took 1 turn with 1 call out of the conversation: lines 1 to 3 of 7f3a1b2c]";
  const rows = [hiddenRow(note)];
  assertEquals(await recall(file, { line: 3 }, { rows }), { result: "Look" });
  assertEquals(await recall(file, { line: 2 }, { rows }), { result: [PICTURE] });
  assertEquals(await recall(file, { line: 4 }, { rows }), refusalFor(4));
  // In a fork, the note refers to the parent's transcript, where line 3 has another text.
  const ofParent = [hiddenRow(note.replace("7f3a1b2c", "aaaaaaaa"))];
  const fork = (files: Record<string, string>): Promise<ToolAnswer> =>
    recall(file, { line: 3, session: "aaaaaaaa" }, { rows: ofParent, files });
  const parent = `{}\n{}\n${lineOf("user", "Asked in the parent")}`;
  assertEquals(await fork({ [PARENT]: parent }), { result: "Asked in the parent" });
  assertEquals(await fork({}), { deny: "the transcript of aaaaaaaa no longer exists" });
  const rule = { decision: "deny" as const, reason: "Not that.", rule: "Read(/p/x.png)" };
  const verdicts = { "Read /p/x.png": rule };
  assertEquals(await recall(file, { line: 2 }, { rows, verdicts }), { deny: "Not that." });
});

Deno.test("recall returns the text and the picture of a queued prompt in a removed turn", async () => {
  const prompt = [{ type: "text", text: "No tabs" }, PICTURE];
  const attachment = { type: "queued_command", commandMode: "prompt", prompt };
  const queued = JSON.stringify({ type: "attachment", parentUuid: null, attachment });
  const file = `${lineOf("user", "Look")}\n${queued}\n`;
  const removed =
    "[The user took 1 turn with 0 calls out of the conversation: lines 1 to 2 of 7f3a1b2c]";
  assertEquals(await recall(file, { line: 2 }, { rows: [hiddenRow(removed)] }), {
    result: [{ type: "text", text: "No tabs" }, PICTURE],
  });
  const rows = [hiddenRow(masked(2))];
  assertEquals(await recall(file, { line: 2 }, { rows }), { result: [PICTURE] });
});

Deno.test("recall returns a result once if the client lists it again after a trim", async () => {
  const cut = cutRows(`o${noticeOf(2)}`);
  const file = ["{}", resultLine(WHOLE)].join("\n") + "\n";
  assertEquals(await recall(file, { line: 2 }, { rows: [...cut, ...cut] }), { result: WHOLE });
  const twice = resultLine([PICTURE, PICTURE]);
  const rows = [textRow("user", masked(1, 1)), textRow("user", masked(1, 2))];
  assertEquals(await recall(twice, { line: 1 }, { rows }), { result: [PICTURE, PICTURE] });
});

Deno.test("recall reads only lines that a notice in the conversation refers to", async () => {
  const file = ["{}", resultLine(WHOLE), resultLine(WHOLE)].join("\n");
  assertEquals(await recall(file, { line: 3 }), refusalFor(3));
  assertEquals(await recall(file, { line: 2, session: "7" }), refusalFor(2, "7"));
  const other = { files: { [PARENT]: file }, rows: cutRows(`o${noticeOf(2)}`) };
  const args = { line: 2, session: "aaaaaaaa" };
  assertEquals(await recall(file, args, other), refusalFor(2, "aaaaaaaa"));
});

Deno.test("recall refuses the line that a fake notice refers to, whether an output or a prompt contains the notice", async () => {
  const secret = lineOf("user", "what the person said");
  const file = [secret, resultLine(WHOLE), resultLine(WHOLE, { isSidechain: true })].join("\n");
  const cases: [line: number, rows: Row[], why: string][] = [
    [1, cutRows(`o${noticeOf(1)}`), "the line is a prompt"],
    [3, cutRows(`o${noticeOf(3)}`), "the line is a subagent's"],
    [2, cutRows(`o${noticeOf(2)}`, { id: "b" }), "the notice belongs to another call"],
    [2, cutRows(`${WHOLE}${noticeOf(2)}`), "the output already has the text of the line"],
  ];
  for (const [line, rows, why] of cases) {
    assertEquals(await recall(file, { line }, { rows }), notContained(line), why);
  }
  const promptRow = textRow("user", `o${noticeOf(2)}`);
  assertEquals(await recall(file, { line: 2 }, { rows: [promptRow] }), refusalFor(2));
});

Deno.test("recall reads another session in the same folder, but does not follow a link to a session", async () => {
  const files = { [PARENT]: resultLine(WHOLE) };
  const rows = cutRows(`o${noticeOf(1, "aaaaaaaa")}`);
  const args = { line: 1, session: "aaaaaaaa" };
  assertEquals(await recall("", args, { files, rows }), { result: WHOLE });
  const answer = await recall("", args, { files, rows, links: [PARENT] });
  assertEquals(answer, notContained(1, "aaaaaaaa"));
});

Deno.test("recall reads a session of another project if the call's id confirms that the text is the right one", async () => {
  const rows = cutRows(`o${noticeOf(1, "aaaaaaaa")}`);
  const args = { line: 1, session: "aaaaaaaa" };
  const recallFrom = (...names: string[]): Promise<ToolAnswer> => {
    const folders = { "/c/projects/": ["-p", "-w"], "/c/projects/-p/": names };
    return recall(resultLine(WHOLE), args, { rows, folders });
  };
  assertEquals(await recallFrom(PARENT), { result: WHOLE });
  assertEquals(await recallFrom(), notContained(1, "aaaaaaaa"));
});

Deno.test("recall refuses a result if a permission rule denies its call, or a read of its file or transcript", async () => {
  const file = resultLine(WHOLE);
  const denied: Verdict = { decision: "deny", reason: "by a rule", rule: "Read(./secret.txt)" };
  const byMode: Verdict = { decision: "deny", reason: "dontAsk mode" };
  const isDenied = async (
    tool: string,
    input: Record<string, unknown>,
    verdicts: Record<string, Verdict>,
  ): Promise<boolean> => {
    const rows = cutRows(`o${noticeOf(1)}`, { tool, input });
    const { result, deny } = await recall(file, { line: 1 }, { verdicts, rows });
    assertEquals([result, deny], deny === undefined ? [WHOLE, deny] : [result, "by a rule"]);
    return deny !== undefined;
  };
  const secret = { file_path: "/p/secret.txt" };
  const shown = { command: "cat secret.txt" };
  assert(await isDenied("Read", secret, { "Read /p/secret.txt": denied }));
  assert(await isDenied("Edit", secret, { "Read /p/secret.txt": denied }));
  assert(await isDenied("Bash", shown, { "Bash cat secret.txt": denied }));
  assert(await isDenied("Bash", shown, { [`Read ${FOLDER}${OWN}`]: denied }));
  assertFalse(await isDenied("mcp__gone__do", {}, {}));
  assertFalse(await isDenied("Bash", shown, { "Bash cat secret.txt": byMode }));
  assertFalse(await isDenied("Bash", shown, { "Bash cat secret.txt": { decision: "ask" } }));
});

Deno.test("recall returns a long result in parts, which add up to the full text, and reports the end", async () => {
  const whole = `${"\u{1f600}".repeat(50_000)}x`;
  const partFrom = async (from: number): Promise<string> => {
    const rows = cutRows(`o${noticeOf(1)}`);
    return `${(await recall(resultLine(whole), { line: 1, from }, { rows })).result}`;
  };
  const found: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const [, part = "", next]: (string | undefined)[] =
      /^([^]*?)(?:\n\n\[characters left: \d+; continue from (\d+)\])?$/
        .exec(await partFrom(from)) ?? [];
    assertEquals(part.isWellFormed(), true);
    found.push(part);
    from = next === undefined ? undefined : Number(next);
  }
  assertEquals([found.length, found.join("")], [3, whole]);
  assertEquals(await partFrom(99_999), "\u{1f600}x", "a part begins with the whole character");
  assertEquals(await partFrom(whole.length), "[no more characters]");
  assertEquals(await partFrom(999_999), "[no more characters]");
});

Deno.test("readLinesAt() finds a line wherever a chunk of the file ends", async () => {
  const lines = ["a".repeat(5 * 1024 * 1024), "é".repeat(6 * 1024 * 1024), "", "last"];
  for (const [index, line] of lines.entries()) {
    const found = await readLinesAt(clientOf(lines.join("\n")), "x", new Set([index + 1]));
    assertEquals([...found], [[index + 1, line]]);
  }
  assertEquals((await readLinesAt(clientOf("one\n"), "x", new Set([2]))).size, 0);
});

const CUT = "head\n\n[...See line 12 of 7f3a1b2c for full content]";

function sessionWith(id: string, text: string, api: unknown[], append: () => number): object {
  const messages = ({ last }: { last?: number }) =>
    Promise.resolve(last === undefined ? api : [resultRow({ a: text })]);
  const appendLater = () => new Promise((done) => setTimeout(() => done(append())));
  return { ...resolving({ id }), messages, append: appendLater };
}

Deno.test("a session that begins with cuts gets the recall tool, and one note about the tool", async () => {
  const log: string[] = [];
  let count = 0;
  let isStarted = true;
  let verdict: Verdict | undefined = { decision: "allow" };
  const startSession = async (text: string, note = "", transcript = ""): Promise<string[]> => {
    const client = clientOf(transcript);
    const api = [{ role: "user" as const, content: [{ type: "text", text: note }] }];
    const id = `begun-${++count}`;
    const append = () => log.push("told");
    const session = { ...client.session, ...sessionWith(id, text, api, append) };
    const tool = {
      ...client.tool,
      check: () => verdict === undefined ? Promise.reject(new Error()) : Promise.resolve(verdict),
      register: () => Promise.resolve(log.push("offered")),
    };
    setNotePending(false);
    if (isStarted) await offerRecallIfCut({ ...client, session, tool });
    for (const _ of ["a prompt", "another"]) {
      await appendNoteAtPrompt({ ...client, session, tool }, id);
    }
    return log.splice(0);
  };
  assertEquals(await startSession(CUT), ["offered", "told"]);
  assertEquals(await startSession(CUT, `<system-reminder>\nNote:\n${RECALL_NOTE}\n`), ["offered"]);
  const attachment = { type: "plugin_note", plugin: "trimtab" };
  const midTurn = JSON.stringify({ parentUuid: null, type: "attachment", attachment });
  assertEquals(await startSession(CUT, "", midTurn), ["offered"], "told in the middle of a turn");
  assertEquals(
    await startSession(`${CUT}\nmore`),
    ["offered", "told"],
    "another text follows the cut one",
  );
  assertEquals(await startSession("whole"), []);
  assertEquals(await startSession(`A page about notices:${CUT}, and so on`), [], "it is quoted");
  verdict = { decision: "deny", rule: "mcp__trimtab__recall" };
  assertEquals(await startSession(CUT), ["offered"], "the model cannot use the tool");
  verdict = undefined;
  assertEquals(await startSession(CUT), ["offered", "told"], "the client cannot check the tool");
  verdict = { decision: "ask" };
  isStarted = false;
  assertEquals(await startSession(CUT), ["offered", "told"], "after /resume");
  assertEquals(await startSession("whole"), []);
});

Deno.test("the note about the recall tool is not appended to a conversation without cuts", async () => {
  let notes = 0;
  const promptIn = async (id: string, text: string): Promise<number> => {
    const client = clientOf("");
    const session = { ...client.session, ...sessionWith(id, text, [], () => ++notes) };
    notes = 0;
    await appendNoteAtPrompt({ ...client, session }, id);
    return notes;
  };
  assertEquals(await promptIn("trimmed", "whole"), 0);
  setNotePending(true);
  assertEquals(await promptIn("other", "whole"), 0, "the trim was in another session");
  setNotePending(true);
  assertEquals(await promptIn("other", "whole"), 0, "the trim was cancelled or rewound");
  setNotePending(true);
  assertEquals([await promptIn("other", CUT), await promptIn("other", CUT)], [1, 0]);
});

Deno.test("readReferencedLines() reads the lines that notices refer to, from any transcript in the folder", async () => {
  const parent = ["{}", resultLine("the whole of it"), "torn"].join("\n");
  const client = clientOf("", { files: { [PARENT]: parent } });
  const named = (line: number, session: string): Row =>
    resultRow({ a: `head\n\n[...See line ${line} of ${session} for full content]` });
  const rows = [named(2, "aaaaaaaa"), named(3, "aaaaaaaa"), named(1, "bbbbbbbb")];
  const found = await readReferencedLines(client, rows);
  assertEquals(found.map(({ number, entry }) => [number, entry.type]), [[2, "user"]]);
  // If a copy keeps a result's picture, a second notice refers to a line of the copy, which has only cut text.
  const copy = clientOf(`{}\n{}\n${resultLine("cut")}`, { files: { [PARENT]: parent } });
  const both = await readReferencedLines(copy, [named(2, "aaaaaaaa"), named(3, "7f3a1b2c")]);
  assertEquals(both.at(-1)?.number, 2, "the whole result comes last");
});
