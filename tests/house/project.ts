import { walkSync } from "@std/fs";

/** A native path without a trailing separator. */
export const ROOT = Deno.realPathSync(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

const SKIPPED = /[/\\](?:\.git|\.cache|node_modules|coverage|dist)$/;

export function projectFiles(folder: string, exts?: string[]): string[] {
  const files = walkSync(folder === "" ? ROOT : `${ROOT}/${folder}`, {
    includeDirs: false,
    skip: [SKIPPED],
    ...(exts === undefined ? {} : { exts }),
  });
  return Array.from(files, (entry) => entry.path.slice(ROOT.length + 1).replaceAll("\\", "/"))
    .sort();
}

export function readProject(path: string): string {
  return Deno.readTextFileSync(`${ROOT}/${path}`);
}
