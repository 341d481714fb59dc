/** Links skills into Claude Code's skills folder, for an installation without the plugin system. */

import { infoOf, listFolder, targetOf } from "../../store/exists.ts";
import { joinPath, parentPath, resolvePath } from "../../store/paths.ts";

export interface SkillLink {
  readonly name: string;
  readonly path: string;
  /** The skill's folder; null for a link to a skill that no longer exists. */
  readonly target: string | null;
  /** `stale`: a link that trimtab made, but not to `target`. `taken`: the name belongs to another program. */
  readonly state: "current" | "stale" | "free" | "taken";
}

export function findSkillLinks(
  root: string,
  folder: string,
  roots: readonly string[],
): SkillLink[] {
  const skills = listFolder(joinPath(root, "skills")).filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name);
  const links = listFolder(folder).filter(({ isSymlink }) => isSymlink).map(({ name }) => name);
  return [...new Set([...skills, ...links])].sort().map((name): SkillLink => {
    const path = joinPath(folder, name);
    const target = skills.includes(name) ? joinPath(root, "skills", name) : null;
    return { name, path, target, state: stateOf(path, target, [...roots, root]) };
  }).filter(({ target, state }) => target !== null || state === "stale");
}

export function makeSkillLink({ path, target, state }: SkillLink): void {
  if (state === "stale") Deno.removeSync(path);
  if (target === null || state === "current" || state === "taken") return;
  Deno.mkdirSync(parentPath(path), { recursive: true });
  // Unlike a symbolic link, a junction needs no administrator rights.
  const type = Deno.build.os === "windows" ? "junction" : "dir";
  Deno.symlinkSync(target, path, { type });
}

export function hasLauncher(root: string): boolean {
  return targetOf(joinPath(root, "bin", "trimtab"))?.isFile === true;
}

function stateOf(
  path: string,
  target: string | null,
  roots: readonly string[],
): SkillLink["state"] {
  const info = infoOf(path);
  if (info === null) return "free";
  if (!info.isSymlink) return "taken";
  const linkTarget = resolvePath(Deno.readLinkSync(path), parentPath(path)).replace(/\/+$/, "");
  if (target !== null && linkTarget === resolvePath(target, "/")) return "current";
  const [, root] = /^(.*)\/skills\/[^/]+$/s.exec(linkTarget) ?? [];
  const isOwn = root !== undefined && linkTarget.endsWith(path.slice(path.lastIndexOf("/"))) &&
    (roots.includes(root) || hasLauncher(root));
  return isOwn ? "stale" : "taken";
}
