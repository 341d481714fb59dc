import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  idOf,
  jsonOf,
  type Line,
  newPlace,
  type Place,
  sessionOf,
  test,
  textOf,
  writeProgram,
} from "./place.ts";

const ROLLOVER = "scripts/rollover.ts";
const SESSIONS = "scripts/sessions.ts";
const HANDOFF = "### Current Task\n\nBuild it.\n\n### Key Decisions\n\n- SQLite\n\n" +
  "### Modified Files\n\n- a.ts\n\n### Immediate Next Steps\n\n1. Test it.\n\n### Critical Context\n\n- None\n";

function addWorkSession(place: Place): void {
  place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd, prompt: "Build a login." }));
}

Deno.test("rollover ends the session, and writes the handoff from stdin, a file, an argument or the work state", async (t) => {
  const sources: Record<string, { args: string[]; stdin?: string; expected: string }> = {
    stdin: { args: ["--summary", "-"], stdin: HANDOFF, expected: "1. Test it." },
    "a file": { args: ["--summary-file", "handoff.md"], expected: "1. Test it." },
    "an argument": { args: ["--summary", HANDOFF], expected: "1. Test it." },
    "the work state": { args: ["--auto"], expected: "Build a login." },
  };
  for (const [source, { args, expected, ...options }] of Object.entries(sources)) {
    await t.step(source, async () => {
      using place = newPlace({ project: "my project's $folder" });
      addWorkSession(place);
      Deno.writeTextFileSync(`${place.cwd}/handoff.md`, HANDOFF);
      const command = [idOf(1), ...args, "--issue", "#42", "--json"];
      const run = source === "a file" ? place.run : place.call;
      const { prompt_file, start_command, checkpoint, ...done } = jsonOf(
        await run(ROLLOVER, command, options),
      );
      const { worker_id, session_number, parent_session_id, episodic_memory } = done;
      assertEquals([worker_id, session_number, parent_session_id], ["main", 2, idOf(1)]);
      assertEquals(episodic_memory, "episodic-memory: not installed.");
      assert(checkpoint !== null);
      assertEquals(prompt_file, `${place.cwd}/.claude/trimtab/handoffs/${idOf(1)}.md`);
      const prompt = Deno.readTextFileSync(String(prompt_file));
      assertStringIncludes(prompt, "## Session Continuation\n\nThis is session #2 for #42.");
      assertStringIncludes(prompt, expected);
      const quoted = String(prompt_file).replaceAll("'", `'\\''`);
      assertEquals(start_command, `claude "$(cat '${quoted}')"`);
      const { sessions } = await place.json(SESSIONS);
      assertEquals(
        (sessions as Line[]).map((row) => [row.end_reason, row.parent_session_id]),
        [["rollover", null], [null, idOf(1)]],
      );
    });
  }
});

test("rollover does not announce a handoff that it cannot mark as the user's", async (place) => {
  addWorkSession(place);
  // A file in place of trimtab's configuration folder prevents every write there.
  Deno.writeTextFileSync(`${place.config}/trimtab`, "");
  const stdout = await place.text(ROLLOVER, [idOf(1), "--auto"]);
  assert(!stdout.includes("continues from it") && !stdout.includes("Type /clear here"), stdout);
  assertMatch(
    stdout,
    /^Session \S+ is rolled over\. To continue from it, start a session with:\n {2}claude /,
  );
  assertStringIncludes(stdout, "no session receives it automatically");
});

test("rollover explains what it cannot read or use, and changes nothing", async (place) => {
  addWorkSession(place);
  const large = `${place.cwd}/large.md`;
  Deno.writeTextFileSync(large, "### Current Task\n\n" + "x".repeat(25_050));
  const before = place.files();
  const cases: [args: string[], message: string][] = [
    [[idOf(1), "--summary-file", "no.md"], 'Cannot read summary "no.md"'],
    [[idOf(1), "--summary-file", large], "too long"],
    [[idOf(9), "--auto"], "Cannot find session"],
  ];
  for (const [args, message] of cases) {
    assertStringIncludes(await place.error(ROLLOVER, args), message);
    assertEquals(place.files(), before);
  }
});

test("rollover --template prints a handoff to fill in, and changes nothing", async (place) => {
  addWorkSession(place);
  const before = place.files();
  const stdout = await place.text(ROLLOVER, [idOf(1), "--template"]);
  assertMatch(stdout, /^### Current Task\n[^]*Build a login\./m);
  assertEquals(place.files(), before);
});

test("rollover starts the sync of episodic-memory if it is installed", async (place) => {
  addWorkSession(place);
  await new Deno.Command("mkfifo", { args: [`${place.home}/ran`] }).output();
  const bin = `${place.home}/bin`;
  writeProgram(`${bin}/episodic-memory`, `echo "$@" > "${place.home}/ran"`);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const done = jsonOf(await place.run(ROLLOVER, [idOf(1), "--auto", "--json"], { env }));
  assertEquals(done.episodic_memory, "episodic-memory: sync was started in the background.");
  assertEquals(await Deno.readTextFile(`${place.home}/ran`), "sync\n");
  const prompt = Deno.readTextFileSync(String(done.prompt_file));
  assertStringIncludes(prompt, "mcp__episodic-memory__search");
});

test("sessions shows each session below its parent", async (place) => {
  assertEquals(
    await place.text(SESSIONS),
    `${place.cwd} has no recorded sessions. The first trim or rollover records one.\n`,
  );
  addWorkSession(place);
  await place.text(ROLLOVER, [idOf(1), "--summary", HANDOFF]);
  const lines = textOf(await place.run(SESSIONS, [])).trimEnd().split("\n");
  assertEquals(lines.length, 3);
  assertMatch(lines[0] ?? "", /^11111111 .* rollover .* at 30% {2}Build it\. - SQLite/);
  assertMatch(lines[1] ?? "", /^ {2}- .* not claimed yet$/);
  assertEquals(lines[2], "Times are in UTC.");
});
