/** Sets trimtab up in Claude Code's settings, without the plugin system, and takes it out again. */

import { joinPath, parentPath } from "../../store/paths.ts";
import { statusLineCommand, wantedHooks } from "./entries.ts";
import {
  addEntries,
  findEntries,
  type FoundEntries,
  removeEntries,
  type WantedEntries,
} from "./settings.ts";
import { findSkillLinks, makeSkillLinks, removeSkillLinks, type SkillLink } from "./skills.ts";
import {
  listBackups,
  MAX_SETTINGS_BYTES,
  readSettingsFile,
  replaceSettingsFile,
  type SettingsFile,
} from "./settings_file.ts";
import { unifiedDiff } from "./unified_diff.ts";
import { readTextSync } from "../../store/read_file.ts";

export interface InstallOptions {
  /** The folder that holds `settings.json` and `skills/`: of the user or of a project. */
  readonly folder: string;
  readonly root: string;
  /** The time, in milliseconds since 1970; part of a backup's name. */
  readonly nowMs: number;
  /** Whether the status line is added. @default {false} */
  readonly statusLine?: boolean;
  /** Whether all is taken out instead. @default {false} */
  readonly uninstall?: boolean;
  /** Whether nothing is written. @default {false} */
  readonly dryRun?: boolean;
}

/** What came of it. The names are those of the JSON that the command prints. */
export interface InstallResult {
  readonly action: "installed" | "updated" | "already installed" | "uninstalled" | "not installed";
  readonly settings: string;
  readonly dry_run: boolean;
  readonly hooks: readonly string[];
  readonly skills: readonly string[];
  /** The skills that are left out because somebody else's have their names. */
  readonly skills_taken: readonly string[];
  readonly status_line: "none" | "ours" | "other";
  /** Whether the client reads the settings: it ignores all of a file with comments. */
  readonly is_read: boolean;
  /** The copy of the settings as they were; null where none was made. */
  readonly backup: string | null;
  /** What changes in the settings, as `diff -u` shows it. */
  readonly diff: string;
}

interface Place {
  readonly path: string;
  readonly file: SettingsFile;
  readonly found: FoundEntries | null;
  readonly links: readonly SkillLink[];
}

/** Sets trimtab up, brings an older set-up to this version, or takes all of it out. */
export function install(options: InstallOptions): InstallResult {
  const path = joinPath(options.folder, "settings.json");
  const file = readSettingsFile(path);
  try {
    const found = file.text === null ? null : findEntries(file.text);
    const skills = joinPath(options.folder, "skills");
    const links = findSkillLinks(options.root, skills, found?.roots);
    const place = { path, file, found, links };
    return options.uninstall === true ? takeOut(place, options) : putIn(place, options);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new SyntaxError(`Cannot change settings "${path}": ${error.message}`);
    }
    if (error instanceof TypeError) {
      throw new TypeError(`Cannot change settings "${path}": ${error.message}`);
    }
    throw error;
  }
}

function putIn({ path, file, found, links }: Place, options: InstallOptions): InstallResult {
  const isPlugin = found !== null && found.plugin !== null;
  if (isPlugin && options.statusLine !== true) {
    throw new TypeError(
      `it enables the plugin ${found.plugin}, so every hook would run twice; ` +
        "nothing needs to be installed but the status line, with --status-line",
    );
  }
  const ownSkills = links.filter(({ state }) => state !== "taken" && state !== "dropped")
    .map(({ name }) => name);
  // The plugin brings hooks and skills, and cannot bring a status line.
  const hooks = isPlugin ? found.hooks : wantedHooks(options.root, ownSkills);
  // A status line of ours that is there is kept up to date without being asked for.
  const wantsLine = options.statusLine === true || found?.statusLine === "ours";
  const statusLine = wantsLine ? statusLineCommand(options.root) : null;
  const text = addEntries(file.text, { hooks, statusLine });
  const missing = isPlugin
    ? []
    : links.filter(({ state }) => state !== "ours" && state !== "taken");
  const isNew = found === null || Object.keys(found.hooks).length === 0;
  const isSame = text === file.text && missing.length === 0;
  const dryRun = options.dryRun === true;
  const backup = dryRun ? null : change(path, missing, () => write(path, file, text, options));
  return {
    action: isSame ? "already installed" : isNew ? "installed" : "updated",
    settings: path,
    dry_run: dryRun,
    hooks: Object.keys(hooks),
    skills: missing.filter(({ state }) => state !== "dropped").map(({ name }) => name),
    skills_taken: isPlugin
      ? []
      : links.filter(({ state }) => state === "taken").map(({ name }) => name),
    status_line: findEntries(text).statusLine,
    is_read: findEntries(text).isStrict,
    backup,
    diff: unifiedDiff(file.text, text, path),
  };
}

