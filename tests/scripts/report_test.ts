import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sampleLines, SESSION, SessionLines } from "../report/sessions.ts";
import { newPlace } from "./place.ts";

Deno.test("trimtab report writes a page with just its permissions, in the project or to the path of -o", async () => {
  using place = newPlace();
  place.add(SESSION, sampleLines(place.cwd).lines);
  const printed = await place.launch(["report", "--json"]);
  assertEquals([printed.code, printed.stderr], [0, ""]);
  const { path, bytes, opened, report } = JSON.parse(printed.stdout);
  assertEquals(path, `${place.cwd}/.claude/trimtab/reports/${SESSION}.html`);
  assertEquals([Deno.statSync(path).size, opened], [bytes, null]);
  assertStringIncludes(Deno.readTextFileSync(path), "Session 22222222");
  const status = JSON.parse((await place.run("scripts/status.ts", ["--json"])).stdout);
  const { pressure, recommendation, session_id } = report;
  assertEquals(
    [
      session_id,
      pressure.tokens,
      pressure.window,
      pressure.percent,
      pressure.level,
      recommendation,
    ],
    [
      status.session_id,
      status.tokens,
      status.window,
      status.percent,
      status.level,
      status.recommendation,
    ],
  );
  const dry = JSON.parse((await place.run("scripts/trim.ts", ["--dry-run", "--json"])).stdout);
  const { trim } = report;
  assertEquals(
    [trim.tokens, trim.percent, trim.context_chars, trim.by_tool, trim.bytes],
    [dry.tokens, dry.percent, dry.context_chars, dry.by_tool, dry.bytes],
  );
  for (const outputArgs of [["-o", "my page.html"], ["--output=my page.html"]]) {
    const { code, stdout, stderr } = await place.launch(["report", SESSION, ...outputArgs]);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^Wrote .*\/my page\.html \(\d+KB\)\.\n$/);
    Deno.removeSync(`${place.cwd}/my page.html`);
  }
  assert(place.files().includes(`project/.claude/trimtab/reports/${SESSION}.html`));
  assert(place.files().every((file) => !file.includes("trimtab-tmp-")), place.files().join("\n"));
});

Deno.test("trimtab report --open reports a missing viewer, and still succeeds", async () => {
  using place = newPlace();
  place.add(SESSION, new SessionLines().prompt("hello").lines);
  const run = await place.run("scripts/report.ts", ["--open"], {
    env: { PATH: `${place.home}/bin` },
  });
  assertEquals(run.code, 0);
  assertStringIncludes(run.stdout, `reports/${SESSION}.html`);
  assertStringIncludes(run.stdout, "Could not open it in a browser: there is no ");
});

Deno.test("trimtab report reports problems of a command line, a session or a file", async () => {
  using place = newPlace();
  place.add(SESSION, new SessionLines().prompt("hello").lines);
  Deno.writeTextFileSync(`${place.cwd}/notes.md`, "mine");
  const cases: [string[], number, string][] = [
    [["-o"], 2, "--output needs a value"],
    [["-o", "-"], 2, "--output must be a file"],
    [["-o", "."], 1, "exists and is not a file"],
    [["-o", "notes.md"], 1, "exists and is not a report"],
    [["-o", "nowhere/page.html"], 1, "there is no folder "],
  ];
  for (const [outputArgs, code, message] of cases) {
    const run = await place.launch(["report", ...outputArgs]);
    assertEquals([run.code, run.stdout], [code, ""], run.stderr);
    assertStringIncludes(run.stderr, message);
  }
  assertEquals(Deno.readTextFileSync(`${place.cwd}/notes.md`), "mine");
  const refused = await place.run("scripts/report.ts", ["-o", "page.html"]);
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, "trimtab lacks this permission");
});

Deno.test("trimtab status --chart uses the width from COLUMNS", async () => {
  using place = newPlace();
  place.add(SESSION, sampleLines(place.cwd).lines);
  const chart = (text: string) => text.split("\n").filter((line) => line.includes("│"));
  const narrow = await place.launch(["status", "--chart"], { env: { COLUMNS: "40" } });
  assertEquals([narrow.code, narrow.stderr], [0, ""]);
  const wide = await place.launch(["status", "--chart"], { env: { COLUMNS: "70" } });
  assertEquals([chart(narrow.stdout).length, chart(wide.stdout).length], [10, 10]);
  assert(chart(narrow.stdout).every((line) => line.length <= 40));
  assert(chart(wide.stdout).some((line) => line.length > 40));
  // deno-lint-ignore no-control-regex
  assert(!/\x1b/.test(wide.stdout));
  const { chart: data } = JSON.parse((await place.launch(["status", "--chart", "--json"])).stdout);
  assertEquals(data.requests.length, 8);
  assertEquals(data.requests.at(-1).tokens, 15_510);
});
