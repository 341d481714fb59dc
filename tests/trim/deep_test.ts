import { assert, assertEquals, assertThrows } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import { imageTokens } from "../../src/transcript/tokens/pictures.ts";
import { trimSession } from "../../src/trim/trim_session.ts";
import { readNotice } from "../../src/core/marks.ts";
import { truncateContent, truncationNotice } from "../../src/trim/remainder.ts";
import { cutCount, trimByLength, type TrimCounts, type TrimOptions } from "./by_length.ts";
import {
  type Block,
  blocksIn,
  contentsOf,
  inputsOf,
  picture,
  resultsOf,
  SessionBuilder,
  type TestSession,
  text,
  thinking,
  toolUse,
  writeSession,
} from "./build_session.ts";
import { assertExactCounts, assertNoSecondCut, assertSameEntries } from "./invariants.ts";

const LONG = "const answer = 42; // a line\n".repeat(60);

/** Makes a deep trim, and checks the properties that hold for every trim. */
function trimDeep(session: TestSession, options: Partial<TrimOptions> = {}): TrimCounts {
  const deep = { depth: "deep", ...options } as const;
  const counts = trimByLength({ ...session, ...deep });
  assertExactCounts(session, counts);
  assertSameEntries(session);
  assertNoSecondCut(session.output, deep);
  return counts;
}

Deno.test("trimTranscript() counts the results of a tool whose name is a property of every object", () => {
  using session = new SessionBuilder().user(LONG).call("c", "constructor", {}, LONG)
    .assistant("m", [text(LONG)]).write();
  const tools = Object.entries(trimDeep(session).by_tool);
  assertEquals(tools.map(([tool, { count }]) => [tool, count]), [["constructor", 1]]);
});

Deno.test("trimTranscript() in a deep trim cuts the old and new text in calls that change files, but no other arguments", () => {
  const edits = [
    { old_string: LONG, new_string: "short", replace_all: true },
    { old_string: "a", new_string: LONG },
  ];
  const longer = LONG + "x";
  using session = new SessionBuilder()
    .user("please")
    .call("w", "Write", { content: LONG, file_path: "/w.ts" }, "ok")
    .call("e", "Edit", { file_path: "/e.ts", old_string: LONG, new_string: longer }, "ok")
    .call("m", "MultiEdit", { file_path: "/m.ts", edits }, "ok")
    .call("n", "NotebookEdit", { notebook_path: "/n.ipynb", cell_id: "c", new_source: LONG }, "ok")
    .call("b", "Bash", { command: LONG }, "ok")
    .write();
  const { inputs: savings, context_chars: chars } = trimDeep(session);
  const notice = (lineNumber: number, { length } = LONG): string =>
    truncationNotice(length, { threshold: 0, lineNumber, parentFile: "b82405ba" });
  assertEquals([...inputsOf(session.output).values()], [
    { content: notice(2), file_path: "/w.ts" },
    { file_path: "/e.ts", old_string: notice(4), new_string: notice(4, longer) },
    {
      file_path: "/m.ts",
      edits: [
        { old_string: notice(6), new_string: "short", replace_all: true },
        { old_string: "a", new_string: notice(6) },
      ],
    },
    { notebook_path: "/n.ipynb", cell_id: "c", new_source: notice(8) },
    { command: LONG },
  ]);
  assertEquals(savings, { count: 4, chars_saved: chars.before - chars.after });
  trimByLength({ ...session, output: `${session.output}2`, depth: "deep", keep: "head" });
  const content = String(inputsOf(`${session.output}2`).get("w")?.content);
  assert(content.startsWith(LONG.slice(0, 500)) && readNotice(content), "heads are kept");
});

Deno.test("trimTranscript() in a deep trim keeps text of exactly the threshold in a call", () => {
  const [kept, longer] = ["x".repeat(500), "x".repeat(501)];
  using session = new SessionBuilder().user("please")
    .call("a", "Write", { content: kept, file_path: "/a.ts" }, "ok")
    .call("b", "Write", { content: longer, file_path: "/b.ts" }, "ok")
    .write();
  assertEquals(trimDeep(session).inputs.count, 1);
  assertEquals(inputsOf(session.output).get("a")?.content, kept);
});

Deno.test("trimTranscript() leaves arguments of unexpected types unchanged", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("1", "Write", { file_path: "/w.ts", content: [LONG] }, "ok")
    .call("2", "MultiEdit", { file_path: "/m.ts", edits: JSON.stringify([LONG]) }, "ok")
    .call("3", "MultiEdit", { file_path: "/m.ts", edits: [LONG, { old_string: LONG }] }, "ok")
    .call("4", "Edit", { file_path: "/m.ts", old_string: null, inner: { old_string: LONG } }, "ok")
    .write();
  const before = inputsOf(session.input);
  trimDeep(session);
  const after = inputsOf(session.output);
  for (const id of ["1", "2", "4"]) assertEquals(after.get(id), before.get(id));
});

