/**
 * Copies the plugin as an installation does, for tests that put it into an awkward folder or change
 * it.
 */

import { ensureDirSync, walkSync } from "@std/fs";

export const PLUGIN = decodeURIComponent(new URL("..", import.meta.url).pathname)
  .replace(/\/$/, "");

const PLUGIN_FOLDERS = [
  ".claude-plugin",
  "bin",
  "cli",
  "deps",
  "evals",
  "hooks",
  "scripts",
  "skills",
  "src",
];
const PLUGIN_FILES = ["deno.json", "deno.lock", "mod.ts", "snapshots.schema.json"];

/** Copies the plugin, without `node_modules` and files that tests left. */
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
