/** Checks where trimtab's hooks are registered in Claude Code's settings, and whether they can run. */

import { reasonOf } from "../../store/atomic.ts";
import { entriesOf } from "../../store/exists.ts";
import { joinPath } from "../../store/paths.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { findEntries, type FoundEntries, sortedText, wantedHooks } from "../install/settings.ts";
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
    const path = joinPath(folder, name);
    try {
      read.push({ folder, path, found: findEntries(readSettingsFile(path).text ?? "{}") });
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      problems.push({ id: "settings_unreadable", subject: path, problem: reasonOf(error) });
    }
  }
  for (const registration of read) problems.push(...findRegistrationProblems(registration, place));
  const plugin = read.find(({ found }) => found.plugin !== null);
  const installed = read.find(({ found }) => found.roots.length > 0);
  if (plugin !== undefined && installed !== undefined) {
    const problem = `These settings install hooks, and ${plugin.path} enables the plugin as well.`;
    problems.push({ id: "hooks_twice", subject: installed.path, problem });
  }
  const registered = read.filter(({ found: { hooks, plugin } }) =>
    Object.keys(hooks).length > 0 || plugin !== null
  );
  const isUsed = configDir !== undefined && entriesOf(joinPath(configDir, "projects"))?.length;
  if (registered.length === 0 && isUsed && problems.length === 0) {
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

function findRegistrationProblems(
  { folder, path, found }: Registration,
  { root }: DoctorPlace,
): Problem[] {
  const problems: Problem[] = [];
  if (found.isDisabled) {
    const problem = "`disableAllHooks` is true in these settings.";
    problems.push({ id: "hooks_disabled", subject: path, problem });
  }
  const outdated = (subject: string, problem: string): void => {
    problems.push({ id: "hooks_outdated", subject, problem });
  };
  const missing = found.roots.filter((root) => !hasLauncher(root));
  for (const subject of missing) {
    outdated(subject, `${path} starts hooks from this folder, but trimtab is not in it.`);
  }
  const [named] = found.roots;
  if (missing.length > 0 || named === undefined || root === null) return problems;
  const links = findSkillLinks(named, joinPath(folder, "skills"), found.roots);
  for (const { path: link } of links.filter(({ state }) => state === "stale")) {
    outdated(link, `It does not point to a skill of ${named}.`);
  }
  if (sortedText(wantedHooks(named, links)) !== sortedText(found.hooks)) {
    outdated(path, `Its hooks differ from those in ${named}/hooks/hooks.json.`);
  }
  return problems;
}
