/** The words for what can be wrong around trimtab: programs, settings, permissions. */

import type { FindingId, FindingKind } from "./finding_kind.ts";

/** Checks that find what can be wrong around trimtab. */
export const SETUP_FINDINGS = {
  deno_missing: {
    level: "error",
    title: "Deno is missing or too old",
    meaning: "The launcher finds no Deno on the PATH or in a standard location, so hooks fail " +
      "silently, or it finds one that lacks what trimtab uses.",
    fix: "Run `npm install -g deno` or `deno upgrade`, or set TRIMTAB_DENO to the path of Deno.",
    fixable: false,
  },
  client_too_old: {
    level: "warning",
    title: "Claude Code is too old",
    meaning: "It lacks some events or fields that trimtab's hooks use, so warnings, " +
      "`/trim` or output shaping may not work.",
    fix: "Run `claude update`.",
    fixable: false,
  },
  plugin_file_broken: {
    level: "error",
    title: "Files of trimtab itself are missing, broken or from different versions",
    meaning:
      "The plugin was installed or updated incompletely, or changed since: some hook, skill or " +
      "command fails, or takes a slower way.",
    fix: "Do what the problem says, or install trimtab again: `/plugin update trimtab@trimtab`, " +
      "or a fresh copy of its folder.",
    fixable: false,
  },
  settings_unreadable: {
    level: "error",
    title: "A settings file cannot be read",
    meaning:
      "Claude Code silently ignores a file with a comment or a trailing comma, so no hook in it " +
      "runs. It is unknown whether trimtab is installed there.",
    fix: "Fix FILE by hand, then run `trimtab doctor` again.",
    fixable: false,
  },
  hooks_disabled: {
    level: "warning",
    title: "All hooks are turned off",
    meaning: "`disableAllHooks` is set, so trimtab neither warns nor saves anything automatically.",
    fix: "Remove `disableAllHooks` from FILE.",
    fixable: false,
  },
  hooks_outdated: {
    level: "error",
    title: "Installed hooks or skills are missing or from another trimtab",
    meaning: "An earlier version was installed, or its folder was moved or deleted since: events " +
      "fail with a shell error, or a slash command is missing.",
    fix:
      "Run `trimtab install` from trimtab's present location, with --project for a project's settings.",
    fixable: false,
  },
  hooks_twice: {
    level: "warning",
    title: "Hooks are registered twice",
    meaning: "Each event runs two of them: messages to the model may be repeated, and every " +
      "turn takes longer.",
    fix:
      "Keep one: turn the plugin off, or run `trimtab install --uninstall` (with --project for a " +
      "project's settings).",
    fixable: false,
  },
  hooks_not_registered: {
    level: "info",
    title: "No hooks are registered",
    meaning:
      "Commands work, but nothing warns or saves automatically. With `claude --plugin-dir` this is " +
      "expected.",
    fix: "Install the plugin, or run `trimtab install`.",
    fixable: false,
  },
  open_to_others: {
    level: "warning",
    title: "Other users have access to one of trimtab's files or folders",
    meaning:
      "Files can quote anything a session saw, and in a writable folder others could plant a " +
      "checkpoint or a handoff that your next session receives.",
    fix: "`trimtab doctor --fix` takes their access away.",
    fixable: true,
  },
  file_unusable: {
    level: "error",
    title: "One of trimtab's files or folders cannot be used",
    meaning: "You cannot read or write it, for instance after a run with sudo: what it holds is " +
      "unavailable, and nothing new is saved there.",
    fix: "Make FILE writable for your user, for instance with `sudo chown $(id -un) FILE`.",
    fixable: false,
  },
  name_taken: {
    level: "error",
    title: "Something else occupies the path of one of trimtab's files",
    meaning: "It is a link, a folder or a device, which trimtab neither follows nor " +
      "replaces; links may have come with a cloned project.",
    fix: "Look at FILE, and move it away or delete it.",
    fixable: false,
  },
  ignore_weak: {
    level: "warning",
    title: "Git does not ignore one of trimtab's folders",
    meaning:
      "Its .gitignore is missing or lets files through, as one from a repository can: what " +
      "a session saw could be committed.",
    fix: "`trimtab doctor --fix` rewrites FOLDER/.gitignore.",
    fixable: true,
  },
  file_tracked: {
    level: "warning",
    title: "Git tracks one of trimtab's files",
    meaning:
      "It was committed once, as a cloned project can bring it. trimtab does not write to it, " +
      "since what a session saw would be committed next.",
    fix: "Take it out of git: `git rm --cached FILE`.",
    fixable: false,
  },
  files_foreign: {
    level: "warning",
    title: "Files in trimtab's folders were not written on this machine",
    meaning:
      "They came with the repository or were edited by hand, the project was moved, or this " +
      "machine's key was lost. No session receives them automatically.",
    fix: "`trimtab list` lists them; `trimtab restore ID` shows one, and with --trust restores it.",
    fixable: false,
  },
  deno_cache_unwritable: {
    level: "warning",
    title: "Deno cannot write its cache",
    meaning: "Each hook and command is compiled again, which takes about 150 ms every time.",
    fix: "Make FOLDER writable, or set DENO_DIR to a folder that is.",
    fixable: false,
  },
  config_wrong: {
    level: "error",
    title: "The configuration is wrong",
    meaning: "Commands refuse to run, and hooks use the defaults.",
    fix: "Fix FILE as the problem describes; `trimtab status --config` shows the result.",
    fixable: false,
  },
  config_without_effect: {
    level: "info",
    title: "Values in the configuration have no effect",
    meaning: "A project's file counts in full only once you have accepted it, since it may come " +
      "with the repository; and keys of earlier versions are accepted but ignored.",
    fix: "Look at FILE. Run `trimtab trust` to accept it; replace an old key as the problem says.",
    fixable: false,
  },
} as const satisfies Partial<Record<FindingId, FindingKind>>;
