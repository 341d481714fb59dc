import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sampleLines, SESSION, SessionLines } from "../report/sessions.ts";
import { errorOf, test, textOf } from "./place.ts";

test("trimtab report writes a page to the project or to the path given with -o, with the same figures as status and a dry run", async (place) => {
  place.add(SESSION, sampleLines(place.cwd).lines);
  const printed = textOf(await place.launch(["report", "--json"]));
  const { path, bytes, opened, report } = JSON.parse(printed);
  assertEquals(path, `${place.cwd}/.claude/trimtab/reports/${SESSION}.html`);
  assertEquals([Deno.statSync(path).size, opened], [bytes, null]);
  assertStringIncludes(Deno.readTextFileSync(path), "Session 22222222");
  const status = await place.json("scripts/status.ts");
  const { pressure, recommendation, session_id } = report;
  const figures = { ...pressure, recommendation, session_id };
  for (const key of ["session_id", "tokens", "window", "percent", "level", "recommendation"]) {
    assertEquals(figures[key], status[key], key);
  }
  const dry = await place.json("scripts/trim.ts", ["--dry-run"]);
  for (const key of ["tokens", "percent", "context_chars", "by_tool", "bytes"]) {
    assertEquals(report.trim[key], dry[key], key);
  }
  const stdout = textOf(await place.launch(["report", SESSION, "-o", "my page.html"]));
  assertMatch(stdout, /^Wrote .*\/my page\.html \(\d+KB\)\.\n$/);
  assert(place.files().every((file) => !file.includes("trimtab-tmp-")), place.files().join("\n"));
});

test("trimtab report --open reports a missing viewer, and still succeeds", async (place) => {
  place.add(SESSION, new SessionLines().prompt("hello").lines);
  const env = { PATH: `${place.home}/bin` };
  const stdout = textOf(await place.run("scripts/report.ts", ["--open"], { env }));
  assertStringIncludes(stdout, `reports/${SESSION}.html`);
  assertStringIncludes(stdout, "Could not open it in a browser: there is no ");
});

test("trimtab report explains why it cannot write to a path", async (place) => {
  place.add(SESSION, new SessionLines().prompt("hello").lines);
  Deno.writeTextFileSync(`${place.cwd}/notes.md`, "mine");
  const cases = {
    ".": "it is not a regular file",
    "notes.md": "exists and is not a report",
    "nowhere/page.html": "Make its folder first",
  };
  for (const [path, message] of Object.entries(cases)) {
    assertStringIncludes(await place.error("scripts/report.ts", ["-o", path]), message);
  }
  assertEquals(Deno.readTextFileSync(`${place.cwd}/notes.md`), "mine");
  const refused = errorOf(await place.run("scripts/report.ts", ["-o", "page.html"]));
  assertStringIncludes(refused, "trimtab lacks this permission");
});

test("trimtab status --chart uses the width from COLUMNS, and marks checkpoints", async (place) => {
  place.add(SESSION, sampleLines(place.cwd).lines);
  await place.text("scripts/checkpoint.ts");
  const widestAt = async (COLUMNS: string): Promise<number> => {
    const text = await place.text("scripts/status.ts", ["--chart"], { env: { COLUMNS } });
    assertStringIncludes(text, "· checkpoint");
    return Math.max(...text.split("\n").map((line) => line.includes("│") ? line.length : 0));
  };
  const [narrow, wide] = [await widestAt("40"), await widestAt("70")];
  assert(narrow <= 40 && wide > 40, `${narrow} and ${wide}`);
  const { requests } = Object((await place.json("scripts/status.ts", ["--chart"])).chart);
  assertEquals([requests.length, requests.at(-1).tokens], [8, 15_510]);
});
