/** Installs trimtab in Claude Code's settings without the plugin system, and uninstalls it. */

import { listFolder } from "../../store/exists.ts";
import { joinPath } from "../../store/paths.ts";
import { MAX_SETTINGS_BYTES, readTextSync } from "../../store/read_file.ts";
import {
  addEntries,
  findEntries,
  type FoundEntries,
  type HookEntries,
  removeEntries,
  statusLineCommand,
  wantedHooks,
} from "./settings.ts";
import {
  listBackups,
  readSettingsFile,
  replaceSettingsFile,
  type SettingsFile,
} from "./settings_file.ts";
import { findSkillLinks, makeSkillLink, type SkillLink } from "./skills.ts";

export interface InstallOptions {
  /** The folder of `settings.json` and `skills/`, for the user or for a project. */
  readonly folder: string;
  readonly root: string;
  readonly nowMs: number;
  readonly statusLine?: boolean;
  readonly uninstall?: boolean;
  readonly dryRun?: boolean;
}

export interface InstallResult {
  readonly action: "installed" | "updated" | "already installed" | "uninstalled" | "not installed";
  readonly settings: string;
  readonly dry_run: boolean;
  readonly hooks: readonly string[];
  readonly skills: readonly string[];
  readonly skills_taken: readonly string[];
  readonly status_line: FoundEntries["statusLine"];
  /** The plugin that the settings enable; null if there is none. Only the client can uninstall it. */
  readonly plugin: string | null;
  readonly backup: string | null;
  /** Lines from the first change to the last: old lines prefixed with `-`, then new lines prefixed with `+`. */
  readonly diff: string;
}

export function install(options: InstallOptions): InstallResult {
  const { folder, root, dryRun = false, uninstall = false } = options;
  const path = joinPath(folder, "settings.json");
  const file = readSettingsFile(path);
  try {
    const found = findEntries(file.text ?? "{}");
    const links = findSkillLinks(root, joinPath(folder, "skills"), found.roots);
    // The plugin has its own hooks and skills, but cannot set a status line.
    const isLineOnly = found.plugin !== null && !uninstall;
    const hooks = uninstall || isLineOnly ? found.hooks : wantedHooks(root, links);
    const text = uninstall
      ? textWithoutTrimtab(path, file.text, found)
      : textWithTrimtab(file.text, found, { ...options, hooks });
    const states = uninstall ? ["current", "stale"] : isLineOnly ? [] : ["free", "stale"];
    const changed = links.filter(({ state }) => states.includes(state));
    const isSame = text === file.text && changed.length === 0;
    const isNew = Object.keys(found.hooks).length === 0;
    const [done, same] = uninstall
      ? ["uninstalled", "not installed"] as const
      : [isNew ? "installed" : "updated", "already installed"] as const;
    const after = findEntries(text ?? "{}");
    const named = changed.filter(({ target }) => uninstall || target !== null);
    const taken = isLineOnly ? [] : links.filter(({ state }) => state === "taken");
    return {
      action: isSame ? same : done,
      settings: path,
      dry_run: dryRun,
      hooks: Object.keys(hooks),
      skills: named.map(({ name }) => name),
      skills_taken: taken.map(({ name }) => name),
      status_line: after.statusLine,
      plugin: after.plugin,
      backup: dryRun ? null : apply({ text, links: changed }, file, options),
      diff: changedLines(file.text ?? "", text ?? ""),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      error.message = `Cannot change settings "${path}": ${error.message}`;
    }
    throw error;
  }
}

function textWithTrimtab(
  text: string | null,
  { plugin, statusLine: line }: FoundEntries,
  { hooks, root, statusLine = false }: InstallOptions & { readonly hooks: HookEntries },
): string {
  if (plugin !== null && !statusLine) {
    throw new TypeError(
      `it enables the plugin ${plugin}, so every hook would run twice; ` +
        "install only the status line, with --status-line",
    );
  }
  const wantsStatusLine = statusLine || line === "ours";
  return addEntries(text, { hooks, statusLine: wantsStatusLine ? statusLineCommand(root) : null });
}

/** Changes the links and the settings; if that fails, removes the new links. */
function apply(
  { text, links }: { readonly text: string | null; readonly links: readonly SkillLink[] },
  file: SettingsFile,
  options: InstallOptions,
): string | null {
  const { folder, nowMs, uninstall = false } = options;
  const write = (): string | null =>
    text === file.text
      ? null
      : replaceSettingsFile(joinPath(folder, "settings.json"), { file, text, nowMs });
  const made: SkillLink[] = [];
  try {
    for (const link of uninstall ? [] : links) {
      makeSkillLink(link);
      if (link.state === "free") made.push(link);
    }
    const backup = write();
    if (uninstall) removeLinks(links, folder);
    return backup;
  } catch (error) {
    removeLinks(made, folder);
    throw error;
  }
}

function removeLinks(links: readonly SkillLink[], folder: string): void {
  for (const { path } of links) Deno.removeSync(path);
  const skills = joinPath(folder, "skills");
  if (links.length > 0 && listFolder(skills).length === 0) Deno.removeSync(skills);
}

/** Returns the text from before the installation (null for no file) if only trimtab has changed it since. */
function textWithoutTrimtab(
  path: string,
  text: string | null,
  found: FoundEntries,
): string | null {
  const { hooks } = found;
  if (text === null || Object.keys(hooks).length === 0 && found.statusLine !== "ours") return text;
  const statusLine = found.statusLine === "ours" ? found.statusLineCommand : null;
  const backups = listBackups(path).map((backup) => readTextSync(backup, MAX_SETTINGS_BYTES));
  const isSource = (before: string | null): boolean => {
    try {
      return removeEntries(before ?? "{}") === (before ?? "{}") &&
        addEntries(before, { hooks, statusLine }) === text;
    } catch {
      return false;
    }
  };
  const before = backups.find(isSource);
  if (before !== undefined) return before;
  return backups.length === 0 && isSource(null) ? null : removeEntries(text);
}

function changedLines(before: string, after: string): string {
  if (before === after) return "";
  const old = before.trimEnd().split(/\r?\n/);
  const now = after.trimEnd().split(/\r?\n/);
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (start + end < old.length && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = (lines: string[], sign: string): string[] =>
    lines.slice(start, lines.length - end).map((line) => sign + line);
  return [...middle(old, "-"), ...middle(now, "+")].join("\n");
}
