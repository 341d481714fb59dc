import { assert, assertEquals } from "@std/assert";
import { generatePlaceholder } from "../../src/trim/placeholder.ts";
import { trimTranscript } from "./by_length.ts";
import {
  parseLines,
  resultsOf,
  sentChars,
  SessionBuilder,
  text,
  toolUse,
  writeSession,
} from "./build_session.ts";

const LONG = "a line of output\n".repeat(100);
Deno.test("trimTranscript() masks each call with its tool's wording and its arguments", () => {
  const command = "make " + "x".repeat(400);
  const manyArguments = { b: 1, a: "two", c: true, d: "fourth", content: "y".repeat(9000) };
  using session = new SessionBuilder()
    .user("please")
    .call("r", "Read", { limit: 9, file_path: "/a \u{1f600}.ts", offset: 5 }, `     5→top\n${LONG}`)
    .call("b", "Bash", { description: "builds", command }, LONG)
    .call("m", "mcp__web__get", manyArguments, [text(LONG)])
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
    '[Read result masked -- 101 lines, file: "/a \u{1f600}.ts", offset: 5, limit: 9, ' +
      "starts with: top. See line 3 of b82405ba for full content]",
  );
  assertEquals(results.get("b"), input("Bash", { command }, 5));
  assertEquals(results.get("m"), [text(input("mcp__web__get", manyArguments, 7))]);
  assertEquals(results.get("g"), input("Grep", { pattern: '"quoted"', path: "src" }, 9));
  assertEquals(counts.trimmed_count, 4);
  assertEquals(counts.by_tool.Read?.count, 1);
  assertEquals(sentChars(session.output).chars, counts.context_chars.after);
});

Deno.test("trimTranscript() masks only the given tools, and cuts their mirrors", () => {
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

Deno.test("trimTranscript() masks a result that precedes its call, and a result outside the context", () => {
  const { lines: [question, call, result, answer] } = new SessionBuilder()
    .user("please")
    .assistant("m1", [toolUse("a", "Bash", { command: "make all" })])
    .result("a", LONG)
    .assistant("m2", [text("done")]);
  const content = [{ type: "tool_result", tool_use_id: "s", content: LONG }];
  const calls = [toolUse("s", "Bash", { command: "make side" })];
  const side = { ...result, uuid: "side", parentUuid: "gone", message: { role: "user", content } };
  const sideCall = { ...call, uuid: "sideCall", parentUuid: null, message: { content: calls } };
  const lines = [side, sideCall, result, question, call, answer];
  using session = writeSession(lines.map((line) => JSON.stringify(line)));
  trimTranscript({ ...session, keep: "line" });
  const placeholder = (what: string, line: number): string =>
    `[Bash result masked -- 1700 bytes of output, command: "make ${what}". ` +
    `See line ${line} of b82405ba for full content]`;
  const results = resultsOf(session.output);
  assertEquals([results.get("a"), results.get("s")], [
    placeholder("all", 3),
    placeholder("side", 1),
  ]);
});

Deno.test("trimTranscript() keeps the results of calls that name a protected path, in any position", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("1", "Read", { file_path: "/work/src/auth/login.ts" }, LONG)
    .call("2", "Read", { file_path: "/work/src/other.ts" }, LONG)
    .call("3", "Bash", { command: "grep -n x src/auth/login.ts" }, LONG)
    .call("4", "Bash", { command: "ls" }, LONG)
    .write();
  const unlinked =
    new SessionBuilder().call("5", "Read", { file_path: "src/auth/x.ts" }, LONG).lines;
  const lines = unlinked.map((line) =>
    JSON.stringify({ ...line, uuid: `unlinked${line.uuid}`, parentUuid: null })
  );
  const main = Deno.readTextFileSync(session.input);
  Deno.writeTextFileSync(session.input, lines.map((line) => line + "\n").join("") + main);
  const counts = trimTranscript({ ...session, protect: ["src/auth/**"] });
  const results = resultsOf(session.output);
  const whole = [...results].filter(([, content]) => content === LONG).map(([id]) => id);
  assertEquals(whole.sort(), ["1", "3", "5"]);
  assertEquals(counts.trimmed_count, 2);
  assertEquals(counts.protected_count, 2, "one result is outside the context");
  assertEquals(sentChars(session.output).chars, counts.context_chars.after);
});
