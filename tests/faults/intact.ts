/**
 * Checks that all of trimtab's files in a test home are intact, and that no earlier data is lost.
 */

import { assert, assertEquals } from "@std/assert";
import { findEntries } from "../../src/doctor/install/settings.ts";
import { readTriggers } from "../../src/watch/blackboard.ts";
import { listCheckpoints } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { checkSave } from "../../src/saved/check.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { readLineage } from "../../src/saved/lineage/file.ts";
import { listHandoffs } from "../../src/saved/lineage/handoffs.ts";
import { sleepSync } from "../../src/store/sleep.ts";
import { TEMPORARY_PREFIX } from "../../src/store/atomic.ts";
import { BROKEN, EARLIER, type Place, type Tree, treeOf } from "./place.ts";
import "../own_config.ts";

export interface Leftovers {
  /** Whether temporary files may remain, with names that `trimtab clean` recognizes. @default {false} */
  readonly temporaries?: boolean;
  /** Maximum number of torn lines in logs; the next writer leaves them there. @default {0} */
  readonly tornLines?: number;
}

/** Matches logs, in which a killed writer can leave a torn line. */
const LOG = /\/(?:events(?:\.1)?|live(?:\.1)?|blackboard)\.jsonl$/;

type Check = (path: string, text: string) => string | null;

/** Checks by file path; the first matching pattern applies. */
const CHECKS: readonly (readonly [name: RegExp, check: Check])[] = [
  [/\/\.(?:git)?ignore$/, (_, text) => text === "*\n" ? null : "unexpected ignore rules"],
  [/\/trimtab\/ours\/key$/, (_, text) => /^[\da-f]{64}\n$/.test(text) ? null : "not a key"],
  [/\/trimtab\/told\/[^/]*$/, (_, text) => differenceFrom("", text)],
  // One signature per line, whatever file the marks are for.
  [
    /\/trimtab\/marks\/[^/]*$/,
    (_, text) => /^(?:[\da-f]{64}\n)+$/.test(text) ? null : "not a mark",
  ],
  // This transcript is broken from the start. The comparison with the originals detects changes to it.
  [new RegExp(`/projects/[^/]*/${BROKEN}\\.jsonl$`), () => null],
  [/\/(?:projects\/[^/]*|kept)\/[^/]*\.jsonl$/, (_, text) => notJsonLines(text)],
  [/\/(?:tasks|file-history)\/.*\/[12]$/, (path, text) => differenceFrom(`${path.at(-1)}\n`, text)],
  [/\/checkpoints\/[^/]*\.md$/, (path) => verifyCheckpoint(path).problems.join(" ") || null],
  [
    /\/context-snapshots\/[^/]*\.json$/,
    (_, text) => notJson(text) ?? (checkSave(JSON.parse(text)).join(" ") || null),
  ],
  [/\/\.claude\/trimtab\/iteration$/, (_, text) => /^\d+\n$/.test(text) ? null : text],
  [/\/spill\/.*\.txt$/, (_, text) => differenceFrom("x".repeat(10_000), text)],
  [/\/handoffs\/[^/]*\.md$/, (_, text) => text.endsWith("\n") ? null : "torn"],
  [/\/settings\.json(?:\.trimtab-backup-[^/]*)?$/, (_, text) => notSettings(text)],
  [/\.html$/, (_, text) => /^<!DOCTYPE html>.*<\/html>\n$/s.test(text) ? null : "half a page"],
  [/\.toml$/, (_, text) => text.endsWith("\n") ? null : "torn"],
  [/\/skills\/[^/]*$/, () => null],
  [/\.json$/, (_, text) => notJson(text)],
];

