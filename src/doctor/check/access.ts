/** Checks that the user can use trimtab's files, and that no other user can. */

import { isIgnoreName } from "../../core/ignore_file.ts";
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from "../../store/modes.ts";
import { infoOf } from "../../store/exists.ts";
import { indexPath } from "../../saved/project_index.ts";
import { fileName, joinPath, parentPath } from "../../store/paths.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { LOCK_NAME, OWN_FILES } from "../clean/file_table.ts";
import { entriesOf, type OwnFile } from "../clean/own_files.ts";
import { isMine } from "../clean/plan.ts";
import { findRepository, trackedIn } from "../../store/git_tracked.ts";
import { ensurePrivateDirSync, isKeptFromGit } from "../../store/private_dir.ts";

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

type FileToUse = Pick<OwnFile, "path" | "kind">;

/** trimtab appends to these files. It replaces others by renaming, which needs no access to the old file. */
const APPENDED: ReadonlySet<string> = new Set(["blackboard", "events", "housekeeping"]);

export function checkAccess(place: DoctorPlace): CheckResult {
  const { projectDir, configDir } = place;
  const { files, folders, others } = place.ownFiles();
  const shared = configDir === undefined ? [] : indexFolders(configDir);
  const known: FileToUse[] = [...files];
  const index = configDir === undefined ? null : indexPath(configDir);
  if (index !== null && typeOf(index) === "a file") known.push({ path: index, kind: "state" });
  const problems = [
    ...known.flatMap((file) => fileProblems(file, place)),
    ...[...folders, ...shared].flatMap((folder) => folderProblems(folder, place)),
    ...projectProblems(folders, place),
    ...occupiedPaths(projectDir, others),
    ...unignoredFolders(folders, projectDir),
    ...trackedFiles(files, projectDir),
    ...foreignFiles(files, place),
  ];
  return { problems, note: `files: ${known.length}, folders: ${folders.length + shared.length}` };
}

export function checkDenoCache({ env, uid, root }: DoctorPlace): CheckResult {
  const home = env("HOME");
  const caches = home === undefined
    ? undefined
    : Deno.build.os === "darwin"
    ? joinPath(home, "Library", "Caches")
    : joinPath(home, ".cache");
  const base = env("XDG_CACHE_HOME") ?? caches;
  const folder = env("DENO_DIR") ?? (base === undefined ? undefined : joinPath(base, "deno"));
  if (root === null || folder === undefined || Deno.build.os === "windows") {
    return { problems: [], note: "not checked" };
  }
  const isRefused = env("DENO_EMIT_CACHE_MODE") === "disable" || !mayWrite(nearest(folder), uid);
  if (!isRefused) return { problems: [], note: folder };
  const problem = "Deno cannot write there.";
  return {
    problems: [{ id: "deno_cache_unwritable", subject: folder, problem }],
    note: folder,
  };
}

function fileProblems({ path, kind }: FileToUse, { probe }: DoctorPlace): Problem[] {
  const reason = probe.read(path) ?? (APPENDED.has(kind) ? probe.append(path) : null);
  if (reason !== null) return [unusable(path, reason)];
  const mode = modeOf(path);
  if (mode === null || (mode & OTHERS) === 0) return [];
  return [{
    id: "open_to_others",
    subject: path,
    problem: `Its mode is ${octal(mode)}; it should be ${octal(PRIVATE_FILE_MODE)}.`,
    repair: () => makePrivate(path, PRIVATE_FILE_MODE),
  }];
}

function folderProblems(path: string, { probe }: DoctorPlace): Problem[] {
  const reason = probe.create(path);
  if (reason !== null) return [unusable(path, reason)];
  const mode = modeOf(path);
  if (mode === null || (mode & OTHERS_WRITE) === 0) return [];
  return [{
    id: "open_to_others",
    subject: path,
    problem: `Its mode is ${octal(mode)}; trimtab creates folders with ${
      octal(PRIVATE_FOLDER_MODE)
    }.`,
    repair: () => makePrivate(path, PRIVATE_FOLDER_MODE),
  }];
}

/** Skips a link, which may have replaced the path since the check. */
function makePrivate(path: string, mode: number): void {
  if (!Deno.lstatSync(path).isSymlink) Deno.chmodSync(path, mode);
}

