import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { checkpoint, freshStart, list, restore, rollover, snapshot, status } from "../../mod.ts";
import { runDeno } from "../../tools/child.ts";
import { newFolder } from "../folder.ts";
import { type Place, SESSION, sessionPlace } from "./session_place.ts";
import "../own_config.ts";

function newPlace(): Place {
  return sessionPlace("Build a login.", "Next: hash the passwords.");
}

/** Edits the Markdown of a checkpoint, so that its mark is no longer valid. */
function edit({ path }: { readonly path: string | null }): void {
  Deno.writeTextFileSync(path ?? "", "\nobey\n", { append: true });
}

/** Returns the option that sets the clock to this many minutes after noon. */
function at(minutes: number): { now: () => Date } {
  return { now: () => new Date(Date.UTC(2026, 2, 1, 12, minutes)) };
}

Deno.test("checkpoint() saves notes for a request by the watcher, even right after another save", async () => {
  using place = newPlace();
  const { cwd: projectDir, configDir } = place;
  const second = (n: number): Date => new Date(Date.UTC(2026, 2, 1, 12, 0, n));
  await checkpoint({ ...place, now: () => second(0) });
  const request = { projectDir, configDir, sessionId: SESSION, now: second(10) };
  triggerCheckpoint("context_60_percent", request);
  const notes = "## Learnings\n- Port 8080 is taken\n";
  const { id, path, trigger } = await checkpoint({ ...place, notes, now: () => second(20) });
  assertEquals([id, trigger], ["2026-03-01-120020", "watcher"]);
  assertStringIncludes(Deno.readTextFileSync(path ?? ""), "Port 8080 is taken");
});

Deno.test("checkpoint() warns about notes that it leaves out", async () => {
  using place = newPlace();
  const notes = "## Learnings\n" + Array.from({ length: 201 }, (_, n) => `- fact ${n}\n`).join("");
  const { warning } = await checkpoint({ ...place, notes });
  assertEquals(warning, "Only the first 200 of 201 notes under Learnings were saved.");
});

Deno.test("checkpoint() saves into the given folder, not into the project of the session that runs it", async () => {
  using place = newPlace();
  using other = newFolder();
  const module = new URL("../../mod.ts", import.meta.url).href;
  const code = `import { checkpoint, list } from "${module}";
    const place = ${JSON.stringify({ cwd: place.cwd, configDir: place.configDir })};
    const { path } = await checkpoint({ ...place, session: ${JSON.stringify(place.session)} });
    console.log(JSON.stringify([path, (await list(place)).checkpoints.length]));`;
  const { stdout, stderr } = await runDeno(["eval", "--no-check", code], {
    env: { CLAUDE_PROJECT_DIR: other.path, CLAUDE_CODE_SESSION_ID: SESSION },
  });
  assertEquals(stderr, "");
  const [path, count] = JSON.parse(stdout);
  assertEquals([path.startsWith(`${place.cwd}/.claude/`), count], [true, 1], path);
});

Deno.test("status() returns the newest checkpoint", async () => {
  using place = newPlace();
  assertEquals((await status(place)).last_checkpoint, null);
  const { id, created } = await checkpoint(place);
  assertEquals<unknown>((await status(place)).last_checkpoint, { id, created });
});

Deno.test("restore() and list() report an edited save as foreign until it is trusted", async () => {
  using place = newPlace();
  const saved = await checkpoint(place);
  const { id } = saved;
  edit(saved);
  const named = { ...place, id: id ?? "" };
  assertEquals((await restore(named)).is_ours, false);
  assertEquals((await list(place)).checkpoints.map(({ is_ours }) => is_ours), [false]);
  const message = `checkpoint ${id}, was edited after it was saved`;
  await assertRejects(() => restore(place), Error, message);
  assertEquals((await restore({ ...named, trust: true })).is_ours, true);
  assertEquals((await restore(place)).id, id);
  assertEquals((await list(place)).checkpoints.map(({ is_ours }) => is_ours), [true]);
});

Deno.test("restore() reports a newer save whose Markdown was edited", async () => {
  using place = newPlace();
  const older = await checkpoint({ ...place, ...at(0) });
  const notes = "## Learnings\n- Port 8080 is taken\n";
  const newer = await checkpoint({ ...place, notes, ...at(10) });
  assertEquals((await restore(place)).edited, undefined);
  edit(newer);
  const { id, edited } = await restore(place);
  assertEquals([id, edited], [older.id, newer.id]);
});

Deno.test("freshStart() uses a checkpoint written on this machine if no such snapshot exists", async () => {
  using place = newPlace();
  const { file_path: path } = await snapshot(place);
  Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}\n`);
  await assertRejects(() => freshStart(place), Error, "that was written on this machine");
  await checkpoint(place);
  const { snapshot_id, prompt, checkpoint: text } = await freshStart(place);
  assertEquals([snapshot_id, prompt], [null, null]);
  assertStringIncludes(text ?? "", "hash the passwords");
});

Deno.test("restore() prefers a handoff to the saves of the same work", async () => {
  using place = newPlace();
  await rollover({ ...place, ...at(0) });
  await snapshot({ ...place, name: "end of the turn", ...at(1) });
  assertEquals((await restore(place)).kind, "handoff");
  const later = await snapshot({ ...place, name: "later", ...at(10) });
  assertEquals((await restore(place)).id, later.snapshot_id);
});

Deno.test("restore() reports that the prompt of a handoff is missing", async () => {
  using place = newPlace();
  const { prompt_file } = await rollover({ ...place, ...at(0) });
  Deno.removeSync(prompt_file);
  const message = `Cannot restore handoff ${SESSION}: its prompt is missing`;
  await assertRejects(() => restore({ ...place, id: SESSION }), Error, message);
});
