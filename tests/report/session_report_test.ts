import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertExists,
  assertStringIncludes,
} from "@std/assert";
import { DEFAULT_CONFIG, type InsideConfig } from "../../src/config/schema.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { totalCost } from "../../src/report/requests.ts";
import { readHistory, type SessionReport, sessionReport } from "../../src/report/session_report.ts";
import { sessionSections } from "../../src/report/session_sections.ts";
import { withSystemShares } from "../../src/report/system_shares.ts";
import { trimSession } from "../../src/trim/trim_session.ts";
import {
  call,
  NOW,
  PARENT,
  sampleLines,
  samplePlace,
  sampleReport,
  SECRET,
  SESSION,
  SessionLines,
  textLine,
} from "./sessions.ts";

async function reportOf(session: string | SessionLines): Promise<SessionReport> {
  using place = samplePlace();
  const path = `${place.projectDir}/session.jsonl`;
  Deno.writeTextFileSync(path, typeof session === "string" ? session : session.text());
  return await sampleReport(place, path);
}

function sessionWithOutput(words: number): SessionLines {
  return new SessionLines().prompt("Look")
    .answer([call("t1", "Bash", { command: "cat it" })], { write: 20_000 })
    .result("t1", "word ".repeat(words));
}

Deno.test("sessionReport() has the same numbers as status and a dry run", async () => {
  using place = samplePlace();
  const report = await sampleReport(place);
  const status = gaugeSession({
    transcript: place.transcript,
    config: DEFAULT_CONFIG.context,
    owner: { projectDir: "/nowhere", sessionId: "none" },
    env: () => undefined,
  });
  assertEquals<unknown>(report.pressure, status);
  const session = { id: SESSION, path: place.transcript };
  const dry = trimSession({ session, keepRecent: 1, dryRun: true, now: NOW });
  const { output: _, session_id: __, resume_command: ___, ...expected } = dry;
  const { output: _o, session_id: _s, resume_command: _r, ...trim } = report.trim;
  assertEquals(trim, expected);
  assertEquals(report.contents.tokens, dry.tokens.before);
});

Deno.test("sessionReport() says in its recommendation whether trimtab trims before a compaction", async () => {
  using place = samplePlace();
  const session = new SessionLines().prompt("read them");
  for (let n = 0; n < 9; n++) {
    session.answer([call(`t${n}`, "Read", { file_path: `/p/${n}.ts` })], { write: 1_600 });
    session.result(`t${n}`, `const answer${n} = compute(${n});\n`.repeat(200));
  }
  session.answer([textLine("Done.")], { write: 15_500 });
  Deno.writeTextFileSync(place.transcript, session.text());
  const { pressure } = await sampleReport(place);
  const level = "urgent" as const;
  const full = { ...pressure, source: "inside" as const, level, percent: 93, limit: 16_700 };
  const adviceOf = (inside: Partial<InsideConfig>): string =>
    sessionReport({
      session: { id: SESSION, path: place.transcript },
      projectDir: place.projectDir,
      pressure: full,
      config: { ...DEFAULT_CONFIG, inside: { ...DEFAULT_CONFIG.inside, ...inside } },
      now: NOW,
    }).recommendation;
  const certain = { compact_after_trim_percent: 100 };
  assertStringIncludes(adviceOf(certain), "now, or trimtab trims before the client compacts");
  const saving = { ...certain, before_compaction: "save" as const };
  assertStringIncludes(adviceOf(saving), "now to avoid lossy auto-compaction");
});

