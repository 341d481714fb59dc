/** Finds the configuration files. Imports little, because hooks load this file. */

import { targetOf } from "../store/exists.ts";

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

/** Lists the possible configuration files in ascending precedence, even those that do not exist. */
export function configFiles(location: ConfigLocation): readonly ConfigFile[] {
  const project = `${location.projectDir}/.claude/trimtab.toml`;
  const files: ConfigFile[] = [{ layer: "work", path: `${location.projectDir}/.work.toml` }];
  if (location.configDir === undefined) return [...files, { layer: "project", path: project }];
  const user = `${location.configDir}/trimtab.toml`;
  files.unshift({ layer: "user", path: user });
  // If the project is the home folder, both paths are the same.
  if (project !== user) files.push({ layer: "project", path: project });
  return files;
}

/** If the project has no `.work.toml`, uses the nearest such file above the project in its repository. */
export function findConfigFiles(location: ConfigLocation): readonly ConfigFile[] {
  const files = configFiles(location);
  const shared = findSharedFile(location.projectDir);
  if (shared === null) return files;
  return files.map((file) => file.layer === "work" ? { ...file, path: shared } : file);
}

const MAX_FOLDERS_UP = 40;

/** Yields a folder and the folders above it, the nearest first, without the root `/`. */
export function* foldersUp(folder: string): Generator<string, void, undefined> {
  for (let count = 0; count < MAX_FOLDERS_UP && folder !== ""; count++) {
    yield folder;
    folder = folder.slice(0, Math.max(0, folder.search(/[\\/][^\\/]*$/)));
  }
}

function findSharedFile(projectDir: string): string | null {
  let found: string | null = null;
  for (const folder of foldersUp(projectDir)) {
    const path = `${folder}/.work.toml`;
    if (found === null && fileExists(path) === true && hasSameOwner(path, projectDir)) found = path;
    const isRoot = fileExists(`${folder}/.git`);
    if (isRoot === true || (isRoot === null && found !== null)) return found;
  }
  return null;
}

/** Compares the owners, because other users can create files above a project in /tmp. */
function hasSameOwner(path: string, other: string): boolean {
  return Deno.statSync(path).uid === Deno.statSync(other).uid;
}

/** Returns null if the permission to check is missing. */
function fileExists(path: string): boolean | null {
  try {
    return sizeOf(path) !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    return false;
  }
}

export function sizeOf(path: string): number | null {
  return targetOf(path)?.size ?? null;
}
