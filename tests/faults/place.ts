/**
 * A home folder with a project in which trimtab was used for a while, so that a faulty write has data to
 * destroy.
 */

import { ensureDirSync, walkSync } from "@std/fs";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { recordLeftSession } from "../../src/saved/lineage/left_session.ts";
import { snapshotOf } from "../../src/saved/save.ts";
import { saveSnapshot } from "../../src/designs/save_snapshot.ts";
import { createSession } from "../../src/designs/sessions.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { sampleState, saveOptions } from "../saved/checkpoints.ts";
import { putHandoff } from "../saved/lineage/sessions.ts";
import { SessionBuilder } from "../trim/build_session.ts";
import "../own_config.ts";
import { type Folder, newFolder } from "../folder.ts";
import { writeTrusted } from "../trusted.ts";

/** The session of the tests; its transcript must never change. */
export const SESSION = "b82405ba-0000-4000-8000-000000000000";

/** A session with a broken transcript, which must never change either. */
export const BROKEN = "dead05ba-0000-4000-8000-000000000000";

export const EARLIER = "c93516cb-0000-4000-8000-000000000000";

export const START_MS = Date.parse("2026-03-01T12:00:00Z");

export interface Place {
  readonly root: string;
  readonly projectDir: string;
  /** Another project, which has a checkpoint in the same index. */
  readonly otherDir: string;
  readonly configDir: string;
  readonly transcript: string;
  readonly broken: string;
}

/** File contents by path; for a link, its target. */
export type Tree = ReadonlyMap<string, string>;

/** @param folder A folder in memory works only with all permissions, since Deno protects /dev. */
export function newPlace(folder: Folder = newFolder()): Place & Disposable {
  const place = placeIn(folder.path);
  ensureDirSync(place.projectDir);
  ensureDirSync(place.otherDir);
  fill(place);
  return { ...place, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

export function placeIn(root: string): Place {
  const configDir = `${root}/config`;
  const sessions = `${configDir}/projects/-project`;
  return {
    root,
    projectDir: `${root}/project`,
    otherDir: `${root}/other`,
    configDir,
    transcript: `${sessions}/${SESSION}.jsonl`,
    broken: `${sessions}/${BROKEN}.jsonl`,
  };
}

/**
 * Returns the files that must never change: the transcripts, their task lists and file histories, the
 * project's configuration, and all files of the other project.
 */
export function originalsOf(place: Place, tree: Tree = treeOf(place.root)): Tree {
  const configFile = `${place.configDir}/trimtab.toml`;
  const isOriginal = (path: string): boolean =>
    [SESSION, BROKEN].some((id) => path.includes(id) && !/\/(?:\.claude|kept)\//.test(path)) ||
    (path.endsWith(".toml") && path !== configFile) || path.startsWith(`${place.otherDir}/`);
  return new Map([...tree].filter(([path]) => isOriginal(path)));
}

export function treeOf(folder: string): Tree {
  const files = [...walkSync(folder, { includeDirs: false })];
  return new Map(files.map(({ path, isSymlink }) => {
    const bytes = isSymlink ? Deno.readLinkSync(path) : latin1(Deno.readFileSync(path));
    return [path, bytes];
  }));
}

export function restoreFiles(place: Place, current: Tree, tree: Tree): void {
  const folders = new Set([...tree.keys()].flatMap(foldersOf));
  // Removes inner folders first, since only an empty folder can be removed.
  for (const { path, isSymlink, isDirectory } of [...walkSync(place.root)].reverse()) {
    const isSame = isDirectory
      ? folders.has(path) || path.length <= place.root.length
      : !isSymlink && tree.get(path) === current.get(path);
    if (!isSame) Deno.removeSync(path);
  }
  for (const [path, bytes] of tree) {
    if (current.get(path) === bytes) continue;
    ensureDirSync(path.slice(0, path.lastIndexOf("/")));
    Deno.writeFileSync(path, Uint8Array.from(bytes, (char) => char.charCodeAt(0)), { mode: 0o600 });
  }
}

function fill(place: Place): void {
  const { projectDir, otherDir, configDir, transcript, broken } = place;
  const options = { projectDir, now: new Date(START_MS) };
  writeSessions(transcript, broken);
  for (const folder of [`${configDir}/tasks/${SESSION}`, `${configDir}/file-history/${SESSION}`]) {
    ensureDirSync(folder);
    for (const name of ["1", "2"]) Deno.writeTextFileSync(`${folder}/${name}`, `${name}\n`);
  }
  Deno.writeTextFileSync(`${configDir}/settings.json`, '{\n  "model": "opus"\n}\n');
  ensureDirSync(`${projectDir}/.claude`);
  const toml = "[context]\nwindow_tokens = 100_000\n";
  writeTrusted(`${projectDir}/.claude/trimtab.toml`, toml, { projectDir, configDir });
  for (const folder of [otherDir, projectDir]) {
    const options = saveOptions({ projectDir: folder, configDir }, { sessionId: EARLIER });
    writeCheckpoint(sampleState(), options);
  }
  saveSnapshot(snapshotOf(sampleState()), { ...options, configDir });
  createSession({ ...options, sessionId: EARLIER, workerId: "main" });
  putHandoff(projectDir, EARLIER, { configDir });
  triggerCheckpoint("checkpoint_stale", { projectDir, sessionId: EARLIER });
  emitEvent({ type: "before", payload: {}, source: "test" }, options);
  recordLeftSession(projectDir, { session_id: EARLIER, left_at: START_MS, prompt_id: "before" });
  updateSessionState({ projectDir, sessionId: SESSION }, () => ({ window_tokens: 1_000_000 }));
  const statePath = `${projectDir}/.claude/trimtab/state/${SESSION}.json`;
  Deno.writeTextFileSync(statePath, '{"window_tokens":1000000,"of_a_later_version":1}\n');
}

function writeSessions(transcript: string, broken: string): void {
  ensureDirSync(transcript.slice(0, transcript.lastIndexOf("/")));
  const text = "a line of an output\n".repeat(600);
  const { lines } = new SessionBuilder().user("Add a login")
    .call("r", "Read", { file_path: "/a" }, text)
    .call("b", "Bash", { command: "ls" }, text)
    .assistant("end", [{ type: "text", text: "It is half done." }]);
  const whole = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  Deno.writeTextFileSync(transcript, whole);
  Deno.writeTextFileSync(broken, `${whole.slice(0, 900)}\n${whole.replaceAll(SESSION, BROKEN)}`);
}

function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** Decodes as latin1, so that trees can be compared as strings. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
