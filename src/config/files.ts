/**
 * Where configuration stands.
 *
 * This file imports little, because hooks load it.
 */

import { isMissing } from "../store/exists.ts";

/** Whose configuration it is; a later one in this order wins over the ones before. */
export type ConfigLayer = "default" | "user" | "work" | "project";

/** Where to look. */
export interface ConfigLocation {
  /** The folder of the project. */
  readonly projectDir: string;
  /** Claude Code's configuration folder; undefined if none is found. */
  readonly configDir: string | undefined;
  /** Whether the project's files count whole, as for a program that knows them. @default {false} */
  readonly isTrusted?: boolean;
}

/** One file in which configuration can stand. */
export interface ConfigFile {
  /** Whose it is. */
  readonly layer: "user" | "work" | "project";
  /** Where it is. */
  readonly path: string;
}

/** No configuration file is larger; a larger one is something else. */
export const MAX_CONFIG_FILE_BYTES = 1_000_000;

/**
 * The files in which configuration can stand; a later one wins.
 *
 * @param location The project and the configuration folder.
 * @returns The files, whether they are there or not.
 *
 * @example
 * ```ts
 * import { configFiles } from "./files.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const files = configFiles({ projectDir: "/p", configDir: "/home/me/.claude" });
 * assertEquals(files.map((file) => file.path), [
 *   "/home/me/.claude/trimtab.toml",
 *   "/p/.work.toml",
 *   "/p/.claude/trimtab.toml",
 * ]);
 * ```
 */
export function configFiles(location: ConfigLocation): readonly ConfigFile[] {
  const project = `${location.projectDir}/.claude/trimtab.toml`;
  const files: ConfigFile[] = [{ layer: "work", path: `${location.projectDir}/.work.toml` }];
  if (location.configDir === undefined) return [...files, { layer: "project", path: project }];
  const user = `${location.configDir}/trimtab.toml`;
  files.unshift({ layer: "user", path: user });
  // Someone who works in their home folder has one file for both.
  if (project !== user) files.push({ layer: "project", path: project });
  return files;
}

/** The files on this disk: a `.work.toml` at the repository's root counts where the project has none. */
export function findConfigFiles(location: ConfigLocation): readonly ConfigFile[] {
  const files = configFiles(location);
  const shared = sharedFileAbove(location.projectDir);
  if (shared === null) return files;
  return files.map((file) => file.layer === "work" ? { ...file, path: shared } : file);
}

/** Folders above a project are looked at up to here. */
const MAX_FOLDERS_ABOVE = 40;

/** The nearest `.work.toml` above a project. Hooks may look at no folder above: the launcher did. */
function sharedFileAbove(projectDir: string): string | null {
  let folder = projectDir;
  let found: string | null = null;
  for (let count = 0; count < MAX_FOLDERS_ABOVE; count++) {
    const path = `${folder}/.work.toml`;
    if (found === null && isThere(path) === true && hasOwnerOf(path, projectDir)) found = path;
    // The project's own comes first and is where it is looked for anyway.
    if (found !== null && count === 0) return null;
    const isRoot = isThere(`${folder}/.git`);
    if (isRoot === true || (isRoot === null && found !== null)) return found;
    const cut = folder.lastIndexOf("/");
    if (cut <= 0) return null;
    folder = folder.slice(0, cut);
  }
  return null;
}

/** Above a project in a shared folder such as /tmp, files can be anybody's. */
function hasOwnerOf(path: string, other: string): boolean {
  return Deno.statSync(path).uid === Deno.statSync(other).uid;
}

/** Whether something exists; null if that may not be checked. */
function isThere(path: string): boolean | null {
  try {
    return sizeOf(path) !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    return false;
  }
}

/** The size of a file in bytes; null if there is none. */
export function sizeOf(path: string): number | null {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return null;
  }
}

/** Whether the text of a file says nothing to us: another tool's file without our table in it. */
export function isSilentText(layer: ConfigLayer, text: string): boolean {
  return layer === "work" && !text.includes("context");
}
