/** Renders the reference page for files. */

import type { OwnKind } from "../src/doctor/clean/own_files.ts";
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

/** Files in the project's `.claude`. Lock files can be in any folder, so the introduction describes them. */
export const OWN_FILES: readonly (OtherFileSpec & { readonly kind: OwnKind })[] = [
  {
    kind: "checkpoint",
    shown: "checkpoints/YYYY-MM-DD-HHMMSS.md",
    help: "a checkpoint as Markdown, for people to read",
    kept: KEPT_DAYS,
  },
  {
    kind: "checkpoint",
    shown: "checkpoints/YYYY-MM-DD-HHMMSS.json",
    help: "a checkpoint in the format of `snapshots.schema.json`",
    kept: "as long as its Markdown file",
  },
  {
    kind: "snapshot",
    shown: "runtime/context-snapshots/YYYYMMDD_HHMMSS.json",
    help: "a snapshot in the same format",
    kept: KEPT_DAYS,
  },
  {
    kind: "lineage",
    shown: "trimtab/sessions.json",
    help: "the lineage: the parent of each session",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    kind: "lineage",
    shown: "trimtab/sessions.damaged-YYYY-MM-DDTHHMMSS.SSSZ.json",
    help: "a backup of a damaged lineage",
    kept: "the newest 10",
  },
  {
    kind: "blackboard",
    shown: "trimtab/blackboard.jsonl, trimtab/blackboard.1.jsonl",
    help: "requests to the sessions of the project",
    kept: "`retention_days`, up to 256 KB each",
  },
  {
    kind: "events",
    shown: "trimtab/events.jsonl, trimtab/events.1.jsonl",
    help: "a log of what trimtab did",
    kept: "the older file for `retention_days`, up to 1 MB each",
  },
  {
    kind: "events",
    shown: "trimtab/live.jsonl, trimtab/live.1.jsonl",
    help: "a log of shaped outputs: tools and lengths, no text",
    kept: "the older file for `retention_days`, up to 1 MB each",
  },
  {
    kind: "state",
    shown: "trimtab/iteration",
    help: "the number of the newest checkpoint",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    kind: "state",
    shown: "trimtab/left.json",
    help: "the session that `/clear` replaced",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    kind: "state",
    shown: "trimtab/state/<session id>.json",
    help: "a session's window, last warning and last checkpoint",
    kept: KEPT_STATE,
  },
  {
    kind: "state",
    shown: "trimtab/state/<session id>.inside.json",
    help: "a session's trims in place, and the token counts that the client reports",
    kept: KEPT_STATE,
  },
  {
    kind: "handoff",
    shown: "trimtab/handoffs/<parent session id>.json",
    help: "a handoff, and which session claimed it",
    kept: "`retention_days`; a session can claim it for a day",
  },
  {
    kind: "handoff",
    shown: "trimtab/handoffs/<parent session id>.md",
    help: "the prompt of that handoff",
    kept: "as long as the handoff",
  },
  {
    kind: "mark",
    shown:
      "trimtab/marks/<parent session id>.handoff, trimtab/marks/YYYY-MM-DD-HHMMSS.md, trimtab/marks/YYYY-MM-DD-HHMMSS.json, trimtab/marks/YYYYMMDD_HHMMSS.json, trimtab/marks/work.toml, trimtab/marks/project.toml",
    help: "a mark showing that trimtab wrote the file on this machine",
    kept: "as long as its file",
  },
  {
    kind: "report",
    shown: "trimtab/reports/<session id>.html",
    help: "a page of `trimtab report`",
    kept: "`retention_days`",
  },
  {
    kind: "output",
    shown: "trimtab/spill/<session id>/*",
    help: "shaped outputs in full",
    kept: "`retention_days` after the last use of its session, or of a copy",
  },
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
    list(OWN_FILES.map(ownFile)),
    "## Elsewhere",
    list(OTHER_FILES.map(otherFile)),
    "## Your configuration",
    "`trimtab live` changes `[live] enabled` in the two `trimtab.toml` files.",
    list(CONFIG_FILES.map(({ shown, help }) => `${code(shown)}: ${words(help)}`)),
  ].join("\n\n") + "\n";
}

function ownFile({ shown, help, kept }: OtherFileSpec): string {
  const paths = shown.split(", ").map((path) => code(`PROJECT/.claude/${path}`));
  return `${paths.join(", ")}: ${words(help)}; kept: ${words(kept)}`;
}

function otherFile({ shown, help, kept }: OtherFileSpec): string {
  return `${code(shown)}: ${words(help)}; kept: ${words(kept)}`;
}