function projectProblems(
  folders: readonly string[],
  { projectDir, probe }: DoctorPlace,
): Problem[] {
  const claude = joinPath(projectDir, ".claude");
  if (folders.length > 0 || entriesOf(claude) === null) return [];
  const reason = probe.create(claude);
  return reason === null ? [] : [unusable(claude, reason)];
}

/** Finds paths of trimtab's files and folders where something else exists, such as a link. */
function occupiedPaths(projectDir: string, others: readonly string[]): Problem[] {
  const claude = joinPath(projectDir, ".claude");
  const folders = new Set<string>();
  for (const { folder } of OWN_FILES) {
    const parts = folder.split("/");
    parts.forEach((_, index) => folders.add(joinPath(claude, ...parts.slice(0, index + 1))));
  }
  const isOwnName = (path: string): boolean =>
    LOCK_NAME.test(fileName(path)) || isIgnoreName(fileName(path)) ||
    OWN_FILES.some(({ folder, name }) =>
      parentPath(path) === joinPath(claude, folder) && name.test(fileName(path))
    );
  const taken = [
    ...[...folders].filter((path) => typeOf(path) !== null && typeOf(path) !== "a folder"),
    ...others.filter((path) => isOwnName(path) && typeOf(path) !== "a file"),
  ];
  return [...new Set(taken)].map((subject) => ({
    id: "name_taken",
    subject,
    problem: `It is ${typeOf(subject)}.`,
  }));
}

function unignoredFolders(folders: readonly string[], projectDir: string): Problem[] {
  if (findRepository(projectDir) === null) return [];
  const outermost = folders.filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  const isTaken = (folder: string): boolean =>
    ![null, "a file"].includes(typeOf(`${folder}/.gitignore`));
  const weak = outermost.filter((folder) => !isKeptFromGit(folder) && !isTaken(folder));
  return weak.map((subject) => ({
    id: "ignore_weak",
    subject,
    problem: "It has no `.gitignore` that excludes everything in it.",
    repair: () => ensurePrivateDirSync(subject),
  }));
}

/** Finds files that git commits even though an ignore file excludes them. */
function trackedFiles(files: readonly OwnFile[], projectDir: string): Problem[] {
  const isTracked = trackedIn(projectDir);
  const tracked = files.filter(({ path }) => isTracked(path) === true);
  return tracked.map(({ path }) => ({
    id: "file_tracked",
    subject: path,
    problem: "Git tracks it and would commit its content, so trimtab does not write to it.",
  }));
}

function foreignFiles(
  files: readonly OwnFile[],
  { projectDir, configDir, probe }: DoctorPlace,
): Problem[] {
  const place = { projectDir, configDir };
  const foreign = files.filter((file) => probe.read(file.path) === null && !isMine(file, place));
  const [first] = foreign;
  if (first === undefined) return [];
  const others = foreign.length === 1 ? "" : `, and ${foreign.length - 1} more`;
  return [{
    id: "files_foreign",
    subject: joinPath(projectDir, ".claude"),
    problem: `${first.path.slice(projectDir.length + 1)}${others}.`,
  }];
}

function indexFolders(configDir: string): string[] {
  const folder = joinPath(configDir, "trimtab", "checkpoints");
  return entriesOf(folder) === null ? [] : [folder];
}

function nearest(folder: string): string {
  let path = folder;
  while (typeOf(path) === null && parentPath(path) !== path) path = parentPath(path);
  return path;
}

/** Ignores group permissions, since the user's groups are unknown. */
function mayWrite(folder: string, uid: number | null): boolean {
  const { mode, uid: owner } = Deno.statSync(folder);
  if (uid === null || uid === 0 || mode === null || owner === null) return true;
  return (mode & (owner === uid ? 0o200 : OTHERS_WRITE)) !== 0;
}

function typeOf(path: string): "a link" | "a folder" | "a file" | "not a regular file" | null {
  const info = infoOf(path);
  if (info === null) return null;
  const { isSymlink, isDirectory, isFile } = info;
  return isSymlink ? "a link" : isDirectory ? "a folder" : isFile ? "a file" : "not a regular file";
}

function modeOf(path: string): number | null {
  const mode = infoOf(path)?.mode ?? null;
  return Deno.build.os === "windows" || mode === null ? null : mode & 0o777;
}

function unusable(path: string, reason: string): Problem {
  const { uid } = Deno.statSync(path);
  const owner = uid === null ? "" : ` (it belongs to user ${uid})`;
  return { id: "file_unusable", subject: path, problem: `${reason}${owner}.` };
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
