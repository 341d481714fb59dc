/** Runs the commands that save and restore a session, with the launcher's permissions. */

import { ensureDirSync } from "@std/fs";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf } from "./place.ts";
import { MAX_LINE_BYTES } from "../../src/transcript/lines.ts";
import type { ChildResult } from "../../tools/child.ts";

const CHECKPOINT = "scripts/checkpoint.ts";
const VERIFY = "scripts/verify.ts";
const RESTORE = "scripts/restore.ts";
const SNAPSHOT = "scripts/snapshot.ts";
const REHYDRATE = "scripts/rehydrate.ts";
const LIST = "scripts/list.ts";
const ROLLOVER = "scripts/rollover.ts";
const FRESH_START = "scripts/fresh_start.ts";

function addWorkSession(place: Place, task = "Build a login with SQLite."): string {
  const lines = sessionOf([["Read", "text"]], { prompt: task, cwd: place.cwd });
  const add = (type: string, content: unknown): void => {
    const message = { id: `m${lines.length}`, role: type, content };
    const uuid = `u${lines.length + 1}`;
    lines.push({ type, uuid, parentUuid: `u${lines.length}`, sessionId: idOf(1), message });
  };
  const input = { file_path: `${place.cwd}/login.ts`, content: "export const login = 1;\n" };
  add("assistant", [{ type: "tool_use", id: "w", name: "Write", input }]);
  add("user", [{ type: "tool_result", tool_use_id: "w", content: "File created successfully" }]);
  const todos = [{ content: "Hash the passwords", status: "pending", activeForm: "" }];
  add("assistant", [{ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }]);
  add("user", [{ type: "tool_result", tool_use_id: "t", content: "Todos have been modified" }]);
  return place.add(idOf(1), lines as Line[]);
}

function refusal({ code, stdout, stderr }: ChildResult): string {
  assertEquals([code, stdout], [1, ""]);
  return stderr;
}

Deno.test("checkpoint saves the session's work, and verify, list and restore find it", async () => {
  using place = newPlace();
  addWorkSession(place);
  const saved = jsonOf(await place.run(CHECKPOINT, [idOf(1), "--json"]));
  assertEquals([saved.trigger, saved.iteration, saved.verified, saved.summary], [
    "manual",
    1,
    true,
    "Build a login with SQLite. - 1 file modified",
  ]);
  assertEquals(saved.path, `${place.cwd}/.claude/checkpoints/${saved.id}.md`);
  const text = Deno.readTextFileSync(String(saved.path));
  assertStringIncludes(text, "- [login.ts:1] - created: export const login = 1; (line 5)");
  assertStringIncludes(text, "- [ ] Hash the passwords (line 7)");

  for (
    const wanted of [
      "latest",
      String(saved.id),
      String(saved.path),
      ".claude/checkpoints/latest.md",
    ]
  ) {
    const verdict = jsonOf(await place.run(VERIFY, [wanted, "--json"]));
    assertEquals(verdict, { path: saved.path, valid: true, problems: [] }, wanted);
  }
  const { checkpoints, snapshots, count } = jsonOf(await place.run(LIST, ["--json"]));
  assertEquals([snapshots, count], [[], 1]);
  assertEquals((checkpoints as Line[]).map(({ id }) => id), [saved.id]);
  const restored = jsonOf(await place.run(RESTORE, ["--json"]));
  assertEquals([restored.id, restored.kind], [saved.id, "checkpoint"]);
  assertStringIncludes(String(restored.context), "## Resuming from Checkpoint");
  const status = jsonOf(await place.run("scripts/status.ts", [idOf(1), "--json"]));
  assertEquals((status.last_checkpoint as Line).id, saved.id);
});

Deno.test("checkpoint --draft previews without saving; --add merges the model's notes", async () => {
  using place = newPlace();
  addWorkSession(place);
  const before = place.files();
  const draft = await place.run(CHECKPOINT, [idOf(1), "--draft"]);
  assertEquals([draft.code, draft.stderr], [0, ""]);
  assertStringIncludes(draft.stdout, "## Key Decisions\nNone recorded");
  assertEquals(place.files(), before);

  const notes = "## Key Decisions\n\n- Argon2 for hashes - because it is memory-hard\n\n" +
    "## Next Steps\n\n- [ ] Ask about password rules\n";
  const args = [idOf(1), "--add", "-", "--json"];
  const saved = jsonOf(await place.run(CHECKPOINT, args, { stdin: notes }));
  const text = Deno.readTextFileSync(String(saved.path));
  assertStringIncludes(text, "Argon2 for hashes");
  assertStringIncludes(text, "- [ ] Ask about password rules (noted by hand)");
  assertStringIncludes(text, "- [ ] Hash the passwords (line 7)");
});