Deno.test("trimTranscript() describes the pictures and documents that it removes, and keeps those of the newest turn", () => {
  const pdf = btoa("%PDF-1.3\n" + "<< /Type /Page >>\n".repeat(3) + "x".repeat(3000));
  const source = { type: "base64", media_type: "application/pdf", data: pdf };
  using session = new SessionBuilder()
    .user([picture(640, 480), text("What is this?")])
    .call("r", "Read", { file_path: "/shot.png" }, [picture(1000, 1000)])
    .call("p", "Read", { file_path: "/paper.pdf" }, "PDF file read: /paper.pdf (3KB)")
    .user([{ type: "document", source }], { isMeta: true })
    .assistant("m1", [text("A cat.")])
    .user([picture(28, 28), text("And this?")])
    .assistant("m2", [text("A dog.")])
    .write();
  const counts = trimDeep(session);
  const [question, , shot, , , document] = contentsOf(session.output);
  const line = (kind: string, details: string, number: number): Block =>
    text(`[${kind} result masked -- ${details}. See line ${number} of b82405ba for full content]`);
  const png = (size: string, from: string): string =>
    `5000 bytes, type: "image/png", size: "${size}", from: ${from}`;
  const paper = `${
    atob(pdf).length
  } bytes, type: "application/pdf", from: "Read", file: "/paper.pdf"`;
  assertEquals(question, [line("image", png("640x480", '"user"'), 1), text("What is this?")]);
  const shown = png("1000x1000", '"Read", file: "/shot.png"');
  assertEquals(Object(shot)[0].content, [line("image", shown, 3)]);
  assertEquals(document, [line("document", paper, 6)]);
  assertEquals(
    contentsOf(session.output)[7],
    contentsOf(session.input)[7],
    "the newest turn is kept",
  );
  assertEquals([counts.images.count, counts.trimmed_count], [3, 0]);
  const saved = counts.tokens.before - counts.tokens.after;
  const expected = imageTokens(640, 480) + imageTokens(1000, 1000) + 3 * 2200;
  assert(Math.abs(saved - expected) < 200, `${saved} tokens, not ${expected}`);
});

Deno.test("trimTranscript() keeps the pictures of the newest results, and pictures without data", () => {
  const link = { type: "image", source: { type: "url", url: "https://example.org/a.png" } };
  using session = new SessionBuilder()
    .user([link, text("What is this?")])
    .call("1", "Read", { file_path: "/1.png" }, [picture(9, 9)])
    .call("2", "Read", { file_path: "/2.png" }, [picture(9, 9), link])
    .assistant("m", [text("A cat.")])
    .user("Fine.")
    .assistant("n", [text("Yes.")])
    .write();
  const counts = trimDeep(session, { keepRecent: 1 });
  assertEquals([counts.images.count, counts.kept_recent_count], [1, 1]);
  assertEquals(resultsOf(session.output).get("2"), resultsOf(session.input).get("2"));
  assertEquals(Object(contentsOf(session.output)[0])[0], link);
});

function sessionWithThinking(): SessionBuilder {
  return new SessionBuilder()
    .user("one")
    .assistant("m1", [thinking("first thought")])
    .assistant("m1", [text("Let me see.")])
    .assistant("m1", [toolUse("a", "Bash", {})])
    .result("a", "ok")
    .assistant("m2", [thinking("second thought"), text("Done.")])
    .user("two")
    .assistant("m3", [thinking("newest thought")])
    .assistant("m3", [toolUse("b", "Bash", {})])
    .result("b", "ok");
}

function thoughts(path: string): string[] {
  return blocksIn(path).filter(({ type }) => type === "thinking")
    .map((block) => String(block.thinking));
}

function thoughtsLeft(builder: SessionBuilder): string[] {
  using session = builder.write();
  trimDeep(session);
  return thoughts(session.output);
}

Deno.test("trimTranscript() removes the thinking of finished turns, but keeps every line", () => {
  using session = sessionWithThinking().write();
  const counts = trimDeep(session);
  assertEquals(thoughts(session.output), ["newest thought"]);
  assertEquals(contentsOf(session.output)[1], []);
  assertEquals(contentsOf(session.output)[5], [text("Done.")]);
  const chars_saved = "first thought".length + "second thought".length + 200;
  assertEquals(counts.thinking, { count: 2, chars_saved });
});

