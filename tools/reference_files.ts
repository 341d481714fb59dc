/** Renders the reference page for files. */

import { type FileSpec, OWN_FILES, SPILL_FILE } from "../src/doctor/clean/own_files.ts";
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

const UNTIL_CLEAN_ALL = "until `trimtab clean --all`";
const KEPT_DAYS = "`retention_days`; the newest of each session until `trimtab clean --all`";
const KEPT_STATE = "`retention_days` after its session";

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

/** Help and lifetime of each file of the project, by its name in the table of own files. */
const OWN_HELP: Readonly<Record<string, readonly [help: string, kept: string]>> = {
  "YYYY-MM-DD-HHMMSS.md": ["a checkpoint as Markdown, for people to read", KEPT_DAYS],
  "YYYY-MM-DD-HHMMSS.json": [
    "a checkpoint in the format of `snapshots.schema.json`",
    "as long as its Markdown file",
  ],
  "YYYYMMDD_HHMMSS.json": ["a snapshot in the same format", KEPT_DAYS],
  "sessions.json": ["the lineage: the parent of each session", UNTIL_CLEAN_ALL],
  "sessions.damaged-YYYY-MM-DDTHHMMSS.SSSZ.json": [
    "a backup of a damaged lineage",
    "the newest 10",
  ],
  "blackboard.jsonl, blackboard.1.jsonl": [
    "requests to the sessions of the project",
    "`retention_days`, up to 256 KB each",
  ],
  "events.jsonl, events.1.jsonl": [
    "a log of what trimtab did",
    "the older file for `retention_days`, up to 1 MB each",
  ],
  "live.jsonl, live.1.jsonl": [
    "a log of shaped outputs: tools and lengths, no text",
    "the older file for `retention_days`, up to 1 MB each",
  ],
  "iteration": ["the number of the newest checkpoint", UNTIL_CLEAN_ALL],
  "left.json": ["the session that `/clear` replaced", UNTIL_CLEAN_ALL],
  "<session id>.json": ["a session's window, last warning and last checkpoint", KEPT_STATE],
  "<session id>.inside.json": [
    "a session's trims in place, and the token counts that the client reports",
    KEPT_STATE,
  ],
  "<parent session id>.json": [
    "a handoff, and which session claimed it",
    "`retention_days`; a session can claim it for a day",
  ],
  "<parent session id>.md": ["the prompt of that handoff", "as long as the handoff"],
  "trimtab/marks": [
    "a mark showing that trimtab wrote the file on this machine",
    "as long as its file",
  ],
  "<session id>.html": ["a page of `trimtab report`", "`retention_days`"],
  "<session id>/*": [
    "shaped outputs in full",
    "`retention_days` after the last use of its session, or of a copy",
  ],
};

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

function ownFile({ folder, shown }: FileSpec): string {
  const [help, kept] = OWN_HELP[shown] ?? OWN_HELP[folder] ?? [];
  if (help === undefined || kept === undefined) throw new Error(`Cannot describe file ${shown}`);
  const path = (name: string): string => code(`PROJECT/.claude/${folder}/${name}`);
  return `${shown.split(", ").map(path).join(", ")}: ${words(help)}; kept: ${words(kept)}`;
}

function otherFile({ shown, help, kept }: OtherFileSpec): string {
  return `${code(shown)}: ${words(help)}; kept: ${words(kept)}`;
}
