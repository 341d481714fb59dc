/** Runs `trimtab rollover` and `trimtab sessions` as processes, with the launcher's permissions. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf } from "./place.ts";

const ROLLOVER = "scripts/rollover.ts";
const SESSIONS = "scripts/sessions.ts";
const HANDOFF = "### Current Task\n\nBuild it.\n\n### Key Decisions\n\n- SQLite\n\n" +
  "### Modified Files\n\n- a.ts\n\n### Immediate Next Steps\n\n1. Test it.\n\n### Critical Context\n\n- None\n";

function addWorkSession(place: Place, number = 1): void {
  const id = idOf(number);
  place.add(id, sessionOf([["Read", "text"]], { id, cwd: place.cwd, prompt: "Build a login." }));
}

Deno.test("rollover ends the session, and writes the handoff from stdin, from a file or from the work state", async (t) => {
  const sources: Record<string, { args: string[]; stdin?: string; expected: string }> = {
    stdin: { args: ["--summary", "-"], stdin: HANDOFF, expected: "1. Test it." },
    "a file": { args: ["--summary-file", "handoff.md"], expected: "1. Test it." },
    "an argument": { args: ["--summary", HANDOFF], expected: "1. Test it." },
    "the work state": { args: ["--auto"], expected: "Build a login." },
  };
  for (const [source, { args, stdin, expected }] of Object.entries(sources)) {
    await t.step(source, async () => {
      using place = newPlace({ project: "my project's $folder" });
      addWorkSession(place);
      Deno.writeTextFileSync(`${place.cwd}/handoff.md`, HANDOFF);
      const commandArgs = [idOf(1), ...args, "--issue", "#42", "--json"];
      const done = jsonOf(
        await place.run(ROLLOVER, commandArgs, stdin === undefined ? {} : { stdin }),
      );
      assertEquals([done.worker_id, done.session_number, done.parent_session_id], [
        "main",
        2,
        idOf(1),
      ]);
      assertEquals(done.prompt_file, `${place.cwd}/.claude/trimtab/handoffs/${idOf(1)}.md`);
      const prompt = Deno.readTextFileSync(String(done.prompt_file));
      assertStringIncludes(prompt, "## Session Continuation\n\nThis is session #2 for #42.");
      assertStringIncludes(prompt, expected);
      assertEquals(
        done.start_command,
        `claude "$(cat '${String(done.prompt_file).replaceAll("'", `'\\''`)}')"`,
      );
      assertEquals(done.episodic_memory, "episodic-memory: not installed.");
      assert(done.checkpoint !== null);
      const { sessions } = jsonOf(await place.run(SESSIONS, ["--json"]));
      assertEquals(
        (sessions as Line[]).map((
          { end_reason, parent_session_id },
        ) => [end_reason, parent_session_id]),
        [["rollover", null], [null, idOf(1)]],
      );
    });
  }
});

Deno.test("rollover does not announce a handoff that it cannot mark as the user's", async () => {
  using place = newPlace();
  addWorkSession(place);
  // Makes the configuration folder impossible to write to.
  Deno.writeTextFileSync(`${place.config}/trimtab`, "");
  const { code, stdout } = await place.run(ROLLOVER, [idOf(1), "--auto"]);
  assertEquals(code, 0);
  assert(!stdout.includes("continues from it") && !stdout.includes("Type /clear here"), stdout);
  assertMatch(
    stdout,
    /^Session \S+ is rolled over\. To continue from it, start a session with:\n {2}claude /,
  );
  assertStringIncludes(stdout, "no session receives it automatically");
});

Deno.test("rollover reports problems of a handoff, and then changes nothing", async (t) => {
  using place = newPlace();
  addWorkSession(place);
  Deno.writeTextFileSync(`${place.cwd}/empty.md`, "\n");
  Deno.writeTextFileSync(`${place.cwd}/large.md`, "### Current Task\n\n" + "x".repeat(25_050));
  const before = place.files();
  const cases: [string, string[], number, RegExp][] = [
    ["none", [], 2, /give one of --summary-file FILE, --summary - \(stdin\) and --auto/],
    ["two", ["--auto", "--summary", "x"], 2, /give one of/],
    ["a missing file", ["--summary-file", "no.md"], 1, /Cannot read summary "no\.md"/],
    [
      "an empty file",
      ["--summary-file", "empty.md"],
      1,
      /Cannot read summary "empty\.md": it is empty/,
    ],
    ["a large file", ["--summary-file", "large.md"], 1, /too long/],
  ];
  for (const [name, args, code, message] of cases) {
    await t.step(name, async () => {
      const result = await place.run(ROLLOVER, [idOf(1), ...args]);
      assertEquals([result.code, result.stdout], [code, ""]);
      assertMatch(result.stderr, message);
      assertEquals(place.files(), before);
    });
  }
  await t.step("an unknown session", async () => {
    const { code, stderr } = await place.run(ROLLOVER, [idOf(9), "--auto"]);
    assertEquals(code, 1);
    assertMatch(stderr, /Cannot find session/);
  });
  await t.step("a project that cannot be written to", async () => {
    Deno.writeTextFileSync(`${place.cwd}/.claude`, "a file");
    const { code, stderr } = await place.run(ROLLOVER, [idOf(1), "--auto"]);
    assertEquals(code, 1);
    assertMatch(stderr, /Not a directory/);
  });
});

Deno.test("rollover --template prints the five sections, filled in, and changes nothing", async () => {
  using place = newPlace();
  addWorkSession(place);
  const before = place.files();
  const { code, stdout, stderr } = await place.run(ROLLOVER, [idOf(1), "--template"]);
  assertEquals([code, stderr], [0, ""]);
  const headings = stdout.match(/^### .*$/gm);
  assertEquals(headings, [
    "### Current Task",
    "### Key Decisions",
    "### Modified Files",
    "### Immediate Next Steps",
    "### Critical Context",
  ]);
  assertStringIncludes(stdout, "Build a login.");
  assertEquals(place.files(), before);
});

Deno.test("rollover starts the sync of episodic-memory if it is installed", async () => {
  using place = newPlace();
  addWorkSession(place);
  await new Deno.Command("mkfifo", { args: [`${place.home}/ran`] }).output();
  const bin = `${place.home}/bin`;
  Deno.mkdirSync(bin);
  Deno.writeTextFileSync(`${bin}/episodic-memory`, `#!/bin/sh\necho "$@" > "${place.home}/ran"\n`);
  Deno.chmodSync(`${bin}/episodic-memory`, 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const done = jsonOf(await place.run(ROLLOVER, [idOf(1), "--auto", "--json"], { env }));
  assertEquals(done.episodic_memory, "episodic-memory: sync was started in the background.");
  assertEquals(await Deno.readTextFile(`${place.home}/ran`), "sync\n");
  assertStringIncludes(
    Deno.readTextFileSync(String(done.prompt_file)),
    "mcp__episodic-memory__search",
  );
});

Deno.test("sessions shows each session below its parent", async () => {
  using place = newPlace();
  const none = await place.run(SESSIONS, []);
  assertEquals(
    none.stdout,
    `${place.cwd} has no recorded sessions. The first trim or rollover records one.\n`,
  );
  addWorkSession(place);
  await place.run(ROLLOVER, [idOf(1), "--summary", HANDOFF]);
  const { stdout } = await place.run(SESSIONS, []);
  const lines = stdout.trimEnd().split("\n");
  assertEquals(lines.length, 3);
  assertMatch(lines[0] ?? "", /^11111111 .* rollover .* at 30% {2}Build it\. - SQLite/);
  assertMatch(lines[1] ?? "", /^ {2}- .* not taken yet$/);
  assertEquals(lines[2], "Times are in UTC.");
});
