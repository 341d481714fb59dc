/** Describes each kind of finding of `trimtab doctor`, for its output and for the troubleshooting page. */

/** Severity of a finding: an error breaks something, a warning needs attention, and info needs none. */
export type FindingLevel = "error" | "warning" | "info";

export interface FindingKind {
  /** Errors and warnings make the command exit with code 3. */
  readonly level: FindingLevel;
  readonly title: string;
  readonly meaning: string;
  /** `FILE`, `FOLDER` and `SESSION` stand for the finding's subject. */
  readonly fix: string;
}

const KINDS = {
  client_too_old: {
    level: "warning",
    title: "Claude Code is too old",
    meaning: "It lacks events or fields: warnings, `/trim` or shaping may not work.",
    fix: "Run `claude update`.",
  },
  plugin_file_broken: {
    level: "error",
    title: "The launcher cannot run",
    meaning: "Hooks, skills and commands fail.",
    fix: "Run `chmod +x` on it, or reinstall trimtab: `/plugin update trimtab@trimtab`.",
  },
  settings_unreadable: {
    level: "error",
    title: "A settings file cannot be read",
    meaning: "Claude Code ignores a file with a comment or a trailing comma, and every hook in it.",
    fix: "Fix FILE by hand, then run `trimtab doctor` again.",
  },
  hooks_disabled: {
    level: "warning",
    title: "All hooks are turned off",
    meaning: "`disableAllHooks` is set, so trimtab neither warns nor saves.",
    fix: "Remove `disableAllHooks` from FILE.",
  },
  hooks_outdated: {
    level: "error",
    title: "Installed hooks or skills are missing or from another trimtab",
    meaning:
      "trimtab's folder was moved or deleted, or another version was installed. Hooks fail, or a slash command is missing.",
    fix: "Run `trimtab install` (--project) from trimtab's current location.",
  },
  hooks_twice: {
    level: "warning",
    title: "Hooks are registered twice",
    meaning: "Each event runs both sets of hooks: messages may be repeated, and turns take longer.",
    fix: "Keep one: turn the plugin off, or run `trimtab install --uninstall` (--project).",
  },
  hooks_not_registered: {
    level: "info",
    title: "Hooks are not registered",
    meaning:
      "Commands work, but trimtab does not warn or save automatically. `claude --plugin-dir` runs the hooks without registering them; if you start Claude Code that way, ignore this finding.",
    fix: "Install the plugin, or run `trimtab install`.",
  },
  open_to_others: {
    level: "warning",
    title: "Other users have access to one of trimtab's files or folders",
    meaning: "They could read session content, or plant a save that your next session receives.",
    fix: "`trimtab doctor --fix` removes their access.",
  },
  file_unusable: {
    level: "error",
    title: "One of trimtab's files or folders cannot be used",
    meaning: "It belongs to another user, for example after a run with sudo.",
    fix: "Take ownership of it: `sudo chown -R $(id -un) FILE`.",
  },
  ignore_weak: {
    level: "warning",
    title: "Git does not ignore one of trimtab's folders",
    meaning: "Its .gitignore does not cover all files, so git could commit session content.",
    fix: "`trimtab doctor --fix` rewrites FOLDER/.gitignore.",
  },
  file_tracked: {
    level: "warning",
    title: "Git tracks one of trimtab's files",
    meaning: "Git would commit session content, so trimtab does not write to this file.",
    fix: "Remove it from git: `git rm --cached FILE`.",
  },
  files_foreign: {
    level: "warning",
    title: "Files in trimtab's folders were not written on this machine",
    meaning: "They came with the repository or were edited. Sessions do not receive them.",
    fix: "`trimtab list` lists them; `trimtab restore ID` shows one, and --trust accepts it.",
  },
  config_wrong: {
    level: "error",
    title: "The configuration is invalid",
    meaning: "Commands refuse to run, and hooks use the defaults.",
    fix: "Fix FILE as the problem describes; `trimtab status --config` shows the result.",
  },
  config_without_effect: {
    level: "info",
    title: "Values in the configuration have no effect",
    meaning: "A project's file takes full effect only once you accept it; old keys are ignored.",
    fix: "Read FILE. Run `trimtab trust` to accept it; replace old keys.",
  },
  save_damaged: {
    level: "warning",
    title: "A checkpoint, a snapshot or a handoff is incomplete or unreadable",
    meaning: "It was truncated or modified, or comes from a newer trimtab.",
    fix: "Save again with `trimtab checkpoint`; delete FILE if you do not need it.",
  },
  session_refused: {
    level: "error",
    title: "A session does not resume",
    meaning: "Claude Code fails on part of it, or the API rejects it.",
    fix: "Run `trimtab rescue SESSION`; it writes a copy that resumes.",
  },
  session_cut_off: {
    level: "warning",
    title: "A session resumes without its beginning",
    meaning:
      "Claude Code does not send earlier messages: the parent of its first message is not in the file, or a trim was not finished.",
    fix: "Run `trimtab rescue SESSION`; its copy has all messages that are in the file.",
  },
  expired_files: {
    level: "info",
    title: "Files are no longer needed",
    meaning: "They are past their retention period, or a killed process left them.",
    fix: "Run `trimtab clean` to list the files, and `trimtab clean --apply` to delete them.",
  },
  check_failed: {
    level: "error",
    title: "A check could not run",
    meaning: "The usual cause is a folder that cannot be read. The other checks ran.",
    fix: "Fix the reported problem, then run `trimtab doctor` again.",
  },
} as const satisfies Record<string, FindingKind>;

export type FindingId = keyof typeof KINDS;

export const FINDING_KINDS: Readonly<Record<FindingId, FindingKind>> = KINDS;