/** Without the settings the links are nothing. */
function change(
  path: string,
  missing: readonly SkillLink[],
  writeSettings: () => string | null,
): string | null {
  makeSkillLinks(missing);
  try {
    return writeSettings();
  } catch (error) {
    const links = missing.filter(({ state }) => state === "free");
    removeSkillLinks(links.map((link) => ({ ...link, state: "ours" })));
    removeEmptyFolder(joinPath(parentPath(path), "skills"), links.length);
    throw error;
  }
}

function takeOut({ path, file, found, links }: Place, options: InstallOptions): InstallResult {
  const own = links.filter(({ state }) => state !== "free" && state !== "taken");
  const text = file.text === null || found === null ? null : textWithout(path, file.text, found);
  const dryRun = options.dryRun === true;
  const backup = dryRun ? null : write(path, file, text, options);
  if (!dryRun) {
    removeSkillLinks(own);
    removeEmptyFolder(joinPath(options.folder, "skills"), own.length);
  }
  return {
    action: text === file.text && own.length === 0 ? "not installed" : "uninstalled",
    settings: path,
    dry_run: dryRun,
    hooks: Object.keys(found?.hooks ?? {}),
    skills: own.map(({ name }) => name),
    skills_taken: links.filter(({ state }) => state === "taken").map(({ name }) => name),
    status_line: text === null ? "none" : findEntries(text).statusLine,
    is_read: text === null || findEntries(text).isStrict,
    backup,
    diff: unifiedDiff(file.text, text, path),
  };
}

function write(
  path: string,
  file: SettingsFile,
  text: string | null,
  { nowMs }: InstallOptions,
): string | null {
  return text === file.text ? null : replaceSettingsFile(path, { file, text, nowMs });
}

/** The settings without trimtab; `before` tells what was empty before from what is empty only now. */
function textWithout(
  path: string,
  text: string,
  found: FoundEntries,
): string | null {
  if (Object.keys(found.hooks).length === 0 && found.statusLine !== "ours") return text;
  const statusLine = found.statusLine === "ours" ? found.statusLineCommand : null;
  const wanted = { hooks: found.hooks, statusLine };
  const backups = listBackups(path).map((backup) => readTextSync(backup, MAX_SETTINGS_BYTES));
  for (const before of backups) {
    if (isSourceOf(before, text, wanted)) return before;
  }
  const isOurFile = backups.length === 0 && addEntries(null, wanted) === text;
  return isOurFile ? null : removeEntries(text);
}

function isSourceOf(
  before: string,
  text: string,
  wanted: WantedEntries,
): boolean {
  try {
    const found = findEntries(before);
    const isOurs = Object.keys(found.hooks).length > 0 || found.statusLine === "ours";
    return !isOurs && addEntries(before, wanted) === text;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return false;
    throw error;
  }
}

function removeEmptyFolder(folder: string, removed: number): void {
  if (removed === 0) return;
  for (const _ of Deno.readDirSync(folder)) return;
  Deno.removeSync(folder);
}
