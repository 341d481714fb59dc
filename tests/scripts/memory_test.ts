/** The commands that save and restore a session. */

import { ensureDirSync } from "@std/fs";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf, test } from "./place.ts";
import { MAX_LINE_BYTES } from "../../src/transcript/lines.ts";

const CHECKPOINT = "scripts/checkpoint.ts";
const VERIFY = "scripts/verify.ts";
const RESTORE = "scripts/restore.ts";
const SNAPSHOT = "scripts/snapshot.ts";
const REHYDRATE = "scripts/rehydrate.ts";
const LIST = "scripts/list.ts";
const ROLLOVER = "scripts/rollover.ts";
const FRESH_START = "scripts/fresh_start.ts";

function addWorkSession(place: Place): string {
  const options = { prompt: "Build a login with SQLite.", cwd: place.cwd };
  const lines = sessionOf([["Read", "text"]], options);
  const add = (type: string, block: Line): void => {
    const message = { id: `m${lines.length}`, role: type, content: [block] };
    const uuid = `u${lines.length + 1}`;
    lines.push({ type, uuid, parentUuid: `u${lines.length}`, sessionId: idOf(1), message });
  };
  const input = { file_path: `${place.cwd}/login.ts`, content: "export const login = 1;\n" };
  const todos = [{ content: "Hash the passwords", status: "pending", activeForm: "" }];
  add("assistant", { type: "tool_use", id: "w", name: "Write", input });
  add("user", { type: "tool_result", tool_use_id: "w", content: "File created successfully" });
  add("assistant", { type: "tool_use", id: "t", name: "TodoWrite", input: { todos } });
  add("user", { type: "tool_result", tool_use_id: "t", content: "Todos have been modified" });
  return place.add(idOf(1), lines);
}

test("checkpoint saves the session's work, and verify, list and restore find it", async (place) => {
  addWorkSession(place);
  const saved = jsonOf(await place.run(CHECKPOINT, [idOf(1), "--json"]));
  assertEquals([saved.trigger, saved.iteration, saved.verified], ["manual", 1, true]);
  assertEquals(saved.summary, "Build a login with SQLite. - 1 file modified");
  assertEquals(saved.path, `${place.cwd}/.claude/checkpoints/${saved.id}.md`);
  const text = Deno.readTextFileSync(String(saved.path));
  assertStringIncludes(text, "- [login.ts:1] - created: export const login = 1; (line 5)");
  assertStringIncludes(text, "- [ ] Hash the passwords (line 7)");

  for (const wanted of ["latest", saved.id, saved.path, ".claude/checkpoints/latest.md"]) {
    const run = wanted === "latest" ? place.run : place.call;
    const verdict = jsonOf(await run(VERIFY, [String(wanted), "--json"]));
    assertEquals(verdict, { path: saved.path, valid: true, problems: [] }, String(wanted));
  }
  const { checkpoints, snapshots, count } = jsonOf(await place.run(LIST, ["--json"]));
  assertEquals([snapshots, count], [[], 1]);
  assertEquals((checkpoints as Line[]).map(({ id }) => id), [saved.id]);
  const restored = jsonOf(await place.run(RESTORE, ["--json"]));
  assertEquals([restored.id, restored.kind], [saved.id, "checkpoint"]);
  assertStringIncludes(String(restored.context), "## Resuming from Checkpoint");
  const status = await place.json("scripts/status.ts", [idOf(1)]);
  assertEquals((status.last_checkpoint as Line).id, saved.id);
});

