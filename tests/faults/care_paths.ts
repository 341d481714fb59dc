/**
 * Write paths for maintenance (settings, doctor, rescue and clean-up), kept transcripts and reports.
 */

import { assert, assertEquals } from "@std/assert";
import { clean } from "../../src/doctor/clean/plan.ts";
import { switchLive } from "../../src/config/live_switch.ts";
import { loadContextConfig } from "../../src/config/load.ts";
import { type DoctorReport, runDoctor } from "../../src/doctor/check/doctor.ts";
import { install } from "../../src/doctor/install/install.ts";
import { rescueSession } from "../../src/doctor/repair/rescue.ts";
import { PAGE_START } from "../../src/report/page.ts";
import { reportsFolder, savePage } from "../../src/report/save_page.ts";
import { TEMPORARY_PREFIX } from "../../src/store/atomic.ts";
import { keepTranscript, keptFolder } from "../../src/transcript/kept.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { BROKEN, type Place, SESSION, START_MS } from "./place.ts";
import { idOf, timeOf, type WritePath } from "./write_path.ts";
import "../own_config.ts";
import { modeOf } from "../folder.ts";

/**
 * Saved before tests replace the functions of `Deno`, so that the setup within a run does not count as a call
 * under test.
 */
const { chmodSync, utimeSync } = Deno;

export const CARE_PATHS: readonly WritePath[] = [
  {
    name: "settings",
    run: (place, round) => install(settingsOf(place, round)),
    assertDone(place): void {
      const { action } = install({ ...settingsOf(place, 0), dryRun: true });
      assertEquals(action, "already installed");
    },
  },
  {
    name: "uninstall from settings",
    prepare: (place) => void install(settingsOf(place, 0)),
    run: (place, round) => install({ ...settingsOf(place, round), uninstall: true }),
    assertDone(place): void {
      const text = Deno.readTextFileSync(`${place.configDir}/settings.json`);
      assertEquals(text, '{\n  "model": "opus"\n}\n');
    },
  },
  {
    name: "live shaping switch",
    run: (place, round) => switchLive(round % 2 === 1, place, "user"),
    assertDone(place, round): void {
      assertEquals(loadContextConfig(place).live.enabled, round % 2 === 1);
    },
  },
  {
    name: "transcript that is already kept",
    prepare(place): void {
      const [first = ""] = Deno.readTextFileSync(place.transcript).split("\n", 1);
      Deno.mkdirSync(keptFolder(place.configDir), { recursive: true });
      Deno.writeTextFileSync(`${keptFolder(place.configDir)}/${SESSION}.jsonl`, `${first}\n`);
    },
    run: (place) => keepTranscript({ id: SESSION, path: place.transcript }, place.configDir),
    assertDone(place): void {
      const kept = Deno.readTextFileSync(`${keptFolder(place.configDir)}/${SESSION}.jsonl`);
      assertEquals(kept, Deno.readTextFileSync(place.transcript));
    },
  },
  {
    name: "rescued copy",
    run: (place, round) =>
      rescueSession({ session: { path: place.broken, id: BROKEN }, newId: () => idOf("d0", round) })
        .owned.notes,
    assertDone(place, round): void {
      const path = place.broken.replace(BROKEN, idOf("d0", round));
      assert(Deno.readTextFileSync(path).includes("rescue_metadata"));
    },
  },
  {
    name: "clean-up",
    prepare(place): void {
      Deno.writeTextFileSync(leftoverPath(place), "half a fi");
      const snapshots = `${place.projectDir}/.claude/runtime/context-snapshots`;
      Deno.copyFileSync(`${snapshots}/20260301_120000.json`, `${snapshots}/20250101_120000.json`);
    },
    run(place): void {
      makeOld(leftoverPath(place));
      clean({ ...place, retentionDays: 7, nowMs: START_MS + 60_000, apply: true });
    },
    assertDone(place): void {
      const { items } = clean({ ...place, retentionDays: 7, nowMs: START_MS + 60_000 });
      assertEquals(items, []);
    },
  },
  {
    name: "doctor repair",
    run(place): unknown {
      chmodSync(leftSessionPath(place), 0o644);
      return examine(place, true).findings.filter(({ level, fixed }) =>
        level !== "info" && fixed !== true
      );
    },
    assertDone(place): void {
      const { findings } = examine(place, false);
      assertEquals(findings.filter(({ fixable }) => fixable), []);
      assertEquals(modeOf(leftSessionPath(place)), 0o600);
    },
  },
  {
    name: "report",
    run: (place, round) => savePage(pageOf(round), { ...place, sessionId: SESSION }),
    assertDone(place, round): void {
      const path = `${reportsFolder(place.projectDir)}/${SESSION}.html`;
      assertEquals(Deno.readTextFileSync(path), pageOf(round));
    },
  },
];

function settingsOf(place: Place, round: number): Parameters<typeof install>[0] {
  return { folder: place.configDir, root: PLUGIN, nowMs: timeOf(round) };
}

function leftoverPath({ projectDir }: Place): string {
  return `${projectDir}/.claude/trimtab/${TEMPORARY_PREFIX}00000000-0000-4000-8000-000000000000`;
}

/** Sets an old time in each run, because restoring a file after a case gives it a new time. */
function makeOld(path: string): void {
  try {
    utimeSync(path, 1, 1);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function leftSessionPath({ projectDir }: Place): string {
  return `${projectDir}/.claude/trimtab/left.json`;
}

function examine({ projectDir, configDir }: Place, fix: boolean): DoctorReport {
  return runDoctor({ projectDir, configDir, root: null, nowMs: START_MS + 60_000, fix });
}

function pageOf(round: number): string {
  return `${PAGE_START}">\n<p>Round ${round}</p>\n</html>\n`;
}