Deno.test("trimTranscript() counts a turn as finished once a later prompt is answered", () => {
  const last = [thinking("last"), text("ok")];
  const unanswered = sessionWithThinking().user("three");
  assertEquals(thoughtsLeft(unanswered), ["newest thought"]);
  // A prompt that is typed while a tool runs is sent with the tool's result, so it begins no new turn.
  const early = sessionWithThinking().user("three").assistant("m4", last);
  assertEquals(thoughtsLeft(early), ["newest thought", "last"]);
  const later = sessionWithThinking().assistant("m4", [text("ok")]).user("four");
  assertEquals(thoughtsLeft(later.assistant("m5", last)), ["last"]);
});

Deno.test("trimTranscript() does not count the client's own text as a new turn", () => {
  const left = (more: JsonObject): string[] => {
    const builder = new SessionBuilder().user("one")
      .assistant("m1", [thinking("a thought"), text("Done.")]);
    return thoughtsLeft(builder.user("two", more).assistant("m9", [text("ok")]));
  };
  const origin = { kind: "task-notification" };
  for (const more of [{ isMeta: true }, { isCompactSummary: true }, { origin }]) {
    assertEquals(left(more), ["a thought"]);
  }
  assertEquals(left({ origin: { kind: "human" } }), []);
});

Deno.test("trimTranscript() never removes everything that is sent of a model's message", () => {
  const left = (rest: Block[]): string[] => {
    const builder = new SessionBuilder().user("one").assistant("m1", [thinking("a thought")]);
    return thoughtsLeft(builder.assistant("m1", rest).user("two").assistant("m2", [text("ok")]));
  };
  // Blank text and a call without a result are not sent.
  for (const rest of [[], [text(" \n")], [toolUse("x", "Bash", {})]]) {
    assertEquals(left(rest), ["a thought"]);
  }
  assertEquals(left([text("hello")]), []);
  assertEquals(left([{ type: "server_tool_use", id: "s" }]), []);
});

Deno.test("trimTranscript() does not cut recent and protected calls, including the text that they wrote", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("1", "Write", { file_path: "/keep/a.ts", content: LONG }, LONG)
    .call("2", "Write", { file_path: "/b.ts", content: LONG }, LONG)
    .call("3", "Write", { file_path: "/c.ts", content: LONG }, LONG)
    .write();
  const counts = trimDeep(session, { protect: ["keep/"], keepRecent: 1 });
  const whole = [...inputsOf(session.output)].filter(([, input]) => input.content === LONG);
  assertEquals(whole.map(([id]) => id), ["1", "3"]);
  assertEquals([counts.protected_count, counts.kept_recent_count], [1, 1]);
});

Deno.test("trimTranscript() cuts the kinds of content that its options select", () => {
  const cutKinds = (options: Partial<TrimOptions>): string[] => {
    using session = new SessionBuilder()
      .user([picture(9, 9)])
      .call("w", "Write", { file_path: "/w.ts", content: LONG }, LONG)
      .assistant("m", [thinking("a thought"), text("ok")])
      .user("two")
      .assistant("n", [text("ok")])
      .write();
    const { trimmed_count, ...counts } = trimByLength({ ...session, ...options });
    const others = (["inputs", "images", "thinking"] as const).filter((kind) => counts[kind].count);
    return [...(trimmed_count > 0 ? ["results"] : []), ...others];
  };
  assertEquals(cutKinds({}), []);
  assertEquals(cutKinds({ dropImages: true }), ["images"]);
  // Models reject their thinking if earlier text has changed.
  assertEquals(cutKinds({ keep: "need" }), ["results", "thinking"]);
  assertEquals(cutKinds({ depth: "deep" }), ["results", "inputs", "images", "thinking"]);
  assertEquals(cutKinds({ depth: "deep", dropImages: false }), ["results", "inputs", "thinking"]);
});