/** Throws if a file is torn or unexpected, if a lock is held, or if a handoff has no Markdown. */
export function assertIntact(place: Place, leftovers: Leftovers = {}): Tree {
  const problems: string[] = [];
  let torn = 0;
  const tree = treeOf(place.root);
  for (const [path, text] of tree) {
    const problem = problemOf(path, text, leftovers);
    if (problem !== null) problems.push(`${path.slice(place.root.length)}: ${problem}`);
    if (LOG.test(path)) torn += countTornLines(text);
  }
  const { problem } = readLineage({ projectDir: place.projectDir });
  if (problem !== null) problems.push(`the lineage: ${problem}`);
  assertEquals(problems, []);
  assert(torn <= (leftovers.tornLines ?? 0), `${torn} torn lines`);
  for (const { view } of listHandoffs(place.projectDir)) assert(view !== null);
  return tree;
}

export function assertKept(place: Place, tree: Tree): void {
  const { projectDir, otherDir, configDir } = place;
  for (const folder of [otherDir, projectDir]) {
    const [found] = listCheckpoints({ projectDir: folder }).slice(-1);
    assertEquals(found?.session_id, EARLIER, "a checkpoint is gone");
  }
  // Each checkpoint rebuilds only the index rows of its own project.
  const indexed = readIndex(configDir).checkpoints.map(({ project }) => project);
  assert(indexed.includes(otherDir), "an index row is gone");
  const [snapshot] = [...Deno.readDirSync(`${projectDir}/.claude/runtime/context-snapshots`)]
    .filter(({ name }) => name === "20260301_120000.json");
  assert(snapshot !== undefined, "the snapshot is gone");
  const { sessions } = readLineage({ projectDir });
  assert(sessions.some((session) => session.session_id === EARLIER), "the session is gone");
  assert(listHandoffs(projectDir).some(({ id }) => id === EARLIER), "the handoff is gone");
  const requested = readTriggers({ projectDir }).map(({ session_id: id }) => id);
  assert(requested.includes(EARLIER), "the request is gone");
  const inFile = (name: RegExp, words: string): boolean =>
    [...tree].some(([path, text]) => name.test(path) && text.includes(words));
  assert(inFile(/\/events(?:\.1)?\.jsonl$/, '"before"'), "the event is gone");
  const state = '"window_tokens":1000000,"of_a_later_version":1';
  assert(inFile(/\/state\//, state), "the state is gone");
  assert(inFile(/\/left\.json$/, '"before"'), "the left session is gone");
}

function problemOf(path: string, text: string, leftovers: Leftovers): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(TEMPORARY_PREFIX)) {
    return leftovers.temporaries === true ? null : "leftover temporary file";
  }
  if (name.endsWith(".lock")) return isFree(path) ? null : "locked";
  if (LOG.test(path)) return null;
  const check = CHECKS.find(([pattern]) => pattern.test(path))?.[1];
  return check === undefined ? "unexpected file" : check(path, text);
}

/** Maximum time for which a free lock may seem to be held. */
const RELEASE_TIMEOUT_MS = 10_000;

/**
 * When a concurrent test starts a program, the new process has copies of all open files, with their
 * locks, until the program itself is loaded. So a free lock may seem to be held for a moment.
 */
function isFree(path: string): boolean {
  using file = Deno.openSync(path, { read: true, write: true });
  const deadline = performance.now() + RELEASE_TIMEOUT_MS;
  while (!file.tryLockSync(true)) {
    if (performance.now() > deadline) return false;
    sleepSync(1);
  }
  return true;
}

function countTornLines(text: string): number {
  const lines = text.split("\n");
  const rest = lines.pop() === "" ? 0 : 1;
  return rest + lines.filter((line) => notJson(line) !== null).length;
}

function notJsonLines(text: string): string | null {
  if (!text.endsWith("\n")) return "torn";
  const bad = text.split("\n").slice(0, -1).map(notJson).filter((problem) => problem !== null);
  return bad.length === 0 ? null : bad.join(" ");
}

function notJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return String(error);
  }
}

function notSettings(text: string): string | null {
  try {
    findEntries(text);
    return text.includes('"model": "opus"') ? null : "the user's `model` setting is gone";
  } catch (error) {
    return String(error);
  }
}

function differenceFrom(wanted: string, text: string): string | null {
  return text === wanted ? null : JSON.stringify(text);
}
