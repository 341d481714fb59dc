import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  claimHandoff,
  type ClaimOptions,
  findHandoff,
  listHandoffs,
  MAX_WAIT_MS,
  trustHandoff,
  withdrawHandoff,
  writeHandoff,
} from "../../src/lineage/waiting.ts";
import { waitingFolder } from "../../src/lineage/waiting_files.ts";
import { isHandedOver } from "../../src/lineage/rolled_over.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { after, DAY_MS, handoffOptions, NOON, POSIX, sessionId, tempProject } from "./sessions.ts";
import { digestOf } from "../../src/store/sha256.ts";
import "../own_config.ts";

const [A, B, C, D] = [sessionId(1), sessionId(2), sessionId(3), sessionId(4)];

function claim(
  projectDir: string,
  id: string,
  changes: Partial<ClaimOptions> = {},
): string | undefined {
  const nowMs = after(10).getTime();
  return claimHandoff({ projectDir, sessionId: id, nowMs, ...changes })?.parent_session_id;
}

function put(
  projectDir: string,
  parent: string,
  changes: Parameters<typeof handoffOptions>[2] = {},
): string {
  return writeHandoff(handoffOptions(projectDir, parent, changes));
}

Deno.test("writeHandoff() writes a prompt and a note, both private", () => {
  using place = tempProject();
  const { projectDir } = place;
  const path = put(projectDir, A);
  const folder = waitingFolder(projectDir);
  assertEquals(path, `${projectDir}/.claude/trimtab/handoffs/${A}.md`);
  assertEquals(Deno.readTextFileSync(path), `prompt of ${A}\n`);
  const note = {
    ...handoffOptions(projectDir, A).note,
    prompt_file: path,
    view_sha256: digestOf(`prompt of ${A}\n`),
  };
  assertEquals(
    Deno.readTextFileSync(`${folder}/${A}.json`),
    `${JSON.stringify(note, null, 2)}\n`,
  );
  if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
  assertEquals(listHandoffs(projectDir, NOON.getTime()), [{
    ...note,
    status: "waiting" as const,
    claimed_by: [],
  }]);
});

Deno.test("claimHandoff() gives a handoff to one session and once", () => {
  using place = tempProject();
  const { projectDir } = place;
  assertEquals(claim(projectDir, B), undefined);
  assertEquals([...Deno.readDirSync(projectDir)], []);
  put(projectDir, A);
  assertEquals(claim(projectDir, B), A);
  assertEquals([claim(projectDir, B), claim(projectDir, C)], [undefined, undefined]);
  const [listed] = listHandoffs(projectDir, NOON.getTime());
  assertEquals([listed?.status, listed?.claimed_by], ["claimed", [B]]);
  // Its text stays, for whoever wants to start it in a shell.
  assertEquals(Deno.readTextFileSync(listed?.prompt_file ?? ""), `prompt of ${A}\n`);
});

Deno.test("trustHandoff() has a handoff given out that somebody else has changed", () => {
  using place = tempProject();
  const { projectDir } = place;
  const path = put(projectDir, A);
  Deno.writeTextFileSync(path, "changed by hand\n");
  assertEquals(findHandoff({ projectDir }, A)?.isOurs, false);
  assertEquals(claim(projectDir, B), undefined);
  trustHandoff({ projectDir }, A);
  assertEquals(findHandoff({ projectDir }, A)?.isOurs, true);
  assertEquals(claim(projectDir, B), A);
  assertThrows(() => trustHandoff({ projectDir }, C), Error, `Cannot trust handoff: ${C} has none`);
});

Deno.test("claimHandoff() prefers the parent's own and then the newest", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  put(projectDir, B, { created: after(2).toISOString() });
  put(projectDir, C, { created: after(1).toISOString() });
  assertEquals(claim(projectDir, D, { parent: A }), A);
  assertEquals(claim(projectDir, D, { parent: A, orNewest: false }), undefined);
  assertEquals([claim(projectDir, D), claim(projectDir, sessionId(5), { parent: D })], [B, C]);
});

Deno.test("claimHandoff() gives no session its own handoff, and none to what has no id", () => {
  using place = tempProject();
  put(place.projectDir, A);
  assertEquals(claim(place.projectDir, A), undefined);
  assertEquals(claim(place.projectDir, "../../x"), undefined);
  assertEquals(claim(place.projectDir, B), A);
});

Deno.test("claimHandoff() leaves what is too old or from the future", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  const noon = NOON.getTime();
  assertEquals(claim(projectDir, B, { nowMs: noon + MAX_WAIT_MS + 1 }), undefined);
  assertEquals(listHandoffs(projectDir, noon + MAX_WAIT_MS + 1).map((one) => one.status), [
    "expired",
  ]);
  assertEquals(claim(projectDir, B, { nowMs: noon - 6 * 60_000 }), undefined);
  assertEquals(claim(projectDir, B, { nowMs: noon + MAX_WAIT_MS }), A);
});

