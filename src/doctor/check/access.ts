/** Checks who has access to trimtab's files, whether git ignores them, and who wrote them. */

import { IGNORE_FILES } from "../../core/ignore_file.ts";
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from "../../store/modes.ts";
import { infoOf, unlessFailed } from "../../store/exists.ts";
import { indexPath } from "../../saved/project_index.ts";
import { joinPath, parentPath } from "../../store/paths.ts";
import { type CheckResult, type DoctorPlace, ownerProblem, type Problem } from "./check.ts";
import type { OwnFile } from "../clean/own_files.ts";
import { isWrittenHere } from "../clean/plan.ts";
import { findRepository, trackedIn } from "../../store/git_tracked.ts";
import { ensurePrivateDirSync, isHiddenFromGit } from "../../store/private_dir.ts";

/** Bits of a mode that give other users more access than trimtab allows. */
const FORBIDDEN_BITS = { [PRIVATE_FILE_MODE]: 0o077, [PRIVATE_FOLDER_MODE]: 0o022 };

type AllowedMode = typeof PRIVATE_FILE_MODE | typeof PRIVATE_FOLDER_MODE;

export function checkAccess(place: DoctorPlace): CheckResult {
  const { projectDir, configDir, uid } = place;
  const { files, folders, unreadable } = place.ownFiles();
  const index = (configDir === undefined ? [] : [indexPath(configDir)])
    .filter((path) => infoOf(path)?.isFile === true);
  const ownPaths = [...files.map(({ path }) => path), ...index];
  const ownFolders = [...folders, ...index.map(parentPath)];
  const isTracked = trackedIn(projectDir);
  const problems = [
    ...ownPaths.flatMap((path) => modeProblems(path, uid, PRIVATE_FILE_MODE)),
    ...ownFolders.flatMap((path) => modeProblems(path, uid, PRIVATE_FOLDER_MODE)),
    ...unreadable.map((subject): Problem => ({
      id: "file_unusable",
      subject,
      problem: ownerProblem(subject, uid) ?? "It cannot be read.",
    })),
    ...ignoreProblems(folders, projectDir, isTracked),
    // Git commits changes to a tracked file even if an ignore file excludes it.
    ...files.filter(({ path }) => isTracked(path) === true)
      .map(({ path }): Problem => ({ id: "file_tracked", subject: path, problem: TRACKED })),
    ...foreignFiles(files, place),
  ];
  return { problems, note: `files: ${ownPaths.length}, folders: ${ownFolders.length}` };
}

function modeProblems(subject: string, uid: number | null, allowed: AllowedMode): Problem[] {
  const problem = ownerProblem(subject, uid);
  if (problem !== null) return [{ id: "file_unusable", subject, problem }];
  const mode = Deno.build.os === "windows" ? 0 : (infoOf(subject)?.mode ?? 0) & 0o777;
  if ((mode & FORBIDDEN_BITS[allowed]) === 0) return [];
  return [{
    id: "open_to_others",
    subject,
    problem: `Its mode is ${octal(mode)}; trimtab uses ${octal(allowed)}.`,
    // Skips a link, which may have replaced the path since the check.
    repair: () => Deno.lstatSync(subject).isSymlink || Deno.chmodSync(subject, allowed),
  }];
}

const TRACKED = "It is in git's index.";

type IsTracked = ReturnType<typeof trackedIn>;

function ignoreProblems(
  folders: readonly string[],
  projectDir: string,
  isTracked: IsTracked,
): Problem[] {
  if (findRepository(projectDir) === null) return [];
  const outermost = folders.filter((folder) =>
    !folders.some((other) => folder.startsWith(`${other}/`))
  );
  // Skips an ignore file that cannot be read. If it belongs to another user, that is a finding of its own.
  const unignored = outermost.filter((folder) =>
    unlessFailed(() => isHiddenFromGit(folder)) === false
  );
  return unignored.flatMap((folder): Problem[] => {
    const ignoreFile = `${folder}/${IGNORE_FILES.git}`;
    if (isTracked(ignoreFile) === true) {
      return [{ id: "file_tracked", subject: ignoreFile, problem: TRACKED }];
    }
    return [{
      id: "ignore_weak",
      subject: folder,
      problem: "It has no `.gitignore` that excludes everything in it.",
      repair: () => ensurePrivateDirSync(folder),
    }];
  });
}

function foreignFiles(
  files: readonly OwnFile[],
  { projectDir, configDir, uid }: DoctorPlace,
): Problem[] {
  const place = { projectDir, configDir };
  const foreign = files.filter((file) =>
    ownerProblem(file.path, uid) === null && !isWrittenHere(file, place)
  );
  const [first] = foreign;
  if (first === undefined) return [];
  const others = foreign.length === 1 ? "" : `, and ${foreign.length - 1} more`;
  return [{
    id: "files_foreign",
    subject: joinPath(projectDir, ".claude"),
    problem: `${first.path.slice(projectDir.length + 1)}${others}.`,
  }];
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
