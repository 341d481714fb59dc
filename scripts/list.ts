/** `trimtab list`: shows the checkpoints and snapshots of this project. */

import { listCheckpoints } from "../src/saved/checkpoint/files.ts";
import { sizeInKb } from "../src/api/context_rehydrator.ts";
import { listSnapshotFiles } from "../src/saved/snapshot/list.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { isOurPoint } from "../src/saved/restore_point.ts";
import { NOT_OURS } from "../src/store/ours.ts";
import { locateProject } from "../cli/project.ts";
import type { CommandSpec } from "../cli/spec.ts";

export const LIST_SPEC: CommandSpec = {
  name: "list",
  summary: "List the checkpoints and snapshots of this project.",
  positionals: "",
  positionalCount: [0, 0],
  options: [],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(LIST_SPEC, argv, list);
}

function list(): CommandOutput {
  const place = locateProject();
  const { projectDir } = place;
  const mark = (path: string): string => isOurPoint({ path }, place) ? "" : `  (${NOT_OURS})`;
  const snapshots = listSnapshotFiles({ projectDir }).map((file) => {
    const { id, name, timestamp, bytes, session_id, path, problem } = file;
    return { id, name, timestamp, size: sizeInKb(bytes), bytes, session_id, path, problem };
  });
  const checkpoints = listCheckpoints({ projectDir }).map((row) => ({
    ...row,
    bytes: Deno.statSync(row.path).size,
  }));
  const count = snapshots.length + checkpoints.length;
  const total_size = sizeInKb(...[...snapshots, ...checkpoints].map(({ bytes }) => bytes));
  const lines = [
    ...checkpoints.map(({ id, created, summary, path }) =>
      `checkpoint  ${id}  ${cleanLine(created)}  ${cleanLine(summary)}${mark(path)}`
    ),
    ...snapshots.map(({ id, timestamp, name, problem, path }) =>
      problem === null
        ? `snapshot    ${id}  ${timestamp}  ${cleanLine(name ?? "")}`.trimEnd() + mark(path)
        : `snapshot    ${id}  cannot be read: ${problem}`
    ),
  ];
  const text = count === 0
    ? `${projectDir} has no checkpoint and no snapshot. Save one with trimtab checkpoint.`
    : [...lines, `${count} in all, ${total_size}`].join("\n");
  return { json: { snapshots, checkpoints, count, total_size }, text };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