Deno.test("claimHandoff() gives a handoff that is kept to each session once", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A, { keep: true });
  assertEquals([B, C, B, C].map((id) => claim(projectDir, id)), [A, A, undefined, undefined]);
  const [listed] = listHandoffs(projectDir, NOON.getTime());
  assertEquals([listed?.status, listed?.claimed_by], ["waiting", [B, C]]);
});

Deno.test("writeHandoff() replaces the handoff of the same session alone", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  put(projectDir, B);
  const again = handoffOptions(projectDir, A, { title: "again", created: after(5).toISOString() });
  writeHandoff({ ...again, prompt: "newer" });
  const listed = listHandoffs(projectDir, NOON.getTime());
  assertEquals(listed.map((one) => [one.parent_session_id, one.title]), [
    [A, "again"],
    [B, "Session 2"],
  ]);
  const nowMs = after(9).getTime();
  assertEquals(claimHandoff({ projectDir, sessionId: C, nowMs })?.prompt, "newer\n");
  // One that was taken makes no difference to the next.
  put(projectDir, A, { created: after(6).toISOString() });
  assertEquals(claim(projectDir, D), A);
});

Deno.test("claimHandoff() passes over what is damaged, strange or without its text", () => {
  using place = tempProject();
  const { projectDir } = place;
  for (const id of [A, B, C]) put(projectDir, id);
  const folder = waitingFolder(projectDir);
  Deno.writeTextFileSync(`${folder}/${A}.json`, '{"parent_session_id":');
  Deno.removeSync(`${folder}/${B}.md`);
  Deno.renameSync(`${folder}/${C}.json`, `${folder}/${sessionId(9)}.json`);
  Deno.writeTextFileSync(`${folder}/notes.json`, "{}");
  Deno.mkdirSync(`${folder}/${sessionId(8)}.json`);
  assertEquals(claim(projectDir, D), undefined);
});

Deno.test("claimHandoff() leaves the handoff when another process holds the folder", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  withLockSync(`${waitingFolder(projectDir)}/.lock`, () => {
    assertEquals(claim(projectDir, B, { waitMs: 0 }), undefined);
    const options = { ...handoffOptions(projectDir, B), waitMs: 0 };
    assertThrows(() => writeHandoff(options), Error, "another process holds");
  });
  assertEquals(claim(projectDir, B), A);
});

Deno.test("writeHandoff() refuses an id that is none and a project that is not there", () => {
  using place = tempProject();
  assertThrows(() => put(place.projectDir, "../x"), RangeError, "is not the id of a session");
  assertThrows(() => put(`${place.projectDir}/gone`, A), Deno.errors.NotFound);
  assertEquals([...Deno.readDirSync(place.projectDir)], []);
});

Deno.test("writeHandoff() deletes what has been over for longer than it is kept", () => {
  using place = tempProject();
  const { projectDir } = place;
  const folder = waitingFolder(projectDir);
  for (const id of [A, B, C]) put(projectDir, id, { keep: id === C });
  for (const _ of [1, 2, 3]) claim(projectDir, D);
  const old = new Date(NOON.getTime() - 8 * DAY_MS);
  for (const { name } of Deno.readDirSync(folder)) {
    const isOld = !name.startsWith(B) && !name.startsWith(".");
    if (isOld) Deno.utimeSync(`${folder}/${name}`, old, old);
  }
  Deno.writeTextFileSync(`${folder}/mine.txt`, "not ours");
  put(projectDir, sessionId(7));
  const left = new Set([...Deno.readDirSync(folder)].map(({ name }) => name.split(".")[0]));
  assertEquals(left, new Set(["", "mine", B, sessionId(7)]));
});

Deno.test("withdrawHandoff() takes a handoff back, and does no harm where there is none", () => {
  using place = tempProject();
  put(place.projectDir, A);
  withdrawHandoff(place.projectDir, A);
  withdrawHandoff(place.projectDir, A);
  withdrawHandoff(place.projectDir, "../x");
  assertEquals(listHandoffs(place.projectDir, NOON.getTime()), []);
  assertEquals(claim(place.projectDir, B), undefined);
});

Deno.test("isHandedOver() goes by the handoffs where the lineage does not know the session", () => {
  using place = tempProject();
  put(place.projectDir, A);
  const isOver = (id: string): boolean => isHandedOver(id, NOON.getTime(), place.projectDir);
  assertEquals([isOver(A), isOver(B)], [true, false]);
  assert(claim(place.projectDir, B) === A);
  assertEquals(isOver(A), true);
});

Deno.test("claimHandoff() gives a session without a person only what was left for such", () => {
  using place = tempProject();
  const { projectDir } = place;
  put(projectDir, A);
  assertEquals(claim(projectDir, B, { forHeadless: true }), undefined);
  put(projectDir, C, { for_headless: true });
  assertEquals(claim(projectDir, B, { forHeadless: true }), C);
});
