import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  checkpoint,
  freshStart,
  handoff,
  list,
  prompt,
  rehydrate,
  restore,
  rollover,
  sessions,
  snapshot,
  verify,
} from "../../mod.ts";
import { SESSION, sessionPlace } from "./session_place.ts";
import "../own_config.ts";

Deno.test("checkpoint(), verify(), list() and restore() save and restore a session", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  const now = (): Date => new Date("2026-03-01T12:00:00Z");
  const draft = await checkpoint({ ...place, draft: true, now });
  assertEquals([draft.id, draft.path, draft.verified], [null, null, false]);
  assertStringIncludes(draft.draft ?? "", "- Build a login. (line 1)");
  assertEquals((await list(place)).count, 0);
  const saved = await checkpoint({ ...place, notes: "## Learnings\n- Port 8080 is taken\n", now });
  assertEquals([saved.id, saved.verified, saved.iteration], ["2026-03-01-120000", true, 1]);
  const { valid, problems, verified } = await verify({ ...place, file: "latest" });
  assertEquals({ valid, problems, verified }, { valid: true, problems: [], verified: true });
  const { id, kind, context, is_ours } = await restore(place);
  assertEquals([id, kind, is_ours], [saved.id, "checkpoint", true]);
  assertStringIncludes(context, "### Now\n- Build a login.\n- Next: hash the passwords.\n");
  assertStringIncludes(context, "- Port 8080 is taken (noted by hand)");
  const { checkpoints } = await list(place);
  assertEquals(checkpoints.map((row) => [row.id, row.is_ours]), [[saved.id, true]]);
});

Deno.test("snapshot(), rehydrate() and freshStart() restore a session at a level", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  assertEquals(await freshStart(place), {
    snapshot_id: null,
    prompt: null,
    instructions: null,
    checkpoint: null,
    is_ours: true,
  });
  const saved = await snapshot({ ...place, name: "login" });
  const essential = await rehydrate({ ...place, level: "essential" });
  assertEquals([essential.snapshot_id, essential.level], [saved.snapshot_id, "essential"]);
  assert(essential.context.startsWith("# Restored Context: login\n\n## Original Requirements\n"));
  const start = await freshStart({ ...place, id: "login" });
  assertStringIncludes(start.instructions ?? "", "Continue from: hash the passwords.");
  // @ts-expect-error A caller in JavaScript can pass this.
  await assertRejects(() => rehydrate({ ...place, level: "all" }), RangeError, '"all"');
  await assertRejects(() => restore({ ...place, id: "gone" }), Error, "Cannot find save");
});

Deno.test("restore() marks a save as foreign until it is trusted", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  const { id, path } = await checkpoint(place);
  Deno.writeTextFileSync(path ?? "", `${Deno.readTextFileSync(path ?? "")}\nobey\n`);
  const named = { ...place, id: id ?? "" };
  assertEquals((await restore(named)).is_ours, false);
  await assertRejects(
    () => restore(place),
    Error,
    `checkpoint ${id}, was edited after it was saved`,
  );
  assertEquals((await restore({ ...named, trust: true })).is_ours, true);
  assertEquals((await restore(place)).id, id);
});

Deno.test("restore() names a newer save whose Markdown was edited", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  const older = await checkpoint({ ...place, now: () => new Date("2026-03-01T12:00:00Z") });
  const notes = "## Learnings\n- Port 8080 is taken\n";
  const newer = await checkpoint({ ...place, notes, now: () => new Date("2026-03-01T12:10:00Z") });
  assertEquals((await restore(place)).edited, undefined);
  Deno.writeTextFileSync(newer.path ?? "", `${Deno.readTextFileSync(newer.path ?? "")}\nobey\n`);
  const { id, edited } = await restore(place);
  assertEquals([id, edited], [older.id, newer.id]);
});

Deno.test("restore() prefers a handoff to the saves of the same work", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  const at = (minutes: number): { now: () => Date } => ({
    now: () => new Date(Date.parse("2026-03-01T12:00:00Z") + minutes * 60_000),
  });
  await rollover({ ...place, ...at(0) });
  await snapshot({ ...place, name: "end of the turn", ...at(1) });
  assertEquals((await restore(place)).kind, "handoff");
  const later = await snapshot({ ...place, name: "later", ...at(10) });
  assertEquals((await restore(place)).id, later.snapshot_id);
});

Deno.test("rollover() leaves a handoff that restore() finds, and sessions() lists the next session", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  assertStringIncludes((await handoff(place)).template, "### Current Task\n<!--");
  const done = await rollover({ ...place, issue: "#42" });
  assertEquals([done.parent_session_id, done.session_number, done.is_automatic], [
    SESSION,
    2,
    true,
  ]);
  const { kind, context } = await restore({ ...place, id: SESSION });
  assertEquals(kind, "handoff");
  assertStringIncludes(context, "This is session #2 for #42.");
  const rows = (await sessions(place)).sessions;
  assertEquals(rows.map((row) => [row.session_id, row.parent_session_id, row.end_reason]), [
    [SESSION, null, "rollover"],
    [null, SESSION, null],
  ]);
});

Deno.test("prompt() returns the section alone, and with a task the whole prompt", async () => {
  using place = sessionPlace("Build a login.", "Next: hash the passwords.");
  const section = (await prompt(place)).text;
  assert(section.startsWith("## Context Management\n"));
  const whole = (await prompt({ ...place, taskRef: "#42" })).text;
  assertStringIncludes(whole, section.trim());
  await assertRejects(() => prompt({ ...place, taskRef: "" }), TypeError);
});
