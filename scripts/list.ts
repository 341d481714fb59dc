/** `trimtab list`: shows what can be gone on from in this project, the best first. */

import { listCheckpoints } from "../src/saved/checkpoint/files.ts";
import { sizeInKb } from "../src/designs/context_rehydrator.ts";
import { listSnapshotFiles } from "../src/saved/snapshot/list.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { minuteOf } from "../src/report/words.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { findHandoff } from "../src/lineage/waiting.ts";
import { listFiles } from "../src/lineage/waiting_files.ts";
import { EMPTY_SUMMARY, isOurPoint } from "../src/saved/restore_point.ts";
import { NOT_OURS } from "../src/store/ours.ts";
import { locateProject } from "../src/verbs/place.ts";
import type { CommandSpec } from "../cli/spec.ts";

export const LIST_SPEC: CommandSpec = {
  name: "list",
  summary: "List the checkpoints, snapshots and handoffs of this project.",
  positionals: "",
  positionalCount: [0, 0],
  options: [],
  notes: [
    "The newest is first; those without any work are last. `trimtab restore ID` restores one.",
  ],
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
  const handoffs = listFiles(projectDir).flatMap(({ note: { parent_session_id: id }, status }) => {
    const found = findHandoff(place, id);
    if (found === null) return [];
    const { created, title, isOurs } = found;
    return [{ id, created, title, status, is_ours: isOurs }];
  });
  const rows = [
    ...checkpoints.map(({ id, created, summary, path }) => ({
      time: Date.parse(created),
      // One that tells of no work never stands before one that does.
      isLast: summary === EMPTY_SUMMARY,
      text: `checkpoint  ${id}  ${minuteOf(cleanLine(created))}  ${cleanLine(summary)}${
        mark(path)
      }`,
    })),
    ...snapshots.map(({ id, timestamp, name, problem, path }) => ({
      time: Date.parse(timestamp ?? ""),
      isLast: problem !== null,
      text: problem === null
        ? `snapshot    ${id}  ${minuteOf(timestamp)}  ${cleanLine(name ?? "")}`.trimEnd() +
          mark(path)
        : `snapshot    ${id}  cannot be read: ${problem}`,
    })),
    ...handoffs.map(({ id, created, title, status, is_ours }) => ({
      time: Date.parse(created),
      isLast: status !== "waiting",
      text: `handoff     ${cleanLine(id)}  ${minuteOf(cleanLine(created))}  ${cleanLine(title)}` +
        (is_ours ? "" : `  (${NOT_OURS})`),
    })),
  ].sort((a, b) => Number(a.isLast) - Number(b.isLast) || (b.time || 0) - (a.time || 0));
  const text = rows.length === 0
    ? `${projectDir} has no checkpoint and no snapshot. Save one with trimtab checkpoint.`
    : [
      ...rows.map((row) => row.text),
      `${rows.length} in all, ${total_size}. Restore one with: trimtab restore ID`,
    ].join("\n");
  return { json: { snapshots, checkpoints, handoffs, count, total_size }, text };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
