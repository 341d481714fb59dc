import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { POSIX } from "../posix.ts";
import { idOf, jsonOf, newPlace, type Place, sessionOf, test, textOf } from "./place.ts";

const SCRIPT = "scripts/trim.ts";
const LONG = "0123456789".repeat(300);

/** The JSON keys that the design's table of commands lists. */
const KEYS = [
  ...["session_id", "parent_session_id", "output", "trimmed_count", "by_tool", "context_chars"],
  ...["tokens", "percent", "bytes", "resume_command", "dry_run"],
];

/** The oldest two outputs are long, and from tools that are trimmed. */
const OUTPUTS: (readonly [tool: string, text: string])[] = [
  ["Read", `     1→${LONG.slice(7)}`],
  ["Bash", LONG.repeat(9) + "\u{1f600}"],
  ["Write", LONG],
  ...Array(4).fill(["Read", "     1→short"]),
];

function trim(place: Place, args: readonly string[]): ReturnType<Place["call"]> {
  return place.call(SCRIPT, args);
}

test("trim prints one JSON object with the documented keys on stdout, and writes the copy", async (place) => {
  const id = idOf(1);
  const path = place.add(id, sessionOf(OUTPUTS));
  const before = Deno.readTextFileSync(path);
  const json = jsonOf(await place.run(SCRIPT, [id, "--json"]));
  assertEquals(KEYS.filter((key) => !Object.hasOwn(json, key)), []);
  const copy = String(json.session_id);
  assertMatch(copy, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assertEquals(json.parent_session_id, id);
  assertEquals(json.output, `${place.sessions}/${copy}.jsonl`);
  assertEquals(json.trimmed_count, 2);
  assertEquals(Object.keys(Object(json.by_tool)).sort(), ["Bash", "Read"]);
  assertEquals(json.resume_command, `claude --resume ${copy}`);
  assertEquals(json.dry_run, false);
  for (const key of ["context_chars", "tokens", "percent", "bytes"]) {
    const { before, after } = Object(json[key]);
    assert(Number.isSafeInteger(before) && Number.isSafeInteger(after) && after < before, key);
  }
  const { size, mode } = Deno.statSync(String(json.output));
  assertEquals(size, Object(json.bytes).after);
  if (POSIX) assertEquals((mode ?? 0) & 0o777, 0o600);
  assertEquals(Deno.readTextFileSync(path), before);
  const others = place.files().filter((file) => !file.endsWith(`${id}.jsonl`));
  const kept = others.filter((file) => !file.startsWith("project/.claude/trimtab/"));
  assertEquals(kept.map((file) => file.replace(/^.*\//, "")), [`${copy}.jsonl`]);
  const lineage = Deno.readTextFileSync(`${place.cwd}/.claude/trimtab/sessions.json`);
  const [parent, child] = JSON.parse(lineage).sessions;
  assertEquals([parent.session_id, parent.end_reason], [id, "trim"]);
  assertEquals([child.session_id, child.parent_session_id], [copy, id]);
  assertEquals([child.transcript, child.started_at], [json.output, parent.ended_at]);
});

test("trim and the status of its copy infer the limit from the client's last automatic compaction", async (place) => {
  const lines = sessionOf(OUTPUTS).map((line) =>
    JSON.parse(JSON.stringify(line).replaceAll("claude-sonnet-4-6", "claude-sonnet-5"))
  );
  place.add(idOf(1), lines);
  const folder = `${place.cwd}/.claude/trimtab/state`;
  const trimmed = async () => jsonOf(await trim(place, [idOf(1), "--json"]));
  assertEquals((await trimmed()).limit, 967_000);
  ensureDirSync(folder);
  Deno.writeTextFileSync(`${folder}/${idOf(1)}.json`, '{"auto_compacted_at":49000}');
  const { limit, session_id: copy } = await trimmed();
  assertEquals(limit, 167_000);
  const status = await place.json("scripts/status.ts", [String(copy)]);
  assertEquals(status.limit, 167_000);
});

test("trim reports what it cut and the two ways to resume", async (place) => {
  place.add(idOf(1), sessionOf(OUTPUTS));
  const stdout = textOf(await trim(place, [idOf(1)]));
  assertMatch(
    stdout,
    /^Trimmed 2 tool outputs \((?:Read 1, Bash 1|Bash 1, Read 1)\): 50k -> \d+k tokens$/m,
  );
  assertMatch(stdout, /^Context: 50,007 -> [\d,]+ tokens, 30% -> \d+% of 167,000 \(.*estimate/m);
  assertMatch(stdout, /^Saved [\d,]+ bytes \(\d+%\)/m);
  const [, id] = /^Resume with: claude --resume (\S+)$/m.exec(stdout) ?? [];
  assertMatch(stdout, new RegExp(`^Resume here with: /resume ${id}$`, "m"));
  Deno.statSync(`${place.sessions}/${id}.jsonl`);
});

test("trim lists the tools that a session calls if the given tool is not among them", async (place) => {
  place.add(idOf(1), sessionOf(OUTPUTS));
  const { stdout } = await trim(place, [idOf(1), "--dry-run", "--tool", "bash"]);
  const reason = "Nothing would be cut: this session does not call bash, only Bash, Read, Write";
  assertStringIncludes(stdout, reason);
});

test("trim --dry-run prints the figures of the trim and writes nothing", async (place) => {
  place.add(idOf(1), sessionOf(OUTPUTS));
  const before = place.files();
  const args = [idOf(1), "--json", "--dry-run"];
  const dry = jsonOf(await place.run(SCRIPT, args, { without: "--allow-write" }));
  assertEquals(place.files(), before);
  const real = jsonOf(await trim(place, [idOf(1), "--json"]));
  assertEquals(dry.dry_run, true);
  for (const key of ["trimmed_count", "by_tool", "context_chars", "tokens", "percent", "bytes"]) {
    assertEquals(dry[key], real[key], key);
  }
  const text = (await trim(place, [idOf(1), "--dry-run"])).stdout;
  assertMatch(text, /^Would trim 2 tool outputs/);
  const byTool = Object(real.context_by_tool);
  for (const tool of ["Bash", "Read"]) {
    const chars = Number(byTool[tool].chars_saved).toLocaleString("en-US");
    assertStringIncludes(text, `\n  ${tool}: ${chars} characters of messages\n`);
  }
  assertEquals(text.includes("--resume"), false, "there is nothing to resume");
});

test("trim applies its options", async (place) => {
  place.add(idOf(1), sessionOf(OUTPUTS));
  const cases: Record<string, number> = {
    "--threshold 3000": 1,
    "--threshold=27001": 0,
    "--keep-recent 0 --tool Write": 1,
    "--keep-recent 0 --tool Write --tool Bash": 2,
    "--keep-recent 0 --tool bash,Write": 1,
    "--keep-recent 6": 1,
    "--keep-recent 7": 0,
    "--keep-recent 0": 3,
    "--keep-recent 0 --keep head": 2,
  };
  for (const [options, expected] of Object.entries(cases)) {
    const json = jsonOf(await trim(place, [idOf(1), "--json", "--dry-run", ...options.split(" ")]));
    assertEquals(json.trimmed_count, expected, options);
  }
});

test("trim --skill prints an error as text on stdout, with exit code 0", async (place) => {
  for (const args of [["--skill"], [idOf(9), "--skill"], ["--skill", "--nope"]]) {
    assertMatch(textOf(await trim(place, args)), /^trimtab trim failed\. Cannot /);
  }
});

Deno.test("trim works if Claude Code's folder or its projects folder is a link", async (t) => {
  for (const linked of ["", "/projects"]) {
    await t.step(`.claude${linked}`, async () => {
      using place = newPlace();
      place.add(idOf(1), sessionOf(OUTPUTS));
      Deno.renameSync(`${place.config}${linked}`, `${place.home}/real`);
      Deno.symlinkSync(`${place.home}/real`, `${place.config}${linked}`);
      const json = jsonOf(await trim(place, [idOf(1), "--json"]));
      const copy = Deno.readTextFileSync(String(json.output));
      assertEquals(new TextEncoder().encode(copy).length, Object(json.bytes).after);
      assertMatch(copy, /\[\.\.\.truncated/);
    });
  }
});
