import { assertEquals } from "@std/assert";
import { oldSaves, removeSave, saveFolder } from "../../src/saved/store.ts";
import { markFolder } from "../../src/store/own_marks.ts";
import { fileName } from "../../src/store/paths.ts";
import { POSIX } from "../posix.ts";
import {
  DAY_MS,
  NOON_MS,
  OTHER_SESSION,
  plantCheckpoint,
  type Project,
  projectTest as test,
  SESSION,
} from "./checkpoints.ts";
import { namesIn } from "../folder.ts";

function prune(place: Project, retentionDays = 7, keepId = ""): string[] {
  const options = { ...place, retentionDays, nowMs: NOON_MS, keepId };
  return oldSaves("checkpoint", options).map((found) => {
    removeSave(found, place.projectDir);
    return `${found.id}.md`;
  });
}

function plant(place: Project, daysAgo: number, session = SESSION): string {
  const time = new Date(NOON_MS - daysAgo * DAY_MS).toISOString();
  return fileName(plantCheckpoint(place, time, session));
}

function checkpointsIn(place: Project): string[] {
  return namesIn(saveFolder("checkpoint", place)).filter((name) => name.endsWith(".md"));
}

test("oldSaves() lists saves older than the limit, except the newest of a session", (place) => {
  const [day1, day6, day7, day8, day30] = [1, 6, 7, 8, 30].map((days) => plant(place, days));
  const [day20, day25] = [20, 25].map((days) => plant(place, days, OTHER_SESSION));
  assertEquals(prune(place).sort(), [day30, day25, day8]);
  assertEquals(checkpointsIn(place), [day20, day7, day6, day1]);
  assertEquals(namesIn(markFolder(place.projectDir)), checkpointsIn(place));
  assertEquals(prune(place), []);
});

test("oldSaves() omits the save to keep, and saves from the future", (place) => {
  const [, old = ""] = [-400, 30, -3].map((days) => plant(place, days));
  assertEquals(prune(place, 7, old.slice(0, -".md".length)), []);
  assertEquals(prune(place), [old]);
});

test("oldSaves() does not list files that are not checkpoints by name, content or type", (place) => {
  plant(place, 1);
  const folder = saveFolder("checkpoint", place);
  const old = plant(place, 30);
  const text = Deno.readTextFileSync(`${folder}/${old}`);
  Deno.removeSync(`${folder}/${old}`);
  for (const name of ["notes.md", old.replace(".md", ".txt"), `x${old}`, `${old}.bak`]) {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
  }
  Deno.writeTextFileSync(`${folder}/2020-01-01-000000.md`, "# My own notes\n");
  Deno.mkdirSync(`${folder}/2020-01-02-000000.md`);
  Deno.writeTextFileSync(`${place.root}/elsewhere.md`, text);
  if (POSIX) Deno.symlinkSync(`${place.root}/elsewhere.md`, `${folder}/2020-01-03-000000.md`);
  const before = namesIn(folder);
  assertEquals(prune(place, 0), []);
  assertEquals(namesIn(folder), before);
});

test("oldSaves() omits a save that was changed after it was written", (place) => {
  const [, changed, older] = [1, 30, 40].map((days) => plant(place, days));
  const path = `${saveFolder("checkpoint", place)}/${changed}`;
  Deno.writeTextFileSync(path, "\n", { append: true });
  assertEquals(prune(place), [older]);
});

test("oldSaves() lists nothing if the retention is not a finite number", (place) => {
  for (const days of [1, 900]) plant(place, days);
  for (const retentionDays of [NaN, Infinity]) assertEquals(prune(place, retentionDays), []);
});
