/** Changes, their reasons and commits as lines of a checkpoint. */

import { endItem, guardStart, isByHand, oneLine } from "./item.ts";
import type { Commit, FileChange } from "../../extract/work_state.ts";

const MAX_PATH_CHARS = 300;

export const MAX_WHAT_CHARS = 240;

/** What a note by hand on no file in particular is about: the project. */
const WHOLE_PROJECT = ".";

export function shownPath(file: string, projectDir: string): string {
  const base = projectDir.replace(/[/\\]+$/, "");
  const next = file[base.length];
  const isInside = base !== "" && file.startsWith(base) && (next === "/" || next === "\\");
  const shown = isInside ? file.slice(base.length + 1) : file;
  return oneLine(shown, MAX_PATH_CHARS);
}

export function changeLine(change: FileChange, projectDir: string): string {
  const path = shownPath(change.file, projectDir);
  const what = oneLine(change.what, MAX_WHAT_CHARS);
  if (path === "") return "";
  const label = "";
  if (isByHand(change.from)) {
    if (what === "") return "";
    const text = path === WHOLE_PROJECT ? guardStart(what) : `[${path}${place(change)}] - ${what}`;
    return endItem({ text, label, from: change.from });
  }
  const times = isCount(change.count) && change.count > 1 ? ` ${change.count} times` : "";
  const done = `${change.action}${times}${what === "" ? "" : `: ${what}`}`;
  return endItem({ text: `[${path}${place(change)}] - ${done}`, label, from: change.from });
}

export function whyLine(changes: readonly FileChange[], projectDir: string): string {
  const [first] = changes;
  const why = oneLine(first?.why ?? "", MAX_WHAT_CHARS);
  const paths = changes.map((change) => shownPath(change.file, projectDir));
  if (first === undefined || why === "" || paths.includes("")) return "";
  const isNote = isByHand(first.from) && paths[0] === WHOLE_PROJECT;
  const text = isNote ? guardStart(why) : `[${paths.join("] [")}] - ${why}`;
  return endItem({ text, label: "", from: first.from });
}

export function commitLine(commit: Commit): string {
  const hash = /^[0-9a-f]{4,40}$/i.test(commit.hash) ? ` ${commit.hash}` : "";
  const message = oneLine(commit.message, MAX_WHAT_CHARS);
  if (hash === "" && message === "") return "";
  return endItem({ text: `[commit${hash}] - ${message}`, label: "", from: commit.from });
}

function place(change: FileChange): string {
  const lines = [change.first_line, change.last_line].filter(isCount);
  if (lines.length === 0) return "";
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  return first === last ? `:${first}` : `:${first}-${last}`;
}

function isCount(value: number | null): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
