import { assertEquals } from "@std/assert";
import { readPlanning } from "../../src/store/planning.ts";
import "../own_config.ts";
import { inFolder, writeFile } from "../folder.ts";

const NOTHING = { phase: null, task: null };

const ROADMAP = `# Roadmap

## Phases

- [x] **Phase 15: Monitoring** - Watch the window
- [ ] **Phase 16: Context Compaction** - Compact in time
- [ ] **Phase 2.1: Hot Fix (INSERTED)** - In between

### Phase 16: Something Later
`;

const STATE = `# Project State

## Current Position

Phase: 16 of 20 (Compaction as stated)
Plan: 2 of 3 in current phase
Status: In progress
`;

function plant(projectDir: string, files: Readonly<Record<string, string>>): string {
  const root = `${projectDir}/.planning`;
  for (const [path, text] of Object.entries(files)) writeFile(`${root}/${path}`, text);
  return root;
}

const PHASES = {
  "phases/15-monitoring/15-01-PLAN.md": "",
  "phases/15-monitoring/15-01-SUMMARY.md": "",
  "phases/16-context-compaction/16-01-PLAN.md": "",
  "phases/16-context-compaction/16-01-SUMMARY.md": "",
  "phases/16-context-compaction/16-02-PLAN.md": "",
  "phases/16-context-compaction/16-03-PLAN.md": "",
  "phases/16-context-compaction/16-RESEARCH.md": "",
  "phases/notes.md": "",
};

Deno.test("readPlanning() finds the requested plan, or the first open plan of the current phase", () =>
  inFolder((projectDir) => {
    const root = plant(projectDir, { ...PHASES, "STATE.md": STATE, "ROADMAP.md": ROADMAP });
    const monitoring = { phase_number: 15, phase_name: "Monitoring" };
    const compaction = { phase_number: 16, phase_name: "Context Compaction" };
    const rows = [
      [undefined, compaction, { plan_id: "16-02", status: "incomplete" }],
      ["15-01", monitoring, { plan_id: "15-01", status: "complete" }],
      ["99-01", compaction, { plan_id: "99-01", status: "unknown" }],
    ] as const;
    for (const [id, phase, task] of rows) assertEquals(readPlanning(root, id), { phase, task });
  }));

Deno.test("readPlanning() takes the phase's name from the roadmap, else the state, else the folder", () =>
  inFolder((projectDir) => {
    const root = plant(projectDir, PHASES);
    assertEquals(readPlanning(root).phase?.phase_name, "Context Compaction");
    plant(projectDir, { "STATE.md": STATE });
    assertEquals(readPlanning(root).phase?.phase_name, "Compaction as stated");
    plant(projectDir, { "ROADMAP.md": ROADMAP });
    assertEquals(readPlanning(root).phase?.phase_name, "Context Compaction");
  }));

Deno.test("readPlanning() moves to the next open plan, or else to the first, when the current phase has none", () =>
  inFolder((projectDir) => {
    const state = { "STATE.md": "**Phase:** 15 - Monitoring\n" };
    const root = plant(projectDir, { ...PHASES, "phases/14-old/14-01-PLAN.md": "", ...state });
    assertEquals(readPlanning(root).task?.plan_id, "16-02");
    plant(projectDir, { "STATE.md": "Phase: 20\n" });
    // No plan of the current phase or of a later phase is open, so the first open plan counts.
    assertEquals(readPlanning(root).task?.plan_id, "14-01");
  }));

Deno.test("readPlanning() returns a phase but no task when all plans are complete", () =>
  inFolder((projectDir) => {
    const plans = ["phases/2.1-hot-fix/2.1-01-", "phases/02-base/02-01-"];
    const names = plans.flatMap((plan) => [`${plan}PLAN.md`, `${plan}SUMMARY.md`]);
    const root = plant(projectDir, Object.fromEntries(names.map((name) => [name, ""])));
    const phase = { phase_number: 2.1, phase_name: "Hot Fix" };
    assertEquals(readPlanning(root), { phase, task: null });
  }));

Deno.test("readPlanning() treats missing and unreadable files as empty", () =>
  inFolder((projectDir) => {
    assertEquals(readPlanning(`${projectDir}/none`), NOTHING);
    const root = plant(projectDir, { phases: "a file", "STATE.md": "\0\ufffd Phase: x" });
    assertEquals(readPlanning(root), NOTHING);
    Deno.mkdirSync(`${root}/ROADMAP.md`);
    Deno.writeFileSync(`${root}/STATE.md`, new Uint8Array(300_000).fill(0xff));
    assertEquals(readPlanning(root), NOTHING);
    assertEquals(readPlanning(`${root}/STATE.md`), NOTHING);
  }));
