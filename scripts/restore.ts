/** `trimtab restore`: prints a checkpoint or a snapshot as context to go on from. */

import { findCheckpoint } from "../src/saved/checkpoint/files.ts";
import {
  findRestorePoint,
  restoredContext,
  type RestorePoint,
  restorePoints,
} from "../src/saved/restore_point.ts";
import { findSnapshot } from "../src/saved/snapshot/list.ts";
import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { handoffContext } from "../src/lineage/rolled_over.ts";
import { findHandoff, type FoundHandoff, trustHandoff } from "../src/lineage/waiting.ts";
import type { OwnPlace } from "../src/store/ours.ts";
import { fenced, namedPoint, noticeOn, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, flagOf } from "../cli/spec.ts";

export const RESTORE_SPEC: CommandSpec = {
  name: "restore",
  summary: "Print the newest or a named checkpoint or snapshot as context to continue from.",
  positionals: "[ID]",
  positionalCount: [0, 1],
  options: [
    { name: "summary", type: "flag", help: "only say which one, and what it is about" },
    TRUST_OPTION,
  ],
  notes: [
    "ID is an id or its first characters, as `trimtab list` shows them, or the id of a session that " +
    "left a handoff; left out, the newest that was written on this machine.",
  ],
};

/** What is printed goes to the model: as much as a hook restores. */
const MAX_CHARS = 9_000;

/** What a saved state is about is one line, in UTF-16 code units. */
const MAX_SUMMARY_CHARS = 200;

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(RESTORE_SPEC, argv, restore);
}

function restore(args: Arguments): CommandOutput {
  const place = locateProject();
  const { projectDir } = place;
  const [wanted = "latest"] = args.positionals;
  const handoff = findHandoff(place, wanted);
  if (handoff !== null) return handoffOutput(handoff, place, args);
  const point = wanted === "latest" ? newestOf(place) : named(wanted, projectDir);
  const { id, kind, summary } = point;
  const created = timeOf(point.created);
  const notice = noticeOn(namedPoint(point, place), args);
  if (flagOf(args, "summary")) {
    const about = boundText(cleanLine(summary), MAX_SUMMARY_CHARS);
    const text = `${kind} ${id}, saved ${created}` +
      (about === "" ? "" : `\n${fenced(`${kind} ${id}`, about)}`);
    return { json: { id, kind, created, summary: about }, text: withNotice(notice, text) };
  }
  const context = restoredContext(point, projectDir, { maxChars: MAX_CHARS });
  return { json: { id, kind, created, context }, text: withNotice(notice, context) };
}

function newestOf({ projectDir, configDir }: OwnPlace): RestorePoint {
  const point = findRestorePoint(projectDir, { configDir });
  if (point !== null) return point;
  const count = restorePoints(projectDir).length;
  throw new Error(
    `Cannot restore: ${projectDir} has ` +
      (count === 0
        ? "no checkpoint and no snapshot. Save one with trimtab checkpoint"
        : `nothing that was written on this machine. Of the ${count} that were not, \`trimtab list\` ` +
          "lists them; name one by its id to see it, and accept it with --trust"),
  );
}

function handoffOutput(handoff: FoundHandoff, place: OwnPlace, args: Arguments): CommandOutput {
  const { parent_session_id: id, isOurs } = handoff;
  const trust = (): void => trustHandoff(place, id);
  const notice = noticeOn({ what: `handoff ${id}`, isOurs, trust }, args);
  const context = handoffContext(handoff, { maxChars: MAX_CHARS, projectDir: place.projectDir });
  const created = timeOf(handoff.created);
  return { json: { id, kind: "handoff", created, context }, text: withNotice(notice, context) };
}

/** A time in our own words: any text that can be read as one could stand there. */
function timeOf(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function named(wanted: string, projectDir: string): RestorePoint {
  const checkpoint = findCheckpoint(wanted, { projectDir });
  const path = checkpoint === null ? findSnapshot(wanted, { projectDir }) : checkpoint.path;
  const point = restorePoints(projectDir).find((one) => one.path === path);
  if (point === undefined) throw new Error(`Cannot restore ${path}: it cannot be read`);
  return point;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
