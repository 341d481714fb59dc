import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findSave, listCheckpoints, readFound, saveFolder } from "../../src/saved/store.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { restoredText } from "../../src/saved/views/restored.ts";
import { newFolder, writeFile } from "../folder.ts";
import { type Project, projectTest as test, saveOptions } from "./checkpoints.ts";

const SEED = `---
created: 2025-12-20T14:30:22Z
trigger: auto
project: /path/to/project
session_id: abc123
iteration: 3
verified: true
---

## What Changed
- [src/a.ts:12] - Description of change

## Next Steps
- [ ] Task 1
`;

function plant({ projectDir }: Project, name: string, text = SEED): string {
  return writeFile(`${saveFolder("checkpoint", { projectDir })}/${name}`, text);
}

test("findSave() prefers an exact id to an id that only starts with it", (place) => {
  for (let times = 0; times < 2; times++) writeCheckpoint(emptyState(), saveOptions(place));
  assertEquals(findSave("2026-03-01-120000", ["checkpoint"], place)?.iteration, 1);
});

test("listCheckpoints() lists Markdown that a person or another tool wrote in the same format", (place) => {
  const path = plant(place, "2025-12-20-143022.md");
  plant(place, "2025-12-20-143023.md", "# Not one\n");
  plant(place, "2025-12-20-143024.md", `${SEED}${"x".repeat(2_000_000)}`);
  assertEquals(listCheckpoints(place), [{
    id: "2025-12-20-143022",
    path,
    project: place.projectDir,
    created: "2025-12-20T14:30:22Z",
    trigger: "auto",
    verified: true,
    iteration: 3,
    summary: "",
    session_id: "abc123",
  }]);
});

test("findSave() reads a checkpoint's id from its file name, not from its content", (place) => {
  const name = "2025-12-21-080000";
  plant(place, `${name}.md`);
  const found = findSave("latest", ["checkpoint"], place);
  assertEquals([found?.id, found?.meta?.id], [name, name]);
  assert(found !== null);
  assertStringIncludes(restoredText(found, place), `Checkpoint ${name}, saved on 2025-12-20`);
});

Deno.test("readFound() treats deleted files and folders as missing", () => {
  using temporary = newFolder();
  const folder = temporary.path;
  const files = { kind: "checkpoint", id: "2026-03-01-100100" } as const;
  assertEquals(readFound({ ...files, json: null, view: `${folder}/2026-03-01-100100.md` }), null);
  assertEquals(readFound({ ...files, json: folder, view: folder }), null);
});
