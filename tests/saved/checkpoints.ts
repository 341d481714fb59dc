/** Helpers for the tests of checkpoints: projects, states, saves and views of saves. */

import type { SaveOptions } from "../../src/designs/write_checkpoint.ts";
import { summaryOf } from "../../src/saved/checkpoint.ts";
import { checkpointView } from "../../src/saved/views/checkpoint_view.ts";
import { contentOf, type ContextSnapshot, snapshotFromContent } from "../../src/saved/save.ts";
import { mergeDuplicates } from "../../src/saved/merge.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import type { WorkState } from "../../src/core/work_state.ts";
import { saveFolder } from "../../src/saved/store.ts";
import { markAsOwn } from "../../src/store/own_marks.ts";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";
import { newFolder } from "../folder.ts";
import "../own_config.ts";

export const SESSION = "b82405ba-0000-4000-8000-000000000000";
export const OTHER_SESSION = "c93516cb-0000-4000-8000-000000000000";
export const NOON_MS = Date.parse("2026-03-01T12:00:00Z");
export const DAY_MS = 24 * 60 * 60 * 1000;

export function saveOf(state: WorkState, changes: Partial<ContextSnapshot> = {}): ContextSnapshot {
  return {
    ...snapshotFromContent(contentOf(mergeDuplicates(state, "/p")), { now: new Date(NOON_MS) }),
    snapshot_id: "2026-03-01-120000",
    session_id: SESSION,
    reason: "auto",
    project: "/p",
    iteration: 3,
    verified: true,
    usage_percent: 81,
    parent: null,
    summary: summaryOf(state),
    ...changes,
  };
}

export function viewOf(state: WorkState, changes: Partial<ContextSnapshot> = {}): string {
  return checkpointView(saveOf(state, changes), "/p");
}

export function plantCheckpoint(
  place: { projectDir: string; configDir: string },
  timestamp: string,
  sessionId = SESSION,
): string {
  const id = `${timestamp.slice(0, 10)}-120000`;
  const folder = saveFolder("checkpoint", place);
  ensurePrivateDirSync(folder);
  const metadata = { snapshot_id: id, timestamp, project: place.projectDir, session_id: sessionId };
  const text = viewOf(emptyState(), metadata);
  Deno.writeTextFileSync(`${folder}/${id}.md`, text, { mode: 0o600 });
  markAsOwn(place, `${id}.md`, text);
  return `${folder}/${id}.md`;
}

export interface Project extends Disposable {
  readonly root: string;
  readonly projectDir: string;
  readonly configDir: string;
}

export function tempProject(): Project {
  const { path: root, [Symbol.dispose]: dispose } = newFolder();
  const [projectDir, configDir] = [`${root}/project`, `${root}/config`];
  for (const folder of [projectDir, configDir]) Deno.mkdirSync(folder);
  return { root, projectDir, configDir, [Symbol.dispose]: dispose };
}

export function projectTest(name: string, run: (place: Project) => void | Promise<void>): void {
  Deno.test(name, async () => {
    using place = tempProject();
    await run(place);
  });
}

export function saveOptions(
  place: { projectDir: string; configDir: string },
  changes: Partial<SaveOptions> = {},
): SaveOptions {
  const { projectDir, configDir } = place;
  const fixed = { trigger: "auto", sessionId: SESSION, usagePercent: 81 } as const;
  return { projectDir, configDir, ...fixed, now: () => NOON_MS, retentionDays: 7, ...changes };
}

export function sampleState(): WorkState {
  const at = (line: number) => ({ uuid: null, line });
  return {
    ...emptyState(),
    session_id: SESSION,
    requirements: [
      { text: "Implement auth\n\nwith tokens", from: at(1) },
      { text: "Also log out", from: at(40) },
    ],
    changes: [{
      ...{ file: "/p/src/auth.ts", action: "created", count: 3, first_line: 12, last_line: 40 },
      ...{ what: "check the token", why: "sessions must survive a restart" },
      from: { uuid: "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10", line: null },
    }, {
      ...{ file: "/etc/hosts", action: "modified", count: 1, first_line: null, last_line: null },
      ...{ what: "", why: "sessions must survive a restart", from: at(30) },
    }],
    commits: [{ hash: "abc1234", message: "Add tokens", from: at(50) }],
    decisions: [{
      ...{ decision: "Use JWT", rationale: "no database", alternatives: ["cookies", "OAuth"] },
      ...{ kind: "answer", from: at(20) },
    }],
    issues: [{ issue: "deno test fails", kind: "command", from: at(60) }],
    next_steps: [
      { step: "Write it", status: "completed", from: at(61) },
      { step: "Test it", status: "in_progress", from: at(61) },
      { step: "Ship it", status: "pending", from: at(61) },
    ],
    learnings: [{ text: "Port 8080 is taken", from: at(33) }],
    progress: {
      recent: [{ text: "Tests are next.", from: at(62) }],
      tools: [{ name: "Edit", count: 3 }, { name: "Bash", count: 2 }],
      files_read: [{ name: "/p/src/main.ts", count: 4 }],
      summaries: [at(5)],
    },
  };
}
