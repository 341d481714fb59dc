/** `trimtab fresh-start`: prints a snapshot as the prompt of a fresh session, with how to go on. */

import { injectCompactedContext, prepareFreshStart } from "../src/saved/snapshot/fresh_start.ts";
import { listSnapshotFiles } from "../src/saved/snapshot/list.ts";
import { findRestorePoint, restoredContext } from "../src/saved/restore_point.ts";
import type { OwnPlace } from "../src/store/ours.ts";
import { readSnapshot } from "../src/saved/snapshot/read.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import {
  fenced,
  namedSnapshot,
  noticeOn,
  snapshotFor,
  TRUST_OPTION,
  withNotice,
} from "../cli/trust.ts";
import { locateProject } from "../src/verbs/place.ts";
import type { Arguments, CommandSpec } from "../cli/spec.ts";

export const FRESH_START_SPEC: CommandSpec = {
  name: "fresh-start",
  summary: "Print a snapshot as the prompt of a fresh session, with how to go on.",
  positionals: "[ID]",
  positionalCount: [0, 1],
  options: [TRUST_OPTION],
  notes: [
    "ID is an id, its first characters, a name or a path; left out or `latest`, the newest snapshot.",
    "Without any snapshot it prints the newest checkpoint.",
  ],
};

/** As much of a checkpoint as every other way of restoring gives, in UTF-16 code units. */
const MAX_CHECKPOINT_CHARS = 8_900;

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(FRESH_START_SPEC, argv, freshStart);
}

function freshStart(args: Arguments): CommandOutput {
  const place = locateProject();
  const { projectDir } = place;
  const [wanted = "latest"] = args.positionals;
  // Having nothing saved yet is no failure; a named snapshot that does not exist is.
  const isEmpty = wanted === "latest" && listSnapshotFiles(place).every(({ problem }) => problem);
  const path = isEmpty ? null : snapshotFor(wanted, place);
  const start = path === null ? null : prepareFreshStart(path, { projectDir });
  if (path === null || start === null) {
    const json = { snapshot_id: null, prompt: null, instructions: null };
    const text = checkpointInstead(place) ?? injectCompactedContext(wanted, { projectDir });
    return { json, text };
  }
  const notice = noticeOn(namedSnapshot(path, place), args);
  const snapshot = readSnapshot(path);
  const { prompt, instructions } = start;
  const json = { snapshot_id: snapshot.snapshot_id, prompt, instructions };
  const text = fenced(`snapshot ${snapshot.snapshot_id}`, `${prompt}\n\n${instructions}`);
  return { json, text: withNotice(notice, text) };
}

/** The newest checkpoint of ours, where there is no snapshot; null where there is none either. */
function checkpointInstead({ projectDir, configDir }: OwnPlace): string | null {
  const point = findRestorePoint(projectDir, { configDir });
  if (point === null) return null;
  const context = restoredContext(point, projectDir, { maxChars: MAX_CHECKPOINT_CHARS });
  return `There is no snapshot. The newest checkpoint:\n\n${context}`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
