import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { rescueSession } from "../../../src/doctor/repair/rescue.ts";
import { describeRescue } from "../../../src/doctor/repair/text.ts";
import { findActiveContext } from "../../../src/transcript/tree/active_context.ts";
import { LONG_LINE_BYTES } from "../../../src/transcript/long_lines.ts";
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

Deno.test("rescueSession() writes nothing when nothing is wrong", () => {
  using home = new Home(textOf([...exchange(1), ...exchange(2)]).trimEnd());
  const result = home.rescue();
  assertEquals(result, {
    session_id: null,
    parent_session_id: ID,
    output: null,
    findings: [],
    counts: {},
    totals: { found: 0, changed: 0 },
    resume_command: null,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: false,
  });
  assertMatch(describeRescue(result), /The session resumes as it is, so no copy was written\.$/);
  assertEquals([...Deno.readDirSync(home.sessions)].map(({ name }) => name), [`${ID}.jsonl`]);
});

Deno.test("rescueSession() writes nothing when the client tolerates every problem", () => {
  const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "t2", content: "text" };
  using home = new Home(
    textOf([...exchange(1), messageLine("a2", "a1", [call]), messageLine("u3", "a2", [result])]),
  );
  const rescued = home.rescue();
  assertEquals(rescued.counts, { orphan_call: 1, orphan_result: 1 });
  assertEquals(rescued.findings.map(({ line, action }) => [line, action]), [[3, "kept"], [
    4,
    "kept",
  ]]);
  assertEquals([rescued.totals, rescued.output], [{ found: 2, changed: 0 }, null]);
});

Deno.test("rescueSession() keeps a line byte for byte when nothing in it is wrong", () => {
  const odd = `{ "type" : "future" , "sessionId":"${ID}","n":1.0,"big":12345678901234567890,"n":2}`;
  const lines = [...exchange(1).map((line) => JSON.stringify(line)), odd, "", '{"type":"mode"}\r'];
  using home = new Home(textOf([...lines, "null", ...exchange(2)]));
  const before = Deno.readFileSync(home.path);
  const { counts, output, session_id, resume_command } = home.rescue();
  assertEquals(counts, { not_an_entry: 1 });
  assertEquals([session_id, output], [COPY, `${home.sessions}/${COPY}.jsonl`]);
  assertEquals(resume_command, `claude --resume ${COPY}`);
  assertEquals(home.copied(), [...lines, ...exchange(2).map((line) => JSON.stringify(line))]);
  assertEquals(Deno.readFileSync(home.path), before);
  assertEquals((Deno.statSync(output ?? "").mode ?? 0) & 0o777, 0o600);
});

Deno.test("rescueSession() records the copy's origin on its first entry", () => {
  using home = new Home(textOf(["[]", ...exchange(1)]));
  const { output } = home.rescue();
  const [first = "", , title = ""] = Deno.readTextFileSync(output ?? "").split("\n");
  const { rescue_metadata: metadata } = JSON.parse(first);
  assertEquals({ ...metadata, trimtab_version: "" }, {
    parent_file: home.path,
    parent_session_id: ID,
    rescued_at: NOW.toISOString(),
    counts: { not_an_entry: 1 },
    trimtab_version: "",
  });
  assertEquals(JSON.parse(title), {
    type: "custom-title",
    customTitle: "question 1 (rescued)",
    sessionId: COPY,
  });
});

Deno.test("rescueSession() copies the task list and the file history", () => {
  using home = new Home(textOf(["[]", ...exchange(1)]));
  for (const [kind, file] of [["tasks", "1.json"], ["file-history", "hash@v1"]]) {
    ensureDirSync(`${home.config}/${kind}/${ID}`);
    Deno.writeTextFileSync(`${home.config}/${kind}/${ID}/${file}`, "{}");
  }
  assertEquals(home.rescue().owned, { tasks: 1, file_history: 1, notes: [] });
  assertEquals(Deno.readTextFileSync(`${home.config}/tasks/${COPY}/1.json`), "{}");
});

