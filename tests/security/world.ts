/**
 * A home folder with a project, and an outside tree that a run must not touch. The outside files are valid
 * input for trimtab, so that trimtab would read a file there instead of rejecting it.
 */

import { ensureDirSync, walkSync } from "@std/fs";
import { emptyState } from "../../src/extract/empty_state.ts";
import { snapshotOf } from "../../src/saved/save.ts";
import { endMarker, REQUIRED_SECTIONS } from "../../src/saved/views/checkpoint_view.ts";
import { handoffSave } from "../saved/lineage/sessions.ts";
import { idOf, type Line, sessionOf } from "../scripts/place.ts";

/** Occurs in most of the outside files. If a run prints or writes it, the run has read one of them. */
export const CANARY = "canary-4f1d9e";

export const SESSION = idOf(1);

export const PARENT = idOf(2);

/** The transcript of this session is outside. */
export const OUTSIDER = idOf(7);

export interface World {
  readonly root: string;
  readonly home: string;
  readonly config: string;
  readonly project: string;
  readonly outside: string;
  readonly sessions: string;
  readonly transcript: string;
}

export function worldAt(root: string): World {
  const home = `${root}/home`;
  const project = `${home}/project`;
  const config = `${home}/.claude`;
  const sessions = `${config}/projects/${project.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  const transcript = `${sessions}/${SESSION}.jsonl`;
  return { root, home, config, project, outside: `${root}/outside`, sessions, transcript };
}

export function buildWorld(world: World): void {
  // The project's folder stays, since it is the working folder.
  ensureDirSync(world.project);
  for (const { name } of Deno.readDirSync(world.project)) removeAll(`${world.project}/${name}`);
  removeAll(world.config);
  removeAll(world.outside);
  for (const id of [PARENT, SESSION]) writeSession(`${world.sessions}/${id}.jsonl`, id, world);
  buildOutside(world);
}

function writeSession(path: string, id: string, world: World, prompt = "Look around"): void {
  const outputs = [["Read", `${prompt} `.repeat(80)], ["Bash", "done"]] as const;
  writeLines(path, sessionOf(outputs, { id, cwd: world.project, prompt }));
}

export function writeLines(path: string, lines: readonly Line[]): void {
  ensureDirSync(path.slice(0, path.lastIndexOf("/")));
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}

export function checkpointText(id: string, session: string, words: string): string {
  const created = `${id.slice(0, 10)}T${id.slice(11, 13)}:${id.slice(13, 15)}:${id.slice(15)}Z`;
  const head = ["---", `created: ${created}`, "trigger: manual", "project: /p"];
  const more = [`session_id: ${session}`, "iteration: 1", "verified: true", "---"];
  const sections = REQUIRED_SECTIONS.map((name) => `\n## ${name}\n\n- ${words}`);
  return [...head, ...more, ...sections, "", endMarker(id), ""].join("\n");
}

export function snapshotText(id: string, session: string | null, words: string): string {
  return JSON.stringify({
    ...snapshotOf(emptyState(), { name: words, now: new Date("2026-03-01T12:00:00.000Z") }),
    snapshot_id: id,
    session_id: session,
    original_requirements: words,
    implementation_state: words,
    open_items: [words],
  });
}

export function lineageRow(id: number, fields: Record<string, unknown>): Record<string, unknown> {
  return {
    ...{ id, worker_id: "main", session_number: id, session_id: null, parent_session_id: null },
    ...{ started_at: "2026-03-01T12:00:00.000Z", ended_at: null, end_reason: null },
    ...{ context_at_end: null, summary: null, transcript: null, ...fields },
  };
}

export function handoffNote(
  parent: string,
  fields: Parameters<typeof handoffSave>[1] = {},
): string {
  const open = { created: new Date(), keep: true, for_headless: true };
  return JSON.stringify(handoffSave(parent, { ...open, ...fields }));
}

function buildOutside(world: World): void {
  const { outside } = world;
  for (const name of ["state", "handoffs", "context-snapshots"]) {
    ensureDirSync(`${outside}/folder/${name}`);
  }
  const stamp = "20260301_120000";
  const id = "2026-03-01-120000";
  const last_checkpoint = { id: CANARY, created: "2026-03-01T12:00:00.000Z" };
  const state = JSON.stringify({ last_checkpoint });
  const leftSession = { session_id: PARENT, left_at: Date.now(), prompt_id: CANARY };
  writeSession(`${outside}/${OUTSIDER}.jsonl`, OUTSIDER, world, CANARY);
  writeSession(`${outside}/folder/${SESSION}.jsonl`, SESSION, world, CANARY);
  const files: Record<string, string> = {
    "secret.txt": `${CANARY}\n`,
    "notes.json": snapshotText(stamp, SESSION, CANARY),
    "checkpoint.md": checkpointText(id, SESSION, CANARY),
    [`folder/${stamp}.json`]: snapshotText(stamp, SESSION, CANARY),
    [`folder/context-snapshots/${stamp}.json`]: snapshotText(stamp, SESSION, CANARY),
    [`folder/${id}.md`]: checkpointText(id, SESSION, CANARY),
    [`folder/${PARENT}.json`]: handoffNote(PARENT, { title: CANARY }),
    [`folder/${PARENT}.md`]: CANARY,
    [`folder/handoffs/${PARENT}.json`]: handoffNote(PARENT, { title: CANARY }),
    [`folder/handoffs/${PARENT}.md`]: CANARY,
    "folder/sessions.json": JSON.stringify({
      version: 1,
      sessions: [lineageRow(1, { session_id: SESSION, summary: CANARY })],
    }),
    "folder/left.json": JSON.stringify([leftSession]),
    [`folder/state/${SESSION}.json`]: state,
    [`folder/${SESSION}.json`]: state,
    "folder/iteration": "77\n",
    "folder/.gitignore": "*\n",
    "folder/state/.gitignore": "*\n",
    "folder/handoffs/.gitignore": "*\n",
    "folder/context-snapshots/.gitignore": "*\n",
  };
  for (const [name, text] of Object.entries(files)) {
    Deno.writeTextFileSync(`${outside}/${name}`, text);
  }
}

/** Lists everything about a tree that a write would change: a line for each file and folder, sorted. */
export function fingerprint(folder: string): string {
  return Array.from(walkSync(folder), ({ path, isDirectory }) => {
    const { mode, size, mtime } = Deno.lstatSync(path);
    return `${path} ${mode} ${isDirectory ? "" : `${size} ${mtime?.getTime()}`}`;
  }).sort().join("\n");
}

/** Returns the path and the word of each match in regular files; links are not followed. */
export function filesWith(folder: string, words: readonly string[]): [string, string][] {
  return [...walkSync(folder)].filter(({ isFile }) => isFile).flatMap(({ path }) => {
    const text = Deno.readTextFileSync(path);
    const found = words.filter((word) => text.includes(word));
    return found.map((word): [string, string] => [path, word]);
  });
}

export function removeAll(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
