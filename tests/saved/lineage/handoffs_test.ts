import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  claimHandoff,
  type ClaimOptions,
  findHandoff,
  isFresh,
  isHandedOver,
  listHandoffs,
  MAX_WAIT_MS,
} from "../../../src/saved/lineage/handoffs.ts";
import { isOwnSave, saveFolder, trustSave } from "../../../src/saved/store.ts";
import { withLockSync } from "../../../src/store/lock.ts";
import { digestOf } from "../../../src/store/sha256.ts";
import { POSIX } from "../../posix.ts";
import {
  after,
  DAY_MS,
  handoffSave,
  NOON,
  putHandoff as put,
  sessionId,
  tempProject,
} from "./sessions.ts";
import "../../own_config.ts";

const [A, B, C, D] = [sessionId(1), sessionId(2), sessionId(3), sessionId(4)];

function claim(
  projectDir: string,
  id: string,
  changes: Partial<ClaimOptions> = {},
): string | undefined {
  const nowMs = after(10).getTime();
  return claimHandoff({ projectDir, sessionId: id, nowMs, ...changes })?.id;
}

Deno.test("writeHandoff() writes a private prompt and a private JSON file", () => {
  using place = tempProject();
  const { projectDir } = place;
  const path = put(projectDir, A);
  const folder = saveFolder("handoff", { projectDir });
  assertEquals(path, `${projectDir}/.claude/trimtab/handoffs/${A}.md`);
  assertEquals(Deno.readTextFileSync(path), `prompt of ${A}\n`);
  const save = JSON.parse(Deno.readTextFileSync(`${folder}/${A}.json`));
  assertEquals(save, {
    ...handoffSave(A),
    verified: true,
    view_sha256: digestOf(`prompt of ${A}\n`),
  });
  if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
  const [{ id, status, view, summary } = {}] = listHandoffs(projectDir);
  assertEquals([id, status, view, summary], [A, "waiting", path, "Session 2"]);
});

Deno.test("claimHandoff() gives a handoff to one session, once", () => {
  using place = tempProject();
  const { projectDir } = place;
  assertEquals(claim(projectDir, B), undefined);
  assertEquals([...Deno.readDirSync(projectDir)], []);
  put(projectDir, A);
  assertEquals(claim(projectDir, B), A);
  assertEquals([claim(projectDir, B), claim(projectDir, C)], [undefined, undefined]);
  const [listed] = listHandoffs(projectDir);
  assertEquals([listed?.status, listed?.handoff.claimed_by], ["claimed", [B]]);
  // The text is kept for a session that is started from a shell.
  assertEquals(Deno.readTextFileSync(listed?.view ?? ""), `prompt of ${A}\n`);
});

Deno.test("trustSave() makes claimHandoff() accept a handoff that was changed", () => {
  using place = tempProject();
  const { projectDir } = place;
  const path = put(projectDir, A);
  Deno.writeTextFileSync(path, "changed by hand\n");
  const found = findHandoff(projectDir, A);
  assert(found !== null && !isOwnSave(found, place));
  assertEquals(claim(projectDir, B), undefined);
  trustSave(found, place);
  assert(isOwnSave(found, place));
  assertEquals(claim(projectDir, B), A);
  assertEquals(findHandoff(projectDir, C), null);
});

Deno.test("claimHandoff() prefers the parent's handoff, then the newest", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  put(projectDir, B, { created: after(2) });
  put(projectDir, C, { created: after(1) });
  assertEquals(claim(projectDir, D, { parent: A }), A);
  assertEquals(claim(projectDir, D, { parent: A, orNewest: false }), undefined);
  assertEquals([claim(projectDir, D), claim(projectDir, sessionId(5), { parent: D })], [B, C]);
});

Deno.test("claimHandoff() gives no handoff to its own session or to a session without an id", () => {
  using place = tempProject();
  put(place.projectDir, A);
  assertEquals(claim(place.projectDir, A), undefined);
  assertEquals(claim(place.projectDir, "../../../x"), undefined);
  assertEquals(claim(place.projectDir, B), A);
});

Deno.test("claimHandoff() ignores handoffs that are too old or from the future", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  const noon = NOON.getTime();
  assertEquals(claim(projectDir, B, { nowMs: noon + MAX_WAIT_MS + 1 }), undefined);
  assertEquals(listHandoffs(projectDir).map((one) => isFresh(one, noon + MAX_WAIT_MS + 1)), [
    false,
  ]);
  assertEquals(claim(projectDir, B, { nowMs: noon - 6 * 60_000 }), undefined);
  assertEquals(claim(projectDir, B, { nowMs: noon + MAX_WAIT_MS }), A);
});

