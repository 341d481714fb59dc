import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describeRescue } from "../../../src/doctor/repair/text.ts";
import { findActiveContext } from "../../../src/transcript/tree/active_context.ts";
import {
  COPY,
  exchange,
  Home,
  ID,
  type Json,
  messageLine,
  NOW,
  objectsOf,
  textOf,
} from "./broken.ts";
import { modeOf, namesIn } from "../../folder.ts";

function contextOf(path: string): [cutOff: string | null, uuids: string] {
  using file = Deno.openSync(path);
  const { cutOff, nodes } = findActiveContext(file, file.statSync().size);
  return [cutOff, nodes.map(({ uuid }) => uuid).join(" ")];
}

Deno.test("rescueSession() writes nothing when nothing is wrong", () => {
  using home = new Home(textOf([...exchange(1), ...exchange(2)]).trimEnd());
  const result = home.rescue();
  assertEquals(result, {
    session_id: null,
    parent_session_id: ID,
    output: null,
    findings: [],
    counts: {},
    resume_command: null,
    starts_with_answer: false,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: false,
  });
  assertMatch(describeRescue(result), /^There is nothing to repair, so no copy was written\.$/);
  assertEquals(namesIn(home.sessions), [`${ID}.jsonl`]);
});

Deno.test("rescueSession() drops a trim that a killed client left unfinished, but keeps a finished trim", () => {
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
  const rows = [
    messageLine("u8", "b", "question 1", { promptId: "p" }),
    messageLine("a8", "u8", [{ type: "text", text: "answer 1" }], { madeBy: "other" }),
  ];
  const whole = [...exchange(1), ...exchange(2)];
  const next = (parent: string) => messageLine("u9", parent, "go on", { promptSource: "typed" });
  for (const count of [1, 2]) {
    using home = new Home(textOf([...whole, boundary, ...rows.slice(0, count)]));
    assertEquals(home.rescue().counts, { unfinished_trim: count + 1 });
    assertEquals(objectsOf(home), whole);
  }
  using alone = new Home(textOf([...whole, boundary]));
  assertEquals(alone.rescue().counts, {}, "the client continues from the message before it");
  using linked = new Home(textOf([...whole, { ...boundary, parentUuid: "missing" }]));
  assertEquals(linked.rescue().counts, { unfinished_trim: 1 });
  assertEquals(objectsOf(linked), whole);
  using resumed = new Home(textOf([...whole, boundary, ...rows, next("a8")]));
  assertEquals(resumed.rescue().counts, { unfinished_trim: 3, missing_parent: 1 });
  assertEquals(objectsOf(resumed), [...whole, next("a2")]);
  const content = "trimtab: trimmed in place: 1";
  const done = { type: "system", uuid: "s", parentUuid: "a8", content };
  using finished = new Home(textOf([...whole, boundary, ...rows, done, next("s")]));
  assertEquals(finished.rescue().session_id, null);
});

Deno.test("rescueSession() reports a missing start, and refuses a session without messages", () => {
  using home = new Home(textOf(exchange(1).slice(1)));
  const result = home.rescue();
  assertEquals([result.starts_with_answer, result.session_id], [true, null]);
  assertMatch(describeRescue(result), /^There is nothing to repair, .*The start of the conv/);
  const later = messageLine("a9", "gone", [{ type: "text", text: "answer" }]);
  using unlinked = new Home(textOf([...exchange(1), later]));
  const { starts_with_answer: isCut, session_id: copy } = unlinked.rescue();
  assertEquals([isCut, copy], [false, COPY], "it is reconnected");
  const [prompt, answer] = exchange(1).map((line) => JSON.stringify(line));
  using torn = new Home(textOf([`{"type":"progress","torn${prompt}`, answer ?? ""]));
  for (const dryRun of [true, false]) {
    assertEquals(torn.rescue({ dryRun }).starts_with_answer, false, "the copy has the prompt");
  }
  using headless = new Home(textOf(["null", ...exchange(1).slice(1), later]));
  for (const dryRun of [true, false]) {
    assertEquals(headless.rescue({ dryRun }).starts_with_answer, true, "the copy lacks it, too");
  }
  for (const text of ["", "no JSON\n", '{"type":"mode"}\n']) {
    using empty = new Home(text);
    assertThrows(() => empty.rescue(), Error, "its transcript has no messages");
    assertEquals(namesIn(empty.sessions).length, 1);
  }
});

Deno.test("rescueSession() keeps a line byte for byte when nothing in it is wrong", () => {
  const odd = `{ "type" : "future" , "sessionId":"${ID}","n":1.0,"big":12345678901234567890,"n":2}`;
  const lines = [...exchange(1).map((line) => JSON.stringify(line)), odd, "", '{"type":"mode"}\r'];
  using home = new Home(textOf([...lines, "null", ...exchange(2)]));
  const before = Deno.readFileSync(home.path);
  const { counts, output, session_id, resume_command } = home.rescue();
  assertEquals(counts, { torn_line: 1 });
  assertEquals([session_id, output], [COPY, `${home.sessions}/${COPY}.jsonl`]);
  assertEquals(resume_command, `claude --resume ${COPY}`);
  assertEquals(home.copied(), [...lines, ...exchange(2).map((line) => JSON.stringify(line))]);
  assertEquals(Deno.readFileSync(home.path), before);
  assertEquals(modeOf(output ?? ""), 0o600);
});

Deno.test("rescueSession() records the copy's origin on its first entry, and adds a title", () => {
  using home = new Home(textOf(["[]", ...exchange(1)]));
  const { output } = home.rescue();
  const [first = "", , title = ""] = Deno.readTextFileSync(output ?? "").split("\n");
  const { rescue_metadata: metadata } = JSON.parse(first);
  assertEquals({ ...metadata, trimtab_version: "" }, {
    ...{ parent_file: home.path, parent_session_id: ID, rescued_at: NOW.toISOString() },
    ...{ counts: { torn_line: 1 }, trimtab_version: "" },
  });
  const customTitle = "question 1 (rescued)";
  assertEquals(JSON.parse(title), { type: "custom-title", customTitle, sessionId: COPY });
});

