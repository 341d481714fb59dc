import { assert, assertEquals, assertMatch } from "@std/assert";
import { judgeResume } from "../../../src/doctor/check/sessions.ts";
import { describeReport } from "../../../src/doctor/check/text.ts";
import { newFolder } from "../../folder.ts";
import { CORPUS, corpusTest, sessionFiles } from "../../corpus/corpus.ts";
import { BROKEN_SESSIONS, TOLERATED } from "../../e2e/rescue_cases.ts";
import { Home } from "./doctor.ts";

/** Returns the verdict that follows from the real client's behavior. */
function expected(name: string, before: object): "refused" | "nothing" {
  // The client retries without images, and never writes a line that is null.
  if (/^(?:an image whose|many images|a line that is null)/.test(name)) return "nothing";
  return "loses" in before ? "nothing" : "refused";
}

function judge(lines: readonly unknown[], finish = (text: string): string => text): string {
  using folder = newFolder();
  const path = `${folder.path}/session.jsonl`;
  const texts = lines.map((line, index) => {
    const timestamp = new Date(1_700_000_000_000 + index * 1_000).toISOString();
    if (typeof line === "string") return line;
    return JSON.stringify({ isSidechain: false, timestamp, ...Object(line) });
  });
  Deno.writeTextFileSync(path, finish(texts.map((text) => `${text}\n`).join("")));
  return judgeResume(path).refused.length > 0 ? "refused" : "nothing";
}

function entry(type: string, uuid: string, parentUuid: string | null, content: unknown): object {
  return { type, uuid, parentUuid, message: { role: type, content } };
}

for (const { name, lines, end = "a2", before, finish } of BROKEN_SESSIONS) {
  Deno.test(`judgeResume() judges ${name} as the client does`, () => {
    const last = [
      entry("user", "uz", end, "question z"),
      entry("assistant", "az", "uz", [{ type: "text", text: "answer z" }]),
    ];
    // A refusal by the API does not matter if a message follows it.
    const isRefusal = name.includes("which the API has refused");
    assertEquals(judge([...lines, ...(isRefusal ? [] : last)], finish), expected(name, before));
    if (isRefusal) assertEquals(judge([...lines, ...last], finish), "nothing");
  });
}

Deno.test("judgeResume() ignores problems that the client tolerates", () => {
  assertEquals(judge(TOLERATED.lines), "nothing");
});

Deno.test("judgeResume() ignores problems outside the active context", () => {
  const lines = [
    entry("user", "u1", null, "question"),
    entry("assistant", "a1", "u1", [{ type: "tool_use", id: "x.1", name: "Bash", input: {} }]),
    entry("user", "u2", "u1", "the same question"),
    entry("assistant", "a2", "u2", [{ type: "text", text: "answer" }]),
  ];
  assertEquals(judge(lines), "nothing");
  assertEquals(judge(lines.slice(0, 2)), "refused");
});

Deno.test("judgeResume() finds a conversation that has lost its beginning", () => {
  const lines = [
    entry("user", "u1", null, "hello"),
    entry("assistant", "a1", "u1", [{ type: "text", text: "answer" }]),
    { type: "progress", uuid: "p1", parentUuid: "gone" },
    entry("user", "u2", "p1", "go on"),
  ];
  using home = new Home();
  assertEquals(judgeResume(home.session(lines)).cutOff, "unlinked");
  const { findings } = home.doctor();
  const found = findings.find(({ id }) => id === "session_cut_off");
  assertMatch(found?.fix ?? "", /^Run `trimtab rescue \/.*\.jsonl`/);
  using whole = new Home();
  assertEquals(judgeResume(whole.session(lines.slice(0, 2))).cutOff, null);
});

Deno.test("judgeResume() finds a trim that the client did not finish", () => {
  using home = new Home();
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
  const path = home.session([
    entry("user", "u1", null, "hello"),
    boundary,
    { ...entry("user", "u2", "b", "hello"), promptId: "p" },
  ]);
  assertEquals(judgeResume(path).isUnfinished, true);
  const found = home.doctor().findings.find(({ id }) => id === "session_cut_off");
  assertMatch(found?.problem ?? "", /was stopped during a trim/);
});

Deno.test("judgeResume() recognizes a file that begins in the middle, and runDoctor() reports it only if it begins with an answer", () => {
  using home = new Home();
  const path = home.session([entry("user", "u2", "elsewhere", "go on")]);
  assertEquals(judgeResume(path).cutOff, "absent");
  assertEquals(home.doctor().findings.filter(({ id }) => id.startsWith("session")), []);
  using answered = new Home();
  answered.session([entry("assistant", "a1", "gone", [{ type: "text", text: "answer" }])]);
  const found = answered.doctor().findings.find(({ id }) => id === "session_cut_off");
  assertMatch(found?.problem ?? "", /begins with an answer/);
});

corpusTest("judgeResume() finds no problem in real sessions, all of which resume", () => {
  const small = sessionFiles.filter((name) => Deno.statSync(`${CORPUS}/${name}`).size < 500_000);
  assert(small.length > 10);
  for (const name of small) {
    assertEquals([name, judgeResume(`${CORPUS}/${name}`).refused], [name, []]);
  }
});

Deno.test("runDoctor() explains on one line why a session does not resume", () => {
  using home = new Home();
  const call = { type: "tool_use", id: "a.1", name: "Bash", input: {} };
  const blocks = [call, { ...call, id: "a.2" }, { type: "thinking", thinking: "t" }];
  home.session([entry("user", "u1", null, "go"), entry("assistant", "a1", "u1", blocks)]);
  const report = home.doctor();
  const [refused, ...others] = report.findings;
  const ids = others.map(({ id }) => id).sort();
  assertEquals([refused?.id, ...ids], ["session_refused", "hooks_not_registered"]);
  assertEquals(
    refused?.problem,
    "Problems: a call id that the API does not accept; thinking without a signature.",
  );
  assertMatch(refused?.fix ?? "", /^Run `trimtab rescue \/.*\.jsonl`; it writes/);
  const text = describeReport({ ...report, project: "/p" }, false);
  assert(!text.split("\n").some((line) => line.includes("\r")));
});