Deno.test("claimHandoff() gives a kept handoff to each session once", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A, { keep: true });
  assertEquals([B, C, B, C].map((id) => claim(projectDir, id)), [A, A, undefined, undefined]);
  const [listed] = listHandoffs(projectDir);
  assertEquals([listed?.status, listed?.handoff.claimed_by], ["waiting", [B, C]]);
});

Deno.test("writeHandoff() replaces only the handoff of the same session", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  put(projectDir, B);
  put(projectDir, A, { title: "again", created: after(5), prompt: "newer" });
  assertEquals(listHandoffs(projectDir).map(({ id, summary }) => [id, summary]), [
    [A, "again"],
    [B, "Session 2"],
  ]);
  const taken = claimHandoff({ projectDir, sessionId: C, nowMs: after(9).getTime() });
  assertEquals(Deno.readTextFileSync(taken?.view ?? ""), "newer\n");
  // The next session ignores a claimed handoff.
  put(projectDir, A, { created: after(6) });
  assertEquals(claim(projectDir, D), A);
});

Deno.test("claimHandoff() skips handoffs that are damaged, foreign or without text", () => {
  using place = tempProject();
  const { projectDir } = place;
  for (const id of [A, B, C]) put(projectDir, id);
  const folder = saveFolder("handoff", { projectDir });
  Deno.writeTextFileSync(`${folder}/${A}.json`, '{"parent_session_id":');
  Deno.removeSync(`${folder}/${B}.md`);
  Deno.renameSync(`${folder}/${C}.json`, `${folder}/${sessionId(9)}.json`);
  Deno.writeTextFileSync(`${folder}/notes.json`, "{}");
  Deno.mkdirSync(`${folder}/${sessionId(8)}.json`);
  assertEquals(claim(projectDir, D), undefined);
});

Deno.test("claimHandoff() claims nothing while another process holds the lock", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  withLockSync(`${saveFolder("handoff", { projectDir })}/.lock`, () => {
    assertEquals(claim(projectDir, B, { waitMs: 0 }), undefined);
    assertThrows(() => put(projectDir, B, { waitMs: 0 }), Error, "another process holds");
  });
  assertEquals(claim(projectDir, B), A);
});

Deno.test("writeHandoff() deletes expired handoffs", () => {
  using place = tempProject();
  const { projectDir } = place;
  const folder = saveFolder("handoff", { projectDir });
  const created = new Date(NOON.getTime() - 8 * DAY_MS);
  for (const id of [A, C]) put(projectDir, id, { created, keep: id === C });
  put(projectDir, B);
  Deno.writeTextFileSync(`${folder}/mine.txt`, "not ours");
  put(projectDir, sessionId(7));
  const remaining = new Set([...Deno.readDirSync(folder)].map(({ name }) => name.split(".")[0]));
  assertEquals(remaining, new Set(["", "mine", B, sessionId(7)]));
});

Deno.test("isHandedOver() uses the handoffs if the lineage does not know the session", () => {
  using place = tempProject();
  put(place.projectDir, A);
  const handedOver = (id: string): boolean => isHandedOver(id, NOON.getTime(), place.projectDir);
  assertEquals([handedOver(A), handedOver(B)], [true, false]);
  assert(claim(place.projectDir, B) === A);
  assertEquals(handedOver(A), true);
});

Deno.test("claimHandoff() gives a headless session only handoffs for headless sessions", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  assertEquals(claim(projectDir, B, { forHeadless: true }), undefined);
  put(projectDir, C, { for_headless: true });
  assertEquals(claim(projectDir, B, { forHeadless: true }), C);
});

Deno.test("claimHandoff() accepts handoffs of an earlier version, unless they were claimed", () => {
  using place = tempProject();
  const { projectDir } = place;
  const folder = saveFolder("handoff", { projectDir });
  for (const id of [A, B]) put(projectDir, id);
  for (const id of [A, B]) {
    const oldHandoff = {
      parent_session_id: id,
      session_number: 2,
      worker_id: "main",
      created: NOON.toISOString(),
      percent: 80,
      issue: null,
      title: "Session 2",
      prompt_file: `${folder}/${id}.md`,
      checkpoint: null,
      has_episodic_memory: false,
      keep: false,
    };
    Deno.writeTextFileSync(`${folder}/${id}.json`, JSON.stringify(oldHandoff));
    const found = findHandoff(projectDir, id);
    assert(found !== null);
    trustSave(found, place);
  }
  Deno.renameSync(`${folder}/${B}.json`, `${folder}/${B}.claimed-${C}.1772366400000.json`);
  assertEquals([claim(projectDir, D), claim(projectDir, D)], [A, undefined]);
  assertEquals(findHandoff(projectDir, B)?.status, "claimed");
});
