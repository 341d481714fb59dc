/** Checks where trimtab's hooks are registered in Claude Code's settings, and whether they can run. */

import { reasonOf } from "../../store/atomic.ts";
import { entriesOf } from "../../store/exists.ts";
import { joinPath } from "../../store/paths.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { wantedHooks } from "../install/entries.ts";
import { findEntries, type FoundEntries, sortedText } from "../install/settings.ts";
import { findSkillLinks, hasLauncher } from "../install/skills.ts";
import { readSettingsFile } from "../install/settings_file.ts";

interface Registration {
  readonly folder: string;
  readonly path: string;
  readonly found: FoundEntries;
}

export function checkSettings(place: DoctorPlace): CheckResult {
  const { configDir, projectDir } = place;
  const projectSettings = joinPath(projectDir, ".claude");
  const files = [
    ...(configDir === undefined || configDir === projectSettings
      ? []
      : [[configDir, "settings.json"]]),
    [projectSettings, "settings.json"],
    [projectSettings, "settings.local.json"],
  ] as const;
  const problems: Problem[] = [];
  const read: Registration[] = [];
  for (const [folder = "", name = ""] of files) {
    const result = readRegistration(folder, joinPath(folder, name));
    if ("id" in result) problems.push(result);
    else read.push(result);
  }
  for (const registration of read) problems.push(...findRegistrationProblems(registration, place));
  problems.push(...findDuplicateHooks(read));
  const registered = read.filter(({ found }) => isRegistered(found));
  if (registered.length === 0 && hasProjects(configDir) && problems.length === 0) {
    const statusLineOnly = read.find(({ found }) => found.statusLine === "ours");
    problems.push({
      id: "hooks_not_registered",
      subject: statusLineOnly?.path ?? joinPath(configDir ?? projectSettings, "settings.json"),
      problem: statusLineOnly === undefined
        ? "Neither these settings nor the project's settings mention trimtab."
        : "These settings have only trimtab's status line, which `trimtab install --uninstall` removes.",
    });
  }
  const where = registered.map(({ path, found }) =>
    `${found.plugin === null ? "hooks" : "the plugin"} in ${path}`
  );
  const none = configDir === undefined
    ? "not found: neither HOME nor CLAUDE_CONFIG_DIR is set"
    : "not installed in Claude Code";
  return { problems, note: where.length === 0 ? none : where.join(", ") };
}

function readRegistration(folder: string, path: string): Registration | Problem {
  try {
    return { folder, path, found: findEntries(readSettingsFile(path).text ?? "{}") };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return { id: "settings_unreadable", subject: path, problem: reasonOf(error) };
  }
}

function findRegistrationProblems(
  { folder, path, found }: Registration,
  { root }: DoctorPlace,
): Problem[] {
  const problems: Problem[] = [];
  if (found.isDisabled) {
    const problem = "`disableAllHooks` is true in these settings.";
    problems.push({ id: "hooks_disabled", subject: path, problem });
  }
  if (!isRegistered(found) && found.statusLine !== "ours") return problems;
  const missing = found.roots.filter((folder) => !hasLauncher(folder));
  for (const subject of missing) {
    const problem = `${path} starts hooks from this folder, but trimtab is not in it.`;
    problems.push({ id: "hooks_outdated", subject, problem });
  }
  if (missing.length > 0 || Object.keys(found.hooks).length === 0) return problems;
  return [...problems, ...findOutdatedEntries(found, root, folder, path)];
}

function findOutdatedEntries(
  found: FoundEntries,
  root: string | null,
  folder: string,
  path: string,
): Problem[] {
  const [named] = found.roots;
  if (named === undefined || root === null) return [];
  const links = findSkillLinks(named, joinPath(folder, "skills"), found.roots);
  const stale = links.filter(({ state }) => state === "stale");
  const problems = stale.map((link): Problem => ({
    id: "hooks_outdated",
    subject: link.path,
    problem: `It does not point to a skill of ${named}.`,
  }));
  const skills = links.filter(({ state }) => state !== "taken")
    .map(({ name }) => name);
  const wanted = wantedHooks(named, skills);
  if (sortedText(wanted) !== sortedText(found.hooks)) {
    const problem = `Its hooks differ from those in ${named}/hooks/hooks.json.`;
    problems.push({ id: "hooks_outdated", subject: path, problem });
  }
  return problems;
}

function findDuplicateHooks(read: readonly Registration[]): Problem[] {
  const plugin = read.find(({ found }) => found.plugin !== null);
  const installed = read.find(({ found }) => found.roots.length > 0);
  if (plugin === undefined || installed === undefined) return [];
  return [{
    id: "hooks_twice",
    subject: installed.path,
    problem: `These settings install hooks, and ${plugin.path} enables the plugin as well.`,
  }];
}

function isRegistered({ hooks, plugin }: FoundEntries): boolean {
  return Object.keys(hooks).length > 0 || plugin !== null;
}

function hasProjects(configDir: string | undefined): boolean {
  return configDir !== undefined && (entriesOf(joinPath(configDir, "projects")) ?? []).length > 0;
}
