/**
 * `trimtab restore`: prints a checkpoint or a snapshot as context to go on from.
 *
 * @module
 */

import { findCheckpoint } from "../src/saved/checkpoint/files.ts";
import {
  findRestorePoint,
  restoredContext,
  type RestorePoint,
  restorePoints,
} from "../src/saved/restore_point.ts";
import { findSnapshot } from "../src/saved/snapshot/list.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateProject } from "../cli/project.ts";
import { type Arguments, type CommandSpec, flagOf } from "../cli/spec.ts";

/** What `trimtab restore` takes. */
export const RESTORE_SPEC: CommandSpec = {
  name: "restore",
  summary: "Print the newest or a named checkpoint or snapshot as context to go on from.",
  positionals: "[ID]",
  positionalCount: [0, 1],
  options: [
    { name: "summary", type: "flag", help: "say which it would be, and what it is about" },
  ],
  notes: [
    "ID is an id or the beginning of one, as `trimtab list` shows them; left out, the newest.",
  ],
};

/** What is printed goes to the model: as much as a hook restores. */
const MAX_CHARS = 9_000;

/** Runs the command. */
export function run(argv: readonly string[]): Promise<number> {
  return runCommand(RESTORE_SPEC, argv, restore);
}

function restore(args: Arguments): CommandOutput {
  const { projectDir } = locateProject();
  const [wanted = "latest"] = args.positionals;
  const point = wanted === "latest" ? findRestorePoint(projectDir) : named(wanted, projectDir);
  if (point === null) {
    throw new Error(
      `Cannot restore: ${projectDir} has no checkpoint and no snapshot. ` +
        "Save one with trimtab checkpoint",
    );
  }
  const { id, kind, created, summary } = point;
  if (flagOf(args, "summary")) {
    const text = `${kind} ${id}, saved ${created}${summary === "" ? "" : `: ${summary}`}`;
    return { json: { id, kind, created, summary }, text };
  }
  const context = restoredContext(point, projectDir, MAX_CHARS);
  return { json: { id, kind, created, context }, text: context };
}

function named(wanted: string, projectDir: string): RestorePoint {
  const checkpoint = findCheckpoint(wanted, { projectDir });
  const path = checkpoint === null ? findSnapshot(wanted, { projectDir }) : checkpoint.path;
  const point = restorePoints(projectDir).find((one) => one.path === path);
  if (point === undefined) throw new Error(`Cannot restore ${path}: it cannot be read`);
  return point;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