Deno.test("sessionReport() lists each request with its tokens, cache misses and cost", async () => {
  using place = samplePlace();
  const report = await sampleReport(place);
  const { requests, turns, marks } = report;
  assertEquals(
    requests.map((one) => [one.turn, one.tokens, one.missed_tokens, one.output_tokens]),
    [
      [1, 20_010, 0, 100],
      [1, 21_510, 0, 100],
      // This request did not read from the cache what the previous request had written to it.
      [1, 23_010, 21_510, 100],
      [2, 23_310, 0, 100],
      [2, 23_310, 0, 100],
      // After a compaction, the cache contains no part of the new context, so no tokens count as missed.
      [3, 12_010, 0, 100],
      [3, 14_010, 0, 100],
      [3, 15_510, 0, 100],
    ],
  );
  assertEquals(turns.map(({ number, requests }) => [number, requests]), [[1, 3], [2, 2], [3, 3]]);
  const [first, second] = turns;
  assertAlmostEquals(first?.agents ?? 0, 10 + 4_000 * 1.25 + 500);
  assertEquals(second?.agents, 0);
  const cost = requests.reduce((sum, one) => sum + totalCost(one.cost), 0);
  assertAlmostEquals(turns.reduce((sum, one) => sum + one.total - one.agents, 0), cost);
  const third = requests[2];
  assertAlmostEquals(third?.cost.cache_miss ?? 0, 21_510 * 1.25);
  assertAlmostEquals(third?.cost.cache_write ?? 0, (23_000 - 21_510) * 1.25);
  const hasMarks = (shown: typeof report): boolean =>
    JSON.stringify(sessionSections(shown)).includes("Compactions, trims and checkpoints");
  assertEquals([hasMarks(report), hasMarks({ ...report, marks: [] })], [true, false]);
  const positions = marks.map(({ kind, after }) => `${kind} ${after}`);
  assertEquals(positions, ["checkpoint 4", "compaction 5"]);
});

Deno.test("sessionReport() divides the context into kinds and tools", async () => {
  using place = samplePlace();
  const { contents, trim, largest_lines: lines } = await sampleReport(place);
  const kinds = ["system", "prompt", "answer", "thinking", "input", "result"];
  assertEquals(contents.groups.map(({ kind }) => kind), kinds);
  const sum = contents.groups.reduce((all, { tokens }) => all + tokens, 0);
  assertAlmostEquals(sum, contents.tokens + contents.since, 8);
  const results = contents.groups.find(({ kind }) => kind === "result");
  assertEquals(results?.parts.map(({ name, count }) => [name, count]), [["Read", 1], ["Grep", 1]]);
  for (const { tokens, parts } of contents.groups) {
    assertEquals(parts.reduce((all, part) => all + part.tokens, 0), tokens);
  }
  const [largest] = contents.largest;
  assertEquals([largest?.kind, largest?.tool], ["result", "Read"]);
  assertStringIncludes(largest?.about ?? "", "src/a.ts");
  // The newer of two results is kept in full.
  const freed = contents.largest.reduce((all, one) => all + one.freed, 0);
  assertAlmostEquals(freed, trim.tokens.before - trim.tokens.after, 3);
  assert(freed > 0);
  const line = sampleLines(place.projectDir).lines[(lines[0] ?? 0) - 1];
  assertStringIncludes(JSON.stringify(line), '"tool_use_id":"t5"');
});

