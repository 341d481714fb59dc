/** The words for what can be wrong around trimtab: programs, settings, permissions. */

import type { FindingId, FindingKind } from "./finding_kind.ts";

/** What can be wrong around trimtab. */
export const SETUP_FINDINGS = {
  deno_too_old: {
    level: "error",
    title: "Deno is too old",
    meaning: "Commands or hooks fail: this Deno lacks something that trimtab is written with.",
    fix: "Run `deno upgrade`, or `npm install -g deno`.",
    fixable: false,
  },
  launcher_without_deno: {
    level: "error",
    title: "The launcher finds no Deno",
    meaning: "Hooks fail silently: Deno is neither on the PATH nor in a usual place, " +
      "even if this command was started by one that is somewhere else.",
    fix: "Install Deno with `npm install -g deno`, or set TRIMTAB_DENO to its path.",
    fixable: false,
  },
  executable_other_version: {
    level: "warning",
    title: "The compiled executable is of another version",
    meaning:
      "The plugin was updated and its compiled executable was not. Hooks pass over it and run " +
      "by Deno, which is slower.",
    fix: "Compile it again, or delete FILE.",
    fixable: false,
  },
  client_too_old: {
    level: "warning",
    title: "Claude Code is too old",
    meaning:
      "Some of what trimtab's hooks wait for, or answer with, does not exist in it, so warnings, " +
      "`/trim` or the shaping of outputs may stay away.",
    fix: "Run `claude update`.",
    fixable: false,
  },
  plugin_file_broken: {
    level: "error",
    title: "A file of trimtab itself is missing or broken",
    meaning:
      "The plugin was installed in part, or changed since: some hook, skill or command fails.",
    fix: "Install trimtab again: `/plugin update trimtab@trimtab`, or a fresh copy of its folder.",
    fixable: false,
  },
  plugin_versions_differ: {
    level: "warning",
    title: "Files of trimtab are of different versions",
    meaning: "An update went through in part; Claude Code goes by the version of the manifest.",
    fix: "Install trimtab again: `/plugin update trimtab@trimtab`, or a fresh copy of its folder.",
    fixable: false,
  },
  launcher_not_executable: {
    level: "warning",
    title: "The launcher may not be executed",
    meaning: "Hooks work, but skills and the Bash tool do not find the command `trimtab`.",
    fix: "Run `chmod +x FILE`.",
    fixable: false,
  },
  settings_unreadable: {
    level: "warning",
    title: "Settings cannot be read",
    meaning: "Nobody can tell whether trimtab is installed there, and Claude Code may ignore the " +
      "whole file.",
    fix: "Put FILE right by hand, then run `trimtab doctor` again.",
    fixable: false,
  },
  settings_ignored: {
    level: "error",
    title: "Claude Code ignores the settings that hold trimtab's hooks",
    meaning:
      "It takes no file with a comment or a trailing comma and does not say so, so no hook " +
      "of that file runs.",
    fix: "Take comments and trailing commas out of FILE.",
    fixable: false,
  },
  hooks_disabled: {
    level: "warning",
    title: "All hooks are turned off",
    meaning: "`disableAllHooks` is set, so trimtab neither warns nor saves anything by itself.",
    fix: "Take `disableAllHooks` out of FILE.",
    fixable: false,
  },
  hooks_path_gone: {
    level: "error",
    title: "Hooks start a trimtab that is gone",
    meaning: "Its folder was moved or deleted after `trimtab install`; each event now ends in an " +
      "error of the shell.",
    fix:
      "Run `trimtab install` from where trimtab is now, with --project for a project's settings.",
    fixable: false,
  },
  hooks_outdated: {
    level: "warning",
    title: "The installed hooks are not those of this version",
    meaning:
      "An earlier version was installed: the hook of an event is missing, or is started in " +
      "another way.",
    fix: "Run `trimtab install` again, with --project for a project's settings.",
    fixable: false,
  },
  hooks_twice: {
    level: "warning",
    title: "Hooks are registered twice",
    meaning:
      "Each event starts two of them: what is said to the model may be said twice, and every " +
      "turn takes longer.",
    fix:
      "Keep one: turn the plugin off, or run `trimtab install --uninstall` (with --project for a " +
      "project's settings).",
    fixable: false,
  },
  skills_stale: {
    level: "warning",
    title: "Links of skills lead nowhere, or to another trimtab",
    meaning: "A slash command is missing, or is that of another version.",
    fix: "Run `trimtab install` again, with --project for a project's settings.",
    fixable: false,
  },
  hooks_not_registered: {
    level: "info",
    title: "No hooks are registered",
    meaning:
      "Commands work; nothing warns or saves by itself. With `claude --plugin-dir` this is as " +
      "it should be.",
    fix: "Install the plugin, or run `trimtab install`.",
    fixable: false,
  },
  file_open_to_others: {
    level: "warning",
    title: "Others may read a file of trimtab",
    meaning:
      "Such files can quote anything a session saw; they are to be their owner's alone (0600).",
    fix: "Run `chmod 600 FILE`.",
    fixable: true,
  },
  folder_writable_by_others: {
    level: "warning",
    title: "Others may write to a folder of trimtab",
    meaning: "They could put a checkpoint or a handoff there that your next session is given.",
    fix: "Run `chmod 700 FOLDER`.",
    fixable: true,
  },
  folder_readable_by_others: {
    level: "info",
    title: "Others may look into a folder of trimtab",
    meaning:
      "They see the names of files and no more. A folder that was there before trimtab keeps " +
      "its permissions.",
    fix: "Run `chmod 700 FOLDER` if that is not as you want it.",
    fixable: true,
  },
  file_unusable: {
    level: "error",
    title: "A file of trimtab cannot be used",
    meaning:
      "It may not be read or written by you, as after a run with sudo: what is in it is as " +
      "good as lost, and what belongs in it is not saved.",
    fix: "Give it to yourself: `sudo chown $(id -un) FILE`, then `chmod 600 FILE`.",
    fixable: false,
  },
  folder_unusable: {
    level: "error",
    title: "A folder cannot be written to",
    meaning: "Nothing is saved there: checkpoints, states or handoffs are missing when needed.",
    fix: "Make FOLDER writable for yourself.",
    fixable: false,
  },
  name_taken: {
    level: "error",
    title: "Something else has the name of one of trimtab's files",
    meaning:
      "A link, a folder or a device stands in its place, which trimtab neither follows nor " +
      "replaces; links may have come with a cloned project.",
    fix: "Look at FILE, and move it away or delete it.",
    fixable: false,
  },
  ignore_weak: {
    level: "warning",
    title: "Git does not leave out a folder of trimtab",
    meaning:
      "Its ignore file is missing or lets files in, as one that came with a repository can: what " +
      "a session saw could be committed.",
    fix: "`trimtab doctor --fix` writes FOLDER/.gitignore anew.",
    fixable: true,
  },
  files_foreign: {
    level: "warning",
    title: "Files under trimtab's names were not written on this machine",
    meaning:
      "They came with the repository or were changed by hand, the project was moved, or the key " +
      "of this machine was lost. No session is given them by itself.",
    fix: "`trimtab list` names them; `trimtab restore ID` shows one, and takes it with --trust.",
    fixable: false,
  },
  deno_cache_unwritable: {
    level: "warning",
    title: "Deno cannot write its cache",
    meaning:
      "Each hook and command is translated anew, which takes about 150 ms longer every time.",
    fix: "Make FOLDER writable, or set DENO_DIR to a folder that is.",
    fixable: false,
  },
  config_wrong: {
    level: "error",
    title: "The configuration is wrong",
    meaning: "Commands refuse to work by it, and hooks use the defaults.",
    fix: "Change FILE as the problem says; `trimtab status --config` shows what then counts.",
    fixable: false,
  },
  config_cache_stale: {
    level: "warning",
    title: "Hooks do not know the newest configuration",
    meaning: "They cannot read TOML and go by what the last command kept for them.",
    fix: "Run `trimtab status`.",
    fixable: true,
  },
} as const satisfies Partial<Record<FindingId, FindingKind>>;
