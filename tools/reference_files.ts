/**
 * Renders the reference page for files.
 *
 * @module
 */

import { type FileSpec, OWN_FILES, SPILL_FILE } from "../src/doctor/clean/file_table.ts";
import { code, GENERATED, list, words } from "./reference_text.ts";

interface OtherFileSpec {
  /** The path; `CONFIG` stands for Claude Code's configuration folder, `PROJECT` for the project. */
  readonly shown: string;
  readonly help: string;
  readonly kept: string;
}

const KEPT_SESSION = "as long as the session";
const KEPT_ALWAYS = "until deleted";
const KEPT_INSTALLED = "until `install --uninstall`";

const OTHER_FILES: readonly OtherFileSpec[] = [
  {
    shown: "CONFIG/projects/<project>/<new id>.jsonl",
    help: "a trimmed or rescued copy",
    kept: KEPT_SESSION,
  },
  {
    shown: "CONFIG/tasks/<new id>/",
    help: "the copy's task list",
    kept: KEPT_SESSION,
  },
  {
    shown: "CONFIG/file-history/<new id>/",
    help: "links that `/rewind` uses to restore files in the copy",
    kept: KEPT_SESSION,
  },
  {
    shown: "CONFIG/trimtab/kept/<session id>.jsonl",
    help: "a transcript kept by `trimtab keep`",
    kept: "`kept_days` after its last use",
  },
  {
    shown: "CONFIG/trimtab/checkpoints/index.json",
    help: "the index of the checkpoints of all projects",
    kept: "one row for each existing checkpoint",
  },
  {
    shown: "CONFIG/trimtab/ours/key",
    help: "the key that signs trimtab's own files",
    kept: KEPT_ALWAYS,
  },
  {
    shown: "CONFIG/trimtab/told/<name>",
    help: "an empty file for each one-time message that was shown",
    kept: KEPT_ALWAYS,
  },
  {
    shown: "CONFIG/trimtab/bin/trimtab-<version>",
    help: "the compiled executable, if one was built",
    kept: KEPT_ALWAYS,
  },
  {
    shown: "CONFIG/settings.json",
    help: "hooks and status line added by `trimtab install`; or in `PROJECT/.claude`",
    kept: KEPT_INSTALLED,
  },
  {
    shown: "CONFIG/settings.json.trimtab-backup-<time>",
    help: "the settings before `trimtab install`",
    kept: "the newest 5",
  },
  {
    shown: "CONFIG/skills/<name>",
    help: "links to the skills, made by `trimtab install`",
    kept: KEPT_INSTALLED,
  },
];

/** Configuration files, which belong to the user; later files take precedence. */
const CONFIG_FILES: readonly Omit<OtherFileSpec, "kept">[] = [
  { shown: "CONFIG/trimtab.toml", help: "your configuration, for all projects" },
  { shown: "PROJECT/.work.toml", help: "its `[context]` table; the rest belongs to other tools" },
  { shown: "PROJECT/.claude/trimtab.toml", help: "the configuration of the project" },
];

export function filesPage(): string {
  return [
    "# Files",
    GENERATED,
    "`PROJECT` is the project's folder, `CONFIG` is Claude Code's (`~/.claude`, or `CLAUDE_CONFIG_DIR`). " +
    "Files have mode 0600; trimtab's folders contain a `.gitignore` and a `.ignore` with the line `*`, " +
    "which hide them from git and searches. They can contain empty lock files (`.lock`, `.NAME.lock`). " +
    "`retention_days` applies to checkpoints, handoffs and shaped outputs when new ones are written, to " +
    "other files when `trimtab clean` runs. `trimtab clean` deletes only files with these names.",
    "## In the project",
    // The introduction describes lock files, which can be in any folder.
    list([...OWN_FILES.filter(({ kind }) => kind !== "housekeeping"), SPILL_FILE].map(ownFile)),
    "## Elsewhere",
    list(OTHER_FILES.map(otherFile)),
    "## Your configuration",
    "`trimtab live` changes `[live] enabled` in the two `trimtab.toml` files.",
    list(CONFIG_FILES.map(({ shown, help }) => `${code(shown)}: ${words(help)}`)),
  ].join("\n\n") + "\n";
}

function ownFile({ folder, shown, help, kept }: FileSpec): string {
  const path = (name: string): string => code(`PROJECT/.claude/${folder}/${name}`);
  return `${shown.split(", ").map(path).join(", ")}: ${words(help)}; kept: ${words(kept)}`;
}

function otherFile({ shown, help, kept }: OtherFileSpec): string {
  return `${code(shown)}: ${words(help)}; kept: ${words(kept)}`;
}
