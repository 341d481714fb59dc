// Saves real sessions in every form: as a checkpoint, which must be restored within its bound, as a
// snapshot at each level, and as the text for a summariser.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/views/rehydrated.ts";
import { findSave } from "../../src/saved/store.ts";
import { restoredText } from "../../src/saved/views/restored.ts";
import { snapshotOf } from "../../src/saved/save.ts";
import { checkSave } from "../../src/saved/check.ts";
import { validateSnapshot } from "../saved/snapshot_schema.ts";
import { MAX_SUMMARISER_CHARS, summariserWords } from "../../src/saved/views/summariser.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { newFolder } from "../folder.ts";
import { CORPUS, ignore, ignoredNote, names } from "./corpus.ts";
import "../own_config.ts";

const RESTORE_CHARS = 9_000;

Deno.test({
  name:
    `a checkpoint of every real session is saved, verified and restored within its bound${ignoredNote}`,
  ignore,
  fn(): void {
    const sizes: number[] = [];
    const restored: number[] = [];
    const facts = { steps: 0, stepsThere: 0, files: 0, filesThere: 0 };
    for (const name of names) {
      using temporary = newFolder();
      const projectDir = temporary.path;
      const state = extractState(`${CORPUS}/${name}`);
      const saved = writeCheckpoint(state, {
        projectDir,
        configDir: `${projectDir}/config`,
        trigger: "auto",
        sessionId: state.session_id ?? "",
        usagePercent: null,
        now: Date.now,
        retentionDays: 7,
      });
      assertEquals([saved.verified, saved.warning], [true, undefined], name);
      assertEquals(verifyCheckpoint(saved.path).problems, [], name);
      const found = findSave(saved.id, ["checkpoint"], { projectDir });
      assert(found !== null);
      const context = restoredText(found, { projectDir, maxChars: RESTORE_CHARS });
      assert(context.length <= RESTORE_CHARS, name);
      assert(context.endsWith("\n</trimtab-data>"), name);
      assert(summariserWords(state).length <= MAX_SUMMARISER_CHARS, name);
      sizes.push(Deno.readTextFileSync(saved.path).length);
      restored.push(context.length);
      const plain = plainOf(context);
      const open = state.next_steps.filter(({ status }) => status !== "completed");
      facts.steps += open.length;
      facts.stepsThere += open.filter(({ step }) =>
        plain.includes(plainOf(step).slice(0, 40))
      ).length;
      facts.files += state.changes.length;
      facts.filesThere += state.changes.filter(({ file }) =>
        context.includes(file.slice(file.lastIndexOf("/") + 1))
      ).length;
    }
    console.log(
      `  checkpoint: median ${median(sizes)} characters, most ${Math.max(...sizes)}; restored: ` +
        `median ${median(restored)}; of ${facts.steps} open steps ${facts.stepsThere}, of ` +
        `${facts.files} changed files ${facts.filesThere} are in the restored text`,
    );
    assertEquals(facts.stepsThere, facts.steps);
    // Sessions that changed dozens of files keep only the newest.
    assert(facts.filesThere / facts.files > 0.75);
  },
});

Deno.test({
  name:
    `a snapshot of every real session fits the schema and has more content at each level${ignoredNote}`,
  ignore,
  fn(): void {
    const sizes: Record<string, number[]> = {};
    for (const name of names) {
      const state = extractState(`${CORPUS}/${name}`);
      const snapshot = JSON.parse(JSON.stringify(snapshotOf(state, { name, now: new Date(0) })));
      assertEquals([validateSnapshot(snapshot), checkSave(snapshot)], [[], []], name);
      let before: string[] = [];
      for (const level of REHYDRATION_LEVELS) {
        const text = rehydratedText(snapshot, level);
        const headings = text.split("\n").filter((line) => line.startsWith("## "));
        const missing = before.filter((line) => !headings.includes(line));
        assertEquals(missing.filter((line) => !/^## (?:Files|Git)$/.test(line)), [], name);
        before = headings;
        (sizes[level] ??= []).push(text.length);
      }
    }
    const medians = Object.entries(sizes).map(([level, all]) => `${level} ${median(all)}`);
    console.log(`  snapshot, median characters: ${medians.join(", ")}`);
  },
});

function plainOf(text: string): string {
  return text.replaceAll("\\", "");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