Deno.test("rescueSession() writes nothing with dryRun, and describes its changes", () => {
  using home = new Home(textOf(["[]", ...exchange(1)]));
  const result = home.rescue({ dryRun: true });
  assertEquals([result.session_id, result.dry_run], [COPY, true]);
  assertEquals(namesIn(home.sessions).length, 1);
  assertMatch(describeRescue(result), /^line 1: 2 bytes outside of any entry: left out$/m);
  assertMatch(describeRescue(result), /This was a dry run\. Without --dry-run/);
});

Deno.test("describeRescue() mentions a previous message only if there is one", () => {
  const [, answer] = exchange(1);
  const [next] = exchange(2);
  const first = messageLine("u1", "u1", "question 1");
  using home = new Home(textOf([first, answer ?? "", { ...next, parentUuid: "u2" }]));
  assertEquals(describeRescue(home.rescue({ dryRun: true })).split("\n").slice(0, 2), [
    "line 1: an entry that is its own parent: made the start of the conversation",
    "line 3: an entry that is its own parent: linked to the previous message",
  ]);
});

Deno.test("rescueSession() lists at most 200 findings and counts all", () => {
  using home = new Home(textOf([...Array<string>(500).fill("null"), ...exchange(1)]));
  const result = home.rescue({ dryRun: true });
  assertEquals([result.findings.length, result.counts], [200, { torn_line: 500 }]);
  assertMatch(describeRescue(result), /^\.\.\. and 460 more/m);
});

Deno.test("rescueSession() skips a torn entry, and attaches its child to another parent", () => {
  const whole = JSON.stringify(messageLine("a2", "u2", [{ type: "text", text: "torn" }]));
  const torn = whole.slice(0, -40);
  const [u3, a3] = exchange(3);
  const u2 = messageLine("u2", "a1", "question 2");
  using home = new Home(textOf([...exchange(1), u2, torn + JSON.stringify(u3), a3 ?? "", torn]));
  const { findings } = home.rescue();
  assertEquals(findings.map(({ line, kind }) => [line, kind]), [
    [4, "torn_line"],
    [4, "missing_parent"],
    [6, "torn_line"],
  ]);
  const parents = objectsOf(home).map(({ uuid, parentUuid }) => [uuid, parentUuid]);
  assertEquals(parents.slice(2), [["u2", "a1"], ["u3", "u2"], ["a3", "u3"]]);
});

Deno.test("rescueSession() does not read a part of a torn entry as an entry", () => {
  const inner = JSON.stringify({ type: "user", uuid: "x", sessionId: ID });
  for (const data of [`${inner},"uu`, `[${inner}]`]) {
    using home = new Home(textOf([...exchange(1), `{"type":"progress","data":${data}`]));
    assertEquals(home.rescue().counts, { torn_line: 1 });
    assertEquals(objectsOf(home).map(({ uuid }) => uuid), ["u1", "a1"]);
  }
});

Deno.test("rescueSession() removes NUL bytes anywhere", () => {
  const [u2, a2] = exchange(2).map((line) => JSON.stringify(line));
  const nul = "\0".repeat(100);
  using home = new Home(textOf([...exchange(1), nul, `${nul}${u2}${nul}`, `${a2}`]) + nul);
  assertEquals(home.rescue().counts, { nul_padding: 3 });
  assertEquals(objectsOf(home).map(({ uuid }) => uuid), ["u1", "a1", "u2", "a2"]);
});

Deno.test("rescueSession() keeps empty thinking unless the API has refused it or dropThinking is set", () => {
  const empty = { type: "thinking", thinking: "", signature: "c2lnbmF0dXJl" };
  const answer = { type: "text", text: "answer" };
  const lines = [...exchange(1), messageLine("a2", "a1", [empty, answer])];
  const text = "API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block";
  const refusal = messageLine("a3", "a2", [{ type: "text", text }], { isApiErrorMessage: true });
  using home = new Home(textOf(lines));
  assertEquals(home.rescue({ dryRun: true }).counts, {});
  assertEquals(home.rescue({ dryRun: true, dropThinking: true }).counts, { thinking: 1 });
  Deno.writeTextFileSync(home.path, textOf([...lines, refusal]));
  assertEquals(home.rescue().counts, { thinking: 1 });
  assertEquals(Object(objectsOf(home)[2]?.message).content, [answer]);
});

function progress(uuid: string, parentUuid: string | null, rest: Json = {}): Json {
  const { timestamp, sessionId } = messageLine(uuid.replace("p", "u"), null, "");
  return { parentUuid, isSidechain: false, type: "progress", uuid, sessionId, timestamp, ...rest };
}

Deno.test("rescueSession() keeps a first message whose parent is in another file", () => {
  const first = messageLine("u1", "elsewhere", "question 1");
  using home = new Home(textOf([first, ...exchange(1).slice(1)]));
  assertEquals(home.rescue().findings, []);
});

Deno.test("rescueSession() does not change entries of subagents or entries without a message", () => {
  const side = { isSidechain: true };
  using home = new Home(textOf([
    ...exchange(1),
    progress("p3", "gone"),
    messageLine("u4", "elsewhere", "of a subagent", side),
    progress("p5", "elsewhere", side),
    messageLine("a6", "p5", [{ type: "text", text: "of a subagent" }], side),
  ]));
  assertEquals(home.rescue().counts, {});
  assertEquals(contextOf(home.path)[0], null);
});
