import { assertEquals } from "@std/assert";
import { oldSaves, removeSave, saveFolder } from "../../src/saved/store.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { markAsOwn, markFolder } from "../../src/store/ours.ts";
import { POSIX } from "../posix.ts";
import {
  DAY_MS,
  namesIn,
  NOON_MS,
  OTHER_SESSION,
  SESSION,
  tempProject,
  viewOf,
} from "./checkpoints.ts";
import "../own_config.ts";

function prune(options: Parameters<typeof oldSaves>[1]): string[] {
  return oldSaves("checkpoint", options).map((found) => {
    removeSave(found, options.projectDir);
    return found.id;
  });
}

function plant(projectDir: string, daysAgo: number, session: string): string {
  const folder = saveFolder("checkpoint", { projectDir });
  const time = new Date(NOON_MS - daysAgo * DAY_MS).toISOString();
  const id = `${time.slice(0, 10)}-120000`;
  Deno.mkdirSync(folder, { recursive: true });
  const text = viewOf(emptyState(), { snapshot_id: id, timestamp: time, session_id: session });
  Deno.writeTextFileSync(`${folder}/${id}.md`, text);
  markAsOwn({ projectDir }, `${id}.md`, text);
  return id;
}

Deno.test("oldSaves() lists saves older than the limit, except the newest of a session", () => {
  using place = tempProject();
  const { projectDir } = place;
  const ownSaves = [1, 6, 8, 30].map((days) => plant(projectDir, days, SESSION));
  const others = [20, 25].map((days) => plant(projectDir, days, OTHER_SESSION));
  const options = { projectDir, retentionDays: 7, nowMs: NOON_MS };
  assertEquals(prune(options).sort(), [ownSaves[3], others[1], ownSaves[2]]);
  assertEquals(namesIn(saveFolder("checkpoint", { projectDir })), [
    `${others[0]}.md`,
    `${ownSaves[1]}.md`,
    `${ownSaves[0]}.md`,
  ]);
  assertEquals(namesIn(markFolder(projectDir)), namesIn(saveFolder("checkpoint", { projectDir })));
  assertEquals(prune(options), []);
});

Deno.test("oldSaves() omits the save to keep, and saves from the future", () => {
  using place = tempProject();
  const { projectDir } = place;
  const [, old = ""] = [-400, 30, -3].map((days) => plant(projectDir, days, SESSION));
  const options = { projectDir, retentionDays: 7, nowMs: NOON_MS };
  assertEquals(prune({ ...options, keepId: old }), []);
  assertEquals(prune(options), [old]);
});

Deno.test("oldSaves() never touches foreign files", () => {
  using place = tempProject();
  const { projectDir } = place;
  plant(projectDir, 1, SESSION);
  const old = plant(projectDir, 30, SESSION);
  const folder = saveFolder("checkpoint", { projectDir });
  const text = Deno.readTextFileSync(`${folder}/${old}.md`);
  Deno.removeSync(`${folder}/${old}.md`);
  // These files are foreign by name, by content or by type.
  for (const name of ["notes.md", `${old}.txt`, `x${old}.md`, `${old}.md.bak`]) {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
  }
  Deno.writeTextFileSync(`${folder}/2020-01-01-000000.md`, "# My own notes\n");
  Deno.mkdirSync(`${folder}/2020-01-02-000000.md`);
  Deno.writeTextFileSync(`${place.configDir}/elsewhere.md`, text);
  if (POSIX) {
    Deno.symlinkSync(`${place.configDir}/elsewhere.md`, `${folder}/2020-01-03-000000.md`);
  }
  const before = namesIn(folder);
  assertEquals(prune({ projectDir, retentionDays: 0, nowMs: NOON_MS }), []);
  assertEquals(namesIn(folder), before);
});

Deno.test("oldSaves() omits saves from other machines", () => {
  using place = tempProject();
  const { projectDir } = place;
  plant(projectDir, 1, SESSION);
  const [old, older] = [30, 40].map((days) => plant(projectDir, days, SESSION));
  Deno.writeTextFileSync(`${saveFolder("checkpoint", { projectDir })}/${old}.md`, "\n", {
    append: true,
  });
  const options = { projectDir, retentionDays: 7, nowMs: NOON_MS };
  assertEquals(prune(options), [older]);
});

Deno.test("oldSaves() lists nothing without a numeric retention", () => {
  using place = tempProject();
  const { projectDir } = place;
  plant(projectDir, 1, SESSION);
  plant(projectDir, 900, SESSION);
  for (const retentionDays of [NaN, Infinity]) {
    assertEquals(prune({ projectDir, retentionDays, nowMs: NOON_MS }), []);
  }
});
