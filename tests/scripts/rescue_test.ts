import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { errorOf, idOf, type Line, type Place, sessionOf, test, textOf } from "./place.ts";

const SCRIPT = "scripts/rescue.ts";

function addBroken(place: Place): string {
  const path = place.add(idOf(1), sessionOf([["Bash", "out"]]));
  Deno.writeTextFileSync(path, `null\n${Deno.readTextFileSync(path)}`);
  return path;
}

test("rescue writes a repaired copy next to the session and prints how to resume it", async (place) => {
  const path = addBroken(place);
  const before = Deno.readTextFileSync(path);
  ensureDirSync(`${place.config}/tasks/${idOf(1)}`);
  Deno.writeTextFileSync(`${place.config}/tasks/${idOf(1)}/1.json`, "{}");
  const stdout = textOf(await place.run(SCRIPT, [idOf(1)]));
  assertMatch(stdout, /^line 1: 4 bytes outside of any entry: left out\nFound: 1 defect$/m);
  const [, id = ""] = /^Resume with: claude --resume ([0-9a-f-]{36})$/m.exec(stdout) ?? [];
  assertEquals(Deno.readTextFileSync(path), before);
  const copy = Deno.readTextFileSync(`${place.sessions}/${id}.jsonl`).trimEnd().split("\n");
  assertEquals(copy.map((line) => JSON.parse(line).sessionId), Array(5).fill(id));
  assertEquals(Deno.readTextFileSync(`${place.config}/tasks/${id}/1.json`), "{}");
  const lineage = Deno.readTextFileSync(`${place.cwd}/.claude/trimtab/sessions.json`);
  const sessions: Line[] = JSON.parse(lineage).sessions;
  const rows = sessions.map((row) => [row.session_id, row.parent_session_id, row.end_reason]);
  assertEquals(rows, [[idOf(1), null, "rescue"], [id, idOf(1), null]]);
});

test("rescue prints the documented keys with --json, and writes nothing with --dry-run", async (place) => {
  const path = addBroken(place);
  const files = place.files();
  const json = await place.json(SCRIPT, [path, "--dry-run"]);
  assertEquals(place.files(), files);
  const { session_id: id, ...rest } = json;
  assertMatch(String(id), /^[0-9a-f-]{36}$/);
  const what = "4 bytes outside of any entry";
  assertEquals(rest, {
    parent_session_id: idOf(1),
    output: `${place.sessions}/${id}.jsonl`,
    findings: [{ line: 1, kind: "torn_line", what, action: "left_out" }],
    counts: { torn_line: 1 },
    resume_command: `claude --resume ${id}`,
    starts_with_answer: false,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: true,
  });
});

test("rescue drops valid thinking only with --drop-thinking", async (place) => {
  const thinking = { type: "thinking", thinking: "", signature: "c2lnbmF0dXJl" };
  const message = { id: "m", role: "assistant", content: [thinking] };
  const line = { type: "assistant", uuid: "t", parentUuid: "u1", sessionId: idOf(1), message };
  place.add(idOf(1), [...sessionOf([]), line]);
  const stdout = await place.text(SCRIPT, [idOf(1).slice(0, 8)]);
  assertStringIncludes(stdout, "There is nothing to repair, so no copy was written.");
  const dropped = await place.json(SCRIPT, [idOf(1), "--dry-run", "--drop-thinking"]);
  assertEquals(dropped.counts, { thinking: 1 });
});

test("rescue fails with a clear error and changes nothing", async (place) => {
  const path = addBroken(place);
  const files = place.files();
  assertStringIncludes(await place.error(SCRIPT, [idOf(9)]), "Cannot find session");
  const refused = errorOf(await place.run(SCRIPT, [path], { without: "--allow-write" }));
  assertStringIncludes(refused, "Cannot write a copy of the session into ");
  assertEquals(place.files(), files);
});