Deno.test("trimTranscript() keeps images of the newest results unless the user drops all, and images smaller than a line", () => {
  const shot = (id: string, image: Block): [string, string, JsonObject, Block[]] => [
    ...[id, "mcp__shots__take", { path: `/${id}.png` }] as const,
    [text(`taken ${LONG}`), image, text(LONG)],
  ];
  const imagesLeft = (options: Partial<TrimOptions>): string[] => {
    using session = new SessionBuilder()
      .user([picture(90, 90)])
      .call(...shot("tiny", { type: "image", source: { type: "base64", data: "AAAA" } }))
      .call(...shot("old", picture(800, 600)))
      .call(...shot("protected", picture(800, 600)))
      .call(...shot("new", picture(800, 600)))
      .write();
    const protect = ["protected.png"];
    const { images } = trimByLength({ ...session, keepRecent: 1, protect, ...options });
    const left = [...resultsOf(session.output)].filter(([, content]) =>
      JSON.stringify(content).includes('"type":"image"')
    );
    return [`${images.count} dropped`, ...left.map(([id]) => id)];
  };
  assertEquals(imagesLeft({}), ["0 dropped", "tiny", "old", "protected", "new"]);
  assertEquals(imagesLeft({ depth: "deep" }), ["1 dropped", "tiny", "protected", "new"]);
  const named = { tools: ["Read"], dropImages: true };
  assertEquals(imagesLeft(named), ["1 dropped", "tiny", "old", "protected", "new"]);
  for (const keep of ["need", "head", "line"] as const) {
    for (const targetPercent of [undefined, 1]) {
      const options = { keep, targetPercent, limitTokens: 100_000 };
      const left = imagesLeft({ ...options, dropImages: true });
      assertEquals(left, ["3 dropped", "tiny", "protected"], keep);
    }
  }
});

Deno.test("trimTranscript() cuts only results and arguments of the tools that the user selected, at any depth", () => {
  for (const depth of ["light", "deep"] as const) {
    for (const keep of ["need", "head", "line"] as const) {
      using session = new SessionBuilder()
        .user("please")
        .call("w", "Write", { file_path: "/w.ts", content: LONG }, "ok")
        .call("b", "Bash", { command: "make" }, LONG)
        .call("r", "Read", { file_path: "/r.ts" }, LONG)
        .call("w2", "Write", { file_path: "/w.ts", content: `${LONG}2` }, "ok")
        .write();
      const options = { depth, keep, tools: ["Read"], keepRecent: 0 };
      const { by_tool: tools, inputs } = trimByLength({ ...session, ...options });
      assertEquals([Object.keys(tools), inputs.count], [["Read"], 0], `${depth}, ${keep}`);
    }
  }
});

function sessionWithRereads(): SessionBuilder {
  const read = (n: number): string => `version ${n}\n${LONG}`;
  return new SessionBuilder()
    .user("please")
    .call("command", "Bash", { command: "make" }, LONG)
    .call("first", "Read", { file_path: "/a.ts" }, read(1))
    .call("second", "Read", { file_path: "/a.ts" }, read(2))
    .call("third", "Read", { file_path: "/a.ts" }, read(3))
    .assistant("m", [text("ok")]);
}

function maskedIds(path: string): string[] {
  return [...resultsOf(path)].filter(([, content]) => /^\[\w+ result masked/.test(String(content)))
    .map(([id]) => id);
}

Deno.test("trimTranscript() masks the oldest results first until it reaches a target", () => {
  const ids = ["command", "first", "second", "third"];
  // Each result is about 600 tokens of 90,010.
  for (const [index, targetPercent] of [95, 90, 89.2, 88.5, 10].entries()) {
    using session = sessionWithRereads().write();
    const options = { ...session, targetPercent, limitTokens: 100_000 };
    const { target } = trimByLength(options);
    assertEquals(maskedIds(session.output), ids.slice(0, index), `${targetPercent} %`);
    const tokens = targetPercent * 1000;
    assertEquals(target, { percent: targetPercent, tokens, is_reached: index < 4 });
    const copy = { input: session.output, output: session.output + "2" };
    assertEquals(cutCount(trimByLength({ ...options, ...copy })), 0);
  }
});

Deno.test("trimTranscript() reports a target as reached if the smaller context equals it", () => {
  using session = sessionWithRereads().write();
  const at = (limitTokens: number): TrimCounts =>
    trimByLength({ input: session.input, targetPercent: 100, limitTokens });
  const { after } = at(1).tokens;
  assertEquals([after - 1, after].map((tokens) => at(tokens).target?.is_reached), [false, true]);
});

Deno.test("trimTranscript() cuts no more than a target needs in a deep trim", () => {
  using session = new SessionBuilder()
    .user([picture(1000, 1000), text("one")])
    .assistant("m1", [thinking("a thought", 3000), text("ok")])
    .call("w", "Write", { file_path: "/w.ts", content: LONG }, LONG)
    .assistant("m2", [text("ok")])
    .user("two")
    .assistant("m3", [text("ok")])
    .write();
  const at = (targetPercent: number): number[] => {
    const options = { input: session.input, targetPercent, limitTokens: 100_000 };
    const counts = trimByLength({ ...options, depth: "deep" });
    return [counts.images.count, counts.thinking.count, counts.inputs.count, counts.trimmed_count];
  };
  assertEquals(at(89), [1, 0, 0, 0]);
  assertEquals(at(88.5), [1, 1, 0, 0]);
  assertEquals(at(88), [1, 1, 1, 0]);
  assertEquals(at(87), [1, 1, 1, 1]);
});

Deno.test("trimTranscript() refuses invalid targets and empty globs", () => {
  using session = sessionWithRereads().write();
  const assertRefused = (options: Partial<TrimOptions>, message: string): void => {
    assertThrows(() => trimByLength({ ...session, ...options }), RangeError, message);
    assertThrows(() => Deno.statSync(session.output), Deno.errors.NotFound);
  };
  const limitTokens = 200_000;
  for (const targetPercent of [-1, 101, NaN]) {
    const message = `targetPercent must be a number from 0 to 100, got ${targetPercent}`;
    assertRefused({ targetPercent, limitTokens }, message);
  }
  assertRefused({ targetPercent: 50 }, "limitTokens must be a number above 0, got undefined");
  assertRefused({ targetPercent: 50, limitTokens: 0 }, "got 0");
  assertRefused({ targetPercent: 50, limitTokens: () => NaN }, "got NaN");
  assertRefused({ protect: [""] }, "a glob is empty");
  assertEquals(
    trimByLength({ ...session, targetPercent: 100, limitTokens }).target?.is_reached,
    true,
  );
});

Deno.test("trimTranscript() returns the lifetime of the cache and the time of the newest answer", () => {
  const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 12 };
  const usage = { input_tokens: 5, cache_creation };
  const message = { id: "n", model: "m", content: [text("ok")], usage };
  using session = sessionWithRereads().line({ type: "assistant", message }).write();
  const counts = trimByLength({ input: session.input });
  assertEquals(counts.cache_ttl_seconds, 3600);
  assertEquals(counts.newest_at, "2026-11-22T10:00:10.000Z");
});