Deno.test("rescueSession() writes nothing with dryRun, and says what it would do", () => {
  using home = new Home(textOf(["[]", ...exchange(1)]));
  const result = home.rescue({ dryRun: true });
  assertEquals([result.session_id, result.dry_run], [COPY, true]);
  assertEquals([...Deno.readDirSync(home.sessions)].length, 1);
  assertMatch(describeRescue(result), /^line 1: 2 bytes of JSON that is not an entry: left out$/m);
  assertMatch(describeRescue(result), /This was a dry run\. Without --dry-run/);
});

Deno.test("rescueSession() lists at most 200 findings and counts all", () => {
  using home = new Home(textOf([...Array<string>(500).fill("null"), ...exchange(1)]));
  const result = home.rescue({ dryRun: true });
  assertEquals([result.findings.length, result.counts], [200, { not_an_entry: 500 }]);
  assertMatch(describeRescue(result), /^\.\.\. and 460 more/m);
});

Deno.test("rescueSession() throws NotFound for a file that is gone", () => {
  const session = { id: ID, path: `/nowhere/${ID}.jsonl` };
  assertThrows(() => rescueSession({ session }), Deno.errors.NotFound);
});

Deno.test("rescueSession() reads around a torn entry, and gives its child another parent", () => {
  const torn = JSON.stringify(messageLine("a2", "u2", [{ type: "text", text: "torn" }])).slice(
    0,
    -40,
  );
  const [u3, a3] = exchange(3);
  using home = new Home(textOf([
    ...exchange(1),
    messageLine("u2", "a1", "question 2"),
    torn + JSON.stringify(u3),
    a3 ?? "",
    torn,
  ]));
  const { findings } = home.rescue();
  assertEquals(findings.map(({ line, kind }) => [line, kind]), [
    [4, "torn_line"],
    [4, "concatenated"],
    [4, "missing_parent"],
    [6, "torn_line"],
  ]);
  const parents = objectsOf(home).map(({ uuid, parentUuid }) => [uuid, parentUuid]);
  assertEquals(parents.slice(2), [["u2", "a1"], ["u3", "u2"], ["a3", "u3"]]);
});

