/** Helpers for the tests of lineage and handoffs: projects, ids, times, transcripts and handoffs. */

import { emptyState } from "../../../src/extract/empty_state.ts";
import type { RollOverOptions } from "../../../src/saved/lineage/roll_over.ts";
import { readLineage } from "../../../src/saved/lineage/file.ts";
import type { SessionRecord } from "../../../src/saved/lineage/rows.ts";
import { writeHandoff } from "../../../src/saved/lineage/handoffs.ts";
import {
  contentOf,
  type ContextSnapshot,
  type SaveHandoff,
  type SnapshotContent,
  snapshotFromContent,
} from "../../../src/saved/save.ts";
import type { WriteOptions } from "../../../src/saved/write.ts";
import { findConfigDir } from "../../../src/store/paths.ts";

export { projectTest, tempProject } from "../checkpoints.ts";

export const NOON = new Date("2026-03-01T12:00:00.000Z");
export const DAY_MS = 24 * 60 * 60 * 1000;

export function listSessions(place: { readonly projectDir: string }): readonly SessionRecord[] {
  return readLineage(place).sessions;
}

export function sessionId(number: number): string {
  return `b82405ba-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function after(minutes: number): Date {
  return new Date(NOON.getTime() + minutes * 60_000);
}

export function writeTranscript(root: string, id: string): string {
  const path = `${root}/${id}.jsonl`;
  const prompt = { role: "user", content: "Add a login" };
  const answer = { role: "assistant", content: [{ type: "text", text: "It is half done." }] };
  const entries = [
    { type: "user", uuid: "u1", sessionId: id, message: prompt },
    { type: "assistant", uuid: "u2", parentUuid: "u1", message: answer },
  ];
  Deno.writeTextFileSync(path, entries.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

export const SUMMARY = [
  "### Current Task",
  "Add a login; the form is done.",
  "",
  "### Key Decisions",
  "- Sessions in a cookie: no database",
  "",
  "### Modified Files",
  "- src/login.ts: the form",
  "",
  "### Immediate Next Steps",
  "1. Check the password",
  "",
  "### Critical Context",
  "The tests need a server on port 8080.",
].join("\n");

export function rollOptions(
  place: { root: string; projectDir: string },
  changes: Partial<RollOverOptions> = {},
): RollOverOptions {
  const id = changes.owner?.sessionId ?? sessionId(1);
  return {
    owner: { projectDir: place.projectDir, sessionId: id },
    transcript: `${place.root}/${id}.jsonl`,
    summary: SUMMARY,
    percent: 80,
    configDir: `${place.root}/config`,
    retentionDays: 7,
    now: () => NOON.getTime(),
    ...changes,
  };
}

export function handoffSave(
  parent: string,
  changes: Partial<SaveHandoff> & {
    readonly created?: Date;
    readonly title?: string;
    readonly content?: SnapshotContent;
  } = {},
): ContextSnapshot {
  const { created = NOON, title = "Session 2", content = contentOf(emptyState()), ...handoff } =
    changes;
  const own = { ...content, session_id: parent };
  return {
    ...snapshotFromContent(own, { name: title, now: created }),
    usage_percent: 80,
    handoff: {
      session_number: 2,
      worker_id: "main",
      issue: null,
      checkpoint: null,
      has_episodic_memory: false,
      keep: false,
      for_headless: false,
      claimed_by: [],
      ...handoff,
    },
  };
}

export function putHandoff(
  projectDir: string,
  parent: string,
  changes: Parameters<typeof handoffSave>[1] & Partial<WriteOptions> & { prompt?: string } = {},
): string {
  const { prompt = `prompt of ${parent}`, waitMs, configDir = findConfigDir(), ...rest } = changes;
  const draft = { save: handoffSave(parent, rest), prompt, retentionDays: 7 };
  return writeHandoff(draft, { projectDir, configDir, waitMs });
}

/** Makes a token to be redacted, assembled at run time so that no file contains one. */
export function secretToken(): string {
  return `gh${"p_"}aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5`;
}