Deno.test("checkpoint reports problems of notes, and then saves nothing", async (t) => {
  using place = newPlace();
  addWorkSession(place);
  Deno.writeFileSync(`${place.cwd}/latin1.md`, new Uint8Array([0x2d, 0x20, 0xe9]));
  Deno.writeTextFileSync(`${place.cwd}/empty.md`, " \n");
  Deno.writeTextFileSync(`${place.cwd}/large.md`, "x".repeat(1024 * 1024 + 1));
  const cases = {
    "none.md": /Cannot read notes "none\.md": there is no such file/,
    "latin1.md": /it is not UTF-8 text/,
    "empty.md": /it is empty/,
    "large.md": /over 1048576 bytes/,
  };
  const before = place.files();
  for (const [file, message] of Object.entries(cases)) {
    await t.step(file, async () => {
      assertMatch(refusal(await place.run(CHECKPOINT, [idOf(1), "--add", file])), message);
      assertEquals(place.files(), before);
    });
  }
  const { code, stderr } = await place.run(CHECKPOINT, [idOf(1), "--draft", "--add", "-"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--draft only previews");
});

Deno.test("verify reports missing and damaged checkpoints", async () => {
  using place = newPlace();
  assertMatch(
    refusal(await place.run(VERIFY, ["latest"])),
    /has none\. Save one with trimtab checkpoint/,
  );
  addWorkSession(place);
  const saved = jsonOf(await place.run(CHECKPOINT, [idOf(1), "--json"]));
  const path = String(saved.path);
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.slice(0, text.length / 2));
  const cut = await place.run(VERIFY, [path, "--json"]);
  assertEquals([cut.code, cut.stderr], [1, ""]);
  const { valid, problems } = JSON.parse(cut.stdout);
  assertEquals(valid, false);
  assert(problems.length > 0);
  const missingSave = await place.run(VERIFY, [
    `${place.cwd}/.claude/checkpoints/2020-01-01-000000.md`,
  ]);
  assertEquals(missingSave.code, 1);
  assertStringIncludes(missingSave.stdout, "is not a complete checkpoint:\n- ");
  const skill = await place.run(VERIFY, [path, "--skill"]);
  assertEquals(skill.code, 0, "a skill whose line fails does not load");
});

Deno.test("snapshot saves, and rehydrate, fresh-start, list and restore return the save", async () => {
  using place = newPlace();
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
    const args = ["login", "--level", level, "--json"];
    const { snapshot_id, context, token_count } = jsonOf(await place.run(REHYDRATE, args));
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
  const restored = jsonOf(await place.run(RESTORE, [String(id), "--json"]));
  assertEquals([restored.id, restored.kind], [id, "snapshot"]);
  const { snapshots } = jsonOf(await place.run(LIST, ["--json"]));
  assertEquals((snapshots as Line[]).map(({ name, size }) => [name, size]), [["login", "3KB"]]);
});

Deno.test("commands that save a session report a session that they cannot read", async () => {
  using place = newPlace();
  // A sparse file uses almost no disk space.
  Deno.truncateSync(addWorkSession(place), MAX_LINE_BYTES + 1_000_000);
  const expectedError =
    /This session could not be saved: .+ Cannot read a line of .+remove them: tr /;
  for (
    const [command, more] of [[CHECKPOINT, []], [SNAPSHOT, []], [ROLLOVER, ["--auto"]]] as const
  ) {
    const { warning } = jsonOf(await place.run(command, [idOf(1), ...more, "--json"]));
    assertMatch(String(warning), expectedError, command);
  }
  const { code, stdout } = await place.run(CHECKPOINT, [idOf(1)]);
  assertEquals(code, 0);
  assertMatch(stdout, expectedError);
});

Deno.test("commands report that nothing is saved, or that the requested save does not exist", async () => {
  using place = newPlace();
  const none = await place.run(LIST, []);
  assertMatch(none.stdout, /has no checkpoint and no snapshot/);
  assertMatch(refusal(await place.run(RESTORE, [])), /has none that can be read/);
  assertMatch(refusal(await place.run(REHYDRATE, [])), /Save one with `trimtab snapshot`/);
  const fresh = await place.run(FRESH_START, []);
  assertEquals([fresh.code, fresh.stdout], [
    0,
    "# No context snapshot available\n\nStarting fresh session.\n",
  ]);
  addWorkSession(place);
  await place.run(CHECKPOINT, [idOf(1)]);
  const { stdout } = await place.run(FRESH_START, []);
  assertStringIncludes(stdout, "There is no snapshot. The newest checkpoint:\n\n");
  assertStringIncludes(stdout, "Hash the passwords");
  await place.run(SNAPSHOT, [idOf(1)]);
  assertMatch(refusal(await place.run(FRESH_START, ["nope"])), /Cannot find snapshot "nope"/);
  assertMatch(refusal(await place.run(RESTORE, ["nope"])), /Cannot find save "nope"/);
  const { code, stderr } = await place.run(REHYDRATE, ["--level", "all"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--level must be essential or standard or comprehensive");
});

Deno.test("rehydrate and fresh-start name a mismatch with the schema; list continues", async () => {
  using place = newPlace();
  addWorkSession(place);
  const saved = jsonOf(await place.run(SNAPSHOT, [idOf(1), "--json"]));
  const path = String(saved.file_path);
  const whole = JSON.parse(Deno.readTextFileSync(path));
  Deno.writeTextFileSync(path, JSON.stringify({ ...whole, open_items: "all" }));
  for (const script of [REHYDRATE, FRESH_START]) {
    assertMatch(refusal(await place.run(script, [String(saved.snapshot_id)])), /open_items/);
  }
  Deno.writeTextFileSync(path, JSON.stringify({ ...whole, schema_version: 99 }));
  assertMatch(refusal(await place.run(REHYDRATE, [String(saved.snapshot_id)])), /version/);
  const { stdout } = await place.run(LIST, []);
  assertStringIncludes(stdout, "cannot be read:");
});

Deno.test("restore and rehydrate print no more than a hook restores", async () => {
  using place = newPlace();
  const lines = sessionOf([["Read", "text"]]);
  const prompts = Array.from({ length: 60 }, (_, n) => ({
    parentUuid: `u${n + 3}`,
    isSidechain: false,
    type: "user",
    uuid: `u${n + 4}`,
    sessionId: idOf(1),
    message: { role: "user", content: `Also do number ${n}: ${`word${n} `.repeat(60)}` },
  }));
  place.add(idOf(1), [...lines.slice(0, 3), ...prompts]);
  const saved = jsonOf(await place.run("scripts/checkpoint.ts", [idOf(1), "--json"]));
  const checkpoint = String(jsonOf(await place.run(RESTORE, [String(saved.id), "--json"])).context);
  const taken = await place.run("scripts/snapshot.ts", [idOf(1), "--json"]);
  const id = jsonOf(taken).snapshot_id;
  const snapshot = String(jsonOf(await place.run(RESTORE, [String(id), "--json"])).context);
  const full = [String(id), "--level", "comprehensive", "--json"];
  const rehydrated = String(jsonOf(await place.run(REHYDRATE, full)).context);
  const sizes = [checkpoint.length, snapshot.length, rehydrated.length];
  assert(sizes.every((size) => size > 4_000 && size <= 9_000), sizes.join(", "));
});

Deno.test("snapshot reports that it could not be marked as the user's, as text and as JSON", async () => {
  using place = newPlace();
  addWorkSession(place);
  // A file replaces the key's folder.
  ensureDirSync(`${place.config}/trimtab`);
  Deno.writeTextFileSync(`${place.config}/trimtab/ours`, "");
  const { code, stdout } = await place.run(SNAPSHOT, [idOf(1)]);
  assertEquals(code, 0);
  assertStringIncludes(stdout, "The snapshot is saved but not marked as yours: ");
  const { warning } = jsonOf(await place.run(SNAPSHOT, [idOf(1), "--json"]));
  assertStringIncludes(String(warning), "not marked as yours");
});

Deno.test("list shows everything that can be restored, the newest first, and restore accepts each", async () => {
  using place = newPlace();
  addWorkSession(place);
  const rolloverReport = jsonOf(await place.run(ROLLOVER, [idOf(1), "--auto", "--json"]));
  const { stdout } = await place.run(LIST, []);
  const rows = stdout.trimEnd().split("\n");
  assertEquals(rows.map((row) => row.split(/[\s:]+/, 2)), [
    ["handoff", idOf(1)],
    ["checkpoint", String(rolloverReport.checkpoint)],
    ["2", "in"],
  ]);
  for (const [, id = ""] of rows.slice(0, 2).map((row) => row.split(/\s+/, 2))) {
    assertEquals(jsonOf(await place.run(RESTORE, [id, "--json"])).id, id);
  }
});