Deno.test("rescueSession() does not read a part of a torn entry as an entry", () => {
  const inner = JSON.stringify({ type: "user", uuid: "x", sessionId: ID });
  for (
    const torn of [`{"type":"progress","data":${inner},"uu`, `{"type":"progress","data":[${inner}]`]
  ) {
    using home = new Home(textOf([...exchange(1), torn]));
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

Deno.test("rescueSession() replaces unpaired surrogates, written either way", () => {
  const line = JSON.stringify(messageLine("u2", "a1", "cut \ud83d, whole \u{1f600}, raw ???"));
  const bytes = new TextEncoder().encode(textOf([...exchange(1), line]));
  // Some writers encode a lone surrogate like this, which is not valid UTF-8.
  bytes.set([0xed, 0xa0, 0xbd], new TextDecoder("latin1").decode(bytes).indexOf("???"));
  using home = new Home(bytes);
  assertEquals(home.rescue().findings.map(({ what }) => what), ["2 unpaired surrogates"]);
  const { message } = objectsOf(home)[2] ?? {};
  assertEquals(Object(message).content, "cut \ufffd, whole \u{1f600}, raw \ufffd");
});

Deno.test("rescueSession() keeps all of a very long text in a message that it repairs", () => {
  const long = "x".repeat(LONG_LINE_BYTES);
  const broken = messageLine("u2", "a1", [{ type: "text", text: long }, null]);
  using home = new Home(textOf([...exchange(1), messageLine("u9", "a1", long), broken]));
  assertEquals(home.rescue().counts, { content: 1 });
  const [, , untouched, changed] = objectsOf(home);
  assertEquals(Object(untouched?.message).content === long, true);
  assertEquals(Object(changed?.message).content[0].text === long, true);
});

Deno.test("rescueSession() gives children of a removed entry the nearest kept ancestor as parent", () => {
  const broken = (uuid: string, parentUuid: string): Json => ({
    ...messageLine(uuid, parentUuid, ""),
    type: "attachment",
    attachment: null,
  });
  const boundary = {
    ...messageLine("b", null, ""),
    type: "system",
    subtype: "compact_boundary",
    logicalParentUuid: "x2",
    compactMetadata: {
      trigger: "auto",
      preservedMessages: { anchorUuid: "s", uuids: ["x1", "a1"], allUuids: ["x1", "x2", "a1"] },
      preservedSegment: { headUuid: "u1", anchorUuid: "s", tailUuid: "x2" },
    },
  };
  using home = new Home(textOf([
    ...exchange(1),
    broken("x1", "a1"),
    broken("x2", "x1"),
    messageLine("u2", "x2", "question 2"),
    boundary,
    { type: "last-prompt", leafUuid: "x2", sessionId: ID },
  ]));
  assertEquals(home.rescue().counts, { attachment: 2, missing_parent: 1, lost_reference: 2 });
  const [, , u2, compacted, prompt] = objectsOf(home);
  assertEquals([u2?.parentUuid, prompt?.leafUuid], ["a1", "a1"]);
  assertEquals(compacted, {
    ...boundary,
    message: { role: "user", content: "" },
    logicalParentUuid: "a1",
    compactMetadata: {
      trigger: "auto",
      preservedMessages: { anchorUuid: "s", uuids: ["a1"], allUuids: ["a1"] },
      preservedSegment: { headUuid: "u1", anchorUuid: "s", tailUuid: "a1" },
    },
  });
});

Deno.test("rescueSession() restores the part of a large session that a missing parent hides", () => {
  const lines = [...exchange(1), messageLine("u2", "gone", "question 2"), ...exchange(2).slice(1)];
  using home = new Home(textOf(lines));
  const read = (path: string): string[] => {
    using file = Deno.openSync(path);
    const context = findActiveContext(file, file.statSync().size, { maxWholeFileBytes: 0 });
    return context.nodes.map(({ uuid }) => uuid);
  };
  const { output } = home.rescue();
  assertEquals(read(output ?? ""), ["u1", "a1", "u2", "a2"]);
});

Deno.test("rescueSession() gives an entry a unique id, and its children follow", () => {
  using home = new Home(textOf([
    ...exchange(1),
    messageLine("u2", "a1", "question 2"),
    { ...messageLine("a2", "u2", [{ type: "text", text: "answer 2" }]), uuid: "u2" },
    messageLine("u3", "u2", "question 3"),
    messageLine("u3", "u2", "question 3"),
  ]));
  const { findings } = home.rescue();
  assertEquals(findings.map(({ line, kind, action }) => [line, kind, action]), [
    [4, "duplicate_uuid", "renamed"],
    [6, "duplicate_uuid", "kept"],
  ]);
  const ids = objectsOf(home).slice(2).map(({ uuid, parentUuid }) => [uuid, parentUuid]);
  const [, [name] = []] = ids;
  assertMatch(String(name), /^new-/);
  assertEquals(ids, [["u2", "a1"], [name, "u2"], ["u3", name], ["u3", name]]);
});

Deno.test("rescueSession() leaves a first message whose parent is in another file", () => {
  using home = new Home(
    textOf([messageLine("u1", "elsewhere", "question 1"), ...exchange(1).slice(1)]),
  );
  assertEquals(home.rescue().totals, { found: 1, changed: 0 });
});

Deno.test("rescueSession() leaves empty thinking unless the API is known to refuse it", () => {
  const empty = { type: "thinking", thinking: "", signature: "c2lnbmF0dXJl" };
  const lines = [
    ...exchange(1),
    messageLine("a2", "a1", [empty, { type: "text", text: "answer" }]),
  ];
  const refused = [{
    type: "text",
    text: "API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block",
  }];
  using home = new Home(textOf(lines));
  assertEquals(home.rescue({ dryRun: true }).counts, {});
  assertEquals(home.rescue({ dryRun: true, dropThinking: true }).counts, { thinking: 1 });
  Deno.writeTextFileSync(
    home.path,
    textOf([...lines, messageLine("a3", "a2", refused, { isApiErrorMessage: true })]),
  );
  assertEquals(home.rescue().counts, { thinking: 1 });
  const { message } = objectsOf(home)[2] ?? {};
  assertEquals(Object(message).content, [{ type: "text", text: "answer" }]);
});

Deno.test("rescueSession() makes the entry that keeps the id the parent of the renamed one", () => {
  const duplicate = { type: "system", content: "a notice", uuid: "u1", parentUuid: "gone" };
  using home = new Home(textOf([messageLine("u1", null, "question 1"), duplicate]));
  assertEquals(home.rescue().counts, { duplicate_uuid: 1, missing_parent: 1 });
  assertEquals(objectsOf(home).map(({ uuid, parentUuid }) => [uuid, parentUuid]), [
    ["u1", null],
    ["new-3", "u1"],
  ]);
});

Deno.test("rescueSession() compares ids after it replaces lone surrogates", () => {
  const second = { type: "system", content: "a notice", uuid: "u\ude00", parentUuid: null };
  using home = new Home(textOf([messageLine("u\ud83d", null, "question 1"), second]));
  assertEquals(home.rescue().counts, { lone_surrogate: 2, duplicate_uuid: 1 });
  assertEquals(objectsOf(home).map(({ uuid }) => uuid), ["u\ufffd", "new-3"]);
});

Deno.test("rescueSession() gives its copy a complete title when the first prompt is broken", () => {
  const broken = textOf([messageLine("u1", null, "one \ud83d two")]);
  using home = new Home(broken);
  const { output } = home.rescue();
  const title = Deno.readTextFileSync(output ?? "").split("\n").at(-2) ?? "";
  assertEquals(JSON.parse(title).customTitle, "one \ufffd two (rescued)");
});

function progress(uuid: string, parentUuid: string | null, rest: Json = {}): Json {
  const { timestamp, sessionId } = messageLine(uuid.replace("p", "u"), null, "");
  return { parentUuid, isSidechain: false, type: "progress", uuid, sessionId, timestamp, ...rest };
}

Deno.test("rescueSession() reconnects a message whose ancestors end at a missing parent", () => {
  const lines = [
    ...exchange(1),
    ...exchange(2),
    progress("p30", "gone"),
    progress("p31", "p30"),
    messageLine("u40", "p31", "question"),
    messageLine("a41", "u40", [{ type: "text", text: "answer" }]),
  ];
  using home = new Home(textOf(lines));
  using before = Deno.openSync(home.path);
  const cut = findActiveContext(before, before.statSync().size);
  assertEquals([cut.cutOff, cut.nodes.map(({ uuid }) => uuid)], ["unlinked", ["u40", "a41"]]);
  const { counts, output } = home.rescue();
  assertEquals(counts, { missing_parent: 1 });
  using after = Deno.openSync(output ?? "");
  const whole = findActiveContext(after, after.statSync().size);
  assertEquals(whole.cutOff, null);
  assertEquals(whole.nodes.map(({ uuid }) => uuid), ["u1", "a1", "u2", "a2", "u40", "a41"]);
});

Deno.test("rescueSession() says that a file that begins in the middle cannot be reconnected", () => {
  const lines = [
    progress("p1", "gone"),
    messageLine("u2", "p1", "go on"),
    messageLine("a3", "u2", [{ type: "text", text: "answer" }]),
  ];
  using home = new Home(textOf(lines));
  const result = home.rescue();
  assertEquals([result.counts, result.totals, result.output], [
    { missing_parent: 1 },
    { found: 1, changed: 0 },
    null,
  ]);
  assertMatch(
    describeRescue(result),
    /^line 1: the conversation begins in the middle: the file has no earlier messages: kept\n/,
  );
  assertStringIncludes(
    describeRescue(result),
    "The session resumes as it is, so no copy was written.",
  );
});

Deno.test("rescueSession() leaves entries of subagents and those without a message", () => {
  const side = { isSidechain: true };
  using home = new Home(textOf([
    ...exchange(1),
    progress("p3", "gone"),
    messageLine("u4", "elsewhere", "of a subagent", side),
    progress("p5", "elsewhere", side),
    messageLine("a6", "p5", [{ type: "text", text: "of a subagent" }], side),
  ]));
  assertEquals(home.rescue().counts, {});
  using file = Deno.openSync(home.path);
  assertEquals(findActiveContext(file, file.statSync().size).cutOff, null);
});