Deno.test("readHistory() places the mark of a trimmed copy at the time of its trim", () => {
  using place = samplePlace();
  const [first, ...rest] = sampleLines(place.projectDir).lines;
  const trimmed = { trimmed_at: "2026-03-01T10:02:30Z", trimmed_count: 3 };
  const metadata = { parent_session_id: PARENT, ...trimmed };
  const lines = [{ ...first, trim_metadata: metadata }, ...rest];
  const copy = `${place.projectDir}/copy.jsonl`;
  Deno.writeTextFileSync(copy, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  const history = readHistory(copy);
  assertEquals(history.marks[0]?.text, "Trimmed copy: 3 results cut");
  assertEquals(history.marks.find(({ kind }) => kind === "trim")?.after, 1);
});

Deno.test("sessionReport() redacts a credential before it shortens the text", async () => {
  // Several spaces are shown as one, so the credential is shown although it is far from the beginning.
  for (const pad of [1_960, 1_980, 2_100]) {
    const { contents } = await reportOf(new SessionLines().prompt(" ".repeat(pad) + SECRET));
    assertEquals(contents.largest.map(({ about }) => about), ["[redacted: github-token]"]);
  }
});

Deno.test("sessionReport() counts all tokens of a line even if it reads only part of the line's text", async () => {
  const wordCount = 1_200_000;
  const reportWith = (count: number): Promise<SessionReport> =>
    reportOf(sessionWithOutput(count).answer([textLine("Seen.")], { read: 20_000, write: count }));
  const { contents, trim, requests } = await reportWith(wordCount);
  const [largest] = contents.largest;
  assertEquals([largest?.tool, largest?.chars], ["Bash", wordCount * 5]);
  assertEquals(contents.tokens, trim.tokens.before);
  assertEquals(requests.map(({ tokens }) => tokens), [20_010, 20_010 + wordCount]);
  // A line one tenth as long is read in full, and its tokens per word are the same.
  const tenth = (await reportWith(wordCount / 10)).contents.largest[0]?.tokens ?? 0;
  assertAlmostEquals((largest?.tokens ?? 0) / tenth, 10, 0.1);
});

Deno.test("sessionReport() distinguishes prompts from the client's reminders", async () => {
  const session = new SessionLines().prompt("Build it, please, with all of these words")
    .answer([textLine("Built.")], { read: 20_000 }).prompt("meta");
  Object.assign(session.lines.at(-1) ?? {}, { isMeta: true });
  // The output of a client command is not a prompt either.
  const printed = { type: "system", subtype: "local_command", content: "Total cost: 1" };
  session.prompt("printed");
  const { message: _message, ...line } = session.lines.at(-1) ?? {};
  session.lines.splice(-1, 1, { ...line, ...printed });
  const { contents } = await reportOf(session);
  const countOf = (kind: string) => contents.groups.find((one) => one.kind === kind)?.count;
  assertEquals([countOf("prompt"), countOf("reminder")], [1, 2]);
  assertEquals(contents.largest.map(({ kind, about }) => `${kind}: ${about.slice(0, 13)}`).sort(), [
    "answer: Built.",
    "prompt: Build it, ple",
    "reminder: Total cost: 1",
    "reminder: meta",
  ]);
});

Deno.test("sessionReport() scales estimates down to the API's count, and keeps the system part", async () => {
  // An estimate from this text far exceeds the tokens that were billed for it.
  const session = sessionWithOutput(200_000)
    .answer([textLine("Seen.")], { read: 20_000, write: 150_000 }).prompt("word ".repeat(9_000));
  const { contents, pressure } = await reportOf(session);
  const sum = contents.groups.reduce((all, { tokens }) => all + tokens, 0);
  assertAlmostEquals(sum, contents.tokens + contents.since, 8);
  const system = contents.groups.find(({ kind }) => kind === "system")?.tokens ?? 0;
  assert(system > 19_000 && system < 21_000, `${system}`);
  for (const { tokens, freed } of contents.largest) assert(tokens <= pressure.window && freed >= 0);
});

Deno.test("sessionReport() says that the system part includes messages that are no longer sent if a parent is missing", async () => {
  const session = new SessionLines().prompt("Look").answer([textLine("Yes.")], { write: 140_000 })
    .prompt("Go on").answer([textLine("Done.")], { write: 150_000 });
  const [, , second] = session.lines;
  assertExists(second);
  second.parentUuid = "0b3a1a0e-0000-4000-8000-000000000000";
  const { contents } = await reportOf(session);
  const [system] = contents.groups.filter(({ kind }) => kind === "system");
  assertEquals(system?.name, "System, tools, and messages no longer sent");
  assertEquals(system?.parts.map(({ name }) => name), [system?.name]);
  const shares = [{ name: "Tools", count: 14, tokens: 1 }];
  assertEquals(withSystemShares(contents, shares), contents);
});

Deno.test("sessionReport() joins the names in an attachment with commas", async () => {
  const session = new SessionLines().prompt("Look").answer([textLine("Yes.")], { read: 20_000 })
    .prompt("");
  const last = session.lines.at(-1) ?? {};
  delete last.message;
  const addedNames = ["mcp__browser__click", "mcp__browser__open"];
  const attachment = { type: "deferred_tools_delta", addedNames };
  Object.assign(last, { type: "attachment", attachment });
  const { contents } = await reportOf(session);
  assert(contents.largest.some(({ about }) => about === addedNames.join(", ")));
});

Deno.test("sessionReport() returns the same line number for two entries on one line", async () => {
  const text = new SessionLines().prompt("One").prompt("Two, which is longer").text();
  const { contents, largest_lines: lines } = await reportOf(text.replace("\n", ""));
  assertEquals(contents.largest.map(({ about }) => about), ["Two, which is longer", "One"]);
  assertEquals(lines, [1, 1]);
});

Deno.test("sessionReport() returns an empty report for a session without an answer", async () => {
  for (const text of ["", "not json\n", '{"type":"user"}\n{"type":"assistant","message":{}}']) {
    const report = await reportOf(text);
    assertEquals([report.requests, report.turns, report.contents.groups], [[], [], []]);
  }
});
