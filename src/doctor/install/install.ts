/** Installs trimtab in Claude Code's settings without the plugin system, and uninstalls it. */

import { listFolder } from "../../store/exists.ts";
import { joinPath } from "../../store/paths.ts";
import { MAX_SETTINGS_BYTES, readTextSync } from "../../store/read_file.ts";
import {
  addEntries,
  findEntries,
  type FoundEntries,
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

interface InstallState {
  readonly file: SettingsFile;
  readonly found: FoundEntries;
  readonly links: readonly SkillLink[];
}

interface Change {
  readonly action: InstallResult["action"];
  /** The new text of the settings; null for no settings file. */
  readonly text: string | null;
  readonly hooks: readonly string[];
  /** The links to make or to remove. */
  readonly links: readonly SkillLink[];
}

export function install(options: InstallOptions): InstallResult {
  const { folder, root, dryRun = false, uninstall = false } = options;
  const path = joinPath(folder, "settings.json");
  const file = readSettingsFile(path);
  try {
    const found = findEntries(file.text ?? "{}");
    const links = findSkillLinks(root, joinPath(folder, "skills"), found.roots);
    const place = { file, found, links };
    const change = uninstall ? removeTrimtab(place, path) : addTrimtab(place, options);
    const after = findEntries(change.text ?? "{}");
    const named = change.links.filter(({ target }) => uninstall || target !== null);
    const taken = found.plugin !== null && !uninstall
      ? []
      : links.filter(({ state }) => state === "taken");
    return {
      action: change.action,
      settings: path,
      dry_run: dryRun,
      hooks: change.hooks,
      skills: named.map(({ name }) => name),
      skills_taken: taken.map(({ name }) => name),
      status_line: after.statusLine,
      plugin: after.plugin,
      backup: dryRun ? null : apply(change, file, options),
      diff: changedLines(file.text ?? "", change.text ?? ""),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      error.message = `Cannot change settings "${path}": ${error.message}`;
    }
    throw error;
  }
}

function addTrimtab(
  { file, found, links }: InstallState,
  { root, statusLine }: InstallOptions,
): Change {
  const isPlugin = found.plugin !== null;
  if (isPlugin && statusLine !== true) {
    throw new TypeError(
      `it enables the plugin ${found.plugin}, so every hook would run twice; ` +
        "install only the status line, with --status-line",
    );
  }
  const skills = links.filter(({ state, target }) => state !== "taken" && target !== null)
    .map(({ name }) => name);
  // The plugin has its own hooks and skills, but cannot set a status line.
  const hooks = isPlugin ? found.hooks : wantedHooks(root, skills);
  const wantsStatusLine = statusLine === true || found.statusLine === "ours";
  const text = addEntries(file.text, {
    hooks,
    statusLine: wantsStatusLine ? statusLineCommand(root) : null,
  });
  const changed = isPlugin
    ? []
    : links.filter(({ state }) => state === "free" || state === "stale");
  const isNew = Object.keys(found.hooks).length === 0;
  const isSame = text === file.text && changed.length === 0;
  const action = isSame ? "already installed" : isNew ? "installed" : "updated";
  return { action, text, hooks: Object.keys(hooks), links: changed };
}

function removeTrimtab({ file, found, links }: InstallState, path: string): Change {
  const ownLinks = links.filter(({ state }) => state === "current" || state === "stale");
  const text = file.text === null ? null : textWithoutTrimtab(path, file.text, found);
  const action = text === file.text && ownLinks.length === 0 ? "not installed" : "uninstalled";
  return { action, text, hooks: Object.keys(found.hooks), links: ownLinks };
}

/** Changes the links and the settings; if that fails, removes the new links. */
function apply(
  { links, text }: Change,
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

/** Returns a backup, or null for no file, if only trimtab has changed the settings since. */
function textWithoutTrimtab(path: string, text: string, found: FoundEntries): string | null {
  const { hooks } = found;
  if (Object.keys(hooks).length === 0 && found.statusLine !== "ours") return text;
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
