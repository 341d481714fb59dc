import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { leftText, resultLeft } from "../../src/trim/left.ts";
import { generatePlaceholder, isAlreadyMasked } from "../../src/trim/placeholder.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import { readNotice } from "../../src/core/marks.ts";
import { trimTranscript } from "./by_length.ts";
import {
  parseLines,
  resultsOf,
  sentChars,
  SessionBuilder,
  text,
  toolUse,
} from "./build_session.ts";

const LONG = "a line of output\n".repeat(100);
const OPTIONS = {
  id: "t",
  keep: "line",
  threshold: 500,
  toolName: "Bash",
  input: {},
  lineNumber: 7,
  parentFile: "b82405ba",
} as const;

function maskText(content: string, more: { readonly threshold?: number } = {}): string {
  const options = { ...OPTIONS, ...more };
  const left = resultLeft(content, options);
  return left === undefined ? content : leftText(content, left, options);
}

Deno.test("maskText() keeps what is no longer than the threshold, in characters", () => {
  const smileys = "\u{1f600}".repeat(500);
  assertEquals(maskText(smileys), smileys);
  assert(isAlreadyMasked(maskText(smileys + "!")));
});

Deno.test("maskText() keeps what its placeholder would not make shorter", () => {
  assertEquals(maskText("short", { threshold: 0 }), "short");
});

Deno.test("maskText() keeps what is masked or truncated already", () => {
  const options = { threshold: 0 };
  for (
    const done of [
      "[masked]",
      generatePlaceholder("Read", LONG, { input: { file_path: "/x".repeat(100) } }),
      "head\n\n[...truncated - original was 1,700 chars, showing first 4. See line 2 of b82405ba for " +
      "full content]",
    ]
  ) assertEquals(maskText(done, options), done);
});

Deno.test("maskText() keeps the path of an output that the client has moved to a file", () => {
  const moved =
    "<persisted-output>\nOutput too large (50KB). Full output saved to: /s/out.txt\n\n" +
    "Preview (first 2KB):\n" + LONG + "</persisted-output>";
  const masked = maskText(moved);
  assertStringIncludes(masked, "/s/out.txt");
  assertFalse(masked.includes("a line of output"));
  assert(readNotice(masked));
});

Deno.test("maskText() keeps the line on where a shaped output is whole", () => {
  const line = shapedNotice({ chars: 30_000, lines: 900, path: "/p/toolu_1.txt" });
  const masked = maskText(`${line}\n${LONG}`);
  assert(masked.startsWith(`${line}\n\n[...truncated - original was `));
  assertEquals(maskText(masked, { threshold: 0 }), masked);
});

Deno.test("trimTranscript() masks with the words and the arguments of each call", () => {
  const command = "make " + "x".repeat(400);
  const wide = { b: 1, a: "two", c: true, d: "fourth", content: "y".repeat(9000) };
  using session = new SessionBuilder()
    .user("please")
    .call(
      "r",
      "Read",
      { limit: 100, file_path: "/a \u{1f600}.ts", offset: 5 },
      `     5→top\n${LONG}`,
    )
    .call("b", "Bash", { description: "builds", command }, LONG)
    .call("m", "mcp__web__get", wide, [text(LONG)])
    .call("g", "Grep", { pattern: '"quoted"', path: "src" }, LONG)
    .write();
  const counts = trimTranscript({
    ...session,
    keep: "line",
    tools: ["Read", "Bash", "mcp__web__get", "Grep"],
  });
  const results = resultsOf(session.output);
  const input = (name: string, value: unknown, lineNumber: number): string =>
    generatePlaceholder(name, LONG, { input: value, lineNumber, parentFile: "b82405ba" });
  assertEquals(
    results.get("r"),
    '[Read result masked -- 101 lines, file: "/a \u{1f600}.ts", offset: 5, limit: 100, ' +
      "starts with: top. See line 3 of b82405ba for full content]",
  );
  assertEquals(results.get("b"), input("Bash", { command }, 5));
  assertEquals(results.get("m"), [text(input("mcp__web__get", wide, 7))]);
  assertEquals(results.get("g"), input("Grep", { pattern: '"quoted"', path: "src" }, 9));
  assertEquals(counts.trimmed_count, 4);
  assertEquals(counts.by_tool.Read?.count, 1);
  assertEquals(sentChars(session.output).chars, counts.context_chars.after);
});

