import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  claimHandoff,
  type ClaimOptions,
  findHandoff,
  isFresh,
  isHandedOver,
  listHandoffs,
  MAX_HANDOFF_AGE_MS,
} from "../../../src/saved/lineage/handoffs.ts";
import { isOwnSave, saveFolder, trustSave } from "../../../src/saved/store.ts";
import { withLockSync } from "../../../src/store/lock.ts";
import { sha256Hex } from "../../../src/store/sha256.ts";
import { POSIX } from "../../posix.ts";
import {
  after,
  DAY_MS,
  handoffSave,
  NOON,
  projectTest as test,
  putHandoff as put,
  sessionId,
} from "./sessions.ts";
import { modeOf, namesIn } from "../../folder.ts";

const [A, B, C, D] = [sessionId(1), sessionId(2), sessionId(3), sessionId(4)];

function claim(
  projectDir: string,
  sessionId: string,
  changes: Partial<ClaimOptions> = {},
): string | undefined {
  return claimHandoff({ projectDir, sessionId, nowMs: after(10).getTime(), ...changes })?.id;
}

test("writeHandoff() writes a private prompt and a private JSON file", ({ projectDir }) => {
  const path = put(projectDir, A);
  const folder = saveFolder("handoff", { projectDir });
  assertEquals(path, `${projectDir}/.claude/trimtab/handoffs/${A}.md`);
  assertEquals(Deno.readTextFileSync(path), `prompt of ${A}\n`);
  const view_sha256 = sha256Hex(`prompt of ${A}\n`);
  const save = JSON.parse(Deno.readTextFileSync(`${folder}/${A}.json`));
  assertEquals(save, { ...handoffSave(A), verified: true, view_sha256 });
  if (POSIX) assertEquals(modeOf(path), 0o600);
  assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
  const [{ id, status, view, summary } = {}] = listHandoffs(projectDir);
  assertEquals([id, status, view, summary], [A, "waiting", path, "Session 2"]);
});

test("claimHandoff() returns a handoff only once, to a single session", ({ projectDir }) => {
  assertEquals(claim(projectDir, B), undefined);
  assertEquals(namesIn(projectDir), []);
  put(projectDir, A);
  assertEquals(claim(projectDir, B), A);
  assertEquals([claim(projectDir, B), claim(projectDir, C)], [undefined, undefined]);
  const [listed] = listHandoffs(projectDir);
  assertEquals([listed?.status, listed?.handoff.claimed_by], ["claimed", [B]]);
  // The text is kept for a session that is started from a shell.
  assertEquals(Deno.readTextFileSync(listed?.view ?? ""), `prompt of ${A}\n`);
});

test("trustSave() makes claimHandoff() accept a handoff that was changed", ({ projectDir }) => {
  const path = put(projectDir, A);
  Deno.writeTextFileSync(path, "changed by hand\n");
  const found = findHandoff(projectDir, A);
  assert(found !== null && !isOwnSave(found, { projectDir }));
  assertEquals(claim(projectDir, B), undefined);
  trustSave(found, { projectDir });
  assert(isOwnSave(found, { projectDir }));
  assertEquals(claim(projectDir, B), A);
  assertEquals(findHandoff(projectDir, C), null);
});

test("claimHandoff() claims the parent's handoff or, without a parent, the newest", ({ projectDir }) => {
  put(projectDir, A);
  put(projectDir, B, { created: after(2) });
  put(projectDir, C, { created: after(1) });
  assertEquals(claim(projectDir, D, { parent: A }), A);
  assertEquals(claim(projectDir, D, { parent: A }), undefined);
  assertEquals([claim(projectDir, D), claim(projectDir, sessionId(5))], [B, C]);
});

test("claimHandoff() returns no handoff to its own session or to a session with an invalid id", ({ projectDir }) => {
  put(projectDir, A);
  const claimed = [A, "../../../x", B].map((id) => claim(projectDir, id));
  assertEquals(claimed, [undefined, undefined, A]);
});

test("claimHandoff() ignores handoffs that are too old or from the future", ({ projectDir }) => {
  put(projectDir, A);
  const noon = NOON.getTime();
  const tooLate = noon + MAX_HANDOFF_AGE_MS + 1;
  assertEquals(claim(projectDir, B, { nowMs: tooLate }), undefined);
  assertEquals(listHandoffs(projectDir).map((one) => isFresh(one, tooLate)), [false]);
  assertEquals(claim(projectDir, B, { nowMs: noon - 6 * 60_000 }), undefined);
  assertEquals(claim(projectDir, B, { nowMs: noon + MAX_HANDOFF_AGE_MS }), A);
});

