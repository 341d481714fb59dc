/**
 * Copies the plugin as an installation does, for tests that put it somewhere awkward or change it.
 *
 * @module
 */

import { ensureDirSync, walkSync } from "@std/fs";

/** The project's folder, which is the plugin's. */
export const PLUGIN = decodeURIComponent(new URL("..", import.meta.url).pathname)
  .replace(/\/$/, "");

/** Parts of the project that an installed plugin has. */
const PLUGIN_FOLDERS = [
  ".claude-plugin",
  "bin",
  "cli",
  "deps",
  "hooks",
  "scripts",
  "skills",
  "src",
];
const PLUGIN_FILES = ["deno.json", "deno.lock", "mod.ts", "snapshots.schema.json"];

/**
 * Copies the plugin: no test's leftovers, no `node_modules`.
 *
 * @param to The folder to make.
 * @returns That folder.
 */
export function copyPlugin(to: string): string {
  const inFolders = PLUGIN_FOLDERS.flatMap((folder) =>
    [...walkSync(`${PLUGIN}/${folder}`, { includeDirs: false })]
      .map(({ path }) => path.slice(PLUGIN.length + 1))
  );
  for (const path of [...PLUGIN_FILES, ...inFolders]) {
    ensureDirSync(`${to}/${path}`.replace(/\/[^/]*$/, ""));
    Deno.copyFileSync(`${PLUGIN}/${path}`, `${to}/${path}`);
  }
  return to;
}