test("checkpoint --draft previews without saving; --add merges the model's notes", async (place) => {
  addWorkSession(place);
  const before = place.files();
  const draft = await place.text(CHECKPOINT, [idOf(1), "--draft"]);
  assertStringIncludes(draft, "## Key Decisions\nNone recorded");
  assertStringIncludes(draft, "\nverified: false\n");
  assertEquals(place.files(), before);

  const notes = "## Key Decisions\n\n- Argon2 for hashes - because it is memory-hard\n\n" +
    "## Next Steps\n\n- [ ] Ask about password rules\n";
  const args = [idOf(1), "--add", "-", "--json"];
  const saved = jsonOf(await place.call(CHECKPOINT, args, { stdin: notes }));
  const text = Deno.readTextFileSync(String(saved.path));
  assertStringIncludes(text, "Argon2 for hashes");
  assertStringIncludes(text, "- [ ] Ask about password rules (noted by hand)");
  assertStringIncludes(text, "- [ ] Hash the passwords (line 7)");
});

Deno.test("checkpoint reports notes that it cannot use, and saves nothing", async (t) => {
  using place = newPlace();
  addWorkSession(place);
  Deno.writeFileSync(`${place.cwd}/latin1.md`, new Uint8Array([0x2d, 0x20, 0xe9]));
  Deno.writeTextFileSync(`${place.cwd}/empty.md`, " \n");
  Deno.writeTextFileSync(`${place.cwd}/large.md`, "x".repeat(1024 * 1024 + 1));
  const cases = {
    "none.md": /Cannot read notes ".*none\.md": there is no such file/,
    "latin1.md": /it is not UTF-8 text/,
    "empty.md": /it is empty/,
    "large.md": /over 1048576 bytes/,
  };
  const before = place.files();
  for (const [file, message] of Object.entries(cases)) {
    await t.step(file, async () => {
      const args = [idOf(1), "--add", `${place.cwd}/${file}`];
      assertMatch(await place.error(CHECKPOINT, args), message);
      assertEquals(place.files(), before);
    });
  }
});

test("verify reports missing and damaged checkpoints", async (place) => {
  const none = await place.error(VERIFY, ["latest"]);
  assertStringIncludes(none, "has no checkpoint. Save one with trimtab checkpoint");
  addWorkSession(place);
  const saved = await place.json(CHECKPOINT, [idOf(1)]);
  const path = String(saved.path);
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.slice(0, text.length / 2));
  const cut = await place.call(VERIFY, [path, "--json"]);
  assertEquals([cut.code, cut.stderr], [1, ""]);
  const { valid, problems } = JSON.parse(cut.stdout);
  assertEquals(valid, false);
  assert(problems.length > 0);
  const gone = `${place.cwd}/.claude/checkpoints/2020-01-01-000000.md`;
  const missing = await place.call(VERIFY, [gone]);
  assertEquals(missing.code, 1);
  assertStringIncludes(missing.stdout, "is not a complete checkpoint:\n- ");
  const skill = await place.call(VERIFY, [path, "--skill"]);
  assertEquals(skill.code, 0, "a skill with a failing command does not load");
});

test("snapshot saves, and rehydrate, fresh-start, list and restore return the save", async (place) => {
  addWorkSession(place);
  const saved = jsonOf(await place.run(SNAPSHOT, [idOf(1), "--name", "login", "--json"]));
  const { snapshot_id: id } = saved;
  assertEquals([saved.name, saved.components, saved.file_path], [
    "login",
    ["requirements", "decisions", "state", "open_items"],
    `${place.cwd}/.claude/runtime/context-snapshots/${id}.json`,
  ]);
  const texts: string[] = [];
  for (const level of ["essential", "standard", "comprehensive"]) {
    const run = level === "essential" ? place.run : place.call;
    const args = ["login", "--level", level, "--json"];
    const { snapshot_id, context, token_count } = jsonOf(await run(REHYDRATE, args));
    assertEquals(snapshot_id, id);
    assert(Number(token_count) > 10);
    texts.push(String(context));
  }
  assertStringIncludes(texts[0] ?? "", "# Restored Context: login\n\n## Original Requirements");
  assertStringIncludes(texts[0] ?? "", "## Open Items\n- Hash the passwords");
  assertStringIncludes(texts[1] ?? "", "Hash the passwords");
  assertStringIncludes(texts[2] ?? "", "login.ts");
  const start = jsonOf(await place.run(FRESH_START, ["--json"]));
  assertEquals(start.snapshot_id, id);
  assertStringIncludes(String(start.instructions), "Continue from: Hash the passwords");
  const restored = await place.json(RESTORE, [String(id)]);
  assertEquals([restored.id, restored.kind], [id, "snapshot"]);
  const { snapshots } = await place.json(LIST);
  assertEquals((snapshots as Line[]).map(({ name, size }) => [name, size]), [["login", "3KB"]]);
});

