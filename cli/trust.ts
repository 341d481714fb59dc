/**
 * What was not written on this machine: it is shown to whoever asks for it by name, said what it is,
 * and taken with `--trust`; the model is not given it.
 */

import { buildContext } from "../src/inject/context.ts";
import { isOurPoint, type RestorePoint, trustPoint } from "../src/saved/restore_point.ts";
import { listSnapshotFiles } from "../src/saved/snapshot/list.ts";
import { findSnapshot } from "../src/saved/snapshot/list.ts";
import { SnapshotNotFoundError } from "../src/saved/snapshot/read.ts";
import { NOT_OURS, type OwnPlace } from "../src/store/ours.ts";
import { fileName } from "../src/store/paths.ts";
import { type Arguments, flagOf, type OptionSpec } from "./spec.ts";

/** The option of every command that prints what was saved. */
export const TRUST_OPTION: OptionSpec = {
  name: "trust",
  type: "flag",
  help: "accept it even if it was not written on this machine",
};

/** Something that was asked for by name. */
export interface Named {
  /** What it is, with its id, such as `checkpoint 2026-03-01-120000`. */
  readonly what: string;
  /** Whether it was written on this machine. */
  readonly isOurs: boolean;
  readonly trust: () => void;
}

/** What is said before something that was asked for by name; empty where it is ours. */
export function noticeOn({ what, isOurs, trust }: Named, args: Arguments): string {
  if (isOurs) return "";
  const isSkill = flagOf(args, "skill");
  if (flagOf(args, "trust") && !isSkill) {
    trust();
    return "";
  }
  if (!isSkill) return `${capital(what)} was ${NOT_OURS}. Use --trust to accept it.`;
  throw new Error(
    `${
      capital(what)
    } was ${NOT_OURS}, so it is not passed to you. Tell the user; nothing else is ` +
      "to be done. In a terminal `trimtab restore ID` shows it, and accepts it with --trust.",
  );
}

/** Finds a snapshot by name, whoever wrote it, or the newest that is ours. */
export function snapshotFor(wanted: string, place: OwnPlace): string {
  const { projectDir } = place;
  if (wanted !== "latest") return findSnapshot(wanted, { projectDir });
  const files = listSnapshotFiles({ projectDir }).filter(({ problem }) => problem === null);
  const newest = files.find(({ path }) => isOurPoint({ path }, place));
  if (newest !== undefined) return newest.path;
  const others = files.length === 0
    ? "has no snapshot that can be read. Save one with `trimtab snapshot`"
    : `has ${files.length} ${
      files.length === 1 ? "snapshot" : "snapshots"
    } ${NOT_OURS}, and none ` +
      "that was. `trimtab list` lists them; name one by its id to see it, and accept it with --trust";
  throw new SnapshotNotFoundError(`Cannot find a snapshot: ${projectDir} ${others}`);
}

/** A snapshot's file as something that was asked for by name. */
export function namedSnapshot(path: string, place: OwnPlace): Named {
  return {
    what: `snapshot ${fileName(path).replace(/\.json$/, "")}`,
    isOurs: isOurPoint({ path }, place),
    trust: () => trustPoint({ path }, place),
  };
}

/** A saved state as something that was asked for by name. */
export function namedPoint(point: RestorePoint, place: OwnPlace): Named {
  return {
    what: `${point.kind} ${point.id}`,
    isOurs: isOurPoint(point, place),
    trust: () => trustPoint(point, place),
  };
}

/** Puts a notice before a text that is already fenced. */
export function withNotice(notice: string, text: string): string {
  return notice === "" ? text : `${notice}\n\n${text}`;
}

export function fenced(source: string, text: string): string {
  return buildContext([{ source, text }], Infinity);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
