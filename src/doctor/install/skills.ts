/** Skills without the plugin system: links in the folder where Claude Code looks for skills. */

import { isMissing } from "../../config/files.ts";
import { joinPath, parentPath, resolvePath } from "../../store/paths.ts";

export interface SkillLink {
  readonly name: string;
  readonly path: string;
  readonly target: string;
  /** `stale` leads elsewhere or nowhere, `dropped` to a skill that is gone, `taken` is somebody else's. */
  readonly state: "ours" | "stale" | "dropped" | "free" | "taken";
}

const IS_WINDOWS = Deno.build.os === "windows";

/** Looks at what stands where the links of trimtab's skills are to be. */
export function findSkillLinks(
  root: string,
  folder: string,
  roots: readonly string[] = [],
): SkillLink[] {
  const source = joinPath(root, "skills");
  const names = [...Deno.readDirSync(source)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name);
  const known = [...roots, root];
  const links = names.map((name): SkillLink => {
    const [path, target] = [joinPath(folder, name), joinPath(source, name)];
    return { name, path, target, state: stateOf(path, target, known) };
  });
  const dropped = linksIn(folder).filter((name) => !names.includes(name)).map((name) => {
    const [path, target] = [joinPath(folder, name), joinPath(source, name)];
    return { name, path, target, state: "dropped" as const };
  }).filter(({ path, target }) => ["ours", "stale"].includes(stateOf(path, target, known)));
  return [...links, ...dropped].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Makes the links that are missing or stale, and removes those to skills that are no more. */
export function makeSkillLinks(links: readonly SkillLink[]): void {
  for (const { path, target, state } of links) {
    if (state === "ours" || state === "taken") continue;
    if (state !== "free") Deno.removeSync(path);
    if (state === "dropped") continue;
    Deno.mkdirSync(parentPath(path), { recursive: true });
    // A junction needs no rights of an administrator.
    Deno.symlinkSync(target, path, { type: IS_WINDOWS ? "junction" : "dir" });
  }
}

/** Removes the links that lead to trimtab, and nothing that they lead to. */
export function removeSkillLinks(links: readonly SkillLink[]): void {
  const own = links.filter(({ state }) => state !== "free" && state !== "taken");
  for (const { path } of own) Deno.removeSync(path);
}

function linksIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isSymlink }) => isSymlink)
      .map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function stateOf(
  path: string,
  target: string,
  roots: readonly string[],
): "ours" | "stale" | "free" | "taken" {
  try {
    if (!Deno.lstatSync(path).isSymlink) return "taken";
    const leadsTo = resolvePath(Deno.readLinkSync(path), parentPath(path)).replace(/\/+$/, "");
    if (leadsTo === resolvePath(target, "/")) return "ours";
    return isSkillOfTrimtab(leadsTo, target, roots) ? "stale" : "taken";
  } catch (error) {
    if (isMissing(error)) return "free";
    throw error;
  }
}

/** Whether a link leads to the same skill of another trimtab, or of one that stood in the settings. */
function isSkillOfTrimtab(leadsTo: string, target: string, roots: readonly string[]): boolean {
  const tail = target.split("/").slice(-2).join("/");
  if (!leadsTo.endsWith(`/${tail}`)) return false;
  const root = parentPath(parentPath(leadsTo));
  return roots.includes(root) || hasLauncher(root);
}

export function hasLauncher(root: string): boolean {
  try {
    return Deno.statSync(joinPath(root, "bin", "trimtab")).isFile;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
