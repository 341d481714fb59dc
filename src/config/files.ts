/** Finds the configuration files. Imports little, because hooks load this file. */

import { targetOf } from "../store/exists.ts";
import { foldersUp } from "../store/paths.ts";

/** The layers of the configuration, in ascending order of precedence. */
export type ConfigLayer = "default" | "user" | "work" | "project";

export interface ConfigLocation {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  /** Whether to trust the project's files; for programs that have checked their content. @default {false} */
  readonly isTrusted?: boolean;
}

export interface ConfigFile {
  readonly layer: "user" | "work" | "project";
  readonly path: string;
}

export const MAX_CONFIG_FILE_BYTES = 1_000_000;

/** Lists the possible configuration files, which may not exist, in ascending precedence. */
export function configFiles({ projectDir, configDir }: ConfigLocation): readonly ConfigFile[] {
  const work: ConfigFile = { layer: "work", path: `${projectDir}/.work.toml` };
  const project: ConfigFile = { layer: "project", path: `${projectDir}/.claude/trimtab.toml` };
  if (configDir === undefined) return [work, project];
  const user: ConfigFile = { layer: "user", path: `${configDir}/trimtab.toml` };
  // If the project is the home folder, both paths are the same.
  return user.path === project.path ? [user, work] : [user, work, project];
}

/** If the project has no `.work.toml`, uses the nearest such file above the project in its repository. */
export function findConfigFiles(location: ConfigLocation): readonly ConfigFile[] {
  const files = configFiles(location);
  const shared = findSharedFile(location.projectDir);
  if (shared === null) return files;
  return files.map((file) => file.layer === "work" ? { ...file, path: shared } : file);
}

function findSharedFile(projectDir: string): string | null {
  let found: string | null = null;
  for (const folder of foldersUp(projectDir)) {
    const path = `${folder}/.work.toml`;
    // Other users can create files above a project in /tmp.
    const isOwn = (): boolean => Deno.statSync(path).uid === Deno.statSync(projectDir).uid;
    if (found === null && fileExists(path) === true && isOwn()) found = path;
    const isRoot = fileExists(`${folder}/.git`);
    if (isRoot === true || (isRoot === null && found !== null)) return found;
  }
  return null;
}

/** Returns null if the permission to check is missing. */
function fileExists(path: string): boolean | null {
  try {
    return targetOf(path) !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    return false;
  }
}