Deno.test("trimTranscript() masks only the tools it is told to, and cuts their mirrors", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("b", "Bash", { command: "ls" }, LONG, { toolUseResult: { stdout: LONG, stderr: "" } })
    .call("e", "Edit", { file_path: "/a" }, LONG, { toolUseResult: { filePath: "/a", old: LONG } })
    .write();
  trimTranscript({ ...session, keep: "line" });
  const [bash, edit] = parseLines(session.output).flatMap((line) => line.toolUseResult ?? []);
  assert(JSON.stringify(bash).length < 700);
  assertEquals(Object.keys(Object(bash)), ["stdout", "stderr"]);
  assertEquals(Object(edit).old, LONG);
  assertEquals(resultsOf(session.output).get("e"), LONG);
});

Deno.test("trimTranscript() masks a result that stands before its call, and one off the context", () => {
  const { lines } = new SessionBuilder()
    .user("please")
    .assistant("m1", [toolUse("a", "Bash", { command: "make all" })])
    .result("a", LONG)
    .assistant("m2", [text("done")]);
  const [question, call, result, answer] = lines;
  const side = {
    ...result,
    uuid: "side",
    parentUuid: "gone",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "s", content: LONG }] },
  };
  const sideCall = {
    ...call,
    uuid: "sideCall",
    parentUuid: null,
    message: { id: "m0", content: [toolUse("s", "Bash", { command: "make side" })] },
  };
  const builder = new SessionBuilder();
  builder.lines.push(
    ...[side, sideCall, result, question, call, answer].map((line) => ({ ...line })),
  );
  using session = builder.write();
  trimTranscript({ ...session, keep: "line" });
  const results = resultsOf(session.output);
  assertEquals(
    results.get("a"),
    '[Bash result masked -- 1700 bytes of output, command: "make all". ' +
      "See line 3 of b82405ba for full content]",
  );
  assertEquals(
    results.get("s"),
    '[Bash result masked -- 1700 bytes of output, command: "make side". ' +
      "See line 1 of b82405ba for full content]",
  );
});

Deno.test("trimTranscript() masks a call whose keys stand in another order", () => {
  const call =
    '{"type":"assistant","uuid":"c","parentUuid":null,"message":{"content":[{"name":"Bash",' +
    '"input":{"command":"make"},"id":"a","type":"tool_use"}, {"type":"tool_use","id":"b",' +
    '"name":"Bash","caller":{},"input":{"command":"make b"}}]}}';
  const result = (id: string): string =>
    JSON.stringify({
      type: "user",
      uuid: `r${id}`,
      parentUuid: "c",
      message: { content: [{ type: "tool_result", tool_use_id: id, content: LONG }] },
    });
  const builder = new SessionBuilder();
  builder.lines.push(JSON.parse(result("a")), JSON.parse(result("b")));
  using session = builder.write();
  const lines = Deno.readTextFileSync(session.input);
  Deno.writeTextFileSync(session.input, call + "\n" + lines);
  trimTranscript({ ...session, keep: "line" });
  const results = resultsOf(session.output);
  assertStringIncludes(String(results.get("a")), 'command: "make".');
  assertStringIncludes(String(results.get("b")), 'command: "make b".');
});

Deno.test("trimTranscript() keeps the results of calls that name a protected path, wherever they are", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("1", "Read", { file_path: "/work/src/auth/login.ts" }, LONG)
    .call("2", "Read", { file_path: "/work/src/other.ts" }, LONG)
    .call("3", "Bash", { command: "grep -n x src/auth/login.ts" }, LONG)
    .call("4", "Bash", { command: "ls" }, LONG)
    .write();
  const off = new SessionBuilder().call("5", "Read", { file_path: "src/auth/x.ts" }, LONG).lines;
  const lines = off.map((line) =>
    JSON.stringify({ ...line, uuid: `off${line.uuid}`, parentUuid: null })
  );
  const main = Deno.readTextFileSync(session.input);
  Deno.writeTextFileSync(session.input, lines.map((line) => line + "\n").join("") + main);
  const counts = trimTranscript({ ...session, protect: ["src/auth/**"] });
  const results = resultsOf(session.output);
  const whole = [...results].filter(([, content]) => content === LONG).map(([id]) => id);
  assertEquals(whole.sort(), ["1", "3", "5"]);
  assertEquals(counts.trimmed_count, 2);
  assertEquals(counts.protected_count, 2, "one is off the context");
  assertEquals(sentChars(session.output).chars, counts.context_chars.after);
});

Deno.test("trimTranscript() leaves a masked copy as it is, in either style", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("b", "Bash", { command: "x".repeat(400) }, LONG)
    .call("r", "Read", { file_path: "/a" }, [text(LONG), text("tail")])
    .write();
  trimTranscript({ ...session, keep: "line" });
  for (const keep of ["line", "head"] as const) {
    const again = trimTranscript({ input: session.output, keep, threshold: 20 });
    assertEquals(again.trimmed_count, 0, keep);
    assertEquals(again.bytes.before, again.bytes.after);
  }
});