Deno.test("trimSession() applies a target percentage to the session's own limit, and reports the trim's worth", () => {
  using session = sessionWithRereads().write();
  const result = trimSession({
    session: { id: "b82405ba-0000-4000-8000-000000000000", path: session.input },
    dryRun: true,
    // The limit is 167,000: each result is 0.4 % of it.
    targetPercent: 53.3,
    now: new Date("2026-11-22T10:02:00Z"),
  });
  assertEquals(result.target, { percent: 53.3, tokens: 89_011, is_reached: true });
  assertEquals([result.percent, result.trimmed_count], [{ before: 54, after: 53 }, 2]);
  assertEquals([result.worth.is_cache_warm, result.worth.cache_age_seconds], [true, 111]);
  assertEquals(result.worth.tokens_saved, result.tokens.before - result.tokens.after);
});

/** Makes a session whose billed usage shows how many tokens its texts cost. */
function billedSession(end = ""): TestSession {
  const builder = new SessionBuilder().user("please");
  for (let n = 0; n < 8; n++) {
    const usage = { input_tokens: 5000 + n * 2000, output_tokens: 90 };
    const content = [toolUse(`t${n}`, "Bash", { command: `cat ${n}` })];
    const message = { id: `m${n}`, model: "claude-sonnet-4-6", content, usage };
    builder.line({ type: "assistant", message: { ...message, stop_reason: "tool_use" } });
    builder.result(`t${n}`, `word ${n} and some more of it\n`.repeat(200) + end);
  }
  return builder.assistant("last", [text("ok")]).write();
}

Deno.test("trimTranscript() does not calibrate its estimate on spans with trimmed text", () => {
  const uncalibrated = { scale: 1, source: "prior", spans: 0 };
  using session = billedSession();
  assertEquals(trimByLength({ ...session, keep: "head" }).estimate.source, "session");
  assertEquals(trimByLength({ input: session.output }).estimate, uncalibrated);
  // One notice in a result is enough.
  const notice = truncateContent(LONG, { threshold: 0, parentFile: "/p.jsonl", lineNumber: 1 });
  using quoting = billedSession(notice);
  assertEquals(trimByLength(quoting).estimate, uncalibrated);
});

Deno.test("trimTranscript() cuts arguments on an unterminated last line, even after a space or a byte order mark", () => {
  const message = { id: "m", content: [toolUse("t", "Write", { content: LONG })] };
  const line = JSON.stringify({ type: "assistant", uuid: "a", parentUuid: null, message });
  for (const lead of ["", " ", "\ufeff"]) {
    using session = writeSession([]);
    Deno.writeTextFileSync(session.input, lead + line);
    const { inputs } = trimByLength({ ...session, depth: "deep", keepRecent: 0 });
    assertEquals(inputs.count, 1, JSON.stringify(lead));
  }
});