test("claimHandoff() returns a kept handoff to each session once", ({ projectDir }) => {
  put(projectDir, A, { keep: true });
  assertEquals([B, C, B, C].map((id) => claim(projectDir, id)), [A, A, undefined, undefined]);
  const [listed] = listHandoffs(projectDir);
  assertEquals([listed?.status, listed?.handoff.claimed_by], ["waiting", [B, C]]);
});

test("writeHandoff() replaces only the handoff of the same session", ({ projectDir }) => {
  put(projectDir, A);
  put(projectDir, B);
  put(projectDir, A, { title: "again", created: after(5), prompt: "newer" });
  assertEquals(listHandoffs(projectDir).map(({ id, summary }) => [id, summary]), [
    [A, "again"],
    [B, "Session 2"],
  ]);
  const taken = claimHandoff({ projectDir, sessionId: C, nowMs: after(9).getTime() });
  assertEquals(Deno.readTextFileSync(taken?.view ?? ""), "newer\n");
  put(projectDir, A, { created: after(6) });
  assertEquals(claim(projectDir, D), A, "a claimed handoff is replaced by a new one");
});

test("claimHandoff() skips handoffs that are damaged, foreign or without text", ({ projectDir }) => {
  for (const id of [A, B, C]) put(projectDir, id);
  const folder = saveFolder("handoff", { projectDir });
  Deno.writeTextFileSync(`${folder}/${A}.json`, '{"parent_session_id":');
  Deno.removeSync(`${folder}/${B}.md`);
  Deno.renameSync(`${folder}/${C}.json`, `${folder}/${sessionId(9)}.json`);
  Deno.writeTextFileSync(`${folder}/notes.json`, "{}");
  Deno.mkdirSync(`${folder}/${sessionId(8)}.json`);
  assertEquals(claim(projectDir, D), undefined);
});

test("claimHandoff() claims nothing while another process holds the lock", ({ projectDir }) => {
  put(projectDir, A);
  withLockSync(`${saveFolder("handoff", { projectDir })}/.lock`, () => {
    assertEquals(claim(projectDir, B, { waitMs: 0 }), undefined);
    assertThrows(() => put(projectDir, B, { waitMs: 0 }), Error, "another process holds");
  });
  assertEquals(claim(projectDir, B), A);
});

test("writeHandoff() deletes expired handoffs", ({ projectDir }) => {
  const folder = saveFolder("handoff", { projectDir });
  const created = new Date(NOON.getTime() - 8 * DAY_MS);
  for (const id of [A, C]) put(projectDir, id, { created, keep: id === C });
  put(projectDir, B);
  Deno.writeTextFileSync(`${folder}/mine.txt`, "not ours");
  put(projectDir, sessionId(7));
  const remaining = new Set([...Deno.readDirSync(folder)].map(({ name }) => name.split(".")[0]));
  assertEquals(remaining, new Set(["", "mine", B, sessionId(7)]));
});

test("isHandedOver() uses the handoffs if the lineage does not contain the session", ({ projectDir }) => {
  put(projectDir, A);
  const handedOver = (id: string): boolean => isHandedOver(id, NOON.getTime(), projectDir);
  assertEquals([handedOver(A), handedOver(B)], [true, false]);
  assertEquals(claim(projectDir, B), A);
  assertEquals(handedOver(A), true);
});

test("claimHandoff() gives a headless session only handoffs for headless sessions", ({ projectDir }) => {
  put(projectDir, A);
  assertEquals(claim(projectDir, B, { forHeadless: true }), undefined);
  put(projectDir, C, { for_headless: true });
  assertEquals(claim(projectDir, B, { forHeadless: true }), C);
});

test("claimHandoff() accepts handoffs of an earlier version, unless they were claimed", ({ projectDir }) => {
  const folder = saveFolder("handoff", { projectDir });
  for (const id of [A, B]) put(projectDir, id);
  for (const id of [A, B]) {
    const oldHandoff = {
      ...{ parent_session_id: id, session_number: 2, worker_id: "main", percent: 80 },
      ...{ created: NOON.toISOString(), title: "Session 2", prompt_file: `${folder}/${id}.md` },
      ...{ issue: null, checkpoint: null, has_episodic_memory: false, keep: false },
    };
    Deno.writeTextFileSync(`${folder}/${id}.json`, JSON.stringify(oldHandoff));
    const found = findHandoff(projectDir, id);
    assert(found !== null);
    trustSave(found, { projectDir });
  }
  Deno.renameSync(`${folder}/${B}.json`, `${folder}/${B}.claimed-${C}.1772366400000.json`);
  assertEquals([claim(projectDir, D), claim(projectDir, D)], [A, undefined]);
  assertEquals(findHandoff(projectDir, B)?.status, "claimed");
});
