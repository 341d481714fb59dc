/** Changes, their reasons and commits as lines of a checkpoint, and those lines as facts again. */

import { endItem, guardStart, isByHand, oneLine, readItem, unguardStart } from "./item.ts";
import type { Commit, FileChange, Said } from "../../extract/work_state.ts";

const MAX_PATH_CHARS = 300;

export const MAX_WHAT_CHARS = 240;

/** What a note by hand on no file in particular is about: the project. */
const WHOLE_PROJECT = ".";

const COMMIT_LINE = /^\[commit(?: ([0-9a-f]{4,40}))?\] - (.*)$/i;
const CHANGE_LINE = /^\[(.+?)(?::(\?|\d{1,16})(?:-(\d{1,16}))?)?\] - (.*)$/;
const DONE = /^(created|modified)(?: (\d{1,16}) times)?(?:: (.*))?$/;

export function shownPath(file: string, projectDir: string): string {
  const base = projectDir.replace(/[/\\]+$/, "");
  const next = file[base.length];
  const isInside = base !== "" && file.startsWith(base) && (next === "/" || next === "\\");
  const shown = isInside ? file.slice(base.length + 1) : file;
  const path = oneLine(shown, MAX_PATH_CHARS).replaceAll(/\](?= - | \[)/g, ")");
  // A file of that name is not to be taken for a commit.
  return /^commit(?: |$)/i.test(path) ? `./${path}` : path;
}

export function changeLine(change: FileChange, projectDir: string): string {
  const path = shownPath(change.file, projectDir);
  const what = oneLine(change.what, MAX_WHAT_CHARS);
  if (path === "") return "";
  const label = "";
  if (isByHand(change.from)) {
    if (what === "") return "";
    const text = path === WHOLE_PROJECT
      ? guardStart(what)
      : `[${path}${place(change, path)}] - ${what}`;
    return endItem({ text, label, from: change.from });
  }
  const times = isCount(change.count) && change.count > 1 ? ` ${change.count} times` : "";
  const done = `${change.action}${times}${what === "" ? "" : `: ${what}`}`;
  return endItem({ text: `[${path}${place(change, path)}] - ${done}`, label, from: change.from });
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

export function readChange(line: string): FileChange | null {
  const item = readItem(line);
  if (item === null || COMMIT_LINE.test(item.text)) return null;
  const [, file, from, to, rest = ""] = CHANGE_LINE.exec(item.text) ?? [];
  const isNote = isByHand(item.from);
  if (file === undefined && !isNote) return null;
  const first = from === undefined || from === "?" ? null : Number(from);
  const [, action, times, what] = isNote ? [] : DONE.exec(rest) ?? [];
  return {
    file: file ?? WHOLE_PROJECT,
    action: action === "created" ? "created" : "modified",
    count: times === undefined ? 1 : Number(times),
    first_line: first,
    last_line: to === undefined ? first : Number(to),
    what: action !== undefined ? what ?? "" : file === undefined ? unguardStart(item.text) : rest,
    why: "",
    from: item.from,
  };
}

export function readWhy(line: string): { files: readonly string[]; why: Said } | null {
  const item = readItem(line);
  if (item === null) return null;
  const [, files, why] = /^\[(.+?)\] - (.*)$/.exec(item.text) ?? [];
  if (files !== undefined && why !== undefined) {
    return { files: files.split("] ["), why: { text: why, from: item.from } };
  }
  return { files: [WHOLE_PROJECT], why: { text: unguardStart(item.text), from: item.from } };
}

export function commitLine(commit: Commit): string {
  const hash = /^[0-9a-f]{4,40}$/i.test(commit.hash) ? ` ${commit.hash}` : "";
  const message = oneLine(commit.message, MAX_WHAT_CHARS);
  if (hash === "" && message === "") return "";
  return endItem({ text: `[commit${hash}] - ${message}`, label: "", from: commit.from });
}

export function readCommit(line: string): Commit | null {
  const item = readItem(line);
  const [all, hash = "", message = ""] = COMMIT_LINE.exec(item?.text ?? "") ?? [];
  return item === null || all === undefined ? null : { hash, message, from: item.from };
}

function place(change: FileChange, path: string): string {
  const lines = [change.first_line, change.last_line].filter(isCount);
  if (lines.length === 0) return /:(?:\?|\d+(?:-\d+)?)$/.test(path) ? ":?" : "";
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  return first === last ? `:${first}` : `:${first}-${last}`;
}

function isCount(value: number | null): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