test("commands that save a session report why they cannot read it", async (place) => {
  const path = addWorkSession(place);
  // A sparse file uses almost no disk space.
  Deno.truncateSync(path, MAX_LINE_BYTES + 1_000_000);
  const unreadable =
    /^Cannot save the session: .* could not be read: Cannot read a line of .+remove them: tr /;
  assertMatch(await place.error(CHECKPOINT, [idOf(1)]), unreadable);
  Deno.writeTextFileSync(path, 'no JSON\n{"a":\n');
  for (const [command, ...options] of [[CHECKPOINT], [SNAPSHOT], [ROLLOVER, "--auto"]] as const) {
    const stderr = await place.error(command, [idOf(1), ...options]);
    assertMatch(stderr, /^Cannot save the session: .*it has no messages/);
  }
  assertMatch(await place.text(LIST), /has no saves\./);
});

test("commands report that nothing is saved, or that the requested save does not exist", async (place) => {
  assertMatch(await place.text(LIST), /has no saves\./);
  assertMatch(await place.error(RESTORE), /has no readable save/);
  assertMatch(await place.error(REHYDRATE), /Save one with `trimtab snapshot`/);
  const fresh = await place.text(FRESH_START);
  assertEquals(fresh, "# No context snapshot available\n\nStarting fresh session.\n");
  addWorkSession(place);
  await place.call(CHECKPOINT, [idOf(1)]);
  const stdout = await place.text(FRESH_START);
  assertStringIncludes(stdout, "This machine has saved no snapshot. The newest checkpoint:\n\n");
  assertStringIncludes(stdout, "Hash the passwords");
  await place.call(SNAPSHOT, [idOf(1)]);
  assertMatch(await place.error(FRESH_START, ["nope"]), /Cannot find snapshot "nope"/);
  assertMatch(await place.error(RESTORE, ["nope"]), /Cannot find save "nope"/);
});

test("snapshot warns, as text and as JSON, that it cannot mark the save as the user's", async (place) => {
  addWorkSession(place);
  // A file in place of the key's folder, so that trimtab cannot mark the save.
  ensureDirSync(`${place.config}/trimtab`);
  Deno.writeTextFileSync(`${place.config}/trimtab/ours`, "");
  const stdout = await place.text(SNAPSHOT, [idOf(1)]);
  assertStringIncludes(stdout, "The snapshot is saved but not marked as yours: ");
  const { warning } = await place.json(SNAPSHOT, [idOf(1)]);
  assertStringIncludes(String(warning), "not marked as yours");
});

test("list shows everything that can be restored, newest first, and restore accepts each id", async (place) => {
  addWorkSession(place);
  const rolloverReport = await place.json(ROLLOVER, [idOf(1), "--auto"]);
  const rows = (await place.text(LIST)).trimEnd().split("\n");
  assertEquals(rows.map((row) => row.split(/[\s:]+/, 2)), [
    ["handoff", idOf(1)],
    ["checkpoint", String(rolloverReport.checkpoint)],
    ["2", "saves;"],
  ]);
  for (const [, id = ""] of rows.slice(0, 2).map((row) => row.split(/\s+/, 2))) {
    assertEquals((await place.json(RESTORE, [id])).id, id);
  }
});
